"""A picture that cannot be read gives no reading: unknown places and the reason, never empty ones."""

from collections.abc import Callable
from functools import reduce

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.simulated.played_tables import DARK, calibration_of, style
from vision.board.read_board import read_board
from vision.frame import Frame, Pixels
from vision.geometry.calibration import Calibration
from vision.pixels.picture_quality import PictureFault
from vision.places import Colour, Place
from vision.simulated import draw
from vision.simulated.scene_building import build_scene
from vision.simulated.tabletop import Arrangement

Spoil = Callable[[NDArray[np.float32]], NDArray[np.float32]]
BLURRED, TOO_DARK, TOO_BRIGHT = PictureFault.BLURRED, PictureFault.TOO_DARK, PictureFault.TOO_BRIGHT
ONE_COLOUR, BANDED, NO_BOARD = PictureFault.ONE_COLOUR, PictureFault.BANDED, PictureFault.NO_BOARD


def _band(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    rows = np.arange(len(pixels), dtype=np.float32)
    return np.asarray(pixels * (0.52 + 0.48 * np.sin(2 * np.pi * rows / 110))[:, None, None], np.float32)


def _fog(share: float) -> Spoil:
    return lambda pixels: pixels * (1 - share) + 190 * share


def _blur(sigma_px: float) -> Spoil:
    return lambda pixels: np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma_px), np.float32)


def _wall(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.full_like(pixels, 90)


def _lit(*channels: float) -> Spoil:
    return lambda pixels: pixels * np.array(channels, np.float32)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (_lit(0.02, 0.02, 0.02), TOO_DARK),
        (_lit(0.0, 0.0, 0.0), TOO_DARK),
        (lambda pixels: pixels * 9 + 60, TOO_BRIGHT),
        (_blur(8.0), BLURRED),
        (_fog(0.97), NO_BOARD),
        (_wall, NO_BOARD),
        (_lit(0.05, 0.05, 1.0), ONE_COLOUR),
        (_lit(1.0, 0.1, 0.1), ONE_COLOUR),
        (_band, BANDED),
    ],
    ids=["dark", "black", "burnt out", "defocused", "fogged", "wall", "red", "blue", "banded"],
)
def test_a_spoiled_picture_gives_unknown_places_and_the_reason(
    pixels: Pixels, known: Calibration, spoil: Spoil, fault: PictureFault
) -> None:
    """Noise as of a camera is added. No hand covers the board: that would have another remedy."""
    noise = np.random.default_rng(1).normal(0, 1.5, pixels.shape)
    spoiled = np.clip(spoil(pixels.astype(np.float32)) + noise, 0, 255).astype(np.uint8)
    reading = read_board(Frame(spoiled, 0), known)
    assert {seen.best().colour for _, seen in reading.points()} == {Colour.UNKNOWN}
    assert [pair.best().light for pair in (reading.bar, reading.tray) if pair is not None] in ([None], [None, None])
    assert (reading.picture_fault, reading.hand_in_view) == (fault, False)


@pytest.mark.parametrize(
    "spoil",
    [_lit(1, 1, 1), _lit(0.3, 0.3, 0.3), _fog(0.6), _blur(1.5), _lit(0.5, 0.8, 1.1)],
    ids=["clean", "dim", "hazy", "soft", "warm"],
)
def test_an_imperfect_picture_is_read(pixels: Pixels, known: Calibration, spoil: Spoil) -> None:
    """The network reads these as well as a good one, and no place is given up."""
    noise = np.random.default_rng(1).normal(0, 1.5, pixels.shape)
    spoiled = np.clip(spoil(pixels.astype(np.float32)) + noise, 0, 255).astype(np.uint8)
    reading = read_board(Frame(spoiled, 0), known)
    assert (reading.picture_fault, reading.hand_in_view) == (None, False)
    clean = read_board(Frame(pixels, 0), known)
    seen, right = ({place: one.best() for place, one in each.points()} for each in (reading, clean))
    assert {place: (one.colour, one.count) for place, one in seen.items()} == {
        place: (one.colour, one.count) for place, one in right.items()
    }


def test_a_row_of_dark_checkers_is_no_band() -> None:
    """Dark checkers on almost all points of a row, some of which are dark too, are dark across both halves of the board."""
    table = style(7, (640, 480))
    row = {f"B{number}": (DARK,) for number in range(1, 12) if number != 4} | {"B12": (DARK,) * 5}
    pixels = draw(build_scene(table, reduce(lambda found, one: found.with_stack(*one), row.items(), Arrangement())))
    reading = read_board(Frame(pixels, 0), calibration_of(table))
    assert reading.picture_fault is None


def test_glare_hides_the_places_it_covers(pixels: Pixels, known: Calibration) -> None:
    """A reflection over two points: these are unknown, the others are read, and no hand is in view."""
    dazzled = pixels.copy()
    width_mm, height_mm = known.field.width_mm, known.field.height_mm
    pitch_mm = width_mm / 13
    outline_mm = [(0.0, 0.0), (2 * pitch_mm, 0.0), (2 * pitch_mm, height_mm / 2), (0.0, height_mm / 2)]
    outline_px = np.rint(known.projection.to_picture(outline_mm)).astype(np.int32)
    cv2.fillConvexPoly(dazzled, outline_px, (255, 255, 255))
    reading = read_board(Frame(dazzled, 0), known)
    colours = {place: seen.best().colour for place, seen in reading.points()}
    assert [place for place, colour in colours.items() if colour is Colour.UNKNOWN] == [Place.T1, Place.T2]
    assert (reading.picture_fault, reading.is_unreadable, reading.hand_in_view) == (TOO_BRIGHT, False, False)


def test_haze_hides_the_places_behind_it(pixels: Pixels, known: Calibration) -> None:
    """A veil of light over one side: what lies behind its thick end is unknown, never empty, and the rest is read."""
    share = np.linspace(-0.6, 1.2, pixels.shape[1], dtype=np.float32).clip(0, 0.97)[None, :, None]
    noise = np.random.default_rng(1).normal(0, 1.5, pixels.shape)
    hazy = np.clip(pixels * (1 - share) + 200 * share + noise, 0, 255).astype(np.uint8)
    reading = read_board(Frame(hazy, 0), known)
    right = dict(read_board(Frame(pixels, 0), known).points())
    seen = {place: one.best() for place, one in reading.points()}
    hidden = [place for place, one in seen.items() if one.colour is Colour.UNKNOWN]
    assert {Place.T12, Place.B12} <= set(hidden) <= {Place(f"{row}{column}") for row in "TB" for column in range(8, 13)}
    assert all(one.count == right[place].best().count for place, one in seen.items() if place not in hidden)
    assert (reading.picture_fault, reading.is_unreadable, reading.hand_in_view) == (PictureFault.HAZY, False, False)
