"""From proposals and network outputs to dice and cube."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice.classifier import CLASS, FACE, LIE, LIES, SIZE, ObjectClass
from vision.dice.detect import DiceInView
from vision.dice.ensemble import CAREFUL_NETWORK, CLOSER_SCALE, FAST_NETWORK, SECOND_NETWORK, THIRD_NETWORK
from vision.dice.readings import BoardHalf, Contact, CubePlace, DieState
from vision.dice.windows import SIGHT, DieSpot

Given = Callable[..., None]


class TestWhatIsThere:
    def test_nothing(self, given: Given) -> None:
        given(lambda _: fakes.output(ObjectClass.NOTHING), fakes.LEFT_HALF, fakes.RIGHT_HALF)
        assert fakes.detected() == DiceInView()

    def test_a_flat_die(self, given: Given) -> None:
        given(lambda _: fakes.output(face=3), fakes.LEFT_HALF)
        die = fakes.one_die()
        assert (die.value, die.lies, die.half, die.touches) == (3, DieState.FLAT, BoardHalf.LEFT, Contact.NOTHING)
        assert min(die.value_confidence, die.lie_confidence) > 0.99
        assert die.centre_px == pytest.approx(fakes.LEFT_HALF)
        assert die.base_mm == pytest.approx((129.5, 139.5))
        assert die.edge_mm == pytest.approx(fakes.EDGE_PX)  # a pixel is a millimetre there
        assert die.tilt_deg == pytest.approx(0)

    def test_dice_from_left_to_right(self, given: Given) -> None:
        given(lambda _: fakes.output(), fakes.RIGHT_HALF, fakes.LEFT_HALF)
        assert [die.half for die in fakes.detected().dice] == [BoardHalf.LEFT, BoardHalf.RIGHT]

    @pytest.mark.parametrize(("points", "may_hold_more"), [(0.58, False), (0.62, True)])
    def test_a_large_one_may_be_two_that_touch(self, given: Given, points: float, *, may_hold_more: bool) -> None:
        """Without a board its size is unknown."""
        large = fakes.output()
        large[SIZE] = np.log(points * STRAIGHT_DOWN.field.pitch_mm / fakes.EDGE_PX)  # a pixel is a millimetre there
        given(lambda _: large, fakes.LEFT_HALF)
        assert fakes.detected().may_hold_more is may_hold_more
        assert not fakes.detected(None).may_hold_more

    def test_the_window_is_put_where_the_filter_sees_the_die(
        self, given: Given, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A quarter of an edge beside the proposal; the network sees it a little farther still."""
        given(lambda _: fakes.output(top=(0.05, 0.0), base=(-0.1, 0.0)), fakes.LEFT_HALF)
        fakes.fake_filter(
            monkeypatch, lambda spot: fakes.check_of(spot, 1.0, (fakes.LEFT_HALF[0] + 5, fakes.LEFT_HALF[1]))
        )
        die = fakes.one_die()
        assert die.centre_px == pytest.approx((fakes.LEFT_HALF[0] + 6, fakes.LEFT_HALF[1]), abs=0.05)
        assert die.base_mm == pytest.approx((129.5 + 5 - 2, 139.5), abs=0.05)
        assert die.base_mm is not None
        assert die.base_px == pytest.approx(STRAIGHT_DOWN.projection.to_picture([die.base_mm])[0].tolist(), abs=0.05)

    def test_the_filter_rejects(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        given(lambda _: fakes.output(), fakes.LEFT_HALF)
        fakes.fake_filter(monkeypatch, lambda spot: fakes.check_of(spot, 0.03))
        assert fakes.detected() == DiceInView()


class TestDoubt:
    def test_networks_that_differ_share_their_certainty(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fakes.fake_sequence(monkeypatch, *[fakes.unsure_lie(fakes.output(face=5)), fakes.output(face=6)] * 2)
        die = fakes.one_die()
        assert die.value_confidence == pytest.approx(0.5, abs=0.04)
        assert die.value in (5, 6)

    def test_mirrored_windows_are_read_the_right_way_round(self, given: Given) -> None:
        """Each network leans with the line of sight as it sees it, mirrored or not."""

        def numbers(planes: NDArray[np.float32]) -> NDArray[np.float32]:
            across, down = np.sign(planes[SIGHT, 0, 0]).tolist()
            return fakes.unsure_lie(fakes.output(lies=DieState.COCKED, normal=(-0.2 * across, -0.1 * down)))

        given(numbers, fakes.LEFT_HALF)
        assert fakes.one_die().tilt_deg == pytest.approx(np.degrees(np.arcsin(np.hypot(0.2, 0.1))), abs=0.01)

    def test_the_careful_network_clears_up_the_lie(self, monkeypatch: pytest.MonkeyPatch) -> None:
        unsure = fakes.output()
        unsure[LIE.start + LIES.index(DieState.COCKED)] = unsure[LIE.start + LIES.index(DieState.FLAT)]
        fakes.fake_sequence(monkeypatch, unsure, fakes.output(lies=DieState.COCKED))
        die = fakes.one_die()
        assert die.lies is DieState.COCKED
        assert die.lie_confidence > 0.99

    @pytest.mark.parametrize("lies", [DieState.ON_CHECKER, DieState.ON_BAR, DieState.ON_RIM])
    @pytest.mark.parametrize(("tilt_deg", "is_cocked"), [(6.0, True), (4.0, False)])
    def test_what_leans_on_something_is_called_cocked(
        self, given: Given, lies: DieState, tilt_deg: float, *, is_cocked: bool
    ) -> None:
        """Its confidence is that of either lie; a flat die stays flat."""
        normal = (float(np.sin(np.radians(tilt_deg))), 0.0)
        given(lambda _: fakes.output(lies=lies, normal=normal), fakes.LEFT_HALF)
        die = fakes.one_die()
        assert die.lies is (DieState.COCKED if is_cocked else lies)
        assert die.lie_confidence == pytest.approx(1, abs=0.001)
        given(lambda _: fakes.output(normal=normal), fakes.LEFT_HALF)
        assert fakes.one_die().lies is DieState.FLAT

    @pytest.mark.parametrize("likelier", [DieState.FLAT, DieState.ON_CHECKER, DieState.ON_RIM])
    @pytest.mark.parametrize(("cocked_p", "is_cocked"), [(0.3, True), (0.2, False)])
    def test_it_is_called_cocked_from_a_quarter_on(
        self, given: Given, likelier: DieState, cocked_p: float, *, is_cocked: bool
    ) -> None:
        numbers = fakes.output(lies=likelier)
        numbers[LIE.start + LIES.index(DieState.COCKED)] = 12 + np.log(cocked_p / (1 - cocked_p))
        given(lambda _: numbers, fakes.LEFT_HALF)
        die = fakes.one_die()
        assert die.lies is (DieState.COCKED if is_cocked else likelier)
        assert die.lie_confidence == pytest.approx(cocked_p if is_cocked else 1 - cocked_p, abs=0.001)
        assert die.likeliest_lie_p == pytest.approx(1 - cocked_p, abs=0.001)

    def test_the_careful_network_places_and_measures_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The first window showed two dice together: too large, with a base somewhere between them."""
        doubtful = fakes.unsure_lie(fakes.output(base=(0.5, 0.5)))
        doubtful[SIZE] = np.log(0.7)
        fakes.fake_sequence(monkeypatch, doubtful, fakes.output(base=(-0.1, 0.0)), doubtful, doubtful)
        die = fakes.one_die()
        # Its window was mirrored across, and the base is turned back.
        assert die.base_mm == pytest.approx((129.5 + 0.1 * CLOSER_SCALE * 0.7 * fakes.EDGE_PX, 139.5), abs=0.05)
        assert die.size_px == pytest.approx(0.7 * fakes.EDGE_PX)

    @pytest.mark.parametrize(
        ("fast_p", "careful_p", "asked"),
        [
            (0.995, 0.5, [FAST_NETWORK]),
            (0.5, 0.9999, [FAST_NETWORK, CAREFUL_NETWORK]),
            (0.5, 0.9, [FAST_NETWORK, CAREFUL_NETWORK, SECOND_NETWORK, THIRD_NETWORK]),
        ],
    )
    def test_further_networks_count_in_doubt_only(
        self, monkeypatch: pytest.MonkeyPatch, fast_p: float, careful_p: float, asked: list[str]
    ) -> None:
        """P(flat) is the geometric mean of the ones that count."""
        flat_p = {FAST_NETWORK: fast_p, CAREFUL_NETWORK: careful_p, SECOND_NETWORK: 0.7, THIRD_NETWORK: 0.6}
        fakes.fake_by_name(
            monkeypatch, fakes.output(), {name: fakes.output(flat_p=share) for name, share in flat_p.items()}
        )
        odds = np.prod([flat_p[name] / (1 - flat_p[name]) for name in asked]) ** (1 / len(asked))
        assert fakes.one_die().likeliest_lie_p == pytest.approx(odds / (1 + odds), abs=0.002)

    def test_further_networks_count_as_much(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """One of them sees another face, and its face counts as well."""
        six = fakes.output(face=6)
        six[FACE.start + 5] = 2.0  # 60 percent: one that is certain is not outvoted
        fakes.fake_by_name(
            monkeypatch, fakes.output(flat_p=0.5), {SECOND_NETWORK: fakes.output(flat_p=0.9996), THIRD_NETWORK: six}
        )
        die = fakes.one_die()
        odds = (1 * 1 * (0.9996 / 0.0004) * np.exp(12)) ** 0.25
        assert die.likeliest_lie_p == pytest.approx(odds / (1 + odds), abs=0.002)
        assert die.value_confidence == pytest.approx(1 / (1 + np.exp((2 - 3 * 12) / 4)), abs=0.001)
        assert die.value == 5

    @pytest.mark.parametrize(
        ("flat_p", "die_p", "are_asked"),
        [(1e-6, 1.0, False), (0.008, 1.0, False), (0.012, 1.0, True), (1e-6, 0.98, True)],
    )
    def test_further_networks_do_not_decide_between_other_lies(
        self, monkeypatch: pytest.MonkeyPatch, flat_p: float, die_p: float, *, are_asked: bool
    ) -> None:
        """The object surely is a die and not flat; networks that are asked make it lie on a checker."""
        unsure = fakes.output(die_p=die_p)
        unsure[LIE] = -30
        for lie, chance in ((DieState.FLAT, flat_p), (DieState.COCKED, 0.5), (DieState.ON_CHECKER, 0.5 - flat_p)):
            unsure[LIE.start + LIES.index(lie)] = np.log(chance)
        on_checker = fakes.output(lies=DieState.ON_CHECKER)
        fakes.fake_by_name(monkeypatch, unsure, {SECOND_NETWORK: on_checker, THIRD_NETWORK: on_checker})
        assert (fakes.one_die().lie_chances[LIES.index(DieState.ON_CHECKER)] > 0.9) is are_asked

    @pytest.mark.parametrize(
        ("die_p", "doubting", "is_accepted"),
        [
            (0.65, [FAST_NETWORK], False),
            (0.79, [FAST_NETWORK, CAREFUL_NETWORK], False),
            (0.82, [FAST_NETWORK, CAREFUL_NETWORK], True),
        ],
    )
    def test_further_networks_are_not_asked_where_they_cannot_make_it_a_die(
        self, monkeypatch: pytest.MonkeyPatch, die_p: float, doubting: list[str], *, is_accepted: bool
    ) -> None:
        """A certain one makes 0.83 of 0.65, and two make 0.89 of 0.79; but it may be a die all the same."""
        unsure, sure = fakes.unsure_lie(fakes.output(die_p=die_p)), fakes.unsure_lie(fakes.output())
        for numbers in (unsure, sure):
            numbers[LIE.start + LIES.index(DieState.FLAT)] = np.log(7.5)  # 60 percent
        fakes.fake_by_name(monkeypatch, sure, dict.fromkeys(doubting, unsure))
        found = fakes.detected()
        assert (len(found.dice), found.may_hold_more) == (is_accepted, not is_accepted)

    def test_every_network_counts_for_the_class(self, monkeypatch: pytest.MonkeyPatch) -> None:
        unsure = fakes.unsure_lie(fakes.output(lies=DieState.COCKED))
        less = unsure.copy()
        less[CLASS] = np.log([0.18, 0.82, 1e-6])
        fakes.fake_sequence(monkeypatch, *[unsure, less] * 2)
        assert fakes.one_die().lie_confidence == pytest.approx((1 + 0.82) / 2 / 6, rel=0.01)

    def test_tilts_that_differ_are_uncertain(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Level, and leaning by 30 degrees: 14.5 between them, give or take much."""
        fakes.fake_sequence(
            monkeypatch, *[fakes.unsure_lie(fakes.output()), fakes.unsure_lie(fakes.output(normal=(0.0, 0.5)))] * 2
        )
        die = fakes.one_die()
        assert die.tilt_deg == pytest.approx(14.5, abs=0.1)
        assert die.tilt_sigma_deg > 14.5

    def test_a_probable_die(self, given: Given) -> None:
        """No more confident of its lie than of being a die; below the threshold it is rejected."""
        given(lambda _: fakes.output(die_p=0.95), fakes.LEFT_HALF)
        assert fakes.one_die().lie_confidence == pytest.approx(0.95, abs=0.01)
        assert fakes.one_die().die_chance == pytest.approx(0.95)
        given(lambda _: fakes.output(die_p=0.85), fakes.LEFT_HALF)
        assert fakes.detected().dice == ()


class TestWhereItLies:
    @pytest.mark.parametrize(
        ("at_px", "half"),
        [
            (fakes.LEFT_HALF, BoardHalf.LEFT),
            (fakes.RIGHT_HALF, BoardHalf.RIGHT),
            (fakes.ON_THE_BAR, None),
            (fakes.BESIDE, None),
        ],
    )
    def test_its_half(self, given: Given, at_px: tuple[float, float], half: BoardHalf | None) -> None:
        given(lambda _: fakes.output(), at_px)
        assert fakes.one_die().half is half

    def test_the_base_decides(self, given: Given) -> None:
        """A top that shows over the bar, with its base left of it."""
        given(lambda _: fakes.output(base=(-1.0, 0.0)), (310.0, 200.0))
        assert fakes.one_die().half is BoardHalf.LEFT

    def test_without_a_board(self, given: Given) -> None:
        """Flat or not: rims and bars are unknown there."""
        given(lambda _: fakes.output(lies=DieState.ON_RIM), fakes.LEFT_HALF)
        die = fakes.one_die(None)
        assert (die.lies, die.half, die.base_mm) == (DieState.COCKED, None, None)
        assert die.lie_confidence > 0.9

    @pytest.mark.parametrize(("flat_p", "lies"), [(0.55, DieState.FLAT), (0.45, DieState.COCKED)])
    def test_doubtfully_flat_without_a_board(self, given: Given, flat_p: float, lies: DieState) -> None:
        numbers = fakes.output()
        numbers[LIE.start + LIES.index(DieState.ON_BAR)] = 12 + np.log((1 - flat_p) / flat_p)
        given(lambda _: numbers, fakes.LEFT_HALF)
        assert fakes.one_die(None).lies is lies

    @pytest.mark.parametrize(
        ("at_px", "checker", "contact"),
        [
            (fakes.LEFT_HALF, 9.0, Contact.CHECKER),
            (fakes.ON_THE_BAR, -9.0, Contact.BAR),
            ((106.0, 200.0), -9.0, Contact.RIM),
            (fakes.LEFT_HALF, -9.0, Contact.NOTHING),
        ],
    )
    def test_what_it_leans_on(self, given: Given, at_px: tuple[float, float], checker: float, contact: Contact) -> None:
        """A checker where the network sees one, else the wall that is near."""
        given(lambda _: fakes.output(lies=DieState.COCKED, checker=checker), at_px)
        assert fakes.one_die().touches is contact

    @pytest.mark.parametrize(
        ("numbers", "at_px", "away_edges", "contact"),
        [
            (fakes.output(lies=DieState.COCKED), fakes.LEFT_HALF, 1.15, Contact.DIE),
            (fakes.output(lies=DieState.COCKED), fakes.LEFT_HALF, 1.25, Contact.NOTHING),
            (fakes.output(), fakes.LEFT_HALF, 1.15, Contact.NOTHING),
            (fakes.output(lies=DieState.COCKED, checker=9.0), fakes.LEFT_HALF, 1.15, Contact.CHECKER),
            (fakes.output(lies=DieState.COCKED), (320.0, 200.0), 1.15, Contact.BAR),
        ],
        ids=["held by it", "too far off", "flat", "a checker", "a wall"],
    )
    def test_leaning_on_another_die(
        self,
        given: Given,
        numbers: NDArray[np.float32],
        at_px: tuple[float, float],
        away_edges: float,
        contact: Contact,
    ) -> None:
        """Where nothing else is near that could hold it."""
        given(lambda _: numbers.copy(), at_px, (at_px[0], at_px[1] + away_edges * fakes.EDGE_PX))
        assert [die.touches for die in fakes.detected().dice] == [contact, contact]


class TestCube:
    @pytest.mark.parametrize(
        ("at_px", "place"),
        [
            (fakes.ON_THE_BAR, CubePlace.BAR),
            ((320.0, 70.0), CubePlace.TOP),
            ((320.0, 410.0), CubePlace.BOTTOM),
            (fakes.LEFT_HALF, CubePlace.OFFERED),
            (fakes.BESIDE, CubePlace.TABLE),
        ],
    )
    @pytest.mark.parametrize("number", [16, None])
    def test_its_place_and_number(
        self,
        given: Given,
        monkeypatch: pytest.MonkeyPatch,
        at_px: tuple[float, float],
        place: CubePlace,
        number: int | None,
    ) -> None:
        """On the bar by thirds, offered in a half, else on the table; it is no die. An unread one is a cube all the same."""
        given(lambda _: fakes.output(ObjectClass.CUBE), at_px)
        monkeypatch.setattr("vision.dice.candidates.shows_a_number", lambda *_: True)
        fakes.fake_number(monkeypatch, number)
        found = fakes.detected()
        assert found.dice == ()
        assert found.cube is not None
        assert (found.cube.value, found.cube.place) == (number, place)

    @pytest.mark.parametrize(("edge_px", "dice", "cubes"), [(14.0, 1, 0), (21.0, 0, 1)])
    def test_a_cube_that_is_too_small_is_a_die(
        self, monkeypatch: pytest.MonkeyPatch, edge_px: float, dice: int, cubes: int
    ) -> None:
        """A point is 34 pixels wide here. A die taken for the cube would be a double that nobody offered."""
        numbers = fakes.output(ObjectClass.CUBE)
        numbers[CLASS.start + ObjectClass.DIE.value] = 9
        fakes.fake_spots(monkeypatch, [DieSpot(fakes.LEFT_HALF, edge_px, 0.9)])
        fakes.fake_outputs(monkeypatch, lambda _: numbers)
        found = fakes.detected()
        assert (len(found.dice), int(found.cube is not None)) == (dice, cubes)

    @pytest.mark.parametrize("is_doubtful", [False, True])
    def test_its_size_is_that_of_the_proposal(self, given: Given, *, is_doubtful: bool) -> None:
        """No network learned the size of a cube, so none makes it too small."""
        numbers = fakes.output(ObjectClass.CUBE)
        numbers[SIZE] = np.log(0.6)
        if is_doubtful:
            numbers[CLASS.start + ObjectClass.NOTHING.value] = 8
        given(lambda _: numbers, fakes.LEFT_HALF)
        found = fakes.detected()
        assert found.cube is not None
        assert found.dice == ()

    def test_a_die_that_is_too_large_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A box beside the board; but two dice that touch have that size too."""
        fakes.fake_spots(monkeypatch, [DieSpot(fakes.LEFT_HALF, 30.0, 0.9)])
        fakes.fake_outputs(monkeypatch, lambda _: fakes.output())
        found = fakes.detected()
        assert (found.dice, found.may_hold_more) == ((), True)
