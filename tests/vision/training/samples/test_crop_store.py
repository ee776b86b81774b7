"""Crops on the disk, and crops cut from rendered pictures."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.training.known_dice import board_below, crop_with, flat_die
from vision.dice.readings import DieState
from vision.training.samples.crop_store import list_crops, read_crop, write_crops
from vision.training.samples.rendered_crops import cut_crops, read_labelled_dice

LABEL = Path(__file__).parents[1] / "labels" / "dice.json"


def test_what_is_written_is_read(tmp_path: Path) -> None:
    board = board_below(under_mm=(180.0, 90.0))
    cube = replace(flat_die(board, (240.0, 210.0)), face=None, cube_value=64)
    crop = crop_with(flat_die(board, (250.0, 200.0)), cube, board=board)
    crop.pixels[30:50, 40:60] = (10, 200, 30)
    assert write_crops(tmp_path, [crop, crop], first=7) == 2
    files = list_crops([tmp_path])
    assert [file.name for file in files] == ["000007.json", "000008.json"]
    again = read_crop(files[1])
    assert (again.pixels == crop.pixels).all()
    assert again.dice == crop.dice
    assert again.board.field == board.field
    assert again.board.projection.homography == pytest.approx(board.projection.homography)
    assert again.board.projection.camera_mm == pytest.approx(board.projection.camera_mm)


def test_a_label_without_its_picture_is_named(tmp_path: Path) -> None:
    board = board_below()
    write_crops(tmp_path, [crop_with(board=board)], first=0)
    (tmp_path / "000000.png").unlink()
    with pytest.raises(OSError, match=r"000000\.png"):
        read_crop(tmp_path / "000000.json")


def test_dice_of_a_path_traced_picture() -> None:
    """The upper face, computed from base, tilt and size, is where the label says."""
    board, dice = read_labelled_dice(LABEL)
    labels = [die for die in json.loads(LABEL.read_text())["dice"] if die["in_image"]]
    assert len([die for die in dice if die.cube_value is None]) == len(labels) > 0
    assert {die.state for die in dice} >= {DieState.COCKED}
    for die, label in zip(dice, labels, strict=False):
        up = float(np.sqrt(max(1 - np.dot(die.normal, die.normal), 0)))
        assert np.degrees(np.arccos(up)) == pytest.approx(label["tilt_deg"], abs=0.05)
        top_mm = np.array(die.base_mm) + np.array(die.normal) * die.size_mm
        shown = board.projection.to_picture([top_mm], die.base_height_mm + up * die.size_mm)[0]
        assert shown == pytest.approx(label["top_centre_px"], abs=0.35)


def test_pieces_keep_their_dice(tmp_path: Path) -> None:
    """A pixel painted on a die's top is where the crop's own board and label say."""
    label = shutil.copy(LABEL, tmp_path / "0001.json")
    content = json.loads(LABEL.read_text())
    picture = np.full((content["height"], content["width"], 3), 50, np.uint8)
    die = read_labelled_dice(LABEL)[1][0]
    x, y = (round(value) for value in die.top_px)
    cv2.circle(picture, (x, y), 2, (255, 255, 255), -1)
    cv2.imwrite(str(tmp_path / "0001.jpg"), picture)
    crops = list(cut_crops(Path(label), np.random.default_rng(1)))
    shown = [crop for crop in crops if crop.pixels.max() > 200]
    assert shown
    for crop in shown:
        moved = crop.dice[0]
        assert crop.pixels[round(moved.top_px[1]), round(moved.top_px[0])].min() > 200
        up = float(np.sqrt(max(1 - np.dot(moved.normal, moved.normal), 0)))
        top_mm = np.array(moved.base_mm) + np.array(moved.normal) * moved.size_mm
        at = crop.board.projection.to_picture([top_mm], moved.base_height_mm + up * moved.size_mm)[0]
        assert at == pytest.approx(moved.top_px, abs=0.35)
