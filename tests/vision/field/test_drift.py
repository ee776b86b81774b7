from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tagged_boards import FIELD, PROJECTION, SIZE_PX, Picture, photograph
from vision.field.drift import CannotTell, Moved, Shifted, Steady, check_drift, make_reference
from vision.frame import Frame
from vision.geometry.calibration import Calibration, CalibrationMethod
from vision.geometry.projection import Projection

pytestmark = pytest.mark.broad

START = {"T1": 5, "T5": 3, "T7": 5, "T12": 2, "B1": 5, "B5": 3, "B7": 5, "B12": 2}
LATER = {"T3": 4, "T8": 2, "T9": 3, "T10": 3, "T11": 3, "B2": 2, "B6": 5, "B9": 1, "B10": 4, "B11": 3}


@pytest.fixture(scope="module")
def known() -> Calibration:
    return Calibration(
        image_size_px=SIZE_PX,
        projection=PROJECTION,
        field=FIELD,
        scale_is_assumed=False,
        way=CalibrationMethod.ITSELF,
        error_mm=0.3,
        taken_at="2026-01-01T12:00:00+00:00",
        reference=make_reference(photograph(checkers=START), PROJECTION),
    )


def bumped(right_mm: float, down_mm: float, turn_deg: float) -> Projection:
    """The board pushed over the table, turned about its upper left corner."""
    sin, cos = np.sin(np.radians(turn_deg)), np.cos(np.radians(turn_deg))
    push = np.array([(cos, -sin, right_mm), (sin, cos, down_mm), (0, 0, 1)])
    return Projection.of(PROJECTION.matrix @ push, PROJECTION.lens)


def frames(picture: Picture, *, every_ms: int = 200, count: int = 4) -> list[Frame]:
    return [Frame(picture, 1000 + number * every_ms) for number in range(count)]


def test_nothing_moved(known: Calibration) -> None:
    """All checkers stand elsewhere and the lamp is darker and warmer: camera and board are where they were."""
    later = photograph(checkers=LATER)
    dim = np.clip(later * np.array((0.5, 0.6, 0.75)), 0, 255).astype(np.uint8)
    assert check_drift(known, frames(later)) == Steady()
    assert check_drift(known, frames(dim)) == Steady()


@pytest.mark.parametrize("push", [(3.0, 0.0, 0.0), (-4.0, 5.0, 0.5), (0.0, -9.0, -0.3)])
def test_a_small_push_is_corrected(known: Calibration, push: tuple[float, float, float]) -> None:
    """The new corners are right to two thousandths of the width, with other checkers on the board."""
    there = bumped(*push)
    answer = check_drift(known, frames(photograph(checkers=LATER, projection=there)))
    assert isinstance(answer, Shifted)
    off_px = answer.calibration.projection.to_picture(FIELD.corners_mm) - there.to_picture(FIELD.corners_mm)
    assert np.linalg.norm(off_px, axis=1).max() < 0.8  # the field is 410 px wide
    assert answer.calibration.reference == known.reference


def test_the_board_alone_may_move(known: Calibration) -> None:
    """The table around it stays, and does not outvote the board."""
    table = np.random.default_rng(5).integers(60, 200, (SIZE_PX[1] // 5, SIZE_PX[0] // 5, 3), np.uint8)
    table = cv2.resize(table, SIZE_PX, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    outline = FIELD.corners_mm + np.array([(-30, -30), (30, -30), (30, 30), (-30, 30)])

    def on_table(there: Projection) -> Picture:
        mask = cv2.fillPoly(np.zeros(SIZE_PX[::-1], np.uint8), [np.rint(there.to_picture(outline)).astype(np.int32)], 1)
        return np.where(mask[..., None] > 0, photograph(checkers=START, projection=there), table)

    before = replace(known, reference=make_reference(on_table(PROJECTION), PROJECTION))
    answer = check_drift(before, frames(on_table(bumped(6.0, 4.0, 0.0))))
    assert isinstance(answer, Shifted)
    assert answer.shift_mm == pytest.approx(7.2, abs=0.4)


def test_a_large_push_is_reported(known: Calibration) -> None:
    """22 mm are five percent of the width: too much to be sure of the edges."""
    answer = check_drift(known, frames(photograph(checkers=START, projection=bumped(22.0, 0.0, 0.0))))
    assert isinstance(answer, Moved)
    assert answer.shift_mm == pytest.approx(22, abs=1)
    remedy = "put it back, or calibrate anew with zarbiter calibrate."
    assert answer.reason == f"The camera or the board moved by 22 mm; {remedy}"


@pytest.mark.parametrize("push", [(70.0, 30.0, 0.0), (-40.0, 60.0, -8.0)])
def test_a_board_that_lies_elsewhere_is_found(known: Calibration, push: tuple[float, float, float]) -> None:
    """Over two points, and turned: the distance is told, and where the board lies to half a percent of its width."""
    there = bumped(*push)
    answer = check_drift(known, frames(photograph(checkers=START, projection=there)))
    assert isinstance(answer, Moved)
    assert answer.shift_mm > 70
    off_px = answer.calibration.projection.to_picture(FIELD.corners_mm) - there.to_picture(FIELD.corners_mm)
    assert np.linalg.norm(off_px, axis=1).max() < 2.5


def test_corrections_do_not_accumulate(known: Calibration) -> None:
    """After a correction the same picture is steady; pushed back, the first calibration comes out again."""
    pushed = photograph(checkers=START, projection=bumped(4.0, 3.0, 0.0))
    answer = check_drift(known, frames(pushed))
    assert isinstance(answer, Shifted)
    assert check_drift(answer.calibration, frames(pushed)) == Steady()
    back = check_drift(answer.calibration, frames(photograph(checkers=START)))
    assert isinstance(back, Shifted)
    corners_px = back.calibration.projection.to_picture(FIELD.corners_mm)
    assert corners_px == pytest.approx(PROJECTION.to_picture(FIELD.corners_mm), abs=0.5)


def test_an_arm_over_the_board_moves_nothing(known: Calibration) -> None:
    """A sleeve over a third of the board; the rest is steady."""
    picture = photograph(checkers=START)
    picture[130:, 240:380] = (40, 30, 30)
    assert check_drift(known, frames(picture)) == Steady()


def test_a_covered_board_gives_no_decision(known: Calibration) -> None:
    """A dark room or quite another picture is no push."""
    cloth = np.random.default_rng(1).integers(0, 255, (SIZE_PX[1], SIZE_PX[0], 3), np.uint8)
    for picture in (np.zeros((SIZE_PX[1], SIZE_PX[0], 3), np.uint8), cloth):
        answer = check_drift(known, frames(picture))
        assert isinstance(answer, CannotTell)
        assert "take hands away" in answer.reason


def test_a_board_in_motion_gives_no_decision(known: Calibration) -> None:
    """Three frames with three places: it is still moving."""
    moving = [photograph(checkers=START, projection=bumped(push, 0.0, 0.0)) for push in (0.0, 4.0, 8.0)]
    answer = check_drift(known, [Frame(picture, 200 * number) for number, picture in enumerate(moving)])
    assert answer == CannotTell("The picture is still moving; ask again when it rests.")


@pytest.mark.parametrize(("count", "every_ms"), [(0, 200), (2, 200), (4, 10), (4, 1500)])
def test_too_few_frames_give_no_decision(known: Calibration, count: int, every_ms: int) -> None:
    """Too few, within an instant, or older than two seconds."""
    picture = photograph(checkers=START)
    assert isinstance(check_drift(known, frames(picture, every_ms=every_ms, count=count)), CannotTell)


def test_another_size_or_a_lost_reference_gives_no_decision(known: Calibration) -> None:
    """Each with its remedy."""
    size = check_drift(known, frames(np.zeros((600, 800, 3), np.uint8)))
    none = check_drift(replace(known, reference=None), frames(photograph()))
    assert isinstance(size, CannotTell)
    assert "use the same resolution" in size.reason
    assert isinstance(none, CannotTell)
    assert "make it anew" in none.reason
