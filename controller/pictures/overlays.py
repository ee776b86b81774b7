"""Pictures with a reading drawn over them, and the folder where they are kept."""

import os
from collections.abc import Iterable
from pathlib import Path

from controller.pictures.find_board import Picture
from controller.wording.reading_text import DiceInPicture, PictureReading
from vision.board.overlay import draw_dice, draw_reading
from vision.board.weak_places import appraise_board
from vision.pixels.picture_file import save_picture


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


def draw_outcome(pixels: Picture, outcome: PictureReading | DiceInPicture) -> Picture:
    """A copy of the picture (h, w, 3) with its reading and its weak places."""
    if isinstance(outcome, DiceInPicture):
        return draw_dice(pixels, outcome.dice)
    known, reading = outcome.calibration, outcome.reading
    appraisal = outcome.appraisal or appraise_board(pixels, known, reading)
    return draw_reading(pixels, reading, known.projection, known.field, appraisal=appraisal)
