"""Looks near each other: at one die, at its side, or at two that touch."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.told_dice import (
    ACROSS,
    EDGE_PX,
    FAR_PX,
    INWARD,
    LEFT_HALF,
    PICTURE,
    SURELY_A_DIE,
    answer,
    find_spots,
    tell_finished_looks,
)
from vision.dice.classification_cascade import Classification
from vision.dice.classifier import FACE, LIE, LIES, decode_output
from vision.dice.detect import read_dice
from vision.dice.windows import DieSpot, place_window
from vision.geometry.projection import KnownBoard


def test_two_spots_of_one_die(told: Callable[..., None]) -> None:
    """Half an edge apart they are one die; a whole edge apart two that touch."""
    told(lambda _: answer(), LEFT_HALF, (LEFT_HALF[0] + 9, LEFT_HALF[1]))
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == 1
    told(lambda _: answer(), LEFT_HALF, (LEFT_HALF[0] + 20, LEFT_HALF[1]))
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == 2


@pytest.mark.parametrize(
    ("away_edges", "flat", "board", "dice"),
    [
        (0.7, (0.1, 0.1), STRAIGHT_DOWN, 1),
        (0.9, (0.1, 0.1), STRAIGHT_DOWN, 2),
        (0.7, (0.6, 0.1), STRAIGHT_DOWN, 2),
        (0.7, (0.1, 0.6), STRAIGHT_DOWN, 2),
        (0.7, (0.9, 0.9), STRAIGHT_DOWN, 2),
        (0.7, (0.9, 0.9), None, 1),
    ],
)
def test_the_side_of_a_die_that_leans(
    monkeypatch: pytest.MonkeyPatch,
    away_edges: float,
    flat: tuple[float, float],
    board: KnownBoard | None,
    dice: int,
) -> None:
    """It looks like a die too, so near to the upper face that there is no room for another; of two dice that touch and lie
    flat each may be put so near to the other. Without a board what lies flat shows its sides as well.
    """
    beside = (LEFT_HALF[0] + away_edges * EDGE_PX, LEFT_HALF[1])
    lies = dict(zip((LEFT_HALF, beside), flat, strict=True))

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> Classification:
        numbers, chance = answer(), lies[spot.centre_px]
        numbers[LIE] = np.log([chance, 1 - chance, *[1e-9] * (len(LIES) - 2)])
        return Classification(place_window(spot, board), decode_output(numbers), spot, SURELY_A_DIE)

    find_spots(monkeypatch, [DieSpot(at_px, EDGE_PX, 0.9) for at_px in lies])
    tell_finished_looks(monkeypatch, says)
    found = read_dice(PICTURE, board)
    assert (len(found.dice), found.may_hold_more) == (dice, dice == 1)


@pytest.mark.parametrize(("away_edges", "perhaps_more"), [(0.2, False), (0.45, True)])
def test_looks_that_do_not_agree_where_a_die_lies(
    told: Callable[..., None], away_edges: float, *, perhaps_more: bool
) -> None:
    """One die is told, but there may be two that touch: none is surely missing then."""
    told(lambda _: answer(), LEFT_HALF, (LEFT_HALF[0] + away_edges * EDGE_PX, LEFT_HALF[1]))
    found = read_dice(PICTURE, STRAIGHT_DOWN)
    assert (len(found.dice), found.may_hold_more) == (1, perhaps_more)


@pytest.mark.parametrize(
    ("at_px", "off_edges", "flat", "dice"),
    [
        (FAR_PX, (0.7, 0.0), 0.6, 1),
        (FAR_PX, (0.6, 0.35), 0.6, 1),
        (FAR_PX, (0.6, 0.55), 0.6, 2),  # too far beside it
        (FAR_PX, (0.7, 0.0), 0.95, 2),  # as plain as a die of its own
        (FAR_PX, (1.0, 0.0), 0.6, 2),  # a die that touches
        (FAR_PX, (-0.7, 0.0), 0.6, 2),  # the camera sees no side there
        (LEFT_HALF, (0.7, 0.0), 0.6, 2),  # nor here
    ],
)
def test_the_side_of_a_plain_die(
    monkeypatch: pytest.MonkeyPatch,
    at_px: tuple[float, float],
    off_edges: tuple[float, float],
    flat: float,
    dice: int,
) -> None:
    """A doubtful die where that side shows is none of its own, and perhaps one: the throw is asked about, not refused."""
    assert told_beside(monkeypatch, at_px, off_edges, flat) == dice


@pytest.mark.parametrize(("face", "flat", "dice"), [(0.98, 1.0, 2), (1.0, 0.85, 2), (1.0, 0.95, 1)])
def test_beside_what_is_not_plain_it_stays(
    monkeypatch: pytest.MonkeyPatch, face: float, flat: float, dice: int
) -> None:
    """Which of two doubtful dice is the other's side nobody can tell then."""

    def upper() -> NDArray[np.float32]:
        numbers = answer()
        numbers[FACE] = np.log([(1 - face) / 5 + 1e-9] * 4 + [face, (1 - face) / 5 + 1e-9])
        numbers[LIE] = np.log([flat, 1 - flat + 1e-9, *[1e-9] * (len(LIES) - 2)])
        return numbers

    assert told_beside(monkeypatch, FAR_PX, (0.7, 0.0), 0.6, upper) == dice


def told_beside(
    monkeypatch: pytest.MonkeyPatch,
    at_px: tuple[float, float],
    off_edges: tuple[float, float],
    flat: float,
    upper: Callable[[], NDArray[np.float32]] = answer,
) -> int:
    """How many dice are read of one and of what shows so far before it; where one is, another is not ruled out."""
    side = tuple((at_px + EDGE_PX * (np.array(off_edges) @ (INWARD, ACROSS))).tolist())

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> Classification:
        numbers = upper()
        if spot.centre_px == side:
            numbers = answer()
            numbers[LIE] = np.log([flat, 1 - flat, *[1e-9] * (len(LIES) - 2)])
        return Classification(place_window(spot, STRAIGHT_DOWN), decode_output(numbers), spot, SURELY_A_DIE)

    tell_finished_looks(monkeypatch, says)
    find_spots(monkeypatch, [DieSpot(spot_px, EDGE_PX, 0.9) for spot_px in (at_px, side)])
    seen = read_dice(PICTURE, STRAIGHT_DOWN)
    assert seen.may_hold_more is (len(seen.dice) == 1)
    return len(seen.dice)
