"""What the API answers. Nothing that comes from outside is trusted, and nothing but `/api/commands` changes anything."""

import asyncio
import json
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from controller.match_log import LoggedEvent, MatchLogError, PictureKind
from controller.match_log.event_json import JsonValue
from controller.web.bodies import NOT_STORED, WRONG_TOKEN, object_sent, problem
from controller.web.camera_stream import BOUNDARY, pictures
from controller.web.guard import client_of
from controller.web.limits import MOST_BODY_BYTES
from controller.web.match.command_json import OrderError, command_from
from controller.web.match.pictures_shown import jpeg_for, pictures_for
from controller.web.match.ruling_shown import grounds
from controller.web.match.seen_by import Viewer, may_be_told
from controller.web.set_up.office import Stage
from controller.web.show import Show
from controller.web.static_files import static_files
from controller.web.visitors import request_viewer

_LONGEST_NUMBER = 9


class Answers:
    """The handlers; `show` is what they show."""

    def __init__(self, show: Show) -> None:
        self._show = show

    async def state(self, request: Request) -> Response:
        """The newest state, as the socket sends it."""
        viewer = request_viewer(request, self._show)
        if viewer is None:
            return problem(401, WRONG_TOKEN)
        state = self._show.state_text(viewer)
        text = f'{{"now_ms":{state.now_ms},"viewer":"{viewer.value}","state":{state.text}}}'
        return Response(text, media_type="application/json", headers=NOT_STORED)

    async def events(self, request: Request) -> Response:
        """Those behind `since`, some hundreds at once; `last` is the number of the newest."""
        viewer = request_viewer(request, self._show)
        if viewer is None:
            return problem(401, WRONG_TOKEN)
        since = _number(request.query_params.get("since", "0"))
        if since is None:
            return problem(400, "since is the number of an event.")
        match = self._show.match
        try:
            texts = await self._show.event_texts(since, viewer)
        except MatchLogError:
            return problem(503, "The log cannot be read now.")
        text = f'{{"match_id":{json.dumps(match.name)},"last":{match.newest.n_events},"events":[{",".join(texts)}]}}'
        return Response(text, media_type="application/json", headers=NOT_STORED)

    async def commands(self, request: Request) -> Response:
        """An order of the operator. What came of it is an event."""
        viewer = request_viewer(request, self._show)
        if viewer is not Viewer.OPERATOR:
            return problem(401, WRONG_TOKEN)
        if self._show.replay is not None:
            return problem(409, "This match was played; it is only looked at.")
        if self._show.office.stage is not Stage.PLAYING:
            return problem(409, "No match is being played.")
        if not self._show.order_rate.take(client_of(request.scope), time.monotonic()):
            return problem(429, "Too many orders; wait a moment.")
        sent = await object_sent(request, MOST_BODY_BYTES)
        return sent if isinstance(sent, Response) else self._ordered(sent)

    def _ordered(self, sent: dict[str, JsonValue]) -> Response:
        match = self._show.match
        if self._show.office.stage is not Stage.PLAYING:  # it has ended while the order was on its way
            return problem(409, "No match is being played.")
        try:
            command = command_from(sent, match.newest.state, match.table)
        except OrderError as error:
            return problem(422, str(error))
        if not self._show.orders.put(command):
            return problem(503, "Orders wait already; the match does not go on just now.")
        return JSONResponse({"after": match.newest.n_events}, 202, headers=NOT_STORED)

    async def ruling(self, request: Request) -> Response:
        """What an event rests on: sentences, clauses, and which pictures there are."""
        found = await self._told(request)
        if isinstance(found, Response):
            return found
        logged, number = found
        shown = pictures_for(logged, number)
        record = grounds(logged[number - 1].event, self._show.match.table)
        pictures = [kind.value for kind in PictureKind if kind in shown]
        return JSONResponse({"number": number, **record, "pictures": pictures}, headers=NOT_STORED)

    async def evidence(self, request: Request) -> Response:
        """One of these pictures, as the log has it."""
        kind = next((kind for kind in PictureKind if kind.value == request.path_params["kind"]), None)
        found = await self._told(request)
        if isinstance(found, Response):
            return found
        path = self._show.match.path
        if kind is None or path is None:
            return problem(404, "There is no such picture.")
        logged, number = found
        try:
            content = await asyncio.to_thread(jpeg_for, path, logged, number, kind)
        except MatchLogError:
            content = None
        if content is None:
            return problem(404, "There is no such picture.")
        return Response(content, media_type="image/jpeg", headers=NOT_STORED)

    async def camera(self, request: Request) -> Response:
        """Newest pictures, one after the other, as long as somebody looks."""
        address = client_of(request.scope)
        if self._show.camera_seats.is_full(address):
            return problem(503, "Too many look through the camera already.")
        media_type = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
        return StreamingResponse(pictures(self._show, address), media_type=media_type, headers=NOT_STORED)

    async def static(self, request: Request) -> Response:
        """A file of the page by its exact name."""
        return static_answer(request, str(request.path_params["name"]))

    async def page(self, request: Request) -> Response:
        return static_answer(request, "index.html" if self._show.replay is None else "replay.html")

    async def overlay(self, request: Request) -> Response:
        """For streams: transparent, read-only."""
        return static_answer(request, "overlay.html")

    async def _told(self, request: Request) -> tuple[tuple[LoggedEvent, ...], int] | Response:
        """The log and the number of an event in it that this viewer may be told of."""
        viewer = request_viewer(request, self._show)
        if viewer is None:
            return problem(401, WRONG_TOKEN)
        number = _number(request.path_params["number"])
        logged = await self._show.logged()
        if number is None or not 1 <= number <= len(logged):
            return problem(404, "There is no such event.")
        if not may_be_told(logged[number - 1].event, self._show.match.table, viewer):
            return problem(403, "In this mode only the operator is told of it.")
        return logged, number


def static_answer(request: Request, name: str) -> Response:
    """Asked for each time; sent only when it has changed."""
    file = static_files().get(name)
    if file is None:
        return problem(404, "There is no such file.")
    headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.gzipped, media_type=file.media_type, headers=headers | {"Content-Encoding": "gzip"})
    return Response(file.content, media_type=file.media_type, headers=headers)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None
