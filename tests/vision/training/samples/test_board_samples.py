"""Samples for the networks that read boards, cut from labelled pictures."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.training.drawn_boards.textures import write_textures
from vision.field.network_inputs import BAR, BAR_LEFT, CORNERS_A, CORNERS_B, FIELD, LEFT, TOP, mm_to_cells
from vision.geometry.top_view import MARGIN_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX, columns_mm, rows_mm, to_view
from vision.simulated.drawing.draw import draw
from vision.simulated.scene import PLACES
from vision.simulated.truth import TableTruth, compute_truth
from vision.training.drawn_boards.photo_augmentation import add_watermark
from vision.training.drawn_boards.scenes import random_negative, random_scene
from vision.training.samples import picture_store
from vision.training.samples.checker_samples import (
    IGNORED,
    _cut_margins,
    _find_seen_field,
    _jitter_calibration,
    make_checker_sample,
    truth_field,
    truth_projection,
)
from vision.training.samples.field_samples import make_edge_sample, make_small_sample
from vision.training.samples.picture_store import (
    draw_pictures,
    has_board,
    list_labelled_pictures,
    load_labelled,
    load_labelled_board,
)

Picture = tuple[np.ndarray, TableTruth]


@pytest.fixture(scope="module")
def drawn() -> Picture:
    """A small drawn picture in which every place is visible."""
    for seed in range(40):
        scene = random_scene(np.random.default_rng([99, seed]), size_px=(480, 360))
        truth = compute_truth(scene)
        if all(place.occluded < 0.05 for place in truth.places) and sum(c.visible > 0.9 for c in truth.checkers) > 8:
            return draw(scene), truth
    pytest.fail("no scene without a hand among forty")


def test_the_exact_sample_has_the_labelled_counts(drawn: Picture) -> None:
    sample = make_checker_sample(*drawn, None)
    assert sample.view.shape == (3, VIEW_HEIGHT_PX, VIEW_WIDTH_PX)
    for number, place in enumerate(drawn[1].places):
        wanted = 0 if place.count == 0 else min(place.count, 15) + (15 if place.colour == "dark" else 0)
        assert sample.classes[number // 12, number % 12] == wanted


def test_upper_faces_lie_over_their_points(drawn: Picture) -> None:
    """At most two cells of eight pixels beside the middle of the point."""
    sample = make_checker_sample(*drawn, None)
    field = truth_field(drawn[1])
    rows, columns = np.nonzero(sample.tops[0])
    assert len(rows) >= 5
    middles = [to_view([(field.point_middle_mm(column), 0.0)], field)[0, 0] for column in range(1, 13)]
    middles.append(VIEW_WIDTH_PX / 2)
    inside = (columns * 8 > 24) & (columns * 8 < VIEW_WIDTH_PX - 32)
    off_px = [min(abs(column * 8 + 4 - middle) for middle in middles) for column in columns[inside]]
    assert np.mean(np.array(off_px) < 16) > 0.8


def test_turning_and_mirroring_keeps_each_count(drawn: Picture) -> None:
    exact = np.sort(make_checker_sample(*drawn, None).classes.ravel())
    for seed in range(6):
        sample = make_checker_sample(*drawn, np.random.default_rng(seed))
        assert np.array_equal(np.sort(sample.classes.ravel()), exact)
        assert np.isfinite(sample.view).all()
        assert sample.view.dtype == np.float32


def test_covered_places_have_no_label(drawn: Picture) -> None:
    from dataclasses import replace

    pixels, truth = drawn
    hidden = tuple(replace(place, occluded=0.8 if n == 3 else place.occluded) for n, place in enumerate(truth.places))
    sample = make_checker_sample(pixels, replace(truth, places=hidden), None)
    assert sample.classes[0, 3] == IGNORED
    assert sample.visible[0, 3] == pytest.approx(0.2)


def test_corner_maps_have_two_peaks_of_each_kind(drawn: Picture) -> None:
    sample = make_small_sample(*drawn, np.random.default_rng(8))
    for kind in (CORNERS_A, CORNERS_B):
        assert 0 < (sample.maps[kind] > 0.5).sum() <= 24
    assert sample.maps[FIELD].sum() > 20
    assert 0 < sample.maps[BAR].sum() < 0.4 * sample.maps[FIELD].sum()


def test_a_picture_without_a_board_has_empty_maps() -> None:
    pixels = draw(random_negative(np.random.default_rng(5), size_px=(320, 240)))
    assert not make_small_sample(pixels, None, np.random.default_rng(1)).maps.any()


def test_edges_lie_where_the_board_has_them(drawn: Picture) -> None:
    sample = make_edge_sample(*drawn, np.random.default_rng(3))
    field = truth_field(drawn[1])
    (left, top), (right, bottom) = mm_to_cells(np.array([(0.0, 0.0), (field.width_mm, field.height_mm)]), field)
    means = np.nanmean(sample.across_columns, axis=1), np.nanmean(sample.across_rows, axis=1)
    assert means[0] == pytest.approx([top, bottom], abs=6)
    assert means[1][:2] == pytest.approx([left, right], abs=6)
    assert left < means[1][BAR_LEFT - LEFT] <= means[1][BAR_LEFT - LEFT + 1] + 0.1 < right
    assert np.isfinite(sample.across_columns[TOP]).sum() > 40


@pytest.mark.broad
def test_the_store_gives_back_what_was_drawn(tmp_path: Path) -> None:
    """A second run draws nothing anew."""
    draw_pictures(tmp_path, first=0, count=3, seed=5)
    pictures = list_labelled_pictures([tmp_path])
    assert [picture.name for picture in pictures] == ["000000.jpg", "000001.jpg", "000002.jpg"]
    times = [picture.stat().st_mtime_ns for picture in pictures]
    draw_pictures(tmp_path, first=0, count=3, seed=5)
    assert [picture.stat().st_mtime_ns for picture in pictures] == times
    board = next(picture for picture in pictures if has_board(picture))
    pixels, truth = load_labelled_board(board)
    assert (pixels.shape[1], pixels.shape[0]) == tuple(truth.image_size_px)
    assert len(truth.places) == 24


def test_a_damaged_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "000007.jpg").write_bytes(b"no picture")
    (tmp_path / "000007.drawn").write_text("null")
    with pytest.raises(OSError, match=r"000007\.jpg"):
        load_labelled(tmp_path / "000007.jpg")


def test_places_of_the_view_and_of_the_board_are_each_others_inverse(drawn: Picture) -> None:
    field = truth_field(drawn[1])
    x_mm, y_mm = columns_mm(field), rows_mm(field)
    px = to_view(np.column_stack([x_mm[40:220], np.full(180, y_mm[100])]), field)
    assert px[:, 0] == pytest.approx(np.arange(40, 220), abs=1e-6)
    assert px[:, 1] == pytest.approx(np.full(180, 100), abs=1e-6)


def test_pictures_with_textures_are_labelled_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most are ornamented; each still depends on seed and number alone."""
    monkeypatch.setattr(picture_store, "DRAWN_SIZES_PX", ((160, 120),))
    textures = tmp_path / "textures"
    write_textures(textures)
    for folder, first, count in (("all", 0, 3), ("last", 2, 1)):
        draw_pictures(tmp_path / folder, first=first, count=count, seed=3, textures=textures)
    assert len(list_labelled_pictures([tmp_path / "all"])) == 3
    one, other = (load_labelled(tmp_path / name / "000002.jpg")[0] for name in ("all", "last"))
    np.testing.assert_array_equal(one, other)


def test_calibration_errors_stay_within_three_percent(drawn: Picture) -> None:
    truth = drawn[1]
    field, projection = truth_field(truth), truth_projection(truth)
    bars = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        there, seen = _jitter_calibration(truth, field, projection, rng)
        off = np.abs(seen.to_picture(there.corners_mm) - projection.to_picture(field.corners_mm))
        width_px = np.linalg.norm(np.subtract(*truth.field_corners_px[:2]))
        assert off.max() < 0.035 * width_px  # the lens adds a little
        assert there.bar_left_mm <= there.bar_right_mm
        bars.append((there.bar_right_mm - there.bar_left_mm) / there.width_mm)
    assert sum(abs(bar - 0.055) < 1e-6 for bar in bars) > 2, "a bar that was not seen has the usual width"


def test_a_watermark_is_laid_over_the_picture(drawn: Picture) -> None:
    marked = add_watermark(drawn[0], np.random.default_rng(1))
    changed = (marked != drawn[0]).any(axis=2).mean()
    assert marked.dtype == np.uint8
    assert 0.002 < changed < 0.6


def test_a_near_rim_hides_the_edge_of_the_field(drawn: Picture) -> None:
    """The seen field ends on the line of sight over the rim's inner edge, and only where the camera is beyond the rim."""
    truth = replace(drawn[1], rim_height_mm=30.0)
    field, projection = truth_field(truth), truth_projection(truth)
    height = projection.camera_mm[2]
    for y in (-100.0, field.height_mm / 2, field.height_mm + 100.0):
        beyond = replace(projection, camera_mm=(field.width_mm / 2, y, height))
        corners, seen = _find_seen_field(truth, field, beyond)
        hidden = 100.0 * 30.0 / (height - 30.0)
        assert corners[0, 1] == pytest.approx(hidden if y < 0 else 0)
        assert corners[2, 1] == pytest.approx(field.height_mm - (hidden if y > field.height_mm else 0))
        assert (seen.width_mm, seen.height_mm) == (field.width_mm, field.height_mm)
        assert (seen.bar_left_mm, seen.bar_right_mm) == pytest.approx((field.bar_left_mm, field.bar_right_mm))


def test_a_cut_view_repeats_its_outer_rows() -> None:
    view = np.random.default_rng(1).integers(0, 255, (VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3)).astype(np.uint8)
    cut, tops = _cut_margins(view, np.array([[50.0, 10.0], [60.0, 100.0]]), None)
    assert cut.shape == view.shape
    assert (cut[: MARGIN_PX + 1] == view[MARGIN_PX]).all()
    assert (cut[-MARGIN_PX:] == view[-MARGIN_PX - 1]).all()
    np.testing.assert_array_equal(tops, [[60.0, 100.0]])


def test_a_near_rim_lies_where_the_rows_are_cut() -> None:
    whole, view = np.full((2, VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), [[[[40]]], [[[90]]]], np.uint8)
    cut, _ = _cut_margins(view, np.zeros((0, 2)), whole)
    assert (cut[:MARGIN_PX] == 40).all()
    assert (cut[-MARGIN_PX:] == 40).all()
    assert (cut[MARGIN_PX:-MARGIN_PX] == 90).all()


def test_a_point_whose_checkers_nobody_sees_has_no_label(drawn: Picture) -> None:
    """What stands behind a near rim cannot be known from the picture; one that is half seen can."""
    pixels, truth = drawn
    (named, *_) = sorted({checker.place for checker in truth.checkers if checker.place not in ("bar", "off")})
    for visible, is_known in ((0.0, False), (0.5, True)):
        checkers = tuple(replace(c, visible=visible) if c.place == named else c for c in truth.checkers)
        sample = make_checker_sample(pixels, replace(truth, checkers=checkers), None)
        assert bool(sample.classes.ravel()[PLACES.index(named)] != IGNORED) is is_known
