"""What the API answers about the calibration: to the operator only, and while no game is played."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.match_log.event_json import JsonValue
from controller.match_log.picture import Picture, PictureKind, encoded
from controller.web.answers import static_answer
from controller.web.calibration_desk import CalibrationDesk
from controller.web.calibration_orders import (
    OrderFault,
    find_from,
    keep_from,
    nothing_from,
    number_from,
    source_from,
)
from controller.web.calibration_shelf import NumberedFrame
from controller.web.calibration_shown import Record
from controller.web.camera_stream import EVERY_S
from controller.web.guard import client_of
from controller.web.limits import MOST_BODY_BYTES
from controller.web.seen_by import Viewer
from controller.web.visitors import Door, request_viewer
from vision.calibration import Refusal

_NOT_STORED = {"Cache-Control": "no-store"}
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
            return _problem(401, _NO_TOKEN)
        desk = self._desk()
        record: Record = {"is_there": False} if desk is None else desk.shown(self._why_not())
        return JSONResponse(record, headers=_NOT_STORED)

    async def picture(self, request: Request) -> Response:
        """The newest one behind number `after`, waited for some seconds; encoded once."""
        desk, problem = self._open_desk(request)
        if desk is None:
            return problem
        text = request.query_params.get("after", "0")
        if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
            return _problem(400, "after is the number of a picture.")
        until_s = time.monotonic() + _WAIT_S
        while (newest := self._picture_behind(int(text), desk)) is None:
            if time.monotonic() >= until_s or self._why_not():
                return Response(status_code=204, headers=_NOT_STORED)
            await asyncio.sleep(_LOOK_EVERY_S)
        headers = _NOT_STORED | {"X-Picture-Number": str(newest.number)}
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
        desk, problem = self._open_desk(request)
        if desk is None:
            return problem
        if not self._door.order_rate.take(client_of(request.scope), time.monotonic()):
            return _problem(429, "Too many orders; wait a moment.")
        sent = await _sent(request)
        if isinstance(sent, Response):
            return sent
        try:
            work = order(sent[0], desk)
        except OrderFault as fault:
            return _problem(422, str(fault))
        if self._working.locked():
            return _problem(503, "The last order is still being worked on; wait a moment.")
        async with self._working:
            done = await asyncio.to_thread(work, desk)
        if isinstance(done, Refusal):
            return JSONResponse({"refused": done.reason}, headers=_NOT_STORED)
        return JSONResponse(done or {}, headers=_NOT_STORED)

    def _open_desk(self, request: Request) -> tuple[CalibrationDesk | None, Response]:
        """For the operator, while it may be used; else None and why."""
        desk = self._desk()
        if self._is_stranger(request):
            return None, _problem(401, _NO_TOKEN)
        if desk is None:
            return None, _problem(404, "There is no camera to calibrate here.")
        why_not = self._why_not()
        return (None, _problem(409, why_not)) if why_not else (desk, Response())

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


async def _sent(request: Request) -> tuple[JsonValue] | Response:
    """The JSON of the body, alone in a tuple; or what is wrong with it."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return _problem(415, "Send JSON.")
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_BODY_BYTES:
                return _problem(413, f"An order has at most {MOST_BODY_BYTES} bytes.")
        return (json.loads(body),)
    except (ClientDisconnect, ValueError, RecursionError):
        return _problem(400, "This is no JSON.")


def _problem(status: int, sentence: str) -> Response:
    return JSONResponse({"error": sentence}, status, headers=_NOT_STORED)
