"""Which dice of a reading lie in the middle of a checker's face."""

from dataclasses import replace

import pytest

from tests.vision.dice_tracking.dice_films import die
from tests.vision.simulated.played_tables import calibration_of, start, style
from vision.board.session_dice import is_on_face
from vision.checkers import find_place, read_view
from vision.geometry.projection import KnownBoard
from vision.geometry.top_view import PITCH_PX, view_map
from vision.simulated.painter import Painter


@pytest.mark.parametrize(("off_radii", "is_on_it"), [(0.0, True), (0.3, True), (0.8, False), (3.0, False)])
def test_only_the_middle_of_a_face(off_radii: float, is_on_it: bool) -> None:
    """The die shows beside the innermost checker of T1, towards the empty point T2."""
    table = style(2, (640, 480))
    known = calibration_of(table)
    where = view_map(known.projection, known.field)
    seen = read_view(where.warp(Painter(table).paint_frame(start(), 1)))
    top = max((top for top in seen.tops if find_place(top.x_px, top.y_px) == 0), key=lambda top: top.y_px)
    row, column = round(top.y_px), round(top.x_px + off_radii * 0.45 * PITCH_PX)
    at_px = (float(where.x_px[row, column]), float(where.y_px[row, column]))
    assert where.shrink == 1
    assert is_on_face(replace(die(1), centre_px=at_px), seen, KnownBoard(known.projection, known.field)) == is_on_it
