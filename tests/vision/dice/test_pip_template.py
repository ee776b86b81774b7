"""What the pattern of pips tells of a face that a test has drawn."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice.pip_template import PATTERNS, compute_pip_evidence
from vision.dice.windows import DieSpot

MIDDLE_PX = (60.0, 60.0)
WHITE, IVORY, BLACK, RED = (245, 245, 245), (205, 230, 240), (25, 25, 25), (40, 40, 190)
Colour = tuple[int, int, int]


def drawn_face(
    value: int,
    *,
    edge_px: float = 30.0,
    turned_deg: float = 0.0,
    body: Colour = WHITE,
    pips: Colour = BLACK,
    radius: float = 0.09,
    six_rows: float = 1.0,
) -> NDArray[np.uint8]:
    """A die from straight above on a green cloth, in a picture (120, 120, 3) BGR; smooth, for it is drawn larger first.

    `six_rows` is the distance between the two rows of a six as a share of the grid's.
    """
    larger = 4
    picture = np.full((120 * larger, 120 * larger, 3), (60, 110, 50), np.uint8)
    angle = np.radians(turned_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    middle = larger * (np.array(MIDDLE_PX) + 0.5) - 0.5
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) @ turn.T * edge_px * larger + middle
    cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], body)
    for place in np.array(PATTERNS[value - 1]) * (six_rows, 1) @ turn.T * 0.25 * edge_px * larger + middle:
        x, y = np.round(place).astype(int)
        cv2.circle(picture, (int(x), int(y)), round(radius * edge_px * larger), pips, -1)
    return cv2.resize(picture, (120, 120), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


SPOT = DieSpot(MIDDLE_PX, 30.0, 1.0)


def evidence_of(
    picture: NDArray[np.uint8], edge_px: float = 30.0, middle_px: tuple[float, float] = MIDDLE_PX
) -> NDArray[np.float64]:
    return compute_pip_evidence(picture, DieSpot(middle_px, edge_px, 1.0), None).face_log_likelihoods


@given(
    value=st.integers(1, 6),
    turned_deg=st.floats(0, 180),
    edge_px=st.floats(18, 60),
    colours=st.sampled_from([(WHITE, BLACK), (IVORY, RED), (BLACK, WHITE), (RED, IVORY)]),
    radius=st.floats(0.075, 0.11),
)
def test_the_face_is_read_in_every_orientation(
    value: int, turned_deg: float, edge_px: float, colours: tuple[Colour, Colour], radius: float
) -> None:
    """Dark pips on a light die or the other way round, small and large."""
    body, pips = colours
    face = drawn_face(value, edge_px=edge_px, turned_deg=turned_deg, body=body, pips=pips, radius=radius)
    evidence = evidence_of(face, edge_px)
    assert int(evidence.argmax()) + 1 == value
    assert evidence.max() == 0
    assert np.sort(evidence)[-2] < -1


@given(six_rows=st.floats(0.64, 1.0), turned_deg=st.floats(0, 180))
def test_a_six_with_its_rows_near_each_other(six_rows: float, turned_deg: float) -> None:
    face = drawn_face(6, turned_deg=turned_deg, radius=0.075, six_rows=six_rows)
    assert np.sort(evidence_of(face))[-2] < -2
    assert int(evidence_of(face).argmax()) + 1 == 6


@given(x=st.floats(-0.06, 0.06), y=st.floats(-0.06, 0.06), times=st.floats(0.9, 1.1), value=st.integers(1, 6))
def test_a_spot_that_is_a_little_off(x: float, y: float, times: float, value: int) -> None:
    """The spot comes from a network, which puts it about so exactly."""
    middle_px = (MIDDLE_PX[0] + 30 * x, MIDDLE_PX[1] + 30 * y)
    assert int(evidence_of(drawn_face(value, turned_deg=20), 30 * times, middle_px).argmax()) + 1 == value


def test_a_face_without_pips_says_nothing() -> None:
    assert np.ptp(evidence_of(np.full((120, 120, 3), 90, np.uint8))) == 0


def test_what_is_blurred_says_less() -> None:
    """At last the pips of a six run into two bars."""
    sharp = drawn_face(6)
    blurred = (cv2.GaussianBlur(sharp, (0, 0), blur_px).astype(np.uint8, copy=False) for blur_px in (0.5, 2.0, 3.5))
    second = [float(np.sort(evidence_of(picture))[-2]) for picture in blurred]
    assert second[0] < second[1] < second[2] < 0


@pytest.mark.parametrize("at_px", [(2.0, 2.0), (118.0, 60.0), (60.0, -500.0)])
def test_a_spot_at_the_end_of_the_picture_or_beyond_it(at_px: tuple[float, float]) -> None:
    """What lies outside repeats the edge."""
    assert np.isfinite(evidence_of(drawn_face(3), 30.0, at_px)).all()


def test_on_a_board_the_face_is_seen_from_straight_above() -> None:
    """The board tells how the picture has to be straightened."""
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[140:260, 140:260] = drawn_face(5, turned_deg=30)
    evidence = compute_pip_evidence(picture, DieSpot((200.0, 200.0), 30.0, 1.0), STRAIGHT_DOWN).face_log_likelihoods
    assert int(evidence.argmax()) + 1 == 5


def test_a_face_whose_pips_are_not_seen() -> None:
    """A five without its middle pip shows no ace, each face shows itself, and a face without pips shows no value."""
    four, bare = drawn_face(4), np.full((120, 120, 3), 90, np.uint8)
    assert compute_pip_evidence(four, SPOT, None).has_visible_pips.tolist()[0] is False
    assert all(compute_pip_evidence(drawn_face(value), SPOT, None).has_visible_pips[value - 1] for value in range(1, 7))
    assert not compute_pip_evidence(bare, SPOT, None).has_visible_pips.any()
