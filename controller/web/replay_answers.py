"""What the API answers of a match that is replayed: where its turns stand, and each of its moments."""

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.web.replayed_match import ReplayedMatch, moment_shown
from controller.web.show import Show
from controller.web.visitors import request_viewer

_LONGEST_NUMBER = 9
_NOT_STORED = {"Cache-Control": "no-store"}


class ReplayAnswers:
    """The handlers; a page that shows a match as it is played has nothing to answer here."""

    def __init__(self, show: Show) -> None:
        self._show = show

    async def turns(self, request: Request) -> Response:
        """The number of the last event, and of each turn the event that rules it."""
        replay = self._show.replay
        if replay is None:
            return _nothing()
        if request_viewer(request, self._show) is None:
            return _wrong_token()
        turns = [[one.turn, one.game, one.event] for one in replay.turns]
        record = {"match_id": self._show.match.name, "last": len(replay.events), "turns": turns}
        return JSONResponse(record, headers=_NOT_STORED)

    async def moment(self, request: Request) -> Response:
        """The state after an event, as `/api/state` gives the newest one."""
        replay = self._show.replay
        if replay is None:
            return _nothing()
        viewer = request_viewer(request, self._show)
        if viewer is None:
            return _wrong_token()
        number = _number(request.path_params["number"], replay)
        if number is None:
            return JSONResponse({"error": "There is no such event."}, 404, headers=_NOT_STORED)
        match, moment = self._show.match, replay.at(number)
        state = {"match_id": match.name, **moment_shown(moment, match.table, viewer)}
        text = json.dumps({"now_ms": moment.now_ms, "viewer": viewer.value, "state": state}, separators=(",", ":"))
        return Response(text, media_type="application/json", headers=_NOT_STORED)


def _number(text: str, replay: ReplayedMatch) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
        return None
    return int(text) if int(text) <= len(replay.events) else None


def _nothing() -> Response:
    return JSONResponse({"error": "No match is replayed here."}, 404, headers=_NOT_STORED)


def _wrong_token() -> Response:
    sentence = "This token is not valid; open the link that zarbiter prints."
    return JSONResponse({"error": sentence}, 401, headers=_NOT_STORED)
