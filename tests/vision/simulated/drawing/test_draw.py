"""Pictures agree with their labels, and the same scene gives the same pixels."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.errors import NoBoardInSceneError
from vision.simulated import compute_truth, draw
from vision.simulated.drawing.led_light import REACH_PX
from vision.simulated.drawing.optics import axis_rotations, to_rows
from vision.simulated.scene import (
    Board,
    Camera,
    Checker,
    CheckerProfile,
    CheckerSide,
    CheckerStyle,
    Colour,
    Finish,
    Hand,
    Led,
    Photo,
    PointShape,
    PointStyle,
    Scene,
)

BLACK, GREY, WHITE = (0.02, 0.02, 0.02), (0.35, 0.35, 0.35), (0.95, 0.95, 0.95)
RED: Colour = (0.9, 0.05, 0.05)
BLUE: Colour = (0.05, 0.05, 0.9)


def flat(colour: Colour) -> Finish:
    return Finish(colour=colour, contrast=0.0, gloss=0.0)


def tilted_camera(k1: float) -> Camera:
    """Tilted by 12 degrees and rolled by 8, 700 mm above the middle of a 500 x 400 mm field."""
    about_x, _, about_z = axis_rotations(np.radians(12), 0.0, np.radians(8))
    rotation = about_x @ about_z
    x, y, z = np.array([0, 0, 700.0]) - rotation @ np.array([250, 200, 0])
    return Camera((640, 480), 600.0, (322.0, 236.0), to_rows(rotation), (float(x), float(y), float(z)), k1)


def flat_scene(field: Colour = WHITE, k1: float = -0.1) -> Scene:
    """Even light, plain surfaces, a rim without height and a perfect camera."""
    board = Board(
        field_mm=(500.0, 400.0),
        bar_mm=(250.0, 250.0),
        field=flat(field),
        points=PointStyle(PointShape.STRAIGHT, 0.9, 0.4, flat(field), flat(field)),
        bar=flat(field),
        rim=flat(BLACK),
        inner=flat(BLACK),
        rim_height_mm=0.0,
    )
    photo = Photo(defocus_px=0, vignette=0, shot_noise=0, read_noise=0, contrast=0, jpeg=100)
    light = CheckerStyle(flat(RED), CheckerProfile.FLAT)
    return Scene(
        tilted_camera(k1),
        board,
        light,
        replace(light, finish=flat(BLUE)),
        flat(BLACK),
        photo,
        checker_diameter_mm=36.0,
        checker_thickness_mm=0.1,
        ambient=(1.0, 1.0, 1.0),
        occlusion=0.0,
    )


@pytest.mark.parametrize("k1", [-0.1, 0.0, 0.05])
def test_the_field_is_drawn_where_its_corners_are(k1: float) -> None:
    """A sub-pixel corner search from three pixels away ends within half a pixel of the labels."""
    scene = flat_scene(k1=k1)
    labelled = np.array(compute_truth(scene).field_corners_px, np.float32)
    grey = cv2.cvtColor(draw(scene), cv2.COLOR_BGR2GRAY)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 0.01)
    found = cv2.cornerSubPix(grey, labelled[:, None] + np.float32(2.1), (7, 7), (-1, -1), stop)
    assert np.abs(found.reshape(4, 2) - labelled).max() < 0.5


def test_checkers_are_drawn_where_the_truth_has_them() -> None:
    places = [(40.0, 40.0, 0.0), (460.0, 60.0, 30.0), (250.0, 200.0, 10.0), (60.0, 350.0, 20.0), (440.0, 360.0, 0.0)]
    checkers = tuple(Checker(CheckerSide.LIGHT, "T1", 0, (x, y), height) for x, y, height in places)
    scene = replace(flat_scene(GREY), checkers=checkers)
    picture = draw(scene).astype(int)
    mask = (picture[..., 2] - picture[..., 0] > 110).astype(np.uint8)
    count, _, stats, centres = cv2.connectedComponentsWithStats(mask)
    assert count == 1 + len(places)
    for checker in compute_truth(scene).checkers:
        nearest = 1 + int(np.hypot(*(centres[1:] - checker.top_px).T).argmin())
        assert np.hypot(*(centres[nearest] - checker.top_px)) < 0.5
        assert abs(np.sqrt(stats[nearest, cv2.CC_STAT_AREA] / np.pi) - checker.radius_px) < 1.0


def test_places_count_their_checkers() -> None:
    checkers = (
        Checker(CheckerSide.DARK, "T3", 0, (104.0, 20.0)),
        Checker(CheckerSide.DARK, "T3", 0, (104.0, 60.0)),
        Checker(CheckerSide.LIGHT, "bar", 0, (250.0, 180.0)),
        Checker(CheckerSide.LIGHT, "off", 0, (600.0, 180.0)),
    )
    truth = compute_truth(replace(flat_scene(), checkers=checkers))
    counts = [(place.colour, place.count) for place in truth.places[:4]]
    assert counts == [("none", 0), ("none", 0), ("dark", 2), ("none", 0)]
    assert (truth.bar_light, truth.bar_dark) == (1, 0)
    assert [checker.place for checker in truth.checkers] == ["T3", "T3", "bar", "off"]


def test_a_checker_under_another_is_hidden() -> None:
    below, above = (
        Checker(CheckerSide.DARK, "B6", 0, (229.0, 380.0)),
        Checker(CheckerSide.DARK, "B6", 1, (229.0, 380.0), 0.1),
    )
    lower, upper = compute_truth(replace(flat_scene(), checkers=(below, above))).checkers
    assert lower.visible < 0.05
    assert upper.visible > 0.95


def test_a_hand_hides_the_points_below_it() -> None:
    hand = Hand((375.0, 300.0), 90.0, (0.8, 0.6, 0.5), flat(BLACK), 200.0)
    places = compute_truth(replace(flat_scene(), hands=(hand,))).places
    assert max(place.occluded for place in places[:12]) == 0
    assert max(place.occluded for place in places[19:22]) > 0.3


def test_the_same_scene_gives_the_same_pixels() -> None:
    scene = replace(flat_scene(), photo=Photo(), seed=3)
    assert (draw(scene) == draw(scene)).all()
    assert (draw(scene) != draw(replace(scene, seed=4))).any()


def test_leds_change_only_what_is_near_them() -> None:
    dark = replace(flat_scene(GREY), photo=Photo(), leds=(Led((20.0, -10.0, 0.0), None),))
    lit = replace(dark, leds=(Led((20.0, -10.0, 0.0), (0.0, 1.0, 0.0)),))
    changed = (draw(dark) != draw(lit)).any(-1)
    rows, columns = np.nonzero(changed)
    x, y = compute_truth(dark).field_corners_px[0]
    far = REACH_PX + 40
    assert changed.sum() > 50
    assert max(abs(rows - y).max(), abs(columns - x).max()) < far


def test_a_scene_without_a_board_has_no_truth() -> None:
    with pytest.raises(NoBoardInSceneError, match="no board"):
        compute_truth(replace(flat_scene(), board=None))
