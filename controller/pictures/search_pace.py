"""When a search for the board in live pictures begins: each picture once, and not while something moves in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.pictures.still_pictures import Waiting, judge_stillness
from vision.frame import Frame
from vision.geometry.calibration import Calibration

MOST_WAITING_MS = 10_000  # a bound: a picture that never rests, or a camera too slow to tell, is searched as it is


@dataclass(slots=True)
class SearchPace:
    """Remembers the picture of the last search, and since when it is not known whether the pictures are still."""

    _tried: Frame | None = None
    _restless_since_ms: int | None = None  # by the camera's clock

    @property
    def has_searched(self) -> bool:
        return self._tried is not None

    def begin_search(self, frames: Sequence[Frame]) -> None:
        """A search uses these frames; without frames nothing was searched."""
        self._tried, self._restless_since_ms = (frames[-1] if frames else None), None

    def judge(self, frames: Sequence[Frame], known: Calibration | None = None) -> Waiting:
        """What the next search waits for; see `judge_stillness`. After MOST_WAITING_MS without rest, for nothing."""
        waiting = judge_stillness(frames, self._tried, known)
        if not frames or waiting in (Waiting.CHANGE, Waiting.NOTHING):
            self._restless_since_ms = None
            return waiting
        newest_ms = frames[-1].taken_ms
        if self._restless_since_ms is None:
            self._restless_since_ms = newest_ms
        return Waiting.NOTHING if newest_ms - self._restless_since_ms >= MOST_WAITING_MS else waiting
