"""The picture of the last ruling, for a receiver that takes pictures: small, now and then, and never sent once more.

It is read from the log when its event has been sent, so it goes to the same viewers and as late. Of rulings that follow each
other closely the last one counts.
"""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Annotated, TypedDict

from controller.match_log import MatchLogError
from controller.match_log.replay import read_near_picture
from controller.publishing.messages import EventMessage
from vision.pixels.small_jpeg import shrink_jpeg

PICTURE_INTERVAL_S = 2.0
"""A knob: the shortest time between two pictures of a table."""
LONGEST_PX, MOST_BYTES = 480, 20_000
"""A knob: at 480 px the pips of a die of 20 px in a picture of 1280 px are still told apart by people."""


class PictureMessageJson(TypedDict):
    """The picture of the ruling with that number: `jpeg` is a JPEG in base64, of at most 20 000 bytes and 480 pixels a side, that
    shows the board with its rim.
    """

    type: Annotated[str, "picture"]
    table: str
    match: str
    number: int
    jpeg: str


class RulingPictures:
    """`send` gets the text of each message, and may raise SendingError: then the picture stays due."""

    def __init__(self, table: str, send: Callable[[str], None]) -> None:
        self._table, self._send = table, send
        self._due: tuple[Path, EventMessage] | None = None
        self._next_s = 0.0

    def note(self, path: Path, message: EventMessage) -> None:
        """An event of the match in `path` was sent."""
        if message.is_ruling:
            self._due = path, message

    def send_due(self) -> None:
        """Sends the picture of the last ruling, if it has one and the time has come."""
        if self._due is None or monotonic() < self._next_s:
            return
        path, message = self._due
        text = make_picture_text(self._table, path, message)
        if text is not None:
            self._send(text)
            self._next_s = monotonic() + PICTURE_INTERVAL_S
        self._due = None


def make_picture_text(table: str, path: Path, message: EventMessage) -> str | None:
    """None where the log has no picture of this ruling, or cannot be read."""
    try:
        content = read_near_picture(path, message.number)
    except MatchLogError:
        return None
    small = None if content is None else shrink_jpeg(content, LONGEST_PX, MOST_BYTES)
    if small is None:
        return None
    record: PictureMessageJson = {
        "type": "picture",
        "table": table,
        "match": message.match,
        "number": message.number,
        "jpeg": base64.b64encode(small).decode("ascii"),
    }
    return json.dumps(record)
