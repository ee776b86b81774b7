import numpy as np
import pytest

from tests.vision.tagged_boards import FIELD, LENS, PROJECTION, SIZE_PX
from vision.field.bundle_adjustment import Circles, Measurements, fit_circle_middles, fit_jointly
from vision.field.edges import SideEdge, side_ends_mm
from vision.geometry.projection import FieldShape, Lens, Projection

ROUGH_FIELD = FieldShape(440, 375, 200, 240)
ROUGH = Projection.of_corners(PROJECTION.to_picture(FIELD.corners_mm + 3.0), ROUGH_FIELD, Lens.usual(*SIZE_PX))


def edges() -> tuple[SideEdge, ...]:
    along = np.linspace(0.03, 0.97, 60)[:, None]
    ends = [side_ends_mm(FIELD, side) for side in range(4)]
    return tuple(
        SideEdge(side, PROJECTION.to_picture(begin + along * (end - begin)), 1.0, 0.7)
        for side, (begin, end) in enumerate(ends)
    )


def tags_px(height_mm: float) -> np.ndarray:
    square = np.array([(-11, -11), (11, -11), (11, 11), (-11, 11)])
    middles = np.array([(-15, -15), (455, -15), (455, 375), (-15, 375)])
    return np.array([PROJECTION.to_picture(square + middle, height_mm) for middle in middles])


def corners_off_px(projection: Projection, field: FieldShape) -> float:
    off = projection.to_picture(field.corners_mm) - PROJECTION.to_picture(FIELD.corners_mm)
    return float(np.linalg.norm(off, axis=1).max())


def test_edges_and_tags_give_the_view() -> None:
    """From 3 mm off and a height that is wrong by 15 mm to a tenth of a pixel, with the distortion of the lens."""
    fit = fit_jointly(Measurements(edges=edges(), tags_px=tags_px(12.0)), ROUGH, ROUGH_FIELD, size_px=SIZE_PX)
    assert corners_off_px(fit.projection, fit.field) < 0.1
    assert fit.projection.lens.k1 == pytest.approx(LENS.k1, abs=0.01)
    assert fit.rms_mm < 0.1
    assert fit.field.height_mm == pytest.approx(360, rel=0.01)


def test_a_known_height_stays() -> None:
    """The measured proportion then gives the tilt and the focal length instead."""
    fit = fit_jointly(Measurements(edges=edges()), ROUGH, FIELD, size_px=SIZE_PX, height_is_known=True)
    assert fit.field.height_mm == pytest.approx(360, abs=0.01)
    assert corners_off_px(fit.projection, fit.field) < 0.3


def test_a_few_outliers_have_little_effect() -> None:
    """A tenth of one side's points lie 10 px off, on a checker."""
    top, *others = edges()
    points = top.points_px.copy()
    points[:6] += (0, 10)
    wrong = SideEdge(0, points, 1.0, 0.7)
    fit = fit_jointly(Measurements(edges=(wrong, *others), tags_px=tags_px(12.0)), ROUGH, ROUGH_FIELD, size_px=SIZE_PX)
    assert corners_off_px(fit.projection, fit.field) < 0.4


def test_round_checkers_give_the_proportion() -> None:
    """With only an outline of the wrong height, circles of 30 mm determine the height of the field."""
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = 15 * np.column_stack([np.cos(angles), np.sin(angles)])
    middles = [(x, y) for x in (20, 120, 300, 420) for y in (20, 50, 310, 340)]
    points = np.array([PROJECTION.to_picture(rim + middle, 8.0) for middle in middles])
    outline = Projection.of_corners(PROJECTION.to_picture(FIELD.corners_mm), ROUGH_FIELD, Lens.usual(*SIZE_PX))
    seen = Measurements(outline=outline, outline_share=0.002, circles=Circles(points, np.ones(points.shape[:2])))
    fit = fit_jointly(seen, outline, ROUGH_FIELD, size_px=SIZE_PX)
    assert fit.field.height_mm == pytest.approx(360, rel=0.01)
    assert fit.checker_diameter_mm == pytest.approx(30, rel=0.02)
    assert fit.checker_thickness_mm == pytest.approx(8.1, abs=1.5)


def test_half_a_circle_has_a_middle() -> None:
    """Points on one side only, one of them without weight, give the middle of a circle of known radius."""
    angles = np.linspace(-1.5, 1.5, 20)
    points = (7.0, -3.0) + 15 * np.column_stack([np.cos(angles), np.sin(angles)])
    points[4] = (99, 99)
    weights = np.ones((1, 20))
    weights[0, 4] = 0
    assert fit_circle_middles(points[None], weights, 15.0) == pytest.approx(np.array([(7.0, -3.0)]))
