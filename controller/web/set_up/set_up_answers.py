"""What the API answers when a match is set up. All of it needs the token."""

import asyncio
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.settings.agreed_table import USUAL_GAME
from controller.settings.form_fields import SettingField, Written, setting_fields, value_at
from controller.settings.match_set_up import agreed
from controller.settings.settings import SettingsError
from controller.settings.store import SettingsKeeper, known_with
from controller.settings.toml_lines import KeyPath
from controller.web.answers import static_answer
from controller.web.bodies import problem
from controller.web.set_up.forms_shown import (
    FormError,
    mistakes_record,
    names_record,
    options_record,
    remembered,
    set_up_record,
    set_up_told,
    text_told,
)
from controller.web.set_up.office import EndMatch, ResumeMatch, Stage, StartMatch
from controller.web.set_up.office_door import Told, asking, changing, done, told, unread
from controller.web.show import Show
from controller.wording.rules_pages import known_games


class SetUpAnswers:
    """The handlers. What was chosen for the last match is remembered for the next form."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._chosen: dict[KeyPath, Written] = {}

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/office", _page, methods=["GET"]),
            Route("/api/set-up", self.form, methods=["GET"]),
            Route("/api/set-up/games/{game}", self.options, methods=["GET"]),
            Route("/api/set-up/start", self.start, methods=["POST"]),
            Route("/api/set-up/resume", self.resume, methods=["POST"]),
            Route("/api/set-up/end", self.end, methods=["POST"]),
        ]

    async def form(self, request: Request) -> Response:
        """The fields of a match, with what they say now."""
        visit = asking(request, self._show)
        if isinstance(visit, Response):
            return visit
        try:
            return told(await asyncio.to_thread(_form, visit.keeper, self._chosen, self._show.office.unfinished))
        except OSError as error:
            return unread(error)

    async def options(self, request: Request) -> Response:
        """The options of one game."""
        visit = asking(request, self._show)
        if isinstance(visit, Response):
            return visit
        try:
            record = await asyncio.to_thread(_options, visit.keeper, str(request.path_params["game"]))
        except OSError as error:
            return unread(error)
        return problem(404, "There is no such game.") if record is None else told(record)

    async def start(self, request: Request) -> Response:
        """A match begins, or all mistakes are told."""
        visit = await changing(request, self._show)
        if isinstance(visit, Response):
            return visit
        if refusal := self._refusal():
            return refusal
        try:
            set_up = set_up_told(visit.sent)
            match = await asyncio.to_thread(agreed, set_up, visit.keeper)
        except FormError as error:
            return problem(422, str(error))
        except SettingsError as error:
            return told(mistakes_record(error.mistakes), 422)
        except OSError as error:
            return unread(error)
        self._chosen = remembered(set_up.values)
        return await done(StartMatch(match), self._show)

    async def resume(self, request: Request) -> Response:
        """A match that was broken off goes on."""
        visit = await changing(request, self._show)
        if isinstance(visit, Response):
            return visit
        if refusal := self._refusal():
            return refusal
        try:
            name = text_told(visit.sent, "match")
        except FormError as error:
            return problem(422, str(error))
        if name != self._show.office.unfinished:  # nothing else is offered, and no name from outside becomes a path
            return problem(404, "There is no such match to go on with.")
        return await done(ResumeMatch(name), self._show)

    async def end(self, request: Request) -> Response:
        """The match that is played is broken off, so that another can be set up."""
        visit = await changing(request, self._show)
        if isinstance(visit, Response):
            return visit
        if self._show.office.stage is not Stage.PLAYING or not self._show.office.can_begin:
            return problem(409, "No match is being played that could be ended here.")
        return await done(EndMatch(), self._show)

    def _refusal(self) -> Response | None:
        """Where no match can be begun just now."""
        office = self._show.office
        if not office.can_begin:
            return problem(409, "This match was begun on the command line; set up the next one there.")
        if office.stage is not Stage.WAITING:
            return problem(409, "A match is being played; end it first.")
        return None


async def _page(request: Request) -> Response:
    return static_answer(request, "office.html")


def _form(keeper: SettingsKeeper, chosen: dict[KeyPath, Written], unfinished: str | None) -> Told:
    read = keeper.read()
    house = keeper.house(read.text)
    known = known_with(house)
    fields = setting_fields(known)
    usual = {field.key: _usual(field, read.values, keeper) for field in fields}
    usual["game",] = usual["game",] or (USUAL_GAME if house is None else house.rules.name)
    games = known_games(None if house is None else house.rules)
    return {"fields": set_up_record(fields, {**usual, **chosen}), "unfinished": unfinished, **names_record(games)}


def _usual(field: SettingField, values: Mapping[str, object], keeper: SettingsKeeper) -> Written:
    """What the command line says, else the file; None where neither does."""
    for key, _, value in keeper.options:
        if key == field.key and isinstance(value, str | int | float | bool):
            return value
    return value_at(values, field.key)


def _options(keeper: SettingsKeeper, game: str) -> Told | None:
    house = keeper.house(keeper.read().text)
    games = known_games(None if house is None else house.rules)
    return {"game": game, "options": options_record(games[game])} if game in games else None
