"""Where else dice are looked for: behind a dozen of other spots, where they lay, for a second one, in the size of the first."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import NOTHING_STANDS, STRAIGHT_DOWN
from tests.vision.dice.told_dice import (
    EDGE_PX,
    FAR_PX,
    INWARD,
    LEFT_HALF,
    ON_THE_BAR,
    PICTURE,
    RIGHT_HALF,
    SURELY_A_DIE,
    answer,
    find_spots,
    one_found_too_small,
    search_with,
    see_a_die_at_a_glance,
    tell_finished_looks,
    tell_looks,
    tell_number,
)
from vision.checkers.occupancy import CheckerPositions
from vision.dice import classification_cascade, search_stages
from vision.dice.candidates import DiceLimits, PreviousFrame
from vision.dice.classifier import CLASS, FACE, LIE, LIES, ObjectClass, decode_output
from vision.dice.detect import read_dice
from vision.dice.proposals import OTHER_PX_PER_MM, PX_PER_MM, ProposalCheck, ProposalLimits
from vision.dice.readings import BoardHalf
from vision.dice.search_stages import MAX_FAINT_SPOTS
from vision.dice.windows import DieSpot, place_window


@pytest.fixture
def put(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[float, float]]]:
    """One more die before those things, or none, and what is said of the one behind; the places that were looked at."""

    def one_behind(before: int, numbers: NDArray[np.float32]) -> list[tuple[float, float]]:
        seen: list[tuple[float, float]] = []
        dice_before = [LEFT_HALF, ON_THE_BAR][:before]
        others = [(120.0 + 30 * number, 60.0) for number in range(ProposalLimits().most_spots - before)]
        places = [*dice_before, *others, RIGHT_HALF]

        def search(*_: object, limits: ProposalLimits, px_per_mm: float = PX_PER_MM) -> list[DieSpot]:
            found = places if px_per_mm == PX_PER_MM else dice_before
            return [DieSpot(at_px, EDGE_PX, 0.9) for at_px in found][: limits.most_spots]

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification | None:
            seen.append(spot.centre_px)
            if spot.centre_px in others:
                return None
            said = numbers if spot.centre_px == RIGHT_HALF else answer()
            return classification_cascade.Classification(
                place_window(spot, STRAIGHT_DOWN), decode_output(said), spot, SURELY_A_DIE
            )

        search_with(monkeypatch, search)
        tell_finished_looks(monkeypatch, says)
        return seen

    return one_behind


@pytest.mark.parametrize(("before", "found"), [(0, 1), (1, 2), (2, 3)])
def test_a_die_behind_other_things(
    monkeypatch: pytest.MonkeyPatch, put: Callable[..., list[tuple[float, float]]], before: int, found: int
) -> None:
    """Also a third one: who overlooks it lets a throw count that does not."""
    see_a_die_at_a_glance(monkeypatch)
    seen = put(before, answer())
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found
    assert RIGHT_HALF in seen


def test_beside_one_die_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The throw is not complete; no other search is needed then."""
    find_spots(monkeypatch, [DieSpot(LEFT_HALF, EDGE_PX, 0.9), DieSpot(RIGHT_HALF, EDGE_PX, 0.19)])
    tell_looks(monkeypatch, lambda _: answer())
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == 2


def test_in_a_hurry_it_is_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is looked at later then, and no die vanishes while a hand moves."""
    find_spots(monkeypatch, [DieSpot(RIGHT_HALF, EDGE_PX, 0.19)])
    tell_looks(monkeypatch, lambda _: answer())
    assert len(read_dice(PICTURE, STRAIGHT_DOWN, previous=PreviousFrame(is_hurried=True)).dice) == 1


def test_a_cube_is_told_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    find_spots(monkeypatch, [DieSpot(RIGHT_HALF, EDGE_PX, 0.19)])
    tell_looks(monkeypatch, lambda _: answer(ObjectClass.CUBE))
    tell_number(monkeypatch, 2)
    assert read_dice(PICTURE, STRAIGHT_DOWN).cube is not None


@pytest.mark.parametrize(("chance", "dice", "perhaps_more"), [(0.09, 1, False), (0.11, 1, True), (0.11, 2, False)])
def test_another_one_may_be_hidden_where_a_glance_from_aside_sees_a_little(
    monkeypatch: pytest.MonkeyPatch, chance: float, dice: int, *, perhaps_more: bool
) -> None:
    """Where no look sees anything: one die alone is not surely so then; a whole throw is."""
    places = [LEFT_HALF, ON_THE_BAR][:dice]

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification | None:
        at = place_window(spot, STRAIGHT_DOWN)
        return (
            classification_cascade.Classification(at, decode_output(answer()), spot, SURELY_A_DIE)
            if spot.centre_px in places
            else None
        )

    find_spots(monkeypatch, [DieSpot(at_px, EDGE_PX, 0.9) for at_px in (*places, RIGHT_HALF)])
    tell_finished_looks(monkeypatch, says)
    glance = np.log([1 - chance, chance, 1e-9])
    monkeypatch.setattr(search_stages, "check_around", lambda _, spot: ProposalCheck(glance, spot))
    monkeypatch.setattr(search_stages, "check_neighbours", lambda *_: [])
    seen = read_dice(PICTURE, STRAIGHT_DOWN)
    assert (len(seen.dice), seen.may_hold_more) == (dice, perhaps_more)


@pytest.mark.parametrize("standing", [None, NOTHING_STANDS])
def test_a_side_is_no_second_die(monkeypatch: pytest.MonkeyPatch, standing: CheckerPositions | None) -> None:
    """Of the throw that would be complete with it: the other die is looked for among the fainter spots.

    That a die would rather lie flat there, where nothing stands, makes no plain face of a side.
    """
    side = tuple((FAR_PX + 0.7 * EDGE_PX * INWARD).tolist())

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification:
        numbers = answer()
        if spot.centre_px == side:
            numbers[LIE] = np.log([0.75, 0.25, *[1e-9] * (len(LIES) - 2)])
        return classification_cascade.Classification(
            place_window(spot, STRAIGHT_DOWN), decode_output(numbers), spot, SURELY_A_DIE
        )

    tell_finished_looks(monkeypatch, says)
    found = ((FAR_PX, 0.9), (side, 0.8), (RIGHT_HALF, 0.19))
    find_spots(monkeypatch, [DieSpot(at_px, EDGE_PX, score) for at_px, score in found])
    seen = read_dice(PICTURE, STRAIGHT_DOWN, positions=standing)
    assert {die.centre_px for die in seen.dice} == {FAR_PX, RIGHT_HALF}


def test_one_that_shows_no_plain_face(put: Callable[..., list[tuple[float, float]]]) -> None:
    """It is none, but perhaps one."""
    unsure = answer()
    unsure[FACE] = 0
    put(0, unsure)
    found = read_dice(PICTURE, STRAIGHT_DOWN)
    assert (found.dice, found.may_hold_more) == ((), True)


def test_where_time_is_short(put: Callable[..., list[tuple[float, float]]]) -> None:
    seen = put(0, answer())
    assert read_dice(PICTURE, STRAIGHT_DOWN, previous=PreviousFrame(is_hurried=True)).dice == ()
    assert RIGHT_HALF not in seen


class TestTouching:
    """Two dice that touch, of which the search sees one."""

    def told(
        self, monkeypatch: pytest.MonkeyPatch, turn_deg: float, *found: tuple[float, float]
    ) -> tuple[list[tuple[float, float]], int]:
        """Where dice are read, and how often was glanced beside the one to the left."""
        off = EDGE_PX * np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
        other = (float(LEFT_HALF[0] + off[0]), float(LEFT_HALF[1] + off[1]))
        glances = 0

        def glance(_: object, spot: DieSpot) -> ProposalCheck:
            nonlocal glances
            glances += 1
            there = 0.9 if spot.is_near(other, EDGE_PX, 0.5) else 0.01
            return ProposalCheck(np.log([1 - there, there, 1e-9]), replace(spot, centre_px=other))

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification:
            return classification_cascade.Classification(
                place_window(spot, STRAIGHT_DOWN), decode_output(answer()), spot, SURELY_A_DIE
            )

        tell_finished_looks(monkeypatch, says)
        monkeypatch.setattr("vision.dice.proposals.check_proposal", glance)
        find_spots(monkeypatch, [DieSpot(at_px, EDGE_PX, 0.9) for at_px in (LEFT_HALF, *found)])
        dice = [die.centre_px for die in read_dice(PICTURE, STRAIGHT_DOWN).dice]
        assert set(dice) <= {LEFT_HALF, other, *found}
        return dice, glances

    @pytest.mark.parametrize("turn_deg", range(0, 360, 20))
    def test_the_other_is_found_beside_it(self, monkeypatch: pytest.MonkeyPatch, turn_deg: float) -> None:
        """However they lie."""
        assert len(self.told(monkeypatch, turn_deg)[0]) == 2

    def test_where_two_were_found_nobody_looks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        dice, glances = self.told(monkeypatch, 0, RIGHT_HALF)
        assert dice == [LEFT_HALF, RIGHT_HALF]
        assert glances == 0


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

            search_with(monkeypatch, search)
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

        def search(*_: object, limits: ProposalLimits, **__: object) -> list[DieSpot]:
            plain = DieSpot(LEFT_HALF, EDGE_PX, 0.9)
            is_faint = limits.most_spots >= MAX_FAINT_SPOTS
            return [plain, DieSpot(RIGHT_HALF, 0.8 * EDGE_PX, 0.15)] if is_faint else [plain]

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification:
            numbers = answer()
            if spot.centre_px == RIGHT_HALF:
                numbers[CLASS] = np.log([1 - sureness, sureness, 1e-9])
                numbers[FACE] = numbers[FACE] if shows_face else np.log([0.9, 0.02, 0.02, 0.02, 0.02, 0.02])
            return classification_cascade.Classification(
                place_window(spot, STRAIGHT_DOWN), decode_output(numbers), spot, SURELY_A_DIE
            )

        search_with(monkeypatch, search)
        tell_finished_looks(monkeypatch, says)
        seen = read_dice(PICTURE, STRAIGHT_DOWN, previous=PreviousFrame(is_hurried=is_hurried))
        assert len(seen.dice) == found
        assert seen.may_hold_more is (found == 1 and not is_hurried)

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
        assert not seen.may_hold_more

    def test_no_second_search_where_none_was_found(
        self, told: Callable[..., None], searched: Callable[..., list[float]]
    ) -> None:
        """Most pictures show no dice, and a search costs time."""
        told(lambda _: answer(ObjectClass.NOTHING))
        searches = searched()
        assert read_dice(PICTURE, STRAIGHT_DOWN).dice == ()
        assert searches == [PX_PER_MM]


class TestWhereDiceLay:
    """A search that found a die in one picture may overlook it in the next."""

    def test_it_is_looked_for_there(self, told: Callable[..., None]) -> None:
        """Whatever the search finds elsewhere."""
        told(lambda _: answer(), LEFT_HALF)
        lay = tuple(DieSpot(at_px, EDGE_PX, 1.0) for at_px in (LEFT_HALF, RIGHT_HALF))
        assert [die.half for die in read_dice(PICTURE, STRAIGHT_DOWN, previous=PreviousFrame(die_spots=lay)).dice] == [
            BoardHalf.LEFT,
            BoardHalf.RIGHT,
        ]

    @pytest.mark.parametrize(("sureness", "found"), [(0.99, 1), (0.9, 0)])
    def test_a_gap_that_was_taken_for_a_die_once_is_not_helped_to_stay(
        self, told: Callable[..., None], sureness: float, found: int
    ) -> None:
        """Between four checkers, in the size of a die that a hand has just lifted."""
        numbers = answer()
        numbers[CLASS] = np.log([1 - sureness, sureness, 1e-9])
        told(lambda _: numbers)
        seen = read_dice(PICTURE, STRAIGHT_DOWN, previous=PreviousFrame(die_spots=(DieSpot(LEFT_HALF, EDGE_PX, 1.0),)))
        assert len(seen.dice) == found
        assert seen.may_hold_more is (not found)

    def test_one_that_was_lifted(self, told: Callable[..., None]) -> None:
        """Nothing is there, and nothing is told."""
        told(lambda _: answer(ObjectClass.NOTHING))
        seen = read_dice(PICTURE, STRAIGHT_DOWN, previous=PreviousFrame(die_spots=(DieSpot(LEFT_HALF, EDGE_PX, 1.0),)))
        assert seen.dice == ()
        assert not seen.may_hold_more


class TestWithoutABoard:
    """Nobody knows how large dice are there, until one is plain."""

    def seen(
        self, monkeypatch: pytest.MonkeyPatch, *again: DieSpot, first: DieSpot, sureness: float = 1.0
    ) -> list[tuple[float, float]]:
        """Middles of the dice told: of all spots the search first gives one; a window of another size than that shows nothing."""

        def search(*_: object, limits: ProposalLimits, **__: object) -> list[DieSpot]:
            return [first] if limits == DiceLimits().proposals else [first, *again]

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification | None:
            if spot.size_px != pytest.approx(EDGE_PX, rel=0.05):
                return None
            numbers = answer()
            if spot.centre_px != first.centre_px:
                numbers[CLASS] = np.log([1 - 0.999 * sureness, 0.999 * sureness, 1e-9])
            return classification_cascade.Classification(
                place_window(spot, None), decode_output(numbers), spot, SURELY_A_DIE
            )

        search_with(monkeypatch, search)
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

    @pytest.mark.parametrize(("dice", "looked"), [(75, 12 + 4 * 30), (12, 12 + 30), (1, 12 + 30)])
    def test_as_many_as_there_are(self, monkeypatch: pytest.MonkeyPatch, dice: int, looked: int) -> None:
        """Thirty at a time, the likeliest first, as long as dice turn up; without any it is enough."""
        spots = [
            DieSpot((40.0 + 40 * (number % 14), 40.0 + 40 * (number // 14)), EDGE_PX, 0.5) for number in range(140)
        ]
        asked: list[tuple[float, float]] = []
        places = {spot.centre_px for spot in spots[:dice]}

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification | None:
            asked.append(spot.centre_px)
            if spot.centre_px not in places:
                return None
            return classification_cascade.Classification(
                place_window(spot, None), decode_output(answer()), spot, SURELY_A_DIE
            )

        search_with(monkeypatch, lambda *_, limits, **__: spots[: limits.most_spots])
        tell_finished_looks(monkeypatch, says)
        assert {die.centre_px for die in read_dice(PICTURE, None).dice} == places
        assert len(asked) == looked
