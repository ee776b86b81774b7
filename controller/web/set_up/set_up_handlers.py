"""What the API answers when a match is set up. All of it needs the token."""

import asyncio
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.settings.build_match_config import DEFAULT_GAME
from controller.settings.form_fields import SettingField, TomlScalar, setting_fields, value_at
from controller.settings.match_set_up import make_agreed_match
from controller.settings.settings import SettingsError
from controller.settings.store import SettingsStore, make_known_names
from controller.settings.toml_lines import KeyPath
from controller.web.bodies import problem
from controller.web.handlers import respond_static
from controller.web.page_context import PageContext
from controller.web.set_up.forms import (
    FormError,
    mistakes_record,
    names_record,
    options_record,
    parse_match_choices,
    parse_text,
    select_for_next_form,
    set_up_record,
)
from controller.web.set_up.operator_requests import (
    Record,
    authorise_change,
    authorise_read,
    respond_file_error,
    respond_json,
    run_job,
)
from controller.web.set_up.program_control import EndMatch, ProgramStage, ResumeMatch, StartMatch
from controller.wording.rules_pages import list_games


class SetUpHandlers:
    """The handlers. What was chosen for the last match is remembered for the next form."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._last_choices: dict[KeyPath, TomlScalar] = {}

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/office", _respond_page, methods=["GET"]),
            Route("/api/set-up", self.get_form, methods=["GET"]),
            Route("/api/set-up/games/{game}", self.get_options, methods=["GET"]),
            Route("/api/set-up/start", self.start_match, methods=["POST"]),
            Route("/api/set-up/resume", self.resume_match, methods=["POST"]),
            Route("/api/set-up/end", self.end_match, methods=["POST"]),
        ]

    async def get_form(self, request: Request) -> Response:
        """The fields of a match, with what they say now."""
        visit = authorise_read(request, self._context)
        if isinstance(visit, Response):
            return visit
        try:
            return respond_json(
                await asyncio.to_thread(_make_form, visit.store, self._last_choices, self._context.control.unfinished)
            )
        except OSError as error:
            return respond_file_error(error)

    async def get_options(self, request: Request) -> Response:
        """The options of one game."""
        visit = authorise_read(request, self._context)
        if isinstance(visit, Response):
            return visit
        try:
            record = await asyncio.to_thread(_make_options, visit.store, str(request.path_params["game"]))
        except OSError as error:
            return respond_file_error(error)
        return problem(404, "There is no such game.") if record is None else respond_json(record)

    async def start_match(self, request: Request) -> Response:
        """A match begins, or all mistakes are told."""
        visit = await authorise_change(request, self._context)
        if isinstance(visit, Response):
            return visit
        if refusal := self._check_may_begin():
            return refusal
        try:
            set_up = parse_match_choices(visit.sent)
            match = await asyncio.to_thread(make_agreed_match, set_up, visit.store)
        except FormError as error:
            return problem(422, str(error))
        except SettingsError as error:
            return respond_json(mistakes_record(error.mistakes), 422)
        except OSError as error:
            return respond_file_error(error)
        self._last_choices = select_for_next_form(set_up.values)
        return await run_job(StartMatch(match), self._context)

    async def resume_match(self, request: Request) -> Response:
        """A match that was broken off goes on."""
        visit = await authorise_change(request, self._context)
        if isinstance(visit, Response):
            return visit
        if refusal := self._check_may_begin():
            return refusal
        try:
            name = parse_text(visit.sent, "match")
        except FormError as error:
            return problem(422, str(error))
        if name != self._context.control.unfinished:  # nothing else is offered, and no name from outside becomes a path
            return problem(404, "There is no such match to go on with.")
        return await run_job(ResumeMatch(name), self._context)

    async def end_match(self, request: Request) -> Response:
        """The match that is played is broken off, so that another can be set up."""
        visit = await authorise_change(request, self._context)
        if isinstance(visit, Response):
            return visit
        if self._context.control.stage is not ProgramStage.PLAYING or not self._context.control.can_begin:
            return problem(409, "No match is being played that could be ended here.")
        return await run_job(EndMatch(), self._context)

    def _check_may_begin(self) -> Response | None:
        """Where no match can be begun just now."""
        office = self._context.control
        if not office.can_begin:
            return problem(409, "This match was begun on the command line; set up the next one there.")
        if office.stage is not ProgramStage.WAITING:
            return problem(409, "A match is being played; end it first.")
        return None


async def _respond_page(request: Request) -> Response:
    return respond_static(request, "office.html")


def _make_form(store: SettingsStore, last_choices: dict[KeyPath, TomlScalar], unfinished: str | None) -> Record:
    read = store.read()
    house = store.load_house_variant(read.text)
    known = make_known_names(house)
    fields = setting_fields(known)
    usual = {field.key: _read_default(field, read.values, store) for field in fields}
    usual["game",] = usual["game",] or (DEFAULT_GAME if house is None else house.rules.name)
    games = list_games(None if house is None else house.rules)
    return {"fields": set_up_record(fields, {**usual, **last_choices}), "unfinished": unfinished, **names_record(games)}


def _read_default(field: SettingField, values: Mapping[str, object], store: SettingsStore) -> TomlScalar:
    """What the command line says, else the file; None where neither does."""
    for key, _, value in store.options:
        if key == field.key and isinstance(value, str | int | float | bool):
            return value
    return value_at(values, field.key)


def _make_options(store: SettingsStore, game: str) -> Record | None:
    house = store.load_house_variant(store.read().text)
    games = list_games(None if house is None else house.rules)
    return {"game": game, "options": options_record(games[game])} if game in games else None
