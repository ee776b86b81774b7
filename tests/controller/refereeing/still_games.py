"""Random games as a folder of pictures shows them: a scene before each throw, with the dice, and after the play.

Dice are overlooked, or not sure, in all pictures of a throw; now and then a throw does not count and is made again.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from controller.adjudication.board_view import view_of
from controller.match.events import RefereeEvent
from controller.match.seating import Seating
from controller.observing.observation import Observation
from controller.observing.stills import StillsWindow, observe_still
from controller.refereeing.joining import complete_table, make_belief
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, step
from controller.rules import Position, Ruleset
from controller.session.transcribing import with_no_patience
from tests.controller.board_sights import Sight, reading_of
from tests.controller.rules.strategies import TurnPlayed
from tests.vision.dice_tracking.dice_films import die
from vision.dice.readings import DieReading, DieState

Picture = tuple[Position, tuple[DieReading, ...]]
PICTURE_MS = 33
SIGHT = Sight(sureness=0.9999, high_sureness=0.8, looks=1)


@dataclass(frozen=True, slots=True)
class Seeing:
    """Shares 0..1 of dice: not found at all, found but their lie or their face is in doubt; of throws thrown badly."""

    overlooked: float = 0.0
    lie_in_doubt: float = 0.0
    face_in_doubt: float = 0.0
    bad_throws: float = 0.0


def observations(
    turns: Sequence[TurnPlayed], rules: Ruleset, seating: Seating, seeing: Seeing, seed: int
) -> Iterator[Observation]:
    """One observation for each picture."""
    yield from shown(_pictures(turns, seeing, random.Random(seed)), rules, seating)


def shown(pictures: Iterable[Picture], rules: Ruleset, seating: Seating) -> Iterator[Observation]:
    """The board of each picture and the dice that are seen in it."""
    window = StillsWindow()
    for number, (position, dice) in enumerate(pictures):
        reading = reading_of(view_of(position, seating, rules), PICTURE_MS * number, SIGHT)
        window, seen = observe_still(window, replace(reading, dice=dice))
        yield seen


def ruled(seen: Iterable[Observation], table: MatchConfig) -> tuple[RefereeEvent, ...]:
    """All events at a table whose configuration is known."""
    state, events = begin_match(table, 0)
    for one in seen:
        state, more = step(state, one, table)
        events += more
    return events


def refereed(seen: Sequence[Observation], game: str, rules: Ruleset) -> tuple[MatchConfig, tuple[RefereeEvent, ...]]:
    """The referee as `transcribe --stills` runs it: nothing is known about the table."""
    told = with_no_patience(MatchConfig(game=game, rules=rules))
    belief = make_belief(told)
    for one in seen:
        if belief is not None and belief.settled is None:
            belief = belief.with_observation(one)
    table = complete_table(told, belief)
    return table, ruled(seen, table)


def _pictures(turns: Sequence[TurnPlayed], seeing: Seeing, rng: random.Random) -> Iterator[Picture]:
    for turn in turns:
        stage = turn.turn.throws[0].stages[0]
        yield turn.before, ()
        if rng.random() < seeing.bad_throws:
            leaning, flat = _thrown((rng.randint(1, 6), rng.randint(1, 6)), rng)
            leaning = replace(leaning, lies=DieState.COCKED, tilt_deg=25.0)
            yield turn.before, _seen((leaning, flat), seeing, rng)
        dice = _seen(_thrown((stage[0], stage[1]), rng), seeing, rng)
        yield turn.before, dice
        yield turn.after, dice
    yield turns[-1].after, ()


def _thrown(values: tuple[int, int], rng: random.Random) -> tuple[DieReading, DieReading]:
    """The dice lie in one half, apart from each other."""
    left = rng.choice((20.0, 300.0))
    first, second = (
        die(value, (left + rng.uniform(0, 180), top + rng.uniform(0, 100)))
        for value, top in zip(values, (0, 200), strict=True)
    )
    return first, second


def _seen(dice: tuple[DieReading, ...], seeing: Seeing, rng: random.Random) -> tuple[DieReading, ...]:
    found = [one for one in dice if rng.random() >= seeing.overlooked]
    return tuple(_doubted(one, seeing, rng) for one in found)


def _doubted(one: DieReading, seeing: Seeing, rng: random.Random) -> DieReading:
    if rng.random() < seeing.face_in_doubt:
        flatter = tuple(likelihood / 6 for likelihood in one.face_log_likelihood)  # about 57 % for the right one
        one = replace(one, face_log_likelihood=flatter)
    return replace(one, lie_confidence=0.5) if rng.random() < seeing.lie_in_doubt else one
