"""The texture of the playing surface: ground, points, inlay lines, ornaments, wear."""

import cv2
import numpy as np

from vision.simulated.scene import PLACES
from vision.training.rendered.layout.board_size import Bar, BoardSize
from vision.training.rendered.layout.board_style import FieldStyle
from vision.training.rendered.layout.palette import DARKEST, Surface
from vision.training.rendered.layout.textures import Swatch, make_swatch, noise
from vision.training.rendered.tracing.arrays import Bytes, Floats

_OVERSAMPLING = 4  # of the edges of points
_BRIGHTEST = 0.92


def paint_field_texture(rng: np.random.Generator, size: BoardSize, style: FieldStyle, px_per_mm: float) -> Swatch:
    """Covers the field with the bar; row 0 is its far edge."""
    canvas = _Canvas(rng, size, style, px_per_mm)
    canvas.lay_ground()
    canvas.lay_points()
    if style.ornament_leaves:
        canvas.lay_ornaments()
    if size.bar is Bar.NONE:
        canvas.lay_fold()
    canvas.wear()
    return Swatch(np.clip(canvas.albedo, DARKEST / 2, _BRIGHTEST), canvas.height)


class _Canvas:
    """Albedo and height, changed in place."""

    def __init__(self, rng: np.random.Generator, size: BoardSize, style: FieldStyle, px_per_mm: float) -> None:
        self.rng, self.size, self.style, self.px_per_mm = rng, size, style, px_per_mm
        rows, columns = round(size.field_height_mm * px_per_mm), round(size.field_width_mm * px_per_mm)
        self.albedo: Floats = np.zeros((rows, columns, 3), np.float32)
        self.height: Floats = np.zeros((rows, columns), np.float32)
        self.halves_mm = (0.0, size.half_width_mm + size.bar_width_mm)  # left edges
        self.line = np.array(style.line_colour, np.float32)

    def lay_ground(self) -> None:
        """One plank or cloth for each half; the strip under the bar keeps the first."""
        long, wide = self.size.field_height_mm + 4, self.size.half_width_mm + self.size.bar_width_mm + 4
        is_upright = self.style.ground.surface is Surface.WOOD and self.style.is_grain_upright
        for left_mm in self.halves_mm:
            width, height = (long, wide) if is_upright else (wide, long)
            piece = make_swatch(self.rng, self.style.ground, width_mm=width, height_mm=height, px_per_mm=self.px_per_mm)
            piece = piece.turn() if is_upright else piece
            start = int(left_mm * self.px_per_mm)
            rows, columns = self.height[:, start:].shape
            columns = min(columns, piece.height.shape[1])
            self.albedo[:, start : start + columns] = piece.albedo[:rows, :columns]
            self.height[:, start : start + columns] = piece.height[:rows, :columns]

    def lay_points(self) -> None:
        width, height = self.size.point_length_mm * 2.2, self.size.pitch_mm * 5
        pools = [
            make_swatch(self.rng, material, width_mm=width, height_mm=height, px_per_mm=self.px_per_mm)
            for material in self.style.points
        ]
        for place in PLACES:
            turn = (int(place[1:]) + (place[0] == "B")) % 2
            self._lay_point(self._outline_mm(place), pools[turn])

    def _outline_mm(self, place: str) -> Floats:
        """(n, 2) outline of a point from the field's top-left corner: a triangle with its tip cut off, or a lancet."""
        x = self.size.centres_mm[int(place[1:]) - 1]
        long = self.size.point_length_mm
        rim, step = (0.0, long) if place[0] == "T" else (self.size.field_height_mm, -long)
        share = np.linspace(0, 1, 24) if self.style.is_point_curved else np.array([0.0, 1.0])
        base, tip = self.size.pitch_mm * self.style.point_base / 2, self.size.pitch_mm * self.style.point_tip / 2
        if self.style.is_point_curved:
            half = base * np.sqrt(np.clip(1 - share**2.2, 0, 1)) * (1 - 0.25 * share)
        else:
            half = np.array([base, tip])
        along = rim + step * share
        left, right = np.column_stack([x - half, along]), np.column_stack([x + half, along])
        return np.vstack([left, right[::-1]])

    def _lay_point(self, outline_mm: Floats, pool: Swatch) -> None:
        rows, columns = self.height.shape
        low = np.maximum((outline_mm.min(axis=0) - 3) * self.px_per_mm, 0).astype(int)
        high = np.minimum((outline_mm.max(axis=0) + 3) * self.px_per_mm, (columns, rows)).astype(int)
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        tall, wide = int(high[1] - low[1]), int(high[0] - low[0])
        outline = np.round((outline_mm * self.px_per_mm - low) * _OVERSAMPLING).astype(np.int32)
        fill = np.zeros((tall * _OVERSAMPLING, wide * _OVERSAMPLING), np.uint8)
        edge = np.zeros_like(fill)
        cv2.fillPoly(fill, [outline], 255)
        thickness = max(1, int(self.style.line_mm * self.px_per_mm * _OVERSAMPLING))
        cv2.polylines(edge, [outline], True, 255, thickness)
        piece = _cut_piece(self.rng, pool, tall, wide)
        self._blend(window, _downsample(fill, wide, tall), piece.albedo * self.rng.uniform(0.93, 1.07), piece.height)
        if self.style.line_mm > 0:
            line = _downsample(edge, wide, tall)
            self._blend(window, line, self.line, self.height[window] - 0.8)

    def _blend(self, window: tuple[slice, slice], share: Floats, albedo: Floats, height: Floats) -> None:
        """Blends the new layer with weight `share` (h, w)."""
        self.albedo[window] += (albedo - self.albedo[window]) * share[..., None]
        self.height[window] += (height - self.height[window]) * share

    def lay_ornaments(self) -> None:
        """A rosette in the middle of each half, if there is room."""
        radius = (self.size.field_height_mm / 2 - self.size.point_length_mm) * 0.8 * self.px_per_mm
        if radius < 12:
            return
        layer = np.zeros(self.height.shape, np.uint8)
        for left_mm in self.halves_mm:
            centre = np.array([left_mm + self.size.half_width_mm / 2, self.size.field_height_mm / 2]) * self.px_per_mm
            for leaf in range(self.style.ornament_leaves):
                angle = 2 * np.pi * leaf / self.style.ornament_leaves
                for reach, strength in ((0.92, 255), (0.5, 140)):
                    cv2.fillPoly(layer, [_leaf(centre, radius * reach, angle)], strength, cv2.LINE_AA)
            middle = (int(centre[0]), int(centre[1]))
            width = max(2, int(0.9 * self.px_per_mm))
            cv2.circle(layer, middle, int(radius * 0.98), 255, width, cv2.LINE_AA)
        self._blend((slice(None), slice(None)), layer.astype(np.float32) / 255 * 0.85, self.line, self.height)

    def lay_fold(self) -> None:
        """The fold of a board without a bar: a groove or a printed stripe."""
        left = round(self.size.half_width_mm * self.px_per_mm)
        width = max(1, round(self.size.bar_width_mm * self.px_per_mm))
        window = (slice(None), slice(left, left + width))
        share = np.full(self.height[window].shape, 0.9, np.float32)
        self._blend(window, share, self.line, self.height[window] - 1.5)

    def wear(self) -> None:
        """Scratches and dull spots."""
        rows, columns = self.height.shape
        layer = np.zeros((rows, columns), np.uint8)
        for _ in range(int(self.style.wear * 90)):
            start = self.rng.uniform(0, 1, 2) * (columns, rows)
            angle, length = self.rng.uniform(0, np.pi), self.rng.uniform(5, 70) * self.px_per_mm
            end = start + length * np.array([np.cos(angle), np.sin(angle)])
            ends = [(int(x), int(y)) for x, y in (start, end)]
            cv2.line(layer, ends[0], ends[1], int(self.rng.integers(60, 200)), 1, cv2.LINE_AA)
        scratch = np.asarray(cv2.GaussianBlur(layer, (0, 0), 0.6)).astype(np.float32) / 255
        self._blend((slice(None), slice(None)), 0.35 * scratch, 0.30 + 0.5 * self.albedo, self.height)
        feature = 70 * self.px_per_mm
        dull = np.clip(noise(self.rng, (rows, columns), (feature, feature), octaves=4) - 0.5, 0, 1) * self.style.wear
        self.albedo *= (1 - 0.18 * dull)[..., None]
        self.height -= 0.6 * scratch


def _downsample(mask: Bytes, columns: int, rows: int) -> Floats:
    """(rows, columns), 0..1."""
    small = np.asarray(cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA))
    return small.astype(np.float32) / 255


def _cut_piece(rng: np.random.Generator, pool: Swatch, rows: int, columns: int) -> Swatch:
    """A random piece of the pool with its grain upright; enlarged where the pool is too small."""
    top = int(rng.integers(0, max(1, pool.height.shape[0] - columns)))
    left = int(rng.integers(0, max(1, pool.height.shape[1] - rows)))
    window = (slice(top, top + columns), slice(left, left + rows))
    piece = Swatch(pool.albedo[window], pool.height[window]).turn()
    if piece.height.shape == (rows, columns):
        return piece
    albedo, height = (cv2.resize(np.ascontiguousarray(part), (columns, rows)) for part in (piece.albedo, piece.height))
    return Swatch(np.asarray(albedo, np.float32), np.asarray(height, np.float32))


def _leaf(centre: Floats, reach: float, angle: float) -> Floats:
    """(4, 2) int32 corners of a rhombus from the centre outwards."""
    corners = [centre]
    for turn, share in ((-0.16, 0.55), (0.0, 1.0), (0.16, 0.55)):
        corners.append(centre + reach * share * np.array([np.cos(angle + turn), np.sin(angle + turn)]))
    return np.array(corners).astype(np.int32)
