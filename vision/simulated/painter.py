"""Fast frames of a table: layers that have not changed are cached, the rest is painted over them.

The layers: the bare table before one camera pose and in one light, the checkers on it, the dice at rest. Hands and moving pieces are
painted over a copy, and only the windows that they and their shadows cover are photographed anew. Each layer is a
function of its content, so the same arrangement and frame number give the same pixels, whatever came before. The
exposure is locked, as in a match.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.checker_spots import place_checkers as standing_checkers
from vision.simulated.drawing import dice, hand
from vision.simulated.drawing.led_light import LedGlowMaps, LedLight
from vision.simulated.drawing.painting import PixelWindow, hull, lay
from vision.simulated.drawing.photo import apply_tone_curve, meter_exposure, record_picture
from vision.simulated.drawing.textures import Pixels
from vision.simulated.frame_windows import canvas_window, intersect, merge_windows, shift_into, to_picture_window, widen
from vision.simulated.mover_layer import with_movers, with_pieces
from vision.simulated.scene_building import make_checker, make_dice, make_die, make_hand
from vision.simulated.table_layers import BareTableLayer, CheckersLayer, make_checkers_layer, make_table_layer
from vision.simulated.tabletop import Arrangement, TableStyle

Made = TypeVar("Made")
STILL = (0.0, 0.0)
STAGES_KEPT, LAYERS_KEPT, PICTURES_KEPT = 2, 3, 5
UNCODED = 101  # a quality above 100 skips the JPEG coding


@dataclass(frozen=True, slots=True, eq=False)
class RestingLayer:
    """The canvas with all pieces at rest, and the windows in which it differs from the checkers' layer."""

    layer: CheckersLayer
    windows: tuple[PixelWindow, ...]


class Painter:
    """Caches the layers of one table. With `codes_jpeg` each frame goes through JPEG, as from a webcam."""

    def __init__(self, style: TableStyle, *, codes_jpeg: bool = False) -> None:
        self.style = style
        photo = style.scene.photo
        self._photo = photo if codes_jpeg else replace(photo, jpeg=UNCODED)
        self._cache: dict[str, dict[Hashable, Any]] = {}
        self.exposure = meter_exposure(self._bare_layer(Arrangement()).bare, photo)

    def paint_frame(self, arrangement: Arrangement, number: int = 0) -> NDArray[np.uint8]:
        """(height, width, 3) BGR. `number` is the frame number and seeds the noise."""
        tone = self._get_or_make("tones", arrangement, lambda: self._render_tones(arrangement), PICTURES_KEPT)
        picture: NDArray[np.uint8] = record_picture(tone, self._photo, self.style.scene.seed + number)
        return picture

    def _get_or_make(self, kind: str, key: Hashable, make: Callable[[], Made], most: int) -> Made:
        """Least-recently-used cache of `most` values for each kind."""
        kept = self._cache.setdefault(kind, {})
        found: Made = kept.pop(key) if key in kept else make()
        kept[key] = found
        if len(kept) > most:
            del kept[next(iter(kept))]
        return found

    def _bare_layer(self, arrangement: Arrangement) -> BareTableLayer:
        bump, lamps = arrangement.bump, arrangement.lamps
        return self._get_or_make(
            "stages", (bump, lamps), lambda: make_table_layer(self.style, bump, lamps), STAGES_KEPT
        )

    def _resting_layer(self, arrangement: Arrangement) -> RestingLayer:
        """The arrangement without hands, carried pieces and moving dice."""
        at_rest = tuple(die for die in arrangement.dice if die.smear_mm == STILL)
        checkers = Arrangement(
            arrangement.points, arrangement.bar, arrangement.off, bump=arrangement.bump, lamps=arrangement.lamps
        )
        only = replace(checkers, dice=at_rest, cube=arrangement.cube)

        def stand() -> CheckersLayer:
            return make_checkers_layer(self._bare_layer(only), standing_checkers(self.style, only))

        def settle() -> RestingLayer:
            standing = self._get_or_make("standing", checkers, stand, LAYERS_KEPT)
            layer, windows = with_pieces(standing, list(make_dice(self.style, only)))
            return RestingLayer(layer, tuple(windows))

        return self._get_or_make("settled", only, settle, LAYERS_KEPT)

    def _led_light(self, arrangement: Arrangement) -> LedLight:
        stage, bump, leds = self._bare_layer(arrangement), arrangement.bump, arrangement.leds
        maps = self._get_or_make("maps", bump, lambda: LedGlowMaps(self.style.scene.leds, stage.view), STAGES_KEPT)
        return self._get_or_make("leds", (bump, leds), lambda: maps.compute_light(leds), PICTURES_KEPT)

    def _render_tones(self, arrangement: Arrangement) -> Pixels:
        """The picture before its noise, float32 0..255; callers must not write to it."""
        settled = self._resting_layer(arrangement)
        rolling = [make_die(self.style.dice[die.number], die) for die in arrangement.dice if die.smear_mm != STILL]
        loose = [make_checker(one) for one in arrangement.loose]
        hands = [make_hand(self.style, one) for one in arrangement.hands]
        bare = replace(arrangement, loose=(), dice=(), cube=None, hands=())
        if arrangement == bare:
            return self._photograph(settled.layer, arrangement)
        layer, windows = with_movers(settled.layer, [*loose, *rolling], hands)
        tone = self._get_or_make("tones", bare, lambda: self._render_tones(bare), PICTURES_KEPT).copy()
        found = [to_picture_window(window, layer.table) for window in (*settled.windows, *windows)]
        for part in merge_windows([one for one in found if one is not None]):
            tone[part] = self._photograph(layer, arrangement, part)
        return tone

    def _photograph(self, layer: CheckersLayer, arrangement: Arrangement, part: PixelWindow | None = None) -> Pixels:
        """Tones of a part of the picture, or of all of it."""
        stage = layer.table
        height, width = stage.corners.shape
        rows, columns = part or (slice(0, height), slice(0, width))
        wide = (widen(rows, height), widen(columns, width))
        where = stage.where[wide]
        window = canvas_window(where, layer.canvas.shape)
        level, warmth = arrangement.daylight.level, arrangement.daylight.warmth
        gain = np.array([level * (1 - warmth), level * (1 - 0.4 * warmth), level], np.float32)  # blue, green, red
        light = layer.canvas[window] * gain
        self._add_leds(light, window, arrangement, stage)
        across, down = where[..., 0] - window[1].start, where[..., 1] - window[0].start
        bent = cv2.remap(light, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        tone = apply_tone_curve(bent, self._photo, self.exposure, stage.corners[wide])
        top, left = rows.start - wide[0].start, columns.start - wide[1].start
        return tone[top : top + rows.stop - rows.start, left : left + columns.stop - columns.start]

    def _add_leds(self, light: Pixels, window: PixelWindow, arrangement: Arrangement, stage: BareTableLayer) -> None:
        """Adds LEDs to a part of the canvas, in place. An LED under a hand or a die is hidden but still glows."""
        leds = self._led_light(arrangement)
        if leds.glow is not None:
            glow = leds.glow[window]
            light *= 1 + 2 * glow
            light += glow * np.float32(0.05 / self.exposure)
        hands = [make_hand(self.style, one) for one in arrangement.hands]
        over = [outline for one in hands for outline in hand.outlines_px(one, stage.view)]
        over += [hull(stage.view.project(dice.corners_mm(die))) for die in make_dice(self.style, arrangement)]
        shapes = [outline.astype(np.float32) for outline in over]
        for middle, face, mask, colour in leds.faces:
            both = intersect(face, window)
            if both is None or any(cv2.pointPolygonTest(outline, middle, False) >= 0 for outline in shapes):
                continue
            lay(light, shift_into(both, window), mask[shift_into(both, face)], colour / np.float32(self.exposure))
