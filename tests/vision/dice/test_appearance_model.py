from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.dice_tracking.dice_films import die
from tests.vision.drawn_tables import calibration_of, table
from vision.dice.appearance_model import (
    AppearanceModel,
    DieAppearance,
    LearningLimits,
    compute_fit,
    learn_dice,
    learn_die,
    measure_appearance,
    reject_carvings,
    reject_outliers,
)
from vision.dice.readings import DieReading, DieState
from vision.errors import ImpossibleReadingError
from vision.simulated import draw
from vision.simulated.scene import Scene

IVORY, RED = DieAppearance(14.0, (88.0, 0.0, 12.0)), DieAppearance(12.0, (40.0, 55.0, 35.0))


def reading_of(scene: Scene, number: int) -> DieReading:
    """What a perfect reader would say of a die of the table."""
    one, projection = scene.dice[number], calibration_of(scene).projection
    x_mm, y_mm = one.centre_mm
    top_px = projection.to_picture([(x_mm, y_mm), (x_mm + one.size_mm, y_mm)], one.size_mm)
    size_px = float(np.linalg.norm(top_px[1] - top_px[0]))
    return replace(die(5, (float(top_px[0, 0]), float(top_px[0, 1]))), size_px=size_px, base_mm=one.centre_mm)


class TestMeasured:
    @pytest.mark.parametrize("size_px", [(640, 480), (1280, 960)])
    def test_size_and_colour(self, size_px: tuple[int, int]) -> None:
        """A 13 mm die of ivory: the pips of a five do not darken it."""
        scene = table(size_px)
        found = measure_appearance(draw(scene), reading_of(scene, 0), calibration_of(scene).projection)
        lightness, a, b = found.body_lab
        assert found.size_mm == pytest.approx(13.0, abs=0.05)
        assert lightness > 70
        assert abs(a) < 8
        assert 0 < b < 25

    def test_half_outside_the_picture(self) -> None:
        """What is left of it is measured; a die that lies outside altogether is refused."""
        projection = calibration_of(table()).projection
        picture = np.full((480, 640, 3), 200, np.uint8)
        cut = replace(die(5, (2.0, 100.0)), base_mm=(10.0, 10.0))
        assert measure_appearance(picture, cut, projection).body_lab[0] == pytest.approx(80.6, abs=0.2)
        with pytest.raises(ImpossibleReadingError, match="outside a picture of 640x480"):
            measure_appearance(picture, replace(cut, centre_px=(900.0, 100.0)), projection)

    def test_without_a_board(self) -> None:
        projection = calibration_of(table()).projection
        with pytest.raises(ImpossibleReadingError, match="known board"):
            measure_appearance(np.zeros((480, 640, 3), np.uint8), replace(die(), base_mm=None), projection)


class TestLearned:
    def test_before_anything_is_learned_nothing_is_known(self) -> None:
        assert compute_fit(AppearanceModel(), IVORY) == 0

    def test_a_die_like_those_seen_fits(self) -> None:
        """A die of another size and colour does not fit."""
        model = learn_die(AppearanceModel(), die(), IVORY)
        assert compute_fit(model, IVORY) == pytest.approx(1.0)
        assert compute_fit(model, DieAppearance(14.3, (85.0, 1.0, 13.0))) > 0.8
        assert compute_fit(model, RED) < 0.01

    def test_each_player_his_own_pair(self) -> None:
        """Two kinds are kept apart, however often they take turns."""
        model = AppearanceModel()
        for _ in range(20):
            model = learn_die(learn_die(model, die(), IVORY), die(), RED)
        assert [cluster.count for cluster in model.clusters] == [20, 20]
        assert compute_fit(model, IVORY) == pytest.approx(1.0)
        assert compute_fit(model, RED) == pytest.approx(1.0)

    @pytest.mark.parametrize(
        "doubtful",
        [
            die(lies=DieState.COCKED),
            die(lies=DieState.ON_CHECKER),
            die(lies=DieState.MOVING),
            die(confidence=0.8),
            die(odds=2.0),
        ],
    )
    def test_nothing_from_a_die_in_doubt(self, doubtful: DieReading) -> None:
        """Cocked, on a checker, moving, or read without certainty."""
        assert learn_die(AppearanceModel(), doubtful, IVORY) == AppearanceModel()

    def test_the_light_of_an_evening(self) -> None:
        """A die that darkens by a third of a level a throw stays the same cluster for hours."""
        model, limits = AppearanceModel(), LearningLimits()
        for throw in range(120):
            now = DieAppearance(14.0, (88.0 - throw / 3, 0.0, 12.0))
            assert throw == 0 or compute_fit(model, now) >= limits.min_fit
            model = learn_die(model, die(), now)
        assert len(model.clusters) == 1


class TestStrangers:
    """Of a drawn table with ivory dice."""

    SCENE = table()
    PROJECTION = calibration_of(SCENE).projection
    DIE = reading_of(SCENE, 0)
    IN_DOUBT = replace(DIE, face_log_likelihood=die(2, odds=2.0).face_log_likelihood)
    ELSEWHERE = replace(IN_DOUBT, size_px=0.6 * DIE.size_px, centre_px=(DIE.centre_px[0] + 60, DIE.centre_px[1]))

    @staticmethod
    @cache
    def picture() -> NDArray[np.uint8]:
        return draw(TestStrangers.SCENE)

    def seen(self, dice: int, *now: DieReading) -> tuple[DieReading, ...]:
        model = learn_dice(AppearanceModel(), [self.DIE] * dice, self.picture(), self.PROJECTION)
        return reject_outliers(model, now, self.picture(), self.PROJECTION)

    def test_a_smaller_thing_of_another_colour_is_no_die(self) -> None:
        """Once enough dice were seen; a die in doubt is as they were, and stays."""
        assert self.seen(8, self.IN_DOUBT, self.ELSEWHERE) == (self.IN_DOUBT,)
        assert self.seen(7, self.IN_DOUBT, self.ELSEWHERE) == (self.IN_DOUBT, self.ELSEWHERE)

    def test_a_thing_of_another_size_needs_a_plain_face(self) -> None:
        """A third smaller it is strange with a face of 97 %, a tenth smaller it is not."""
        fairly = die(2, odds=5.0)
        here = replace(self.DIE, face_log_likelihood=fairly.face_log_likelihood)
        assert 0.95 < here.value_confidence < 0.99
        small, less = replace(here, size_px=0.65 * self.DIE.size_px), replace(here, size_px=0.9 * self.DIE.size_px)
        assert self.seen(8, here, less, small) == (here, less)

    def test_a_plain_face_makes_a_die_of_it(self) -> None:
        """Somebody brought another pair."""
        other = replace(self.ELSEWHERE, face_log_likelihood=self.DIE.face_log_likelihood)
        assert self.seen(20, other) == (other,)

    @pytest.mark.parametrize(
        ("dice", "share", "is_on_face", "stays"),
        [
            (4, 0.6, True, False),
            (4, 0.6, False, True),
            (4, 0.8, True, True),
            (4, 1.3, True, True),
            (3, 0.6, True, True),
        ],
    )
    def test_a_carved_checker_is_no_die(self, dice: int, share: float, is_on_face: bool, stays: bool) -> None:
        """A plain ace in the middle of a checker's face, after two throws: far smaller than the dice it is none."""
        model = learn_dice(AppearanceModel(), [self.DIE] * dice, self.picture(), self.PROJECTION)
        ace = replace(self.DIE, size_px=share * self.DIE.size_px)
        found = reject_carvings(
            model, [self.DIE, ace], self.picture(), self.PROJECTION, lambda die: die is ace and is_on_face
        )
        assert found == ((self.DIE, ace) if stays else (self.DIE,))

    def test_what_cannot_be_measured_stays(self) -> None:
        """Without a place on the board, or outside the picture."""
        things = replace(self.ELSEWHERE, base_mm=None), replace(self.ELSEWHERE, centre_px=(5000.0, 100.0))
        assert self.seen(20, *things) == things
        assert learn_dice(AppearanceModel(), things, self.picture(), self.PROJECTION) == AppearanceModel()


measured = st.builds(
    DieAppearance, st.floats(8, 17), st.tuples(st.floats(0, 100), st.floats(-100, 100), st.floats(-100, 100))
)


@given(st.lists(measured, min_size=1, max_size=40))
def test_a_model_is_bounded(dice: list[DieAppearance]) -> None:
    """Any dice of any colours make at most four kinds, each counting to fifty, none of them broken."""
    model, limits = AppearanceModel(), LearningLimits()
    for one in dice * 2:
        model = learn_die(model, die(), one)
        assert compute_fit(model, one) >= limits.min_fit  # what was just learned is known
    assert len(model.clusters) <= limits.max_clusters
    assert all(cluster.count <= limits.memory and min(cluster.variance) >= 0 for cluster in model.clusters)
