"""Judges a board, seen by the camera or entered by a person, as the result of the throw that is due."""

from dataclasses import replace
from math import exp, floor, log10

from controller import adjudication
from controller.observing import BoardEvidence
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.refereeing.verdicts.comparison import compensate_misreadings, place_names
from controller.refereeing.verdicts.due_throw import (
    grasshopper_state,
    position_of,
    require_mover,
    require_seating,
    setup_text,
    throw_due,
)
from controller.refereeing.verdicts.grasshopper_verdicts import make_allowed_verdict, make_grasshopper_verdict
from controller.refereeing.verdicts.misreading_doubts import discount_misread_board
from controller.refereeing.verdicts.values import (
    AMBIGUOUS_PLAYS,
    IllegalVerdict,
    LegalVerdict,
    PlayVerdict,
    UnclearVerdict,
)
from controller.rules import Illegal, Legal, Turn, judge, parse_setup, play_text, position_text
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper import judge as grasshopper_judge
from controller.rules.grasshopper.game import GrasshopperRules


def judge_board(state: RefereeState, board: BoardEvidence, table: MatchConfig) -> PlayVerdict:
    """Judges a seen board against the throw that is due; in a game without dice, against the mover's possible actions."""
    seating = require_seating(state)
    if isinstance(table.rules, GrasshopperRules):
        return make_grasshopper_verdict(
            adjudication.adjudicate_grasshopper(grasshopper_state(state), board, seating, table.rules), state
        )
    before, throw = position_of(state.position, table.rules), throw_due(state, table.rules)
    seen = compensate_misreadings(state, board, adjudication.view_of(before, seating, table.rules))
    turn = adjudication.ThrowInPlay(before, require_mover(state), throw, seating, table.rules, table.has_bar)
    outcome = adjudication.adjudicate(turn, seen)
    return _make_verdict(discount_misread_board(outcome, state, table.rules, board))


def judge_entered_board(state: RefereeState, after: str, table: MatchConfig) -> PlayVerdict:
    """Judges a board that a person enters as position text. Raises PositionTextError."""
    if isinstance(table.rules, GrasshopperRules):
        entered = grasshopper_judge.make_piece_setup(grasshopper.from_text(after))
        ruling = grasshopper_judge.judge_action(grasshopper_state(state), entered, table.rules)
        if isinstance(ruling, grasshopper_judge.ActionAllowed):
            return make_allowed_verdict(ruling, ())
        return IllegalVerdict(after, (), tuple(each.sentence for each in ruling.objections))
    setup = parse_setup(after)
    turn = Turn((throw_due(state, table.rules),))
    judged = judge(position_of(state.position, table.rules), require_mover(state), turn, setup, table.rules)
    match judged:
        case Legal():
            return _make_legal_verdict(judged, ())
        case Illegal():
            return IllegalVerdict(setup_text(setup), judged.rules, tuple(breach.sentence for breach in judged.breaches))
        case _:
            return UnclearVerdict((), (), (), judged.sentence)


def _make_verdict(outcome: adjudication.Outcome) -> PlayVerdict:
    match outcome:
        case adjudication.LegalOutcome():
            legal, second = _make_legal_verdict(outcome.ruling, place_names(outcome.inferred)), outcome.runner_up
            if second is None:
                return legal
            return replace(legal, next_best=play_text(second.ruling.steps), odds=_round_odds(exp(second.nats)))
        case adjudication.IllegalOutcome():
            ruling = outcome.ruling
            return IllegalVerdict(
                setup_text(outcome.after),
                ruling.rules,
                tuple(breach.sentence for breach in ruling.breaches),
                place_names(outcome.take_back),
                place_names(outcome.belongs),
                is_sure=outcome.is_sure,
            )
        case adjudication.AmbiguousOutcome():
            plays = tuple(play_text(option.steps) for option in outcome.options)
            afters = tuple(position_text(option.after) for option in outcome.options)
            return UnclearVerdict(plays, afters, place_names(outcome.places), AMBIGUOUS_PLAYS)
        case adjudication.UndecidedOutcome():  # pragma: no branch - mypy sees that no other case is left
            return UnclearVerdict((), (), place_names(outcome.places), outcome.sentence)


def _round_odds(odds: float) -> int:
    """To two digits."""
    return int(round(odds, 1 - floor(log10(odds))))


def _make_legal_verdict(ruling: Legal, inferred: tuple[str, ...]) -> LegalVerdict:
    return LegalVerdict(play_text(ruling.steps), position_text(ruling.after), str(ruling.follow), inferred)
