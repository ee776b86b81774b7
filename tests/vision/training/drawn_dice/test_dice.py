"""Drawn dice agree with their labels and depend on a seed alone."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.training.dice_grounds import HEIGHTS, plain_ground, plain_picture
from vision.dice.readings import Contact, DieState
from vision.training.drawn_dice.appearances import linear_colour, random_appearance
from vision.training.drawn_dice.candidates import DEFAULT_OPTIONS, DiceDrawOptions
from vision.training.drawn_dice.compositing import DrawnBody, Scenery, compute_shadow, render_layer
from vision.training.drawn_dice.dice import draw_dice
from vision.training.drawn_dice.faces import Pips, Values, is_western_order, random_legal_values
from vision.training.drawn_dice.ground import Ground
from vision.training.drawn_dice.light import random_light
from vision.training.drawn_dice.resting_poses import RestingBody, rest_on_ground, rotation
from vision.training.drawn_dice.shading import FaceMarks
from vision.training.drawn_dice.shape import Shape
from vision.training.drawn_dice.truth import DrawnKind, label_die
from vision.training.drawn_dice.window import compute_heights, cut_window

pytestmark = pytest.mark.broad

PIPS = Pips(0.52, 0.19, 0.19, 0.0, (False, False, True, False, False, True))
WHITE = replace(
    random_appearance(np.random.default_rng(0)), body=linear_colour(0.9, 0.9, 0.9), second=linear_colour(0.9, 0.9, 0.9),
    pip=linear_colour(0.05, 0.05, 0.05), clear=0.0, gloss=0.0, special_value=0,
)  # fmt: skip
UPRIGHT: Values = (2, 5, 3, 4, 6, 1)


def _scenery(ground: Ground, at_mm: tuple[float, float], scale: float = 2.5) -> Scenery:
    at = (ground.projection.to_picture([at_mm])[0] + 0.5) * scale - 80
    window = cut_window(plain_picture(), ground, scale, (int(at[0]), int(at[1])), (160, 160))
    light = random_light(np.random.default_rng(1))
    return Scenery(window, ground, compute_heights(window, ground), light, np.ones(3, np.float32))


def _piece(shape: Shape, at_mm: tuple[float, float], values: Values = UPRIGHT, tilt_deg: float = 0.0) -> DrawnBody:
    turned = rotation(0.4, np.radians(tilt_deg), np.array([0.8, -0.6]))
    body = rest_on_ground(shape, turned, np.array(at_mm), 0.0)
    return DrawnBody(RestingBody(body, DieState.FLAT, Contact.NOTHING, 0.0), WHITE, FaceMarks(values, PIPS))


def _area(outline: np.ndarray) -> float:
    return float(cv2.contourArea(cv2.convexHull(outline.astype(np.float32))))


@pytest.mark.parametrize("is_western", [True, False])
def test_opposite_faces_sum_to_seven_and_run_one_way_round(is_western: bool) -> None:
    """All 24 legal dice occur, and no other."""
    rng = np.random.default_rng(2)
    seen = {random_legal_values(rng, is_western=is_western) for _ in range(600)}
    assert len(seen) == 24
    for values in seen:
        assert all(values[face] + values[face + 1] == 7 for face in (0, 2, 4))
        assert is_western_order(values) == is_western


def test_western_dice_have_two_before_and_three_at_the_right_of_one() -> None:
    """With one on top, +y is before the viewer and +x at his right."""
    assert is_western_order((3, 4, 2, 5, 1, 6))
    assert not is_western_order((2, 5, 3, 4, 1, 6))


@pytest.mark.parametrize("tilt_deg", [0.0, 12.0, 33.0])
@pytest.mark.parametrize("at_mm", [(130.0, 200.0), (450.0, 30.0)])
def test_what_is_drawn_is_where_the_truth_says(at_mm: tuple[float, float], tilt_deg: float) -> None:
    """Outline and upper face cover what the cube's corners span in the picture."""
    ground = plain_ground()
    scenery, piece = _scenery(ground, at_mm), _piece(Shape(14, 0.05), at_mm, tilt_deg=tilt_deg)
    layer = render_layer(piece, (), scenery)
    projection = scenery.window.projection
    truth = label_die(piece.rest, UPRIGHT, DrawnKind.DIE, projection, visible=1.0)
    body = piece.rest.body
    cube = np.array([(x, y, z) for x in (-7, 7) for y in (-7, 7) for z in (-7, 7)]).T
    corners = body.rotation @ cube + body.middle_mm[:, None]
    outline = projection.to_picture(corners[:2].T, corners[2])
    assert float(layer.cover.sum()) == pytest.approx(_area(outline), rel=0.02)
    assert float(layer.top_cover.sum()) == pytest.approx(_area(np.array(truth.quad_px)), rel=0.04)
    rows, columns = np.indices(layer.top_cover.shape)
    middle = [float((layer.top_cover * at).sum() / layer.top_cover.sum()) for at in (columns, rows)]
    assert middle == pytest.approx(truth.top_px, abs=0.35)
    assert truth.face == 6


def test_the_truth_of_a_tilted_die_has_its_normal_and_base() -> None:
    ground = plain_ground()
    piece = _piece(Shape(14, 1.0), (130.0, 200.0), tilt_deg=20.0)
    truth = label_die(piece.rest, UPRIGHT, DrawnKind.DIE, ground.projection, visible=1.0)
    assert truth.tilt_deg == pytest.approx(20)
    sine = np.sin(np.radians(20))
    assert truth.normal == pytest.approx((0.8 * sine, -0.6 * sine))
    base = piece.rest.body.middle_mm - 7 * np.array([*truth.normal, np.cos(np.radians(20))])
    assert base == pytest.approx([*truth.base_mm, truth.base_height_mm])


@pytest.mark.parametrize("six_rows", [1.0, 0.75])
@pytest.mark.parametrize("value", range(1, 7))
def test_the_upper_face_shows_as_many_pips_as_its_value(value: int, six_rows: float) -> None:
    ground = plain_ground()
    values = next(
        v for v in (random_legal_values(np.random.default_rng(s), is_western=True) for s in range(99)) if v[4] == value
    )
    scenery, plain = _scenery(ground, (239.5, 200.0), 2.8), _piece(Shape(16, 0.8), (239.5, 200.0), values)
    piece = replace(plain, marks=FaceMarks(values, replace(PIPS, six_rows=six_rows)))
    layer = render_layer(piece, (), scenery)
    ink = ((layer.top_cover > 0.98) & (layer.colour.mean(axis=2) < 0.12)).astype(np.uint8)
    assert cv2.connectedComponents(ink)[0] - 1 == value


def test_light_is_taken_only_where_the_shadow_falls() -> None:
    ground = plain_ground()
    scenery, piece = _scenery(ground, (130.0, 200.0)), _piece(Shape(14, 1.0), (130.0, 200.0))
    left = compute_shadow([piece], scenery)
    assert left.max() <= 1.0001
    assert left.min() < 0.8
    assert (left[:8] > 0.99).all()
    lamp = max(scenery.light.lamps, key=lambda one: float(one.power.sum()))
    away = -lamp.way[:2] / np.linalg.norm(lamp.way[:2])
    rows, columns = np.indices(left.shape[:2])
    dark = 1 - left.mean(axis=2)
    middle = np.array([(dark * columns).sum(), (dark * rows).sum()]) / dark.sum()
    base = scenery.window.projection.to_picture([(130.0, 200.0)])[0]
    assert (middle - base) @ away > 0, "on the side away from the lamp"


def test_a_die_behind_the_bar_is_partly_hidden() -> None:
    """The camera looks over the bar from the left."""
    ground = plain_ground()
    aside = replace(ground.projection, camera_mm=(-300.0, 200.0, 500.0))
    ground = replace(ground, projection=aside, heights=replace(HEIGHTS, bar_mm=12.0))
    near, far = _piece(Shape(10, 0.5), (269.0, 200.0)), _piece(Shape(10, 0.5), (300.0, 200.0))
    scenery = _scenery(ground, (290.0, 200.0))
    hidden, seen = render_layer(near, (), scenery), render_layer(far, (), scenery)
    assert float(hidden.cover.sum()) < 0.8 * hidden.whole_px
    assert float(seen.cover.sum()) == pytest.approx(seen.whole_px, rel=0.01)


def test_a_windows_projection_is_that_of_the_picture() -> None:
    ground = plain_ground()
    places = np.array([(10.0, 20.0), (300.0, 333.0)])
    moved = ground.projection.scale(1.7).crop(33, 44).to_picture(places, 12.0)
    assert moved == pytest.approx((ground.projection.to_picture(places, 12.0) + 0.5) * 1.7 - 0.5 - (33, 44))


def test_a_seed_names_one_picture_and_its_labels() -> None:
    ground = plain_ground(checkers_mm=((60, 60), (330, 200)))
    one, same = (draw_dice(plain_picture(), ground, np.random.default_rng(8)) for _ in range(2))
    assert one is not None
    assert same is not None
    assert (one.pixels == same.pixels).all()
    assert one.dice == same.dice


def test_pictures_by_chance_keep_what_was_wished() -> None:
    ground = plain_ground(checkers_mm=((60, 60), (330, 200), (400, 330)))
    wishes = DiceDrawOptions(crop_px=(144, 120), die_px=(20, 36))
    found = [draw_dice(plain_picture(), ground, np.random.default_rng(seed), wishes) for seed in range(24)]
    drawn = [one for one in found if one is not None]
    assert len(drawn) >= 21
    dice = [die for one in drawn for die in one.dice]
    assert {die.state for die in dice} >= {DieState.FLAT, DieState.COCKED}
    for one in drawn:
        assert one.pixels.shape == (120, 144, 3)
        for die in one.dice:
            assert -20 < die.top_px[0] < 164
            assert -20 < die.top_px[1] < 140
    for die in dice:
        assert (die.face in range(1, 7)) != (die.cube_value in (2, 4, 8, 16, 32, 64))
        assert 0 <= die.visible <= 1
        assert np.linalg.norm(die.normal) == pytest.approx(np.sin(np.radians(die.tilt_deg)), abs=1e-9)
        if die.state is DieState.FLAT:
            assert die.tilt_deg < 3.01


def test_no_window_shows_dice_that_nobody_labelled() -> None:
    thing = (130.0, 200.0, 10.0)
    ground = plain_ground(things_mm=(thing,))
    for seed in range(20):
        drawn = draw_dice(plain_picture(), ground, np.random.default_rng(seed), DEFAULT_OPTIONS)
        if drawn is not None:
            x, y = drawn.board.projection.to_picture([thing[:2]])[0]
            width, height = drawn.pixels.shape[1::-1]
            assert not (0 <= x < width and 0 <= y < height)


def test_without_dice_there_are_no_labels() -> None:
    wishes = DiceDrawOptions(counts=(1.0,), cube_share=0.0)
    for seed in range(10):
        drawn = draw_dice(plain_picture(), plain_ground(), np.random.default_rng(seed), wishes)
        assert drawn is not None
        assert drawn.dice == ()
