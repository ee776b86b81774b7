"""Pictures of boards with objects that are no dice."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.training.known_dice import FIELD, board_below, flat_die
from vision.simulated.truth import CheckerTruth, TableTruth
from vision.training.samples import clutter_augmentation as module
from vision.training.samples.clutter_augmentation import FREE_EDGES, add_clutter, list_things, write_cluttered_pictures

LABELS = Path(__file__).parents[1] / "labels"


def board_with(*checkers: CheckerTruth) -> TableTruth:
    projection = board_below().projection
    a, b, c, d, e, f, g, h, i = projection.homography
    top_left, top_right, low_right, low_left = (
        (float(x), float(y)) for x, y in projection.to_picture(FIELD.corners_mm)
    )
    return TableTruth(
        image_size_px=(200, 200),
        field_corners_px=(top_left, top_right, low_right, low_left),
        focal_px=projection.lens.focal_px,
        centre_px=projection.lens.centre_px,
        k1=0.0,
        homography=((a, b, c), (d, e, f), (g, h, i)),
        field_mm=(FIELD.width_mm, FIELD.height_mm),
        bar_span_mm=(FIELD.bar_left_mm, FIELD.bar_right_mm),
        point_pitch_mm=FIELD.pitch_mm,
        places=(),
        bar_light=0,
        bar_dark=0,
        checkers=checkers,
    )


BOARD = board_with()


@pytest.fixture
def things(tmp_path: Path) -> list[Path]:
    """A magenta disc and a green square, cut out."""
    folder = tmp_path / "things"
    folder.mkdir()
    disc, square = np.zeros((64, 64, 4), np.uint8), np.zeros((40, 64, 4), np.uint8)
    cv2.circle(disc, (32, 32), 30, (255, 0, 255, 255), -1)
    square[4:-4, 4:-4] = (0, 255, 0, 255)
    cv2.imwrite(str(folder / "disc.png"), disc)
    cv2.imwrite(str(folder / "square.webp"), square)
    return list_things(folder)


def grey() -> np.ndarray:
    return np.full((200, 200, 3), 90, np.uint8)


@pytest.mark.broad
def test_things_lie_everywhere_but_on_dice(things: list[Path]) -> None:
    """In a hundred pictures objects cover nearly all of the board, and never the die."""
    die = flat_die(board_below(), (250.0, 200.0))
    changed = np.zeros((200, 200), bool)
    for number in range(100):
        picture = add_clutter(grey(), BOARD, [die], things, np.random.default_rng(number))
        changed |= np.abs(picture.astype(int) - 90).max(axis=2) > 20
    rows, columns = np.mgrid[:200, :200]
    far = np.hypot(columns - die.top_px[0], rows - die.top_px[1])
    assert not changed[far < 0.8 * die.size_px].any()
    assert changed[far > (FREE_EDGES + 0.5) * die.size_px].mean() > 0.95


def test_what_covers_is_seen_as_it_is(things: list[Path]) -> None:
    """Some pixels become far brighter, some darker and some more coloured."""
    pictures = [add_clutter(grey(), BOARD, [], things, np.random.default_rng(number)) for number in range(10)]
    colours = np.concatenate([picture.reshape(-1, 3).astype(int) for picture in pictures])
    assert colours.max() > 200
    assert colours.max(axis=1).min() < 70
    assert np.ptp(colours, axis=1).max() > 100


def test_labels_come_along_and_numbers_decide(things: list[Path], tmp_path: Path) -> None:
    """The same number gives the same picture, whichever others are made with it."""
    boards = tmp_path / "boards"
    boards.mkdir()
    label = json.loads((LABELS / "dice.json").read_text("utf-8"))
    cv2.imwrite(str(boards / "0000.jpg"), np.full((label["height"], label["width"], 3), 90, np.uint8))
    (boards / "0000.json").write_text(json.dumps(label), "utf-8")
    for out, first, count in (("all", 0, 3), ("last", 2, 1)):
        write_cluttered_pictures(tmp_path / out, [boards / "0000.jpg"], things, first=first, count=count, seed=7)
    made = [(tmp_path / "all" / f"{number:06d}.jpg").read_bytes() for number in range(3)]
    assert made[2] == (tmp_path / "last" / "000002.jpg").read_bytes()
    assert len(set(made)) == 3
    assert json.loads((tmp_path / "all" / "000001.json").read_text("utf-8")) == label


def test_a_folder_without_objects_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no picture of a thing"):
        list_things(tmp_path)
    cv2.imwrite(str(tmp_path / "whole.png"), grey())
    with pytest.raises(OSError, match=r"whole\.png is no picture with a transparent ground"):
        add_clutter(grey(), BOARD, [], list_things(tmp_path), np.random.default_rng(0))


def test_a_hidden_die_is_kept_free_as_well(things: list[Path]) -> None:
    """Its labelled visible share must stay true."""
    die = replace(flat_die(board_below(), (250.0, 200.0)), visible=0.3)
    for number in range(20):
        picture = add_clutter(grey(), BOARD, [die], things, np.random.default_rng(number))
        x, y = (round(at) for at in die.top_px)
        assert np.abs(picture[y - 8 : y + 8, x - 8 : x + 8].astype(int) - 90).max() < 20


def test_lamps_glint_alike_on_polished_checkers(things: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    checkers = [CheckerTruth("light", "T1", 0, False, (x, 60.0), 30.0, 1.0) for x in (50.0, 150.0)]
    for name, value in (("GLINTS_ALONE", 1.1), ("POLISHED", 1.1), ("MOST_GLINTS", 0)):
        monkeypatch.setattr(module, name, value)
    alike = []
    for number in range(60):
        picture = add_clutter(grey(), board_with(*checkers), [], things, np.random.default_rng(number))
        brighter = picture.astype(int).sum(axis=2) - 270
        assert not brighter[105:].any()
        left, right = brighter[20:100, 10:90], brighter[20:100, 110:190]
        if left.max() > 100 and right.max() > 100:
            places = [np.array(np.unravel_index(half.argmax(), half.shape)) for half in (left, right)]
            alike.append(float(np.hypot(*(places[0] - places[1]))))
    assert len(alike) > 10
    assert np.median(alike) < 8
