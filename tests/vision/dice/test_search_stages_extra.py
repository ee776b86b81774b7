"""A third die beside a complete throw, and a doubling cube larger than the ones that the search learned."""

from pathlib import Path

import numpy as np
import pytest

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice import search_stages
from vision.dice.candidates import PreviousFrame
from vision.dice.classification_cascade import Classification
from vision.dice.classifier import FACE, ObjectClass
from vision.dice.detect import read_dice
from vision.dice.proposals import ProposalCheck
from vision.dice.readings import CubePlace
from vision.dice.search_stages import CUBE_SIZE_FACTORS, LARGE_CUBE_POINTS
from vision.dice.windows import DieSpot
from vision.field.auto_calibration import calibrate_from_corners
from vision.geometry.calibration import Calibration
from vision.geometry.projection import KnownBoard
from vision.pixels.picture_file import load_picture

SAMPLE = Path(__file__).parents[1] / "pictures" / "large_cube.jpg"  # rendered; 43.6 mm, on points of 35.5 mm
CORNERS_PX = ((84.18, 115.05), (481.09, 108.54), (507.88, 451.65), (59.97, 459.04))
MIDDLE_PX = (197.4, 257.4)
PART_PX = 1.2 * LARGE_CUBE_POINTS * STRAIGHT_DOWN.field.pitch_mm  # a pixel is a millimetre there
ON_THE_RIMS_CORNER = (90.0, 30.0)


class TestThirdDie:
    @pytest.mark.parametrize(
        ("at_px", "times", "score", "checked_px", "found"),
        [
            (fakes.RIGHT_HALF, 1.0, 0.19, fakes.RIGHT_HALF, 3),
            (fakes.RIGHT_HALF, 0.7, 0.19, fakes.RIGHT_HALF, 3),
            (fakes.RIGHT_HALF, 0.6, 0.19, fakes.RIGHT_HALF, 2),
            (fakes.RIGHT_HALF, 1.6, 0.19, fakes.RIGHT_HALF, 2),
            (fakes.RIGHT_HALF, 1.0, 0.19, fakes.ON_THE_BAR, 2),  # the filter sees one of the pair there
            (fakes.RIGHT_HALF, 1.0, 0.19, None, 2),  # or nothing
            ((630.0, 240.0), 1.0, 0.19, (630.0, 240.0), 2),
            (fakes.RIGHT_HALF, 0.65, 0.19, fakes.RIGHT_HALF, 2),
            (fakes.RIGHT_HALF, 0.65, 0.21, fakes.RIGHT_HALF, 3),  # sure enough to count at any size
        ],
    )
    def test_a_faint_proposal_counts_where_it_may_be_a_third(
        self,
        monkeypatch: pytest.MonkeyPatch,
        *,
        at_px: tuple[float, float],
        times: float,
        score: float,
        checked_px: tuple[float, float] | None,
        found: int,
    ) -> None:
        """About as large as the dice, and not off the field: the search sees a die on a checker no better."""
        fakes.fake_beside_a_throw(monkeypatch, DieSpot(at_px, times * fakes.EDGE_PX, score))
        fakes.fake_outputs(monkeypatch, lambda _: fakes.output())
        fakes.fake_later_checks(monkeypatch, lambda spot: fakes.check_of(spot, 1.0 if checked_px else 0.1, checked_px))
        assert len(fakes.detected().dice) == found

    @pytest.mark.parametrize(("die_p", "found"), [(0.96, 3), (0.94, 2)])
    def test_it_counts_though_it_hides_its_face(
        self, monkeypatch: pytest.MonkeyPatch, die_p: float, found: int
    ) -> None:
        """In the shade of its checker, say: a throw beside an unread die is a question."""
        unread = fakes.output(die_p=die_p)
        unread[FACE] = 0.0
        fakes.fake_beside_a_throw(monkeypatch, DieSpot(fakes.RIGHT_HALF, fakes.EDGE_PX, 0.19))
        fakes.fake_classifications(
            monkeypatch, lambda spot: fakes.classified(spot, unread if spot.centre_px == fakes.RIGHT_HALF else None)
        )
        fakes.fake_later_checks(monkeypatch, lambda spot: fakes.check_of(spot, 1.0))
        dice = fakes.detected().dice
        assert len(dice) == found
        assert [die.value_confidence < 0.2 for die in dice].count(True) == found - 2


@pytest.mark.broad
@pytest.mark.parametrize("is_hurried", [False, True])
def test_a_large_cube_is_read(is_hurried: bool) -> None:
    """Tournament boards have cubes wider than a point."""
    pixels = load_picture(SAMPLE)
    found = calibrate_from_corners(pixels, CORNERS_PX, taken_at="2026-01-01T00:00:00+00:00")
    assert isinstance(found, Calibration)
    board = KnownBoard(found.projection, found.field)
    cube = read_dice(pixels, board, previous=PreviousFrame(is_hurried=is_hurried)).cube
    assert cube is not None
    assert (cube.value, cube.place) == (64, CubePlace.OFFERED)
    assert cube.centre_px == pytest.approx(MIDDLE_PX, abs=10)


class TestLargeCube:
    """Nothing is detected at the proposed sizes, and a cube with a number at any other."""

    @pytest.fixture(autouse=True)
    def networks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def classify(spot: DieSpot) -> Classification | None:
            is_proposed = spot.size_px in (PART_PX, fakes.EDGE_PX, fakes.EDGE_PX / 2)
            return None if is_proposed else fakes.classified(spot, fakes.output(ObjectClass.CUBE))

        fakes.fake_classifications(monkeypatch, classify)
        fakes.fake_checks_aside(monkeypatch, lambda spot: fakes.check_of(spot, 0.0))
        fakes.fake_later_checks(monkeypatch, lambda spot: ProposalCheck(np.log([0.1, 0.1, 0.8]), spot))
        monkeypatch.setattr(search_stages, "shows_a_number", lambda *_: True)

    def test_a_part_of_it_is_enough(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fakes.fake_spots(monkeypatch, [DieSpot(fakes.LEFT_HALF, PART_PX, 0.9)])
        found = fakes.detected()
        assert found.cube is not None
        sizes = {one.spot.size_px for one in found.candidates if one.classification is not None}
        assert sizes <= {times * PART_PX for times in CUBE_SIZE_FACTORS}

    @pytest.mark.parametrize(
        ("at_px", "size_px", "score"),
        [
            (fakes.LEFT_HALF, fakes.EDGE_PX / 2, 0.9),
            (ON_THE_RIMS_CORNER, PART_PX, 0.9),
            (fakes.LEFT_HALF, PART_PX, 0.19),
        ],
    )
    def test_what_is_no_part_of_one(
        self, monkeypatch: pytest.MonkeyPatch, at_px: tuple[float, float], size_px: float, score: float
    ) -> None:
        """Less than a die, a tag on the rim, which resembles one, or a faint proposal."""
        fakes.fake_spots(monkeypatch, [DieSpot(at_px, size_px, score)])
        assert fakes.detected().cube is None

    def test_without_a_number_it_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No die may be missing there either."""
        fakes.fake_spots(monkeypatch, [DieSpot(fakes.LEFT_HALF, PART_PX, 0.9)])
        monkeypatch.setattr(search_stages, "shows_a_number", lambda *_: False)
        found = fakes.detected()
        assert (found.cube, found.may_hold_more) == (None, False)

    def test_an_accepted_cube_is_enough(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fakes.fake_spots(
            monkeypatch, [DieSpot(fakes.LEFT_HALF, PART_PX, 0.9), DieSpot(fakes.RIGHT_HALF, 1.1 * fakes.EDGE_PX, 0.9)]
        )
        found = fakes.detected()
        assert found.cube is not None
        assert found.cube.centre_px == fakes.RIGHT_HALF
        assert sum(one.classification is not None for one in found.candidates) == 1
