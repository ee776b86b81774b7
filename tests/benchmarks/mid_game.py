"""Recordings that begin in mid-game, transcribed: `python -m tests.benchmarks.mid_game [--recordings N] [--seed S]`.

Each recording shows the last turns of a game that nobody announced: the transcriber is told the game only. The games
alternate, and so do the seats. Heads hold 10 to 15 checkers, heaps are read one off now and then, checkers are borne off
or on the bar, no tray is in view, and every third recording begins under a hand, every third one in the middle of a turn.
Readings are simulated; `--drawn` draws the pictures and reads them. Every difference is printed with its seed.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from controller.match.events import GameStarted, RefereeEvent
from controller.match.seating import ALL_SEATINGS, Seating
from controller.observing.observation import Observation
from controller.refereeing.joining import make_belief
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, step
from controller.rules import RULESETS, Contact, Ruleset
from controller.session.camera_watch import VideoProcessor
from controller.session.transcribing import infer_table, with_nobody_to_ask
from controller.simulation.compare import WRONG_RULINGS, Comparison, DifferenceKind, compare
from controller.simulation.filmed.arrangements import plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.readings import Noise
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
from controller.simulation.scripts.playthrough import GameProgress, TurnPlayed, play_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.truth import TrueEvent, TruePlay, TrueThrow
from tests.vision.simulated.played_tables import calibration_of
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style

GAMES = tuple(name for name, rules in RULESETS.items() if not rules.has_reserve)
"""Waiting and borne-off checkers look alike, so a game with a reserve is not joined."""
NOISE = Noise(one_off=2e-4, one_off_high=0.05, place_px=0.4, doubtful_die=0.02)
LEAST_BEFORE, MOST_BEFORE = 1, 60  # turns before the recording begins
LEAST_TURNS, MOST_TURNS = 5, 8  # turns of the recording
JOINED_WITHIN = 2  # turns
BEGINNINGS = ("rest", "hand", "turn")
_UNRULED = frozenset({DifferenceKind.NO_RULING, DifferenceKind.OUT_OF_STEP})
_PICTURE = np.zeros((4, 4, 3), np.uint8)  # of a recording whose readings are simulated


@dataclass(frozen=True, slots=True)
class Recording:
    """What a camera saw of a game from some time on, and the truth from then on."""

    game: str
    seed: int
    seating: Seating
    frames: tuple[Frame, ...]
    seen: "SeenBefore | VideoProcessor"
    truths: tuple[TrueEvent, ...]

    @property
    def name(self) -> str:
        return f"{self.game} seed {self.seed}"


@dataclass(frozen=True, slots=True)
class SeenBefore:
    """A processor of pictures whose observations are known."""

    observations: dict[int, Observation]
    calibration: Calibration | None = None
    newest_reading: None = None

    def process(self, frame: Frame) -> tuple["SeenBefore", Observation]:
        return self, self.observations[frame.taken_ms]


@dataclass(slots=True)
class Score:
    """Figures of one or several recordings; `late` counts those joined after more than `JOINED_WITHIN` turns."""

    recordings: int = 0
    gameless: int = 0
    late: int = 0
    seats_wrong: int = 0
    until_joined: list[int] = field(default_factory=list)
    compared: Comparison = field(default_factory=Comparison)
    slowest_ms: list[float] = field(default_factory=list)
    unruled: int = 0

    @property
    def wrong_turns(self) -> int:
        return sum(one.kind in WRONG_RULINGS for one in self.compared.differences)

    def add(self, other: "Score") -> None:
        self.recordings += other.recordings
        self.gameless += other.gameless
        self.late += other.late
        self.seats_wrong += other.seats_wrong
        self.until_joined += other.until_joined
        self.compared += other.compared
        self.slowest_ms += other.slowest_ms
        self.unruled += other.unruled


def standing_at(rules: Ruleset, seed: int) -> tuple[GameProgress, int]:
    """The state of a seeded game somewhere in its middle, and the number of turns to be recorded from there."""
    chance = Random(f"{seed} mid-game")
    recorded = chance.randint(LEAST_TURNS, MOST_TURNS)
    while True:
        played = [turn for turn in play_game(rules, SeededDice(chance), DemoPlayer(rules, chance), max_turns=MOST_BEFORE + MOST_TURNS)
                  if isinstance(turn, TurnPlayed)]  # fmt: skip
        most = min(MOST_BEFORE, len(played) - recorded)
        if most >= LEAST_BEFORE:
            break
    number = chance.randint(LEAST_BEFORE, most) if chance.random() < 0.7 else chance.randint(most * 3 // 4, most)
    standing = GameProgress(played[0].before, played[0].player)
    for turn in played[: max(number, LEAST_BEFORE)]:
        standing = standing.with_turn(turn)
    return standing, recorded


def record(game: str, seed: int, *, size_px: tuple[int, int] | None) -> Recording:
    """Films the last turns of a game and cuts off the beginning as the seed says."""
    rules = RULESETS[game]
    seating = _seating(rules, seed)
    standing, turns = standing_at(rules, seed)
    played = sum(standing.turns.values())
    plan = GamePlan(seed=seed, seating=seating, start=standing, max_turns=played + turns)
    pins = rules.contact is Contact.PIN
    if size_px is None:
        board = BoardPlan()
        table = SimulatedTable(film_game(rules, replace(plan, board=board)), board, Observer(board, seed, NOISE, pins))
        seen = [one for one in table.inputs() if isinstance(one, Observation)]
        first = _find_beginning(seen, BEGINNINGS[seed % len(BEGINNINGS)])
        shown = {one.taken_ms: one for one in seen[first:]}
        frames = tuple(Frame(_PICTURE, at_ms) for at_ms in shown)
        return Recording(game, seed, seating, frames, SeenBefore(shown), _cut(table.truths, frames[0].taken_ms))
    style = table_style(seed, size_px)
    board = plan_of(style)
    drawn = SimulatedTable(film_game(rules, replace(plan, board=board)), board, FrameMaker(Painter(style), pins))
    frames = tuple(one for one in drawn.inputs() if isinstance(one, Frame))
    return Recording(game, seed, seating, frames, VideoProcessor(calibration_of(style)), tuple(drawn.truths))


def _seating(rules: Ruleset, seed: int) -> Seating:
    fitting = [one for one in ALL_SEATINGS if one.white_head == rules.white_head and one.white_plays.value == "light"]
    return fitting[Random(f"{seed} seats").randrange(len(fitting))]


def _find_beginning(seen: Sequence[Observation], beginning: str) -> int:
    """The index of the first frame: at rest, under the first hand, or in the first turn, with its dice on the board."""
    if beginning == "hand":
        return next(number for number, one in enumerate(seen) if one.hand_in_view)
    if beginning == "turn":
        return next(number for number, one in enumerate(seen) if len(one.dice) == 2)
    return 0


def _cut(truths: Sequence[TrueEvent], from_ms: int) -> tuple[TrueEvent, ...]:
    """What happened since `from_ms`; a turn whose throw was made before is left out as well."""
    plays = [one for one in truths if isinstance(one, TruePlay)]
    throws = [one.at_ms for one in truths if isinstance(one, TrueThrow)]
    is_under_way = any(at_ms <= from_ms < plays[0].at_ms for at_ms in throws) if plays else False
    begins_ms = plays[0].at_ms if is_under_way else from_ms - 1
    return tuple(one for one in truths if not isinstance(one, TruePlay | TrueThrow) or one.at_ms > begins_ms)


def transcribe(recording: Recording) -> Score:
    """Transcribes a recording as `zarbiter transcribe` does."""
    told = with_nobody_to_ask(MatchConfig(game=recording.game, rules=RULESETS[recording.game]))
    joined_ms = list[int]()
    table, processor = infer_table(_watch_frames(recording, told, joined_ms), recording.seen, told)  # type: ignore[arg-type]
    plays = [one for one in recording.truths if isinstance(one, TruePlay)]
    until = sum(play.at_ms < joined_ms[0] for play in plays) if joined_ms else len(plays)
    state, begun = begin_match(table, 0)
    events, slowest_ms = list[RefereeEvent](begun), list[float]()
    for frame in recording.frames:
        processor, seen = processor.process(frame)
        started = time.perf_counter()
        state, now = step(state, seen, table)
        slowest_ms.append(1000 * (time.perf_counter() - started))
        events += now
    started_game = any(isinstance(event, GameStarted) for event in events)
    compared = compare(recording.truths, tuple(events))
    is_seated = state.seating is not None and state.seating == recording.seating
    unruled = {one.at_ms for one in compared.differences if one.kind in _UNRULED}
    return Score(1, not started_game, until > JOINED_WITHIN, not is_seated, [until], compared, slowest_ms, len(unruled))


def _watch_frames(recording: Recording, told: MatchConfig, joined_ms: list[int]) -> Iterator[Frame]:
    """The frames; `joined_ms` gets the time at which it is certain who sits where and who is on turn."""
    belief, processor = make_belief(told), recording.seen
    for frame in recording.frames:
        if belief is not None and not joined_ms:
            processor, seen = processor.process(frame)
            belief = belief.with_observation(seen)
            joined_ms += [] if belief.decided is None else [frame.taken_ms]
        yield frame


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.mid_game")
    parser.add_argument("--recordings", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES, metavar="G")
    parser.add_argument("--drawn", action="store_true", help="draw the pictures and read them")
    options = parser.parse_args(arguments)
    total = Score()
    for number in range(options.recordings):
        game, seed = options.games[number % len(options.games)], options.seed + number
        score = transcribe(record(game, seed, size_px=(640, 480) if options.drawn else None))
        total.add(score)
        print(f"{game:16} seed {seed:4}  {score.compared.turns} turns, {len(score.compared.differences)} differences, "
              f"{'NO GAME' if score.gameless else f'joined in turn {score.until_joined[0]}'}"
              f"{', seats wrong' if score.seats_wrong else ''}", flush=True)  # fmt: skip
        for one in score.compared.differences:
            print(f"    {one.at_ms:8} ms  {one.kind.value}: {one.sentence}")
    return print_bars(total)


def print_bars(total: Score) -> int:
    """Prints the figures beside their bars; 1 when a bar is missed."""
    unruled = (total.wrong_turns + total.unruled) / max(total.compared.turns, 1)
    bars = (
        ("recordings without a game", float(total.gameless), 0.0),
        (f"recordings joined after more than {JOINED_WITHIN} turns", float(total.late), 0.0),
        ("wrong rulings", float(total.wrong_turns), 0.0),
        ("share of turns without a right ruling", unruled, 0.05),
    )
    print(f"\n{total.recordings} recordings, {total.compared.turns} turns, {total.seats_wrong} with wrong seats")
    for name, value, bar in bars:
        print(f"  {name:46} {value:7.3f}   bar {bar:5.3f}   {'kept' if value <= bar else 'MISSED'}")
    for kind in DifferenceKind:
        print(f"  {kind.value:46} {total.compared.count(kind):5}")
    steps = sorted(total.slowest_ms)
    print(f"  step of the referee: 99 % within {steps[len(steps) * 99 // 100]:.1f} ms, longest {steps[-1]:.0f} ms")
    return int(any(value > bar for _, value, bar in bars))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
