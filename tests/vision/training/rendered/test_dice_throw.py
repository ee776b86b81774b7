import numpy as np
import pytest

from tests.vision.training.rendered.scenes import drawn
from vision.training.rendered.layout.dice_state import ThrowOutcome, judge_throw


@pytest.mark.slow
@pytest.mark.parametrize(
    "wanted", [ThrowOutcome.OK, ThrowOutcome.COCKED, ThrowOutcome.SPLIT_HALVES, ThrowOutcome.OFF_BOARD]
)
def test_throws_end_as_wanted(wanted: ThrowOutcome) -> None:
    """On most boards a throw with the wanted outcome is found, and every die is at rest above the table."""
    pytest.importorskip("mujoco", reason="the renderer has an environment of its own; see vision/training/README.md")
    from vision.training.rendered.layout.dice_throw import throw_dice

    found = 0
    for scene in drawn(5):
        dice = throw_dice(np.random.default_rng(scene.seed), scene.table, wanted)
        found += judge_throw(dice) is wanted
        assert all(die.centre_mm[2] > scene.table.shape.table_z_mm for die in dice)
    assert found >= 4
