"""The fast painter shows what `draw` shows, independent of earlier frames."""

from dataclasses import replace

import numpy as np
import pytest

from tests.benchmarks.dice_poses import FieldHalf, lean_on_checker, place_off_board, place_on_checker, with_dice
from tests.vision.simulated.played_tables import LIGHT, calibration_of, start, style
from vision.board.read_board import read_board
from vision.frame import Frame
from vision.simulated import tabletop
from vision.simulated.checker_spots import require_board
from vision.simulated.drawing.draw import draw
from vision.simulated.painter import Painter
from vision.simulated.scene import Colour
from vision.simulated.scene_building import build_scene, with_hand

pytestmark = pytest.mark.broad

RED: Colour = (1.0, 0.1, 0.1)
LIT = (RED, None, None) * 8


def with_pair(table: tabletop.TableStyle, before: tabletop.Arrangement) -> tabletop.Arrangement:
    width, height = require_board(table).field_mm
    pair = (
        tabletop.DiePose(0, 5, (0.68 * width, 0.5 * height), 30.0),
        tabletop.DiePose(1, 2, (0.84 * width, 0.47 * height), 75.0),
    )
    return replace(before, dice=pair)


def carry(table: tabletop.TableStyle, before: tabletop.Arrangement, x_share: float) -> tabletop.Arrangement:
    """A hand from below holds a light checker over the lower half."""
    width, height = require_board(table).field_mm
    at_mm = (x_share * width, 0.8 * height)
    carried = replace(before, loose=(tabletop.LooseChecker(LIGHT, at_mm, 24.0),))
    return with_hand(table, carried, tabletop.TableEdge.BOTTOM, (at_mm[0], at_mm[1] - 6.0), 28.0)


def crowded(table: tabletop.TableStyle) -> tabletop.Arrangement:
    """Stacks, bar, off, cube, cocked dice, a checker in a hand, LEDs."""
    rng = np.random.default_rng(4)
    board = require_board(table)
    before = replace(
        start(), cube=tabletop.CubePose(4, (board.bar_mm[0] + 12, board.field_mm[1] / 2), 4.0, board.bar_height_mm)
    )
    before = before.with_stack("T1", (LIGHT,) * 4).with_stack("bar", (LIGHT,))
    for number, pose in enumerate((lean_on_checker, place_on_checker)):
        die = pose(table, before, FieldHalf.RIGHT, rng, number=number, up=number + 3)
        assert die is not None
        before = with_dice(before, [die])
    return replace(carry(table, before.with_stack("B5", (LIGHT,) * 2), 0.3), leds=LIT)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_painted_frame_is_what_draw_draws(seed: int) -> None:
    """Exceptions, 8 in 1,000 pixels: shadows of dice on checkers and LEDs under hands, which `draw` leaves out."""
    table = style(seed)
    painter = Painter(table)
    arrangement = crowded(table)
    scene = build_scene(table, arrangement)
    uncoded = replace(scene, photo=replace(scene.photo, jpeg=101))
    full, quick = draw(uncoded, painter.exposure), painter.paint_frame(arrangement)
    difference = np.abs(full.astype(int) - quick).max(2)
    assert difference.mean() < 0.33
    assert (difference > 12).mean() < 0.008


def test_what_was_painted_before_changes_nothing() -> None:
    table = style(1)
    used, wanted = Painter(table), crowded(table)
    for number in range(4):
        used.paint_frame(carry(table, with_pair(table, start()), 0.2 * number), number)
    used.paint_frame(replace(wanted, leds=(None,) * 24))
    assert (used.paint_frame(wanted, 7) == Painter(table).paint_frame(wanted, 7)).all()


def test_each_frame_has_its_own_noise() -> None:
    table = style(0)
    painter, scene = Painter(table), with_pair(style(0), start())
    first, again, second = painter.paint_frame(scene, 1), painter.paint_frame(scene, 1), painter.paint_frame(scene, 2)
    assert (first == again).all()
    changed = np.abs(first.astype(int) - second)
    assert 0.3 < changed.mean() < 6


def test_a_die_changes_only_what_is_near_it() -> None:
    """Noise elsewhere stays the same too."""
    table = style(2)
    painter, before = Painter(table), start()
    die = with_pair(table, before).dice[0]
    changed = (painter.paint_frame(before) != painter.paint_frame(replace(before, dice=(die,)))).any(2)
    rows, columns = np.nonzero(changed)
    assert len(rows) > 150
    assert rows.max() - rows.min() < 110
    assert columns.max() - columns.min() < 110


def test_a_lit_led_shines_where_it_is() -> None:
    """LEDs at T1, T4, T7 ... redden the upper rim and leave the middle of the field."""
    table = style(3)
    painter, before = Painter(table), start()
    dark, lit = painter.paint_frame(before).astype(int), painter.paint_frame(replace(before, leds=LIT)).astype(int)
    redder = (lit - dark)[..., 2]
    height = redder.shape[0]
    assert redder[: height // 8].max() > 60
    assert np.abs(redder[height * 2 // 5 : height * 3 // 5]).max() < 12


@pytest.mark.parametrize("x_share", [0.1, 0.5, 0.9])
def test_no_led_is_cut_where_a_window_ends(x_share: float) -> None:
    table = style(3)
    painter = Painter(table)
    width, height = require_board(table).field_mm
    before = replace(start(), leds=(None,) * 24)
    hand = tabletop.HandPose(tabletop.TableEdge.BOTTOM, (x_share * width, 0.2 * height))
    quick = painter.paint_frame(replace(before, hands=(hand,)))
    scene = build_scene(table, replace(before, hands=(hand,)))
    full = draw(replace(scene, photo=replace(scene.photo, jpeg=101)), painter.exposure)
    top = slice(0, quick.shape[0] // 16)
    assert (np.abs(quick[top].astype(int) - full[top]).max(2) > 40).mean() < 0.002


def test_a_knocked_camera_moves_the_picture() -> None:
    """Three millimetres to the right move the picture three to four pixels to the left."""
    table = style(0)
    painter = Painter(table)
    before, after = start(), replace(start(), bump=tabletop.Bump((3.0, 0.0, 0.0)))
    grey = [painter.paint_frame(one).mean(2) for one in (before, after)]
    rows, columns = slice(100, 380), slice(100, 540)
    errors = [np.abs(grey[1][rows, columns] - grey[0][rows, 100 + by : 540 + by]).mean() for by in range(-8, 9)]
    assert int(np.argmin(errors)) - 8 in (3, 4)
    assert (painter.paint_frame(before, 3) == Painter(table).paint_frame(before, 3)).all()


def test_daylight_changes_level_and_hue() -> None:
    table = style(0)
    painter = Painter(table)
    usual, late = (
        painter.paint_frame(replace(start(), daylight=light)).mean((0, 1))
        for light in (tabletop.Daylight(), tabletop.Daylight(0.8, 0.15))
    )
    blue, green, red = late / usual
    assert blue < green < red < 0.97


def test_lamps_may_change_between_frames() -> None:
    """A lamp that moves or goes out is drawn as `draw` draws it, whatever light was painted before."""
    table = style(1)
    painter = Painter(table)
    own = table.scene.lamps[0]
    moved = replace(own, at_mm=(own.at_mm[0] + 600, own.at_mm[1] - 500, own.at_mm[2]), colour=(1.0, 0.8, 0.6))
    dark = painter.paint_frame(replace(crowded(table), lamps=(replace(moved, strength=0.0),)))
    for lamps in (table.scene.lamps, (moved,)):
        arrangement = replace(crowded(table), lamps=lamps)
        scene = build_scene(table, arrangement)
        full = draw(replace(scene, photo=replace(scene.photo, jpeg=101)), painter.exposure)
        quick = painter.paint_frame(arrangement)
        assert np.abs(full.astype(int) - quick).mean() < 0.33
        assert quick.mean() > dark.mean() + 10
    assert (
        painter.paint_frame(crowded(table)) == painter.paint_frame(replace(crowded(table), lamps=table.scene.lamps))
    ).all()


def test_a_frame_may_go_through_jpeg() -> None:
    table = style(0)
    plain, coded = Painter(table).paint_frame(start()), Painter(table, codes_jpeg=True).paint_frame(start())
    assert 0.2 < np.abs(plain.astype(int) - coded).mean() < 6


def test_a_die_off_the_board_throws_its_shadow_on_the_table() -> None:
    table = style(1)
    painter = Painter(table)
    die = place_off_board(table, start(), np.random.default_rng(1), number=0, up=3)
    assert die is not None
    before, after = (
        painter.paint_frame(start()).astype(int),
        painter.paint_frame(replace(start(), dice=(die,))).astype(int),
    )
    assert ((before - after).min(2) > 12).sum() > 40


@pytest.mark.parametrize(("seed", "size_px"), [(0, (640, 480)), (7, (640, 480)), (5, (1280, 960))])
def test_the_pictures_can_be_read(seed: int, size_px: tuple[int, int]) -> None:
    """All 24 places of the start position and both dice, in styles that no network has seen."""
    table = style(seed, size_px)
    arrangement = with_pair(table, start())
    reading = read_board(Frame(Painter(table).paint_frame(arrangement), 1), calibration_of(table))
    for place, seen in reading.points():
        stack = arrangement.stack(place.value)
        best = seen.best()
        assert (best.colour.value, best.count) == (stack[0].value if stack else "none", len(stack))
    assert [die.value for die in reading.dice] == [5, 2]
    assert not reading.hand_in_view
