"""What a glance sees of a spot, and where it would have the close look."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dice import proposals
from vision.dice.proposals import (
    CHECK_CLASS,
    CHECK_EDGES,
    CHECK_OUTPUT_SIZE,
    CHECK_PX,
    CHECK_SIZE,
    CHECK_TOP,
    check_and_recentre,
    check_proposal,
    make_check_window,
    objectness,
)
from vision.dice.windows import DieSpot

EDGE_PX = 24.0
GREY, BRIGHT = 90, 255


def picture_with_square(at_px: tuple[int, int], edge_px: int) -> NDArray[np.uint8]:
    picture = np.full((240, 320, 3), GREY, np.uint8)
    (x, y), half = at_px, edge_px // 2
    picture[max(y - half, 0) : y + half, max(x - half, 0) : x + half] = BRIGHT
    return picture


@pytest.mark.parametrize("edge_px", [12, 24, 48])
def test_a_die_fills_a_third_of_its_window(edge_px: int) -> None:
    """Whatever its size in the picture."""
    window = make_check_window(picture_with_square((160, 120), edge_px), DieSpot((159.5, 119.5), edge_px, 0.9))
    assert window.shape == (CHECK_PX, CHECK_PX, 3)
    bright = np.argwhere(window[..., 0] > (GREY + BRIGHT) / 2)
    assert bright.mean(axis=0) == pytest.approx([(CHECK_PX - 1) / 2] * 2, abs=0.1)
    assert len(bright) == pytest.approx((CHECK_PX / CHECK_EDGES) ** 2, rel=0.02)


@pytest.mark.parametrize("at_px", [(0, 0), (319, 239), (319, 0), (0, 120)])
def test_at_the_edge_of_the_picture(at_px: tuple[int, int]) -> None:
    """The spot stays in the middle; beyond the edge its pixels go on."""
    window = make_check_window(
        picture_with_square(at_px, 24), DieSpot((float(at_px[0]), float(at_px[1])), EDGE_PX, 0.9)
    )
    middle = CHECK_PX // 2
    assert (window[middle - 3 : middle + 3, middle - 3 : middle + 3] == BRIGHT).all()
    inwards = [0 if at > 100 else -1 for at in (at_px[1], at_px[0])]
    assert window[inwards[0], inwards[1], 0] == GREY


@pytest.mark.parametrize("at_px", [(-500.0, 120.0), (900.0, -300.0), (160.0, 5000.0)])
def test_a_spot_outside_the_picture(at_px: tuple[float, float]) -> None:
    """The nearest edge of the picture."""
    assert (make_check_window(picture_with_square((160, 120), 24), DieSpot(at_px, EDGE_PX, 0.9)) == GREY).all()


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> NDArray[np.float32]:
    """What the network answers; a test fills it."""
    numbers = np.zeros(CHECK_OUTPUT_SIZE, np.float32)

    def answers(name: str, window: NDArray[np.uint8], outputs: Sequence[str]) -> list[NDArray[np.float32]]:
        assert (name, window.shape) == ("dice_glance", (CHECK_PX, CHECK_PX, 3))
        return [numbers.reshape(CHECK_OUTPUT_SIZE, 1, 1)] * len(outputs)

    monkeypatch.setattr(proposals, "run_network", answers)
    return numbers


def test_where_to_look(says: NDArray[np.float32]) -> None:
    """A quarter of an edge to the right and half as large again: told in pixels of the picture, with the search's score."""
    says[CHECK_CLASS], says[CHECK_TOP], says[CHECK_SIZE] = np.log([0.2, 0.7, 0.1]), (0.25, -0.1), np.log(1.5)
    glance = check_proposal(picture_with_square((160, 120), 24), DieSpot((160.0, 120.0), 20.0, 0.4))
    assert objectness(glance.class_log_p) == pytest.approx(0.8)
    assert glance.spot.centre_px == pytest.approx((165.0, 118.0))
    assert (glance.spot.size_px, glance.spot.score) == pytest.approx((30.0, 0.4))


def test_no_further_off_than_the_window_shows(says: NDArray[np.float32]) -> None:
    """Whatever the network makes of it."""
    says[CHECK_TOP], says[CHECK_SIZE] = (9.0, -9.0), 9.0
    glance = check_proposal(picture_with_square((160, 120), 24), DieSpot((160.0, 120.0), 20.0, 0.4))
    assert glance.spot.centre_px == pytest.approx((174.0, 106.0))
    assert glance.spot.size_px == pytest.approx(32.0)


SURE, NOTHING = np.log([0.01, 0.98, 0.01]), np.log([0.9, 0.06, 0.04])


@pytest.mark.parametrize(
    ("kinds", "top", "size", "glances"),
    [
        (SURE, (0.1, 0.0), 1.1, 1),
        (SURE, (0.5, 0.0), 1.1, 2),  # between two dice that touch
        (SURE, (0.0, 0.1), 0.65, 2),  # both of them taken for one
        (NOTHING, (0.5, 0.0), 0.65, 1),
    ],
)
def test_what_is_seen_far_off_is_glanced_at_once_more(
    monkeypatch: pytest.MonkeyPatch, kinds: NDArray[np.float64], top: tuple[float, float], size: float, glances: int
) -> None:
    """From where it was seen, and as large; the second glance is the one that is told."""
    first = np.zeros(CHECK_OUTPUT_SIZE, np.float32)
    first[CHECK_CLASS], first[CHECK_TOP], first[CHECK_SIZE] = kinds, top, np.log(size)
    second = first.copy()
    second[CHECK_CLASS], second[CHECK_TOP], second[CHECK_SIZE] = np.log([0.5, 0.25, 0.25]), (0.0, 0.0), 0.0
    said = iter([first, second])
    monkeypatch.setattr(proposals, "run_network", lambda *_: [next(said)])
    glance = check_and_recentre(picture_with_square((160, 120), 24), DieSpot((160.0, 120.0), 20.0, 0.4), 0.2)
    assert len(list(said)) == 2 - glances
    assert glance.spot.centre_px == pytest.approx((160 + 20 * top[0], 120 + 20 * top[1]))
    assert glance.spot.size_px == pytest.approx(20 * size)
    assert objectness(glance.class_log_p) == pytest.approx(
        0.5 if glances > 1 else float(np.exp(kinds[1:]).sum()), abs=1e-3
    )
