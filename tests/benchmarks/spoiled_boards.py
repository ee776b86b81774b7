"""Boards in bad pictures: `python -m tests.benchmarks.spoiled_boards PICTURES`, with the folder that `frames` takes.

Each photograph and each drawn board is calibrated as it is, then spoiled in each way of SPOILS at four strengths and read.
Printed are the shares of places that are read wrongly with 0.9 and more, that are unknown, and that are read rightly.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.pictures.find_board import find_board_at_corners
from tests.benchmarks.board_labels import BoardLabel, Picture
from tests.benchmarks.board_scores import HIGH
from tests.benchmarks.boards import DEFAULT_REAL, show
from tests.benchmarks.drawn_hands import drawn_boards
from tests.benchmarks.frames import load_first_photographs, load_photographs
from vision.board.read_board import read_board
from vision.board.weak_places import detect_no_dice
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.pixels.picture_file import load_picture
from vision.places import Colour

MOST_WIDTH_PX = 1280
NOISE = 1.5  # levels of a camera
DRAWN_BOARDS = 12

Light = NDArray[np.float32]
Spoil = Callable[[Light, float, float, np.random.Generator], Light]  # picture, strength, px of a point, chance


def _band(light: Light, depth: float, _: float, rng: np.random.Generator) -> Light:
    height = len(light)
    turns = rng.uniform(1.5, 5) * np.arange(height) / height + rng.random()
    share = 1 - depth / 2 + depth / 2 * np.sin(2 * np.pi * turns)
    return np.asarray(light * share[:, None, None], np.float32)


def _blur(light: Light, points: float, pitch_px: float, _: np.random.Generator) -> Light:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), max(0.3, points * pitch_px)), np.float32)


def _fog(light: Light, share: float, _: float, __: np.random.Generator) -> Light:
    return light * (1 - share) + 190 * share


def _haze(light: Light, share: float, _: float, rng: np.random.Generator) -> Light:
    """Thicker to one side."""
    across = np.linspace(0, 1, light.shape[1], dtype=np.float32)[:: 1 if rng.random() < 0.5 else -1]
    thick = np.clip(share * (0.2 + across), 0, 0.97)[None, :, None]
    return np.asarray(light * (1 - thick) + 200 * thick, np.float32)


def _cast(light: Light, others: float, _: float, rng: np.random.Generator) -> Light:
    gains = np.full(3, others, np.float32)
    gains[rng.integers(3)] = 1
    return light * gains


def _expose(light: Light, gain: float, _: float, __: np.random.Generator) -> Light:
    return light * np.float32(gain)


SPOILS: Mapping[str, tuple[Spoil, tuple[float, float, float, float]]] = {
    "bands": (_band, (0.2, 0.4, 0.6, 0.8)),
    "blur": (_blur, (1 / 32, 1 / 16, 3 / 32, 1 / 8)),
    "fog": (_fog, (0.5, 0.7, 0.85, 0.93)),
    "haze": (_haze, (0.5, 0.7, 0.85, 0.93)),
    "cast": (_cast, (0.5, 0.3, 0.15, 0.08)),
    "dark": (_expose, (0.3, 0.15, 0.08, 0.04)),
    "bright": (_expose, (1.5, 2.5, 4.0, 6.0)),
}


@dataclass(slots=True)
class Counts:
    """Places of one kind of picture."""

    places: int = 0
    wrong: int = 0  # with 0.9 and more
    unknown: int = 0
    right: int = 0

    def add(self, picture: Picture, known: Calibration, label: BoardLabel) -> None:
        reading = read_board(Frame(picture, 0), known, detect_dice=detect_no_dice)
        for place, seen in reading.points():
            guess, truth = seen.best(), label.points.get(place.value)
            if truth is None:
                continue
            is_right = (guess.colour.value, guess.count) == truth.answer
            self.places += 1
            self.right += is_right
            self.unknown += guess.colour is Colour.UNKNOWN
            self.wrong += not is_right and guess.colour is not Colour.UNKNOWN and guess.confidence >= HIGH

    @property
    def row(self) -> str:
        shares = (part / max(1, self.places) for part in (self.wrong, self.unknown, self.right))
        return f"{self.places:6} " + " ".join(f"{share:8.3f}" for share in shares)


def spoiled(kind: str, strength: int, picture: Picture, known: Calibration, order: int) -> Picture:
    """Spoils a picture in one way of SPOILS at a strength 0..3, with the noise of a camera; `order` seeds the chance."""
    spoil, strengths = SPOILS[kind]
    rng = np.random.default_rng([crc32(kind.encode()), strength, order])
    (left, right) = known.projection.to_picture([(0.0, 0.0), (known.field.width_mm, 0.0)])
    pitch_px = float(np.linalg.norm(right - left)) * known.field.pitch_mm / known.field.width_mm
    light = spoil(picture.astype(np.float32), strengths[strength], pitch_px, rng)
    return np.clip(light + rng.normal(0, NOISE, light.shape), 0, 255).astype(np.uint8)


def load_boards(pictures: Path) -> Iterator[tuple[str, Picture, BoardLabel]]:
    """`frames` or `sim`, a picture of at most MOST_WIDTH_PX, and its label."""
    photographs = load_first_photographs(DEFAULT_REAL) + load_photographs(DEFAULT_REAL / "more.jsonl", pictures)
    for label in (photograph.label for photograph in photographs):
        picture = load_picture(label.image)
        share = min(1.0, MOST_WIDTH_PX / picture.shape[1])
        small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA).astype(np.uint8)
        yield "frames", small, replace(label, corners_px=label.corners_px * share)
    for picture, label in drawn_boards(DRAWN_BOARDS):
        yield "sim", picture, label


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("pictures", type=Path, metavar="PICTURES")
    counts: dict[tuple[str, str], Counts] = {}
    for order, (source, picture, label) in enumerate(load_boards(parser.parse_args(arguments).pictures)):
        one, two, three, four = ((float(x_px), float(y_px)) for x_px, y_px in label.corners_px)
        known = find_board_at_corners(picture, (one, two, three, four))
        if not isinstance(known, Calibration):
            continue
        counts.setdefault((source, "as it is"), Counts()).add(picture, known, label)
        for kind, (_, strengths) in SPOILS.items():
            for number, strength in enumerate(strengths):
                name = f"{kind} {strength:.3g}"
                counts.setdefault((source, name), Counts()).add(
                    spoiled(kind, number, picture, known, order), known, label
                )
    show([f"{'':24} places  wrong>={HIGH} unknown right"])
    show(f"{source:7}{name:16} {one.row}" for (source, name), one in sorted(counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
