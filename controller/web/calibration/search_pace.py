"""When the wizard searches for the board by itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.pictures.live_calibration import MOST_WAITING_MS
from controller.pictures.still_pictures import Waiting, judge_stillness
from vision.frame import Frame
from vision.geometry.calibration import Calibration


@dataclass(slots=True)
class SearchPace:
    """Remembers the picture of the last search, and since when something moves in the pictures."""

    _tried: Frame | None = None
    _moves_since_ms: int | None = None  # by the camera's clock

    def begin_search(self, frames: Sequence[Frame]) -> None:
        """A search uses these frames; without frames nothing was searched."""
        self._tried, self._moves_since_ms = (frames[-1] if frames else None), None

    def judge(self, frames: Sequence[Frame], known: Calibration | None) -> Waiting:
        """What the next search waits for. A picture that does not rest for MOST_WAITING_MS is searched as it is."""
        waiting = judge_stillness(frames, self._tried, known)
        if waiting is not Waiting.STILLNESS:
            self._moves_since_ms = None
            return waiting
        newest_ms = frames[-1].taken_ms
        if self._moves_since_ms is None:
            self._moves_since_ms = newest_ms
        return Waiting.NOTHING if newest_ms - self._moves_since_ms >= MOST_WAITING_MS else waiting
