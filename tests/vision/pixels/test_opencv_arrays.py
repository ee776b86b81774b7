import cv2
import numpy as np
import pytest

from vision.errors import OpenCvShapeError, VisionError
from vision.pixels.opencv_arrays import histogram_counts, marker_ids, numbers, pixels_px, rows, segments_px


def test_segments_have_one_shape_whatever_the_version() -> None:
    """The (n, 1, 4) of OpenCV 4 and the (n, 4) of OpenCV 5 come out as the same (n, 4)."""
    four = np.array([[[1, 2, 3, 4]], [[5, 6, 7, 8]]], np.int32)
    five = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.int32)
    assert segments_px(four).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert segments_px(five).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]


def test_one_find_stays_a_table() -> None:
    """A single thing found gives (1, k), not (k,)."""
    assert segments_px(np.array([[[1, 2, 3, 4]]], np.int32)).shape == (1, 4)
    assert segments_px(np.array([[1, 2, 3, 4]], np.int32)).shape == (1, 4)
    assert pixels_px(np.array([[[7, 9]]], np.int32)).shape == (1, 2)
    assert marker_ids(np.array([[17]], np.int32)).shape == (1,)


def test_circles_lie_along_the_second_axis() -> None:
    """HoughCircles gives (1, n, 3); its circles come out as n rows."""
    circles = np.array([[[10, 20, 5], [30, 40, 6]]], np.float32)
    assert rows(circles, 3, np.float32).tolist() == [[10.0, 20.0, 5.0], [30.0, 40.0, 6.0]]


def test_nothing_found_is_an_empty_table() -> None:
    """None and an empty array both come out as no rows of the right width and type."""
    assert segments_px(None).shape == (0, 4)
    assert pixels_px(np.empty((0, 1, 2), np.int32)).shape == (0, 2)
    assert marker_ids(None).shape == (0,)
    assert histogram_counts(None).dtype == np.float32
    assert rows(None, 3, np.float32).dtype == np.float32


def test_a_view_is_given_where_the_type_fits() -> None:
    """No pixel list is copied on its way."""
    found = np.zeros((1000, 1, 2), np.int32)
    assert np.shares_memory(pixels_px(found), found)


def test_a_wrong_width_is_refused() -> None:
    """Rows of another width raise our error, which is a ValueError too and carries the shape."""
    with pytest.raises(OpenCvShapeError, match=r"shape \(2, 1, 2\) for rows of 4") as caught:
        segments_px(np.zeros((2, 1, 2), np.int32))
    assert caught.value.shape == (2, 1, 2)
    assert isinstance(caught.value, VisionError)
    assert isinstance(caught.value, ValueError)


def test_a_picture_is_not_a_list_of_rows() -> None:
    """Two long axes before the last mean that something else than a list was handed in."""
    with pytest.raises(OpenCvShapeError):
        rows(np.zeros((5, 6, 3), np.uint8), 3, np.uint8)
    with pytest.raises(OpenCvShapeError):
        numbers(np.zeros((2, 3), np.int32), np.int32)


def test_the_installed_opencv_finds_a_drawn_line() -> None:
    """A line drawn from (10, 20) to (90, 20) is found with these ends, within a pixel."""
    picture = np.zeros((60, 120), np.uint8)
    cv2.line(picture, (10, 20), (90, 20), 255, 1)
    found = segments_px(cv2.HoughLinesP(picture, 1, np.pi / 180, 40, minLineLength=30, maxLineGap=3))
    assert found.shape == (1, 4)
    assert np.abs(found[0] - np.array([10, 20, 90, 20])).max() <= 1


def test_the_installed_opencv_lists_lit_pixels() -> None:
    """Two lit pixels come out as their x, y in reading order; a dark picture gives none."""
    picture = np.zeros((10, 10), np.uint8)
    assert pixels_px(cv2.findNonZero(picture)).tolist() == []
    picture[2, 7] = picture[4, 1] = 255
    assert pixels_px(cv2.findNonZero(picture)).tolist() == [[7, 2], [1, 4]]


def test_the_installed_opencv_reads_drawn_markers() -> None:
    """Markers 3 and 7, drawn side by side, come out as these two numbers; a white picture gives none."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    picture = np.full((100, 220), 255, np.uint8)
    picture[20:80, 20:80] = cv2.aruco.generateImageMarker(dictionary, 3, 60)
    picture[20:80, 140:200] = cv2.aruco.generateImageMarker(dictionary, 7, 60)
    detector = cv2.aruco.ArucoDetector(dictionary)
    assert sorted(marker_ids(detector.detectMarkers(picture)[1]).tolist()) == [3, 7]
    assert marker_ids(detector.detectMarkers(np.full((80, 80), 255, np.uint8))[1]).tolist() == []


def test_the_installed_opencv_counts_grey_levels() -> None:
    """A picture of three dark and one bright pixel fills the first and the last of two bins."""
    picture = np.array([[0, 10], [20, 250]], np.uint8)
    assert histogram_counts(cv2.calcHist([picture], [0], None, [2], [0, 256])).tolist() == [3.0, 1.0]
