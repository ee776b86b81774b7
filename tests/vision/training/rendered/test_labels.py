import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.vision.training.rendered.scenes import CAMERA, SIZE, drawn, flat_die, made_by_hand
from vision.training.rendered.difficulty import Glare
from vision.training.rendered.labels import field_homography, make_label
from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.layout.hand import draw_hand
from vision.training.rendered.scene import RenderedScene
from vision.training.rendered.tracing.arrays import Flags, Floats


def all_seen(points_mm: Floats) -> Flags:
    return np.ones(len(points_mm), bool)


def left_seen(points_mm: Floats) -> Flags:
    """An obstacle hides everything right of the middle."""
    return np.asarray(points_mm[:, 0] < 0, bool)


def labelled(scene: RenderedScene, camera: TracedCamera = CAMERA, seen: Any = all_seen) -> dict[str, Any]:
    """The label through JSON."""
    written = make_label(scene, camera, seen, Glare(0.0, (0.0,) * len(scene.dice)), "0000.jpg")
    read: dict[str, Any] = json.loads(json.dumps(written))
    return read


def test_the_field_is_where_the_camera_sees_it() -> None:
    """One pixel a millimetre around (319.5, 239.5): a field of 400 x 300 mm has its corner at (119.5, 89.5)."""
    read = labelled(made_by_hand())
    assert read["field_corners_px"] == [[119.5, 89.5], [519.5, 89.5], [519.5, 389.5], [119.5, 389.5]]
    assert read["points"]["T1"]["base_px"] == [134.5, 89.5]
    assert read["points"]["T1"]["tip_px"] == [134.5, 209.5]
    assert read["points"]["B12"]["base_px"] == [504.5, 389.5]


def test_checkers_are_labelled() -> None:
    """Colour, place in board millimetres, and the upper face, which from above lies a little further out."""
    light, dark = labelled(made_by_hand())["checkers"]
    assert (light["color"], light["point"], light["centre_mm"]) == ("light", "T1", [15.0, 20.0])
    assert (dark["color"], dark["point"], dark["centre_mm"]) == ("dark", "B12", [385.0, 280.0])
    assert light["top_px"] == pytest.approx([319.5 - 185 * 800 / 792, 239.5 - 130 * 800 / 792], abs=0.01)
    assert light["radius_px"] == pytest.approx(14 * 800 / 792, abs=0.01)
    assert light["in_image"]


def test_points_carry_counts() -> None:
    points = labelled(made_by_hand())["points"]
    assert (points["T1"]["color"], points["T1"]["count"]) == ("light", 1)
    assert (points["B12"]["color"], points["B12"]["count"]) == ("dark", 1)
    assert sum(point["color"] is None and point["count"] == 0 for point in points.values()) == 22


def test_dice_are_labelled() -> None:
    """A flat die 100 mm right of the middle shows 1 and is half a roll; with a second one there is a roll."""
    scene = made_by_hand()
    read = labelled(scene)
    (die,) = read["dice"]
    assert (die["value"], die["state"], die["half"], die["centre_mm"]) == (1, "flat", "right", [300.0, 150.0])
    assert read["roll"] == {"valid": False, "reason": "one_die", "values": None}
    pair = replace(scene, dice=(flat_die(100, 0), flat_die(60, 30)))
    assert labelled(pair)["roll"] == {"valid": True, "reason": "ok", "values": [1, 1]}


def test_what_is_hidden_is_said() -> None:
    read = labelled(made_by_hand(), seen=left_seen)
    assert [checker["visible"] for checker in read["checkers"]] == [1.0, 0.0]
    assert read["dice"][0]["visible"] == 0.0


def test_a_hand_covers_points() -> None:
    """Points are checked only with a hand in the picture."""
    hand = draw_hand(np.random.default_rng(1), SIZE, ())
    read = labelled(replace(made_by_hand(), hand=hand), seen=left_seen)
    assert not read["still"]
    assert set(read["occluded_points"]) == {f"{row}{column}" for row in "TB" for column in range(7, 13)}
    assert labelled(made_by_hand(), seen=left_seen)["occluded_points"] == []


def test_the_homography_is_that_of_the_camera() -> None:
    for scene in drawn(10):
        size, camera = scene.table.size, replace(scene.camera, lens=(0.0, 0.0, 0.0, 0.0, 0.0))
        board = np.array([(0, 0, 1), (size.field_width_mm, 50, 1), (30, size.field_height_mm, 1)])
        world = np.column_stack(
            [board[:, 0] - size.field_width_mm / 2, size.field_height_mm / 2 - board[:, 1], np.zeros(3)]
        )
        mapped = board @ field_homography(camera, size).T
        assert mapped[:, :2] / mapped[:, 2:] == pytest.approx(camera.project(world), abs=1e-6)


def test_the_fields_are_the_published_ones() -> None:
    fields = {
        *("image", "width", "height", "seed", "game", "phase", "camera", "homography", "field_corners_px"),
        *("outer_corners_px", "board", "points", "bar", "off", "checkers", "dice", "roll", "cube", "still"),
        *("occluded", "occluded_points", "leds", "aruco", "tags", "difficulty"),
    }
    for scene in drawn(10):
        assert set(labelled(scene, scene.camera)) == fields


def test_markers_and_leds_project() -> None:
    for scene in drawn(20):
        read = labelled(scene, scene.camera)
        assert len(read["aruco"]) in (0, 4)
        assert len(read["leds"]) in (0, 24)
        for marker, corner in zip(read["aruco"], read["outer_corners_px"], strict=False):
            middle = np.mean(marker["corners_px"], axis=0)
            assert np.linalg.norm(middle - corner) < 60
