"""The API of the calibration wizard: for the operator only, and only while no game is played."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.match_log import EvidencePicture, PictureKind
from controller.match_log.picture import encode_jpeg
from controller.web.access import Access, read_order, require_operator
from controller.web.bodies import NOT_STORED, Record, parse_number, problem, respond_json
from controller.web.calibration.frame_buffer import NumberedFrame
from controller.web.calibration.orders import (
    CalibrationOrderError,
    check_is_empty,
    parse_find_order,
    parse_keep_order,
    parse_result_number,
    parse_source,
)
from controller.web.calibration.session import CalibrationSession
from controller.web.camera_view import PICTURE_INTERVAL_S
from controller.web.static_files import page_route
from vision.geometry.calibration import Refusal

_NO_TOKEN = "Only the operator calibrates; open the link that zarbiter prints."  # noqa: S105 - a sentence
_WAIT_S = 0.8
"""A bound: shorter than the time that a closing server gives its responses (`timeout_graceful_shutdown`)."""
_POLL_INTERVAL_S = 0.05
_MOST_DIGITS = 12

Work = Callable[[], Record | Refusal | None]
Order = Callable[[Record, CalibrationSession], Work]


class CalibrationHandlers:
    """The handlers. `session()` is None where there is no camera; `explain_block()` is "" while calibration is allowed."""

    def __init__(
        self, access: Access, session: Callable[[], CalibrationSession | None], explain_block: Callable[[], str]
    ) -> None:
        self._access, self._get_session, self._explain_block = access, session, explain_block
        self._work_lock, self._encoding_lock = asyncio.Lock(), asyncio.Lock()
        self._encoded_picture: tuple[NumberedFrame | None, bytes] = (None, b"")
        self._encoded_s = float("-inf")

    @property
    def routes(self) -> list[Route]:
        return [
            page_route("/calibrate", "calibrate.html"),
            Route("/api/calibration", self.get_state, methods=["GET"]),
            Route("/api/calibration/picture", self.get_picture, methods=["GET"]),
            Route("/api/calibration/watch", self.get_watch, methods=["GET"]),
            *(
                Route(f"/api/calibration/{name}", self._make_handler(order), methods=["POST"])
                for name, order in _ORDERS.items()
            ),
        ]

    async def get_state(self, request: Request) -> Response:
        """Sources, games, the calibration file, and whether calibration is allowed now."""
        require_operator(request, self._access, _NO_TOKEN)
        session = self._get_session()
        return respond_json(
            {"is_there": False} if session is None else session.make_state_record(self._explain_block())
        )

    async def get_picture(self, request: Request) -> Response:
        """The newest picture whose number is above `after`; 204 where none comes within `_WAIT_S`."""
        session = self._require_session(request)
        after = parse_number(request.query_params.get("after", "0"), _MOST_DIGITS)
        if after is None:
            raise problem(400, "after is the number of a picture.")
        until_s = time.monotonic() + _WAIT_S
        while (newest := self._picture_after(after, session)) is None:
            if time.monotonic() >= until_s or self._explain_block():
                return Response(status_code=204, headers=NOT_STORED)
            await asyncio.sleep(_POLL_INTERVAL_S)
        headers = NOT_STORED | {"X-Picture-Number": str(newest.number)}
        return Response(await self._encode_jpeg(newest), media_type="image/jpeg", headers=headers)

    async def get_watch(self, request: Request) -> Response:
        """What the search for the board waits for."""
        return respond_json(await asyncio.to_thread(self._require_session(request).watch))

    def _picture_after(self, number: int, session: CalibrationSession) -> NumberedFrame | None:
        """The newest picture, if it has a higher number and `PICTURE_INTERVAL_S` has passed since the last encoding."""
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
        async def handle(request: Request) -> Response:  # starlette passes the request alone
            return await self._handle_order(request, order)

        return handle

    async def _handle_order(self, request: Request, order: Order) -> Response:
        self._require_session(request)
        sent = await read_order(request, self._access)
        session = self._require_session(request)  # a game may have begun while the body was read
        try:
            work = order(sent, session)
        except CalibrationOrderError as error:
            raise problem(422, str(error)) from None
        if self._work_lock.locked():
            raise problem(503, "The last order is still being worked on; wait a moment.")
        async with self._work_lock:
            result = await asyncio.to_thread(work)
        return respond_json({"refused": result.reason} if isinstance(result, Refusal) else result or {})

    def _require_session(self, request: Request) -> CalibrationSession:
        """The session, for the operator and while calibration is allowed. Raises RequestRefusedError."""
        require_operator(request, self._access, _NO_TOKEN)
        session = self._get_session()
        if session is None:
            raise problem(404, "There is no camera to calibrate here.")
        if block := self._explain_block():
            raise problem(409, block)
        return session


def _plain(work: Callable[[CalibrationSession], Record | Refusal]) -> Order:
    """An order without fields."""

    def order(sent: Record, session: CalibrationSession) -> Work:
        check_is_empty(sent)
        return partial(work, session)

    return order


_ORDERS: dict[str, Order] = {
    "source": lambda sent, session: partial(session.choose, parse_source(sent, len(session.provider.sources))),
    "find": lambda sent, session: partial(session.find, parse_find_order(sent, session.games)),
    "turn": lambda sent, session: partial(session.rotate_half_turn, parse_result_number(sent)),
    "save": lambda sent, session: partial(session.keep, parse_keep_order(sent)),
    "check": _plain(CalibrationSession.check),
    "finish": _plain(CalibrationSession.finish),
}
