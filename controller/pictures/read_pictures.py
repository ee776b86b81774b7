"""Reads picture files one by one; a file that cannot be read does not stop the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.observing import judge_reading
from controller.pictures.find_board import BoardLocation, Picture, locate_board
from controller.pictures.overlays import OverlayFolder, draw_outcome
from controller.rules import ThrowContext, ThrowRules
from controller.wording.reading_text import (
    DiceInPicture,
    PictureOutcome,
    PictureReading,
    UnreadPicture,
)
from vision.board.read_board import read_board
from vision.board.weak_places import appraise_board
from vision.dice.detect import read_dice
from vision.errors import PictureFileError, VisionError
from vision.frame import Frame
from vision.geometry.calibration import Refusal
from vision.pixels.picture_file import load_picture


@dataclass(frozen=True, slots=True)
class BoardReadOptions:
    """Where the board is, and the rules for throws (None for a game without dice).

    With `explains`, readings list their weak places.
    """

    location: BoardLocation
    throw_rules: ThrowRules | None
    explains: bool = False


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result for one file; `complaint` is a sentence about its overlay, for standard error."""

    outcome: PictureOutcome
    complaint: str = ""

    @property
    def is_ok(self) -> bool:
        return not isinstance(self.outcome, UnreadPicture) and not self.complaint


def read_files(
    images: Iterable[str], options: BoardReadOptions | None, overlays: OverlayFolder | None
) -> Iterator[FileResult]:
    """The results in the given order, each as soon as it is read. Without `options` only dice are detected."""
    for image in images:
        try:
            pixels = load_picture(Path(image))
            outcome = read_dice_alone(image, pixels) if options is None else read_pixels(image, pixels, options)
        except VisionError as error:
            yield FileResult(UnreadPicture(image, str(error)))
            continue
        complaint = ""
        if overlays is not None and not isinstance(outcome, UnreadPicture):
            try:
                overlays.save(image, draw_outcome(pixels, outcome))
            except PictureFileError as error:
                complaint = str(error)
        yield FileResult(outcome, complaint)


def read_pixels(image: str, pixels: Picture, options: BoardReadOptions) -> PictureReading | UnreadPicture:
    """The reading of one picture. Raises WrongPictureSizeError where the calibration has another aspect ratio."""
    found = locate_board(pixels, options.location)
    if isinstance(found, Refusal):
        return UnreadPicture(image, found.reason)
    reading = read_board(Frame(pixels, taken_ms=0), found)
    ruling = None if options.throw_rules is None else judge_reading(reading, ThrowContext(), options.throw_rules)
    appraisal = appraise_board(pixels, found, reading) if options.explains else None
    notes = () if options.location.corners is None else found.notes
    return PictureReading(image, found, reading, ruling, appraisal, notes)


def read_dice_alone(image: str, pixels: Picture) -> DiceInPicture:
    """The dice in a picture without a board."""
    return DiceInPicture(image, read_dice(pixels, None).dice)
