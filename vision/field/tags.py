"""Detection of the four ArUco tags on the corners of the rim in one picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import Points
from vision.pixels.opencv_arrays import numbers

CORNER_NAMES = ("0 (upper left)", "1 (upper right)", "2 (lower right)", "3 (lower left)")
# Pictures up to this size are also searched at twice the size: a module of a 15 mm tag has 3 px there.
LARGE_PICTURE_PX = 2000
MODULES = 6  # across a 4X4 tag with its black border
# Pictures store light to the power of 1/2.2, where a blurred edge between black and white lies half a pixel too far in
# the black. Edges are therefore measured in linear light.
GAMMA = 2.2
SMOOTHING_PX = 0.6
STATIONS = 15  # along each edge of a tag
STEP_PX = 0.25  # between samples across an edge
LEAST_SINE = 0.3  # of the angle between two edges that meet


@dataclass(frozen=True, slots=True, eq=False)
class Tags:
    """The detected tags."""

    corners_px: dict[int, Points]  # by number 0 to 3; (4, 2), clockwise from the tag's own upper left corner

    @property
    def missing(self) -> tuple[int, ...]:
        return tuple(number for number in range(4) if number not in self.corners_px)

    def middles_px(self) -> dict[int, Points]:
        return {number: corners.mean(axis=0) for number, corners in self.corners_px.items()}

    def is_in_order(self) -> bool:
        """Whether the detected tags lie clockwise by number; a camera never shows a board mirrored."""
        middles = [self.corners_px[number].mean(axis=0) for number in sorted(self.corners_px)]
        x, y = np.array(middles).T
        return len(middles) < 3 or float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) > 0


def find_tags(pixels: NDArray[np.uint8]) -> Tags:
    """Detects the tags 0 to 3 of DICT_4X4_50 in a picture (h, w, 3). A number that occurs twice is ignored."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _detect_tags_at(grey, 1.0)
    if len(found) < 4 and max(pixels.shape[:2]) <= LARGE_PICTURE_PX:
        found = _detect_tags_at(grey, 2.0) | found
    light = ((grey.astype(np.float32) + 1) / 256) ** GAMMA
    smooth = np.asarray(cv2.GaussianBlur(light, (0, 0), SMOOTHING_PX), np.float32)
    return Tags({number: refine_corners(smooth, found[number]) for number in sorted(found)})


def _detect_tags_at(grey: NDArray[np.uint8], factor: float) -> dict[int, Points]:
    if factor != 1:
        grey = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC), np.uint8)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = 0.01
    # For small, blurred tags: only the centre of each module counts, and one wrong module of sixteen is corrected.
    parameters.errorCorrectionRate = 1.0
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.25
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    found, ids, _ = detector.detectMarkers(grey)
    tag_numbers = numbers(ids, np.int32).tolist()
    return {
        number: (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / factor - 0.5
        for number, quad in zip(tag_numbers, found, strict=True)
        if number < 4 and tag_numbers.count(number) == 1
    }


def refine_corners(smooth: NDArray[np.float32], corners_px: Points) -> Points:
    """(4, 2) px: the intersections of lines fitted to the four edges of a tag, from approximate corners (4, 2).

    A corner detector finds blurred corners 0.5 to 1 px too far inside, because blur rounds them; a blurred edge stays in
    place. `smooth` is (h, w) linear light. Returns `corners_px` when the fit fails.
    """
    lines = [_fit_edge_line(smooth, corners_px[side], corners_px[(side + 1) % 4]) for side in range(4)]
    corners = []
    for side in range(4):
        (normal, level), (other_normal, other_level) = lines[side - 1], lines[side]
        table = np.array((normal, other_normal))
        if abs(np.linalg.det(table)) < LEAST_SINE:
            return corners_px
        corners.append(np.linalg.solve(table, (level, other_level)))
    refined = np.array(corners)
    side_px = np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1).mean()
    moved_px = np.linalg.norm(refined - corners_px, axis=1).max()
    return refined if moved_px < side_px / MODULES else corners_px


def _fit_edge_line(smooth: NDArray[np.float32], begin: Points, end: Points) -> tuple[NDArray[np.float64], float]:
    """The outward unit normal of the edge between two corners, and the edge's distance from the origin along it."""
    length_px = float(np.linalg.norm(end - begin))
    onward = (end - begin) / length_px
    outward = np.array((onward[1], -onward[0]))  # corners go clockwise, y goes down
    # Half a module to either side: further in are modules of the tag, and further out its white border may end.
    reach_px = max(length_px / MODULES / 2, 4 * STEP_PX) + 2 * STEP_PX
    across = np.arange(-round(reach_px / STEP_PX), round(reach_px / STEP_PX) + 1) * STEP_PX
    along = np.linspace(0.12, 0.88, STATIONS) * length_px
    places = begin + along[:, None, None] * onward + across[None, :, None] * outward
    rise = np.maximum(np.diff(_sample_brightness(smooth, places), axis=1), 0)  # from the black border to the white
    between = (across[1:] + across[:-1]) / 2
    peak = between[rise.argmax(axis=1)]
    near = rise * (np.abs(between - peak[:, None]) <= reach_px / 2)
    at = (near @ between) / np.maximum(near.sum(axis=1), 1e-9)
    slope, offset = _fit_line(along / length_px - 0.5, at, near.sum(axis=1))
    middle = (begin + end) / 2 + offset * outward
    normal = outward - slope / length_px * onward
    normal /= np.linalg.norm(normal)
    return normal, float(middle @ normal)


def _sample_brightness(smooth: NDArray[np.float32], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bilinear interpolation at (…, 2) px, with repeated edges.

    cv2.remap of OpenCV 4 rounds coordinates to 1/32 px, which moves corners by a quarter of a pixel.
    """
    last = np.subtract(smooth.shape[::-1], 1)
    within = np.clip(places, 0, last)
    first = within.astype(np.intp)
    left, top = np.moveaxis(first, -1, 0)
    right, bottom = np.moveaxis(np.minimum(first + 1, last), -1, 0)
    across, down = np.moveaxis(within - first, -1, 0)
    upper = smooth[top, left] * (1 - across) + smooth[top, right] * across
    lower = smooth[bottom, left] * (1 - across) + smooth[bottom, right] * across
    return np.asarray(upper * (1 - down) + lower * down, np.float64)


def _fit_line(along: NDArray[np.float64], at: NDArray[np.float64], weight: NDArray[np.float64]) -> tuple[float, float]:
    """Slope and offset of a line by iteratively reweighted least squares, in which outliers count less."""
    table = np.column_stack([along, np.ones_like(along)])
    values = np.array((0.0, float(np.median(at))))
    for _ in range(4):
        share = weight / (1 + ((at - table @ values) / STEP_PX) ** 2) + 1e-9
        values = np.linalg.solve(table.T @ (table * share[:, None]), table.T @ (at * share))
    return float(values[0]), float(values[1])
