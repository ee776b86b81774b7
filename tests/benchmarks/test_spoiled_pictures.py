"""Spoiled pictures: what changes, and where. No die is read here."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.rules import BadThrow
from tests.benchmarks.dice_labels import DiceLabel, DieLabel, throw_of
from tests.benchmarks.dice_scores import PictureScore, picture_score
from tests.benchmarks.dice_tables import SPOILED_COLUMNS, spoiled_row
from tests.benchmarks.spoiled_pictures import AROUND, SPOILS, spoiled
from tests.benchmarks.test_dice_scores import COCKED, FLAT, OTHER, as_read, label_of
from vision.dice.detect import DiceInView
from vision.dice.readings import DieState

WIDTH, HEIGHT, EDGE_PX = 400, 300, 20.0
LEFT, RIGHT = (DieLabel(face, DieState.FLAT, (at,), EDGE_PX) for face, at in ((5, (100.0, 150.0)), (2, (300.0, 150.0))))
AT_DICE = ("glare", "glint", "shadow", "beside an LED", "under a checker", "under a finger")


def label(*dice: DieLabel) -> DiceLabel:
    return DiceLabel(Path("0000.jpg"), None, dice, None, throw_of(dice))


def picture() -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    return np.random.default_rng(1).integers(60, 160, (HEIGHT, WIDTH, 3), np.uint8)


def changed(kind: str, *dice: DieLabel, order: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """(h, w): where two pictures differ."""
    return np.asarray((spoiled(kind, picture(), label(*dice), order) != picture()).any(axis=2))


@pytest.mark.parametrize("kind", SPOILS)
def test_the_same_number_spoils_alike(kind: str) -> None:
    """Another order gives another picture; the given picture is not changed."""
    pixels, both = picture(), label(LEFT, RIGHT)
    first, again, other = (spoiled(kind, pixels, both, order) for order in (3, 3, 4))
    assert (pixels == picture()).all()
    assert first.shape == pixels.shape
    assert first.dtype == np.uint8
    assert (first == again).all()
    assert (first != other).any()
    assert (first != pixels).any()


@pytest.mark.parametrize("kind", AT_DICE)
def test_only_what_is_about_a_die_changes(kind: str) -> None:
    for order in range(5):
        columns = np.flatnonzero(changed(kind, LEFT, order=order).any(axis=0))
        assert columns.size == 0 or np.abs(columns - 100).max() <= AROUND * EDGE_PX


@pytest.mark.parametrize(
    ("kind", "dice"), [("glare", 2), ("glint", 2), ("beside an LED", 2), ("under a checker", 1), ("under a finger", 1)]
)
def test_one_die_of_a_throw_is_covered_and_all_may_mirror_a_lamp(kind: str, dice: int) -> None:
    halves = [changed(kind, LEFT, RIGHT, order=order) for order in range(6)]
    assert max(int(one[:, :200].any()) + int(one[:, 200:].any()) for one in halves) == dice


@pytest.mark.parametrize("kind", ["under a checker", "under a finger"])
def test_what_covers_a_die_leaves_some_of_it(kind: str) -> None:
    shares = []
    for order in range(40):
        pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        pixels[140:161, 90:111] = 255
        spoilt = spoiled(kind, pixels, label(LEFT), order)
        shares.append(float((spoilt[140:161, 90:111] > 240).all(axis=2).mean()))
    assert max(shares) > 0.7
    assert min(shares) < 0.5


def test_an_led_lights_a_die_and_hides_nothing_of_it() -> None:
    for order in range(20):
        pixels = np.full((HEIGHT, WIDTH, 3), 40, np.uint8)
        spoilt = spoiled("beside an LED", pixels, label(LEFT), order).astype(int)
        assert (spoilt >= 40).all()
        assert 40 < spoilt[150, 100].max() < 255
        assert (spoilt > 240).all(axis=2).any()
        rim = np.abs(np.arange(WIDTH) - 100) > AROUND * EDGE_PX - 3
        assert (spoilt[:, rim] < 50).all()


@pytest.mark.parametrize("kind", SPOILS)
def test_no_die_and_a_die_at_the_edge(kind: str) -> None:
    for dice in ((), (replace(LEFT, places_px=((-3.0, 2.0),)),), (replace(LEFT, places_px=((-500.0, 2.0),)),)):
        assert spoiled(kind, picture(), label(*dice), 0).shape == (HEIGHT, WIDTH, 3)


def score(*dice: DieLabel, values: tuple[int | None, ...] = ()) -> PictureScore:
    reported = values or (None,) * len(dice)
    read = tuple(as_read(die, value=value) for die, value in zip(dice, reported, strict=True))
    return picture_score(label_of(*dice), DiceInView(read), (640, 480))


def test_a_row_counts_dice_and_throws() -> None:
    rows = [score(FLAT, OTHER), score(FLAT, OTHER, values=(4, None)), score(FLAT, COCKED)]
    counted = dict(zip(SPOILED_COLUMNS[:5], spoiled_row(rows)[:5], strict=True))
    assert counted == {"flat": "5", "answered": "5", "answered wrongly": "1", "accepted": "5", "wrong": "1"}
    assert rows[2].throw is not None
    assert rows[2].throw.label.reason is BadThrow.COCKED
    refused = picture_score(label_of(FLAT, OTHER), DiceInView((as_read(FLAT), as_read(COCKED))), (640, 480))
    counted = dict(zip(SPOILED_COLUMNS[5:8], spoiled_row([*rows, refused])[5:8], strict=True))
    assert counted == {"valid": "3", "accepted": "2", "refused": "1"}
    assert spoiled_row(rows)[8:] == ["1", "0", "1"]
