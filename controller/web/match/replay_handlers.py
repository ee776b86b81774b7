"""What the API answers of a match that is replayed: where its turns stand, and each of its moments."""

import json
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.web.access import identify_request_viewer
from controller.web.bodies import NOT_STORED, WRONG_TOKEN, problem, read_object
from controller.web.guard import client_of
from controller.web.limits import MOST_BODY_BYTES
from controller.web.match.replayed_match import ReplayedMatch, make_moment_record
from controller.web.match.visibility import Viewer
from controller.web.page_context import PageContext

_LONGEST_NUMBER = 9


class ReplayHandlers:
    """The handlers; a page that shows a match as it is played has nothing to answer here."""

    def __init__(self, context: PageContext) -> None:
        self._context = context

    async def get_turns(self, request: Request) -> Response:
        """The number of the last event, and of each turn the event that rules it."""
        replay = self._context.replay
        if replay is None:
            return _respond_no_replay()
        if identify_request_viewer(request, self._context) is None:
            return problem(401, WRONG_TOKEN)
        turns = [[one.turn, one.game, one.event] for one in replay.turns]
        record = {"match_id": self._context.match.name, "last": len(replay.events), "turns": turns}
        return JSONResponse(record, headers=NOT_STORED)

    async def get_moment(self, request: Request) -> Response:
        """The state after an event, as `/api/state` gives the newest one."""
        replay = self._context.replay
        if replay is None:
            return _respond_no_replay()
        viewer = identify_request_viewer(request, self._context)
        if viewer is None:
            return problem(401, WRONG_TOKEN)
        number = _parse_number(request.path_params["number"], replay)
        if number is None:
            return problem(404, "There is no such event.")
        match, moment = self._context.match, replay.snapshot_at(number)
        state = {"match_id": match.name, **make_moment_record(moment, match.table, viewer)}
        text = json.dumps({"now_ms": moment.now_ms, "viewer": viewer.value, "state": state}, separators=(",", ":"))
        return Response(text, media_type="application/json", headers=NOT_STORED)

    async def post_cursor(self, request: Request) -> Response:
        """Where the operator stands from now on; the overlay for streams follows him."""
        replay = self._context.replay
        if replay is None:
            return _respond_no_replay()
        if identify_request_viewer(request, self._context) is not Viewer.OPERATOR:
            return problem(401, WRONG_TOKEN)
        if not self._context.order_rate.take(client_of(request.scope), time.monotonic()):
            return problem(429, "Too many orders; wait a moment.")
        sent = await read_object(request, MOST_BODY_BYTES)
        if isinstance(sent, Response):
            return sent
        number = _parse_number(str(sent.get("number")), replay)
        if number is None:
            return problem(422, "number is that of an event.")
        replay.cursor = replay.snapshot_at(number)
        self._context.wake()
        return JSONResponse({"number": number}, headers=NOT_STORED)


def _parse_number(text: str, replay: ReplayedMatch) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
        return None
    return int(text) if int(text) <= len(replay.events) else None


def _respond_no_replay() -> Response:
    return problem(404, "No match is replayed here.")
