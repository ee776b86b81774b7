"""Which dice of a picture's label count for the benchmark of the dice."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.dice_labels import A_HAND, NO_HAND, BadLabelError, photograph_labels, rendered_labels, with_sides

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


@pytest.mark.parametrize(("still", "group"), [(True, NO_HAND), (False, A_HAND)])
def test_a_hand_in_view_is_reported_of_every_die(still: bool, group: str, tmp_path: Path) -> None:
    content = json.loads(LABEL.read_text("utf-8")) | {"still": still}
    (tmp_path / "0000.json").write_text(json.dumps(content), "utf-8")
    (label,) = rendered_labels(tmp_path)
    assert group in label.groups
    assert (label.throw is None) == (not still)


class TestSides:
    """A die that leans by 40 degrees shows the side that faces the camera as plainly as its upper face."""

    TILT_DEG = 40.0
    TURN = np.radians(TILT_DEG)
    UP, ALONG, ACROSS = np.array(
        [(np.sin(TURN), 0, np.cos(TURN)), (np.cos(TURN), 0, -np.sin(TURN)), (0, 1, 0)]
    )  # the camera readings down along the third axis
    QUAD_PX = UP[:2] + np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) @ np.array([ALONG[:2], ACROSS[:2]])
    UPPER_AND_MIDDLE = ((float(UP[0]), float(UP[1])), (0.0, 0.0))

    @pytest.mark.parametrize("turned", [1, -1])
    def test_those_that_show_are_in_its_place(self, turned: int) -> None:
        places = with_sides(self.UPPER_AND_MIDDLE, self.QUAD_PX[::turned], self.TILT_DEG)
        assert np.array(places[2:]) == pytest.approx(-self.ALONG[None, :2])

    def test_not_of_a_die_that_hardly_leans(self) -> None:
        assert with_sides(self.UPPER_AND_MIDDLE, self.QUAD_PX, 9.0) == self.UPPER_AND_MIDDLE

    def test_where_only_one_place_is_labelled_nothing_is_known_of_them(self) -> None:
        assert with_sides(((3.0, 4.0),), self.QUAD_PX, self.TILT_DEG) == ((3.0, 4.0),)


class TestBadLabels:
    def test_a_file_that_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "0001.json").write_text('{"dice": [', encoding="utf-8")
        with pytest.raises(BadLabelError, match=r"0001\.json: this is no label"):
            list(rendered_labels(tmp_path))

    @pytest.mark.parametrize("line", ["{", "{}", '{"image": "a.jpg", "dice": [{"value": 3}], "view": "top"}'])
    def test_a_line_that_is_none(self, tmp_path: Path, line: str) -> None:
        (tmp_path / "labels.jsonl").write_text(line, encoding="utf-8")
        with pytest.raises(BadLabelError, match=r"labels\.jsonl, line 1: this is no label"):
            list(photograph_labels(tmp_path))
