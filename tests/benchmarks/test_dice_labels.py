"""Which dice of a picture's label count for the benchmark of the dice."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.dice_labels import rendered_labels

LABEL = Path(__file__).parent.parent / "vision" / "training" / "labels" / "dice.json"


@pytest.mark.parametrize(
    ("left_px", "dice", "asked"), [(10.0, 2, [True, True]), (-8.0, 2, [True, False]), (-30.0, 1, [True])]
)
def test_a_die_partly_beyond_the_edge_is_there_and_not_asked_for(
    left_px: float, dice: int, asked: list[bool], tmp_path: Path
) -> None:
    content = json.loads(LABEL.read_text("utf-8"))
    die = content["dice"][1]
    right_px = left_px - min(x for x, _ in die["quad_px"])
    die["quad_px"] = [[x + right_px, y] for x, y in die["quad_px"]]
    (tmp_path / "0000.json").write_text(json.dumps(content), "utf-8")
    (label,) = rendered_labels(tmp_path)
    assert len(label.dice) == dice
    assert [die.is_asked for die in label.dice] == asked
