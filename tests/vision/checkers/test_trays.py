"""Trays beside the field: whether there are any, and their sum."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawn_boards import calibration_for, said
from vision.checkers.network import CheckerTop
from vision.checkers.trays import TrayReading, estimate_tray_chance, make_strip_map, measure_side_appearance, read_trays
from vision.geometry.calibration import Calibration
from vision.geometry.top_view import MARGIN_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX, view_map

Bgr = tuple[int, int, int]
Picture = NDArray[np.uint8]

# Room for a tray on either side.
KNOWN = calibration_for(800, 480, corners_px=((240, 70), (560, 70), (560, 410), (240, 410)))
WOOD, FELT, CLOTH, WHITE, BLACK = (60, 100, 150), (60, 30, 40), (70, 90, 60), (225, 225, 225), (25, 25, 25)


def box(picture: Picture, colour: Bgr, *sides_mm: float) -> None:
    """Left, top, right, bottom."""
    left_mm, top_mm, right_mm, bottom_mm = sides_mm
    corners = np.array([(left_mm, top_mm), (right_mm, top_mm), (right_mm, bottom_mm), (left_mm, bottom_mm)])
    cv2.fillPoly(picture, [np.rint(KNOWN.projection.to_picture(corners)).astype(np.int32)], colour, cv2.LINE_AA)


def board(*, right: bool = False, left: bool = False, light: int = 0) -> Picture:
    """On a cloth, rims of wood, trays of felt; `light` white checkers on their edges at the right tray's upper end."""
    picture = np.full((480, 800, 3), CLOTH, np.uint8)
    box(picture, WOOD, -20 - 50 * left, -20, 460 + 50 * right, 420)
    box(picture, (90, 120, 110), 0, 0, 440, 400)
    for is_there, from_mm in ((left, -52), (right, 452)):
        if is_there:
            box(picture, FELT, from_mm, 0, from_mm + 40, 400)
    for number in range(light):
        box(picture, WHITE, 455, number * 8 + 1, 489, number * 8 + 8)
        box(picture, (110, 110, 110), 455, number * 8, 489, number * 8 + 1.5)
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def trays_of(
    picture: Picture, *, known: Calibration = KNOWN, visible: dict[int, float] | None = None
) -> TrayReading | None:
    view = view_map(known.projection, known.field).warp(picture)
    return read_trays(picture, known, view=view, reading=said(visible=visible), colours=None)


def counts(trays: TrayReading | None) -> tuple[int, int]:
    assert trays is not None
    light, dark = np.unravel_index(trays.log_likelihood.argmax(), trays.log_likelihood.shape)
    return int(light), int(dark)


@pytest.mark.parametrize(("right", "left"), [(True, False), (False, True), (True, True)])
def test_empty_trays_are_seen_and_empty(right: bool, left: bool) -> None:
    """On either side, and on both."""
    trays = trays_of(board(right=right, left=left))
    assert counts(trays) == (0, 0)
    assert trays is not None
    assert trays.visible == 1


def test_a_board_without_trays_has_none() -> None:
    """Rim, then the table."""
    assert trays_of(board()) is None


def test_no_sign_of_a_board_is_no_tray() -> None:
    assert trays_of(np.full((480, 800, 3), 90, np.uint8)) is None


def test_a_tray_outside_the_picture_is_absent() -> None:
    """The same board, cut off behind its rim."""
    near = calibration_for(800, 480)
    assert make_strip_map(near.projection, near.field, (800, 480), at_right=True).in_picture < 0.97
    assert trays_of(board(right=True), known=near) is None


def test_a_filled_tray_is_not_called_empty() -> None:
    trays = trays_of(board(right=True, light=10))
    assert trays is not None
    assert sum(counts(trays)) > 7
    assert trays.log_likelihood[0, 0] < trays.log_likelihood.max() - 1


def test_an_arm_beside_it_hides_a_tray() -> None:
    """T12 or B12 covered: the right tray is unknown. T1 covered: only the left one would be."""
    for place in (11, 23):
        hidden = trays_of(board(right=True), visible={place: 0.1})
        assert hidden is not None
        assert hidden.visible == 0
    assert counts(trays_of(board(right=True), visible={0: 0.1})) == (0, 0)


def test_any_count_stays_possible() -> None:
    """Another tray may have been overlooked."""
    trays = trays_of(board(right=True))
    assert trays is not None
    assert np.isfinite(trays.log_likelihood).all()
    assert trays.log_likelihood.max() == 0


def test_chances_are_chances() -> None:
    """The strip may show anything, or nothing at all."""
    rng = np.random.default_rng(0)
    for strip in (np.zeros((VIEW_HEIGHT_PX, 96, 3)), rng.normal(0, 40, (VIEW_HEIGHT_PX, 96, 3))):
        assert 0 <= estimate_tray_chance(strip.astype(np.float32)) <= 1


def test_side_colours_are_those_of_the_field() -> None:
    """A white face on a place that reads light, none of the other side."""
    view = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), 90, np.uint8)
    cv2.circle(view, (MARGIN_PX + 16, MARGIN_PX + 16), 14, WHITE, -1)
    seen = replace(said({0: (1, 0.99)}), tops=(CheckerTop(MARGIN_PX + 16.0, MARGIN_PX + 16.0, 0.9),))
    sides = measure_side_appearance(view, seen, None)
    assert sides.dark is None
    assert sides.light is not None
    assert sides.light[0] == pytest.approx(0.6 * 90, abs=3)
