"""The labels of the dice in drawn scenes: flat dice and the doubling cube."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import DieState
from vision.simulated.drawing import hand
from vision.simulated.drawing.dice import corners_mm
from vision.simulated.drawing.optics import canvas_view, distort, pinhole_view
from vision.simulated.scene import Board, Die, Scene
from vision.training.samples.die_truth import DieTruth

RIM_MM = 15.0  # width beside the field that counts as rim; beyond it the table begins
RAISED_MM = 1.0


def label_dice(scene: Scene) -> tuple[DieTruth, ...]:
    """The label of each die of a scene; none without a board."""
    if scene.board is None:
        return ()
    covered = _mask_hands(scene)
    return tuple(_truth(die, scene, scene.board, covered) for die in scene.dice)


def _truth(die: Die, scene: Scene, board: Board, covered: NDArray[np.uint8]) -> DieTruth:
    corners = corners_mm(die)[4:]
    quad = distort(scene.camera, pinhole_view(scene.camera).project(corners))
    first, second, third, fourth = ((float(x), float(y)) for x, y in quad)
    middle = distort(scene.camera, pinhole_view(scene.camera).project(corners.mean(axis=0, keepdims=True)))[0]
    return DieTruth(
        face=None if die.text else die.faces[0],
        state=_state(die, board),
        tilt_deg=0.0,
        normal=(0.0, 0.0),
        base_mm=die.centre_mm,
        base_height_mm=die.height_mm,
        size_mm=die.size_mm,
        top_px=(float(middle[0]), float(middle[1])),
        quad_px=(first, second, third, fourth),
        visible=_visible_share(canvas_view(scene.camera).project(corners), covered),
        cube_value=int(die.text) if die.text else None,
    )


def _state(die: Die, board: Board) -> DieState:
    x, y = die.centre_mm
    beside = max(-x, x - board.field_mm[0], -y, y - board.field_mm[1])
    if beside > 0:
        return DieState.ON_RIM if beside < RIM_MM else DieState.OFF_BOARD
    if board.bar_mm[0] < x < board.bar_mm[1]:
        return DieState.ON_BAR
    return DieState.ON_CHECKER if die.height_mm > RAISED_MM else DieState.FLAT


def _mask_hands(scene: Scene) -> NDArray[np.uint8]:
    view = canvas_view(scene.camera)
    covered = np.zeros((view.size_px[1], view.size_px[0]), np.uint8)
    for one in scene.hands:
        for outline in hand.outlines_px(one, view):
            if np.isfinite(outline).all() and np.abs(outline).max() < 20_000:
                cv2.fillPoly(covered, [np.round(outline).astype(np.int32)], 255)
    return covered


def _visible_share(quad_px: NDArray[np.float64], covered: NDArray[np.uint8]) -> float:
    """Share of the upper face, in canvas pixels, that no hand covers; pixels outside the canvas do not count."""
    steps = np.linspace(0, 1, 7)
    across = quad_px[0] + steps[:, None] * (quad_px[1] - quad_px[0])
    down = quad_px[3] - quad_px[0]
    points = np.round((across[:, None] + steps[None, :, None] * down).reshape(-1, 2)).astype(int)
    height, width = covered.shape
    inside = (points >= 0).all(axis=1) & (points[:, 0] < width) & (points[:, 1] < height)
    free = np.zeros(len(points), bool)
    free[inside] = covered[points[inside, 1], points[inside, 0]] == 0
    return float(free.mean())
