"""Labels of dice in photographs of boards."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.rules import BadThrow
from tests.benchmarks.board_photographs import DIE_POINTS, photographed_boards
from vision.dice.readings import BoardHalf

PICTURES = Path(__file__).parent.parent / "vision" / "pictures"


def label_of_start() -> dict[str, Any]:
    lines = (PICTURES / "labels.jsonl").read_text("utf-8").splitlines()
    return next(one for one in map(json.loads, lines) if one["image"] == "start.jpg")


def labelled(folder: Path, dice: list[Mapping[str, Any]], image: str = "start.jpg") -> None:
    shutil.copy(PICTURES / "start.jpg", folder)
    reported = label_of_start() | {"image": image, "dice": dice, "view": "top-down", "source": "here start.jpg"}
    (folder / "labels.jsonl").write_text(json.dumps(reported) + "\n", "utf-8")


def die_at(share: float, corners: list[tuple[float, float]], value: int | None = 4) -> Mapping[str, Any]:
    """A point half-way down the field, at this share of its width."""
    left, right = (np.mean([corners[one], corners[other]], axis=0) for one, other in ((0, 3), (1, 2)))
    x, y = left + share * (right - left)
    return {"value": value, "x": float(x), "y": float(y), "state": "flat"}


@pytest.fixture
def corners() -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = label_of_start()["corners"]
    return found


def test_its_dice_lie_in_the_halves_of_the_board_at_its_corners(
    corners: list[tuple[float, float]], tmp_path: Path
) -> None:
    labelled(tmp_path, [die_at(0.2, corners), die_at(0.8, corners, 3)])
    (label,) = photographed_boards(tmp_path)
    assert [die.half for die in label.dice] == [BoardHalf.LEFT, BoardHalf.RIGHT]
    assert label.throw is not None
    assert label.throw.reason is BadThrow.SPLIT
    point_px = (corners[1][0] - corners[0][0]) / 13
    assert label.dice[0].size_px == pytest.approx(DIE_POINTS * point_px, rel=0.2)


def test_a_die_that_nobody_could_read_is_not_asked_for(corners: list[tuple[float, float]], tmp_path: Path) -> None:
    labelled(tmp_path, [die_at(0.2, corners, None)])
    (label,) = photographed_boards(tmp_path)
    assert [die.is_asked for die in label.dice] == [False]


@pytest.mark.parametrize("image", ["blank.png", "missing.jpg"])
def test_where_no_board_is_at_the_corners_it_is_reported_and_left_out(
    image: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled(tmp_path, [], image=image)
    cv2.imwrite(str(tmp_path / "blank.png"), np.zeros((60, 80, 3), np.uint8))
    assert list(photographed_boards(tmp_path)) == []
    assert image in capsys.readouterr().err
