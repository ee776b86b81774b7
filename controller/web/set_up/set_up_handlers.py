"""The API for setting up, resuming and ending a match. Every request needs the operator's token."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.rules.bounded_toml import KeyPath
from controller.settings.match_set_up import make_agreed_match, read_match_form
from controller.settings.store import SettingsStore
from controller.settings.toml_edit import TomlScalar
from controller.web.access import read_order, require_operator
from controller.web.bodies import Record, problem, respond_json
from controller.web.page_context import PageContext
from controller.web.set_up.forms import (
    names_record,
    options_record,
    parse_match_choices,
    parse_text,
    select_for_next_form,
    set_up_record,
)
from controller.web.set_up.operator_requests import (
    authorise_change,
    authorise_read,
    refusing_invalid_settings,
    run_job,
)
from controller.web.set_up.program_control import (
    EndMatch,
    ProgramStage,
    ResumeMatch,
    StartAgain,
    StartMatch,
    UnfinishedMatch,
)
from controller.web.static_files import page_route


class SetUpHandlers:
    """The handlers. They remember the choices of the last match for the next form."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._last_choices: dict[KeyPath, TomlScalar] = {}

    @property
    def routes(self) -> list[Route]:
        return [
            page_route("/office", "office.html"),
            Route("/api/set-up", self.get_form, methods=["GET"]),
            Route("/api/set-up/games/{game}", self.get_options, methods=["GET"]),
            Route("/api/set-up/start", self.start_match, methods=["POST"]),
            Route("/api/set-up/resume", self.resume_match, methods=["POST"]),
            Route("/api/set-up/end", self.end_match, methods=["POST"]),
            Route("/api/demo/again", self.start_again, methods=["POST"]),
        ]

    async def get_form(self, request: Request) -> Response:
        """The fields of a match with their present values."""
        permitted = authorise_read(request, self._context)
        unfinished = self._context.control.unfinished
        with refusing_invalid_settings():
            return respond_json(await asyncio.to_thread(_make_form, permitted.store, self._last_choices, unfinished))

    async def get_options(self, request: Request) -> Response:
        """The options of one game."""
        permitted = authorise_read(request, self._context)
        with refusing_invalid_settings():
            record = await asyncio.to_thread(_make_options, permitted.store, str(request.path_params["game"]))
        if record is None:
            raise problem(404, "There is no such game.")
        return respond_json(record)

    async def start_match(self, request: Request) -> Response:
        """Begins a match, or responds with all mistakes of the form."""
        permitted = await authorise_change(request, self._context)
        self._require_may_begin()
        with refusing_invalid_settings():
            choices = parse_match_choices(permitted.sent)
            match = await asyncio.to_thread(make_agreed_match, choices, permitted.store)
        self._last_choices = select_for_next_form(choices.values)
        return await run_job(StartMatch(match), self._context)

    async def resume_match(self, request: Request) -> Response:
        """Resumes the unfinished match."""
        permitted = await authorise_change(request, self._context)
        self._require_may_begin()
        with refusing_invalid_settings():
            name = parse_text(permitted.sent, "match")
        unfinished = self._context.control.unfinished
        if unfinished is None or name != unfinished.name:  # no other name becomes a path
            raise problem(404, "There is no such match to go on with.")
        return await run_job(ResumeMatch(name), self._context)

    async def end_match(self, request: Request) -> Response:
        """Ends the running match, so that another can be set up."""
        await authorise_change(request, self._context)
        if self._context.control.stage is not ProgramStage.PLAYING or not self._context.control.can_begin:
            raise problem(409, "No match is being played that could be ended here.")
        return await run_job(EndMatch(), self._context)

    async def start_again(self, request: Request) -> Response:
        """Starts the demo again, once it is over."""
        require_operator(request, self._context.access)
        await read_order(request, self._context.access)
        if self._context.control.stage is not ProgramStage.DEMO_OVER:
            raise problem(409, "The demo is not over.")
        return await run_job(StartAgain(), self._context)

    def _require_may_begin(self) -> None:
        """Raises RequestRefusedError where no match can begin now."""
        control = self._context.control
        if not control.can_begin:
            raise problem(409, "This match was begun on the command line; set up the next one there.")
        if control.stage is not ProgramStage.WAITING:
            raise problem(409, "A match is being played; end it first.")


def _make_form(
    store: SettingsStore, last_choices: dict[KeyPath, TomlScalar], unfinished: UnfinishedMatch | None
) -> Record:
    form = read_match_form(store)
    fields = set_up_record(form.fields, {**form.values, **last_choices})
    resumable = None if unfinished is None else unfinished.to_record()
    return {"fields": fields, "unfinished": resumable, **names_record(form.games)}


def _make_options(store: SettingsStore, game: str) -> Record | None:
    games = read_match_form(store).games
    return {"game": game, "options": options_record(games[game])} if game in games else None
