"""From spots and the network's numbers to dice; the networks are told what to say."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.told_dice import (
    BESIDE,
    EDGE_PX,
    LEFT_HALF,
    ON_THE_BAR,
    PICTURE,
    RIGHT_HALF,
    SURELY_A_DIE,
    answer,
    find_spots,
    flat_so_surely,
    networks_asked,
    one,
    tell_looks,
    tell_number,
)
from vision.dice import classification_cascade, detect
from vision.dice.classifier import CLASS, FACE, LIE, LIES, SIZE, ObjectClass
from vision.dice.detect import read_dice
from vision.dice.ensemble import CLOSER_SCALE
from vision.dice.proposals import ProposalCheck
from vision.dice.readings import BoardHalf, Contact, CubePlace, DieState
from vision.dice.windows import SIGHT, DieSpot


class TestWhatIsThere:
    def test_nothing(self, told: Callable[..., None]) -> None:
        """Spots that the network knows for nothing are left out."""
        told(lambda _: answer(ObjectClass.NOTHING), LEFT_HALF, RIGHT_HALF)
        assert read_dice(PICTURE, STRAIGHT_DOWN) == detect.DiceInView()

    def test_a_flat_die(self, told: Callable[..., None]) -> None:
        """Value, place and half, told surely."""
        told(lambda _: answer(face=3), LEFT_HALF)
        die = one()
        assert (die.value, die.lies, die.half, die.touches) == (3, DieState.FLAT, BoardHalf.LEFT, Contact.NOTHING)
        assert min(die.value_confidence, die.lie_confidence) > 0.99
        assert die.centre_px == pytest.approx(LEFT_HALF)
        assert die.base_mm == pytest.approx((129.5, 139.5))
        assert die.edge_mm == pytest.approx(EDGE_PX)  # a pixel is a millimetre there
        assert die.tilt_deg == pytest.approx(0)

    def test_dice_from_left_to_right(self, told: Callable[..., None]) -> None:
        """However they were found."""
        told(lambda _: answer(), RIGHT_HALF, LEFT_HALF)
        assert [die.half for die in read_dice(PICTURE, STRAIGHT_DOWN).dice] == [BoardHalf.LEFT, BoardHalf.RIGHT]

    @pytest.mark.parametrize(("points", "perhaps_more"), [(0.58, False), (0.62, True)])
    def test_one_so_large_may_be_two_that_touch(
        self, told: Callable[..., None], points: float, *, perhaps_more: bool
    ) -> None:
        """Then none is surely missing beside it; without a board nobody knows how large it is."""
        large = answer()
        large[SIZE] = np.log(points * STRAIGHT_DOWN.field.pitch_mm / EDGE_PX)  # a pixel is a millimetre there
        told(lambda _: large, LEFT_HALF)
        assert read_dice(PICTURE, STRAIGHT_DOWN).may_hold_more is perhaps_more
        assert not read_dice(PICTURE, None).may_hold_more

    def test_the_close_look_is_put_where_the_glance_saw_it(
        self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A die that lies a quarter of an edge beside its spot: the look is put there, and finds it a little further."""
        told(lambda _: answer(top=(0.05, 0.0), base=(-0.1, 0.0)), LEFT_HALF)
        beside = DieSpot((LEFT_HALF[0] + 5, LEFT_HALF[1]), EDGE_PX, 0.9)
        monkeypatch.setattr(
            classification_cascade, "check_and_recentre", lambda *_: ProposalCheck(SURELY_A_DIE, beside)
        )
        die = one()
        assert die.centre_px == pytest.approx((LEFT_HALF[0] + 6, LEFT_HALF[1]), abs=0.05)
        assert die.base_mm == pytest.approx((129.5 + 5 - 2, 139.5), abs=0.05)
        assert die.base_mm is not None
        assert die.base_px == pytest.approx(STRAIGHT_DOWN.projection.to_picture([die.base_mm])[0].tolist(), abs=0.05)

    def test_what_is_nothing_at_a_glance_is_not_looked_at(
        self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A close look costs ten times as much."""
        told(lambda _: pytest.fail("a close look"), LEFT_HALF)
        nothing = np.log([0.97, 0.01, 0.02])
        monkeypatch.setattr(
            classification_cascade, "check_and_recentre", lambda _, spot, __: ProposalCheck(nothing, spot)
        )
        assert read_dice(PICTURE, STRAIGHT_DOWN) == detect.DiceInView()


class TestDoubt:
    def test_looks_that_differ_share_their_certainty(self, told: Callable[..., None]) -> None:
        """Two say a five and two a six: whoever asks for certainty gets none."""
        unsure = answer(face=5)
        unsure[LIE] = 0
        looks = iter([unsure, answer(face=6)] * 2)
        told(lambda _: next(looks), LEFT_HALF)
        die = one()
        assert die.value_confidence == pytest.approx(0.5, abs=0.04)
        assert die.value in (5, 6)

    def test_a_doubtful_die_is_seen_mirrored(self, told: Callable[..., None]) -> None:
        """From nearer, by another network, and again by the next; its window and the line of sight with it, and what is said of
        it is told the right way round.
        """
        sights: list[tuple[int, int]] = []

        def says(planes: NDArray[np.float32]) -> NDArray[np.float32]:
            across, down = np.sign(planes[SIGHT, 0, 0]).astype(int).tolist()
            sights.append((across, down))
            doubtful = answer(lies=DieState.COCKED, normal=(-0.2 * across, -0.1 * down))
            doubtful[LIE] = 0
            return doubtful

        told(says, LEFT_HALF)
        die = one()
        assert sights == [(-1, -1), (1, -1), (1, -1), (-1, -1)]
        assert die.tilt_deg == pytest.approx(np.degrees(np.arcsin(np.hypot(0.2, 0.1))), abs=0.01)

    def test_a_nearer_look_clears_up_how_it_lies(self, told: Callable[..., None]) -> None:
        """From further away it may as well be flat; there its sides show larger, and it leans."""
        unsure, cocked = answer(), answer(lies=DieState.COCKED)
        unsure[LIE.start + LIES.index(DieState.COCKED)] = unsure[LIE.start + LIES.index(DieState.FLAT)]
        looks = iter([unsure, cocked])
        told(lambda _: next(looks), LEFT_HALF)
        die = one()
        assert die.lies is DieState.COCKED
        assert die.lie_confidence > 0.99

    @pytest.mark.parametrize("lies", [DieState.ON_CHECKER, DieState.ON_BAR, DieState.ON_RIM])
    @pytest.mark.parametrize(("tilt_deg", "named"), [(6.0, True), (4.0, False)])
    def test_what_leans_on_something_is_called_cocked(
        self, told: Callable[..., None], lies: DieState, tilt_deg: float, *, named: bool
    ) -> None:
        """As surely as it is one of the two; what is called flat stays so."""
        normal = (float(np.sin(np.radians(tilt_deg))), 0.0)
        told(lambda _: answer(lies=lies, normal=normal), LEFT_HALF)
        die = one()
        assert die.lies is (DieState.COCKED if named else lies)
        assert die.lie_confidence == pytest.approx(1, abs=0.001)
        told(lambda _: answer(normal=normal), LEFT_HALF)
        assert one().lies is DieState.FLAT

    @pytest.mark.parametrize("likelier", [DieState.FLAT, DieState.ON_CHECKER, DieState.ON_RIM])
    @pytest.mark.parametrize(("cocked", "named"), [(0.3, True), (0.2, False)])
    def test_it_is_called_cocked_from_a_quarter_on(
        self, told: Callable[..., None], likelier: DieState, cocked: float, *, named: bool
    ) -> None:
        """So sure it is then, and no surer: whoever rules on it asks."""
        numbers = answer(lies=likelier)
        numbers[LIE.start + LIES.index(DieState.COCKED)] = 12 + np.log(cocked / (1 - cocked))
        told(lambda _: numbers, LEFT_HALF)
        die = one()
        assert die.lies is (DieState.COCKED if named else likelier)
        assert die.lie_confidence == pytest.approx(cocked if named else 1 - cocked, abs=0.001)
        assert die.likeliest_lie_p == pytest.approx(1 - cocked, abs=0.001)

    def test_where_it_stands_and_how_large_it_is_the_nearer_look_tells(self, told: Callable[..., None]) -> None:
        """The first window was put on two dice together: too large, and its base somewhere between them."""
        doubtful = answer(base=(0.5, 0.5))
        doubtful[LIE] = 0
        doubtful[SIZE] = np.log(0.7)
        looks = iter([doubtful, answer(base=(-0.1, 0.0)), doubtful, doubtful])
        told(lambda _: next(looks), LEFT_HALF)
        die = one()
        nearer_mm = CLOSER_SCALE * 0.7 * EDGE_PX  # a pixel is a millimetre there
        # It saw the window mirrored across, and what it said is turned back.
        assert die.base_mm == pytest.approx((129.5 + 0.1 * nearer_mm, 139.5), abs=0.05)
        assert die.size_px == pytest.approx(0.7 * EDGE_PX)

    def test_one_look_is_enough_where_it_is_sure(self, told: Callable[..., None]) -> None:
        """The other would cost twice as much."""
        looks = iter([answer(face=5)])
        told(lambda _: next(looks), LEFT_HALF)
        assert one().value == 5

    @pytest.mark.parametrize(
        ("quick", "careful", "asked"), [(0.995, 0.5, 1), (0.5, 0.9999, 2), (0.5, 0.9, 4), (0.9, 0.5, 4)]
    )
    def test_further_networks_are_asked_in_doubt_only(
        self, monkeypatch: pytest.MonkeyPatch, quick: float, careful: float, asked: int
    ) -> None:
        """The careful one where the quick one leaves doubt how it lies, and those that learned otherwise where both do."""
        names = networks_asked(monkeypatch, flat_so_surely(quick), {"dice": flat_so_surely(careful)})
        one()
        assert names == ["dice_quick", "dice", "dice_second_opinion", "dice_third_opinion"][:asked]

    def test_further_opinions_count_as_much(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two are unsure, and with two that are not it is one of fifty; the face as well, which another network sees otherwise."""
        sure, six = flat_so_surely(0.9996), answer(face=6)
        six[FACE.start + 5] = 2.0  # 60 percent: one that is certain is not outvoted
        others = {"dice_second_opinion": sure, "dice_third_opinion": six}
        networks_asked(monkeypatch, flat_so_surely(0.5), others)
        die = one()
        odds = (1 * 1 * (0.9996 / 0.0004) * np.exp(12)) ** 0.25
        assert die.likeliest_lie_p == pytest.approx(odds / (1 + odds), abs=0.002)
        assert die.value_confidence == pytest.approx(1 / (1 + np.exp((2 - 3 * 12) / 4)), abs=0.001)
        assert die.value == 5

    @pytest.mark.parametrize(
        ("flat", "is_one", "asked"), [(1e-6, 1.0, 2), (0.008, 1.0, 2), (0.012, 1.0, 4), (1e-6, 0.98, 4)]
    )
    def test_no_further_opinions_for_a_name_alone(
        self, monkeypatch: pytest.MonkeyPatch, flat: float, is_one: float, asked: int
    ) -> None:
        """A die, surely, that leans or lies on a checker; if it may lie flat, or be none, all are asked."""
        unsure = answer()
        unsure[CLASS] = np.log([1 - is_one + 1e-9, is_one, 1e-9])
        unsure[LIE] = -30
        for lie, chance in ((DieState.FLAT, flat), (DieState.COCKED, 0.5), (DieState.ON_CHECKER, 0.5 - flat)):
            unsure[LIE.start + LIES.index(lie)] = np.log(chance)
        names = networks_asked(monkeypatch, unsure)
        one()
        assert len(names) == asked

    @pytest.mark.parametrize(("chance", "looks"), [(0.65, 1), (0.75, 2), (0.79, 2), (0.82, 4)])
    def test_what_more_looks_cannot_make_a_die_gets_none(
        self, monkeypatch: pytest.MonkeyPatch, chance: float, looks: int
    ) -> None:
        """One that is certain makes 0.83 of 0.65, and two make 0.89 of 0.79 twice; it may be one all the same."""
        unsure = answer()
        unsure[LIE], unsure[CLASS] = 0, np.log([1 - chance, chance, 1e-9])
        unsure[LIE.start + LIES.index(DieState.FLAT)] = np.log(7.5)  # 60 percent
        asked = networks_asked(monkeypatch, unsure)
        assert read_dice(PICTURE, STRAIGHT_DOWN).may_hold_more
        assert len(asked) == looks

    def test_whether_something_is_there_all_looks_tell(self, told: Callable[..., None]) -> None:
        """Seen as none in one of them, and leaning in some way."""
        unsure = answer(lies=DieState.COCKED)
        unsure[LIE] = 0
        nothing = unsure.copy()
        nothing[CLASS] = np.log([0.18, 0.82, 1e-6])
        looks = iter([unsure, nothing] * 2)
        told(lambda _: next(looks), LEFT_HALF)
        share = (1 + 0.82) / 2
        assert read_dice(PICTURE, STRAIGHT_DOWN).dice[0].lie_confidence == pytest.approx(share / 6, rel=0.01)

    def test_tilts_that_differ_are_uncertain(self, told: Callable[..., None]) -> None:
        """Level in one look, leaning by 30 degrees in the other: 14.5 between them, give or take much."""
        unsure, leaning = answer(), answer(normal=(0.0, 0.5))
        unsure[LIE] = leaning[LIE] = 0
        looks = iter([unsure, leaning] * 2)
        told(lambda _: next(looks), LEFT_HALF)
        die = one()
        assert die.tilt_deg == pytest.approx(14.5, abs=0.1)
        assert die.tilt_sigma_deg > 14.5

    def test_perhaps_a_die(self, told: Callable[..., None]) -> None:
        """What is a die with 95 % is told with no more confidence in how it lies; with 85 % it is not told."""
        numbers = answer()
        numbers[CLASS] = np.log([0.05, 0.95, 1e-6])
        told(lambda _: numbers, LEFT_HALF)
        assert one().lie_confidence == pytest.approx(0.95, abs=0.01)
        assert one().die_chance == pytest.approx(0.95)
        numbers[CLASS] = np.log([0.15, 0.85, 1e-6])
        assert read_dice(PICTURE, STRAIGHT_DOWN).dice == ()


class TestWhereItLies:
    @pytest.mark.parametrize(
        ("at_px", "half"),
        [(LEFT_HALF, BoardHalf.LEFT), (RIGHT_HALF, BoardHalf.RIGHT), (ON_THE_BAR, None), (BESIDE, None)],
    )
    def test_its_half(self, told: Callable[..., None], at_px: tuple[float, float], half: BoardHalf | None) -> None:
        """That of its base; on the bar and beside the field it has none."""
        told(lambda _: answer(), at_px)
        assert one().half is half

    def test_the_base_decides(self, told: Callable[..., None]) -> None:
        """A top that shows over the bar, with its base left of it."""
        told(lambda _: answer(base=(-1.0, 0.0)), (310.0, 200.0))
        assert one().half is BoardHalf.LEFT

    def test_without_a_board(self, told: Callable[..., None]) -> None:
        """Flat or not: of rims and bars nobody knows there."""
        told(lambda _: answer(lies=DieState.ON_RIM), LEFT_HALF)
        die = one(None)
        assert (die.lies, die.half, die.base_mm) == (DieState.COCKED, None, None)
        assert die.lie_confidence > 0.9

    @pytest.mark.parametrize(("flat", "lies"), [(0.55, DieState.FLAT), (0.45, DieState.COCKED)])
    def test_hardly_flat_without_a_board(self, told: Callable[..., None], flat: float, lies: DieState) -> None:
        numbers = answer()
        numbers[LIE.start + LIES.index(DieState.ON_BAR)] = 12 + np.log((1 - flat) / flat)
        told(lambda _: numbers, LEFT_HALF)
        assert one(None).lies is lies

    @pytest.mark.parametrize(
        ("at_px", "checker", "contact"),
        [
            (LEFT_HALF, 9.0, Contact.CHECKER),
            (ON_THE_BAR, -9.0, Contact.BAR),
            ((106.0, 200.0), -9.0, Contact.RIM),
            (LEFT_HALF, -9.0, Contact.NOTHING),
        ],
    )
    def test_what_it_leans_on(
        self, told: Callable[..., None], at_px: tuple[float, float], checker: float, contact: Contact
    ) -> None:
        """A checker where the network sees one, else the wall that is near."""
        told(lambda _: answer(lies=DieState.COCKED, checker=checker), at_px)
        assert one().touches is contact

    @pytest.mark.parametrize(
        ("says", "at_px", "away_edges", "contact"),
        [
            (answer(lies=DieState.COCKED), LEFT_HALF, 1.15, Contact.DIE),
            (answer(lies=DieState.COCKED), LEFT_HALF, 1.25, Contact.NOTHING),
            (answer(), LEFT_HALF, 1.15, Contact.NOTHING),
            (answer(lies=DieState.COCKED, checker=9.0), LEFT_HALF, 1.15, Contact.CHECKER),
            (answer(lies=DieState.COCKED), (320.0, 200.0), 1.15, Contact.BAR),
        ],
        ids=["held by it", "too far off", "flat", "a checker", "a wall"],
    )
    def test_leaning_on_another_die(
        self,
        told: Callable[..., None],
        says: NDArray[np.float32],
        at_px: tuple[float, float],
        away_edges: float,
        contact: Contact,
    ) -> None:
        """Where nothing else is near that could hold it."""
        told(lambda _: says.copy(), at_px, (at_px[0], at_px[1] + away_edges * EDGE_PX))
        assert [die.touches for die in read_dice(PICTURE, STRAIGHT_DOWN).dice] == [contact, contact]


class TestCube:
    @pytest.mark.parametrize(
        ("at_px", "place"),
        [
            (ON_THE_BAR, CubePlace.BAR),
            ((320.0, 70.0), CubePlace.TOP),
            ((320.0, 410.0), CubePlace.BOTTOM),
            (LEFT_HALF, CubePlace.OFFERED),
            (BESIDE, CubePlace.TABLE),
        ],
    )
    def test_its_place(
        self,
        told: Callable[..., None],
        monkeypatch: pytest.MonkeyPatch,
        at_px: tuple[float, float],
        place: CubePlace,
    ) -> None:
        """On the bar by thirds, offered in a half, else on the table; it is no die."""
        told(lambda _: answer(ObjectClass.CUBE), at_px)
        tell_number(monkeypatch, 16)
        found = read_dice(PICTURE, STRAIGHT_DOWN)
        assert found.dice == ()
        assert found.cube is not None
        assert (found.cube.value, found.cube.place) == (16, place)

    def test_a_number_nobody_can_read(self, told: Callable[..., None]) -> None:
        """It is a cube all the same."""
        told(lambda _: answer(ObjectClass.CUBE), ON_THE_BAR)
        cube = read_dice(PICTURE, STRAIGHT_DOWN).cube
        assert cube is not None
        assert cube.value is None

    @pytest.mark.parametrize(("edge_px", "dice", "cubes"), [(14.0, 1, 0), (21.0, 0, 1)])
    def test_what_is_too_small_for_one_is_a_die(
        self, monkeypatch: pytest.MonkeyPatch, edge_px: float, dice: int, cubes: int
    ) -> None:
        """A point is 34 pixels wide here. A die that was taken for the cube would be a double that nobody offered."""
        numbers = answer(ObjectClass.CUBE)
        numbers[CLASS.start + ObjectClass.DIE.value] = 9
        find_spots(monkeypatch, [DieSpot(LEFT_HALF, edge_px, 0.9)])
        tell_looks(monkeypatch, lambda _: numbers)
        found = read_dice(PICTURE, STRAIGHT_DOWN)
        assert (len(found.dice), int(found.cube is not None)) == (dice, cubes)

    @pytest.mark.parametrize("doubtful", [False, True])
    def test_how_large_it_is_the_search_tells(self, told: Callable[..., None], *, doubtful: bool) -> None:
        """No network was taught the size of a cube: what it says of it, in whatever window, makes no cube too small."""
        numbers = answer(ObjectClass.CUBE)
        numbers[SIZE] = np.log(0.6)
        if doubtful:
            numbers[CLASS.start + ObjectClass.NOTHING.value] = 8
        told(lambda _: numbers, LEFT_HALF)
        seen = read_dice(PICTURE, STRAIGHT_DOWN)
        assert seen.cube is not None
        assert seen.dice == ()

    def test_what_is_too_large_for_a_die_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A box beside the board, or a face on a cup. Two dice that touch look so too: none is surely missing then."""
        find_spots(monkeypatch, [DieSpot(LEFT_HALF, 30.0, 0.9)])
        tell_looks(monkeypatch, lambda _: answer(ObjectClass.DIE))
        seen = read_dice(PICTURE, STRAIGHT_DOWN)
        assert seen.dice == ()
        assert seen.may_hold_more
