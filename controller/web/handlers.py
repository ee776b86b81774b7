"""What the API answers. Nothing that comes from outside is trusted, and nothing but `/api/commands` changes anything."""

import asyncio
import json
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from controller.match_log import LoggedEvent, MatchLogError, PictureKind
from controller.match_log.event_json import JsonValue
from controller.web.access import identify_request_viewer
from controller.web.bodies import NOT_STORED, WRONG_TOKEN, problem, read_object
from controller.web.camera_stream import BOUNDARY, stream_pictures
from controller.web.guard import client_of
from controller.web.limits import MOST_BODY_BYTES
from controller.web.match.command_json import OrderError, parse_page_command
from controller.web.match.ruling_pictures import find_pictures, load_jpeg
from controller.web.match.ruling_record import make_ruling_record
from controller.web.match.visibility import Viewer, may_see_event
from controller.web.page_context import PageContext
from controller.web.set_up.program_control import ProgramStage
from controller.web.static_files import static_files

_LONGEST_NUMBER = 9


class ApiHandlers:
    """The handlers; `show` is what they show."""

    def __init__(self, context: PageContext) -> None:
        self._context = context

    async def get_state(self, request: Request) -> Response:
        """The newest state, as the socket sends it."""
        viewer = identify_request_viewer(request, self._context)
        if viewer is None:
            return problem(401, WRONG_TOKEN)
        state = self._context.state_text(viewer)
        text = f'{{"now_ms":{state.now_ms},"viewer":"{viewer.value}","state":{state.text}}}'
        return Response(text, media_type="application/json", headers=NOT_STORED)

    async def get_events(self, request: Request) -> Response:
        """Those behind `since`, some hundreds at once; `last` is the number of the newest."""
        viewer = identify_request_viewer(request, self._context)
        if viewer is None:
            return problem(401, WRONG_TOKEN)
        since = _parse_number(request.query_params.get("since", "0"))
        if since is None:
            return problem(400, "since is the number of an event.")
        match = self._context.match
        try:
            texts = await self._context.event_texts(since, viewer)
        except MatchLogError:
            return problem(503, "The log cannot be read now.")
        text = f'{{"match_id":{json.dumps(match.name)},"last":{match.newest.n_events},"events":[{",".join(texts)}]}}'
        return Response(text, media_type="application/json", headers=NOT_STORED)

    async def post_command(self, request: Request) -> Response:
        """An order of the operator. What came of it is an event."""
        viewer = identify_request_viewer(request, self._context)
        if viewer is not Viewer.OPERATOR:
            return problem(401, WRONG_TOKEN)
        if self._context.replay is not None:
            return problem(409, "This match was played; it is only looked at.")
        if self._context.control.stage is not ProgramStage.PLAYING:
            return problem(409, "No match is being played.")
        if not self._context.order_rate.take(client_of(request.scope), time.monotonic()):
            return problem(429, "Too many orders; wait a moment.")
        sent = await read_object(request, MOST_BODY_BYTES)
        return sent if isinstance(sent, Response) else self._accept_order(sent)

    def _accept_order(self, sent: dict[str, JsonValue]) -> Response:
        match = self._context.match
        if self._context.control.stage is not ProgramStage.PLAYING:  # it has ended while the order was on its way
            return problem(409, "No match is being played.")
        try:
            command = parse_page_command(sent, match.newest.state, match.table)
        except OrderError as error:
            return problem(422, str(error))
        if not self._context.orders.put(command):
            return problem(503, "Orders wait already; the match does not go on just now.")
        return JSONResponse({"after": match.newest.n_events}, 202, headers=NOT_STORED)

    async def get_ruling(self, request: Request) -> Response:
        """What an event rests on: sentences, clauses, and which pictures there are."""
        found = await self._find_event(request)
        if isinstance(found, Response):
            return found
        logged, number = found
        shown = find_pictures(logged, number)
        record = make_ruling_record(logged[number - 1].event, self._context.match.table)
        pictures = [kind.value for kind in PictureKind if kind in shown]
        return JSONResponse({"number": number, **record, "pictures": pictures}, headers=NOT_STORED)

    async def get_evidence(self, request: Request) -> Response:
        """One of these pictures, as the log has it."""
        kind = next((kind for kind in PictureKind if kind.value == request.path_params["kind"]), None)
        found = await self._find_event(request)
        if isinstance(found, Response):
            return found
        path = self._context.match.path
        if kind is None or path is None:
            return problem(404, "There is no such picture.")
        logged, number = found
        try:
            content = await asyncio.to_thread(load_jpeg, path, logged, number, kind)
        except MatchLogError:
            content = None
        if content is None:
            return problem(404, "There is no such picture.")
        return Response(content, media_type="image/jpeg", headers=NOT_STORED)

    async def get_camera(self, request: Request) -> Response:
        """Newest pictures, one after the other, as long as somebody looks."""
        address = client_of(request.scope)
        if self._context.camera_slots.is_full(address):
            return problem(503, "Too many look through the camera already.")
        media_type = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
        return StreamingResponse(stream_pictures(self._context, address), media_type=media_type, headers=NOT_STORED)

    async def get_static(self, request: Request) -> Response:
        """A file of the page by its exact name."""
        return respond_static(request, str(request.path_params["name"]))

    async def get_page(self, request: Request) -> Response:
        return respond_static(request, "index.html" if self._context.replay is None else "replay.html")

    async def get_overlay(self, request: Request) -> Response:
        """For streams: transparent, read-only."""
        return respond_static(request, "overlay.html")

    async def _find_event(self, request: Request) -> tuple[tuple[LoggedEvent, ...], int] | Response:
        """The log and the number of an event in it that this viewer may be told of."""
        viewer = identify_request_viewer(request, self._context)
        if viewer is None:
            return problem(401, WRONG_TOKEN)
        number = _parse_number(request.path_params["number"])
        logged = await self._context.read_log()
        if number is None or not 1 <= number <= len(logged):
            return problem(404, "There is no such event.")
        if not may_see_event(logged[number - 1].event, self._context.match.table, viewer):
            return problem(403, "In this mode only the operator is told of it.")
        return logged, number


def respond_static(request: Request, name: str) -> Response:
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


def _parse_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None
