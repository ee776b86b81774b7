"""Which spots are dice: one that is alone, and things of another size."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.throw_seen import EVERYDAY_TRUST
from tests.vision.hand_made_dice import STRAIGHT_DOWN
from tests.vision.told_dice import (
    EDGE_PX,
    LEFT_HALF,
    ON_THE_BAR,
    PICTURE,
    RIGHT_HALF,
    SURELY_A_DIE,
    answer,
    tell_dice,
    tell_finished_looks,
    tell_looks,
)
from vision import close_look, dice
from vision.dice import DiceLimits, read_dice
from vision.dice_answers import FACE, KIND, Kind, answer_of
from vision.dice_finder import OTHER_PX_PER_MM, PX_PER_MM, FinderLimits
from vision.die_reading import BoardHalf
from vision.die_windows import SIGHT, DieSpot, place_window
from vision.earlier import Earlier


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes the search find these spots and the network say what `says` does of each window."""
    return partial(tell_dice, monkeypatch)


def one_found_too_small(monkeypatch: pytest.MonkeyPatch, sureness: float, at_first: float = 0.0) -> None:
    """Two things: the search told a wrong size of the one to the right, which in the other's size is a die so surely.

    In the wrong size it looks `at_first` like one.
    """

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> close_look.Look | None:
        is_as_large = spot.size_px == pytest.approx(EDGE_PX, rel=0.05)
        if not is_as_large and not at_first:
            return None
        sure = sureness if is_as_large else at_first
        numbers = answer()
        numbers[KIND] = np.log([1 - sure, sure, 1e-9] if spot.centre_px == RIGHT_HALF else [1e-9, 1, 1e-9])
        return close_look.Look(place_window(spot, STRAIGHT_DOWN), answer_of(numbers), spot, SURELY_A_DIE)

    spots = [DieSpot(LEFT_HALF, EDGE_PX, 0.9), DieSpot(RIGHT_HALF, 0.6 * EDGE_PX, 0.4)]
    monkeypatch.setattr(dice, "find_dice", lambda *_, **__: spots)
    tell_finished_looks(monkeypatch, says)


def two_things(monkeypatch: pytest.MonkeyPatch, times: float, kinds: list[float]) -> None:
    """A plain die to the left, and to the right something so many times as large that is so of each kind."""

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> close_look.Look | None:
        numbers, exact = answer(), SURELY_A_DIE
        if spot.centre_px == RIGHT_HALF:
            if spot.size_px != pytest.approx(times * EDGE_PX, rel=0.01):
                return None
            numbers[KIND] = exact = np.log(kinds)
        return close_look.Look(place_window(spot, STRAIGHT_DOWN), answer_of(numbers), spot, exact)

    spots = [DieSpot(LEFT_HALF, EDGE_PX, 0.9), DieSpot(RIGHT_HALF, times * EDGE_PX, 0.4)]
    monkeypatch.setattr(dice, "find_dice", lambda *_, **__: spots)
    tell_finished_looks(monkeypatch, says)


class TestOneAlone:
    """Where only one die is found the other one is looked for again, a little larger and a little smaller."""

    @pytest.fixture
    def searched(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[float]]:
        """Makes the second die show in searches with so many pixels a millimetre; those of each search are noted."""

        def search_finds(*finds: float) -> list[float]:
            noted: list[float] = []
            one_spot, other_spot = (DieSpot(at_px, EDGE_PX, 0.9) for at_px in (LEFT_HALF, RIGHT_HALF))

            def search(*_: object, limits: object, px_per_mm: float = PX_PER_MM) -> list[DieSpot]:
                del limits
                noted.append(px_per_mm)
                return [one_spot, other_spot] if px_per_mm in finds else [one_spot]

            monkeypatch.setattr(dice, "find_dice", search)
            return noted

        return search_finds

    @pytest.mark.parametrize("number", range(len(OTHER_PX_PER_MM)))
    def test_the_other_die_is_found(
        self, told: Callable[..., None], searched: Callable[..., list[float]], number: int
    ) -> None:
        """Both are told, each once, and nothing is looked for any more."""
        told(lambda _: answer())
        searches = searched(OTHER_PX_PER_MM[number])
        assert [die.half for die in read_dice(PICTURE, STRAIGHT_DOWN).dice] == [BoardHalf.LEFT, BoardHalf.RIGHT]
        assert searches == [PX_PER_MM, *OTHER_PX_PER_MM[: number + 1]]

    def test_one_that_is_alone(self, told: Callable[..., None], searched: Callable[..., list[float]]) -> None:
        """It is told, after every search."""
        told(lambda _: answer())
        searches = searched()
        assert [die.half for die in read_dice(PICTURE, STRAIGHT_DOWN).dice] == [BoardHalf.LEFT]
        assert searches == [PX_PER_MM, *OTHER_PX_PER_MM, OTHER_PX_PER_MM[0]]

    @pytest.mark.parametrize(
        ("is_hurried", "sureness", "shows_face", "found"),
        [
            (False, 0.99, True, 2),
            (True, 0.99, True, 1),
            (False, 0.9, True, 1),
            (False, 0.99, False, 1),
        ],
    )
    def test_where_the_search_hardly_sees_it_only_a_plain_die_counts(
        self, monkeypatch: pytest.MonkeyPatch, *, is_hurried: bool, sureness: float, shows_face: bool, found: int
    ) -> None:
        """The fainter spots are looked at last, and not while something moves."""

        def search(*_: object, limits: FinderLimits, **__: object) -> list[DieSpot]:
            plain = DieSpot(LEFT_HALF, EDGE_PX, 0.9)
            is_faint = limits.most_spots >= dice.MOST_FAINT
            return [plain, DieSpot(RIGHT_HALF, 0.8 * EDGE_PX, 0.15)] if is_faint else [plain]

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> close_look.Look:
            numbers = answer()
            if spot.centre_px == RIGHT_HALF:
                numbers[KIND] = np.log([1 - sureness, sureness, 1e-9])
                numbers[FACE] = numbers[FACE] if shows_face else np.log([0.9, 0.02, 0.02, 0.02, 0.02, 0.02])
            return close_look.Look(place_window(spot, STRAIGHT_DOWN), answer_of(numbers), spot, SURELY_A_DIE)

        monkeypatch.setattr(dice, "find_dice", search)
        tell_finished_looks(monkeypatch, says)
        seen = read_dice(PICTURE, STRAIGHT_DOWN, earlier=Earlier(is_hurried=is_hurried))
        assert len(seen.dice) == found
        assert seen.perhaps_more is (found == 1 and not is_hurried)

    @pytest.mark.parametrize(("sureness", "found"), [(0.99, 2), (0.9, 1)])
    def test_it_is_looked_at_as_large_as_the_one_that_is_known(
        self, monkeypatch: pytest.MonkeyPatch, sureness: float, found: int
    ) -> None:
        """The search took its pips for a small die, and a window so small shows none; in the other one it has to be plain."""
        one_found_too_small(monkeypatch, sureness)
        assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found

    @pytest.mark.parametrize("at_first", [0.2, 0.7])
    def test_so_is_what_looked_a_little_like_a_die_in_the_wrong_size(
        self, monkeypatch: pytest.MonkeyPatch, at_first: float
    ) -> None:
        """That it was looked at before is no reason to leave it in doubt."""
        one_found_too_small(monkeypatch, 0.99, at_first)
        seen = read_dice(PICTURE, STRAIGHT_DOWN)
        assert [die.half for die in seen.dice] == [BoardHalf.LEFT, BoardHalf.RIGHT]
        assert not seen.perhaps_more

    def test_no_second_search_where_none_was_found(
        self, told: Callable[..., None], searched: Callable[..., list[float]]
    ) -> None:
        """Most pictures show no dice, and a search costs time."""
        told(lambda _: answer(Kind.NOTHING))
        searches = searched()
        assert read_dice(PICTURE, STRAIGHT_DOWN).dice == ()
        assert searches == [PX_PER_MM]


class TestWhereDiceLay:
    """A search that found a die in one picture may overlook it in the next."""

    def test_it_is_looked_for_there(self, told: Callable[..., None]) -> None:
        """Whatever the search finds elsewhere."""
        told(lambda _: answer(), LEFT_HALF)
        lay = tuple(DieSpot(at_px, EDGE_PX, 1.0) for at_px in (LEFT_HALF, RIGHT_HALF))
        assert [die.half for die in read_dice(PICTURE, STRAIGHT_DOWN, earlier=Earlier(lay=lay)).dice] == [
            BoardHalf.LEFT,
            BoardHalf.RIGHT,
        ]

    @pytest.mark.parametrize(("sureness", "found"), [(0.99, 1), (0.9, 0)])
    def test_a_gap_that_was_taken_for_a_die_once_is_not_helped_to_stay(
        self, told: Callable[..., None], sureness: float, found: int
    ) -> None:
        """Between four checkers, in the size of a die that a hand has just lifted."""
        numbers = answer()
        numbers[KIND] = np.log([1 - sureness, sureness, 1e-9])
        told(lambda _: numbers)
        seen = read_dice(PICTURE, STRAIGHT_DOWN, earlier=Earlier(lay=(DieSpot(LEFT_HALF, EDGE_PX, 1.0),)))
        assert len(seen.dice) == found
        assert seen.perhaps_more is (not found)

    def test_one_that_was_lifted(self, told: Callable[..., None]) -> None:
        """Nothing is there, and nothing is told."""
        told(lambda _: answer(Kind.NOTHING))
        seen = read_dice(PICTURE, STRAIGHT_DOWN, earlier=Earlier(lay=(DieSpot(LEFT_HALF, EDGE_PX, 1.0),)))
        assert seen.dice == ()
        assert not seen.perhaps_more


class TestWithoutABoard:
    """Nobody knows how large dice are there, until one is plain."""

    def seen(
        self, monkeypatch: pytest.MonkeyPatch, *again: DieSpot, first: DieSpot, sureness: float = 1.0
    ) -> list[tuple[float, float]]:
        """Middles of the dice told: of all spots the search first gives one; a window of another size than that shows nothing."""

        def search(*_: object, limits: FinderLimits, **__: object) -> list[DieSpot]:
            return [first] if limits == DiceLimits().finder else [first, *again]

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> close_look.Look | None:
            if spot.size_px != pytest.approx(EDGE_PX, rel=0.05):
                return None
            numbers = answer()
            if spot.centre_px != first.centre_px:
                numbers[KIND] = np.log([1 - 0.999 * sureness, 0.999 * sureness, 1e-9])
            return close_look.Look(place_window(spot, None), answer_of(numbers), spot, SURELY_A_DIE)

        monkeypatch.setattr(dice, "find_dice", search)
        tell_finished_looks(monkeypatch, says)
        return [die.centre_px for die in read_dice(PICTURE, None).dice]

    FIRST = DieSpot(LEFT_HALF, EDGE_PX, 0.9)

    @pytest.mark.parametrize("times", [0.4, 2.5])
    def test_others_are_looked_at_as_large_as_the_one_that_is_plain(
        self, monkeypatch: pytest.MonkeyPatch, times: float
    ) -> None:
        """Two that touch look like one large die to the search, and a pip like a small one."""
        other = DieSpot(RIGHT_HALF, times * EDGE_PX, 0.3)
        assert self.seen(monkeypatch, other, first=self.FIRST) == [LEFT_HALF, RIGHT_HALF]

    def test_they_have_to_be_plain(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """So many places are looked at that one of them will look a little like a die."""
        other = DieSpot(RIGHT_HALF, 0.4 * EDGE_PX, 0.3)
        assert self.seen(monkeypatch, other, first=self.FIRST, sureness=0.9) == [LEFT_HALF]

    def test_where_none_is_plain_nothing_is_looked_at_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nobody knows in which size."""
        small = replace(self.FIRST, size_px=0.5 * EDGE_PX)
        assert self.seen(monkeypatch, DieSpot(RIGHT_HALF, EDGE_PX, 0.3), first=small) == []

    def test_each_die_is_told_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """However many spots lead to it."""
        near = (RIGHT_HALF[0] + 0.4 * EDGE_PX, RIGHT_HALF[1])
        others = [DieSpot(at_px, EDGE_PX, 0.3) for at_px in (RIGHT_HALF, near, LEFT_HALF)]
        assert self.seen(monkeypatch, *others, first=self.FIRST) == [LEFT_HALF, RIGHT_HALF]


class TestDieOrCube:
    """An ace has one mark in its middle too."""

    @pytest.mark.parametrize(("times", "is_sure"), [(0.8, True), (1.0, True), (1.2, False)])
    def test_no_cube_is_as_small_as_a_plain_die(
        self, monkeypatch: pytest.MonkeyPatch, times: float, is_sure: bool
    ) -> None:
        """What is larger may be one."""
        two_things(monkeypatch, times, [0.001, 0.95, 0.049])
        _, doubtful = read_dice(PICTURE, STRAIGHT_DOWN).dice
        assert (sum(doubtful.lie_chances) > 0.99) is is_sure

    def test_its_size_alone_makes_no_die(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """However surely it is no cube."""
        two_things(monkeypatch, 0.8, [0.9, 0.0001, 0.0999])
        assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == 1


class TestPerhapsMore:
    """Whether a die is surely missing, or something else in view may be it."""

    @pytest.mark.parametrize(("die_chance", "perhaps_more"), [(0.02, False), (0.3, True), (0.7, True), (0.99, False)])
    def test_what_is_not_told_as_a_die_but_looks_a_little_like_one(
        self, told: Callable[..., None], die_chance: float, perhaps_more: bool
    ) -> None:
        """The thing to the right; one that is told as a die is none of these."""

        def says(planes: NDArray[np.float32]) -> NDArray[np.float32]:
            numbers = answer()
            across, down = np.abs(planes[SIGHT, 0, 0])
            if across > 2 * down:
                numbers[KIND] = np.log([1 - die_chance, die_chance, 1e-9])
            return numbers

        told(says, LEFT_HALF, RIGHT_HALF)
        assert read_dice(PICTURE, STRAIGHT_DOWN).perhaps_more is perhaps_more

    @pytest.mark.parametrize(("sureness", "perhaps_more"), [(0.9, True), (0.3, False), (0.99, False)])
    def test_what_looks_like_one_in_the_size_of_the_other_die(
        self, monkeypatch: pytest.MonkeyPatch, sureness: float, perhaps_more: bool
    ) -> None:
        """Not plain enough to be told, and too much like one to say that a die is missing."""
        one_found_too_small(monkeypatch, sureness)
        assert read_dice(PICTURE, STRAIGHT_DOWN).perhaps_more is perhaps_more

    @pytest.mark.parametrize(
        ("times", "die_chance", "perhaps_more"),
        [(0.5, 0.7, False), (0.7, 0.7, True), (0.7, 0.3, False), (0.9, 0.3, True), (2.0, 0.3, True)],
    )
    def test_lights_and_gaps_are_too_small(
        self, monkeypatch: pytest.MonkeyPatch, times: float, die_chance: float, perhaps_more: bool
    ) -> None:
        """In its own size it looks a little like a die, and in that of the plain one like nothing."""
        two_things(monkeypatch, times, [1 - die_chance, die_chance, 1e-9])
        seen = read_dice(PICTURE, STRAIGHT_DOWN)
        assert [die.half for die in seen.dice] == [BoardHalf.LEFT]
        assert seen.perhaps_more is perhaps_more

    def test_the_cube_is_no_die(self, told: Callable[..., None]) -> None:
        """It lies on the bar all the time."""
        told(lambda _: answer(Kind.CUBE), ON_THE_BAR)
        assert not read_dice(PICTURE, STRAIGHT_DOWN).perhaps_more


class TestTwoOpinions:
    """The network's and that of the pips, which a test tells."""

    def seen(
        self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch, sure: float, pips: dict[int, float]
    ) -> list[float]:
        """Probabilities of the faces where the network says a 5 with so much, and the pips these log-likelihoods."""
        numbers = answer(face=5)
        numbers[FACE] = np.log([(1 - sure) / 5] * 6)
        numbers[FACE.start + 4] = np.log(sure)
        told(lambda _: numbers, LEFT_HALF)
        evidence = np.array([pips.get(face, -6.0) for face in range(1, 7)])
        monkeypatch.setattr(close_look, "face_evidence", lambda *_: evidence)
        (die,) = read_dice(PICTURE, STRAIGHT_DOWN).dice
        return [float(np.exp(one)) for one in die.face_log_likelihood]

    def test_where_they_agree_it_is_surer(self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
        """A five that the network took for a six with a tenth."""
        assert self.seen(told, monkeypatch, 0.9, {5: 0.0})[4] > 0.999

    def test_where_they_differ_it_has_to_be_surer(
        self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The face that the pips show best stays possible, however sure the network is of another one."""
        faces = self.seen(told, monkeypatch, 0.9999, {3: 0.0, 5: -1.5})
        assert faces[2] == pytest.approx(0.01, rel=0.1)
        faces = self.seen(told, monkeypatch, 0.985, {3: 0.0, 5: -1.5})
        assert max(faces) == faces[4] < EVERYDAY_TRUST.value
        assert sum(faces) == pytest.approx(1)

    def test_where_no_pips_show_the_network_is_believed(
        self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing contradicts it."""
        nothing = dict.fromkeys(range(1, 7), 0.0)
        assert self.seen(told, monkeypatch, 0.985, nothing)[4] == pytest.approx(0.985, abs=0.001)


class TestSize:
    """A point is 34 pixels wide here, and a die 20."""

    def seen(self, monkeypatch: pytest.MonkeyPatch, edges_px: tuple[float, float], odds: float) -> list[float]:
        """The sizes of what is told of two things, the one to the right with these odds of its face against another."""

        def says(planes: NDArray[np.float32]) -> NDArray[np.float32]:
            numbers = answer(face=3)
            across, down = np.abs(planes[SIGHT, 0, 0])
            if across > 2 * down:  # the one to the right, mirrored or not
                numbers[FACE.start + 1] = numbers[FACE.start + 2] - np.log(odds)
            return numbers

        spots = [DieSpot(at_px, edge_px, 0.9) for at_px, edge_px in zip((LEFT_HALF, RIGHT_HALF), edges_px, strict=True)]
        monkeypatch.setattr(dice, "find_dice", lambda *_, **__: spots)
        tell_looks(monkeypatch, says)
        return [die.size_px for die in read_dice(PICTURE, STRAIGHT_DOWN).dice]

    def test_a_doubtful_thing_of_another_size_beside_a_die(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A gap between checkers; one a quarter smaller may be a die that leans."""
        assert self.seen(monkeypatch, (20.0, 11.5), odds=3) == [20.0]
        assert self.seen(monkeypatch, (20.0, 15.0), odds=3) == [20.0, 15.0]

    def test_a_plain_face_makes_a_die_of_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each player has his own pair."""
        assert self.seen(monkeypatch, (20.0, 11.5), odds=1e6) == [20.0, 11.5]

    def test_nobody_tells_what_size_dice_have(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two dice in doubt say nothing of each other."""
        monkeypatch.setattr(dice, "DiceLimits", lambda: DiceLimits(plain_face=1.1))
        assert self.seen(monkeypatch, (20.0, 11.5), odds=3) == [20.0, 11.5]

    def test_what_is_too_small_for_a_die(self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
        """Grain, or the head of a screw, whatever it looks like."""
        told(lambda _: answer())
        for edge_px, found in ((4.5, 0), (6.0, 1)):
            spots = [DieSpot(LEFT_HALF, edge_px, 0.9)]
            monkeypatch.setattr(dice, "find_dice", lambda *_, spots=spots, **__: spots)
            assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found
