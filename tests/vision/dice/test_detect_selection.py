"""Which detections are dice, which are the cube, a side or of another size, and what leaves room for one more die."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice import candidates
from vision.dice.classification import Classification
from vision.dice.classifier import CLASS, FACE, ObjectClass
from vision.dice.detect import read_dice
from vision.dice.readings import BoardHalf
from vision.dice.windows import SIGHT, DieSpot
from vision.geometry.projection import KnownBoard

Given = Callable[..., None]
OFF_FIELD, ON_THE_RIM = (60.0, 150.0), (95.0, 240.0)  # 40 and 5 mm from the field


def fake_two(monkeypatch: pytest.MonkeyPatch, times: float, class_p: list[float]) -> None:
    """A confident die to the left, and to the right an object of this relative size with these class probabilities."""

    def classify(spot: DieSpot) -> Classification | None:
        if spot.centre_px != fakes.RIGHT_HALF:
            return fakes.classified(spot)
        if spot.size_px != pytest.approx(times * fakes.EDGE_PX, rel=0.01):
            return None
        numbers = fakes.output()
        numbers[CLASS] = np.log(class_p)
        return fakes.classified(spot, numbers)

    fakes.fake_spots(
        monkeypatch,
        [DieSpot(fakes.LEFT_HALF, fakes.EDGE_PX, 0.9), DieSpot(fakes.RIGHT_HALF, times * fakes.EDGE_PX, 0.4)],
    )
    fakes.fake_classifications(monkeypatch, classify)


def is_at_the_right(planes: NDArray[np.float32]) -> bool:
    """Mirrored or not."""
    across, down = np.abs(planes[SIGHT, 0, 0])
    return bool(across > 2 * down)


class TestDieOrCube:
    """An ace has one mark in its middle too."""

    @pytest.mark.parametrize(("times", "is_sure"), [(0.8, True), (1.0, True), (1.2, False)])
    def test_no_cube_is_as_small_as_a_confident_die(
        self, monkeypatch: pytest.MonkeyPatch, times: float, is_sure: bool
    ) -> None:
        fake_two(monkeypatch, times, [0.001, 0.95, 0.049])
        _, doubtful = fakes.detected().dice
        assert (sum(doubtful.lie_chances) > 0.99) is is_sure

    def test_its_size_alone_makes_no_die(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fake_two(monkeypatch, 0.8, [0.9, 0.0001, 0.0999])
        assert len(fakes.detected().dice) == 1


class TestMayHoldMore:
    """Whether a die is surely missing, or another candidate may be it."""

    @pytest.mark.parametrize(("die_p", "may_hold_more"), [(0.02, False), (0.3, True), (0.7, True), (0.99, False)])
    def test_a_rejected_candidate_may_be_a_die(self, given: Given, die_p: float, may_hold_more: bool) -> None:
        given(
            lambda planes: fakes.output(die_p=die_p if is_at_the_right(planes) else None),
            fakes.LEFT_HALF,
            fakes.RIGHT_HALF,
        )
        assert fakes.detected().may_hold_more is may_hold_more

    @pytest.mark.parametrize(
        ("times", "die_p", "may_hold_more"),
        [(0.5, 0.7, False), (0.7, 0.3, True), (0.7, 0.05, False), (2.0, 0.3, True)],
    )
    def test_lights_and_gaps_are_too_small(
        self, monkeypatch: pytest.MonkeyPatch, times: float, die_p: float, may_hold_more: bool
    ) -> None:
        """Possibly a die at its own size, and nothing at that of the confident one."""
        fake_two(monkeypatch, times, [1 - die_p, die_p, 1e-9])
        found = fakes.detected()
        assert [die.half for die in found.dice] == [BoardHalf.LEFT]
        assert found.may_hold_more is may_hold_more

    def test_the_cube_is_no_die(self, given: Given) -> None:
        given(lambda _: fakes.output(ObjectClass.CUBE), fakes.ON_THE_BAR)
        assert not fakes.detected().may_hold_more

    @pytest.mark.parametrize(("away_edges", "may_hold_more"), [(0.2, False), (0.45, True)])
    def test_windows_that_place_one_die_differently_may_show_two(
        self, given: Given, away_edges: float, *, may_hold_more: bool
    ) -> None:
        given(
            lambda _: fakes.output(),
            fakes.LEFT_HALF,
            (fakes.LEFT_HALF[0] + away_edges * fakes.EDGE_PX, fakes.LEFT_HALF[1]),
        )
        found = fakes.detected()
        assert (len(found.dice), found.may_hold_more) == (1, may_hold_more)


class TestSize:
    """A point is 34 pixels wide here, and a die 20."""

    def sizes(self, monkeypatch: pytest.MonkeyPatch, small_px: float, odds: float) -> list[float]:
        """The sizes of the accepted dice: one of 20, and one at the right with these odds of its face against another."""

        def numbers(planes: NDArray[np.float32]) -> NDArray[np.float32]:
            given = fakes.output(face=3)
            if is_at_the_right(planes):
                given[FACE.start + 1] = given[FACE.start + 2] - np.log(odds)
            return given

        fakes.fake_spots(monkeypatch, [DieSpot(fakes.LEFT_HALF, 20.0, 0.9), DieSpot(fakes.RIGHT_HALF, small_px, 0.9)])
        fakes.fake_outputs(monkeypatch, numbers)
        return [die.size_px for die in read_dice(fakes.PICTURE, STRAIGHT_DOWN).dice]

    @pytest.mark.parametrize(
        ("small_px", "odds", "is_accepted"), [(11.5, 3, False), (15.0, 3, True), (11.5, 1e6, True)]
    )
    def test_a_doubtful_die_of_another_size_is_rejected(
        self, monkeypatch: pytest.MonkeyPatch, small_px: float, odds: float, *, is_accepted: bool
    ) -> None:
        """A gap between checkers. A quarter smaller may lean; a confident face is another pair's."""
        assert self.sizes(monkeypatch, small_px, odds) == [20.0, small_px][: 1 + is_accepted]

    def test_two_doubtful_dice_say_nothing_of_each_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(candidates, "CONFIDENT_FACE_P", 1.1)
        assert self.sizes(monkeypatch, 11.5, 3) == [20.0, 11.5]

    @pytest.mark.parametrize(
        ("at_px", "times", "found"),
        [(OFF_FIELD, 0.74, 1), (OFF_FIELD, 0.78, 2), (OFF_FIELD, 1.34, 1), (ON_THE_RIM, 0.7, 2)],
    )
    def test_off_the_field_it_is_that_of_the_die_in_the_field(
        self, monkeypatch: pytest.MonkeyPatch, at_px: tuple[float, float], times: float, found: int
    ) -> None:
        fakes.fake_spots(
            monkeypatch, [DieSpot(fakes.LEFT_HALF, fakes.EDGE_PX, 0.9), DieSpot(at_px, times * fakes.EDGE_PX, 0.9)]
        )
        fakes.fake_classifications(monkeypatch, fakes.classified)
        assert len(fakes.detected().dice) == found


@pytest.mark.parametrize(("away_px", "dice"), [(9, 1), (20, 2)])
def test_two_spots_of_one_die(given: Given, away_px: float, dice: int) -> None:
    """Half an edge apart they are one die; a whole edge apart two that touch."""
    given(lambda _: fakes.output(), fakes.LEFT_HALF, (fakes.LEFT_HALF[0] + away_px, fakes.LEFT_HALF[1]))
    assert len(fakes.detected().dice) == dice


@pytest.mark.parametrize(
    ("away_edges", "flat_p", "board", "dice"),
    [
        (0.7, (0.1, 0.1), STRAIGHT_DOWN, 1),
        (0.9, (0.1, 0.1), STRAIGHT_DOWN, 2),
        (0.7, (0.6, 0.1), STRAIGHT_DOWN, 2),
        (0.7, (0.1, 0.6), STRAIGHT_DOWN, 2),
        (0.7, (0.9, 0.9), STRAIGHT_DOWN, 2),
        (0.7, (0.9, 0.9), None, 1),
    ],
)
def test_the_side_of_a_leaning_die(
    monkeypatch: pytest.MonkeyPatch, away_edges: float, flat_p: tuple[float, float], board: KnownBoard | None, dice: int
) -> None:
    """It looks like a die too near for another one; two flat dice that touch may be placed that near. Without a board flat
    dice show their sides as well.
    """
    beside = (fakes.LEFT_HALF[0] + away_edges * fakes.EDGE_PX, fakes.LEFT_HALF[1])
    lies = dict(zip((fakes.LEFT_HALF, beside), flat_p, strict=True))
    fakes.fake_places(monkeypatch, *lies)
    fakes.fake_classifications(
        monkeypatch, lambda spot: fakes.classified(spot, fakes.output(flat_p=lies[spot.centre_px]), board=board)
    )
    found = fakes.detected(board)
    assert (len(found.dice), found.may_hold_more) == (dice, dice == 1)


@pytest.mark.parametrize(
    ("at_px", "off_edges", "flat_p", "face_p", "upper_flat_p", "dice"),
    [
        (fakes.FAR_PX, (0.7, 0.0), 0.6, 1.0, 1.0, 1),
        (fakes.FAR_PX, (0.6, 0.35), 0.6, 1.0, 1.0, 1),
        (fakes.FAR_PX, (0.6, 0.55), 0.6, 1.0, 1.0, 2),  # too far beside it
        (fakes.FAR_PX, (0.7, 0.0), 0.95, 1.0, 1.0, 2),  # as confident as a die of its own
        (fakes.FAR_PX, (1.0, 0.0), 0.6, 1.0, 1.0, 2),  # a die that touches
        (fakes.FAR_PX, (-0.7, 0.0), 0.6, 1.0, 1.0, 2),  # the camera sees no side there
        (fakes.LEFT_HALF, (0.7, 0.0), 0.6, 1.0, 1.0, 2),  # nor here
        (fakes.FAR_PX, (0.7, 0.0), 0.6, 0.98, 1.0, 2),  # the upper face is not confident
        (fakes.FAR_PX, (0.7, 0.0), 0.6, 1.0, 0.85, 2),  # nor its lie
        (fakes.FAR_PX, (0.7, 0.0), 0.6, 1.0, 0.95, 1),
    ],
)
def test_the_side_of_a_confident_die(
    monkeypatch: pytest.MonkeyPatch,
    *,
    at_px: tuple[float, float],
    off_edges: tuple[float, float],
    flat_p: float,
    face_p: float,
    upper_flat_p: float,
    dice: int,
) -> None:
    """A doubtful die where that side shows is none, and perhaps one: the throw is a question, and not refused."""
    side = tuple((at_px + fakes.EDGE_PX * (np.array(off_edges) @ (fakes.INWARD, fakes.ACROSS))).tolist())
    upper = fakes.output(flat_p=upper_flat_p)
    upper[FACE] = np.log([(1 - face_p) / 5 + 1e-9] * 4 + [face_p, (1 - face_p) / 5 + 1e-9])
    fakes.fake_places(monkeypatch, at_px, side)
    fakes.fake_classifications(
        monkeypatch,
        lambda spot: fakes.classified(spot, fakes.output(flat_p=flat_p) if spot.centre_px == side else upper),
    )
    found = fakes.detected()
    assert (len(found.dice), found.may_hold_more) == (dice, dice == 1)
