"""Frames of one camera become observations."""

from controller.film import Film
from controller.weigh_limits import EVERYDAY_LIMITS
from tests.controller.table_pictures import FRAME_MS, SEED, SIZE_PX, start_pictures
from tests.vision.simulated.played_tables import calibration_of, style
from vision.frame import Frame


def test_a_board_at_rest_is_read_more_than_once() -> None:
    """Nothing changes, so pictures are not read for that; but one reading alone may err, and accuses nobody."""
    film = Film(calibration_of(style(SEED, SIZE_PX)))
    looks = 0
    for number, pixels in enumerate(start_pictures(9)):
        film, seen = film.seen(Frame(pixels, number * FRAME_MS))
        looks = 0 if seen.board is None else seen.board.looks
    assert looks == EVERYDAY_LIMITS.alone_looks
