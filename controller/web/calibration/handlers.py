"""What the API answers about the calibration: to the operator only, and while no game is played."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.match_log.event_json import JsonValue
from controller.match_log.picture import EvidencePicture, PictureKind, encode_jpeg
from controller.web.access import AccessPolicy, identify_request_viewer
from controller.web.bodies import NOT_STORED, problem, read_object
from controller.web.calibration.frame_buffer import NumberedFrame
from controller.web.calibration.orders import (
    CalibrationOrderError,
    check_is_empty,
    parse_find_order,
    parse_keep_order,
    parse_number,
    parse_source,
)
from controller.web.calibration.records import Record
from controller.web.calibration.session import CalibrationSession
from controller.web.camera_stream import PICTURE_INTERVAL_S
from controller.web.guard import client_of
from controller.web.handlers import respond_static
from controller.web.limits import MOST_BODY_BYTES
from controller.web.match.visibility import Viewer
from vision.geometry.calibration import Refusal

_NO_TOKEN = "Only the operator calibrates; open the link that zarbiter prints."  # noqa: S105 - a sentence
_WAIT_S = 0.8
"""Shorter than what a server that ends waits for its answers."""
_POLL_INTERVAL_S = 0.05
_LONGEST_NUMBER = 12

Work = Callable[[CalibrationSession], Record | Refusal | None]
Order = Callable[[JsonValue, CalibrationSession], Work]


class CalibrationHandlers:
    """The handlers. `desk` is None where there is nothing to calibrate; `why_not` is empty while it may be used."""

    def __init__(
        self, access: AccessPolicy, session: Callable[[], CalibrationSession | None], why_not: Callable[[], str]
    ) -> None:
        self._access, self._get_session, self._explain_block = access, session, why_not
        self._work_lock, self._encoding_lock = asyncio.Lock(), asyncio.Lock()
        self._encoded_picture: tuple[NumberedFrame | None, bytes] = (None, b"")
        self._encoded_s = float("-inf")

    @property
    def routes(self) -> list[Route]:
        orders: dict[str, Order] = {
            "source": _choose,
            "find": _find,
            "turn": _rotate,
            "save": _keep,
            "check": _check,
            "finish": _finish,
        }
        return [
            Route("/calibrate", _respond_page, methods=["GET"]),
            Route("/api/calibration", self.get_state, methods=["GET"]),
            Route("/api/calibration/picture", self.get_picture, methods=["GET"]),
            *(
                Route(f"/api/calibration/{name}", self._make_handler(order), methods=["POST"])
                for name, order in orders.items()
            ),
        ]

    async def get_state(self, request: Request) -> Response:
        """Sources, games, where it is kept; whether it may be used now."""
        if self._is_not_operator(request):
            return problem(401, _NO_TOKEN)
        desk = self._get_session()
        record: Record = {"is_there": False} if desk is None else desk.make_state_record(self._explain_block())
        return JSONResponse(record, headers=NOT_STORED)

    async def get_picture(self, request: Request) -> Response:
        """The newest one behind number `after`, waited for some seconds; encoded once."""
        desk = self._require_session(request)
        if isinstance(desk, Response):
            return desk
        text = request.query_params.get("after", "0")
        if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
            return problem(400, "after is the number of a picture.")
        until_s = time.monotonic() + _WAIT_S
        while (newest := self._picture_after(int(text), desk)) is None:
            if time.monotonic() >= until_s or self._explain_block():
                return Response(status_code=204, headers=NOT_STORED)
            await asyncio.sleep(_POLL_INTERVAL_S)
        headers = NOT_STORED | {"X-Picture-Number": str(newest.number)}
        return Response(await self._encode_jpeg(newest), media_type="image/jpeg", headers=headers)

    def _picture_after(self, number: int, session: CalibrationSession) -> NumberedFrame | None:
        """The newest, if it is another one; not too many in a second."""
        newest = session.provider.buffer.newest
        if newest is None or newest.number <= number:
            return None
        is_early = time.monotonic() - self._encoded_s < PICTURE_INTERVAL_S
        return None if is_early and self._encoded_picture[0] is not newest else newest

    async def _encode_jpeg(self, newest: NumberedFrame) -> bytes:
        async with self._encoding_lock:
            if self._encoded_picture[0] is not newest:
                self._encoded_s = time.monotonic()
                picture = EvidencePicture(PictureKind.AFTER, newest.frame.pixels)
                self._encoded_picture = newest, (await asyncio.to_thread(encode_jpeg, picture)).content
            return self._encoded_picture[1]

    def _make_handler(self, order: Order) -> Callable[[Request], Awaitable[Response]]:
        async def take(request: Request) -> Response:  # starlette hands over the request alone
            return await self._handle_order(request, order)

        return take

    async def _handle_order(self, request: Request, order: Order) -> Response:
        desk = self._require_session(request)
        if isinstance(desk, Response):
            return desk
        if not self._access.order_rate.take(client_of(request.scope), time.monotonic()):
            return problem(429, "Too many orders; wait a moment.")
        sent = await read_object(request, MOST_BODY_BYTES)
        if isinstance(sent, Response):
            return sent
        desk = self._require_session(request)  # a game may have begun while the order was on its way
        if isinstance(desk, Response):
            return desk
        try:
            work = order(sent, desk)
        except CalibrationOrderError as fault:
            return problem(422, str(fault))
        if self._work_lock.locked():
            return problem(503, "The last order is still being worked on; wait a moment.")
        async with self._work_lock:
            done = await asyncio.to_thread(work, desk)
        if isinstance(done, Refusal):
            return JSONResponse({"refused": done.reason}, headers=NOT_STORED)
        return JSONResponse(done or {}, headers=NOT_STORED)

    def _require_session(self, request: Request) -> CalibrationSession | Response:
        """For the operator, while it may be used; else why not."""
        desk = self._get_session()
        if self._is_not_operator(request):
            return problem(401, _NO_TOKEN)
        if desk is None:
            return problem(404, "There is no camera to calibrate here.")
        why_not = self._explain_block()
        return problem(409, why_not) if why_not else desk

    def _is_not_operator(self, request: Request) -> bool:
        return identify_request_viewer(request, self._access) is not Viewer.OPERATOR


def _choose(sent: JsonValue, session: CalibrationSession) -> Work:
    source = parse_source(sent, len(session.provider.sources))
    return lambda desk: desk.choose(source)


def _find(sent: JsonValue, session: CalibrationSession) -> Work:
    order = parse_find_order(sent, session.games)
    return lambda desk: desk.find(order)


def _rotate(sent: JsonValue, session: CalibrationSession) -> Work:
    number = parse_number(sent)
    return lambda desk: desk.rotate_half_turn(number)


def _keep(sent: JsonValue, session: CalibrationSession) -> Work:
    order = parse_keep_order(sent)
    return lambda desk: desk.keep(order)


def _check(sent: JsonValue, session: CalibrationSession) -> Work:
    check_is_empty(sent)
    return lambda desk: desk.check()


def _finish(sent: JsonValue, session: CalibrationSession) -> Work:
    check_is_empty(sent)
    return lambda desk: desk.finish()


async def _respond_page(request: Request) -> Response:
    return respond_static(request, "calibrate.html")
