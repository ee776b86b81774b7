"""Builds the scene of an arrangement on a table, and the perfect calibration of its camera."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from vision.simulated.checker_spots import place_checkers, require_board
from vision.simulated.drawing.optics import Matrix, axis_rotations, distort, pinhole_view, to_rows
from vision.simulated.scene import Camera, Checker, Die, Hand, Led, PointMm, Scene
from vision.simulated.tabletop import (
    Arrangement,
    Bump,
    DiePose,
    DieStyle,
    HandPose,
    LooseChecker,
    TableEdge,
    TableStyle,
)

LOOSE_GRAIN_OFFSET = 1000  # added to the grain of loose checkers, so that no place has the same
SHOULDER_MM = 430.0  # from the edge of the field to the shoulder of the player who sits there
TIP_LOW_MM = 15.0  # `Hand.height_mm` of a hand whose lowest finger tip touches the field
# For each upper value of an eastern die (1, 2, 3 clockwise): the faces up, towards +x, towards +y.
EASTERN = {1: (1, 2, 3), 2: (2, 6, 3), 3: (3, 1, 2), 4: (4, 1, 5), 5: (5, 6, 4), 6: (6, 5, 3)}


@dataclass(frozen=True, slots=True)
class FieldInPicture:
    """The exact position of the field in the picture: what a calibration has to find.

    Corners run clockwise from the upper left, lens included; `homography` maps mm on the surface to undistorted pixels.
    """

    size_px: tuple[int, int]
    corners_px: tuple[PointMm, PointMm, PointMm, PointMm]
    focal_px: float
    centre_px: PointMm
    k1: float
    homography: Matrix
    field_mm: tuple[float, float]
    bar_mm: tuple[float, float]
    checker_diameter_mm: float
    checker_thickness_mm: float


def build_scene(style: TableStyle, arrangement: Arrangement) -> Scene:
    """The whole scene without daylight. Drawn with the painter's `exposure` it gives the painter's picture."""
    pieces = tuple(make_checker(one) for one in arrangement.loose)
    return replace(
        style.scene,
        camera=apply_bump(style.scene.camera, arrangement.bump),
        checkers=(*place_checkers(style, arrangement), *pieces),
        dice=make_dice(style, arrangement),
        hands=tuple(make_hand(style, pose) for pose in arrangement.hands),
        lamps=style.scene.lamps if arrangement.lamps is None else arrangement.lamps,
        leds=tuple(Led(led.at_mm, colour) for led, colour in zip(style.scene.leds, arrangement.leds, strict=True)),
    )


def make_checker(loose: LooseChecker) -> Checker:
    grain = LOOSE_GRAIN_OFFSET + loose.grain
    return Checker(loose.side, "loose", 0, loose.centre_mm, loose.height_mm, turn_deg=loose.turn_deg, grain=grain)


def make_dice(style: TableStyle, arrangement: Arrangement) -> tuple[Die, ...]:
    """The dice and, last, the cube if the arrangement has one."""
    return (*(make_die(style.dice[die.number], die) for die in arrangement.dice), *make_cube(style, arrangement))


def make_cube(style: TableStyle, arrangement: Arrangement) -> tuple[Die, ...]:
    """The cube, or nothing."""
    cube, look = arrangement.cube, style.cube
    if cube is None:
        return ()
    text, faces = str(cube.value), (1, 2, 3)
    return (
        Die(
            cube.centre_mm,
            look.size_mm,
            cube.yaw_deg,
            faces,
            look.body,
            look.pip,
            cube.height_mm,
            text,
            marks=look.marks,
        ),
    )


def make_die(die_style: DieStyle, die: DiePose) -> Die:
    up, right, below = EASTERN[die.up]
    faces = (up, below, right) if die_style.is_western else (up, right, below)
    return Die(
        die.centre_mm,
        die_style.size_mm,
        die.yaw_deg,
        faces,
        die_style.body,
        die_style.pip,
        die.height_mm,
        tilt_deg=die.tilt_deg,
        way_deg=die.way_deg,
        marks=die_style.marks,
        smear_mm=die.smear_mm,
    )


def make_hand(style: TableStyle, pose: HandPose) -> Hand:
    arm = style.arm(pose.edge)
    straight_deg = 90.0 if pose.edge is TableEdge.BOTTOM else 270.0
    return Hand(
        pose.tip_mm,
        straight_deg if pose.from_deg is None else pose.from_deg,
        arm.skin,
        arm.sleeve,
        arm.sleeve_from_mm,
        TIP_LOW_MM + pose.height_mm,
        arm.size,
        left=arm.left,
        seed=arm.seed,
    )


@lru_cache(maxsize=64)
def apply_bump(camera: Camera, bump: Bump) -> Camera:
    """The camera after a knock; it turns about its own position."""
    if bump == Bump():
        return camera
    pitch, roll, yaw = np.radians((*bump.tilt_deg, bump.turn_deg))
    about_x, about_y, about_z = axis_rotations(pitch, roll, yaw)
    turn = about_z @ about_y @ about_x
    rotation, place = np.array(camera.rotation), np.array(camera.translation_mm)
    x, y, up = bump.shift_mm
    move = turn @ (place - rotation @ np.array([x, y, -up]))
    translation_mm = (float(move[0]), float(move[1]), float(move[2]))
    return replace(camera, rotation=to_rows(turn @ rotation), translation_mm=translation_mm)


def project_field(style: TableStyle) -> FieldInPicture:
    """The perfect calibration of the table's camera."""
    camera, board = style.scene.camera, require_board(style)
    view = pinhole_view(camera)
    width, height = board.field_mm
    corners = distort(camera, view.project(np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]])))
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    plane = view.homography(0.0)
    return FieldInPicture(
        camera.size_px,
        (a, b, c, d),
        camera.focal_px,
        camera.centre_px,
        camera.k1,
        to_rows(plane / plane[2, 2]),
        board.field_mm,
        board.bar_mm,
        style.scene.checker_diameter_mm,
        style.scene.checker_thickness_mm,
    )


def with_hand(
    style: TableStyle, before: Arrangement, edge: TableEdge, tip_mm: PointMm, height_mm: float
) -> Arrangement:
    """Adds a hand over `tip_mm` whose arm comes from the seat at that edge."""
    width, height = require_board(style).field_mm
    x, y = width / 2, height + SHOULDER_MM if edge is TableEdge.BOTTOM else -SHOULDER_MM
    from_deg = float(np.degrees(np.arctan2(y - tip_mm[1], x - tip_mm[0])))
    return replace(before, hands=(*before.hands, HandPose(edge, tip_mm, height_mm, from_deg)))
