"""What is made of one proposal: windows that move to the die, a second look in doubt, pips, and the limits of place and size."""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, repeat

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice import classification
from vision.dice.classifier import CLASS, SIZE, ObjectClass
from vision.dice.pip_template import PipEvidence
from vision.dice.readings import ACCEPT_VALUE_P, DieState
from vision.dice.windows import SIGHT
from vision.dice_tracking.fusion import fuse_readings
from vision.geometry.projection import KnownBoard

Given = Callable[..., None]
OFF_FIELD, ON_THE_RIM = (60.0, 150.0), (95.0, 240.0)  # 40 and 5 mm from the field


def unsure_face(face: int = 5) -> NDArray[np.float32]:
    return fakes.output(face=face, face_p=0.9)


class TestCentring:
    @pytest.mark.parametrize("off_edges", [(0.1,), (0.3, 0.1), (0.35, 0.3, 0.25)])
    def test_a_window_is_moved_until_its_die_is_centred(self, given: Given, off_edges: tuple[float, ...]) -> None:
        """Twice at most; the last window places the die."""
        offsets = chain(off_edges, repeat(0.5))
        given(lambda _: fakes.output(top=(next(offsets), 0.0)), fakes.LEFT_HALF)
        expected_px = fakes.LEFT_HALF[0] + sum(off_edges) * fakes.EDGE_PX
        assert fakes.one_die().centre_px == pytest.approx((expected_px, fakes.LEFT_HALF[1]), abs=0.1)

    @pytest.mark.parametrize("kind", [ObjectClass.NOTHING, ObjectClass.CUBE])
    def test_a_move_that_loses_the_die_is_undone(self, monkeypatch: pytest.MonkeyPatch, kind: ObjectClass) -> None:
        fakes.fake_sequence(monkeypatch, fakes.output(top=(0.3, 0.0)), fakes.output(kind))
        expected_px = fakes.LEFT_HALF[0] + 0.3 * fakes.EDGE_PX
        assert fakes.one_die().centre_px == pytest.approx((expected_px, fakes.LEFT_HALF[1]), abs=0.1)

    def test_the_window_of_a_cube_is_not_moved(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The network did not learn the size of a cube."""
        fakes.fake_sequence(monkeypatch, fakes.output(ObjectClass.CUBE, top=(0.3, 0.0)))
        assert fakes.detected().cube is not None


class TestSecondLook:
    """At a closer, mirrored window."""

    @pytest.mark.parametrize(
        ("numbers", "at_px", "looks"),
        [
            (fakes.output(), fakes.LEFT_HALF, 1),
            (fakes.output(ObjectClass.CUBE), fakes.LEFT_HALF, 1),
            (fakes.unsure_lie(fakes.output(ObjectClass.CUBE)), fakes.LEFT_HALF, 1),  # lies of a cube count nothing
            (fakes.unsure_lie(fakes.output()), fakes.LEFT_HALF, 2),
            (unsure_face(), fakes.LEFT_HALF, 2),
            (fakes.output(die_p=0.95), fakes.LEFT_HALF, 2),
            (fakes.output(die_p=0.75), fakes.LEFT_HALF, 1),  # no second look could make a die of it
            (fakes.output(ObjectClass.NOTHING), fakes.LEFT_HALF, 1),
            (fakes.output(), OFF_FIELD, 2),
        ],
    )
    def test_only_doubt_needs_one(
        self, given: Given, numbers: NDArray[np.float32], at_px: tuple[float, float], looks: int
    ) -> None:
        windows: list[NDArray[np.float32]] = []

        def look(planes: NDArray[np.float32]) -> NDArray[np.float32]:
            windows.append(planes)
            return numbers

        given(look, at_px)
        fakes.detected()
        assert len(windows) == looks

    @pytest.mark.parametrize(("pips", "looks"), [((-9.0, -9.0, -9.0, -9.0, 0.0, -9.0), 1), ((0.0,) * 6, 2)])
    def test_pips_that_confirm_the_face_spare_it(
        self, given: Given, monkeypatch: pytest.MonkeyPatch, pips: tuple[float, ...], looks: int
    ) -> None:
        answers = iter([unsure_face(5), unsure_face(6)][:looks])
        given(lambda _: next(answers), fakes.LEFT_HALF)
        fakes.fake_pips(monkeypatch, PipEvidence(np.array(pips)))
        assert (fakes.one_die().value_confidence > 0.99) is (looks == 1)

    def test_looks_that_differ_share_their_certainty(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fakes.fake_sequence(monkeypatch, fakes.unsure_lie(fakes.output(face=5)), fakes.output(face=6))
        die = fakes.one_die()
        assert die.value_confidence == pytest.approx(0.5, abs=0.01)
        assert die.value in (5, 6)

    def test_a_sure_lie_counts_more_than_a_doubtful_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """P(flat) is the geometric mean."""
        fakes.fake_sequence(monkeypatch, fakes.output(flat_p=0.5), fakes.output(flat_p=0.99))
        assert fakes.one_die().likeliest_lie_p == pytest.approx(0.909, abs=0.002)

    def test_the_class_is_no_surer_than_its_mean(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """From 1.0 and 0.82; of no die is the lie surer than the class."""
        fakes.fake_sequence(monkeypatch, fakes.output(flat_p=0.98), fakes.output(die_p=0.82))
        die = fakes.one_die()
        assert die.die_chance == pytest.approx(0.91, abs=0.001)
        assert die.lie_confidence < die.die_chance

    def test_tilts_that_differ_are_uncertain(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Level, and leaning by 30 degrees: 14.5 between them, give or take much."""
        fakes.fake_sequence(monkeypatch, *(fakes.unsure_lie(fakes.output(normal=(0.0, y))) for y in (0.0, 0.5)))
        die = fakes.one_die()
        assert die.tilt_deg == pytest.approx(14.5, abs=0.1)
        assert die.tilt_sigma_deg > 14.5

    def test_the_mirrored_window_is_read_the_right_way_round(self, given: Given) -> None:
        """In either window the die leans with the line of sight as it shows there."""

        def look(planes: NDArray[np.float32]) -> NDArray[np.float32]:
            across, down = np.sign(planes[SIGHT, 0, 0]).tolist()
            return fakes.unsure_lie(fakes.output(lies=DieState.COCKED, normal=(-0.2 * across, -0.1 * down)))

        given(look, fakes.LEFT_HALF)
        assert fakes.one_die().tilt_deg == pytest.approx(np.degrees(np.arcsin(np.hypot(0.2, 0.1))), abs=0.01)

    def test_it_places_the_base(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The first window showed two dice together. The other one is mirrored: its left is the right of the picture."""
        doubtful = fakes.unsure_lie(fakes.output(base=(0.5, 0.5)))
        doubtful[SIZE] = np.log(0.7)
        fakes.fake_sequence(monkeypatch, doubtful, fakes.output(base=(-0.1, 0.0)))
        die = fakes.one_die()
        assert die.base_mm is not None
        assert 0 < die.base_mm[0] - 129.5 < 0.1 * 0.7 * fakes.EDGE_PX  # a pixel is a millimetre there; it is closer
        assert die.base_mm[1] == pytest.approx(139.5, abs=0.05)
        assert die.size_px == pytest.approx(0.7 * fakes.EDGE_PX)


class TestPips:
    """The pip pattern beside the network."""

    def faces(self, given: Given, monkeypatch: pytest.MonkeyPatch, face_p: float, *pips: float) -> list[float]:
        """Probabilities of the faces where the network reads a 5 with `face_p`, and the pips have these log-likelihoods."""
        given(lambda _: fakes.output(face=5, face_p=face_p), fakes.LEFT_HALF)
        fakes.fake_pips(monkeypatch, PipEvidence(np.array(pips)))
        faces = [float(np.exp(log_p)) for log_p in fakes.one_die().face_log_likelihood]
        assert sum(faces) == pytest.approx(1, abs=1e-3)
        return faces

    def test_agreement_makes_surer(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.faces(given, monkeypatch, 0.9, -6.0, -6.0, -6.0, -6.0, 0.0, -6.0)[4] > 0.999

    def test_contradiction_makes_less_sure(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        agreed = self.faces(given, monkeypatch, 0.94, -6.0, -6.0, -1.5, -6.0, 0.0, -6.0)
        assert max(agreed) == agreed[4] > ACCEPT_VALUE_P
        contradicted = self.faces(given, monkeypatch, 0.94, -6.0, -6.0, 0.0, -6.0, -1.5, -6.0)
        assert max(contradicted) == contradicted[4] < ACCEPT_VALUE_P

    def test_their_face_stays_possible(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        """However sure the network is."""
        faces = self.faces(given, monkeypatch, 0.99999, -4.0, -3.0, 0.0, -3.0, -3.0, -4.0)
        assert max(faces) == faces[4]
        assert faces[2] > 0.005

    def test_without_a_pattern_the_network_decides(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.faces(given, monkeypatch, 0.985, *[0.0] * 6)[4] == pytest.approx(0.985, abs=0.001)

    @pytest.mark.parametrize(("face", "is_read"), [(1, False), (2, True)])
    def test_a_face_without_visible_pips_is_unread(
        self, given: Given, monkeypatch: pytest.MonkeyPatch, face: int, *, is_read: bool
    ) -> None:
        """The network may be certain of it, as of the ace of a five under a glare. No number of frames helps."""
        given(lambda _: fakes.output(face=face), fakes.LEFT_HALF)
        fakes.fake_pips(monkeypatch, PipEvidence(np.zeros(6), has_visible_pips=np.arange(6) > 0))
        die = fakes.one_die()
        frames = [
            replace(die, face_log_likelihood=tuple(times * log_p for log_p in die.face_log_likelihood))
            for times in np.linspace(0.98, 1, 30).tolist()
        ]
        assert (die.accepted_value == face) is is_read
        assert (fuse_readings(frames).accepted_value == face) is is_read

    @pytest.mark.parametrize("are_alike", [True, False])
    def test_pips_that_differ_leave_it_unread(
        self, given: Given, monkeypatch: pytest.MonkeyPatch, *, are_alike: bool
    ) -> None:
        """A glint among them, say. Without a board the face is seen from aside, and nobody asks."""
        given(lambda _: fakes.output(), fakes.LEFT_HALF)
        monkeypatch.setattr(classification, "are_pips_consistent", lambda *_: are_alike)
        fakes.fake_pips(monkeypatch, PipEvidence(np.zeros(6), face_lab=np.zeros((27, 27, 3), np.float32)))
        assert (fakes.one_die().accepted_value == 5) is are_alike
        fakes.fake_pips(monkeypatch, PipEvidence(np.zeros(6)))
        assert fakes.one_die(None).value_confidence > ACCEPT_VALUE_P

    def test_a_cube_has_none(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        given(lambda _: fakes.output(ObjectClass.CUBE), fakes.LEFT_HALF)
        monkeypatch.setattr(classification, "compute_pip_evidence", pytest.fail)
        assert fakes.detected().cube is not None


@pytest.mark.parametrize(("from_edge", "is_read"), [(0.45, True), (0.35, False)])
@pytest.mark.parametrize("board", [STRAIGHT_DOWN, None])
@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
def test_a_face_that_the_picture_cuts_is_unread(
    given: Given, side: str, board: KnownBoard | None, from_edge: float, *, is_read: bool
) -> None:
    """Pips may be missing there, though nobody doubts the visible ones."""
    inside_px = from_edge * fakes.EDGE_PX
    middles_px = {
        "left": (inside_px, 200.0),
        "top": (300.0, inside_px),
        "right": (640 - inside_px, 200.0),
        "bottom": (300.0, 480 - inside_px),
    }
    given(lambda _: fakes.output(), middles_px[side])
    assert (fakes.one_die(board).accepted_value == 5) is is_read


class TestOffField:
    """Pens, coins and print lie there."""

    @pytest.mark.parametrize("doubting", [0, 1, None])
    @pytest.mark.parametrize("other", [fakes.output(die_p=0.94), fakes.output(face=2)], ids=["doubt", "another face"])
    def test_one_look_is_enough_to_reject(
        self, monkeypatch: pytest.MonkeyPatch, doubting: int | None, other: NDArray[np.float32]
    ) -> None:
        """The rejected object may still be a die."""
        looks = [other if number == doubting else fakes.output() for number in range(2)]
        fakes.fake_sequence(monkeypatch, *looks, at_px=OFF_FIELD)
        found = fakes.detected()
        assert (len(found.dice), found.may_hold_more) == ((1, False) if doubting is None else (0, True))

    @pytest.mark.parametrize("at_px", [fakes.LEFT_HALF, ON_THE_RIM])
    def test_a_die_in_the_field_or_on_its_rim_needs_less(self, given: Given, at_px: tuple[float, float]) -> None:
        given(lambda _: fakes.output(die_p=0.94), at_px)
        assert len(fakes.detected().dice) == 1

    @pytest.mark.parametrize(
        ("at_px", "number", "is_cube"), [(OFF_FIELD, 8, True), (OFF_FIELD, None, False), (ON_THE_RIM, None, True)]
    )
    def test_a_cube_shows_its_number(
        self,
        given: Given,
        monkeypatch: pytest.MonkeyPatch,
        at_px: tuple[float, float],
        number: int | None,
        *,
        is_cube: bool,
    ) -> None:
        """Without one it is none, and no die for that; on the rim, where it belongs, it is one all the same."""
        given(lambda _: fakes.output(ObjectClass.CUBE), at_px)
        fakes.fake_number(monkeypatch, number)
        found = fakes.detected()
        assert (found.dice, found.may_hold_more, found.cube is not None) == ((), False, is_cube)


class TestSize:
    """A point is 34 pixels wide here, and a die 20."""

    @pytest.mark.parametrize("is_doubtful", [False, True])
    @pytest.mark.parametrize(("edge_px", "dice", "cubes"), [(14.0, 1, 0), (16.0, 0, 1)])
    def test_a_cube_that_is_too_small_is_a_die(
        self, given: Given, edge_px: float, dice: int, cubes: int, *, is_doubtful: bool
    ) -> None:
        """A die taken for the cube would be a double that nobody offered. The window gives the size of a cube."""
        numbers = fakes.output(ObjectClass.CUBE)
        numbers[SIZE] = np.log(0.6)
        numbers[CLASS.start + ObjectClass.DIE.value] = 9 if is_doubtful else 6
        given(lambda _: numbers, fakes.LEFT_HALF, edge_px=edge_px)
        found = fakes.detected()
        assert (len(found.dice), int(found.cube is not None)) == (dice, cubes)

    @pytest.mark.parametrize(
        ("edge_px", "dice", "may_hold_more"),
        [(4.5, 0, False), (6.0, 1, False), (19.0, 1, False), (28.0, 1, True), (30.0, 0, True)],
    )
    def test_no_die_is_too_small_or_too_large(
        self, given: Given, edge_px: float, dice: int, *, may_hold_more: bool
    ) -> None:
        """Grain or the head of a screw, and a box beside the board; but two dice that touch have that size too."""
        given(lambda _: fakes.output(), fakes.LEFT_HALF, edge_px=edge_px)
        found = fakes.detected()
        assert (len(found.dice), found.may_hold_more) == (dice, may_hold_more)

    def test_without_a_board_no_size_is_known(self, given: Given) -> None:
        given(lambda _: fakes.output(), fakes.LEFT_HALF, edge_px=100.0)
        assert len(fakes.detected(None).dice) == 1
