"""The demo under an operator who presses at random: `python -m tests.benchmarks.operated_demo [--seeds N] [--minutes M]`.

For each seed the games of the demo are played with mishaps, one after the other, until M minutes at `--speed` have passed
at the table; the readings are simulated, so that no picture is drawn. The operator presses the buttons that the page shows
at that moment, and answers questions. Each game must come to its end, and no ruling may be wrong that the operator has not
caused.
"""

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from controller.match.commands import (
    AcceptRoll,
    AnswerResignation,
    Beaver,
    CallDispute,
    ChangeMode,
    ChoosePlay,
    Command,
    Condone,
    CorrectBoard,
    CorrectRoll,
    DropDouble,
    EndTurn,
    NextGame,
    OfferDouble,
    Pause,
    Resign,
    Resume,
    SetSeating,
    SetStarter,
    SettleDispute,
    TakeBackAnswer,
    TakeBackPlay,
    TakeDouble,
    WithdrawRoll,
)
from controller.match.events import CommandRefused, GameWon, Mode, RefereeEvent
from controller.match.seating import Checkers, PictureEdge, Seating
from controller.questions.likely_answers import list_likely_plays
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, step
from controller.refereeing.state import Phase, RefereeState
from controller.rules import GAMES, RULESETS, Contact, Player, ResultKind, Ruleset
from controller.simulation.compare import Comparison, compare
from controller.simulation.demo import DemoGame, make_demo_game
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.staging.board_plan import BoardPlan
from controller.web.match.orders import list_available_orders

EVERY_MS = 12_000
"""Between two presses at the table on average: three seconds at four times the speed of a real table."""
RARE = {"Resign": 0.1, "DropDouble": 0.4, "NextGame": 0.5, "SetSeating": 0.3, "ChangeMode": 0.2}
"""How often an order is pressed, against the others: most games shall not be given up."""


@dataclass(slots=True)
class RandomOperator:
    """Presses now and then one of the buttons that are there."""

    table: MatchConfig
    chance: Random
    state: RefereeState | None = None
    next_ms: int = 5_000
    pressed: Counter[str] = field(default_factory=Counter)

    def __call__(self) -> Iterator[Command]:
        state = self.state
        if state is None or state.seen.now_ms < self.next_ms:
            return
        self.next_ms = state.seen.now_ms + int(self.chance.expovariate(1 / EVERY_MS))
        names = list_available_orders(state, self.table)
        if names:
            (name,) = self.chance.choices(names, [RARE.get(one, 1.0) for one in names])
            if (order := self.order(name, state)) is not None:
                self.pressed[name] += 1
                yield order

    def order(self, name: str, state: RefereeState) -> Command | None:
        """The order as the page sends it; None where the question offers nothing."""
        player = state.on_turn or self.chance.choice(list(Player))
        offered = state.cube.offer_by.opponent if state.cube.offer_by else player
        match name:
            case "OfferDouble":
                return OfferDouble(player)
            case "TakeDouble" | "DropDouble" | "Beaver":
                return OF_OFFERED[name](offered)
            case "SetStarter":
                return SetStarter(self.chance.choice(list(Player)))
            case "Resign":
                return Resign(player, self.chance.choice([ResultKind.SINGLE, ResultKind.MARS]))
            case "AnswerResignation" if state.game.resignation is not None:
                return AnswerResignation(state.game.resignation.player.opponent, accept=self.chance.random() < 0.5)
            case "CorrectRoll":
                return CorrectRoll((self.chance.randint(1, 6), self.chance.randint(1, 6)))
            case "CorrectBoard":
                return self._board(state)
            case "ChoosePlay":
                options = list_likely_plays(state, self.table)
                return ChoosePlay(self.chance.choice(options).after) if options else None
            case "SetSeating":
                head = self.table.rules.white_head if isinstance(self.table.rules, Ruleset) else 12
                return SetSeating(
                    Seating(
                        self.chance.choice(list(Checkers)),
                        self.chance.choice(list(PictureEdge)),
                        self.chance.random() < 0.5,
                        head,
                    )
                )
            case "ChangeMode":
                return ChangeMode(self.chance.choice(list(Mode)))
            case _:
                return PLAIN[name]()

    def _board(self, state: RefereeState) -> Command:
        """The board as it is or before the last play, with or without who throws next."""
        before = state.before_play.position if state.before_play else state.position
        on_turn = self.chance.choice([None, *Player])
        return CorrectBoard(self.chance.choice([state.position, before]), on_turn)


OF_OFFERED: dict[str, Callable[[Player], Command]] = {
    "TakeDouble": TakeDouble,
    "DropDouble": DropDouble,
    "Beaver": Beaver,
}
PLAIN: dict[str, Callable[[], Command]] = {
    one.__name__: one
    for one in (
        AcceptRoll, CallDispute, Condone, EndTurn, NextGame, Pause, Resume, SettleDispute, TakeBackAnswer, TakeBackPlay,
        WithdrawRoll,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Played:
    """One game. `is_over`: the referee saw its end."""

    comparison: Comparison
    events: tuple[RefereeEvent, ...]
    took_ms: int
    is_over: bool


class Operator(Protocol):
    """Gives the orders that wait; `state` is the referee's newest state."""

    state: RefereeState | None

    def __call__(self) -> Iterator[Command]: ...


def play_game(demo: DemoGame, operator: Operator) -> Played:
    """One game of the demo from simulated readings, with an operator."""
    table, board, plan = demo.table, BoardPlan(), demo.plan
    pins = isinstance(table.rules, Ruleset) and table.rules.contact is Contact.PIN
    observer = Observer(board, demo.seed, pins=pins)
    film = film_game(table.rules, replace(plan, board=board))
    simulated = SimulatedTable(film, board, observer, hearing=plan.hearing, orders=operator)
    state, begun = begin_match(table, 0)
    events = list(begun)
    for given in simulated.inputs():
        state, now = step(state, given, table)
        events += now
        operator.state = state
        simulated.publish(state, now, state.seen.now_ms)
    is_over = state.phase is Phase.GAME_OVER and any(isinstance(one, GameWon) for one in events)
    return Played(compare(simulated.truths, events), tuple(events), state.seen.now_ms, is_over)


def run_seed(seed: int, games: Sequence[str], film_ms: int) -> tuple[Comparison, Counter[str]]:
    """Games in turn until the time has passed; prints what was wrong."""
    total, counts, pressed, played_ms, number = Comparison(), Counter[str](), Counter[str](), 0, 0
    while played_ms < film_ms:
        game, game_seed = games[(seed + number) % len(games)], 1000 * seed + number
        number += 1
        try:
            demo = make_demo_game(game, RULESETS.get(game), game_seed, has_mishaps=True)
            played = play_game(demo, RandomOperator(demo.table, Random(f"operator {game_seed}"), pressed=pressed))
        except Exception:  # noqa: BLE001 - counted and printed
            counts["tracebacks"] += 1
            print(f"{game} seed {game_seed}\n{traceback.format_exc()}", flush=True)
            played_ms += 60_000
            continue
        played_ms += played.took_ms
        total += played.comparison
        counts["games"] += 1
        counts["unfinished"] += not played.is_over
        counts["refused orders"] += sum(isinstance(one, CommandRefused) for one in played.events)
        if not played.is_over:
            print(f"{game} seed {game_seed}: not over")
        for one in played.comparison.differences:
            print(f"{game} seed {game_seed}: {one.at_ms} ms {one.kind.value}: {one.sentence}", flush=True)
    counts["orders"] = pressed.total()
    print(f"seed {seed}: {dict(counts)}, {total.turns} turns, wrong rulings {total.wrong_rulings}", flush=True)
    print(f"  pressed: {dict(pressed)}", flush=True)
    return total, counts


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.operated_demo")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--speed", type=float, default=4.0)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES, metavar="G")
    chosen = parser.parse_args(arguments)
    total, counts = Comparison(), Counter[str]()
    for seed in range(chosen.first, chosen.first + chosen.seeds):
        found, seen = run_seed(seed, chosen.games, int(chosen.minutes * 60_000 * chosen.speed))
        total, counts = total + found, counts + seen
    print(f"\n{total.turns} turns, {dict(counts)}, wrong rulings {total.wrong_rulings}")
    return int(bool(total.wrong_rulings or counts["tracebacks"] or counts["unfinished"]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
