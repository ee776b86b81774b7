"""Brushes for ornaments on a sheet seen from above: outlines, discs, bands, pictures and line art, sized in mm."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.drawing.textures import bgr, cut_patch, read_picture
from vision.simulated.scene import Colour, Finish, PointMm

Pixels = NDArray[Any]
SHIFT = 4
Window = tuple[slice, slice]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """uint8 BGR pixels that the brushes change in place."""

    pixels: Pixels
    px_per_mm: float
    origin_mm: PointMm

    def to_px(self, points_mm: Pixels | PointMm) -> Pixels:
        """Pixel positions of board mm, (n, 2) or (2,)."""
        moved: Pixels = (np.asarray(points_mm, np.float64) + self.origin_mm) * self.px_per_mm - 0.5
        return moved

    def to_fixed(self, points_mm: Pixels) -> Pixels:
        return np.round(self.to_px(points_mm) * (1 << SHIFT)).astype(np.int32)

    def thickness(self, width_mm: float) -> int:
        return max(1, round(width_mm * self.px_per_mm))

    def fill(self, outlines_mm: Sequence[Pixels], ink: Finish, opacity: float = 1.0) -> None:
        """Fills outlines with one finish."""
        if not outlines_mm:
            return
        window = self._window(np.concatenate([self.to_px(outline) for outline in outlines_mm]))
        if window is None:
            return
        mask = np.zeros(self.pixels.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self.to_fixed(outline) for outline in outlines_mm], 255, cv2.LINE_AA, SHIFT)
        self._blend(window, ink, mask[window], opacity)

    def stroke(self, outlines_mm: Sequence[Pixels], colour: Colour, width_mm: float, *, closed: bool = True) -> None:
        fixed = [self.to_fixed(outline) for outline in outlines_mm]
        cv2.polylines(self.pixels, fixed, closed, bgr(colour).tolist(), self.thickness(width_mm), cv2.LINE_AA, SHIFT)

    def disc(self, centre_mm: PointMm, radius_mm: float, ink: Finish, opacity: float = 1.0) -> None:
        turn = np.linspace(0, 2 * np.pi, 28, endpoint=False)
        self.fill([np.column_stack([np.cos(turn), np.sin(turn)]) * radius_mm + centre_mm], ink, opacity)

    def ring(self, centre_mm: PointMm, radius_mm: float, colour: Colour, width_mm: float) -> None:
        turn = np.linspace(0, 2 * np.pi, 36, endpoint=False)
        self.stroke([np.column_stack([np.cos(turn), np.sin(turn)]) * radius_mm + centre_mm], colour, width_mm)

    def text(self, words: str, centre_mm: PointMm, height_mm: float, colour: Colour, *, turned: bool = False) -> None:
        """One line of text about a middle; `turned` puts it upside down."""
        scale, thick = height_mm * self.px_per_mm / 21, self.thickness(height_mm * 0.09)
        font = cv2.FONT_HERSHEY_DUPLEX if len(words) % 2 else cv2.FONT_HERSHEY_COMPLEX
        (width, height), below = cv2.getTextSize(words, font, scale, thick)
        mask = np.zeros((height + below + 6, width + 6), np.uint8)
        cv2.putText(mask, words, (3, height + 3), font, scale, 255, thick, cv2.LINE_AA)
        middle = self.to_px(centre_mm)
        self._stamp(mask[::-1, ::-1] if turned else mask, (float(middle[0]), float(middle[1])), Finish(colour=colour))

    def art(self, path: str, centre_mm: PointMm, size_mm: PointMm, ink: Finish, *, turned: bool = False) -> None:
        """Line art, black on white, printed with an ink in a rectangle."""
        grey = cv2.cvtColor(read_picture(path), cv2.COLOR_BGR2GRAY)
        mask = 255 - self._resized(grey, size_mm)
        middle = self.to_px(centre_mm)
        self._stamp(mask[::-1, ::-1] if turned else mask, (float(middle[0]), float(middle[1])), ink)

    def picture(self, path: str, centre_mm: PointMm, size_mm: PointMm, *, is_round: bool, turned: bool = False) -> None:
        """A coloured picture in a rectangle, or in the ellipse inside."""
        shown = self._resized(read_picture(path), size_mm)
        height, width = shown.shape[:2]
        mask = np.zeros((height, width), np.uint8)
        if is_round:
            axes = (max(1, width // 2 - 1), max(1, height // 2 - 1))
            cv2.ellipse(mask, (width // 2, height // 2), axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
        else:
            mask[:] = 255
        middle = self.to_px(centre_mm)
        self._stamp(mask, (float(middle[0]), float(middle[1])), shown[::-1, ::-1] if turned else shown)

    def multiply(self, factor: Pixels, window: Window) -> None:
        """Darkens or lightens a window by a float (h, w)."""
        part = self.pixels[window].astype(np.float32) * factor[..., None].astype(np.float32)
        self.pixels[window] = np.clip(part, 0, 255).astype(np.uint8)

    def window_around(self, centre_mm: PointMm, reach_mm: float) -> Window | None:
        middle = np.asarray(centre_mm, np.float64)
        return self._window(self.to_px(np.array([middle - reach_mm, middle + reach_mm])))

    def _resized(self, picture: Pixels, size_mm: PointMm) -> Pixels:
        size = tuple(max(3, round(side * self.px_per_mm)) for side in size_mm)
        resized: Pixels = cv2.resize(picture, (size[0], size[1]), interpolation=cv2.INTER_AREA)
        return resized

    def _window(self, points_px: Pixels) -> Window | None:
        height, width = self.pixels.shape[:2]
        low = np.maximum(np.floor(points_px.min(0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(points_px.max(0)).astype(int) + 3, (width, height))
        if (high <= low).any():
            return None
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def _blend(self, window: Window, ink: Finish | Pixels, mask: Pixels, opacity: float = 1.0) -> None:
        part = self.pixels[window]
        height, width = mask.shape
        other = cut_patch(ink, width, height, self.px_per_mm) if isinstance(ink, Finish) else ink
        share = mask.astype(np.float32) * np.float32(opacity / 255)
        part[:] = cv2.blendLinear(np.ascontiguousarray(other), np.ascontiguousarray(part), share, 1 - share)

    def _stamp(self, mask: Pixels, middle_px: PointMm, ink: Finish | Pixels) -> None:
        """Blends a stamp about a middle; what lies outside the sheet is left out."""
        height, width = mask.shape
        left, top = round(middle_px[0] - width / 2), round(middle_px[1] - height / 2)
        rows = slice(max(top, 0), min(top + height, self.pixels.shape[0]))
        columns = slice(max(left, 0), min(left + width, self.pixels.shape[1]))
        if rows.stop <= rows.start or columns.stop <= columns.start:
            return
        own = (slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left))
        self._blend((rows, columns), ink if isinstance(ink, Finish) else ink[own], mask[own])
