"""Which dice of a picture's label count for the benchmark of the dice."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.dice_labels import rendered_labels, with_sides

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


def test_a_side_of_a_die_is_in_its_place() -> None:
    """Of one that stands at 40 degrees the side that faces the camera is as plain as the upper face."""
    edge_mm, tilt = 14.0, np.radians(40)
    up, along, across = (
        np.array(way) for way in ((np.sin(tilt), 0, np.cos(tilt)), (np.cos(tilt), 0, -np.sin(tilt)), (0, 1, 0))
    )
    seen_from_above = np.eye(3)[:2]
    corners = [up + one * along + other * across for one, other in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    quad_px = edge_mm / 2 * np.array(corners) @ seen_from_above.T
    upper_px = tuple(edge_mm / 2 * seen_from_above @ up)
    places = np.array(with_sides((upper_px, (0.0, 0.0)), quad_px))
    for side in (along, -along, across, -across):
        assert np.linalg.norm(places - edge_mm / 2 * seen_from_above @ side, axis=1).min() < 1e-9


def test_where_only_one_place_is_labelled_nothing_is_known_of_sides() -> None:
    assert with_sides(((3.0, 4.0),), np.zeros((4, 2))) == ((3.0, 4.0),)
