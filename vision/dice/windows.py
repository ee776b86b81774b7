"""The window around one die: the input planes of the dice network.

On a known board the window is a view straight from above, aligned with the board. Planes parallel to the board keep
their shape there, so a flat die shows a square top, shifted against its base along the line of sight. The `SIGHT`
planes give the expected shift, the `ZONE` plane field, bar or neither. Without a board the window is a crop of the
picture, and these planes are 0.
"""

from dataclasses import dataclass
from math import dist, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import FieldShape, KnownBoard, Points
from vision.pixels.normalise import normalise_planes
from vision.pixels.resize import reduce_picture

WINDOW_PX = 72
DIE_PX = 26  # edge of a die at its right size in a window
# Die edges from the middle of a window to each pixel of a row or column.
ALONG = np.linspace(-1, 1, WINDOW_PX) * ((WINDOW_PX - 1) / 2 / DIE_PX)
# Planes: blue, green, red; zone; sight in x and y; 1 if the board is known; blue, green, red of the wider view.
ZONE, SIGHT, KNOWN, BOARD_PLANES, WIDE = 3, slice(4, 6), 6, slice(3, 7), slice(7, 10)
PLANES = 10
NMS_EDGES = 0.55  # die edges within which two middles belong to one die
WIDE_FACTOR = 2.0  # scale of the wider view, which shows what a die lies on and leans against
IN_FIELD, ON_BAR, OUTSIDE = 1.0, 0.0, -1.0
SIZE_RANGE = (0.6, 1.6)  # factors of the die edge within which a window shows a die well
# Anti-aliasing, in picture pixels for each view pixel: from the first value the picture is smoothed, with a standard
# deviation of the third; from the second it is halved first, in a fifth of the time.
SMOOTH_FROM, HALVE_FROM, SMOOTH_SHARE = 1.3, 2.0, 0.4
SIGMA_OF_HALVING_PX = 0.5  # standard deviation of a mean of two
MAX_OFFSET_EDGES = 0.7  # die edges from the middle within which a window shows a die well
SIGHT_HEIGHTS = 4.0  # scale of the sight planes: a slope of 0.25 (14 degrees off the vertical) becomes 1
SurfaceSpot = tuple[tuple[float, float], float]  # A place on a plane and the length of a die edge there


@dataclass(frozen=True, slots=True)
class DieSpot:
    """A place in a picture that may show a die: middle and edge of the upper face, and a score."""

    centre_px: tuple[float, float]
    size_px: float
    score: float  # 0..1

    def is_near(self, centre_px: tuple[float, float], size_px: float, edges: float) -> bool:
        """Whether another middle is nearer than `edges` edges of the larger one."""
        return dist(self.centre_px, centre_px) < edges * max(self.size_px, size_px)


@dataclass(frozen=True, slots=True)
class WindowPlace:
    """Position of a window on its plane: the board's surface in mm, or the picture without a board."""

    board: KnownBoard | None
    centre: tuple[float, float]  # on the plane
    edge: float  # on the plane, of a die of DIE_PX
    size_px: float  # the same edge in the picture

    @property
    def sight(self) -> Points:
        """(2,): shift of an object along the board for each millimetre of its height; 0 without a board."""
        if self.board is None:
            return np.zeros(2)
        *below_mm, height_mm = self.board.projection.camera_mm
        return np.asarray(np.subtract(self.centre, below_mm) / height_mm, np.float64)

    def to_picture(self, at: Points) -> Points:
        """(n, 2) die edges from the window's middle -> (n, 2) picture pixels."""
        on_plane = self.to_plane(at)
        return on_plane if self.board is None else self.board.projection.to_picture(on_plane)

    def from_picture(self, points_px: Points) -> Points:
        """The other way round."""
        on_plane = points_px if self.board is None else self.board.projection.to_board(points_px)
        return (np.asarray(on_plane, np.float64) - self.centre) / self.edge

    def to_plane(self, at: Points) -> Points:
        """(n, 2) die edges from the window's middle -> (n, 2) of its plane."""
        return np.asarray(at, np.float64) * self.edge + self.centre

    def sample_views(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(WINDOW_PX, 2 * WINDOW_PX, 3) of a picture (h, w, 3) BGR: the window, and beside it the wider view.

        What lies outside the picture repeats its edge.
        """
        return np.hstack([self.sample_view(pixels), self.sample_view(pixels, WIDE_FACTOR)])

    def sample_view(self, pixels: NDArray[np.uint8], wider: float = 1.0) -> NDArray[np.uint8]:
        """(WINDOW_PX, WINDOW_PX, 3): the window alone, or what is around it as many times as far."""
        x, y = self._columns_and_rows(wider)
        if self.board is None:
            grid_x, grid_y = (plane.astype(np.float32) for plane in np.meshgrid(x, y))
        else:
            grid_x, grid_y = self.board.projection.grid_to_picture(x, y)
        return _sample_picture(pixels, grid_x, grid_y, self.size_px * wider)

    def make_planes(self, colours: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
        """(PLANES, WINDOW_PX, WINDOW_PX): the network's input."""
        planes = np.zeros((PLANES, WINDOW_PX, WINDOW_PX), np.float32)
        views = normalise_planes(colours)
        planes[:3], planes[WIDE] = views[..., :WINDOW_PX], views[..., WINDOW_PX:]
        if self.board is not None:
            planes[ZONE] = _make_zone_plane(self.board.field, *self._columns_and_rows())
            planes[SIGHT] = (SIGHT_HEIGHTS * self.sight)[:, None, None]
            planes[KNOWN] = 1
        return planes

    def _columns_and_rows(self, wider: float = 1.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        columns, rows = (np.asarray(middle + ALONG * (wider * self.edge), np.float64) for middle in self.centre)
        return columns, rows


def refine_spot(spot: DieSpot, place: WindowPlace, top: Points, size: float) -> DieSpot:
    """The spot corrected by a network's output: (2,) top and size in die edges, clamped to what a window shows well."""
    within = np.array([[min(max(float(at), -MAX_OFFSET_EDGES), MAX_OFFSET_EDGES) for at in top]])
    x, y = place.to_picture(within)[0].tolist()
    smallest, largest = SIZE_RANGE
    return DieSpot((x, y), spot.size_px * min(max(size, smallest), largest), spot.score)


def place_window(spot: DieSpot, board: KnownBoard | None) -> WindowPlace:
    centre, edge = project_spot(spot, board)
    return WindowPlace(board, centre, edge, spot.size_px)


def project_spot(spot: DieSpot, board: KnownBoard | None) -> SurfaceSpot:
    """Middle and edge on the plane of the window."""
    if board is None:
        return spot.centre_px, spot.size_px
    return _measure_cross(*board.projection.to_board(_make_cross(*spot.centre_px, spot.size_px / 2)).tolist())


def _make_cross(x_px: float, y_px: float, half: float) -> list[tuple[float, float]]:
    """The middle, and the points left, right, above and below it."""
    return [(x_px, y_px), (x_px - half, y_px), (x_px + half, y_px), (x_px, y_px - half), (x_px, y_px + half)]


def _measure_cross(
    middle: list[float], left: list[float], right: list[float], top: list[float], bottom: list[float]
) -> SurfaceSpot:
    """Middle and edge of a projected cross."""
    area = abs((right[0] - left[0]) * (bottom[1] - top[1]) - (right[1] - left[1]) * (bottom[0] - top[0]))
    return (middle[0], middle[1]), sqrt(max(area, 1e-6))


def _sample_picture(
    pixels: NDArray[np.uint8], x_px: NDArray[np.float32], y_px: NDArray[np.float32], size_px: float
) -> NDArray[np.uint8]:
    """Colours at these places, smoothed against aliasing."""
    left, top = (int(np.floor(axis.min())) - 4 for axis in (x_px, y_px))
    right, bottom = (int(np.ceil(axis.max())) + 5 for axis in (x_px, y_px))
    height, width = pixels.shape[:2]
    left, top = min(max(left, 0), width - 1), min(max(top, 0), height - 1)
    piece = pixels[top : max(bottom, top + 1), left : max(right, left + 1)]
    smooth, shrink = _smooth(piece, size_px / DIE_PX)
    x, y = (
        np.asarray((axis_px - first + 0.5) / shrink - 0.5, np.float32) for axis_px, first in ((x_px, left), (y_px, top))
    )
    colours = cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return colours.astype(np.uint8, copy=False)


def _smooth(piece: NDArray[np.uint8], finer: float) -> tuple[NDArray[np.uint8], int]:
    """The picture smoothed for view pixels that are `finer` picture pixels apart, and its factor of reduction."""
    if finer <= SMOOTH_FROM:
        return piece, 1
    sigma_px, shrink = SMOOTH_SHARE * finer, 1
    if finer > HALVE_FROM and min(piece.shape[:2]) > 1:
        piece, shrink = reduce_picture(piece, 2), 2
        sigma_px = sqrt(sigma_px**2 - SIGMA_OF_HALVING_PX**2) / 2
    return cv2.GaussianBlur(piece, (0, 0), sigma_px).astype(np.uint8, copy=False), shrink


def _make_zone_plane(field: FieldShape, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """(rows, columns): IN_FIELD, ON_BAR or OUTSIDE."""
    in_rows = (y >= 0) & (y <= field.height_mm)
    columns = np.where((x < 0) | (x > field.width_mm), OUTSIDE, IN_FIELD)
    columns = np.where((x > field.bar_left_mm) & (x < field.bar_right_mm), ON_BAR, columns)
    return np.where(in_rows[:, None], columns[None], OUTSIDE)
