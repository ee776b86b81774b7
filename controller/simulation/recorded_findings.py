"""The differences between the referee's rulings on a filmed record and the record itself."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from controller.formats import CubeAction, GameHistory
from controller.match import CubeAct, CubeTurned
from controller.rules import Player
from controller.simulation.compare import QUESTIONS
from controller.simulation.referee_run import RefereeRun
from controller.simulation.staging import TruePlay


@dataclass(frozen=True, slots=True)
class ReplayFinding:
    """A finding on a turn; turns count through the match as in `zarbiter log show`, 0 stands for no turn.

    `is_question`: the referee was unsure, asked and got the answer; otherwise the ruling differs from the record.
    """

    turn: int
    what: str
    sentence: str
    is_question: bool = False


def find_differences(game: GameHistory, run: RefereeRun) -> tuple[ReplayFinding, ...]:
    """Every finding, those on rulings first."""
    return (*_find_ruling_findings(game, run), *_find_cube_findings(game, run))


def _find_ruling_findings(game: GameHistory, run: RefereeRun) -> Iterator[ReplayFinding]:
    """A difference belongs to the turn whose end was signalled at its time, or next after it."""
    ends_ms = [truth.at_ms for truth in run.truths if isinstance(truth, TruePlay)]
    numbers = [turn.number for turn in game.played_turns]
    for one in run.comparison.differences:
        at = bisect_left(ends_ms, one.at_ms)
        turn = numbers[at] if at < len(numbers) else 0
        yield ReplayFinding(turn, one.kind.value, one.sentence, is_question=one.kind in QUESTIONS)


def _find_cube_findings(game: GameHistory, run: RefereeRun) -> Iterator[ReplayFinding]:
    """Only the first act that differs; the later ones follow from it."""
    recorded = [(turn.player, turn.act) for turn in game.turns if isinstance(turn, CubeAction)]
    seen = [(event.player, event.act) for event in run.events if isinstance(event, CubeTurned)]
    for expected, one in zip_longest(recorded, seen):
        if expected != one:
            sentence = f"recorded {_describe_act(expected)}; seen {_describe_act(one)}"
            yield ReplayFinding(0, "another act with the cube", sentence)
            return


def _describe_act(act: tuple[Player | None, CubeAct] | None) -> str:
    if act is None:
        return "nothing"
    player, what = act
    return what.value.replace("_", " ") + ("" if player is None else f" by {player.name.capitalize()}")
