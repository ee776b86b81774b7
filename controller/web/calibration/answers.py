"""What the API answers about the calibration: to the operator only, and while no game is played."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.match_log.event_json import JsonValue
from controller.match_log.picture import Picture, PictureKind, encoded
from controller.web.answers import static_answer
from controller.web.bodies import NOT_STORED, object_sent, problem
from controller.web.calibration.desk import CalibrationDesk
from controller.web.calibration.orders import OrderFault, find_from, keep_from, nothing_from, number_from, source_from
from controller.web.calibration.shelf import NumberedFrame
from controller.web.calibration.shown import Record
from controller.web.camera_stream import EVERY_S
from controller.web.guard import client_of
from controller.web.limits import MOST_BODY_BYTES
from controller.web.match.seen_by import Viewer
from controller.web.visitors import Door, request_viewer
from vision.geometry.calibration import Refusal

_NO_TOKEN = "Only the operator calibrates; open the link that zarbiter prints."  # noqa: S105 - a sentence
_WAIT_S = 0.8
"""Shorter than what a server that ends waits for its answers."""
_LOOK_EVERY_S = 0.05
_LONGEST_NUMBER = 12

Work = Callable[[CalibrationDesk], Record | Refusal | None]
Order = Callable[[JsonValue, CalibrationDesk], Work]


class CalibrationAnswers:
    """The handlers. `desk` is None where there is nothing to calibrate; `why_not` is empty while it may be used."""

    def __init__(self, door: Door, desk: Callable[[], CalibrationDesk | None], why_not: Callable[[], str]) -> None:
        self._door, self._desk, self._why_not = door, desk, why_not
        self._working, self._encoding = asyncio.Lock(), asyncio.Lock()
        self._encoded: tuple[NumberedFrame | None, bytes] = (None, b"")
        self._encoded_s = float("-inf")

    @property
    def routes(self) -> list[Route]:
        orders: dict[str, Order] = {
            "source": _choose,
            "find": _find,
            "turn": _turn,
            "save": _keep,
            "check": _check,
            "finish": _finish,
        }
        return [
            Route("/calibrate", _page, methods=["GET"]),
            Route("/api/calibration", self.state, methods=["GET"]),
            Route("/api/calibration/picture", self.picture, methods=["GET"]),
            *(
                Route(f"/api/calibration/{name}", self._taking(order), methods=["POST"])
                for name, order in orders.items()
            ),
        ]

    async def state(self, request: Request) -> Response:
        """Sources, games, where it is kept; whether it may be used now."""
        if self._is_stranger(request):
            return problem(401, _NO_TOKEN)
        desk = self._desk()
        record: Record = {"is_there": False} if desk is None else desk.shown(self._why_not())
        return JSONResponse(record, headers=NOT_STORED)

    async def picture(self, request: Request) -> Response:
        """The newest one behind number `after`, waited for some seconds; encoded once."""
        desk = self._open_desk(request)
        if isinstance(desk, Response):
            return desk
        text = request.query_params.get("after", "0")
        if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
            return problem(400, "after is the number of a picture.")
        until_s = time.monotonic() + _WAIT_S
        while (newest := self._picture_behind(int(text), desk)) is None:
            if time.monotonic() >= until_s or self._why_not():
                return Response(status_code=204, headers=NOT_STORED)
            await asyncio.sleep(_LOOK_EVERY_S)
        headers = NOT_STORED | {"X-Picture-Number": str(newest.number)}
        return Response(await self._jpeg(newest), media_type="image/jpeg", headers=headers)

    def _picture_behind(self, number: int, desk: CalibrationDesk) -> NumberedFrame | None:
        """The newest, if it is another one; not too many in a second."""
        newest = desk.eyes.shelf.newest
        if newest is None or newest.number <= number:
            return None
        is_early = time.monotonic() - self._encoded_s < EVERY_S
        return None if is_early and self._encoded[0] is not newest else newest

    async def _jpeg(self, newest: NumberedFrame) -> bytes:
        async with self._encoding:
            if self._encoded[0] is not newest:
                self._encoded_s = time.monotonic()
                picture = Picture(PictureKind.AFTER, newest.frame.pixels)
                self._encoded = newest, (await asyncio.to_thread(encoded, picture)).content
            return self._encoded[1]

    def _taking(self, order: Order) -> Callable[[Request], Awaitable[Response]]:
        async def take(request: Request) -> Response:  # starlette hands over the request alone
            return await self._take(request, order)

        return take

    async def _take(self, request: Request, order: Order) -> Response:
        desk = self._open_desk(request)
        if isinstance(desk, Response):
            return desk
        if not self._door.order_rate.take(client_of(request.scope), time.monotonic()):
            return problem(429, "Too many orders; wait a moment.")
        sent = await object_sent(request, MOST_BODY_BYTES)
        if isinstance(sent, Response):
            return sent
        desk = self._open_desk(request)  # a game may have begun while the order was on its way
        if isinstance(desk, Response):
            return desk
        try:
            work = order(sent, desk)
        except OrderFault as fault:
            return problem(422, str(fault))
        if self._working.locked():
            return problem(503, "The last order is still being worked on; wait a moment.")
        async with self._working:
            done = await asyncio.to_thread(work, desk)
        if isinstance(done, Refusal):
            return JSONResponse({"refused": done.reason}, headers=NOT_STORED)
        return JSONResponse(done or {}, headers=NOT_STORED)

    def _open_desk(self, request: Request) -> CalibrationDesk | Response:
        """For the operator, while it may be used; else why not."""
        desk = self._desk()
        if self._is_stranger(request):
            return problem(401, _NO_TOKEN)
        if desk is None:
            return problem(404, "There is no camera to calibrate here.")
        why_not = self._why_not()
        return problem(409, why_not) if why_not else desk

    def _is_stranger(self, request: Request) -> bool:
        return request_viewer(request, self._door) is not Viewer.OPERATOR


def _choose(sent: JsonValue, desk: CalibrationDesk) -> Work:
    source = source_from(sent, len(desk.eyes.sources))
    return lambda desk: desk.choose(source)


def _find(sent: JsonValue, desk: CalibrationDesk) -> Work:
    order = find_from(sent, desk.games)
    return lambda desk: desk.find(order)


def _turn(sent: JsonValue, desk: CalibrationDesk) -> Work:
    number = number_from(sent)
    return lambda desk: desk.turn(number)


def _keep(sent: JsonValue, desk: CalibrationDesk) -> Work:
    order = keep_from(sent)
    return lambda desk: desk.keep(order)


def _check(sent: JsonValue, desk: CalibrationDesk) -> Work:
    nothing_from(sent)
    return lambda desk: desk.check()


def _finish(sent: JsonValue, desk: CalibrationDesk) -> Work:
    nothing_from(sent)
    return lambda desk: desk.finish()


async def _page(request: Request) -> Response:
    return static_answer(request, "calibrate.html")
