"""The referee against the truth of the simulated table: `python -m tests.benchmarks.simulated_turns [--turns N] ...`.

The games are played in turn, filmed with mishaps and refereed, each at another table and from other seats, until there
are enough turns. Frames are drawn at a fixed size; `--readings` leaves out drawing and reading of pictures, and `--noise`
makes the readings err N times as often as usual. Every difference is printed with the seed that reproduces it
(`--seed S --games G --turns 1`), then the table of bars.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from controller.match.seating import ALL_SEATINGS, Seating
from controller.refereeing.match_config import MatchConfig
from controller.rules import GAMES, RULESETS, Contact, Ruleset
from controller.rules.grasshopper.game import STANDARD, GrasshopperRules
from controller.session.camera_watch import VideoProcessor
from controller.simulation.compare import Comparison, DifferenceKind
from controller.simulation.filmed.arrangements import plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.readings import PERFECT, TYPICAL_NOISE, Noise
from controller.simulation.filmed.snapshots import FrameRates
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import RefereeRun, film_game, referee_film
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.mishaps import EVERYDAY_MISHAPS, NO_MISHAPS, Mishaps
from tests.vision.simulated.played_tables import calibration_of
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style

TURNS_A_GAME = 40  # so that every game is seen from its beginning, and sometimes to its end


@dataclass(frozen=True, slots=True)
class Setting:
    """What all games of a run share; without a size there are no pictures."""

    pace: FrameRates
    mishaps: Mishaps
    size_px: tuple[int, int] | None
    noise: Noise
    has_bar: bool = True


def one_game(game: str, seed: int, turns: int, setting: Setting) -> RefereeRun:
    """Referees the beginning of one game."""
    rules = RULESETS.get(game, STANDARD)
    seating = choose_seating(rules, seed)
    table = MatchConfig(game=game, rules=rules, seating=seating)
    plan = GamePlan(seed=seed, seating=seating, mishaps=setting.mishaps, max_turns=turns)
    pins = isinstance(rules, Ruleset) and rules.contact is Contact.PIN
    if setting.size_px is None:
        board = BoardPlan() if setting.has_bar else BoardPlan(width_mm=440.0, bar_mm=(220.0, 220.0))
        observer, film = Observer(board, seed, setting.noise, pins), film_game(rules, replace(plan, board=board))
        return referee_film(SimulatedTable(film, board, observer, setting.pace), table, None)
    style = table_style(seed, setting.size_px, has_bar=setting.has_bar)
    board = plan_of(style)
    drawn = SimulatedTable(
        film_game(rules, replace(plan, board=board)), board, FrameMaker(Painter(style), pins), setting.pace
    )
    return referee_film(drawn, table, VideoProcessor(calibration_of(style)))


def choose_seating(rules: Ruleset | GrasshopperRules, seed: int) -> Seating:
    head = rules.white_head if isinstance(rules, Ruleset) else 12
    fitting = [one for one in ALL_SEATINGS if one.white_head == head]
    return fitting[seed % len(fitting)]


def run(games: Sequence[str], turns: int, seed: int, setting: Setting) -> int:
    """Referees games until there are `turns` turns, and prints the figures; 1 when a bar is missed."""
    total, frame_count, begun = Comparison(), 0, time.perf_counter()
    for number in count():
        if total.turns >= turns:
            break
        game, game_seed = games[number % len(games)], seed + number
        result = one_game(game, game_seed, min(TURNS_A_GAME, turns - total.turns), setting)
        found = result.comparison
        total, frame_count = total + found, frame_count + result.frame_count
        print(
            f"{game:18} seed {game_seed:5}  {found.turns:3} turns  {len(found.differences):3} differences", flush=True
        )
        for one in found.differences:
            print(f"    {one.at_ms:8} ms  {one.kind.value}: {one.sentence}")
    return print_bars(total, frame_count / (time.perf_counter() - begun))


def print_bars(total: Comparison, frames_a_second: float) -> int:
    """Prints the table of bars; 1 when one is missed."""
    reported_ms = sorted(total.roll_latencies_ms) or [0]
    unsure, at_most = total.unsure_turns / max(total.turns, 1), float.__le__
    found = total.illegal_found / max(total.illegal, 1)
    refused = total.count(DifferenceKind.VALID_REFUSED) / max(total.throws - total.invalid_throws, 1)
    named = total.illegal_named / max(total.illegal, 1)
    bars: tuple[tuple[str, float, float, Callable[[float, float], bool]], ...] = (
        ("wrong rulings", float(total.wrong_rulings), 0.0, at_most),
        ("false accusations", float(total.count(DifferenceKind.FALSE_ACCUSATION)), 0.0, at_most),
        ("invalid throws accepted", float(total.count(DifferenceKind.INVALID_ACCEPTED)), 0.0, at_most),
        ("illegal plays found", found, 0.995, float.__ge__),
        ("illegal plays named rightly", named, 0.98, float.__ge__),
        ("unsure turns", unsure, 0.02, at_most),
        ("valid throws refused", refused, 0.015, at_most),
    )
    print(f"\n{total.turns} turns, {total.throws} throws, of which {total.invalid_throws} did not count "
          f"({total.invalid_refused} refused), {total.illegal} illegal plays")  # fmt: skip
    is_missed = False
    for name, value, bar, is_kept in bars:
        kept = is_kept(value, bar)
        is_missed |= not kept
        print(f"  {name:30} {value:8.3f}   bar {bar:5.3f}   {'kept' if kept else 'MISSED'}")
    for miss in DifferenceKind:
        print(f"  {miss.value:45} {total.count(miss):5}")
    median, late = reported_ms[len(reported_ms) // 2], reported_ms[len(reported_ms) * 99 // 100]
    print(f"  dice at rest to ruling: median {median} ms, 99 % within {late} ms; {frames_a_second:.1f} frames a second")
    return int(is_missed)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.simulated_turns")
    parser.add_argument("--turns", type=int, default=200, help="turns in all (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readings", action="store_true", help="simulate readings, draw no pictures")
    parser.add_argument(
        "--noise",
        type=float,
        nargs="?",
        const=1.0,
        default=0.0,
        metavar="N",
        help="simulated readings err N times as often as usual",
    )
    parser.add_argument("--no-mishaps", action="store_true")
    parser.add_argument("--no-bar", action="store_true", help="boards without a bar: hit checkers lie beside the board")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES, metavar="G")
    parser.add_argument("--size", default="640x480", metavar="WxH")
    parser.add_argument(
        "--fps", type=float, default=10.0, help="frames a second while something happens, half as many otherwise"
    )
    options = parser.parse_args(arguments)
    width, height = map(int, options.size.split("x"))
    setting = Setting(
        FrameRates(options.fps, options.fps / 2),
        NO_MISHAPS if options.no_mishaps else EVERYDAY_MISHAPS,
        None if options.readings else (width, height),
        replace(TYPICAL_NOISE, one_off=options.noise * TYPICAL_NOISE.one_off) if options.noise else PERFECT,
        has_bar=not options.no_bar,
    )
    return run(options.games, options.turns, options.seed, setting)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
