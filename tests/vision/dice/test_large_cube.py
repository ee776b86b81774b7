"""A doubling cube larger than those the search was taught, as tournament boards have it: more than a point wide."""

from pathlib import Path

import numpy as np
import pytest

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.told_dice import EDGE_PX, LEFT_HALF, PICTURE, RIGHT_HALF, SURELY_A_DIE, answer, find_spots
from tests.vision.dice.told_dice import tell_finished_looks as tell_looks
from vision.dice import classification_cascade, search_stages
from vision.dice.candidates import PreviousFrame
from vision.dice.classifier import ObjectClass, decode_output
from vision.dice.detect import read_dice
from vision.dice.proposals import ProposalCheck
from vision.dice.readings import CubePlace
from vision.dice.search_stages import CUBE_SIZE_FACTORS, LARGE_CUBE_POINTS
from vision.dice.windows import DieSpot, place_window
from vision.field.auto_calibration import calibrate_from_corners
from vision.geometry.calibration import Calibration
from vision.geometry.projection import KnownBoard
from vision.pixels.picture_file import load_picture

SAMPLE = Path(__file__).parents[1] / "pictures" / "large_cube.jpg"  # rendered; 43.6 mm, on points of 35.5 mm
CORNERS_PX = ((84.18, 115.05), (481.09, 108.54), (507.88, 451.65), (59.97, 459.04))
MIDDLE_PX = (197.4, 257.4)
PART_PX = 1.2 * LARGE_CUBE_POINTS * STRAIGHT_DOWN.field.pitch_mm  # a pixel is a millimetre there
ON_THE_RIMS_CORNER = (90.0, 30.0)


@pytest.mark.broad
@pytest.mark.parametrize("is_hurried", [False, True])
def test_it_is_read(is_hurried: bool) -> None:
    pixels = load_picture(SAMPLE)
    found = calibrate_from_corners(pixels, CORNERS_PX, taken_at="2026-01-01T00:00:00+00:00")
    assert isinstance(found, Calibration)
    cube = read_dice(
        pixels, KnownBoard(found.projection, found.field), previous=PreviousFrame(is_hurried=is_hurried)
    ).cube
    assert cube is not None
    assert (cube.value, cube.place) == (64, CubePlace.OFFERED)
    assert cube.centre_px == pytest.approx(MIDDLE_PX, abs=10)


@pytest.fixture
def glanced_at(monkeypatch: pytest.MonkeyPatch) -> list[DieSpot]:
    """Nothing is seen in the size that the search tells, and a cube in any other, with a plain number; what was glanced at."""
    seen: list[DieSpot] = []

    def glance(_: object, spot: DieSpot) -> ProposalCheck:
        seen.append(spot)
        return ProposalCheck(np.log([0.1, 0.1, 0.8]), spot)

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification | None:
        if spot.size_px in (PART_PX, EDGE_PX):
            return None
        return classification_cascade.Classification(
            place_window(spot, STRAIGHT_DOWN), decode_output(answer(ObjectClass.CUBE)), spot, SURELY_A_DIE
        )

    tell_looks(monkeypatch, says)
    monkeypatch.setattr(
        "vision.dice.proposals.check_proposal", lambda _, spot: ProposalCheck(np.log([1.0, 1e-9, 1e-9]), spot)
    )
    monkeypatch.setattr(search_stages, "check_proposal", glance)
    monkeypatch.setattr(search_stages, "shows_a_number", lambda *_: True)
    return seen


def test_a_part_of_it_is_glanced_at_as_a_whole(monkeypatch: pytest.MonkeyPatch, glanced_at: list[DieSpot]) -> None:
    find_spots(monkeypatch, [DieSpot(LEFT_HALF, PART_PX, 0.9)])
    assert read_dice(PICTURE, STRAIGHT_DOWN).cube is not None
    assert [spot.size_px for spot in glanced_at] == [times * PART_PX for times in CUBE_SIZE_FACTORS]


@pytest.mark.parametrize(
    ("at_px", "size_px", "score"),
    [(LEFT_HALF, EDGE_PX / 2, 0.9), (ON_THE_RIMS_CORNER, PART_PX, 0.9), (LEFT_HALF, PART_PX, 0.19)],
)
def test_what_is_no_part_of_one(
    monkeypatch: pytest.MonkeyPatch, glanced_at: list[DieSpot], at_px: tuple[float, float], size_px: float, score: float
) -> None:
    """Less than a die, a tag on the rim, which looks like one, or what the search hardly sees, of which a picture has four."""
    find_spots(monkeypatch, [DieSpot(at_px, size_px, score)])
    monkeypatch.setattr("vision.dice.candidates.classify_spot", lambda *_, **__: None)
    assert read_dice(PICTURE, STRAIGHT_DOWN).cube is None
    assert glanced_at == []


def test_without_a_plain_number_it_is_none(monkeypatch: pytest.MonkeyPatch, glanced_at: list[DieSpot]) -> None:
    """And no die that may be missing either."""
    find_spots(monkeypatch, [DieSpot(LEFT_HALF, PART_PX, 0.9)])
    monkeypatch.setattr(search_stages, "shows_a_number", lambda *_: False)
    seen = read_dice(PICTURE, STRAIGHT_DOWN)
    assert (seen.cube, seen.may_hold_more) == (None, False)
    assert len(glanced_at) == len(CUBE_SIZE_FACTORS)


def test_where_a_cube_is_told_nobody_looks(monkeypatch: pytest.MonkeyPatch, glanced_at: list[DieSpot]) -> None:
    find_spots(monkeypatch, [DieSpot(LEFT_HALF, PART_PX, 0.9), DieSpot(RIGHT_HALF, 1.1 * EDGE_PX, 0.9)])
    cube = read_dice(PICTURE, STRAIGHT_DOWN).cube
    assert cube is not None
    assert cube.centre_px == RIGHT_HALF
    assert glanced_at == []
