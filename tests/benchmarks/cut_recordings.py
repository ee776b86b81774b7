"""Recordings with a part missing, refereed: `python -m tests.benchmarks.cut_recordings [--turns N] [--live] ...`.

The games alternate. From each film a part is left out that holds at least one whole throw or play, up to `MOST_CUT_MS`:
as a *jump*, after which the clock of the recording goes on as if nothing were missing, or as a *gap*, after which it shows
the time that has passed; in *drops* single frames are missing. Readings are simulated. No play that was seen may be ruled
otherwise than it was made, nobody may be accused of a turn that is missing, and soon after the cut each turn has to be ruled
from the true board. `--live`: the table can be asked, but nobody answers; then only wrong rulings and accusations count.
"""

import argparse
import pickle
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from controller.match.events import Evidence, PlayMade, PlayRefused, RefereeEvent
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, step
from controller.rules import RULESETS, Contact
from controller.session.transcribing import with_nobody_to_ask
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.snapshots import TableSnapshot
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.truth import TruePlay
from tests.benchmarks.mid_game import NOISE
from tests.benchmarks.simulated_turns import choose_seating

KINDS = ("jump", "gap", "drops")
TURNS_A_FILM = 16
LEAST_CUT_MS, MOST_CUT_MS = 3_000, 60_000
DROPPED = 0.1  # the share of single frames that are missing
MOST_MEMORY_MB = 20
MEASURED_EVERY = 20  # frames
IN_STEP_WITHIN = 2  # turns after a cut


@dataclass(slots=True)
class Score:
    """Figures of one or several films. `lost`: for each cut, the turns after it until one is ruled from the true board."""

    turns: int = 0
    right: int = 0
    wrong: int = 0
    accused: int = 0
    lost: list[int] = field(default_factory=list)
    steps_ms: list[float] = field(default_factory=list)
    memory_bytes: int = 0  # of throws, boards and hypotheses that the referee remembers, at most

    def add(self, other: "Score") -> None:
        self.turns += other.turns
        self.right += other.right
        self.wrong += other.wrong
        self.accused += other.accused
        self.lost += other.lost
        self.steps_ms += other.steps_ms
        self.memory_bytes = max(self.memory_bytes, other.memory_bytes)


@dataclass(frozen=True, slots=True)
class CutFilm:
    """What is left of a film, and its true plays; those that ended in the part from `cut_ms` to `goes_on_ms` are `missing`."""

    snapshots: tuple[TableSnapshot, ...]
    plays: tuple[TruePlay, ...]
    missing: frozenset[int]
    cut_ms: int


def cut_film(game: str, seed: int, kind: str) -> CutFilm:
    rules, chance = RULESETS[game], Random(f"{seed} cut")
    seating = choose_seating(rules, seed)
    film = film_game(rules, GamePlan(seed=seed, seating=seating, max_turns=TURNS_A_FILM))
    table = SimulatedTable(film, BoardPlan(), lambda moment: moment)
    shots = [one for one in table.inputs() if isinstance(one, TableSnapshot)]
    plays = tuple(one for one in table.truths if isinstance(one, TruePlay))
    if kind == "drops":
        kept = tuple(one for number, one in enumerate(shots) if number == 0 or chance.random() >= DROPPED)
        return CutFilm(kept, plays, frozenset(), sys.maxsize)
    cut_ms = chance.randint(plays[2].at_ms, plays[-5].at_ms)
    goes_on_ms = cut_ms + chance.randint(LEAST_CUT_MS, min(MOST_CUT_MS, plays[-3].at_ms - cut_ms))
    shift_ms = goes_on_ms - cut_ms - 100 if kind == "jump" else 0
    kept = tuple(
        replace(one, taken_ms=one.taken_ms - (shift_ms if one.taken_ms >= goes_on_ms else 0))
        for one in shots
        if not cut_ms <= one.taken_ms < goes_on_ms
    )
    missing = {number for number, play in enumerate(plays) if cut_ms <= play.at_ms < goes_on_ms}
    under_way = next((number for number, play in enumerate(plays) if play.at_ms >= goes_on_ms), len(plays))
    return CutFilm(kept, plays, frozenset({*missing, under_way}), cut_ms)


def referee(film: CutFilm, game: str, seed: int, *, live: bool) -> Score:
    rules = RULESETS[game]
    table = MatchConfig(game=game, rules=rules, seating=choose_seating(rules, seed))
    table = table if live else with_nobody_to_ask(table)
    observer = Observer(BoardPlan(), seed, NOISE, rules.contact is Contact.PIN)
    state, begun = begin_match(table, 0)
    events, steps_ms = list[RefereeEvent](begun), list[float]()
    memory_bytes = 0
    for number, shot in enumerate(film.snapshots):
        seen = observer(shot)
        started = time.perf_counter()
        state, now = step(state, seen, table)
        steps_ms.append(1000 * (time.perf_counter() - started))
        events += now
        if number % MEASURED_EVERY == 0:
            memory_bytes = max(memory_bytes, len(pickle.dumps(state.seen.memory)))
    return replace(compare(film, events, steps_ms), memory_bytes=memory_bytes)


def compare(film: CutFilm, events: Sequence[RefereeEvent], steps_ms: list[float]) -> Score:
    """Each ruling beside the true plays, whenever it was made; the plays of films without mishaps are all legal."""
    true = {(play.player, play.before, play.after) for play in film.plays}
    made = [one for one in events if isinstance(one, PlayMade) and one.evidence is not Evidence.ENTERED]
    wrong = [one for one in made if (one.player, one.before, one.after) not in true]
    accused = [one for one in events if isinstance(one, PlayRefused)]
    ruled = {(one.player, one.before, one.after) for one in made}
    is_right = [(play.player, play.before, play.after) in ruled for play in film.plays]
    seen = [number for number in range(len(film.plays)) if number not in film.missing]
    after = [number for number in seen if film.missing and number > max(film.missing)]
    until = next((turns for turns, number in enumerate(after) if is_right[number]), len(after))
    found: tuple[PlayMade | PlayRefused, ...] = (*wrong, *accused)
    for one in found:
        kind = "WRONG" if isinstance(one, PlayMade) else "ACCUSED"
        what = f"{one.player.name} {one.numbers} from {one.before} to {one.after}"
        print(f"    {one.at_ms:8} ms  {kind} {what} (cut {film.cut_ms})")
    return Score(
        len(seen),
        sum(is_right[number] for number in seen),
        len(wrong),
        len(accused),
        [until] if after else [],
        steps_ms,
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cut_recordings")
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, metavar="K")
    parser.add_argument("--games", nargs="+", choices=list(RULESETS), default=list(RULESETS), metavar="G")
    parser.add_argument("--live", action="store_true", help="people could be asked, and nobody answers")
    options = parser.parse_args(arguments)
    total, number = Score(), 0
    while total.turns < options.turns:
        game, kind = options.games[number % len(options.games)], options.kinds[number % len(options.kinds)]
        seed = options.seed + number
        score = referee(cut_film(game, seed, kind), game, seed, live=options.live)
        lost = f", lost for {score.lost[0]}" if score.lost else ""
        print(f"{game:16} seed {seed:4} {kind:5} {score.right:3} of {score.turns:3} turns right, {score.wrong} wrong, "
              f"{score.accused} accused{lost}", flush=True)  # fmt: skip
        total.add(score)
        number += 1
    return print_bars(total, live=options.live)


def print_bars(total: Score, *, live: bool) -> int:
    """Prints the figures beside their bars; 1 when a bar is missed."""
    bars = [("wrong rulings", total.wrong, 0), ("accusations", total.accused, 0)]
    bars.append(("memory of the belief in MB", round(total.memory_bytes / 1e6), MOST_MEMORY_MB))
    if not live:
        late = sum(turns > IN_STEP_WITHIN for turns in total.lost)
        bars.append((f"cuts after which more than {IN_STEP_WITHIN} turns were lost", late, 0))
    print(f"\n{total.right} of {total.turns} turns right; turns lost after a cut: {sorted(total.lost)}")
    for name, value, bar in bars:
        print(f"  {name:46} {value:5}   bar {bar:3}   {'kept' if value <= bar else 'MISSED'}")
    steps = sorted(total.steps_ms)
    print(f"  step of the referee: 99 % within {steps[len(steps) * 99 // 100]:.1f} ms, longest {steps[-1]:.0f} ms")
    return int(any(value > bar for _, value, bar in bars))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
