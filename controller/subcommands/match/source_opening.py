"""Opens the source of a match; at a terminal, one that is missing may be plugged in and tried again."""

import sys

from vision.camera.phone import PhoneInbox
from vision.camera.sources import open_source
from vision.errors import SourceMissingError
from vision.frame import FrameSource


def open_when_there(
    name: str, size_px: tuple[int, int], fps: float | None, phone: PhoneInbox | None = None
) -> FrameSource:
    """The source, as `open_source` opens it. Raises VisionError; SourceMissingError where nobody can be asked or answers."""
    while True:
        try:
            return open_source(name, size_px=size_px, fps=fps, phone=phone)
        except SourceMissingError as error:
            if not sys.stdin.isatty():
                raise
            print(f"zarbiter: {error} Enter: try again; Ctrl-C: stop.", file=sys.stderr, flush=True)
            if not sys.stdin.readline():
                raise
