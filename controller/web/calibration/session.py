"""The calibration wizard without its page: what was found last, and what becomes of it.

All of it takes up to seconds and is called in a thread, one call after the other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from threading import Event

from controller.match_log.event_json import JsonValue
from controller.pictures.calibrate import CalibrationPriors, CalibrationResult, calibrate_pictures
from controller.pictures.find_board import SizeMm
from controller.speech.form_sentences import make_phrase_fields
from controller.web.calibration.camera import FrameProvider
from controller.web.calibration.orders import FindOrder, KeepOrder
from controller.web.calibration.records import (
    CalibrationQuality,
    Record,
    classify_quality,
    make_check_record,
    make_game_records,
    make_result_record,
    rotate_calibration,
    rotate_to_match,
)
from vision.errors import CalibrationFileError
from vision.field.calibration_file import load_calibration, save_calibration
from vision.field.drift import check_drift
from vision.field.position_calibration import OccupancyByPlace
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Refusal

MOST_LIVE_PICTURES = 3
"""The median of three is steady, and each takes up to some seconds on a Pi."""
_NEWER_FRAMES = 12
_NEWER_WITHIN_S = 2.0
_STILL_INTERVAL_MS = 150


class Purpose(Enum):
    """What comes when the wizard is done."""

    COMMAND = "command"  # the program ends
    BEGIN = "begin"  # a match that waits for the calibration
    WAITING = "waiting"  # for a match that is set up on the page
    MATCH = "match"  # it is played already, and goes on


@dataclass(frozen=True, slots=True)
class StartPosition:
    """A game that the checkers may be set up for."""

    title: str
    occupancy: OccupancyByPlace


@dataclass(frozen=True, slots=True)
class SavedCalibration:
    """What lies in the file, and the source it holds for."""

    result: CalibrationResult
    source: str

    @property
    def calibration(self) -> Calibration:
        return self.result.calibration


@dataclass(slots=True)
class CalibrationSession:
    """`file` is where the match looks for it. `taken` is told of each that was saved; `is_done` ends the waiting."""

    provider: FrameProvider
    file: Path
    purpose: Purpose
    games: Mapping[str, StartPosition] = field(default_factory=dict)
    game: str | None = None  # what is usually played here
    field_mm: SizeMm | None = None  # as somebody said already
    on_saved: Callable[[Calibration], None] | None = None
    in_use: Calibration | None = None  # by a match: it goes on with the same upper left corner
    saved: SavedCalibration | None = None
    is_done: Event = field(default_factory=Event)
    _result: CalibrationResult | None = None
    _result_number: int = 0

    def make_state_record(self, why_not: str) -> Record:
        """Everything but the pictures."""
        eyes = self.provider
        sources: list[JsonValue] = [{"kind": one.kind.value, "label": one.label} for one in eyes.sources]
        return {
            "is_there": True,
            "why_not": why_not,
            **make_phrase_fields(why_not),
            "purpose": self.purpose.value,
            "may_turn": self.in_use is None,
            "file": str(self.file),
            "replaces": self.file.is_file(),
            "is_saved": self.saved is not None,
            "sources": sources,
            "chosen": eyes.source_index,
            "sentence": eyes.sentence,
            "is_recording": eyes.is_recording,
            "games": make_game_records({name: one.title for name, one in self.games.items()}),
            "field_mm": None if self.field_mm is None else list[JsonValue](self.field_mm),
            "game": self.game if self.game in self.games else None,
        }

    def choose(self, source: int) -> None:
        self._discard_result()
        self.provider.choose(source)

    def find(self, order: FindOrder) -> Record | Refusal:
        """From the last pictures."""
        frames = self.provider.buffer.recent()
        if not self.provider.is_recording:
            frames = frames[-MOST_LIVE_PICTURES:]
        start = None if order.game is None else self.games[order.game].occupancy
        self._discard_result()
        done = calibrate_pictures(
            (frame.pixels for frame in frames), CalibrationPriors(order.corners, order.field_mm, start)
        )
        if done is None:
            return Refusal(
                self.provider.sentence or "No picture has come yet; choose a source, and wait for its picture."
            )
        if isinstance(done, Refusal):
            return done
        if self.in_use is not None:
            done = replace(done, calibration=rotate_to_match(done.calibration, self.in_use))
        return self._store_result(done)

    def rotate_half_turn(self, number: int) -> Record | Refusal:
        """The opposite corner becomes the upper left one."""
        found = self._require_result(number)
        if isinstance(found, Refusal):
            return found
        if self.in_use is not None:
            return Refusal("A match knows who sits where by the upper left corner; turn the board instead.")
        return self._store_result(replace(found, calibration=rotate_calibration(found.calibration)))

    def keep(self, order: KeepOrder) -> Record | Refusal:
        """Written whole or not at all, and read again."""
        found = self._require_result(order.number)
        if isinstance(found, Refusal):
            return found
        calibration = found.calibration
        if classify_quality(calibration) is not CalibrationQuality.GOOD and not order.is_unsure_meant:
            return Refusal(_explain_uncertainty(calibration))
        try:
            if self.file.exists() and self.file.suffix.lower() != ".json":
                load_calibration(self.file)  # what the settings name by mistake is not written over
            self.file.parent.mkdir(parents=True, exist_ok=True)
            save_calibration(calibration, self.file)
            calibration = load_calibration(self.file)
        except CalibrationFileError as error:
            return Refusal(str(error))
        except OSError as error:
            return Refusal(f"The folder {self.file.parent} cannot be made ({error.strerror or error}); make it.")
        chosen = self.provider.source_index
        name = "" if chosen is None else self.provider.sources[chosen].name
        self.saved = SavedCalibration(replace(found, calibration=calibration), name)
        if self.on_saved is not None:
            self.on_saved(calibration)
        return {"file": str(self.file)}

    def check(self) -> Record | Refusal:
        """What was saved, compared with pictures that came after it."""
        if self.saved is None:
            return Refusal("Nothing is saved yet.")
        eyes = self.provider
        if not eyes.is_recording:
            eyes.buffer.wait_for_frames(_NEWER_FRAMES, _NEWER_WITHIN_S)
        frames = eyes.buffer.recent()
        return make_check_record(
            check_drift(self.saved.calibration, _repeat_last_frame(frames) if eyes.is_recording else frames),
            is_recording=eyes.is_recording,
        )

    def finish(self) -> Record | Refusal:
        if self.purpose in (Purpose.COMMAND, Purpose.BEGIN) and self.saved is None:
            return Refusal("Nothing is saved yet.")
        self.is_done.set()
        return {}

    def _discard_result(self) -> None:
        self._result = None

    def _require_result(self, number: int) -> CalibrationResult | Refusal:
        if self._result is None or number != self._result_number:
            return Refusal("Something else has been found since; look at that.")
        return self._result

    def _store_result(self, found: CalibrationResult) -> Record:
        self._result = found
        self._result_number += 1
        return make_result_record(found, self._result_number)


def _explain_uncertainty(calibration: Calibration) -> str:
    if calibration.error_share is None:
        return "Nothing in the picture confirms these corners; move them onto the field's edges, or say that they are right."
    return f"The error of {calibration.error_share:.1%} of the width is large; clear the board's edges, or move the corners."


def _repeat_last_frame(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The last picture of a recording as a camera would send it three times."""
    return tuple(Frame(frames[-1].pixels, number * _STILL_INTERVAL_MS) for number in range(3)) if frames else ()
