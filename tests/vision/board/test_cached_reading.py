from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

import vision.board.cached_reading
from tests.vision.dice.hand_made_dice import NOTHING_STANDS, die
from tests.vision.drawn_boards import BROWN, Bgr, Picture, calibration_for, drawn_board, said
from vision.board.cached_reading import CachedReading, read_board_cached
from vision.board.read_board import FrameReading, build_board_reading
from vision.checkers.occupancy import PositionsWithoutDice
from vision.dice.candidates import DieCandidate, PreviousFrame
from vision.dice.windows import DieSpot
from vision.frame import Frame
from vision.geometry.calibration import Calibration

pytestmark = pytest.mark.broad

NOISE = 2.0
UPPER_LEFT, LOWER_RIGHT = (180.0, 140.0), (480.0, 330.0)
DARK: Bgr = (40, 40, 45)
# As brown as the board but for five levels: told by nothing else, for these checkers have neither rim nor shadow.
LIKE_THE_BOARD: Bgr = (BROWN[0] + 5, BROWN[1] + 5, BROWN[2] + 5)
START = {"T1": [DARK] * 5, "T12": [DARK] * 2, "B1": [(210, 225, 235)] * 5, "B8": [(210, 225, 235)] * 3}


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The times of the frames that were really read."""
    times: list[int] = []

    def reading(frame: Frame, _calibration: Calibration, _earlier: PreviousFrame) -> FrameReading:
        times.append(frame.taken_ms)
        return FrameReading(build_board_reading(said(), np.ones(25, np.float32), frame.taken_ms), (), NOTHING_STANDS)

    monkeypatch.setattr(vision.board.cached_reading, "read_frame", reading)
    return times


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[list[DieCandidate]]:
    """For each frame that was read the close looks that were known; two spots are looked at in every frame."""
    known_each: list[list[DieCandidate]] = []

    def reading(frame: Frame, _calibration: Calibration, earlier: PreviousFrame) -> FrameReading:
        known_each.append(list(earlier.candidates))
        kept = [one.spot.centre_px for one in earlier.candidates]
        fresh = [DieCandidate(DieSpot(at, 12, 0.9), None) for at in (UPPER_LEFT, LOWER_RIGHT) if at not in kept]
        told = build_board_reading(said(), np.ones(25, np.float32), frame.taken_ms)
        return FrameReading(told, (*earlier.candidates, *fresh), NOTHING_STANDS)

    monkeypatch.setattr(vision.board.cached_reading, "read_frame", reading)
    return known_each


def frame(known: Calibration, checkers: dict[str, list[Bgr]], taken_ms: int, *, noise: float = NOISE) -> Frame:
    return Frame(drawn_board(known, checkers, noise=noise, seed=taken_ms), taken_ms)


def brighter(picture: Picture, levels: float) -> Picture:
    lifted: Picture = np.clip(picture.astype(np.float32) + levels, 0, 255).round().astype(np.uint8)
    return lifted


class TestNothingChanged:
    @pytest.mark.parametrize("noise", [0.0, 2.0, 5.0])
    def test_the_reading_is_kept(self, reads: list[int], noise: float) -> None:
        """A dozen noisy frames of one board are read once; each answer has the time of its own frame."""
        known, seen = calibration_for(), None
        for taken_ms in range(12):
            seen = read_board_cached(frame(known, START, taken_ms, noise=noise), known, seen)
            assert seen.reading.taken_ms == taken_ms
        assert reads == [0]

    def test_a_little_drift_of_the_light(self, reads: list[int]) -> None:
        """Two levels over the whole picture are no change."""
        known = calibration_for()
        picture = drawn_board(known, START)
        before = read_board_cached(Frame(picture, 0), known)
        read_board_cached(Frame(brighter(picture, 2), 1), known, before)
        assert reads == [0]


class TestSomethingChanged:
    @pytest.mark.parametrize("size", [(640, 480), (1280, 960)])
    @pytest.mark.parametrize("colour", [DARK, LIKE_THE_BOARD])
    def test_one_checker_moves_by_one_point(self, reads: list[int], colour: Bgr, size: tuple[int, int]) -> None:
        """From every point to its neighbour (of the large picture, from some): never missed."""
        known = calibration_for(*size)
        missed = []
        names = [f"{row}{column}" for row in "TB" for column in range(1, 13)]
        ways = list(zip(names, [*names[1:], names[0]], strict=True))
        for name, neighbour in ways if size == (640, 480) else ways[::5]:
            rest = {place: checkers for place, checkers in START.items() if place not in (name, neighbour)}
            before = read_board_cached(frame(known, {**rest, name: [colour]}, 0), known)
            reads.clear()
            read_board_cached(frame(known, {**rest, neighbour: [colour]}, 1), known, before)
            missed += [] if reads else [name]
        assert missed == []

    def test_the_checker_at_the_tip(self, reads: list[int]) -> None:
        """A fifth one more."""
        known = calibration_for()
        before = read_board_cached(frame(known, START, 0), known)
        read_board_cached(frame(known, {**START, "T12": [DARK] * 3}, 1), known, before)
        assert reads == [0, 1]

    def test_slow_drift_is_read_in_the_end(self, reads: list[int]) -> None:
        """Half a level a frame, never a step to notice: read anew before four levels have gathered."""
        known, seen = calibration_for(), None
        picture = drawn_board(known, START)
        for taken_ms in range(17):
            seen = read_board_cached(Frame(brighter(picture, taken_ms / 2), taken_ms), known, seen)
        assert reads == [0, 7, 15]

    def test_a_checker_that_creeps(self, reads: list[int]) -> None:
        """One that fades in by a level a frame is compared with the board that was read, not with the last frame."""
        known = calibration_for()
        empty, full = drawn_board(known, START), drawn_board(known, {**START, "T5": [DARK]})
        seen: CachedReading | None = None
        for taken_ms in range(30):
            share = taken_ms / 60
            mixed = (empty * (1 - share) + full * share).round().astype(np.uint8)
            seen = read_board_cached(Frame(mixed, taken_ms), known, seen)
        assert 3 < len(reads) < 20

    def test_another_calibration(self, reads: list[int]) -> None:
        """The same picture is read anew when the board is said to lie elsewhere."""
        known = calibration_for()
        before = read_board_cached(frame(known, START, 0), known)
        moved = calibration_for(corners_px=((82, 60), (560, 60), (560, 420), (80, 420)))
        read_board_cached(frame(known, START, 1), moved, before)
        assert reads == [0, 1]

    def test_another_size(self, reads: list[int]) -> None:
        """A camera that changed its resolution is read."""
        known = calibration_for()
        before = read_board_cached(frame(known, START, 0), known)
        read_board_cached(Frame(drawn_board(calibration_for(320, 240), START), 1), known, before)
        assert reads == [0, 1]

    def test_a_camera_that_is_blind_with_noise(self, reads: list[int]) -> None:
        """Where noise could hide a checker every frame is read."""
        known = calibration_for(320, 240)
        before = read_board_cached(frame(known, START, 0, noise=40), known)
        read_board_cached(frame(known, START, 1, noise=40), known, before)
        assert reads == [0, 1]


class TestWhereItChanged:
    """A checker is laid down beside one of two spots that may be dice."""

    @pytest.mark.parametrize(("at_px", "known"), [(UPPER_LEFT, [LOWER_RIGHT]), (LOWER_RIGHT, [UPPER_LEFT])])
    def test_only_there_dice_are_looked_at_again(
        self, told: list[list[DieCandidate]], at_px: tuple[float, float], known: list[tuple[float, float]]
    ) -> None:
        """The other one is known."""
        before = read_board_cached(Frame(spotted(), 0), calibration_for())
        read_board_cached(Frame(spotted(at_px), 1), calibration_for(), before)
        assert [[one.spot.centre_px for one in each] for each in told] == [[], known]

    def test_each_is_compared_with_the_picture_it_was_looked_at_in(self, told: list[list[DieCandidate]]) -> None:
        """Elsewhere something changes in each frame; beside one spot it grows brighter, little in each."""
        seen: CachedReading | None = None
        for taken_ms in range(24):
            picture = spotted(UPPER_LEFT if taken_ms % 2 else None)
            x, y = map(int, LOWER_RIGHT)
            picture[y + 8 : y + 28, x : x + 20] += np.uint8(taken_ms)
            seen = read_board_cached(Frame(picture, taken_ms), calibration_for(), seen)
        knows = [LOWER_RIGHT in [one.spot.centre_px for one in each] for each in told]
        assert len(knows) == 24
        assert 2 < knows.count(False) < 12

    def test_another_calibration_knows_nothing(self, told: list[list[DieCandidate]]) -> None:
        """Where the board lies decides what a window shows."""
        before = read_board_cached(Frame(spotted(), 0), calibration_for())
        moved = calibration_for(corners_px=((82, 60), (560, 60), (560, 420), (80, 420)))
        read_board_cached(Frame(spotted(UPPER_LEFT), 1), moved, before)
        assert told == [[], []]


class TestReadAnew:
    """A board at rest, on which nothing changes."""

    def test_it_is_read_where_that_is_wanted(self, reads: list[int], told: list[list[DieCandidate]]) -> None:
        """And no close look is known: one that erred would be handed on."""
        del reads
        before = read_board_cached(Frame(spotted(), 0), calibration_for())
        read_board_cached(Frame(spotted(), 1), calibration_for(), before)
        read_board_cached(Frame(spotted(), 2), calibration_for(), before, anew=True)
        assert told == [[], []]

    @pytest.mark.parametrize(("sure", "is_told"), [(0.96, True), (0.9, False)])
    def test_where_plain_dice_lay_is_told(self, monkeypatch: pytest.MonkeyPatch, sure: float, is_told: bool) -> None:
        """So that a search that overlooks one this time does no harm."""
        lain: list[tuple[DieSpot, ...]] = []
        one = die(4, sure=sure, at_px=LOWER_RIGHT)

        def reading(frame: Frame, _calibration: Calibration, earlier: PreviousFrame) -> FrameReading:
            lain.append(earlier.die_spots)
            told = replace(build_board_reading(said(), np.ones(25, np.float32), frame.taken_ms), dice=(one,))
            return FrameReading(told, (), NOTHING_STANDS)

        monkeypatch.setattr(vision.board.cached_reading, "read_frame", reading)
        before = read_board_cached(Frame(spotted(), 0), calibration_for())
        read_board_cached(Frame(spotted(), 1), calibration_for(), before, anew=True)
        first, second = lain
        assert first == ()
        assert [(spot.centre_px, spot.size_px) for spot in second] == ([(LOWER_RIGHT, one.size_px)] if is_told else [])


class TestWhatStood:
    """The checkers of a scene at rest without dice are known in the pictures after it."""

    @pytest.fixture
    def shown(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[PositionsWithoutDice | None]]:
        """Makes each picture show one checker more in a row than the one before, and these things; what was known of each."""

        def pictures(
            *shows: dict[str, object], anew: bool | Sequence[bool] = True
        ) -> list[PositionsWithoutDice | None]:
            told: list[PositionsWithoutDice | None] = []
            plain = build_board_reading(said(), np.ones(25, np.float32), 0)

            def reading(frame: Frame, _calibration: Calibration, earlier: PreviousFrame) -> FrameReading:
                told.append(earlier.checkers_before)
                middles_mm = np.array([(40.0 * n, 200.0) for n in range(frame.taken_ms + 1)])
                number = len(middles_mm)
                standing = replace(
                    NOTHING_STANDS, middles_mm=middles_mm, chances=np.ones(number), is_seen=np.ones(number, np.bool_)
                )
                return FrameReading(replace(plain, **shows[frame.taken_ms]), (), standing)  # type: ignore[arg-type]

            monkeypatch.setattr(vision.board.cached_reading, "read_frame", reading)
            seen: CachedReading | None = None
            for taken_ms in range(len(shows)):
                at_px = UPPER_LEFT if taken_ms % 2 else None  # so that each is read
                is_anew = anew if isinstance(anew, bool) else anew[taken_ms]
                seen = read_board_cached(Frame(spotted(at_px), taken_ms), calibration_for(), seen, anew=is_anew)
            return told

        return pictures

    def test_it_is_what_was_seen_last(self, shown: Callable[..., list[PositionsWithoutDice | None]]) -> None:
        """One checker in the first picture, two in the second."""
        first, *others = shown({}, {}, {})
        assert first is None
        assert [len(stood.positions.chances) for stood in others if stood] == [1, 2]

    @pytest.mark.parametrize("shows", [{"perhaps_more_dice": True}, {"hand_in_view": True}, {"dice": (die(4),)}])
    def test_what_may_be_dice_teaches_nothing(
        self, shown: Callable[..., list[PositionsWithoutDice | None]], shows: dict[str, object]
    ) -> None:
        """Nor does what a hand may hide."""
        assert [len(stood.positions.chances) for stood in shown({}, shows, shows, {}, {}) if stood] == [1, 1, 1, 4]

    def test_a_moving_scene_teaches_nothing(self, shown: Callable[..., list[PositionsWithoutDice | None]]) -> None:
        """A die that rolls is not always told as one."""
        assert shown({}, {}, {}, anew=False) == [None, None, None]

    @pytest.mark.parametrize(
        ("shows", "rests", "is_played_on"),
        [
            ([{}, {}], [True, True], False),
            # the first throw, and its rest
            ([{}, {"dice": (die(4),)}, {"dice": (die(4),)}], [True, False, True], False),
            ([{}, {"dice": (die(4),)}, {}], [True, True, True], False),  # a second look at it
            ([{}, {"hand_in_view": True}, {}], [True, True, False], False),  # a hand that waits with the dice
            ([{}, {"dice": (die(4),)}, {}], [True, True, False], True),  # he plays it
            ([{}, {"dice": (die(4),)}, {}, {"dice": (die(4),)}], [True, True, False, True], True),
            ([{}, {"perhaps_more_dice": True}, {}], [True, True, False], True),
            ([{}, {"dice": (die(4),)}, {}, {}, {}], [True, True, False, True, False], False),  # lifted
        ],
    )
    def test_play_may_go_on_once_dice_lay_there(
        self,
        shown: Callable[..., list[PositionsWithoutDice | None]],
        shows: Sequence[dict[str, object]],
        rests: Sequence[bool],
        is_played_on: bool,
    ) -> None:
        """What the last picture is read with."""
        stood = shown(*shows, anew=rests)[-1]
        assert stood is not None
        assert stood.has_moved_since is is_played_on

    def test_another_calibration_forgets_it(self, shown: Callable[..., list[PositionsWithoutDice | None]]) -> None:
        """Its millimetres were those of another place."""
        told = shown({})
        before = read_board_cached(Frame(spotted(), 0), calibration_for(), anew=True)
        moved = calibration_for(corners_px=((82, 60), (560, 60), (560, 420), (80, 420)))
        read_board_cached(Frame(spotted(), 0), moved, before)
        assert told == [None, None, None]


def spotted(at_px: tuple[float, float] | None = None) -> Picture:
    """An empty board, with something the size of a checker twenty pixels beside a spot."""
    picture = drawn_board(calibration_for(), {}, noise=0)
    if at_px is not None:
        x, y = map(int, at_px)
        picture[y + 8 : y + 28, x : x + 20] = (235, 235, 235)
    return picture
