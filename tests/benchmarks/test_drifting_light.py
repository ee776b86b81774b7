"""The films of evenings: the room changes as it should, places are counted rightly, and a short film is refereed."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from controller.match import Checkers
from controller.rules import RULESETS
from controller.simulation.filmed.snapshots import FrameRates
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging import Beat, Stacks, TruePlay
from tests.benchmarks.drifting_light import FILMS, PlaceCounts, count_right_places, cut_film, referee_evening
from tests.benchmarks.evenings import EVENING_MS, SAG_MM, SLIP_MM, SLIP_SHARE, STEP_MS, Change, Evening, plan_evening
from tests.benchmarks.ornamented_tables import ornament_table
from tests.vision.drawn_boards import said
from tests.vision.simulated.played_tables import calibration_of, style
from vision.board.read_board import build_board_reading
from vision.simulated.checker_spots import require_board
from vision.simulated.scene_building import apply_bump
from vision.simulated.tabletop import Bump, Daylight, TableStyle

LASTS_MS = EVENING_MS


def evening_of(*changes: Change) -> tuple[TableStyle, Evening]:
    return plan_evening(style(3), changes, 3, LASTS_MS)


def test_a_room_where_nothing_changes_stays_as_it_is() -> None:
    _, evening = evening_of()
    first = evening.room_at(0)
    assert (first.daylight, first.bump) == (Daylight(), Bump())
    assert all(evening.room_at(at_ms) == first for at_ms in (1, 5000, LASTS_MS))


def test_daylight_fades_reddens_and_moves_round_in_small_steps() -> None:
    _, evening = evening_of(Change.DAYLIGHT)
    rooms = [evening.room_at(at_ms) for at_ms in range(0, LASTS_MS + 1, STEP_MS)]
    window, late = rooms[0].lamps[1], rooms[-1].lamps[1]
    assert late.strength == pytest.approx(0.1 * window.strength)
    assert late.colour[2] / late.colour[0] < 0.7 * window.colour[2] / window.colour[0]
    assert np.linalg.norm(np.subtract(late.at_mm, window.at_mm)) > 500
    levels = [room.daylight.level for room in rooms]
    assert max(abs(one - other) for one, other in pairwise(levels)) < 0.03
    assert max(levels) - min(levels) > 0.2


def test_lamps_go_out_and_on_again() -> None:
    _, evening = evening_of(Change.LAMPS)
    lit = [tuple(lamp.strength > 0 for lamp in evening.room_at(at_ms).lamps) for at_ms in range(0, LASTS_MS, 500)]
    switched = sum(one != other for one, other in pairwise(lit))
    assert 20 < switched < 80
    assert all({states[number] for states in lit} == {True, False} for number in range(3))


def test_the_camera_sags_and_slips_until_it_is_put_back() -> None:
    """It sags by about SAG_MM over an evening, slips once, and hangs as at first when it has just been put back."""
    table, evening = evening_of(Change.SAG)
    corners_mm = [(0.0, 0.0), require_board(table).field_mm]

    def moved_mm(at_ms: int, mounted_ms: int = 0) -> float:
        camera = apply_bump(table.scene.camera, evening.room_at(at_ms, mounted_ms).bump)
        seen_px = calibration_of(replace(table, scene=replace(table.scene, camera=camera))).projection
        apart_mm = calibration_of(table).projection.to_board(seen_px.to_picture(corners_mm)) - np.array(corners_mm)
        return float(np.linalg.norm(apart_mm, axis=1).max())

    slips_ms = int(SLIP_SHARE * LASTS_MS)
    assert moved_mm(slips_ms - 1) == pytest.approx(SLIP_SHARE * SAG_MM, rel=0.3)
    assert moved_mm(slips_ms) - moved_mm(slips_ms - 1) == pytest.approx(SLIP_MM, rel=0.3)
    assert moved_mm(slips_ms + 5000, mounted_ms=slips_ms + 5000) == pytest.approx(0, abs=1e-6)
    assert moved_mm(LASTS_MS, mounted_ms=slips_ms + 5000) < SAG_MM


def test_glare_wanders_over_varnish() -> None:
    table, evening = evening_of(Change.GLARE)
    assert require_board(table).field.gloss > 0.5
    assert table.scene.lamps == evening.room_at(0).lamps
    places = [evening.room_at(at_ms).lamps[-1].at_mm[:2] for at_ms in range(0, LASTS_MS, 10_000)]
    assert (np.ptp(np.array(places), axis=0) > np.array(require_board(table).field_mm)).all()


def test_an_ornamented_table_keeps_its_measures() -> None:
    plain = style(5)
    table = ornament_table(plain, 5, None)
    before, after = require_board(plain), require_board(table)
    assert (after.field_mm, after.bar_mm, after.rim_width_mm) == (before.field_mm, before.bar_mm, before.rim_width_mm)
    assert after.decorate is not None
    assert table.scene.light != plain.scene.light
    assert table.scene.light == ornament_table(plain, 5, None).scene.light


def test_places_are_compared_with_what_stands_there() -> None:
    """T1 is read as two light checkers and B1 as one dark one, the bar as empty."""
    reading = build_board_reading(said({0: (2, 0.9), 12: (16, 0.9)}), np.ones(25, np.float32), 1)
    stacks = Stacks(points=((Checkers.LIGHT,) * 2, *((),) * 11, (Checkers.DARK,), *((),) * 11), bar=(0, 0), off=(0, 0))
    assert count_right_places(reading, stacks) == (25, 25)
    wrong = replace(stacks, points=((Checkers.LIGHT,) * 3, *stacks.points[1:]), bar=(1, 0))
    assert count_right_places(reading, wrong) == (25, 23)
    assert count_right_places(replace(reading, disturbed=frozenset({0, 24})), wrong) == (23, 23)


@pytest.mark.parametrize(("seen", "right"), [(5, 25), (7, 25), (4, 24), (20, 24)])
def test_of_a_heap_the_colour_and_the_lowest_row_are_compared(seen: int, right: int) -> None:
    """Class 20 is five dark checkers."""
    reading = build_board_reading(said({0: (seen, 0.9)}), np.ones(25, np.float32), 1)
    stacks = Stacks(points=((Checkers.LIGHT,) * 8, *((),) * 23), bar=(0, 0), off=(0, 0))
    assert count_right_places(reading, stacks) == (25, right)


def test_shares_are_means_over_turns() -> None:
    counts = PlaceCounts()
    for turn, right in ((0, 25), (0, 25), (1, 20), (30, 5)):
        counts.add(turn, 25, right)
    assert counts.share_right(0, 1) == 1.0
    assert counts.share_right(0, 20) == pytest.approx(0.9)
    assert counts.share_right(20, 99) == pytest.approx(0.2)


def test_a_film_is_cut_before_the_next_throw() -> None:
    plan = GamePlan(seed=4)
    cut = list(cut_film(film_game(RULESETS["backgammon"], plan), 3))
    assert sum(isinstance(one, TruePlay) for one in cut) == 3
    after = cut[max(number for number, one in enumerate(cut) if isinstance(one, TruePlay)) :]
    assert not any(isinstance(one, Beat) and one.rolling for one in after)
    assert any(isinstance(one, Beat) and one.is_still for one in after)


@pytest.mark.broad
def test_a_film_is_calibrated_refereed_and_counted() -> None:
    """One turn at 4 frames a second: the places are read rightly and the turn teaches."""
    result = referee_evening(FILMS["daylight"], 1, 1, FrameRates(4.0, 2.5))
    assert (result.refusal, result.comparison.turns, result.comparison.differences) == ("", 1, ())
    assert result.counts.share_right(0, 1) == 1.0
    assert result.lessons == 1
