"""The API of the phone's page: its pictures, which only the sender of the token may put in, and the link for the operator.

A picture is decoded here, in a thread of the server, and answered when the referee has taken it or after `_ANSWER_WITHIN_S`. The
phone sends the next one after the answer, so that the newest picture is never behind others, and one that nobody needs is not sent.
"""

import asyncio
import time
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.web.access import Access, require_operator
from controller.web.bodies import NOT_STORED, Record, problem, read_bytes, respond_json
from controller.web.qr_code import qr_rows
from vision.camera.phone import USUAL_FPS, PhoneInbox, decode_phone_picture
from vision.frame import Frame, monotonic_ms

MOST_FRAME_BYTES = 4_000_000
"""A bound: a picture of 1280x960 at the quality that the page asks for has about 300 kB."""
_MOST_FPS = 30.0  # below the rate of requests that the guard allows
_ANSWER_WITHIN_S = 0.25
_POLL_INTERVAL_S = 0.004
_UNWANTED_INTERVAL_MS = 1_000  # while no source takes pictures, the phone asks again so often
_MOST_SENDER = 40  # characters


class Linked(Protocol):
    """The phone's page: its link, "" where it is not open, and whether another machine can reach it."""

    @property
    def link(self) -> str: ...

    @property
    def is_reachable(self) -> bool: ...


class PhoneHandlers:
    """The handlers. `fps`: the most pictures a second; None: the usual number."""

    def __init__(self, access: Access, inbox: PhoneInbox, page: Linked, fps: float | None = None) -> None:
        self._access, self._inbox, self._page = access, inbox, page
        self._decoding = asyncio.Lock()  # one picture at a time: one of 50 megapixels takes 150 MB
        self._interval_ms = round(1000 / min(fps or USUAL_FPS, _MOST_FPS))

    @property
    def picture_route(self) -> Route:
        return Route("/api/phone/pictures", self.post_picture, methods=["POST"])

    @property
    def link_route(self) -> Route:
        return Route("/api/phone", self.get_link, methods=["GET"])

    async def get_link(self, request: Request) -> Response:
        """The link that opens the phone's camera, also as rows of a QR code; for the operator, since it holds the token."""
        require_operator(request, self._access)
        link = self._page.link
        rows = list(qr_rows(link)) if link else []
        counts: Record = {"sent": self._inbox.sent, "taken": self._inbox.taken}
        return respond_json({"link": link, "qr": [*rows], "is_reachable": self._page.is_reachable, **counts})

    async def post_picture(self, request: Request) -> Response:
        """One picture. The answer says after how many milliseconds from now the next one is of use."""
        require_operator(request, self._access)
        began_s = time.monotonic()
        sender = request.headers.get("x-phone", "")[:_MOST_SENDER]
        if not self._inbox.may_send(sender):
            raise problem(409, "Another phone sends pictures already; close its page.")
        content = await read_bytes(request, MOST_FRAME_BYTES)
        came_ms = monotonic_ms()
        async with self._decoding:
            pixels = await asyncio.to_thread(decode_phone_picture, content)
        if pixels is None:
            raise problem(422, "This is no picture, or one of too many pixels.")
        frame = Frame(pixels, came_ms)
        if not self._inbox.put(frame, sender):
            raise problem(409, "Another phone sends pictures already; close its page.")
        await self._wait_until_taken(frame, began_s + _ANSWER_WITHIN_S)
        is_wanted = self._inbox.is_wanted
        interval_ms = self._interval_ms if is_wanted else _UNWANTED_INTERVAL_MS
        return respond_json({"is_wanted": is_wanted, "interval_ms": interval_ms})

    async def _wait_until_taken(self, frame: Frame, until_s: float) -> None:
        """Polls, since the taker runs in another thread, and the answer has time until then."""
        for _ in range(round(_ANSWER_WITHIN_S / _POLL_INTERVAL_S)):
            if not self._inbox.holds(frame) or time.monotonic() >= until_s:
                return
            await asyncio.sleep(_POLL_INTERVAL_S)


def respond_authority(content: bytes) -> Response:
    """The certificate that a phone may be told to trust."""
    headers = NOT_STORED | {"Content-Disposition": 'attachment; filename="zarbiter-camera.crt"'}
    return Response(content, media_type="application/x-x509-ca-cert", headers=headers)
