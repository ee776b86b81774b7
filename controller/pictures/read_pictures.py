"""Reads picture files one by one; a file that cannot be read does not stop the others."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.observing import judge_reading
from controller.pictures.find_board import BoardLocation, Picture, locate_board
from controller.rules import ThrowContext, ThrowRules
from controller.wording.reading_text import DiceInPicture, PictureOutcome, PictureReading, UnreadPicture
from vision.board.overlay import draw_dice, draw_reading
from vision.board.read_board import read_board
from vision.dice.detect import read_dice
from vision.errors import PictureFileError, VisionError
from vision.frame import Frame
from vision.geometry.calibration import Refusal
from vision.pixels.picture_file import load_picture, save_picture


@dataclass(frozen=True, slots=True)
class BoardReadOptions:
    """Where the board is, and the rules for throws (None for a game without dice)."""

    location: BoardLocation
    throw_rules: ThrowRules | None


class OverlayFolder:
    """Saves overlay pictures under unused names; none of the input files `images` is overwritten."""

    def __init__(self, folder: Path, images: Iterable[str]) -> None:
        self._folder = folder
        self._images = {Path(os.path.realpath(image)) for image in images}
        self._used_names: set[str] = set()

    def save(self, image: str, pixels: Picture) -> None:
        """Raises PictureFileError where the file cannot be written."""
        save_picture(self._folder / self._name_for(Path(image).stem), pixels)

    def _name_for(self, stem: str) -> str:
        """`photo-reading.jpg`, then `photo-reading-2.jpg`."""
        name, number = f"{stem}-reading.jpg", 1
        while name.casefold() in self._used_names or Path(os.path.realpath(self._folder / name)) in self._images:
            number += 1
            name = f"{stem}-reading-{number}.jpg"
        self._used_names.add(name.casefold())  # some file systems ignore case
        return name


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
                overlays.save(image, _draw_outcome(pixels, outcome))
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
    return PictureReading(image, found, reading, ruling)


def read_dice_alone(image: str, pixels: Picture) -> DiceInPicture:
    """The dice in a picture without a board."""
    return DiceInPicture(image, read_dice(pixels, None).dice)


def _draw_outcome(pixels: Picture, outcome: PictureReading | DiceInPicture) -> Picture:
    if isinstance(outcome, DiceInPicture):
        return draw_dice(pixels, outcome.dice)
    known = outcome.calibration
    return draw_reading(pixels, outcome.reading, known.projection, known.field)
