"""Whole evenings at one board: `python -m tests.benchmarks.drifting_light [--films NAME ...] [--turns N]`.

Each film is a match on the drawn table with everyday mishaps, in a room that changes (`evenings.py`): light that drifts,
lamps that are switched, a camera that sags and slips until it is put back, glare that wanders, an ornamented board, and all of
these. The board is calibrated as for a user, from the first picture with the start position. Every difference from the
truth is printed, then for each film the places read rightly in its first turn, up to the twentieth and later. With
`--fixed` the reader learns nothing, neither at calibration nor while the match is played.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from controller.match import Checkers, RefereeEvent, events
from controller.observing import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS, Ruleset, start_position
from controller.session.camera_watch import VideoProcessor
from controller.simulation.compare import Comparison, DifferenceKind
from controller.simulation.filmed.arrangements import arrangement_of, plan_of
from controller.simulation.filmed.board_location import locate_board
from controller.simulation.filmed.snapshots import FrameRates, TableSnapshot
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game, referee_film
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging import Beat, Happening, Stacks, TruePlay
from controller.simulation.staging.mishaps import EVERYDAY_MISHAPS
from tests.benchmarks.evenings import EVENING_MS, Change, Evening, plan_evening
from tests.benchmarks.ornamented_tables import find_library, ornament_table
from tests.benchmarks.simulated_turns import choose_seating
from vision import Calibration, Colour, Frame
from vision.board.board_reading import BoardReading, PlaceReading
from vision.checkers.colour_classes import ROW_LENGTH
from vision.field.position_calibration import OccupancyByPlace
from vision.geometry.calibration import Appearance
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style

PUT_BACK_MS = 4000  # from the referee's words until somebody has put the camera back
EARLY_TURNS = 20
MOST_UNSURE = 0.02


@dataclass(frozen=True, slots=True)
class FilmKind:
    """One film: its game, what changes in the room, and whether the board is ornamented."""

    game: str
    changes: tuple[Change, ...] = ()
    is_ornamented: bool = False


FILMS: Mapping[str, FilmKind] = {
    "daylight": FilmKind("backgammon", (Change.DAYLIGHT,)),
    "lamps": FilmKind("long_nardy", (Change.LAMPS,)),
    "sag": FilmKind("tavla", (Change.SAG,)),
    "glare": FilmKind("backgammon", (Change.GLARE,)),
    "ornament": FilmKind("fevga", is_ornamented=True),
    "all": FilmKind("backgammon", tuple(Change), is_ornamented=True),
}


@dataclass(slots=True)
class EveningFrames:
    """Draws the snapshots of an evening. The camera sags since `mounted_ms`; `newest` is the last snapshot drawn."""

    painter: Painter
    evening: Evening
    mounted_ms: int = 0
    newest: TableSnapshot | None = None
    _frame_count: int = 0

    def __call__(self, moment: TableSnapshot) -> Frame:
        self._frame_count += 1
        self.newest = moment
        room = self.evening.room_at(moment.taken_ms, self.mounted_ms)
        arrangement = room.show(arrangement_of(moment, self.painter.style))
        return Frame(self.painter.paint_frame(arrangement, self._frame_count), moment.taken_ms)


@dataclass(slots=True)
class EveningTable(SimulatedTable[Frame]):
    """The simulated table of an evening: when the referee says that the board has moved, the camera is put back."""

    put_back_count: int = 0

    def publish(self, state: RefereeState, emitted: tuple[RefereeEvent, ...], now_ms: int) -> None:
        SimulatedTable.publish(self, state, emitted, now_ms)
        if isinstance(self.render, EveningFrames) and any(isinstance(one, events.BoardMoved) for one in emitted):
            self.render.mounted_ms = now_ms + PUT_BACK_MS
            self.put_back_count += 1


@dataclass(slots=True)
class PlaceCounts:
    """Places of settled boards that were read, and how many of them rightly, by the number of turns played before."""

    read: dict[int, int] = field(default_factory=dict)
    right: dict[int, int] = field(default_factory=dict)

    def add(self, turn: int, read: int, right: int) -> None:
        self.read[turn] = self.read.get(turn, 0) + read
        self.right[turn] = self.right.get(turn, 0) + right

    def share_right(self, first: int, end: int) -> float:
        """The mean over the turns first..end-1 of the share of places read rightly; 1 without such a turn."""
        shares = [self.right[turn] / self.read[turn] for turn in self.read if first <= turn < end]
        return sum(shares) / len(shares) if shares else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class WatchedReader:
    """A processor whose readings are compared with what truly stands there. Unless it `learns`, it stays as calibrated."""

    reader: VideoProcessor
    table: SimulatedTable[Frame]
    frames: EveningFrames
    counts: PlaceCounts
    learns: bool = True

    @property
    def calibration(self) -> Calibration:
        return self.reader.calibration

    @property
    def newest_reading(self) -> BoardReading | None:
        return self.reader.newest_reading

    def with_appearance(self, appearance: Appearance) -> "WatchedReader":
        return replace(self, reader=self.reader.with_appearance(appearance)) if self.learns else self

    def find_moved_board(self, occupancy: OccupancyByPlace) -> "WatchedReader":
        return replace(self, reader=self.reader.find_moved_board(occupancy))

    def process(self, frame: Frame) -> tuple["WatchedReader", Observation]:
        reader, seen = self.reader.process(frame)
        reading, moment = reader.newest_reading, self.frames.newest
        if reading is not None and moment is not None and seen.board is not None and _is_still(moment):
            turn = sum(isinstance(one, TruePlay) for one in self.table.truths)
            self.counts.add(turn, *count_right_places(reading, moment.stacks))
        return replace(self, reader=reader), seen


def _is_still(moment: TableSnapshot) -> bool:
    return moment.hand is None and not moment.rolling


def count_right_places(reading: BoardReading, stacks: Stacks) -> tuple[int, int]:
    """How many points, and the bar if the board has one, are compared with what stands there, and how many are read rightly.

    A place that dice or the cube disturb is not compared, and an unknown one is not right. Of a heap, whose checkers hide one
    another from a camera above, a reading has to show the colour and a full lowest row, as at calibration.
    """
    pairs = list(zip(reading.points(), stacks.points, strict=True))
    is_right = [_is_read_rightly(seen, stack) for (_, seen), stack in pairs]
    if reading.bar is not None:
        on_bar = reading.bar.best()
        is_right.append((on_bar.light, on_bar.dark) == stacks.bar)
    compared = [right for place, right in enumerate(is_right) if place not in reading.disturbed]
    return len(compared), sum(compared)


def _is_read_rightly(seen: PlaceReading, stack: tuple[Checkers, ...]) -> bool:
    colour = Colour.NONE if not stack else Colour.LIGHT if stack[0] is Checkers.LIGHT else Colour.DARK
    best = seen.best()
    is_heap = len(stack) > ROW_LENGTH and best.count >= ROW_LENGTH
    return best.colour is colour and (is_heap or best.count == len(stack))


def cut_film(happenings: Iterator[Happening], turns: int) -> Iterator[Happening]:
    """The film until the first throw after that many plays."""
    played = 0
    for one in happenings:
        if played >= turns and isinstance(one, Beat) and one.rolling:
            return
        played += isinstance(one, TruePlay)
        yield one


@dataclass(frozen=True, slots=True)
class FilmResult:
    """What came of one film; `refusal` says why the board could not be calibrated, "" otherwise."""

    comparison: Comparison
    counts: PlaceCounts
    refusal: str = ""
    lessons: int = 0
    put_back: int = 0


def referee_evening(
    kind: FilmKind,
    seed: int,
    turns: int,
    pace: FrameRates,
    *,
    learns: bool = True,
    size_px: tuple[int, int] = (640, 480),
) -> FilmResult:
    """Referees one film, calibrated from its first picture."""
    rules: Ruleset = RULESETS[kind.game]
    seating = choose_seating(rules, seed)
    style = table_style(seed, size_px)
    if kind.is_ornamented:
        style = ornament_table(style, seed, find_library())
    style, evening = plan_evening(style, kind.changes, seed, EVENING_MS)
    board = plan_of(style)
    plan = GamePlan(
        seed=seed,
        seating=seating,
        board=board,
        mishaps=replace(EVERYDAY_MISHAPS, camera_bumped=0.0),
        games=1 + turns // 10,
    )
    frames = EveningFrames(Painter(style), evening)
    film = EveningTable(cut_film(film_game(rules, plan), turns), board, frames, pace)
    first = frames(next(one for one in _snapshots_of(rules, plan, pace)))
    found = locate_board(first, start_position(rules), seating, rules)
    if not isinstance(found, Calibration):
        return FilmResult(Comparison(), PlaceCounts(), found.reason)
    if not learns:
        found = replace(found, appearance=None)
    watched = WatchedReader(VideoProcessor(found, found.reference), film, frames, PlaceCounts(), learns)
    run = referee_film(film, MatchConfig(game=kind.game, rules=rules, seating=seating), watched)
    learned = sum(isinstance(one, events.BoardLearned) for one in run.events)
    return FilmResult(run.comparison, watched.counts, "", learned, film.put_back_count)


def _snapshots_of(rules: Ruleset, plan: GamePlan, pace: FrameRates) -> Iterator[TableSnapshot]:
    for one in SimulatedTable(film_game(rules, plan), plan.board, lambda moment: moment, pace).inputs():
        if isinstance(one, TableSnapshot):
            yield one


def print_result(name: str, result: FilmResult) -> bool:
    """Prints one film; True when it keeps every bar."""
    found, counts = result.comparison, result.counts
    if result.refusal:
        print(f"{name:9} not calibrated: {result.refusal}", flush=True)
        return False
    accused = found.count(DifferenceKind.FALSE_ACCUSATION)
    first, early, late = (counts.share_right(*span) for span in ((0, 1), (0, EARLY_TURNS), (EARLY_TURNS, sys.maxsize)))
    unsure = found.unsure_turns / max(found.turns, 1)
    kept = not found.wrong_rulings and not accused and unsure <= MOST_UNSURE and late >= first
    print(
        f"{name:9} {found.turns:3} turns  wrong {found.wrong_rulings}  accused {accused}  unsure {found.unsure_turns} "
        f"({unsure:.1%})  illegal found {found.illegal_found} of {found.illegal}  places right: first turn {first:.2%}, "
        f"to turn {EARLY_TURNS} {early:.2%}, later {late:.2%}  lessons {result.lessons}  put back {result.put_back}",
        flush=True,
    )
    for one in found.differences:
        print(f"    {one.at_ms:8} ms  {one.kind.value}: {one.sentence}", flush=True)
    return kept


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.drifting_light")
    parser.add_argument("--films", nargs="+", choices=list(FILMS), default=list(FILMS), metavar="NAME")
    parser.add_argument("--turns", type=int, default=60, help="turns of each film (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fps", type=float, default=10.0, help="frames a second; half as many of a table at rest")
    parser.add_argument("--fixed", action="store_true", help="learn nothing")
    options = parser.parse_args(arguments)
    is_kept, begun = True, time.perf_counter()
    for name in options.films:
        seed = options.seed * 100 + list(FILMS).index(name)
        pace = FrameRates(options.fps, options.fps / 2)
        result = referee_evening(FILMS[name], seed, options.turns, pace, learns=not options.fixed)
        is_kept &= print_result(name, result)
    print(f"{'kept' if is_kept else 'MISSED'}; {time.perf_counter() - begun:.0f} s")
    return int(not is_kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
