"""The camera view as MJPEG: one part for each new picture, made once for all who look."""

import asyncio
from collections.abc import AsyncIterator

from controller.web.camera_view import InterpretedFrame
from controller.web.page_context import PageContext
from vision.errors import VisionError

BOUNDARY = "frame"
PICTURE_INTERVAL_S = 0.2
"""Five pictures a second: drawing and encoding one takes some 10 ms of a core."""


async def stream_pictures(context: PageContext, address: str) -> AsyncIterator[bytes]:
    """Parts of the stream; ends when the server does, or there is no seat any more."""
    if not context.camera_slots.acquire(address):
        return
    context.camera.begin_watching()
    try:
        sent: InterpretedFrame | None = None
        while not context.is_closing.is_set():
            newest = context.camera.newest
            if newest is not None and newest is not sent:
                sent = newest
                if content := await _encode_jpeg(context, newest):
                    yield _format_part(content)
            await asyncio.sleep(PICTURE_INTERVAL_S)
    finally:
        context.camera.end_watching()
        context.camera_slots.release(address)


async def _encode_jpeg(context: PageContext, newest: InterpretedFrame) -> bytes:
    """Nothing where the picture cannot be drawn on; the referee tells why."""
    async with context.encoding_lock:
        if context.encoded_picture[0] is not newest:
            try:
                context.encoded_picture = newest, await asyncio.to_thread(newest.to_jpeg)
            except VisionError:
                context.encoded_picture = newest, b""
        return context.encoded_picture[1]


def _format_part(content: bytes) -> bytes:
    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode("ascii") + content + b"\r\n"
