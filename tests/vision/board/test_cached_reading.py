from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

import vision.board.cached_reading
from tests.vision.dice.hand_made_dice import NOTHING_STANDS, die
from tests.vision.drawn_boards import BROWN, Bgr, Picture, calibration_for, drawn_board, said
from vision.board.board_reading import BoardReading
from vision.board.cached_reading import CachedReading, read_board_cached
from vision.board.read_board import FrameReading, build_board_reading
from vision.checkers.occupancy import CheckerPositions, PositionsWithoutDice
from vision.dice.candidates import DieCandidate, PreviousFrame
from vision.dice.windows import DieSpot
from vision.frame import Frame
from vision.geometry.calibration import Calibration

pytestmark = pytest.mark.broad

NOISE = 2.0
KNOWN = calibration_for()
MOVED = calibration_for(corners_px=((82, 60), (560, 60), (560, 420), (80, 420)))
UPPER_LEFT, LOWER_RIGHT = (180.0, 140.0), (480.0, 330.0)
DARK: Bgr = (40, 40, 45)
# As brown as the board but for five levels; these checkers have neither rim nor shadow.
LIKE_THE_BOARD: Bgr = (BROWN[0] + 5, BROWN[1] + 5, BROWN[2] + 5)
START = {"T1": [DARK] * 5, "T12": [DARK] * 2, "B1": [(210, 225, 235)] * 5, "B8": [(210, 225, 235)] * 3}
EMPTY = build_board_reading(said(), np.ones(25, np.float32), 0)

Reader = Callable[[Frame, PreviousFrame], FrameReading]


def read_with(monkeypatch: pytest.MonkeyPatch, reader: Reader) -> list[tuple[int, PreviousFrame]]:
    """Frames are read by `reader`; the time of each frame that is read, and the knowledge that it is read with."""
    calls: list[tuple[int, PreviousFrame]] = []

    def read(frame: Frame, _calibration: Calibration, previous: PreviousFrame) -> FrameReading:
        calls.append((frame.taken_ms, previous))
        found = reader(frame, previous)
        return replace(found, reading=replace(found.reading, taken_ms=frame.taken_ms))

    monkeypatch.setattr(vision.board.cached_reading, "read_frame", read)
    return calls


def found(
    reading: BoardReading = EMPTY,
    candidates: tuple[DieCandidate, ...] = (),
    positions: CheckerPositions = NOTHING_STANDS,
) -> FrameReading:
    return FrameReading(reading, candidates, positions)


@pytest.fixture
def times_read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[int]]:
    """The times of the frames that were read."""
    calls = read_with(monkeypatch, lambda _frame, _previous: found())
    return lambda: [taken_ms for taken_ms, _ in calls]


@pytest.fixture
def candidates(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[list[tuple[float, float]]]]:
    """For each frame that was read, the known candidates; each frame has candidates at two spots."""

    def reader(_frame: Frame, previous: PreviousFrame) -> FrameReading:
        kept = [one.spot.centre_px for one in previous.candidates]
        fresh = [DieCandidate(DieSpot(at, 12, 0.9), None) for at in (UPPER_LEFT, LOWER_RIGHT) if at not in kept]
        return found(candidates=(*previous.candidates, *fresh))

    calls = read_with(monkeypatch, reader)
    return lambda: [[one.spot.centre_px for one in previous.candidates] for _, previous in calls]


def frame(known: Calibration, checkers: dict[str, list[Bgr]], taken_ms: int, *, noise: float = NOISE) -> Frame:
    return Frame(drawn_board(known, checkers, noise=noise, seed=taken_ms), taken_ms)


def brighter(picture: Picture, levels: float) -> Picture:
    lifted: Picture = np.clip(picture.astype(np.float32) + levels, 0, 255).round().astype(np.uint8)
    return lifted


def spotted(at_px: tuple[float, float] | None = None) -> Picture:
    """An empty board, with something the size of a checker twenty pixels beside a spot."""
    picture = drawn_board(KNOWN, {}, noise=0)
    if at_px is not None:
        x, y = map(int, at_px)
        picture[y + 8 : y + 28, x : x + 20] = (235, 235, 235)
    return picture


class TestNothingChanged:
    @pytest.mark.parametrize("noise", [0.0, 2.0, 5.0])
    def test_the_reading_is_kept(self, times_read: Callable[[], list[int]], noise: float) -> None:
        """A dozen noisy frames of one board are read once; each answer has the time of its own frame."""
        seen = None
        for taken_ms in range(12):
            seen = read_board_cached(frame(KNOWN, START, taken_ms, noise=noise), KNOWN, seen)
            assert seen.reading.taken_ms == taken_ms
        assert times_read() == [0]

    def test_a_little_drift_of_the_light(self, times_read: Callable[[], list[int]]) -> None:
        """Two levels over the whole picture are no change."""
        picture = drawn_board(KNOWN, START)
        before = read_board_cached(Frame(picture, 0), KNOWN)
        read_board_cached(Frame(brighter(picture, 2), 1), KNOWN, before)
        assert times_read() == [0]


class TestSomethingChanged:
    @pytest.mark.parametrize("size", [(640, 480), (1280, 960)])
    @pytest.mark.parametrize("colour", [DARK, LIKE_THE_BOARD])
    def test_one_checker_moves_by_one_point(
        self, times_read: Callable[[], list[int]], colour: Bgr, size: tuple[int, int]
    ) -> None:
        """From every point to its neighbour (in the large picture, from some): never missed."""
        known = calibration_for(*size)
        names = [f"{row}{column}" for row in "TB" for column in range(1, 13)]
        moves = list(zip(names, [*names[1:], names[0]], strict=True))
        for name, neighbour in moves if size == (640, 480) else moves[::5]:
            rest = {place: checkers for place, checkers in START.items() if place not in (name, neighbour)}
            before = read_board_cached(frame(known, {**rest, name: [colour]}, 0), known)
            read_board_cached(frame(known, {**rest, neighbour: [colour]}, 1), known, before)
            assert times_read()[-2:] == [0, 1], name

    @pytest.mark.parametrize(
        ("then", "known"),
        [
            (frame(KNOWN, {**START, "T12": [DARK] * 3}, 1), KNOWN),
            (frame(KNOWN, START, 1), MOVED),
            (Frame(drawn_board(calibration_for(320, 240), START), 1), KNOWN),
        ],
        ids=["a checker at the tip", "another calibration", "another size"],
    )
    def test_it_is_read(self, times_read: Callable[[], list[int]], then: Frame, known: Calibration) -> None:
        read_board_cached(then, known, read_board_cached(frame(KNOWN, START, 0), KNOWN))
        assert times_read() == [0, 1]

    def test_slow_drift_is_read_in_the_end(self, times_read: Callable[[], list[int]]) -> None:
        """Half a level a frame, never a clear step: read anew before four levels have accumulated."""
        seen, picture = None, drawn_board(KNOWN, START)
        for taken_ms in range(17):
            seen = read_board_cached(Frame(brighter(picture, taken_ms / 2), taken_ms), KNOWN, seen)
        assert times_read() == [0, 7, 15]

    def test_a_checker_that_creeps(self, times_read: Callable[[], list[int]]) -> None:
        """One that fades in by a level a frame is compared with the frame that was read, not with the last frame."""
        empty, full = drawn_board(KNOWN, START), drawn_board(KNOWN, {**START, "T5": [DARK]})
        seen: CachedReading | None = None
        for taken_ms in range(30):
            share = taken_ms / 60
            mixed = (empty * (1 - share) + full * share).round().astype(np.uint8)
            seen = read_board_cached(Frame(mixed, taken_ms), KNOWN, seen)
        assert 3 < len(times_read()) < 20

    def test_a_camera_that_is_blind_with_noise(self, times_read: Callable[[], list[int]]) -> None:
        """Where noise could hide a checker every frame is read."""
        known = calibration_for(320, 240)
        before = read_board_cached(frame(known, START, 0, noise=40), known)
        read_board_cached(frame(known, START, 1, noise=40), known, before)
        assert times_read() == [0, 1]


class TestWhereItChanged:
    """A checker is laid down beside one of two spots that may be dice."""

    @pytest.mark.parametrize(
        ("at_px", "calibration", "known"),
        [(UPPER_LEFT, KNOWN, [LOWER_RIGHT]), (LOWER_RIGHT, KNOWN, [UPPER_LEFT]), (UPPER_LEFT, MOVED, [])],
    )
    def test_only_there_candidates_are_classified_again(
        self,
        candidates: Callable[[], object],
        at_px: tuple[float, float],
        calibration: Calibration,
        known: list[tuple[float, float]],
    ) -> None:
        """Another calibration knows no candidate: the position of the board decides what a window shows."""
        before = read_board_cached(Frame(spotted(), 0), KNOWN)
        read_board_cached(Frame(spotted(at_px), 1), calibration, before)
        assert candidates() == [[], known]

    def test_each_is_compared_with_the_frame_of_its_classification(
        self, candidates: Callable[[], list[list[tuple[float, float]]]]
    ) -> None:
        """Elsewhere something changes in each frame; beside one spot it grows brighter, little in each."""
        seen: CachedReading | None = None
        for taken_ms in range(24):
            picture = spotted(UPPER_LEFT if taken_ms % 2 else None)
            x, y = map(int, LOWER_RIGHT)
            picture[y + 8 : y + 28, x : x + 20] += np.uint8(taken_ms)
            seen = read_board_cached(Frame(picture, taken_ms), KNOWN, seen)
        is_known = [LOWER_RIGHT in each for each in candidates()]
        assert len(is_known) == 24
        assert 2 < is_known.count(False) < 12


class TestReadAnew:
    """A board at rest, on which nothing changes."""

    def test_it_is_read_on_request(self, candidates: Callable[[], object]) -> None:
        """No candidate is known then, so a wrong classification does not persist."""
        before = read_board_cached(Frame(spotted(), 0), KNOWN)
        read_board_cached(Frame(spotted(), 1), KNOWN, before)
        read_board_cached(Frame(spotted(), 2), KNOWN, before, anew=True)
        assert candidates() == [[], []]

    @pytest.mark.parametrize(("sure", "is_known"), [(0.96, True), (0.9, False)])
    def test_the_search_knows_where_plain_dice_lay(
        self, monkeypatch: pytest.MonkeyPatch, sure: float, is_known: bool
    ) -> None:
        """A search that overlooks one this time does no harm."""
        one = die(4, sure=sure, at_px=LOWER_RIGHT)
        calls = read_with(monkeypatch, lambda _frame, _previous: found(replace(EMPTY, dice=(one,))))
        before = read_board_cached(Frame(spotted(), 0), KNOWN)
        read_board_cached(Frame(spotted(), 1), KNOWN, before, anew=True)
        first, second = (previous.die_spots for _, previous in calls)
        assert first == ()
        assert [(spot.centre_px, spot.size_px) for spot in second] == ([(LOWER_RIGHT, one.size_px)] if is_known else [])


Shows = dict[str, object]
Shown = Callable[..., list[PositionsWithoutDice | None]]
A_DIE: Shows = {"dice": (die(4),)}


class TestCheckersAtRest:
    """The checkers of a scene at rest without dice are known in the frames after it."""

    @pytest.fixture
    def shown(self, monkeypatch: pytest.MonkeyPatch) -> Shown:
        """Frames with one checker more than the frame before, and these contents; the knowledge each is read with."""

        def frames(*shows: Shows, anew: Sequence[bool] | None = None) -> list[PositionsWithoutDice | None]:
            def reader(frame: Frame, _previous: PreviousFrame) -> FrameReading:
                number = frame.taken_ms + 1
                middles_mm = np.array([(40.0 * n, 200.0) for n in range(number)])
                standing = replace(
                    NOTHING_STANDS, middles_mm=middles_mm, chances=np.ones(number), is_seen=np.ones(number, np.bool_)
                )
                return found(replace(EMPTY, **shows[frame.taken_ms]), positions=standing)  # type: ignore[arg-type]

            calls = read_with(monkeypatch, reader)
            seen: CachedReading | None = None
            for taken_ms, is_anew in enumerate(anew or [True] * len(shows)):
                at_px = UPPER_LEFT if taken_ms % 2 else None  # so that each is read
                seen = read_board_cached(Frame(spotted(at_px), taken_ms), KNOWN, seen, anew=is_anew)
            read_board_cached(Frame(spotted(), 0), MOVED, seen)
            assert calls.pop()[1].checkers_before is None  # another calibration forgets them
            return [previous.checkers_before for _, previous in calls]

        return frames

    def test_they_are_those_of_the_last_frame(self, shown: Shown) -> None:
        first, *others = shown({}, {}, {})
        assert first is None
        assert [len(stood.positions.chances) for stood in others if stood] == [1, 2]

    @pytest.mark.parametrize("shows", [{"perhaps_more_dice": True}, {"hand_in_view": True}, A_DIE])
    def test_a_frame_with_possible_dice_or_a_hand_teaches_nothing(self, shown: Shown, shows: Shows) -> None:
        assert [len(stood.positions.chances) for stood in shown({}, shows, shows, {}, {}) if stood] == [1, 1, 1, 4]

    def test_a_moving_scene_teaches_nothing(self, shown: Shown) -> None:
        """A die that rolls is not always detected."""
        assert shown({}, {}, {}, anew=[False] * 3) == [None, None, None]

    @pytest.mark.parametrize(
        ("shows", "rests", "is_played_on"),
        [
            ([{}, {}], [True, True], False),
            ([{}, A_DIE, A_DIE], [True, False, True], False),  # the first throw, and its rest
            ([{}, A_DIE, {}], [True, True, True], False),  # a second reading of it
            ([{}, {"hand_in_view": True}, {}], [True, True, False], False),  # a hand that waits with the dice
            ([{}, A_DIE, {}], [True, True, False], True),  # the play
            ([{}, A_DIE, {}, A_DIE], [True, True, False, True], True),
            ([{}, {"perhaps_more_dice": True}, {}], [True, True, False], True),
            ([{}, A_DIE, {}, {}, {}], [True, True, False, True, False], False),  # lifted
        ],
    )
    def test_motion_after_dice_may_be_a_play(
        self, shown: Shown, shows: Sequence[Shows], rests: Sequence[bool], is_played_on: bool
    ) -> None:
        """The expected value is what the last frame knows."""
        stood = shown(*shows, anew=rests)[-1]
        assert stood is not None
        assert stood.has_moved_since is is_played_on
