"""A recording may begin in mid-game: its first board resembles the start, and teaches nothing then."""

from controller.pictures.calibrate import CalibrationPriors, CalibrationResult, calibrate_pictures
from controller.pictures.supposed_start import suppose_start, without_unconfirmed_lesson
from controller.rules import RULESETS
from tests.controller.trouble_pictures import painted, played_scenes
from vision.simulated.scene import CheckerSide

START = suppose_start(RULESETS["backgammon"])


def test_a_lesson_is_kept_only_where_the_board_shows_the_start() -> None:
    scene = played_scenes().start
    # a checker has moved from T1 to T3, and another one from T7 to T10
    moved = scene.with_stack("T1", (CheckerSide.LIGHT,) * 4).with_stack("T3", (CheckerSide.LIGHT,))
    moved = moved.with_stack("T7", (CheckerSide.DARK,) * 4).with_stack("T10", (CheckerSide.DARK,))
    at_start, in_play = painted([scene, moved])
    found = calibrate_pictures([at_start], CalibrationPriors(start=START))
    assert isinstance(found, CalibrationResult)
    assert found.calibration.appearance is not None
    assert without_unconfirmed_lesson(found.calibration, at_start, START) is found.calibration
    untaught = without_unconfirmed_lesson(found.calibration, in_play, START)
    assert untaught.appearance is None
    assert (untaught.field, untaught.projection) == (found.calibration.field, found.calibration.projection)
