"""The flight of a thrown die."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.simulated.played_tables import style
from vision.simulated.checker_spots import require_board
from vision.simulated.drawing.die_body import corners_mm
from vision.simulated.rolling import die_in_flight
from vision.simulated.scene_building import make_die
from vision.simulated.tabletop import DiePose


@given(st.integers(0, 500), st.floats(0, 1.2))
def test_rolling_dice_stay_above_the_field_and_in_view_of_the_board(seed: int, share: float) -> None:
    table, rng = style(1), np.random.default_rng(seed)
    width, height = require_board(table).field_mm
    place = (float(rng.uniform(20, width - 20)), float(rng.uniform(20, height - 20)))
    end = DiePose(0, 4, place, float(rng.uniform(0, 360)))
    start_mm = (float(np.clip(place[0], 0.08 * width, 0.92 * width)), 0.82 * height)
    die = die_in_flight(end, start_mm, table.dice[0].size_mm, t_ms=1000 * share, takes_ms=1000)
    assert corners_mm(make_die(table.dice[0], die))[:, 2].min() > -1e-6
    assert -20 < die.centre_mm[0] < width + 20
    if share > 0.9:
        assert die == end
