"""Plays and rolls as answers, the most likely first.

The referee's question names the plays between which the evidence does not decide. They come first; other legal plays
follow in the order of their likelihood, so that the right one is a tap away. Any other board is set up in the editor.
"""

from itertools import product

import numpy as np

from controller.adjudication import ThrowInPlay, legal_results, make_turn_evidence
from controller.match import commands
from controller.observing import without_faces_of_hidden_dice
from controller.questions.question import Meaning, OfferedAnswer
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.explained_turns import explain, make_question
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import (
    IllegalVerdict,
    UnclearVerdict,
    first_plays,
    judge_board,
    position_of,
    throw_due,
)
from controller.rules import (
    Player,
    Position,
    RulesError,
    Ruleset,
    Setup,
    Stage,
    Throw,
    ThrowContext,
    legal_plays,
    parse_setup,
    play_text,
    position_text,
)
from controller.rules.grasshopper.game import GrasshopperRules

MOST_PLAYS = 8
MOST_ROLLS = 6
MOST_CLOSEST = 4
"""Knobs: as many as are read at a glance."""
_FACES = range(1, 7)


def list_likely_plays(state: RefereeState, table: MatchConfig) -> tuple[OfferedAnswer, ...]:
    """The plays offered in the phase UNSURE; empty where the roll is not known. Takes some milliseconds."""
    if state.phase is not Phase.UNSURE or state.seating is None or state.on_turn is None:
        return ()
    if state.due is None and not table.is_grasshopper:
        return ()
    named = _list_named_options(state, table)
    if isinstance(table.rules, GrasshopperRules):
        return named[:MOST_PLAYS]
    others = _rank_legal_plays(state, state.on_turn, table.rules, bar_is_used=table.has_bar)
    known = {option.after for option in named}
    return (*named, *(option for option in others if option.after not in known))[:MOST_PLAYS]


def _list_named_options(state: RefereeState, table: MatchConfig) -> tuple[OfferedAnswer, ...]:
    """The plays between which the referee cannot decide."""
    if state.seen.view.board is None:
        return ()
    verdict = judge_board(state, state.seen.view.board, table)
    if isinstance(verdict, IllegalVerdict) and not table.is_grasshopper:
        verdict = make_question(Transition(state), explain(Transition(state), table), "")
    if not isinstance(verdict, UnclearVerdict):
        return ()
    return tuple(_choice(play, after) for play, after in zip(verdict.options, verdict.afters, strict=True))


def _rank_legal_plays(
    state: RefereeState, mover: Player, rules: Ruleset, *, bar_is_used: bool
) -> tuple[OfferedAnswer, ...]:
    """The legal plays of a throw of one stage. None for a cascade, which can have millions of results."""
    before, throw = position_of(state.position, rules), throw_due(state, rules)
    if len(throw.stages) > 1:
        return ()
    plays = legal_plays(before, mover, Stage(throw.stages[0], throw.is_first_roll), rules)
    order = _sort_by_likelihood(state, mover, before, throw, rules=rules, bar_is_used=bar_is_used)
    texts = {play.after: play_text(play.steps) for play in plays}
    return tuple(_choice(texts[after], position_text(after)) for after in order[: 2 * MOST_PLAYS] if after in texts)


def _sort_by_likelihood(
    state: RefereeState, mover: Player, before: Position, throw: Throw, *, rules: Ruleset, bar_is_used: bool
) -> list[Position]:
    """The positions after a legal play, the most likely first; in any order where there is no observation."""
    if state.seating is None:
        return []
    results = legal_results(before, mover, throw, rules, state.seating)
    if state.seen.view.board is None:
        return list(results.positions)
    turn = ThrowInPlay(before, mover, throw, state.seating, rules, bar_is_used)
    evidence = make_turn_evidence(turn, state.seen.view.board)
    order = np.argsort(-results.by_place(evidence.likelihoods).sum(axis=1), kind="stable")
    return [results.positions[row] for row in order]


def _choice(play: str, after: str) -> OfferedAnswer:
    return OfferedAnswer(Meaning.PLAY, commands.ChoosePlay(after), play, after)


def list_closest_plays(state: RefereeState, made: str, table: MatchConfig) -> tuple[OfferedAnswer, ...]:
    """The legal plays nearest to the board `made`: the fewest checkers stand elsewhere. None in a cascade or Grasshopper."""
    if not isinstance(table.rules, Ruleset) or state.due is None or not made:
        return ()
    try:
        board = parse_setup(made)
    except RulesError:
        return ()
    if len(throw_due(state, table.rules).stages) > 1:
        return ()
    plays = {position_text(play.after): play for play in first_plays(state, table.rules)}
    return tuple(
        OfferedAnswer(Meaning.PLAY, commands.CorrectBoard(after), play_text(plays[after].steps), after)
        for after in sorted(plays, key=lambda after: (_count_misplaced(board, parse_setup(after)), after))[
            :MOST_CLOSEST
        ]
    )


def _count_misplaced(made: Setup, legal: Setup) -> int:
    """The checkers of both players that stand elsewhere."""
    pairs = ((made.white, legal.white), (made.black, legal.black))
    return sum(max(0, was - now) for one, other in pairs for was, now in zip(one.counts, other.counts, strict=True))


def list_likely_rolls(state: RefereeState) -> tuple[OfferedAnswer, ...]:
    """The rolls of an unclear throw. In the opening White's number stands first, elsewhere the higher number."""
    meaning = Meaning.OPENING_ROLL if state.phase is Phase.OPENING else Meaning.ROLL
    return tuple(OfferedAnswer(meaning, commands.CorrectRoll(values)) for values in _rank_rolls(state))


def _rank_rolls(state: RefereeState) -> tuple[tuple[int, int], ...]:
    unclear = state.questions.throw_unclear
    if unclear is None:
        return ()
    is_opening = state.phase is Phase.OPENING
    chances = _compute_face_probabilities(state, unclear.values)
    if len(chances) != 2:
        return ()
    ranked: dict[tuple[int, int], float] = {}
    for first, second in product(_FACES, _FACES):
        chance = chances[0][first - 1] * chances[1][second - 1]
        both = ((first, second), (second, first)) if is_opening else ((max(first, second), min(first, second)),)
        for values in both:
            ranked[values] = ranked.get(values, 0.0) + chance
    likely = sorted(ranked, key=lambda values: (-ranked[values], values[::-1]))
    best = ranked[likely[0]]
    return tuple(values for values in likely[:MOST_ROLLS] if ranked[values] >= best * 1e-3)


def _compute_face_probabilities(state: RefereeState, values: tuple[int | None, ...]) -> list[tuple[float, ...]]:
    """The probabilities of the six faces for each of two dice, from the readings, else from the values already known."""
    dice = state.seen.view.dice or state.seen.throws.loose.dice
    if len(dice) == 2:
        context = ThrowContext(is_opening=state.phase is Phase.OPENING)
        seen = without_faces_of_hidden_dice([die.reading for die in dice], context)
        likelihoods = np.array([die.face_log_likelihood for die in seen])
        chances = np.exp(likelihoods - likelihoods.max(axis=1, keepdims=True))
        return [tuple(row) for row in (chances / chances.sum(axis=1, keepdims=True)).tolist()]
    if all(value is None for value in values):
        return []
    return [tuple(float(value in (None, face)) for face in _FACES) for value in values]
