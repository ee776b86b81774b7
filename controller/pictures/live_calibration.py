"""Calibration with a live camera: waits until the picture is still, tries, and tries again after a change."""

from collections import deque
from collections.abc import Callable

from controller.pictures.calibrate import (
    FRAME_TIMEOUT_MS,
    MOST_LIVE_PICTURES,
    PATIENCE_MS,
    CalibrationPriors,
    CalibrationResult,
    calibrate_pictures,
)
from controller.pictures.search_pace import SearchPace
from controller.pictures.still_pictures import Waiting
from vision.errors import BadPictureError
from vision.frame import Frame, FrameSource
from vision.geometry.calibration import Refusal

INTERVAL_MS = 100  # between kept frames; enough of them span the time that stillness needs
MOST_FRAMES = 12
MOST_GUIDED_MS = 60_000  # a bound: enough to put checkers up; then the last answer stands

_WAITS = {
    Waiting.PICTURE: "waiting for pictures",
    Waiting.STILLNESS: "waiting until nothing moves in the picture",
    Waiting.CHANGE: "waiting until something changes in the picture, to try again",
}


def calibrate_live(
    source: FrameSource, known: CalibrationPriors, *, report: Callable[[str], None]
) -> CalibrationResult | Refusal:
    """Calibrates from a camera once its picture is still, and again after each change until all is well.

    `report` gets what it waits for, and what is wrong. After MOST_GUIDED_MS, and when the camera ends, the last answer
    counts.
    """
    watch = _Watch(source, report)
    if known.start is not None and known.start.occupancy:
        report("put up the position, and keep hands and dice off the board")
    answer: CalibrationResult | Refusal | None = None
    while (pictures := watch.wait_for_still_pictures()) is not None:
        answer = calibrate_pictures((frame.pixels for frame in pictures), known) or answer
        problem = _find_problem(answer)
        if not problem or watch.waited_ms >= MOST_GUIDED_MS:
            break
        report(problem)
    if answer is None:
        return Refusal(source.state.sentence or f"No picture came from {source.describe()}; see that it works.")
    return answer


def _find_problem(answer: CalibrationResult | Refusal | None) -> str:
    """Why it is worth trying again, with the remedy; empty if all is well."""
    if answer is None:
        return ""
    return answer.reason if isinstance(answer, Refusal) else answer.problem


class _Watch:
    """Reads a camera until its picture is worth a try."""

    def __init__(self, source: FrameSource, report: Callable[[str], None]) -> None:
        self._source, self._report = source, report
        self._frames: deque[Frame] = deque(maxlen=MOST_FRAMES)
        self._pace = SearchPace()
        self._began_ms: int | None = None
        self._said: object = None
        self.waited_ms = 0  # since the first picture

    def wait_for_still_pictures(self) -> tuple[Frame, ...] | None:
        """The last pictures once nothing moves in them and they are new; None if none will come, or it takes too long."""
        self._frames.clear()
        silent_ms = 0
        while silent_ms < PATIENCE_MS:
            frame = self._read_frame()
            if frame is None:
                if self._source.state.condition.is_final:
                    return None
                silent_ms += FRAME_TIMEOUT_MS
                self._say(Waiting.PICTURE, self._source.state.sentence or _WAITS[Waiting.PICTURE])
                continue
            silent_ms = 0
            frames = tuple(self._frames)
            waiting = self._pace.judge(frames)
            if waiting is Waiting.NOTHING:
                self._pace.begin_search(frames)
                return frames[-MOST_LIVE_PICTURES:]
            if self.waited_ms >= MOST_GUIDED_MS and self._pace.has_searched:
                return None
            if waiting is not Waiting.PICTURE:
                self._say(waiting, _WAITS[waiting])
        return None

    def _read_frame(self) -> Frame | None:
        """The next frame, kept if it is INTERVAL_MS later than the last one, else in place of that."""
        try:
            frame = self._source.latest(FRAME_TIMEOUT_MS)
        except BadPictureError as error:
            self._report(str(error))
            return None
        if frame is None:
            return None
        self._began_ms = frame.taken_ms if self._began_ms is None else self._began_ms
        self.waited_ms = frame.taken_ms - self._began_ms
        if len(self._frames) > 1 and self._frames[-1].taken_ms - self._frames[-2].taken_ms < INTERVAL_MS:
            self._frames.pop()
        self._frames.append(frame)
        return frame

    def _say(self, what: object, sentence: str) -> None:
        """Reports once, until something else is waited for."""
        if what != self._said:
            self._said = what
            self._report(sentence)
