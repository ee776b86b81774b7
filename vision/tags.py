"""The four ArUco tags on the corners of the rim, as seen in one picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points
from vision.opencv_arrays import marker_ids

CORNER_NAMES = ("0 (upper left)", "1 (upper right)", "2 (lower right)", "3 (lower left)")
# Pictures up to this size are looked at enlarged too, for small tags: a module of a 15 mm tag has 3 px there.
LARGE_PICTURE_PX = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Tags:
    """The tags seen, by number; each (4, 2) px, clockwise from the tag's own upper left."""

    corners_px: dict[int, Points]

    @property
    def missing(self) -> tuple[int, ...]:
        return tuple(number for number in range(4) if number not in self.corners_px)

    def middles_px(self) -> dict[int, Points]:
        return {number: corners.mean(axis=0) for number, corners in self.corners_px.items()}

    def is_in_order(self) -> bool:
        """Whether 0, 1, 2, 3 go clockwise, as far as they are seen; a camera never sees a board mirrored."""
        middles = [self.corners_px[number].mean(axis=0) for number in sorted(self.corners_px)]
        x, y = np.array(middles).T
        return len(middles) < 3 or float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) > 0


def find_tags(pixels: NDArray[np.uint8]) -> Tags:
    """DICT_4X4_50, 0 to 3. A tag seen twice counts as not seen: nobody knows which one is meant."""
    found = _tags_at(pixels, 1.0)
    if len(found) < 4 and max(pixels.shape[:2]) <= LARGE_PICTURE_PX:
        found = _tags_at(pixels, 2.0) | found
    return Tags(dict(sorted(found.items())))


def _tags_at(pixels: NDArray[np.uint8], factor: float) -> dict[int, Points]:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    if factor != 1:
        grey = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = 0.01
    # Small tags are blurred: only the middle of each module is read, and one wrong module of sixteen is forgiven.
    # Found so: 196 of 201 tags of the labelled pictures, 173 with OpenCV's defaults; enlarged 199.
    parameters.errorCorrectionRate = 1.0
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.25
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    found, ids, _ = detector.detectMarkers(grey)
    numbers = marker_ids(ids).tolist()
    return {
        number: (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / factor - 0.5
        for number, quad in zip(numbers, found, strict=True)
        if number < 4 and numbers.count(number) == 1
    }
