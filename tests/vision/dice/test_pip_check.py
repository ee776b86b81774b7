"""A glint is no pip, and neither is what is missing: dice that a test has drawn, with spots on them."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.dice.fake_networks import output
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.test_pip_template import BLACK, IVORY, MIDDLE_PX, RED, WHITE, Colour, drawn_face
from vision.dice import classification
from vision.dice.classification import classify_spot
from vision.dice.pip_check import (
    MAX_DEVIATION,
    MAX_MIDDLE_OFFSET,
    are_pips_consistent,
    fit_pattern,
    measure_middle_offset,
)
from vision.dice.pip_template import compute_pip_evidence, sample_face
from vision.dice.readings import ACCEPT_VALUE_P
from vision.dice.windows import DieSpot, WindowPlace

EDGE_PX = 30.0
PICTURE_PLANE = WindowPlace(None, MIDDLE_PX, EDGE_PX, EDGE_PX)
GLINT = (255, 255, 255)
COLOURS = st.sampled_from([(WHITE, BLACK), (IVORY, RED), (BLACK, WHITE), (RED, IVORY)])


def with_spot(picture: NDArray[np.uint8], x: float, y: float, colour: Colour = GLINT) -> NDArray[np.uint8]:
    """The spot is as large as a pip, so many edges from the middle of the die."""
    larger = 8
    big = cv2.resize(picture, None, fx=larger, fy=larger, interpolation=cv2.INTER_NEAREST)
    middle = [round(larger * (at + off * EDGE_PX + 0.5)) for at, off in zip(MIDDLE_PX, (x, y), strict=True)]
    cv2.circle(big, (middle[0], middle[1]), round(0.1 * EDGE_PX * larger), colour, -1)
    return np.asarray(cv2.resize(big, picture.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)


def apart(picture: NDArray[np.uint8], value: int) -> float:
    return fit_pattern(sample_face(picture, PICTURE_PLANE), value - 1).deviation


@given(value=st.integers(2, 6), turned_deg=st.floats(0, 180), colours=COLOURS, radius=st.floats(0.075, 0.11))
def test_a_plain_face_has_them_all(
    value: int, turned_deg: float, colours: tuple[Colour, Colour], radius: float
) -> None:
    """The die may be turned in any way, and its pips may be dark or light."""
    body, pips = colours
    assert (
        apart(drawn_face(value, turned_deg=turned_deg, body=body, pips=pips, radius=radius), value) < MAX_DEVIATION / 2
    )


@given(value=st.integers(2, 6), x=st.floats(-0.06, 0.06), y=st.floats(-0.06, 0.06), times=st.floats(0.9, 1.1))
def test_so_it_has_where_the_die_is_found_roughly(value: int, x: float, y: float, times: float) -> None:
    middle = (MIDDLE_PX[0] + x * EDGE_PX, MIDDLE_PX[1] + y * EDGE_PX)
    place = WindowPlace(None, middle, times * EDGE_PX, times * EDGE_PX)
    assert are_pips_consistent(sample_face(drawn_face(value, turned_deg=20), place), value - 1)


@pytest.mark.parametrize(
    ("shown", "at", "taken_for"),
    [(1, (0.25, 0.25), 3), (2, (0.0, 0.0), 3), (4, (0.0, 0.0), 5), (3, (0.25, -0.25), 5)],
    ids=["an ace for a three", "a two for a three", "a four for a five", "a three for a five"],
)
def test_a_white_glint_beside_black_pips_is_none(shown: int, at: tuple[float, float], taken_for: int) -> None:
    """On a body that is less white."""
    picture = with_spot(drawn_face(shown, body=(150, 160, 165)), *at)
    assert apart(picture, taken_for) > MAX_DEVIATION
    assert shown == 1 or apart(picture, shown) < MAX_DEVIATION


@pytest.mark.parametrize(("shown", "taken_for"), [(3, 5), (4, 6), (2, 3), (2, 4), (1, 3), (4, 5)])
def test_neither_is_one_that_is_missing(shown: int, taken_for: int) -> None:
    """Other pips of the face are there; another check asks whether any are."""
    assert apart(drawn_face(shown), taken_for) > MAX_DEVIATION


@pytest.mark.parametrize("value", range(2, 7))
def test_they_are_alike_in_a_shadow_too(value: int) -> None:
    """The shadow ends across the face and leaves two fifths of the light."""
    light = np.where(np.arange(120) < MIDDLE_PX[0], 0.4, 1.0)[:, None]
    picture = np.asarray(drawn_face(value, body=BLACK, pips=WHITE) * light, np.uint8)
    assert apart(picture, value) < MAX_DEVIATION


@pytest.mark.parametrize("value", range(2, 7))
def test_they_may_lie_nearer_to_the_edges(value: int) -> None:
    """A third further out than is usual, as on a die that is taken for so much smaller, and small."""
    place = WindowPlace(None, MIDDLE_PX, 0.75 * EDGE_PX, 0.75 * EDGE_PX)
    assert are_pips_consistent(sample_face(drawn_face(value, turned_deg=20, radius=0.05), place), value - 1)


@pytest.mark.parametrize("body", [WHITE, IVORY])
@pytest.mark.parametrize(
    ("value", "at"), [(2, (0.25, 0.25)), (3, (0, 0)), (4, (0.25, 0.25)), (5, (0, 0)), (6, (0.25, 0))]
)
def test_one_pip_may_be_red(body: Colour, value: int, at: tuple[float, float]) -> None:
    """The others are black, as on some dice."""
    assert are_pips_consistent(
        sample_face(with_spot(drawn_face(value, body=body, radius=0.1), *at, RED), PICTURE_PLANE), value - 1
    )


@given(
    value=st.sampled_from([3, 5]),
    turned_deg=st.floats(0, 180),
    colours=COLOURS,
    off=st.tuples(st.floats(-0.06, 0.06), st.floats(-0.06, 0.06)),
)
def test_the_middle_pip_lies_in_the_middle(
    value: int, turned_deg: float, colours: tuple[Colour, Colour], off: tuple[float, float]
) -> None:
    picture = drawn_face(value, turned_deg=turned_deg, body=colours[0], pips=colours[1])
    x, y = (at + share * EDGE_PX for at, share in zip(MIDDLE_PX, off, strict=True))
    face = sample_face(picture, WindowPlace(None, (x, y), EDGE_PX, EDGE_PX))
    assert measure_middle_offset(face, fit_pattern(face, value - 1)) < MAX_MIDDLE_OFFSET / 2


@given(value=st.sampled_from([2, 4]), turned_deg=st.floats(0, 180), off_way=st.floats(0, 2 * np.pi), colours=COLOURS)
def test_a_spot_just_beside_the_middle_is_no_pip(
    value: int, turned_deg: float, off_way: float, colours: tuple[Colour, Colour]
) -> None:
    body, pips = colours
    x, y = 0.09 * float(np.cos(off_way)), 0.09 * float(np.sin(off_way))
    picture = drawn_face(value, turned_deg=turned_deg, body=body, pips=pips)
    beside = sample_face(with_spot(picture, x, y, pips), PICTURE_PLANE)
    assert not are_pips_consistent(beside, value)
    assert are_pips_consistent(sample_face(with_spot(picture, 0.0, 0.0, pips), PICTURE_PLANE), value)


def test_an_ace_has_but_one() -> None:
    assert are_pips_consistent(sample_face(drawn_face(1), PICTURE_PLANE), 0)


SPOT = DieSpot((200 + MIDDLE_PX[0], 100 + MIDDLE_PX[1]), EDGE_PX, 1.0)


def on_the_board(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Seen from straight above, a pixel a millimetre."""
    larger = np.zeros((480, 640, 3), np.uint8)
    larger[100:220, 200:320] = picture
    return larger


@pytest.mark.parametrize(
    ("value", "has_glint", "is_accepted"), [(3, True, False), (2, True, True), (3, False, True)], ids=str
)
def test_a_face_made_by_a_glint_is_not_accepted(
    monkeypatch: pytest.MonkeyPatch, value: int, *, has_glint: bool, is_accepted: bool
) -> None:
    """However certain of it the network is."""
    numbers = output(face=value, face_p=0.9999)
    monkeypatch.setattr(classification, "run_network_on_planes", lambda *_: [numbers])
    glinting = with_spot(drawn_face(2, body=(150, 160, 165)), 0.0, 0.0)
    found = classify_spot(on_the_board(glinting if has_glint else drawn_face(value)), SPOT, STRAIGHT_DOWN)
    assert found is not None
    assert (found.output.face_p >= ACCEPT_VALUE_P) is is_accepted
    assert not is_accepted or int(found.output.face_log_p.argmax()) + 1 == value


def test_in_a_view_from_aside_nothing_is_asked() -> None:
    """Without a board nobody knows where pips are as the camera sees them."""
    picture = drawn_face(3)
    assert compute_pip_evidence(picture, DieSpot(MIDDLE_PX, EDGE_PX, 1.0), None).face_lab is None
    assert compute_pip_evidence(on_the_board(picture), SPOT, STRAIGHT_DOWN).face_lab is not None
