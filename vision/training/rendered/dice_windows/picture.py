"""From a scene with many dice to its finished windows, or to the whole picture, and their label."""

from dataclasses import replace

import cv2
import numpy as np

from vision.training.rendered.dice_windows.labels import make_whole_label, make_windows_label
from vision.training.rendered.dice_windows.scene import DiceScene, DiceWindow, draw_windows
from vision.training.rendered.dice_windows.tracer import Patch, WindowTracer
from vision.training.rendered.difficulty import DIE_BURNT, FIELD_BURNT, Glare, burnt_share, measure_glare
from vision.training.rendered.exposure import develop, develop_part, exposure_gain, metering_window
from vision.training.rendered.labels import Json
from vision.training.rendered.layout.board_shape import field_corners
from vision.training.rendered.layout.dice_state import upper_quad
from vision.training.rendered.tracing.arrays import Bytes, Floats

_STEP_PX = 8  # cell of the preview that exposure is measured in
_PREVIEW_SAMPLES = 12
_MARGIN_PX = 6  # traced around a window: the reach of blur and sharpening
_AROUND_PX = 72  # around that from the preview: the reach of bloom


def take_windows(dice_scene: DiceScene, samples: int, name: str) -> tuple[list[Bytes], Json]:
    """(side, side, 3) BGR of each window, and the label of all."""
    scene, camera = dice_scene.scene, dice_scene.camera
    windows = draw_windows(np.random.default_rng([scene.seed, 26]), dice_scene)
    preview_px = camera.width_px // _STEP_PX, camera.height_px // _STEP_PX
    patches = [Patch(0, 0, *preview_px, _PREVIEW_SAMPLES, _STEP_PX)]
    for window in windows:
        side = window.side_px + 2 * _MARGIN_PX
        patches.append(Patch(window.x_px - _MARGIN_PX, window.y_px - _MARGIN_PX, side, side, samples))
    tracer = WindowTracer(dice_scene)
    preview, *parts = tracer.trace(patches)
    gain = exposure_gain(preview[_meter(dice_scene, _STEP_PX)], scene.photo, scene.lighting.mean_colour)
    images = [
        _develop(window, part, preview, dice_scene=dice_scene, gain=gain)
        for window, part in zip(windows, parts, strict=True)
    ]
    glare = _measure_glare(dice_scene, windows, images, preview * gain)
    return images, make_windows_label(dice_scene, windows, tracer.is_visible, glare, name)


def take_whole(dice_scene: DiceScene, samples: int, name: str, width_px: int) -> tuple[Bytes, Json]:
    """(h, w, 3) BGR of the whole picture at that width, and its label."""
    camera = dice_scene.camera.resize(width_px, width_px * 3 // 4)
    dice_scene, scene = replace(dice_scene, camera=camera), dice_scene.scene
    tracer = WindowTracer(dice_scene)
    (light,) = tracer.trace([Patch(0, 0, camera.width_px, camera.height_px, samples)])
    rng, colour = np.random.default_rng([scene.seed, 27]), scene.lighting.mean_colour
    image = develop(light, scene.photo, rng, metered=_meter(dice_scene, 1), lamp_colour=colour)
    return image, make_whole_label(dice_scene, tracer.is_visible, measure_glare(image, scene, camera), name)


def _meter(dice_scene: DiceScene, cell_px: int) -> tuple[slice, slice]:
    """The exposure for the whole picture, from a preview in cells of several pixels."""
    camera = dice_scene.camera
    corners_px = camera.project(field_corners(dice_scene.scene.table.size))
    return metering_window(corners_px, (camera.width_px, camera.height_px), cell_px)


def _develop(window: DiceWindow, part: Floats, preview: Floats, *, dice_scene: DiceScene, gain: Floats) -> Bytes:
    """(side, side, 3) BGR: the traced part within its surroundings from the preview, through the sensor."""
    camera, scene = dice_scene.camera, dice_scene.scene
    reach = _AROUND_PX + _MARGIN_PX
    light = _cut_surroundings(preview, window, reach)
    light[_AROUND_PX:-_AROUND_PX, _AROUND_PX:-_AROUND_PX] = part
    image = develop_part(
        light,
        scene.photo,
        np.random.default_rng([scene.seed, 27, window.x_px, window.y_px]),
        gain=gain,
        full_px=(camera.width_px, camera.height_px),
        corner_px=(window.x_px - reach, window.y_px - reach),
    )
    return np.ascontiguousarray(image[reach:-reach, reach:-reach])


def _cut_surroundings(preview: Floats, window: DiceWindow, reach_px: int) -> Floats:
    """A square of the whole picture around a window, coarse."""
    side = window.side_px + 2 * reach_px
    shift = (np.array([window.x_px, window.y_px]) - reach_px + 0.5) / _STEP_PX - 0.5
    to_preview = np.array([[1 / _STEP_PX, 0, shift[0]], [0, 1 / _STEP_PX, shift[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(preview, to_preview, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _measure_glare(
    dice_scene: DiceScene, windows: tuple[DiceWindow, ...], images: list[Bytes], exposed: Floats
) -> Glare:
    """Of each die in its own window, 0 without one; of the field in the preview, from light beyond white."""
    scene, camera = dice_scene.scene, dice_scene.camera
    shares = [0.0] * len(scene.dice)
    for window, image in zip(windows, images, strict=True):
        if window.order is not None:
            quad = camera.project(upper_quad(scene.dice[window.order], scene.table.size.die_mm)[0])
            shares[window.order] = burnt_share(image, np.round(quad - (window.x_px, window.y_px)), DIE_BURNT)
    coded = np.clip(exposed, 0, 1) ** (1 / 2.2) * 255
    field = camera.project(field_corners(scene.table.size)) / _STEP_PX
    return Glare(burnt_share(coded.astype(np.uint8), field, FIELD_BURNT), tuple(shares))
