import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tests.vision.training.rendered.scenes import CAMERA, SIZE, drawn, made_by_hand
from vision.dice.readings import DieState
from vision.training.rendered.dice_windows.release_finder import ReleaseFinder, RestGoal, draw_level_rotation
from vision.training.rendered.layout.dice_state import find_up_face
from vision.training.rendered.layout.rotations import about, quaternion

SEEDS = st.integers(0, 10_000)
ANGLES = st.floats(-6, 6)


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda axis: np.linalg.norm(axis) > 0.1), ANGLES)
def test_a_quaternion_turns_as_its_matrix(axis: tuple[float, float, float], angle: float) -> None:
    unit = np.array(axis) / np.linalg.norm(axis)
    expected = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * unit)])
    found = quaternion(about(axis, angle))
    assert abs(float(found @ expected)) == pytest.approx(1, abs=1e-9)


@given(SEEDS, ANGLES)
def test_a_level_die_has_one_face_up(seed: int, yaw: float) -> None:
    turn = draw_level_rotation(np.random.default_rng(seed), yaw)
    assert_allclose(turn @ turn.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(turn) == pytest.approx(1)
    assert find_up_face(turn)[1] == pytest.approx(0, abs=1e-3)


def test_every_face_comes_up() -> None:
    rng = np.random.default_rng(1)
    assert {find_up_face(draw_level_rotation(rng, 0.3))[0] for _ in range(60)} == {1, 2, 3, 4, 5, 6}


@given(SEEDS, st.sampled_from(RestGoal))
def test_dice_are_released_above_the_table(seed: int, aim: RestGoal) -> None:
    scene = drawn(3)[seed % 3]
    table = scene.table
    release = ReleaseFinder(np.random.default_rng(seed), table, scene.camera.eye_mm).release(aim, [])
    lowest = release.centre_mm[2] - np.abs(release.rotation[2]).sum() * table.size.die_mm / 2
    assert table.shape.table_z_mm - 1 < lowest < 200


@given(SEEDS)
def test_hidden_dice_lie_beyond_the_checker(seed: int) -> None:
    table = made_by_hand().table
    release = ReleaseFinder(np.random.default_rng(seed), table, CAMERA.eye_mm).release(RestGoal.HIDDEN, [])
    apart = [np.hypot(*(release.centre_mm[:2] - checker.base_mm[:2])) for checker in table.checkers]
    assert min(apart) < SIZE.checker_mm / 2 + SIZE.die_mm


@given(SEEDS)
def test_dice_astride_fall_tipped_beside_or_on_a_checker(seed: int) -> None:
    """Tilted, unlike dice aimed on checkers, and with every corner free."""
    scene = drawn(3)[seed % 3]
    table = scene.table
    release = ReleaseFinder(np.random.default_rng(seed), table, scene.camera.eye_mm).release(RestGoal.ASTRIDE, [])
    level = ReleaseFinder(np.random.default_rng(seed), table, scene.camera.eye_mm).release(RestGoal.ON_CHECKER, [])
    assert find_up_face(level.rotation)[1] < min(0.01, find_up_face(release.rotation)[1])
    on_board = [checker for checker in table.checkers if checker.place != "off"]
    apart_mm = min(np.hypot(*(release.centre_mm[:2] - checker.base_mm[:2])) for checker in on_board)
    assert apart_mm < 0.8 * table.size.checker_mm + 1.5 * table.size.die_mm
    lowest_mm = release.centre_mm[2] - np.abs(release.rotation[2]).sum() * table.size.die_mm / 2
    assert lowest_mm > 0.4


def test_dice_astride_are_let_go_as_far_from_level_as_they_come_to_rest() -> None:
    """The tilt is the magnitude of a normal distribution with 12 degrees."""
    scene = drawn(3)[0]
    places = ReleaseFinder(np.random.default_rng(5), scene.table, scene.camera.eye_mm)
    tilts_deg = [find_up_face(places.release(RestGoal.ASTRIDE, []).rotation)[1] for _ in range(200)]
    assert np.median(tilts_deg) == pytest.approx(0.6745 * 12, abs=2)
    assert np.quantile(tilts_deg, 0.95) < 30


def test_aims_know_when_they_are_met() -> None:
    assert RestGoal.TOUCHING.is_met_by(DieState.FLAT, 0.0)
    assert RestGoal.LEANING_BAR.is_met_by(DieState.COCKED, 30.0)
    assert RestGoal.ASTRIDE.is_met_by(DieState.COCKED, 30.0)
    assert RestGoal.WEDGED.is_met_by(DieState.COCKED, 12.0)
    assert not RestGoal.WEDGED.is_met_by(DieState.COCKED, 30.0)
    assert not RestGoal.LEANING_BAR.is_met_by(DieState.FLAT, 0.0)
    assert [state for state in DieState if RestGoal.ON_RIM.is_met_by(state, 0.0)] == [DieState.ON_RIM]


@pytest.mark.broad
def test_wedged_dice_are_let_go_beside_checkers() -> None:
    """Their middle is about at the rim of the nearest checker."""
    scene = drawn(3)[0]
    places = ReleaseFinder(np.random.default_rng(5), scene.table, scene.camera.eye_mm)
    on_board = [checker.base_mm[:2] for checker in scene.table.checkers if checker.place != "off"]
    wedged, lying = (
        [min(np.hypot(*(places.release(aim, []).centre_mm[:2] - base_mm)) for base_mm in on_board) for _ in range(200)]
        for aim in (RestGoal.WEDGED, RestGoal.ON_CHECKER)
    )
    radius_mm = scene.table.size.checker_mm / 2
    assert np.median(wedged) == pytest.approx(radius_mm, rel=0.15)
    assert np.quantile(wedged, 0.1) > np.median(lying)
