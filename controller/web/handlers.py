"""The API of the live page: state, events, orders, camera. No input is trusted; only `/api/commands` changes anything."""

import json

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from controller.match_log import MatchLogError
from controller.web.access import client_of, identify_request_viewer, read_order, require_operator
from controller.web.bodies import NOT_STORED, parse_number, problem, respond_json, respond_json_text
from controller.web.camera_view import BOUNDARY
from controller.web.match.command_json import OrderError, parse_page_command
from controller.web.page_context import PageContext
from controller.web.set_up.program_control import ProgramStage
from controller.web.static_files import STATIC_ROUTE, page_route, respond_static


class ApiHandlers:
    """The handlers of the live page. `/` serves the page of a replay while one is shown."""

    def __init__(self, context: PageContext) -> None:
        self._context = context

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/", self.get_page, methods=["GET"]),
            page_route("/overlay", "overlay.html"),
            page_route("/favicon.ico", "favicon.ico"),
            STATIC_ROUTE,
            Route("/api/state", self.get_state, methods=["GET"]),
            Route("/api/events", self.get_events, methods=["GET"]),
            Route("/api/commands", self.post_command, methods=["POST"]),
            Route("/api/camera", self.get_camera, methods=["GET"]),
        ]

    async def get_page(self, request: Request) -> Response:
        return respond_static(request, "index.html" if self._context.replay is None else "replay.html")

    async def get_state(self, request: Request) -> Response:
        """The newest state, in the form in which the socket sends it."""
        viewer = identify_request_viewer(request, self._context.access)
        state = self._context.state_text(self._context.require_view(viewer), viewer)
        return respond_json_text(f'{{"now_ms":{state.now_ms},"viewer":"{viewer.value}","state":{state.text}}}')

    async def get_events(self, request: Request) -> Response:
        """The events after number `since`, a few hundred at most; `last` is the number of the newest event."""
        viewer = identify_request_viewer(request, self._context.access)
        since = parse_number(request.query_params.get("since", "0"))
        if since is None:
            raise problem(400, "since is the number of an event.")
        view = self._context.require_view(viewer).with_whole_log()
        try:
            texts = await self._context.event_texts(view, since, viewer)
        except MatchLogError:
            raise problem(503, "The log cannot be read now.") from None
        head = f'"match_id":{json.dumps(view.match.name)},"last":{view.newest.n_events}'
        return respond_json_text(f'{{{head},"events":[{",".join(texts)}]}}')

    async def post_command(self, request: Request) -> Response:
        """An order of the operator. The referee answers it with an event."""
        require_operator(request, self._context.access)
        if self._context.replay is not None:
            raise problem(409, "This match was played; it is only looked at.")
        self._require_running_match()
        sent = await read_order(request, self._context.access)
        self._require_running_match()  # the match may have ended while the body was read
        match = self._context.match
        try:
            command = parse_page_command(sent, match.newest.state, match.table)
        except OrderError as error:
            raise problem(422, str(error)) from None
        if not self._context.orders.put(command):
            raise problem(503, "Orders wait already; the match does not go on just now.")
        return respond_json({"after": match.newest.n_events}, 202)

    def _require_running_match(self) -> None:
        if self._context.control.stage is not ProgramStage.PLAYING:
            raise problem(409, "No match is being played.")

    async def get_camera(self, request: Request) -> Response:
        """The camera view as an endless stream of pictures."""
        viewer = identify_request_viewer(request, self._context.access)
        address, stream = client_of(request.scope), self._context.camera_streams[viewer]
        if stream.slots.is_full(address):
            raise problem(503, "Too many watch the camera already.")
        parts = stream.parts(address, self._context.is_closing)
        media_type = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
        return StreamingResponse(parts, media_type=media_type, headers=NOT_STORED)
