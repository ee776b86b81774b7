"""Reads picture files one by one; one that cannot be read does not stop the others."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.observing.throw_evidence import throw_seen
from controller.pictures.find_board import Picture, board_at_corners, board_by_itself
from controller.pictures.picture_options import Corners
from controller.rules.throws import ThrowContext, ThrowRules
from controller.wording.reading_text import DiceInPicture, Outcome, PictureReading, UnreadPicture
from vision.board.dice_overlay import draw_dice
from vision.board.overlay import draw_reading
from vision.board.read_board import read_board
from vision.dice.detect import read_dice
from vision.errors import PictureFileError, VisionError
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Refusal, for_picture
from vision.pixels.picture_file import load_picture, save_picture


@dataclass(frozen=True, slots=True)
class WhereTheBoardIs:
    """A calibration, or four corners, that hold for every picture; without both the board is found in each."""

    calibration: Calibration | None = None
    corners: Corners | None = None


@dataclass(frozen=True, slots=True)
class BoardSought:
    """There is a board in every picture, and throws on it are judged by these rules; None: the game has no dice."""

    where: WhereTheBoardIs
    throws: ThrowRules | None


class OverlayFolder:
    """Keeps pictures of what was understood, each under a name of its own; none of `images` is ever overwritten."""

    def __init__(self, folder: Path, images: Iterable[str]) -> None:
        self._folder = folder
        self._images = {Path(os.path.realpath(image)) for image in images}
        self._taken: set[str] = set()

    def save(self, image: str, pixels: Picture) -> None:
        """PictureFileError when it cannot be written."""
        save_picture(self._folder / self._name_for(Path(image).stem), pixels)

    def _name_for(self, stem: str) -> str:
        """`photo-reading.jpg`, then `photo-reading-2.jpg`."""
        name, number = f"{stem}-reading.jpg", 1
        while name.casefold() in self._taken or Path(os.path.realpath(self._folder / name)) in self._images:
            number += 1
            name = f"{stem}-reading-{number}.jpg"
        self._taken.add(name.casefold())  # some file systems know no capitals
        return name


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One picture with what came of it; `complaint` is a sentence about its overlay, for standard error."""

    outcome: Outcome
    complaint: str = ""

    @property
    def is_well(self) -> bool:
        return not isinstance(self.outcome, UnreadPicture) and not self.complaint


def read_files(images: Iterable[str], sought: BoardSought | None, overlays: OverlayFolder | None) -> Iterator[ReadFile]:
    """In the order given, each as soon as it is read; nothing but dice are sought where there is no board (None)."""
    for image in images:
        try:
            pixels = load_picture(Path(image))
            outcome = read_dice_alone(image, pixels) if sought is None else read_pixels(image, pixels, sought)
        except VisionError as error:
            yield ReadFile(UnreadPicture(image, str(error)))
            continue
        complaint = ""
        if overlays is not None and not isinstance(outcome, UnreadPicture):
            try:
                overlays.save(image, _drawn_over(pixels, outcome))
            except PictureFileError as error:
                complaint = str(error)
        yield ReadFile(outcome, complaint)


def read_pixels(image: str, pixels: Picture, sought: BoardSought) -> PictureReading | UnreadPicture:
    """Raises WrongPictureSizeError where the calibration is of another camera."""
    found = _board_in(pixels, sought.where)
    if isinstance(found, Refusal):
        return UnreadPicture(image, found.reason)
    reading = read_board(Frame(pixels, taken_ms=0), found)
    ruling = None if sought.throws is None else throw_seen(reading, ThrowContext(), sought.throws)
    return PictureReading(image, found, reading, ruling)


def read_dice_alone(image: str, pixels: Picture) -> DiceInPicture:
    """Of a picture without a board."""
    return DiceInPicture(image, read_dice(pixels, None).dice)


def _drawn_over(pixels: Picture, outcome: PictureReading | DiceInPicture) -> Picture:
    if isinstance(outcome, DiceInPicture):
        return draw_dice(pixels, outcome.dice)
    known = outcome.calibration
    return draw_reading(pixels, outcome.reading, known.projection, known.field)


def _board_in(pixels: Picture, where: WhereTheBoardIs) -> Calibration | Refusal:
    height_px, width_px = pixels.shape[:2]
    if where.calibration is not None:
        return for_picture(where.calibration, width_px, height_px)
    if where.corners is not None:
        return board_at_corners(pixels, where.corners)
    return board_by_itself(pixels)
