"""Resting dice touch what they lean on, and nothing penetrates anything."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.training.dice_grounds import FIELD, HEIGHTS, plain_ground
from vision.dice.readings import Contact, DieState
from vision.training.drawn_dice.ground import Ground
from vision.training.drawn_dice.light import Body
from vision.training.drawn_dice.random_rests import EVERYWHERE, random_rest
from vision.training.drawn_dice.resting_poses import (
    LieGoal,
    WallEdge,
    is_free,
    lean_against_wall,
    least_tilt_rad,
    rest_on_ground,
    rest_over_edge,
    rotation,
    tilt_deg,
)
from vision.training.drawn_dice.shape import Shape, distance, reach_mm

SIZES = st.floats(9, 16)
EDGES = st.floats(0.02, 0.2)
YAWS = st.floats(0, 2 * np.pi)
WAYS = st.floats(0, 2 * np.pi)


def _surface(shape: Shape) -> np.ndarray:
    """(3, n) points on the body, found from outside inward."""
    rng = np.random.default_rng(0)
    ways = rng.standard_normal((3, 3000)).astype(np.float32)
    ways /= np.linalg.norm(ways, axis=0)
    far = np.full(3000, shape.size_mm, np.float32)
    for _ in range(40):
        far -= distance(shape, ways * far)
    return ways * far


def _lowest_mm(body: Body) -> float:
    return float(body.middle_mm[2] - reach_mm(body.shape, -body.rotation[2]))


def _away_mm(body: Body, x: float, y: float, z: float) -> float:
    return float(distance(body.shape, body.to_own(np.array([[x], [y], [z]], np.float32)))[0])


@given(SIZES, EDGES, st.booleans(), st.integers(0, 2**32 - 1))
def test_nothing_of_a_body_is_beyond_its_reach_and_something_is_close_to_it(
    size: float, edge: float, is_ball: bool, seed: int
) -> None:
    shape = Shape(size, size * min(edge, 0.09), size * 0.72) if is_ball else Shape(size, size * edge)
    way = np.random.default_rng(seed).standard_normal(3)
    way /= np.linalg.norm(way)
    farthest = float((way @ _surface(shape)).max())
    assert farthest <= reach_mm(shape, way) + 0.05
    assert farthest >= reach_mm(shape, way) - 0.06 * size


@given(SIZES, EDGES, YAWS, WAYS, st.tuples(st.floats(4, 10), st.floats(0, 1)))
def test_a_die_over_an_edge_touches_the_edge_and_the_floor(
    size: float, edge: float, yaw: float, into_rad: float, height_and_share: tuple[float, float]
) -> None:
    height, share = height_and_share
    shape = Shape(size, size * edge)
    wall = WallEdge(
        np.array([50.0, 80.0]), np.array([np.cos(into_rad), np.sin(into_rad)]), height, Contact.CHECKER, True
    )
    least = least_tilt_rad(shape, wall, yaw)
    if least > 0.75:
        return
    tilt = least + share * (0.76 - least) + 1e-3
    body = rest_over_edge(shape, wall, yaw_rad=yaw, tilt_rad=tilt, aside_mm=0.0, floor_mm=0.0)
    if body is None:
        return  # the edge is not under the face
    assert _lowest_mm(body) == pytest.approx(0, abs=1e-6)
    assert _away_mm(body, 50.0, 80.0, height) == pytest.approx(0, abs=0.02)
    assert tilt_deg(body) == pytest.approx(np.degrees(tilt), abs=0.01)
    assert body.rotation[:2, 2] @ wall.into < 0, "the upper face tips away from what lifts it"


def test_a_die_that_leans_on_a_checker_tilts_by_what_geometry_says() -> None:
    """A 14 mm die with sharp edges, corner ahead, over 5, 6, 8 and 9 mm: at least 15, 18, 24 and 27 degrees."""
    shape = Shape(14.0, 0.0)
    for height, least in ((5, 15), (6, 18), (8, 24), (9, 27)):
        wall = WallEdge(np.zeros(2), np.array([1.0, 0.0]), height, Contact.CHECKER, True)
        assert np.degrees(least_tilt_rad(shape, wall, np.pi / 4)) == pytest.approx(least, abs=0.5)


@given(SIZES, EDGES, YAWS, WAYS, st.floats(4, 40))
def test_a_die_against_a_wall_touches_the_wall_and_the_floor(
    size: float, edge: float, yaw: float, into_rad: float, tilt: float
) -> None:
    shape = Shape(size, size * edge)
    into = np.array([np.cos(into_rad), np.sin(into_rad)])
    wall = WallEdge(np.array([50.0, 80.0]), into, 15.0, Contact.RIM, False)
    body = lean_against_wall(shape, wall, yaw_rad=yaw, tilt_rad=np.radians(tilt), aside_mm=1.0, floor_mm=0.0)
    assert body is not None
    assert _lowest_mm(body) == pytest.approx(0, abs=1e-6)
    towards = into @ (body.rotation @ _surface(shape) + body.middle_mm[:, None])[:2]
    assert towards.max() == pytest.approx(into @ wall.place_mm, abs=0.06 * size)
    assert towards.max() <= into @ wall.place_mm + 0.05


def test_a_low_wall_holds_no_lower_edge() -> None:
    wall = WallEdge(np.zeros(2), np.array([1.0, 0.0]), 2.0, Contact.BAR, False)
    assert lean_against_wall(Shape(14, 1), wall, yaw_rad=0, tilt_rad=0.6, aside_mm=0, floor_mm=0) is None


@pytest.mark.parametrize("lying", list(LieGoal))
def test_dice_by_chance_lie_as_wished_and_go_through_nothing(lying: LieGoal) -> None:
    ground = plain_ground(checkers_mm=((60, 60), (330, 200), (400, 330)))
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(40):
        rest = random_rest(rng, Shape(13, 1.2), lying, ground=ground, others=(), reach=EVERYWHERE)
        if rest is None:
            continue
        found += 1
        assert is_free(ground, rest.body, ())
        assert _lowest_mm(rest.body) == pytest.approx(rest.ground_mm, abs=1e-6)
        tilt, (x, y, _) = tilt_deg(rest.body), rest.body.middle_mm
        if rest.state is DieState.FLAT:
            assert rest.body.rotation[2, 2] >= np.cos(np.radians(3))
            assert rest.ground_mm == 0
        if rest.state is DieState.COCKED:
            assert tilt > 3
        if lying is LieGoal.OVER_EDGE:
            assert rest.state is DieState.COCKED
            assert rest.contact in (Contact.CHECKER, Contact.BAR, Contact.RIM)
        if lying is LieGoal.BESIDE:
            assert rest.state is DieState.FLAT
        if rest.state is DieState.ON_CHECKER:
            assert rest.contact is Contact.CHECKER
            assert rest.ground_mm == HEIGHTS.checker_mm
        if rest.state is DieState.ON_BAR:
            assert FIELD.bar_left_mm < x < FIELD.bar_right_mm
        if lying is LieGoal.OFF_BOARD:
            assert rest.state is DieState.OFF_BOARD
            assert max(-x, x - FIELD.width_mm, -y, y - FIELD.height_mm) > HEIGHTS.rim_width_mm
    assert found >= 20


@pytest.mark.broad
def test_what_lies_flat_beside_a_checker_does_not_lean_on_it_and_is_hardly_away() -> None:
    ground = plain_ground(checkers_mm=((100, 200),))
    rng = np.random.default_rng(4)
    rests = [
        random_rest(rng, Shape(14, 1), LieGoal.BESIDE, ground=ground, others=(), reach=EVERYWHERE) for _ in range(120)
    ]
    touching = [rest for rest in rests if rest is not None and rest.contact is Contact.CHECKER]
    assert len(touching) >= 10
    radius = float(ground.radii_mm[0])
    around = np.linspace(0, 2 * np.pi, 720)
    for rest in touching:
        assert tilt_deg(rest.body) < 3
        side = [_away_mm(rest.body, 100 + radius * np.cos(a), 200 + radius * np.sin(a), 5.0) for a in around]
        assert -0.05 < min(side) < 3.0
    assert any(rest is not None and rest.contact is Contact.NOTHING for rest in rests)


def _lies_free(ground: Ground, x: float, y: float, height: float = 0.0, *others: Body) -> bool:
    return is_free(ground, _flat(x, y, height), others)


def _flat(x: float, y: float, height: float) -> Body:
    return rest_on_ground(Shape(14, 1), rotation(0.3, 0.0, np.array([1.0, 0.0])), np.array([x, y]), height)


def test_what_goes_through_another_is_not_free() -> None:
    ground = plain_ground(checkers_mm=((100, 100),), things_mm=((300, 300, 10),))
    assert _lies_free(ground, 60, 60)
    assert not _lies_free(ground, 100, 100), "inside a checker"
    assert not _lies_free(ground, 123, 100), "half in a checker"
    assert _lies_free(ground, 100, 100, HEIGHTS.checker_mm)
    assert not _lies_free(ground, 3, 200), "in the rim"
    assert not _lies_free(ground, 218, 200), "in the bar"
    assert not _lies_free(ground, 305, 300), "on what lies there"
    assert not _lies_free(ground, 66, 66, 0.0, _flat(60, 60, 0)), "in another die"
    assert _lies_free(ground, 90, 60, 0.0, _flat(60, 60, 0))
