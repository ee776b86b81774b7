import numpy as np
import pytest

from tests.vision.training.rendered.scenes import SIZE, drawn, flat_die
from vision.dice.readings import DieState
from vision.training.rendered.layout.board_shape import build_board_shape
from vision.training.rendered.layout.dice_state import (
    FACE_AXES,
    ThrowOutcome,
    find_up_face,
    judge_die,
    judge_throw,
    upper_quad,
)
from vision.training.rendered.layout.rotations import about, from_upright

SHAPE = build_board_shape(SIZE)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_upper_face_is_read(face: int) -> None:
    rotation = from_upright(FACE_AXES[face]).T
    read, tilt_deg = find_up_face(rotation)
    assert read == face
    assert tilt_deg == pytest.approx(0, abs=1e-5)
    read, tilt_deg = find_up_face(about((1, 0.5, 0), np.radians(10)) @ rotation)
    assert read == face
    assert tilt_deg == pytest.approx(10)


@pytest.mark.parametrize(
    ("centre", "supports", "tilt_deg", "state", "half"),
    [
        ((100, 0, 7), {"floor"}, 0, DieState.FLAT, "right"),
        ((-100, 0, 7), {"floor"}, 2.9, DieState.FLAT, "left"),
        ((100, 0, 8), {"floor", "checker3"}, 3.1, DieState.COCKED, "right"),
        ((100, 0, 15), {"checker3"}, 0, DieState.ON_CHECKER, "right"),
        ((5, 0, 17), {"bar"}, 0, DieState.ON_BAR, None),
        ((210, 0, 19), {"rim_right"}, 0, DieState.ON_RIM, None),
        ((100, 0, 12), {"floor"}, 0, DieState.COCKED, "right"),
        ((300, 0, -3), {"table"}, 0, DieState.OFF_BOARD, None),
    ],
)
def test_a_die_is_judged(
    centre: tuple[float, float, float], supports: set[str], tilt_deg: float, state: DieState, half: str | None
) -> None:
    """Each way to lie on a board of 400 x 300 mm with a bar of 40 mm, 10 mm high; only a flat die has a value."""
    rotation = about((1, 0, 0), np.radians(tilt_deg))
    die = judge_die(np.array(centre), rotation, frozenset(supports), size=SIZE, shape=SHAPE)
    assert (die.state, die.half) == (state, half)
    assert die.value == (1 if state is DieState.FLAT else None)


def test_a_roll_needs_two_dice_in_one_half() -> None:
    right, left = flat_die(100, 0), flat_die(-100, 0)
    assert judge_throw((right, flat_die(60, 40))) is ThrowOutcome.OK
    assert judge_throw((right, left)) is ThrowOutcome.SPLIT_HALVES
    assert judge_throw((right,)) is ThrowOutcome.ONE_DIE
    assert judge_throw(()) is ThrowOutcome.NO_ROLL


def test_the_upper_quad_is_the_top_of_the_cube() -> None:
    """A die of 14 mm at rest has its upper corners 14 mm high, 7 mm either way of its middle."""
    corners, middle = upper_quad(flat_die(100, 0), 14)
    assert middle.tolist() == [100, 0, 14]
    assert sorted(map(tuple, corners.round(6).tolist())) == [(93, -7, 14), (93, 7, 14), (107, -7, 14), (107, 7, 14)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "wanted", [ThrowOutcome.OK, ThrowOutcome.COCKED, ThrowOutcome.SPLIT_HALVES, ThrowOutcome.OFF_BOARD]
)
def test_throws_end_as_wanted(wanted: ThrowOutcome) -> None:
    pytest.importorskip("mujoco", reason="the renderer has an environment of its own; see vision/training/README.md")
    from vision.training.rendered.layout.dice_throw import throw_dice

    found = 0
    for scene in drawn(5):
        dice = throw_dice(np.random.default_rng(scene.seed), scene.table, wanted)
        found += judge_throw(dice) is wanted
        assert all(die.centre_mm[2] > scene.table.shape.table_z_mm for die in dice)
    assert found >= 4
