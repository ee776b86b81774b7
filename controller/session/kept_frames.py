"""The last minutes of a match as pictures, one a second, for `zarbiter report`; only where somebody asked for them.

The loop hands frames over and never waits: a thread crops, encodes and writes one frame at a time, and a frame that comes
meanwhile is left out. The oldest pictures are removed, so that their number and their bytes stay bounded.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from controller.match_log import EvidencePicture, PictureKind, frame_files, frames_folder
from controller.match_log.creation import FRAMES_SUFFIX, remove_frames
from controller.match_log.picture import encode_jpeg
from controller.observing import Observation
from controller.private_files import make_private_folder, tighten_folder, write_private
from controller.session.evidence import crop_field
from controller.session.loop import AroundProcessor, FrameProcessor
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.calibration import Calibration

INTERVAL_MS = 1_000
"""A knob: one frame a second. Encoding one of 1280x960 px takes about 2 ms of a core."""
MOST_BYTES = 100_000_000
"""A knob: the most space for the frames of one match. A frame of 1280x960 px has about 100 kB, so ten minutes have 60 MB."""
MOST_MATCHES = 5
"""A knob: the number of matches that keep their frames; the oldest frames go when a match begins to keep some."""


class KeptFrames:
    """The ring of frames beside the file of a match. `tell` hears once, in one sentence, that they cannot be written."""

    def __init__(self, match: Path, minutes: int, tell: Callable[[str], None]) -> None:
        self._match, self._tell = match, tell
        self._most_files = minutes * 60_000 // INTERVAL_MS
        self._pool = ThreadPoolExecutor(1, "kept frames")
        self._writing: Future[None] | None = None
        self._offered_ms: int | None = None
        self._kept: deque[tuple[Path, int]] | None = None  # with the bytes of each; None: the folder is not open yet
        self._kept_bytes = 0
        self._has_told = False

    def offer(self, frame: Frame, calibration: Calibration) -> None:
        """Takes the frame if it is due and the one before is written."""
        if self._offered_ms is not None and 0 <= frame.taken_ms - self._offered_ms < INTERVAL_MS:
            return
        if self._writing is None or self._writing.done():
            self._offered_ms = frame.taken_ms
            self._writing = self._pool.submit(self._keep, frame, calibration)

    def close(self) -> None:
        """Ends after the frame that is being written."""
        self._pool.shutdown()

    def _keep(self, frame: Frame, calibration: Calibration) -> None:
        try:
            if self._kept is None:
                self._kept = self._open_folder(frame.taken_ms)
            content = encode_jpeg(EvidencePicture(PictureKind.AFTER, crop_field(frame, calibration))).content
            self._make_room(self._kept, len(content))
            file = frames_folder(self._match) / f"{frame.taken_ms:012d}.jpg"
            _write_whole(file, content)
            self._kept.append((file, len(content)))
            self._kept_bytes += len(content)
        except VisionError:
            return  # the calibration does not fit the frame; the referee reports that
        except OSError as error:
            if not self._has_told:
                self._has_told = True
                self._tell(
                    f"the last minutes of frames cannot be kept in {frames_folder(self._match)} ({error.strerror or error});"
                    " make room on the disk and see who may write there; the match goes on"
                )

    def _open_folder(self, now_ms: int) -> deque[tuple[Path, int]]:
        """The frames from before a match was resumed. Later times are of another start of the machine, and go."""
        folder = frames_folder(self._match)
        make_private_folder(folder)
        tighten_folder(folder)
        others = [one for one in folder.parent.glob(f"*{FRAMES_SUFFIX}") if one != folder]
        others.sort(key=lambda one: one.stat().st_mtime_ns)
        for one in others[: max(0, len(others) + 1 - MOST_MATCHES)]:
            remove_frames(one)
        kept: deque[tuple[Path, int]] = deque()
        for file in frame_files(folder):
            if int(file.stem) >= now_ms:
                file.unlink(missing_ok=True)
            else:
                kept.append((file, file.stat().st_size))
        self._kept_bytes = sum(n_bytes for _, n_bytes in kept)
        return kept

    def _make_room(self, kept: deque[tuple[Path, int]], n_bytes: int) -> None:
        while kept and (len(kept) >= self._most_files or self._kept_bytes + n_bytes > MOST_BYTES):
            kept[0][0].unlink(missing_ok=True)
            self._kept_bytes -= kept.popleft()[1]


def _write_whole(file: Path, content: bytes) -> None:
    """Leaves no part of a picture on a full disk. Raises OSError."""
    try:
        write_private(file, content)
    except OSError:
        with suppress(OSError):
            file.unlink(missing_ok=True)
        raise


@dataclass(frozen=True, slots=True, eq=False)
class KeepingProcessor(AroundProcessor[FrameProcessor]):
    """A processor whose frames are kept, cropped by the newest calibration."""

    frames: KeptFrames

    def process(self, frame: Frame) -> tuple["KeepingProcessor", Observation]:
        """Reads the next frame and offers it. Raises VisionError."""
        processor, seen = self.processor.process(frame)
        self.frames.offer(frame, processor.calibration)
        return replace(self, processor=processor), seen
