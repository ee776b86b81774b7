"""The calibration wizard without its page: it finds the board, keeps the last result, saves it and checks it.

Each call may take seconds; the server makes one call at a time, in a thread.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from threading import Event

from controller.pictures.calibrate import (
    MOST_LIVE_PICTURES,
    CalibrationPriors,
    CalibrationResult,
    calibrate_pictures,
    find_mendable_fault,
)
from controller.pictures.find_board import KnownPosition, SizeMm
from controller.pictures.search_pace import SearchPace
from controller.speech.form_sentences import make_phrase_fields
from controller.web.bodies import Record
from controller.web.calibration.camera import FrameProvider
from controller.web.calibration.orders import FindOrder, KeepOrder
from controller.web.calibration.records import (
    CalibrationQuality,
    check_record,
    classify_quality,
    make_result_record,
    rotate_result,
    rotate_to_match,
)
from vision.errors import CalibrationFileError
from vision.field.calibration_file import load_calibration, may_be_replaced, save_calibration
from vision.field.position_calibration import OccupancyByPlace
from vision.geometry.calibration import Calibration, Refusal

DEFAULT_GAME = "backgammon"
"""Offered where no settings name a game: most boards are put up so, also for tavla and short nardy."""
_NEWER_FRAMES = 12
_NEWER_WITHIN_S = 2.0


class Purpose(Enum):
    """What follows the wizard."""

    COMMAND = "command"  # the program ends
    BEGIN = "begin"  # a match begins that needs the calibration
    WAITING = "waiting"  # the program waits for a match that is set up on the page
    MATCH = "match"  # the running match goes on


@dataclass(frozen=True, slots=True)
class StartPosition:
    """The start position of a game, as a prior for calibration."""

    title: str
    occupancy: OccupancyByPlace


@dataclass(frozen=True, slots=True)
class SavedCalibration:
    """A saved result, and the name of the source for which it holds."""

    result: CalibrationResult
    source: str

    @property
    def calibration(self) -> Calibration:
        return self.result.calibration


@dataclass(slots=True)
class CalibrationSession:
    """The state of the wizard. `file` is the calibration file of the match. `is_done` is set when the operator finishes.

    `game` is the game usually played here, `field_mm` a known size of the field, `in_use` the calibration of a running match,
    whose upper left corner a new one keeps; `warning` is a sentence about it, until another one is saved.
    """

    provider: FrameProvider
    file: Path
    purpose: Purpose
    games: Mapping[str, StartPosition] = field(default_factory=dict)
    game: str | None = None
    field_mm: SizeMm | None = None
    in_use: Calibration | None = None
    saved: SavedCalibration | None = None
    warning: str = ""
    is_done: Event = field(default_factory=Event)
    _result: CalibrationResult | None = None
    _result_number: int = 0
    _pace: SearchPace = field(default_factory=SearchPace)

    def make_state_record(self, why_not: str) -> Record:
        """The state of the wizard without pictures; `why_not` is the reason why it may not be used now, or ""."""
        provider = self.provider
        return {
            "is_there": True,
            "why_not": why_not,
            **make_phrase_fields(why_not),
            "purpose": self.purpose.value,
            "may_turn": self.in_use is None,
            "file": str(self.file),
            "replaces": self.file.is_file(),
            "is_saved": self.saved is not None,
            "sources": [{"kind": one.kind.value, "label": one.label} for one in provider.sources],
            "chosen": provider.source_index,
            "sentence": provider.sentence,
            "warning": self.warning,
            "is_recording": provider.is_recording,
            "games": [{"name": name, "title": one.title} for name, one in self.games.items()],
            "field_mm": None if self.field_mm is None else [*self.field_mm],
            "game": next((one for one in (self.game, DEFAULT_GAME) if one in self.games), None),
        }

    def choose(self, source: int) -> None:
        self._discard_result()
        self._pace.begin_search(())
        self.provider.choose(source)

    def watch(self) -> Record:
        """What the search waits for, and what is wrong with the newest picture; `is_last` where no other one follows."""
        frames = self.provider.buffer.recent()
        is_recording = self.provider.is_recording
        known = self._result.calibration if self._result is not None else self.in_use
        is_ready = is_recording and bool(frames)
        waits_for = "nothing" if is_ready else self._pace.judge(frames, known).value
        fault = find_mendable_fault(frames[-1].pixels) if frames else None
        return {"waits_for": waits_for, "is_last": is_recording, "fault": None if fault is None else fault.value}

    def find(self, order: FindOrder) -> Record | Refusal:
        """Calibrates from the last pictures."""
        frames = self.provider.buffer.recent()
        if not self.provider.is_recording:
            frames = frames[-MOST_LIVE_PICTURES:]
        self._pace.begin_search(frames)
        start = None if order.game is None else KnownPosition(self.games[order.game].occupancy)
        self._discard_result()
        priors = CalibrationPriors(order.corners, order.field_mm, start)
        found = calibrate_pictures((frame.pixels for frame in frames), priors)
        if found is None:
            waiting = "No picture has come yet; choose a source, and wait for its picture."
            return Refusal(self.provider.sentence or waiting)
        if isinstance(found, Refusal):
            return found
        if self.in_use is not None:
            found = rotate_to_match(found, self.in_use)
        return self._store_result(found)

    def rotate_half_turn(self, number: int) -> Record | Refusal:
        """Makes the opposite corner the upper left corner."""
        found = self._require_result(number)
        if isinstance(found, Refusal):
            return found
        if self.in_use is not None:
            return Refusal("A match knows who sits where by the upper left corner; turn the board instead.")
        return self._store_result(rotate_result(found))

    def keep(self, order: KeepOrder) -> Record | Refusal:
        """Saves the result atomically, and reads the file again."""
        found = self._require_result(order.number)
        if isinstance(found, Refusal):
            return found
        calibration = found.calibration
        if classify_quality(calibration) is not CalibrationQuality.GOOD and not order.is_unsure_meant:
            return Refusal(_explain_uncertainty(calibration))
        try:
            if not may_be_replaced(self.file):
                return Refusal(f"{self.file} is there and is no calibration; name another file, or delete it first.")
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the data folder, which holds names too
            save_calibration(calibration, self.file)
            calibration = load_calibration(self.file)
        except CalibrationFileError as error:
            return Refusal(str(error))
        except OSError as error:
            return Refusal(f"The folder {self.file.parent} cannot be made ({error.strerror or error}); make it.")
        chosen = self.provider.source_index
        name = "" if chosen is None else self.provider.sources[chosen].name
        self.saved = SavedCalibration(replace(found, calibration=calibration), name)
        self.warning = ""
        return {"file": str(self.file)}

    def check(self) -> Record | Refusal:
        """Compares the saved calibration with later pictures."""
        if self.saved is None:
            return Refusal("Nothing is saved yet.")
        buffer, is_recording = self.provider.buffer, self.provider.is_recording
        if not is_recording:
            buffer.wait_for_frames(_NEWER_FRAMES, _NEWER_WITHIN_S)
        frames = buffer.recent()
        return check_record(self.saved.calibration, frames, is_recording=is_recording)

    def finish(self) -> Record | Refusal:
        if self.purpose in (Purpose.COMMAND, Purpose.BEGIN) and self.saved is None:
            return Refusal("Nothing is saved yet.")
        self.is_done.set()
        return {}

    def _discard_result(self) -> None:
        self._result = None

    def _require_result(self, number: int) -> CalibrationResult | Refusal:
        if self._result is None or number != self._result_number:
            return Refusal("This result is outdated; use the latest one.")
        return self._result

    def _store_result(self, found: CalibrationResult) -> Record:
        self._result = found
        self._result_number += 1
        return make_result_record(found, self._result_number)


def _explain_uncertainty(calibration: Calibration) -> str:
    if calibration.error_share is None:
        return "Nothing in the picture confirms these corners; move them onto the field's edges, or say that they are right."
    return f"The error of {calibration.error_share:.1%} of the width is large; clear the board's edges, or move the corners."
