"""The calibration wizard without its page: what was found last, and what becomes of it.

All of it takes up to seconds and is called in a thread, one call after the other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from threading import Event

from controller.match_log.event_json import JsonValue
from controller.pictures.calibrate import Calibrated, WhatIsKnown, calibrate_pictures
from controller.pictures.find_board import SizeMm
from controller.speech.form_sentences import in_words
from controller.web.calibration.camera import Eyes
from controller.web.calibration.orders import Find, Keep
from controller.web.calibration.shown import (
    Quality,
    Record,
    check_shown,
    found_shown,
    games_shown,
    quality_of,
    turned_by_half,
    turned_like,
)
from vision.errors import CalibrationFileError
from vision.field.calibration_file import load_calibration, save_calibration
from vision.field.drift import recheck
from vision.field.position_calibration import Occupancy
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Refusal

MOST_LIVE_PICTURES = 3
"""The median of three is steady, and each takes up to some seconds on a Pi."""
_NEWER_FRAMES = 12
_NEWER_WITHIN_S = 2.0
_STILL_APART_MS = 150


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
    occupancy: Occupancy


@dataclass(frozen=True, slots=True)
class Saved:
    """What lies in the file, and the source it holds for."""

    found: Calibrated
    source: str

    @property
    def calibration(self) -> Calibration:
        return self.found.calibration


@dataclass(slots=True)
class CalibrationDesk:
    """`file` is where the match looks for it. `taken` is told of each that was saved; `is_done` ends the waiting."""

    eyes: Eyes
    file: Path
    purpose: Purpose
    games: Mapping[str, StartPosition] = field(default_factory=dict)
    game: str | None = None  # what is usually played here
    field_mm: SizeMm | None = None  # as somebody said already
    taken: Callable[[Calibration], None] | None = None
    in_use: Calibration | None = None  # by a match: it goes on with the same upper left corner
    saved: Saved | None = None
    is_done: Event = field(default_factory=Event)
    _found: Calibrated | None = None
    _number: int = 0

    def shown(self, why_not: str) -> Record:
        """Everything but the pictures."""
        eyes = self.eyes
        sources: list[JsonValue] = [{"kind": one.kind.value, "label": one.label} for one in eyes.sources]
        return {
            "is_there": True,
            "why_not": why_not,
            **in_words(why_not),
            "purpose": self.purpose.value,
            "may_turn": self.in_use is None,
            "file": str(self.file),
            "replaces": self.file.is_file(),
            "is_saved": self.saved is not None,
            "sources": sources,
            "chosen": eyes.chosen,
            "sentence": eyes.sentence,
            "is_recording": eyes.is_recording,
            "games": games_shown({name: one.title for name, one in self.games.items()}),
            "field_mm": None if self.field_mm is None else list[JsonValue](self.field_mm),
            "game": self.game if self.game in self.games else None,
        }

    def choose(self, source: int) -> None:
        self._forget()
        self.eyes.choose(source)

    def find(self, order: Find) -> Record | Refusal:
        """From the last pictures."""
        frames = self.eyes.shelf.recent()
        if not self.eyes.is_recording:
            frames = frames[-MOST_LIVE_PICTURES:]
        start = None if order.game is None else self.games[order.game].occupancy
        self._forget()
        done = calibrate_pictures((frame.pixels for frame in frames), WhatIsKnown(order.corners, order.field_mm, start))
        if done is None:
            return Refusal(self.eyes.sentence or "No picture has come yet; choose a source, and wait for its picture.")
        if isinstance(done, Refusal):
            return done
        if self.in_use is not None:
            done = replace(done, calibration=turned_like(done.calibration, self.in_use))
        return self._shown_as_found(done)

    def turn(self, number: int) -> Record | Refusal:
        """The opposite corner becomes the upper left one."""
        found = self._found_as(number)
        if isinstance(found, Refusal):
            return found
        if self.in_use is not None:
            return Refusal("A match knows who sits where by the upper left corner; turn the board instead.")
        return self._shown_as_found(replace(found, calibration=turned_by_half(found.calibration)))

    def keep(self, order: Keep) -> Record | Refusal:
        """Written whole or not at all, and read again."""
        found = self._found_as(order.number)
        if isinstance(found, Refusal):
            return found
        calibration = found.calibration
        if quality_of(calibration) is not Quality.GOOD and not order.is_unsure_meant:
            return Refusal(_unsure(calibration))
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
        chosen = self.eyes.chosen
        name = "" if chosen is None else self.eyes.sources[chosen].name
        self.saved = Saved(replace(found, calibration=calibration), name)
        if self.taken is not None:
            self.taken(calibration)
        return {"file": str(self.file)}

    def check(self) -> Record | Refusal:
        """What was saved, compared with pictures that came after it."""
        if self.saved is None:
            return Refusal("Nothing is saved yet.")
        eyes = self.eyes
        if not eyes.is_recording:
            eyes.shelf.wait_for(_NEWER_FRAMES, _NEWER_WITHIN_S)
        frames = eyes.shelf.recent()
        return check_shown(
            recheck(self.saved.calibration, _still(frames) if eyes.is_recording else frames),
            is_recording=eyes.is_recording,
        )

    def finish(self) -> Record | Refusal:
        if self.purpose in (Purpose.COMMAND, Purpose.BEGIN) and self.saved is None:
            return Refusal("Nothing is saved yet.")
        self.is_done.set()
        return {}

    def _forget(self) -> None:
        self._found = None

    def _found_as(self, number: int) -> Calibrated | Refusal:
        if self._found is None or number != self._number:
            return Refusal("Something else has been found since; look at that.")
        return self._found

    def _shown_as_found(self, found: Calibrated) -> Record:
        self._found = found
        self._number += 1
        return found_shown(found, self._number)


def _unsure(calibration: Calibration) -> str:
    if calibration.error_share is None:
        return "Nothing in the picture confirms these corners; move them onto the field's edges, or say that they are right."
    return f"The error of {calibration.error_share:.1%} of the width is large; clear the board's edges, or move the corners."


def _still(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The last picture of a recording as a camera would send it three times."""
    return tuple(Frame(frames[-1].pixels, number * _STILL_APART_MS) for number in range(3)) if frames else ()
