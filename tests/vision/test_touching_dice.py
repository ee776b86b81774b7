"""Glances around a die: what they point at and is not that die."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.vision.hand_made_dice import STRAIGHT_DOWN
from tests.vision.told_dice import EDGE_PX, LEFT_HALF, answer, tell_dice
from vision import dice, touching_dice
from vision.dice import read_dice
from vision.dice_glance import Glance
from vision.die_windows import DieSpot
from vision.touching_dice import DIRECTIONS, touching_spots

PICTURE = np.zeros((480, 640, 3), np.uint8)
DIE = DieSpot((300.0, 200.0), 20.0, 0.9)
SURE = np.log([1e-9, 1.0, 1e-9])
Says = Callable[[DieSpot], Glance]


@pytest.fixture
def glances(monkeypatch: pytest.MonkeyPatch) -> Callable[[Says], list[DieSpot]]:
    """What is found where each glance says that."""

    def found(says: Says) -> list[DieSpot]:
        asked: list[DieSpot] = []

        def glance(_: object, spot: DieSpot) -> Glance:
            asked.append(spot)
            return says(spot)

        monkeypatch.setattr(touching_dice, "glance_at", glance)
        spots = touching_spots(PICTURE, DIE, 0.2)
        assert len(asked) == DIRECTIONS
        return spots

    return found


def nearest_of(*dice: DieSpot) -> Says:
    """A glance points at the nearest die, and sees it a fifth too large."""

    def says(spot: DieSpot) -> Glance:
        at = min(dice, key=lambda die: float(np.hypot(*np.subtract(die.centre_px, spot.centre_px))))
        return Glance(SURE, DieSpot(at.centre_px, 1.2 * at.size_px, spot.score))

    return says


@pytest.mark.parametrize("angle_deg", [0, 17, 90, 200])
def test_the_other_die_is_found_once(glances: Callable[[Says], list[DieSpot]], angle_deg: float) -> None:
    """Wherever it touches, several glances point at it; it is as large as the one that is known."""
    turn = np.radians(angle_deg)
    at_px = (300.0 + 22 * float(np.cos(turn)), 200.0 + 22 * float(np.sin(turn)))
    (found,) = glances(nearest_of(DIE, DieSpot(at_px, 20.0, 0.9)))
    assert found.centre_px == pytest.approx(at_px)
    assert found.size_px == DIE.size_px


def test_two_that_touch_it(glances: Callable[[Says], list[DieSpot]]) -> None:
    others = [DieSpot((322.0, 200.0), 20.0, 0.9), DieSpot((300.0, 178.0), 20.0, 0.9)]
    assert {one.centre_px for one in glances(nearest_of(DIE, *others))} == {one.centre_px for one in others}


def test_a_die_that_is_alone(glances: Callable[[Says], list[DieSpot]]) -> None:
    """All glances point back at it."""
    assert glances(nearest_of(DIE)) == []


def test_what_is_nothing(glances: Callable[[Says], list[DieSpot]]) -> None:
    """Wood beside the die, wherever a glance would have a die there."""
    assert glances(lambda spot: Glance(np.log([0.9, 0.06, 0.04]), spot)) == []


def test_one_that_is_alone_is_asked_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search sees two that touch as one; glances around it are asked, and nothing else is searched then."""
    tell_dice(monkeypatch, lambda _: answer(), LEFT_HALF)
    found = [DieSpot(LEFT_HALF, EDGE_PX, 0.9)]
    searches: list[object] = []

    def search(*_: object, **__: object) -> list[DieSpot]:
        searches.append(None)
        return found

    monkeypatch.setattr(dice, "find_dice", search)
    beside = DieSpot((LEFT_HALF[0] + 1.1 * EDGE_PX, LEFT_HALF[1]), EDGE_PX, 0.9)
    monkeypatch.setattr(
        dice, "touching_spots", lambda _, die, **__: [beside] if die.centre_px == pytest.approx(LEFT_HALF) else []
    )
    told_px = [die.centre_px for die in read_dice(PICTURE, STRAIGHT_DOWN).dice]
    assert told_px == [pytest.approx(LEFT_HALF), pytest.approx(beside.centre_px)]
    assert len(searches) == 1
