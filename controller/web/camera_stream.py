"""The camera view as MJPEG: one part for each new picture, made once for all who look."""

import asyncio
from collections.abc import AsyncIterator

from controller.web.camera_view import Understood
from controller.web.show import Show
from vision.errors import VisionError

BOUNDARY = "frame"
EVERY_S = 0.2
"""Five pictures a second: drawing and encoding one takes some 10 ms of a core."""


async def pictures(show: Show, address: str) -> AsyncIterator[bytes]:
    """Parts of the stream; ends when the server does, or there is no seat any more."""
    if not show.camera_seats.take(address):
        return
    show.camera.begin_watching()
    try:
        sent: Understood | None = None
        while not show.is_closing.is_set():
            newest = show.camera.newest
            if newest is not None and newest is not sent:
                sent = newest
                if content := await _jpeg(show, newest):
                    yield _part(content)
            await asyncio.sleep(EVERY_S)
    finally:
        show.camera.end_watching()
        show.camera_seats.leave(address)


async def _jpeg(show: Show, newest: Understood) -> bytes:
    """Nothing where the picture cannot be drawn on; the referee tells why."""
    async with show.encoding:
        if show.encoded[0] is not newest:
            try:
                show.encoded = newest, await asyncio.to_thread(newest.jpeg)
            except VisionError:
                show.encoded = newest, b""
        return show.encoded[1]


def _part(content: bytes) -> bytes:
    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode("ascii") + content + b"\r\n"
