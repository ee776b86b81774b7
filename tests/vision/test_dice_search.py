"""Which spots are dice: one that is alone, and things of another size."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.hand_made_dice import STRAIGHT_DOWN
from tests.vision.told_dice import EDGE_PX, LEFT_HALF, PICTURE, RIGHT_HALF, answer, tell_dice
from vision import close_look, dice
from vision.dice import DiceLimits, read_dice
from vision.dice_answers import FACE, KIND, Kind, answer_of
from vision.dice_finder import OTHER_PX_PER_MM, PX_PER_MM
from vision.die_reading import BoardHalf
from vision.die_windows import SIGHT, DieSpot, place_window


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes the search find these spots and the network say what `says` does of each window."""
    return partial(tell_dice, monkeypatch)


class TestOneAlone:
    """Where only one die is found the other one is looked for again, a little larger and a little smaller."""

    @pytest.fixture
    def searched(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[float]]:
        """Makes the second die show in searches with so many pixels a millimetre; those of each search are noted."""

        def search_finds(*finds: float) -> list[float]:
            noted: list[float] = []
            one_spot, other_spot = (DieSpot(at_px, EDGE_PX, 0.9) for at_px in (LEFT_HALF, RIGHT_HALF))

            def search(*_: object, px_per_mm: float = PX_PER_MM) -> list[DieSpot]:
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
        assert searches == [PX_PER_MM, *OTHER_PX_PER_MM]

    @pytest.mark.parametrize(("sureness", "found"), [(0.99, 2), (0.9, 1)])
    def test_it_is_looked_at_as_large_as_the_one_that_is_known(
        self, monkeypatch: pytest.MonkeyPatch, sureness: float, found: int
    ) -> None:
        """The search took its pips for a small die, and a window so small shows none; in the other one it has to be plain."""

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> close_look.Look | None:
            if spot.size_px != pytest.approx(EDGE_PX, rel=0.05):
                return None
            numbers = answer()
            numbers[KIND] = np.log([1 - sureness, sureness, 1e-9] if spot.centre_px == RIGHT_HALF else [1e-9, 1, 1e-9])
            return close_look.Look(place_window(spot, STRAIGHT_DOWN), answer_of(numbers), spot, 1.0)

        spots = [DieSpot(LEFT_HALF, EDGE_PX, 0.9), DieSpot(RIGHT_HALF, 0.6 * EDGE_PX, 0.4)]
        monkeypatch.setattr(dice, "find_dice", lambda *_, **__: spots)
        monkeypatch.setattr("vision.spot_looks.look_at", says)
        assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found

    def test_no_second_search_where_none_was_found(
        self, told: Callable[..., None], searched: Callable[..., list[float]]
    ) -> None:
        """Most pictures show no dice, and a search costs time."""
        told(lambda _: answer(Kind.NOTHING))
        searches = searched()
        assert read_dice(PICTURE, STRAIGHT_DOWN).dice == ()
        assert searches == [PX_PER_MM]

    def test_without_a_board_no_second_search(
        self, told: Callable[..., None], searched: Callable[..., list[float]]
    ) -> None:
        """There several sizes are tried anyway."""
        told(lambda _: answer())
        searches = searched()
        assert len(read_dice(PICTURE, None).dice) == 1
        assert searches == [PX_PER_MM]


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
        monkeypatch.setattr(close_look, "answers_to", lambda _, planes, __: [says(planes)])
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
