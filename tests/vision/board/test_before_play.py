"""What looked like a die before the first throw is a part of the board."""

from dataclasses import replace

import pytest

from tests.vision.simulated.played_tables import calibration_of, start, style
from vision.board.board_reading import BoardReading
from vision.board.cached_reading import read_board_cached
from vision.field.drift import make_reference
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Reference
from vision.simulated.checker_spots import require_board
from vision.simulated.painter import Painter
from vision.simulated.scene_building import apply_bump
from vision.simulated.tabletop import Arrangement, Bump, CubePose, Daylight, DiePose

pytestmark = pytest.mark.broad

TABLE, PAINTER = style(2), Painter(style(2))
KNOWN = calibration_of(TABLE)
WIDTH, HEIGHT = require_board(TABLE).field_mm
MARKS = tuple(
    DiePose(number, up, (x * WIDTH, 0.48 * HEIGHT), 30.0) for number, (up, x) in enumerate([(5, 0.68), (2, 0.84)])
)
MARKED = replace(start(), dice=MARKS)  # two dice stand for marks that look exactly like dice


def picture_before(arrangement: Arrangement) -> Reference:
    return make_reference(PAINTER.paint_frame(arrangement), KNOWN.projection)


def read(arrangement: Arrangement, before_play: Reference | None, known: Calibration = KNOWN) -> BoardReading:
    frame = Frame(PAINTER.paint_frame(arrangement, 7), 1)
    return read_board_cached(frame, known, anew=True, before_play=before_play).reading


def values(reading: BoardReading) -> list[int]:
    return [die.value for die in reading.dice]


@pytest.mark.parametrize("light", [Daylight(), Daylight(0.7, 0.2)])
def test_marks_are_no_dice_in_any_light(light: Daylight) -> None:
    lit = replace(MARKED, daylight=light)
    assert values(read(lit, None)) == [5, 2]
    reading = read(lit, picture_before(MARKED))
    assert (values(reading), reading.perhaps_more_dice) == ([], False)


def test_marks_are_found_again_when_the_camera_has_moved() -> None:
    """The calibration follows the camera, the picture before play does not."""
    bump = Bump((3.0, -2.0, 0.0), 0.5)
    moved = calibration_of(replace(TABLE, scene=replace(TABLE.scene, camera=apply_bump(TABLE.scene.camera, bump))))
    knocked = replace(MARKED, bump=bump)
    assert values(read(knocked, None, moved)) == [5, 2]
    assert values(read(knocked, picture_before(MARKED), moved)) == []


def test_thrown_dice_are_read_beside_marks_and_on_them() -> None:
    """The left die lies where a mark is, turned and with another face; the right one lies beside the other mark."""
    beside = replace(MARKS[1], centre_mm=(0.84 * WIDTH, 0.55 * HEIGHT))
    thrown = replace(start(), dice=(replace(MARKS[0], up=4, yaw_deg=70.0), beside))
    assert values(read(thrown, picture_before(MARKED))) == [4, 2]


def test_a_cube_that_lies_still_stays_a_cube() -> None:
    """Dice move before every turn, the cube may lie in its place for a whole match."""
    board = require_board(TABLE)
    middle = (board.bar_mm[0] + board.bar_mm[1]) / 2
    bare = replace(start(), cube=CubePose(64, (middle, HEIGHT / 2), 4.0, board.bar_height_mm))
    without, cube = read(bare, None).cube, read(bare, picture_before(bare)).cube
    assert without is not None
    assert cube is not None
    assert (cube.value, cube.place) == (without.value, without.place)


def test_a_damaged_picture_tells_nothing() -> None:
    damaged = replace(picture_before(MARKED), picture_png=b"no picture")
    assert values(read(MARKED, damaged)) == [5, 2]
