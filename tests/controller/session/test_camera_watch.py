"""Frames of one camera become observations."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.adjudication.thresholds import DEFAULT_THRESHOLDS
from controller.observing import Observation
from controller.session.camera_watch import VideoProcessor
from controller.session.network_loading import warm_up
from tests.controller.refereeing.refereed_match import die_reading
from tests.controller.table_pictures import FRAME_MS, SEED, SIZE_PX, start_pictures
from tests.vision.simulated.played_tables import calibration_of, start, style
from vision.board.cached_reading import CachedReading, read_board_cached
from vision.dice import pip_check, pip_template
from vision.field.drift import make_reference
from vision.frame import Frame, Pixels
from vision.geometry.calibration import Calibration, Reference
from vision.pixels import inference
from vision.places import POINTS, Colour, Place
from vision.simulated.scene_building import build_scene
from vision.simulated.truth import compute_truth


def test_a_board_at_rest_is_read_more_than_once() -> None:
    film = VideoProcessor(calibration_of(style(SEED, SIZE_PX)))
    frame_count = 0
    for number, pixels in enumerate(start_pictures(9)):
        film, seen = film.process(Frame(pixels, number * FRAME_MS))
        frame_count = 0 if seen.board is None else seen.board.frame_count
    assert frame_count == DEFAULT_THRESHOLDS.agreeing_frames


@pytest.mark.parametrize("shift_px", [20, 45, 90])
def test_a_board_that_moved_far_is_told_within_two_seconds(shift_px: int) -> None:
    """Before, the board is not moved; afterwards the distance is told, however far, and nothing is judged."""
    pictures, calibration = start_pictures(30), calibration_of(style(SEED, SIZE_PX))
    known = replace(calibration, reference=make_reference(pictures[0], calibration.projection))
    film, moved_ms, told_ms = VideoProcessor(known), 10 * FRAME_MS, None
    shift = np.array([(1.0, 0.0, shift_px), (0.0, 1.0, 0.0)])
    for number, pixels in enumerate(pictures):
        now_ms = number * FRAME_MS
        seen_px = pixels if now_ms < moved_ms else cv2.warpAffine(pixels, shift, SIZE_PX).astype(np.uint8)
        film, seen = film.process(Frame(seen_px, now_ms))
        if told_ms is None and seen.board_moved_mm > 0:
            told_ms = now_ms
            field_width_px = float(np.ptp(known.projection.to_picture(known.field.corners_mm)[:, 0]))
            assert seen.board_moved_mm == pytest.approx(shift_px / field_width_px * known.field.width_mm, rel=0.2)
    assert told_ms is not None
    assert moved_ms < told_ms <= moved_ms + 2_000
    assert seen.board is None


def _start_occupancy() -> dict[Place, tuple[Colour, int]]:
    stacks = compute_truth(build_scene(style(SEED, SIZE_PX), start())).places
    return {
        place: (Colour(stack.colour), stack.count) for place, stack in zip(POINTS, stacks, strict=True) if stack.count
    }


def _process_at_rest(
    film: VideoProcessor, pixels: Sequence[Pixels], begin_ms: int
) -> tuple[VideoProcessor, Observation]:
    for number, one in enumerate(pixels):
        film, seen = film.process(Frame(one, begin_ms + number * FRAME_MS))
    return film, seen


@pytest.mark.parametrize(("shift_px", "is_proved"), [((45, -10), True), ((-60, 12), True), ((45, -10), False)])
def test_a_board_that_moved_far_is_found_where_the_position_proves_it(
    shift_px: tuple[int, int], is_proved: bool
) -> None:
    """Its new place is right to a third of a percent of the width; a position that does not stand there proves nothing."""
    pictures, calibration = start_pictures(16), calibration_of(style(SEED, SIZE_PX))
    known = replace(calibration, reference=make_reference(pictures[0], calibration.projection))
    shift = np.array([(1.0, 0.0, shift_px[0]), (0.0, 1.0, shift_px[1])])
    moved = [cv2.warpAffine(one, shift, SIZE_PX, borderValue=(60, 70, 80)).astype(np.uint8) for one in pictures]
    film, seen = _process_at_rest(VideoProcessor(known), moved[:8], 0)
    assert seen.board_moved_mm > 10
    stands = _start_occupancy()
    stated = stands if is_proved else {**stands, Place.T1: stands[Place.T12], Place.T12: stands[Place.T1]}
    film, seen = _process_at_rest(film.find_moved_board(stated), moved[8:], 800)
    assert (seen.board_moved_mm == 0) == (seen.board is not None) == is_proved
    if is_proved:
        corners_px = [one.projection.to_picture(known.field.corners_mm) for one in (film.calibration, known)]
        width_px = float(np.ptp(corners_px[1][:, 0]))
        assert corners_px[0] - shift_px == pytest.approx(corners_px[1], abs=width_px / 300)


def test_a_camera_that_is_turned_away_shows_no_board() -> None:
    """Said within two seconds; a person who leans over a part of the board is no such news."""
    pictures, calibration = start_pictures(25), calibration_of(style(SEED, SIZE_PX))
    known = replace(calibration, reference=make_reference(pictures[0], calibration.projection))
    rng = np.random.default_rng(5)
    room = cv2.resize(rng.integers(40, 200, (24, 32, 3)).astype(np.uint8), SIZE_PX, interpolation=cv2.INTER_NEAREST)
    film, seen = _process_at_rest(VideoProcessor(known), pictures[:5], 0)
    away = [np.clip(room + rng.normal(0, 2, room.shape), 0, 255).astype(np.uint8) for _ in range(20)]
    film, seen = _process_at_rest(film, away, 500)
    assert not seen.shows_board
    film, seen = _process_at_rest(film, pictures, 2_500)
    assert seen.shows_board
    leaning = [one.copy() for one in pictures]
    for one in leaning:
        one[:, : SIZE_PX[0] // 2] = (40, 35, 60)
    film, seen = _process_at_rest(film, leaning, 5_000)
    assert seen.shows_board


def test_nothing_has_to_be_made_ready_at_the_first_throw() -> None:
    """The networks that look closely, and the patterns of the pips: a quarter of a second on a slow machine."""
    for made_once in (inference._load_network, pip_template._make_templates, pip_check._compute_placements):
        made_once.cache_clear()
    calibration = calibration_of(style(SEED, SIZE_PX))
    warm_up(calibration)
    loaded = inference._load_network.cache_info().misses
    assert pip_template._make_templates.cache_info().currsize == 1
    assert pip_check._compute_placements.cache_info().currsize == 5  # an ace has one pip
    for network in ("checkers", "dice_finder", "dice", "cube_number"):
        inference._load_network(network)
    assert inference._load_network.cache_info().misses == loaded


@pytest.mark.parametrize("is_strange", [True, False])
def test_what_this_sessions_dice_tell_to_be_none_may_be_one_all_the_same(
    monkeypatch: pytest.MonkeyPatch, is_strange: bool
) -> None:

    def with_a_die(
        frame: Frame,
        calibration: Calibration,
        before: CachedReading | None,
        *,
        anew: bool,
        before_play: Reference | None,
    ) -> CachedReading:
        assert before_play is None
        newest = read_board_cached(frame, calibration, before, anew=anew)
        return replace(newest, reading=replace(newest.reading, dice=(die_reading(3),)))

    monkeypatch.setattr("controller.session.camera_watch.read_board_cached", with_a_die)
    monkeypatch.setattr(
        "controller.session.camera_watch.reject_strange_dice", lambda _, seen, *__: () if is_strange else seen.dice
    )
    film, reported = VideoProcessor(calibration_of(style(SEED, SIZE_PX))), []
    for number, pixels in enumerate(start_pictures(9)):
        film, seen = film.process(Frame(pixels, number * FRAME_MS))
        reported.append(seen.perhaps_more_dice)
    assert reported[0]  # nor of one that has not settled yet
    assert reported[-1] is is_strange
