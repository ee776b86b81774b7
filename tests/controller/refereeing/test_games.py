"""Whole games pass through the referee: every turn is accepted, and the log gives the state back."""

import random
from collections.abc import Iterable

import pytest

from controller.adjudication.board_view import view_of
from controller.match.commands import CorrectBoard
from controller.match.events import GameWon, NumbersHandedOver, PlayMade, PlayRefused, PlayUnclear
from controller.observing.likelihoods import DEFAULT_TRUST
from controller.refereeing.state import Phase
from controller.rules import RULESETS, Opening, Play, Player, Position, get_ruleset, parse_setup, position_text
from controller.rules.grasshopper.game import STANDARD, to_text
from controller.simulation.scripts.grasshopper_playthrough import ActionTaken, GrasshopperEnd, play_grasshopper
from controller.simulation.scripts.playthrough import GameEnd, OpeningThrow, TurnPlayed, play_game
from tests.controller.refereeing.refereed_match import OPENING_HALVES, SEATING, RefereedMatch, table_of
from vision.places import POINTS, Place

pytestmark = pytest.mark.broad

HEAP = DEFAULT_TRUST.high_from - 1  # checkers in the lowest row: one more lies on them
WITHOUT_RESERVE = [name for name in RULESETS if name != "backgammon_race"]


class Players:
    """Dice and choices of a seeded game."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def dice(self) -> int:
        return self._random.randint(1, 6)

    def choose(self, _before: Position, _mover: Player, plays: tuple[Play, ...]) -> Play:
        return self._random.choice(plays)


def played(game: str, seed: int, most_turns: int) -> tuple[RefereedMatch, list[TurnPlayed], GameEnd | None]:
    """A seeded game: the players throw, move and lift the dice."""
    players, rules = Players(seed), get_ruleset(game)
    match = RefereedMatch.begun(table_of(game))
    turns: list[TurnPlayed] = []
    has_thrown = False
    for event in play_game(rules, players.dice, players.choose, max_turns=most_turns):
        if isinstance(event, OpeningThrow):
            match.throw(event.white, event.black, halves=OPENING_HALVES)
            has_thrown = rules.opening is Opening.OPENING_DICE and event.starter is not None
            if not has_thrown:
                match.lift()
        elif isinstance(event, TurnPlayed):
            play_turn(match, event, has_thrown=has_thrown)
            has_thrown = False
            turns.append(event)
        elif isinstance(event, GameEnd):
            return match, turns, event
    return match, turns, None


def play_turn(match: RefereedMatch, turn: TurnPlayed, *, has_thrown: bool) -> None:
    for throw in turn.throws:
        if throw.roll is not None and not has_thrown:
            match.throw(throw.roll.high, throw.roll.low)
        match.put(position_text(throw.after))
        if throw.roll is not None:
            match.lift()
        if match.is_in(Phase.TURN_END):
            match.rest(1000)
        if match.is_in(Phase.TURN_END):  # the next throw would be asked about; a person says it before
            assert highest_at(POINTS, position_text(throw.after), match) >= HEAP
            match.give(CorrectBoard(position_text(throw.after)))


def highest_at(points: Iterable[Place], position: str, match: RefereedMatch) -> int:
    """Checkers of one colour on the fullest of these points."""
    view = view_of(parse_setup(position), SEATING, match.table.dice_rules)
    return max((max(view.points[POINTS.index(point)]) for point in points), default=0)


@pytest.mark.parametrize("game", WITHOUT_RESERVE)
def test_every_turn_of_a_game_is_accepted(game: str, full_counts: bool) -> None:
    """No play is refused, each has its numbers and its board, and the way through the phases is declared.

    It is asked only about heaps, in which a camera may miss one; a person says then what was played.
    """
    match, turns, _ = played(game, seed=11, most_turns=400 if full_counts else 16)
    throws = [throw for turn in turns for throw in turn.throws]
    made = match.emitted(PlayMade)
    assert [event.after for event in made] == [position_text(throw.after) for throw in throws]
    assert not match.emitted(PlayRefused)
    asked = match.emitted(PlayUnclear)
    assert full_counts or not asked
    assert all(is_about_a_heap(one, match) for one in asked)


def is_about_a_heap(asked: PlayUnclear, match: RefereedMatch) -> bool:
    """Whether at a doubtful point a heap lay before the next play, or lies there after it."""
    made = next(event for event in match.emitted(PlayMade) if event.at_ms >= asked.at_ms)
    points = {Place(name) for name in asked.places}.intersection(POINTS)
    return any(highest_at(points, text, match) >= HEAP for text in (made.before, made.after))


@pytest.mark.parametrize(("game", "seed"), [("hypergammon", 1), ("hypergammon", 2), ("tavla", 3), ("plakoto", 4)])
def test_a_finished_game_is_won_as_the_rules_core_says(game: str, seed: int) -> None:
    """Winner, kind and points are those of the game that was played without a referee."""
    match, _, end = played(game, seed, most_turns=1000)
    (won,) = match.emitted(GameWon)
    assert end is not None
    assert (won.player, won.kind, won.points) == (end.winner, end.kind, end.points)
    assert match.is_in(Phase.GAME_OVER)


@pytest.mark.parametrize(("game", "seed"), [("gulbar", 5), ("crazy_gulbar", 5), ("gul_bara", 3)])
def test_handed_over_numbers_are_announced(game: str, seed: int) -> None:
    """They are exactly the numbers that the rules hand over."""
    match, turns, _ = played(game, seed, most_turns=200)
    given = [turn.gives for turn in turns if turn.gives]
    assert given
    handed_over = [event.numbers for event in match.emitted(NumbersHandedOver)]
    assert handed_over == given


class Hopper:
    """Chooses at random, but enters late, so that walls are built."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, _state: object, actions: tuple[object, ...]) -> object:
        return self._random.choice(actions)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_game_without_dice_goes_from_change_to_change(seed: int) -> None:
    """A board that stays still ends each turn of Grasshopper; the end is that of the rules."""
    match = RefereedMatch.begun(table_of("grasshopper"))
    assert match.is_in(Phase.PLAYING)
    hopper = Hopper(seed)
    for event in play_grasshopper(hopper.choose, STANDARD):  # type: ignore[arg-type]
        if isinstance(event, ActionTaken):
            match.put(to_text(event.after))
            match.rest(4000, every_ms=1000)
            assert match.is_in(Phase.PLAYING, Phase.GAME_OVER)
            assert match.state.position.split(" ")[0] == to_text(event.after).split(" ")[0]
        else:
            assert isinstance(event, GrasshopperEnd)
            (won,) = match.emitted(GameWon)
            assert isinstance(won, GameWon)
            assert won.player is event.winner
