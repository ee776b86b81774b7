"""What is learned of a board: nothing without evidence, the errors of one picture in the next, bounded by the first fit."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.checkers import (
    KnownPlaces,
    ViewReading,
    apply_appearance,
    learn_appearance,
    rotate_appearance,
    scale_confidence,
    update_appearance,
)
from vision.checkers.colour_classes import fuse_face_counts
from vision.checkers.corrected_reading import weigh_faces
from vision.checkers.network import CLASSES, COUNTS, FEATURES, PLACES, CheckerTop
from vision.geometry.calibration import Appearance
from vision.geometry.top_view import BAR_PX, FIELD_ROWS_PX, MARGIN_PX, PITCH_PX

LIGHT_ONE, DARK_ONE = 1, COUNTS
START = {0: 20, 4: 3, 6: 5, 11: 17, 12: 5, 16: 18, 18: 20, 23: 2}
CONTENTS = {place: START.get(place, 0) for place in range(PLACES)}


def features(seed: int, contents: dict[int, int]) -> NDArray[np.float32]:
    """Features that depend on what stands on a place, with a little of each picture's own."""
    looks = np.random.default_rng(7).uniform(0, 1, (CLASSES, FEATURES))
    noise = np.random.default_rng(seed).uniform(0, 0.2, (PLACES, FEATURES))
    return np.asarray(looks[[contents[place] for place in range(PLACES)]] + noise, np.float32)


def reading(
    contents: dict[int, int], *, seed: int = 1, wrong: dict[int, int] | None = None, sure: float = 0.9
) -> ViewReading:
    """The network's reading: certain of `contents`, but for places that it takes for something else, faces included."""
    points = np.full((PLACES, CLASSES), (1 - sure) / (CLASSES - 1))
    shown = contents | (wrong or {})
    points[range(PLACES), [shown[place] for place in range(PLACES)]] = sure
    return ViewReading(
        points=np.log(points).astype(np.float32),
        bar_light=np.log(np.eye(COUNTS)[0] + 1e-6).astype(np.float32),
        bar_dark=np.log(np.eye(COUNTS)[0] + 1e-6).astype(np.float32),
        visible=np.ones(PLACES + 1, np.float32),
        tops=tuple(top for place, content in shown.items() for top in faces_of(place, content)),
        features=features(seed, contents),
    )


def faces_of(place: int, content: int) -> list[CheckerTop]:
    """A row from the rim inwards."""
    x_px = MARGIN_PX + PITCH_PX * (place % 12 + 0.5) + (BAR_PX if place % 12 >= 6 else 0)
    count = content if content < COUNTS else content - COUNTS + 1
    depths_px = [PITCH_PX * (depth + 0.5) for depth in range(count)]
    rows_px = (MARGIN_PX + depth if place < 12 else MARGIN_PX + FIELD_ROWS_PX - 1 - depth for depth in depths_px)
    return [CheckerTop(x_px, y_px, 0.9) for y_px in rows_px]


def read(view: ViewReading, appearance: Appearance | None) -> dict[int, int]:
    return dict(enumerate(fuse_face_counts(apply_appearance(view, appearance)).points.argmax(axis=1).tolist()))


EMPTY_PLACES = [place for place, content in CONTENTS.items() if not content]
ARCHES = dict.fromkeys(EMPTY_PLACES, LIGHT_ONE)  # every empty point looks like a checker to the network
MOVED = CONTENTS | {0: 19, 1: DARK_ONE}


def test_a_board_that_is_read_rightly_stays_so() -> None:
    learned = learn_appearance(KnownPlaces(reading(CONTENTS, sure=0.999), CONTENTS))
    before, after = reading(MOVED, seed=2, sure=0.999), apply_appearance(reading(MOVED, seed=2, sure=0.999), learned)
    assert np.exp(after.points[range(PLACES), list(MOVED.values())]).min() > 0.99
    assert after.visible == pytest.approx(before.visible, abs=0.01)


def test_without_a_place_nothing_is_learned() -> None:
    assert update_appearance(None, KnownPlaces(reading(CONTENTS), {})) is None
    learned = learn_appearance(KnownPlaces(reading(CONTENTS), CONTENTS))
    assert update_appearance(learned, KnownPlaces(reading(CONTENTS), {})) is learned


def test_pictures_of_one_camera_weigh_as_one() -> None:
    """Four pictures that are alike teach what one of them does."""
    lesson = KnownPlaces(reading(CONTENTS, wrong=ARCHES), CONTENTS)
    one, four = learn_appearance(lesson), learn_appearance(*[lesson] * 4)
    assert (one.change, four.pictures) == (four.change, 4)


def test_a_place_is_learned_from_the_pictures_that_show_it() -> None:
    """A hand over half of the board in one picture; the other picture teaches those places fully."""
    whole = reading(CONTENTS, wrong=ARCHES)
    visible = whole.visible.copy()
    visible[:12] = 0.0
    learned = learn_appearance(KnownPlaces(replace(whole, visible=visible), CONTENTS), KnownPlaces(whole, CONTENTS))
    assert learned.change == learn_appearance(KnownPlaces(whole, CONTENTS)).change


def test_a_covered_place_teaches_nothing() -> None:
    hidden = replace(reading(CONTENTS), visible=np.zeros(PLACES + 1, np.float32))
    assert update_appearance(None, KnownPlaces(hidden, CONTENTS)) is None


def test_errors_of_one_picture_are_gone_in_the_next() -> None:
    learned = learn_appearance(KnownPlaces(reading(CONTENTS, wrong=ARCHES), CONTENTS))
    later = reading(MOVED, seed=3, wrong={place: LIGHT_ONE for place in EMPTY_PLACES if place != 1})
    assert sum(later.points.argmax(axis=1)[place] != MOVED[place] for place in MOVED) == len(EMPTY_PLACES) - 1
    assert read(later, learned) == MOVED


def test_the_sides_are_learned() -> None:
    """The network takes each side for the other, and half believes the truth."""
    other = {place: content + (COUNTS - 1) * (1 if content < COUNTS else -1) for place, content in START.items()}

    def confused(seed: int) -> ViewReading:
        view = reading(CONTENTS, seed=seed, wrong=other, sure=0.6)
        for place, content in START.items():
            view.points[place, content] = np.log(0.35)
        return view

    learned = learn_appearance(KnownPlaces(confused(1), CONTENTS))
    assert read(confused(4), None) == CONTENTS | other
    assert read(confused(4), learned) == CONTENTS


def with_visible(odds: float, *places: int) -> ViewReading:
    """The start position with these log-odds of being visible at some places."""
    visible = np.full(PLACES + 1, 4.0)
    visible[[*places]] = odds
    return replace(reading(CONTENTS), visible=(1 / (1 + np.exp(-visible))).astype(np.float32))


def test_a_bar_with_felt_is_visible_and_a_hand_still_hides_it() -> None:
    learned = learn_appearance(KnownPlaces(with_visible(-3.0, PLACES), CONTENTS))
    assert apply_appearance(with_visible(-3.0, PLACES), learned).visible[PLACES] > 0.5
    assert apply_appearance(with_visible(-7.0, PLACES), learned).visible[PLACES] < 0.1


def test_a_hand_over_the_board_at_calibration_is_not_learned() -> None:
    """Neither the points below it nor the bar beside it become visible, and it teaches nothing of them."""
    covered = with_visible(-2.0, 6, 7, PLACES)
    learned = learn_appearance(KnownPlaces(covered, CONTENTS))
    assert apply_appearance(covered, learned).visible == pytest.approx(covered.visible, abs=1e-6)
    uncovered = {place: content for place, content in CONTENTS.items() if place not in (6, 7)}
    assert learned == learn_appearance(KnownPlaces(covered, uncovered))


def test_a_wrong_lesson_is_undone_within_three_turns() -> None:
    learned = learn_appearance(KnownPlaces(reading(CONTENTS, wrong=ARCHES), CONTENTS))
    poisoned = update_appearance(learned, KnownPlaces(reading(CONTENTS, wrong=ARCHES), CONTENTS | ARCHES))
    for seed in range(3):
        poisoned = update_appearance(poisoned, KnownPlaces(reading(CONTENTS, seed=seed, wrong=ARCHES), CONTENTS))
    assert read(reading(CONTENTS, seed=9, wrong=ARCHES), poisoned) == CONTENTS


def test_wrong_lessons_cannot_drift_without_bound() -> None:
    """The first fit holds: forty wrong lessons do no more harm than ten."""
    learned = learn_appearance(KnownPlaces(reading(CONTENTS), CONTENTS))
    lesson = KnownPlaces(reading(CONTENTS), CONTENTS | ARCHES)
    changes = [learned]
    for _ in range(40):
        changes.append(update_appearance(changes[-1], lesson) or learned)
    sizes = [float(np.abs(np.frombuffer(one.change, "<f2")).max()) for one in changes]
    assert sizes[40] < 1.5 * sizes[10]
    assert changes[40].first == learned.change
    assert changes[40].pictures == 41


def test_what_another_network_learned_is_not_used() -> None:
    learned = learn_appearance(KnownPlaces(reading(CONTENTS, wrong=ARCHES), CONTENTS))
    foreign = replace(learned, network="0" * 12)
    view = reading(CONTENTS, wrong=ARCHES)
    assert apply_appearance(view, foreign) is view
    anew = update_appearance(foreign, KnownPlaces(view, CONTENTS))
    assert anew is not None
    assert (anew.network, anew.pictures) == (learned.network, 1)


def test_half_a_turn_of_the_board_keeps_what_was_learned() -> None:
    """The rows and columns are exchanged; twice gives the same."""
    learned = learn_appearance(KnownPlaces(reading(CONTENTS, wrong=ARCHES), CONTENTS))
    turned = rotate_appearance(learned)
    view = reading(CONTENTS, seed=8, wrong=ARCHES)
    flipped = replace(view, points=view.points[::-1].copy(), features=np.flip(features(8, CONTENTS), axis=0).copy())
    straight, back = apply_appearance(view, learned).points, apply_appearance(flipped, turned).points[::-1]
    assert back == pytest.approx(straight, abs=0.05)
    assert rotate_appearance(turned) == learned
    foreign = replace(learned, network="0" * 12)
    assert rotate_appearance(foreign) is foreign


def test_a_reading_without_features_teaches_nothing() -> None:
    view = replace(reading(CONTENTS), features=None)
    assert apply_appearance(view, learn_appearance(KnownPlaces(reading(CONTENTS), CONTENTS))) is view
    with pytest.raises(ValueError, match="does not come from the network"):
        learn_appearance(KnownPlaces(view, CONTENTS))


def learned_points(view: ViewReading, learned: Appearance) -> NDArray[np.float32]:
    """(24, CLASSES), log-probabilities with all that was learned."""
    return scale_confidence(apply_appearance(view, learned), learned).points


def with_random_mistakes(seed: int, share: float, sure: float) -> ViewReading:
    """The network is this sure, and misreads this share of the places, which nothing in the features explains."""
    random = np.random.default_rng(seed)
    wrong = {place: int(random.integers(1, CLASSES)) for place in CONTENTS if random.uniform() < share}
    view = reading(CONTENTS, seed=seed, wrong=wrong, sure=sure)
    return replace(view, features=random.uniform(0, 1, (PLACES, FEATURES)).astype(np.float32))


@pytest.mark.parametrize("board", [1, 5, 9])
def test_what_a_reader_is_sure_of_is_right(board: int) -> None:
    """It misreads a third of the places of each picture, and is 99.9 % sure of all."""
    learned = learn_appearance(KnownPlaces(with_random_mistakes(board, 1 / 3, 0.999), CONTENTS))
    later = [learned_points(with_random_mistakes(seed, 1 / 3, 0.999), learned) for seed in range(20, 30)]
    sure = [points.max(axis=1) >= np.log(0.99) for points in later]
    right = [points.argmax(axis=1) == [*CONTENTS.values()] for points in later]
    assert np.mean(sure) > 0.35
    assert np.concatenate(right)[np.concatenate(sure)].all()


def test_a_reader_that_is_not_sure_enough_of_this_board_becomes_surer() -> None:
    """It is right everywhere and only 60 % sure, so it may trust a place whose content it did not learn."""
    known = KnownPlaces(with_random_mistakes(1, 0, 0.6), CONTENTS)
    later = with_random_mistakes(3, 0, 0.6)
    later.points[1] = later.points[4]  # three light checkers on a point that was empty
    learned = learn_appearance(known)
    points = learned_points(later, learned)[1]
    assert points.argmax() == CONTENTS[4]
    assert np.exp(points.max()) > 0.7
    assert scale_confidence(later, None) is later


def test_what_is_learned_to_be_empty_shows_no_faces() -> None:
    """A seat that looks like a checker: a die on it would lie on a checker. Faces of true checkers stay as they are."""
    seat = {3: DARK_ONE}
    appearance = learn_appearance(KnownPlaces(reading(CONTENTS, wrong=seat), CONTENTS))
    for contents, wrong, left_out in ((CONTENTS, seat, 1), (CONTENTS | {3: DARK_ONE, 0: 19}, {}, 0)):
        seen = reading(contents, seed=2, wrong=wrong)
        after = fuse_face_counts(apply_appearance(seen, appearance))
        faces = weigh_faces(seen.tops, fuse_face_counts(seen).points[:, 0], after.points[:, 0])
        assert len(seen.tops) - len(faces) == left_out
        assert {(top.x_px, top.y_px) for top in reading(contents).tops} == {(top.x_px, top.y_px) for top in faces}
