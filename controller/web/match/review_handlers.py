"""The API of a review: the operator sees which turns nobody can be sure of, and puts them right in the log."""

import asyncio
from pathlib import Path
from typing import cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.formats import ReviewedTurn, ReviewError, find_choices, list_reviewed_turns, put_right
from controller.match import RefereeEvent
from controller.match_log import MatchLog, MatchLogError, read_match
from controller.match_log.event_json import JsonValue
from controller.rules import Ruleset
from controller.web.access import read_order, require_operator
from controller.web.bodies import parse_number, problem, respond_json
from controller.web.match.page_board import make_page_board, resolve_seating
from controller.web.page_context import PageContext

_FACES = range(1, 7)


class ReviewHandlers:
    """The handlers. They answer 404 unless the page replays a match of the log, in a game with dice."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._writing = asyncio.Lock()

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/api/review", self.get_turns, methods=["GET"]),
            Route("/api/review", self.post_correction, methods=["POST"]),
            Route("/api/review/{turn}", self.get_choices, methods=["GET"]),
        ]

    async def get_turns(self, request: Request) -> Response:
        """All turns of the match, each with what is open about it."""
        require_operator(request, self._context.access)
        path, _ = self._require_log()
        turns: list[JsonValue] = [_make_turn_record(one) for one in self._list_turns(await self._read(path))]
        return respond_json({"turns": turns})

    async def get_choices(self, request: Request) -> Response:
        """The legal plays of a turn with its roll, or with another one (`?roll=63`)."""
        require_operator(request, self._context.access)
        path, rules = self._require_log()
        logged = await self._read(path)
        turn = self._find_turn(request.path_params["turn"], logged)
        roll = _parse_roll([*map(parse_number, request.query_params.get("roll", ""))])
        try:
            found = await asyncio.to_thread(find_choices, turn, logged, rules, roll)
        except ReviewError as error:
            raise problem(422, str(error)) from None
        match = self._context.match
        seating = resolve_seating(match.newest.state, match.table)
        boards = [make_page_board(one.after, seating, match.table) for one in found.plays]
        plays: list[JsonValue] = [
            {
                "play": one.play,
                "after": one.after,
                "board": None if board is None else cast(JsonValue, board.to_record()),
            }
            for one, board in zip(found.plays, boards, strict=True)
        ]
        return respond_json({"roll": list(found.roll), "may_change_roll": found.may_change_roll, "plays": plays})

    async def post_correction(self, request: Request) -> Response:
        """`turn`, `after` (position text) and perhaps `roll` (two numbers) put a turn right; the log gets the events."""
        require_operator(request, self._context.access)
        path, rules = self._require_log()
        sent = await read_order(request, self._context.access)
        roll, after = sent.get("roll"), sent.get("after")
        numbers = _parse_roll(roll if isinstance(roll, list) else [])
        async with self._writing:
            logged = await self._read(path)
            turn = self._find_turn(str(sent.get("turn")), logged)
            try:
                events = await asyncio.to_thread(put_right, turn, logged, rules, str(after)[:200], numbers)
                revised = await asyncio.to_thread(_append, path, events)
            except ReviewError as error:
                raise problem(422, str(error)) from None
            except (MatchLogError, OSError):
                raise problem(409, "This match cannot be written now; another program may be writing it.") from None
            self._context.show_revised(revised)
        return respond_json({"turn": turn.number})

    def _require_log(self) -> tuple[Path, Ruleset]:
        match = self._context.match
        if self._context.replay is None or match.path is None or not isinstance(match.table.rules, Ruleset):
            raise problem(404, "Only a match of the log, in a game with dice, is put right here.")
        return match.path, match.table.rules

    async def _read(self, path: Path) -> tuple[RefereeEvent, ...]:
        try:
            return (await asyncio.to_thread(read_match, path)).events
        except MatchLogError:
            raise problem(409, "The log of this match cannot be read.") from None

    def _list_turns(self, logged: tuple[RefereeEvent, ...]) -> tuple[ReviewedTurn, ...]:
        return list_reviewed_turns(self._context.match.table.game, logged)

    def _find_turn(self, text: str, logged: tuple[RefereeEvent, ...]) -> ReviewedTurn:
        number, turns = parse_number(text), self._list_turns(logged)
        if number is None or not 1 <= number <= len(turns):
            raise problem(404, "There is no such turn.")
        return turns[number - 1]


def _make_turn_record(turn: ReviewedTurn) -> JsonValue:
    return {
        "turn": turn.number,
        "event": turn.event,
        "player": turn.player.value,
        "roll": list(turn.roll),
        "play": turn.play,
        "ruling": turn.ruling.value,
        "revised": turn.is_revised,
        "in_step": turn.is_in_step,
        "open": turn.is_open,
    }


def _parse_roll(sent: list[JsonValue] | list[int | None]) -> tuple[int, int] | None:
    """Two faces; None for anything else: the roll of the record then stays."""
    numbers = [one for one in sent if type(one) is int and one in _FACES]
    return (numbers[0], numbers[1]) if len(numbers) == len(sent) == 2 else None


def _append(path: Path, events: tuple[RefereeEvent, ...]) -> tuple[RefereeEvent, ...]:
    """All events of the log after these were appended. Raises MatchLogError."""
    with MatchLog(path) as log:
        log.append(events)
        return log.read().events
