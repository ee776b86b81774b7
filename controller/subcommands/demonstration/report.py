"""What the demo prints: heading, figures of each game, and whether the referee was right."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.match import GameWon, Peripheral, RefereeEvent
from controller.match_log import IntactChain, MatchLog, verify
from controller.refereeing.state import RefereeState
from controller.rules import NAMES
from controller.simulation.compare import compare
from controller.simulation.demo import LAST_TURNS, SIZE_PX, DemoGame
from controller.simulation.staging import TrueEvent

_LOG = logging.getLogger("zarbiter.demo")


@dataclass(slots=True)
class Figures:
    """A sink that counts frames and collects events."""

    frames: int = 0
    events: list[RefereeEvent] = field(default_factory=list)
    link: Peripheral | None = None

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.events += events


@dataclass(slots=True)
class LinePrinter:
    """Prints lines. A reader that has closed the pipe, as `head` does, ends the demo."""

    is_heard: bool = True

    def __call__(self, line: str) -> None:
        try:
            print(line, flush=True)
        except BrokenPipeError:
            self.is_heard = False
            raise


@dataclass(frozen=True, slots=True)
class GameSummary:
    """Whether a game was refereed without fault, and the score after it."""

    is_well: bool
    white: int
    black: int


def print_figures(
    figures: Figures, truths: Sequence[TrueEvent], log: MatchLog, *, took_s: float, say: LinePrinter
) -> GameSummary:
    """Compares the events of one game with the truth and prints the figures."""
    comparison = compare(truths, figures.events)
    verdict = verify(log.path)
    is_intact = isinstance(verdict, IntactChain)
    won = next((event for event in reversed(figures.events) if isinstance(event, GameWon)), None)
    if won is None:
        _LOG.error("the game was not refereed to its end; try another --seed, and report this one")
    say("")
    say(f"Log: {len(figures.events)} events, {'verified' if is_intact else f'damaged: {verdict}'}.")
    say(
        f"{comparison.turns} turns, {comparison.throws} throws; wrong rulings {comparison.wrong_rulings}, "
        f"unsure turns {comparison.unsure_turns}, illegal plays found {comparison.illegal_found} of {comparison.illegal}."
    )
    say(f"{figures.frames} frames in {took_s:.0f} s, {figures.frames / max(took_s, 0.1):.0f} a second.")
    for one in comparison.differences:
        _LOG.info("%d ms: %s, %s", one.at_ms, one.kind.value, one.sentence)
    is_well = is_intact and won is not None and not comparison.wrong_rulings
    score = (won.white_score, won.black_score) if won else (0, 0)
    return GameSummary(is_well, *score)


def heading(game: DemoGame, number: int, games: int) -> tuple[str, ...]:
    """The lines before a game; `number` counts from 0."""
    display = NAMES[game.name].display if game.name in NAMES else game.name
    place = f"game {number + 1} of {games}, " if games > 1 else ""
    lines = [
        f"{display}: {place}seed {game.seed}.",
        f"The table is simulated; the referee sees nothing but its pictures, {SIZE_PX[0]}x{SIZE_PX[1]}.",
    ]
    if game.start is not None:
        lines.append(f"It begins about {LAST_TURNS} turns before the end: a whole game would take over three minutes.")
    return tuple(lines)
