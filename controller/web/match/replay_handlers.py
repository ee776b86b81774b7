"""The API of a replay: its turns, the state after each event, and where the operator stands."""

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.match_log.event_json import JsonValue
from controller.web.access import identify_request_viewer, read_order, require_operator
from controller.web.bodies import parse_number, problem, respond_json, respond_json_text
from controller.web.match.replayed_match import ReplayedMatch, make_moment_record
from controller.web.match.review_handlers import ReviewHandlers
from controller.web.page_context import PageContext


class ReplayHandlers:
    """The handlers. They answer 404 while the page shows a live match."""

    def __init__(self, context: PageContext) -> None:
        self._context = context

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/api/replay", self.get_turns, methods=["GET"]),
            Route("/api/replay", self.post_cursor, methods=["POST"]),
            Route("/api/replay/{number}", self.get_moment, methods=["GET"]),
            *ReviewHandlers(self._context).routes,
        ]

    async def get_turns(self, request: Request) -> Response:
        """The number of the last event, and for each turn its number, its game and the event that rules it."""
        replay = self._require_replay()
        identify_request_viewer(request, self._context.access)
        turns: list[JsonValue] = [[one.turn, one.game, one.event] for one in replay.turns]
        return respond_json({"match_id": self._context.match.name, "last": len(replay.events), "turns": [*turns]})

    async def get_moment(self, request: Request) -> Response:
        """The state after an event, in the form of `/api/state`."""
        replay = self._require_replay()
        viewer = identify_request_viewer(request, self._context.access)
        number = _parse_event_number(request.path_params["number"], replay)
        if number is None:
            raise problem(404, "There is no such event.")
        match, moment = self._context.match, replay.snapshot_at(number)
        state = {"match_id": match.name, **make_moment_record(moment, match.table, viewer)}
        record = {"now_ms": moment.now_ms, "viewer": viewer.value, "state": state}
        return respond_json_text(json.dumps(record, separators=(",", ":")))

    async def post_cursor(self, request: Request) -> Response:
        """The event at which the operator stands from now on; the overlay for streams follows."""
        replay = self._require_replay()
        require_operator(request, self._context.access)
        sent = await read_order(request, self._context.access)
        number = _parse_event_number(str(sent.get("number")), replay)
        if number is None:
            raise problem(422, "number is that of an event.")
        replay.cursor = replay.snapshot_at(number)
        self._context.wake()
        return respond_json({"number": number})

    def _require_replay(self) -> ReplayedMatch:
        if self._context.replay is None:
            raise problem(404, "No match is replayed here.")
        return self._context.replay


def _parse_event_number(text: str, replay: ReplayedMatch) -> int | None:
    number = parse_number(text)
    return number if number is not None and number <= len(replay.events) else None
