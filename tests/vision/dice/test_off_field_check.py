"""Beside the field a thing is a die only where all networks say so alike, and only in the size of the others."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.told_dice import (
    EDGE_PX,
    LEFT_HALF,
    PICTURE,
    SURELY_A_DIE,
    answer,
    find_spots,
    tell_dice,
    tell_finished_looks,
)
from vision.dice import candidates, classification_cascade, ensemble
from vision.dice.candidates import CONFIRM_P, DiceLimits, check_off_field
from vision.dice.classification_cascade import ACCEPT_P, Classification
from vision.dice.classifier import CLASS, ObjectClass, decode_output
from vision.dice.detect import read_dice
from vision.dice.ensemble import CAREFUL_NETWORK, FAST_NETWORK, SECOND_NETWORK, THIRD_NETWORK
from vision.dice.windows import DieSpot, place_window

BESIDE, ON_THE_RIM = (60.0, 150.0), (95.0, 240.0)  # 40 and 5 mm from the field


def look_at(at_px: tuple[float, float], numbers: NDArray[np.float32]) -> Classification:
    spot = DieSpot(at_px, EDGE_PX, 1.0)
    return Classification(place_window(spot, STRAIGHT_DOWN), decode_output(numbers), spot, SURELY_A_DIE)


def less_sure(chance: float) -> NDArray[np.float32]:
    numbers = answer()
    numbers[CLASS] = np.log([1 - chance, chance, 1e-9])
    return numbers


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which networks; all say a five, surely."""
    names: list[str] = []

    def says(name: str, *_: object) -> list[NDArray[np.float32]]:
        names.append(name)
        return [answer()]

    monkeypatch.setattr(ensemble, "run_network_on_planes", says)
    return names


def is_told(look: Classification | None) -> bool:
    return look is not None and float(np.exp(look.output.class_log_p[ObjectClass.DIE.value])) >= ACCEPT_P


def test_all_are_asked(asked: list[str]) -> None:
    assert is_told(check_off_field(PICTURE, look_at(BESIDE, answer())))
    assert asked == [FAST_NETWORK, CAREFUL_NETWORK, SECOND_NETWORK, THIRD_NETWORK]


@pytest.mark.parametrize("at_px", [LEFT_HALF, ON_THE_RIM])
def test_not_in_the_field_nor_on_its_rim(asked: list[str], at_px: tuple[float, float]) -> None:
    look = look_at(at_px, answer())
    assert check_off_field(PICTURE, look) is look
    assert asked == []


def test_what_is_not_told_needs_no_doubt(asked: list[str]) -> None:
    look = look_at(BESIDE, less_sure(ACCEPT_P - 0.01))
    assert check_off_field(PICTURE, look) is look
    assert asked == []


@pytest.mark.parametrize("who", [FAST_NETWORK, CAREFUL_NETWORK, SECOND_NETWORK, THIRD_NETWORK])
@pytest.mark.parametrize("other", [less_sure(CONFIRM_P - 0.01), answer(face=2)])
def test_one_that_says_otherwise_is_enough(
    monkeypatch: pytest.MonkeyPatch, who: str, other: NDArray[np.float32]
) -> None:
    """That it may be none, or shows another face; it may be one all the same, and nobody further is asked."""
    asked: list[str] = []

    def says(name: str, *_: object) -> list[NDArray[np.float32]]:
        asked.append(name)
        return [other if name == who else answer()]

    monkeypatch.setattr(ensemble, "run_network_on_planes", says)
    look = check_off_field(PICTURE, look_at(BESIDE, answer()))
    assert look is not None
    assert not is_told(look)
    assert float(np.exp(look.output.class_log_p[ObjectClass.DIE.value])) >= DiceLimits().ambiguous_p
    assert asked[-1] == who


@pytest.mark.parametrize("alike", [True, False])
def test_so_it_is_read(monkeypatch: pytest.MonkeyPatch, *, alike: bool) -> None:
    """A doubted one is none, and perhaps one."""
    tell_dice(monkeypatch, lambda _: answer(), BESIDE)
    monkeypatch.setattr(
        candidates, "iter_all_outputs", lambda *_: iter([decode_output(answer(face=5 if alike else 6))])
    )
    seen = read_dice(PICTURE, STRAIGHT_DOWN)
    assert (len(seen.dice), seen.may_hold_more) == (int(alike), not alike)


@pytest.mark.parametrize(
    ("at_px", "times", "found"), [(BESIDE, 0.74, 1), (BESIDE, 0.78, 2), (BESIDE, 1.34, 1), (ON_THE_RIM, 0.7, 2)]
)
def test_it_is_as_large_as_the_die_in_the_field(
    monkeypatch: pytest.MonkeyPatch, at_px: tuple[float, float], times: float, found: int
) -> None:
    """On a rim as in the field they may be measured otherwise, by as much as a plain one ever is."""
    places = {LEFT_HALF: 1.0, at_px: times}

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification:
        return look_at(spot.centre_px, answer())

    find_spots(monkeypatch, [DieSpot(at, EDGE_PX, 0.9) for at in places])
    tell_finished_looks(monkeypatch, says)
    edges = {at: each * EDGE_PX for at, each in places.items()}
    monkeypatch.setattr(
        classification_cascade.Classification, "edge", property(lambda look: edges.get(look.spot.centre_px, EDGE_PX))
    )
    monkeypatch.setattr("vision.dice.candidates.check_off_field", lambda _, look: look)
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found


@pytest.mark.parametrize("at_px", [BESIDE, ON_THE_RIM])
@pytest.mark.parametrize("plain", [True, False])
def test_a_cube_beside_the_field_shows_its_number(
    monkeypatch: pytest.MonkeyPatch, at_px: tuple[float, float], *, plain: bool
) -> None:
    """What looks like one without is none, and no die for that; on the rim, where it belongs, it is one all the same."""
    monkeypatch.setattr(candidates, "shows_a_number", lambda *_: plain)
    numbers = answer()
    numbers[CLASS] = np.log([1e-9, 0.01, 0.99])
    look = check_off_field(PICTURE, look_at(at_px, numbers))
    assert look is not None
    kinds = np.exp(look.output.class_log_p)
    assert (kinds[ObjectClass.CUBE.value] >= ACCEPT_P) == (plain or at_px == ON_THE_RIM)
    assert kinds[ObjectClass.DIE.value] == pytest.approx(0.01, rel=1e-6)
    assert kinds.sum() == pytest.approx(1)
