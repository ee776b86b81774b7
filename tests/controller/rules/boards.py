"""Positions and plays in the words of the rules, for tests: `board("backgammon", "12:1", "23:2")`.

A side is written as its checkers along its own path, `24:2 13:5 bar:1 reserve:3`; what is not named is borne off.
"""

from collections.abc import Mapping

from controller.rules import (
    Legal,
    Player,
    Position,
    Ruleset,
    Setup,
    Side,
    Stage,
    Undecided,
    get_ruleset,
    judge_stage,
    legal_plays,
    make_stage,
    play_text,
    position_text,
    with_options,
)

PLACES = {"off": 0, "bar": 25, "reserve": 26}


def game(name: str, **options: object) -> Ruleset:
    """A game, with options where they differ from its row."""
    return with_options(get_ruleset(name), options)


def side(text: str, checkers: int = 15, *, pinned: frozenset[int] = frozenset()) -> Side:
    """`side("12:1 bar:2")`: one checker on 12, two on the bar, the others borne off."""
    counts = [0] * 27
    for pair in text.split():
        place, _, count = pair.partition(":")
        counts[PLACES[place] if place in PLACES else int(place)] += int(count)
    counts[0] += checkers - sum(counts)
    return Side.of_counts(tuple(counts), pinned)


def board(rules: Ruleset, white: str, black: str, *, pins: Mapping[Player, set[int]] | None = None) -> Position:
    """Both sides, each along its own path; `pins` are the points where a side's checker lies underneath."""
    pinned = {player: frozenset((pins or {}).get(player, set())) for player in Player}
    setup = Setup(
        side(white, rules.checkers, pinned=pinned[Player.WHITE]),
        side(black, rules.checkers, pinned=pinned[Player.BLACK]),
    )
    return Position.of(setup, rules)


def plays(rules: Ruleset, white: str, black: str, *numbers: int, first_roll: bool = False) -> set[str]:
    """White's legal plays as text, one for each result."""
    stage = make_stage(numbers, first_roll=first_roll)
    found = legal_plays(board(rules, white, black), Player.WHITE, stage, rules)
    return {play_text(play.steps) for play in found}


def against(rules: Ruleset, before: Position, after: Position | Setup, stage: Stage) -> list[str]:
    """The names of the rules that stand against White's play from one board to another; empty when it is legal."""
    ruling = judge_stage(before, Player.WHITE, stage, after if isinstance(after, Setup) else after.setup, rules)
    assert not isinstance(ruling, Undecided), "one stage is always decided"
    return [] if isinstance(ruling, Legal) else [rule.value for rule in ruling.rules]


def texts(rules: Ruleset, before: Position, mover: Player, stage: Stage) -> set[str]:
    """The legal results as position text."""
    return {position_text(play.after) for play in legal_plays(before, mover, stage, rules)}
