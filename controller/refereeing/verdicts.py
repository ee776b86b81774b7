"""What a look at the board, or a person's word about it, means for the throw that is due: one answer for all games."""

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.adjudication.adjudicate import adjudicate
from controller.adjudication.board_view import view_of
from controller.adjudication.differences import compare_setup, compare_view
from controller.adjudication.grasshopper import adjudicate_grasshopper, view_of_state
from controller.adjudication.outcome import (
    AmbiguousActionOutcome,
    AmbiguousOutcome,
    BoardDifference,
    GrasshopperOutcome,
    IllegalActionOutcome,
    IllegalOutcome,
    LegalActionOutcome,
    LegalOutcome,
    Outcome,
    UndecidedOutcome,
)
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence, BoardView, Pair, cell_of
from controller.observing.likelihoods import DEFAULT_TRUST, likelihoods_of
from controller.observing.picture_changes import find_unexplained_places, is_supported_by_changes
from controller.observing.place_evidence import find_hidden_places, make_doubt_sentence, sort_places
from controller.refereeing import grasshopper_texts
from controller.refereeing.known_misreadings import ReferenceBoard, count_misreadings, relative_to_reference
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Due, RefereeState
from controller.rules import (
    FollowKind,
    Illegal,
    Legal,
    Play,
    Player,
    Position,
    Roll,
    Rule,
    Ruleset,
    Setup,
    Side,
    Stage,
    Throw,
    ThrowKind,
    Transfer,
    Turn,
    judge,
    legal_plays,
    make_own_throw,
    make_transfer_throw,
    pack_counts,
    parse_setup,
    play_text,
    position_text,
)
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper import judge as grasshopper_judge
from controller.rules.grasshopper.game import GrasshopperRules
from vision.places import POINTS, Place

# Posterior from which a reader confirms that a place is as it was, though it looks otherwise. A dark checker that was gone from
# a dark point was read as there with 0.94.
CONFIRMED_FROM = 0.99
MISREAD_BOARD = 2  # places; one is misread now and then on any board, two together are a board that cannot be read
_AMBIGUOUS_PLAYS = "Several plays look alike to the camera; say which one it was, or show the doubtful points."


@dataclass(frozen=True, slots=True)
class LegalVerdict:
    """A legal play; the texts are those of `PlayMade`."""

    play: str
    after: str
    follow: str
    inferred: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IllegalVerdict:
    """What no legal play explains. `after` is "" where the board has no text; `take_back`, `belongs`: places."""

    after: str
    rules: tuple[Rule, ...]
    sentences: tuple[str, ...]
    take_back: tuple[str, ...] = ()
    belongs: tuple[str, ...] = ()
    is_unchanged: bool = False  # nothing was played yet, and something can be
    is_sure: bool = field(default=True, compare=False)  # of what stands there; that it is illegal is sure in any case


@dataclass(frozen=True, slots=True)
class UnclearVerdict:
    """`options` are the plays between which it stands, `afters` the boards they lead to."""

    options: tuple[str, ...]
    afters: tuple[str, ...]
    places: tuple[str, ...]
    sentence: str


PlayVerdict = LegalVerdict | IllegalVerdict | UnclearVerdict


def judge_board(state: RefereeState, board: BoardEvidence, table: MatchConfig) -> PlayVerdict:
    """On the throw that is due; in a game without dice on the action of the player on turn."""
    seating = require_seating(state)
    if isinstance(table.rules, GrasshopperRules):
        return _make_grasshopper_verdict(
            adjudicate_grasshopper(grasshopper_state(state), board, seating, table.rules), state
        )
    before, throw = position_of(state.position, table.rules), throw_due(state, table.rules)
    seen = _relative_to_reference(state, board, view_of(before, seating, table.rules))
    outcome = adjudicate(before, _require_mover(state), throw, seen, seating, table.rules, bar_is_used=table.has_bar)
    return _make_verdict(_discount_misread_board(outcome, state, table.rules, board))


def _discount_misread_board(outcome: Outcome, state: RefereeState, rules: Ruleset, board: BoardEvidence) -> Outcome:
    """Nobody is accused by a reader that was wrong about several places of the board that was known last.

    Checkers too many or too few are misread more often than put there: then one such place is enough, but where
    checkers come from a reserve. But where as much changed in the pictures as is read, it is read rightly.
    Where something changed on a place that is told as it was, what stands there is open; and if little but such places
    speaks against a legal board, it may be that one.
    """
    familiar = state.seen.findings.reference
    if not isinstance(outcome, IllegalOutcome) or familiar is None:
        return outcome
    is_whole = rules.has_reserve or outcome.view.totals == familiar.view.totals
    is_misread = count_misreadings(familiar) >= (MISREAD_BOARD if is_whole else 1)
    places = sort_places({*outcome.take_back, *outcome.belongs})
    if not is_misread or is_supported_by_changes(outcome.view, outcome.legal, board, familiar.board, familiar.view):
        others = find_unexplained_places(outcome.view, board, familiar.board, familiar.view)
        places = tuple(place for place, nats in outcome.against_legal if place in others and nats > 0)
        elsewhere = sum(nats for place, nats in outcome.against_legal if place not in others)
        if not places or elsewhere >= DEFAULT_THRESHOLDS.illegal_from:
            return replace(outcome, is_sure=outcome.is_sure and not others)
    return UndecidedOutcome(places, make_doubt_sentence(places))


def require_confirmation(
    state: RefereeState, verdict: PlayVerdict, board: BoardEvidence, table: MatchConfig
) -> PlayVerdict:
    """The verdict, or a question instead of a legal play while a checker elsewhere may have been moved as well.

    It may where a place that is told as it was looks otherwise in the pictures, and the reader does not confirm it. How
    many lie on a heap no reader confirms.
    """
    familiar = state.seen.findings.reference
    if not isinstance(verdict, LegalVerdict) or familiar is None or isinstance(table.rules, GrasshopperRules):
        return verdict
    view = view_of(parse_setup(verdict.after), require_seating(state), table.rules)
    heaps = {place for place, pair in zip(POINTS, view.points, strict=True) if max(pair) >= DEFAULT_TRUST.high_from}
    changed = {*find_unexplained_places(view, board, familiar.board, familiar.view)} - heaps
    numbered = zip(POINTS, view.points, board.points, strict=True)
    unsure = {place for place, pair, read in numbered if not _is_confirmed(pair, read)}
    places = sort_places({place for place in changed if place in unsure or place.value in verdict.inferred})
    if not table.has_bar:
        places = tuple(place for place in places if place is not Place.BAR)
    return (
        UnclearVerdict((verdict.play,), (verdict.after,), place_names(places), make_doubt_sentence(places))
        if places
        else verdict
    )


def _is_confirmed(stands: Pair, read: NDArray[np.float32]) -> bool:
    """Whether (rows, counts) log-posteriors of a point are sure of that; of both colours no reader is."""
    cell = cell_of(stands)
    return cell is None or float(np.exp(read[cell])) >= CONFIRMED_FROM


def make_reference_board(
    state: RefereeState, board: BoardEvidence | None, after: str, table: MatchConfig
) -> ReferenceBoard | None:
    """What is remembered of a board of which it was found out that `after` stood on it; else what there is already."""
    if board is None or isinstance(table.rules, GrasshopperRules):
        return state.seen.findings.reference
    return ReferenceBoard(view_of(position_of(after, table.rules), require_seating(state), table.rules), board)


def _relative_to_reference(state: RefereeState, board: BoardEvidence, before: BoardView) -> BoardEvidence:
    return (
        board
        if state.seen.findings.reference is None
        else relative_to_reference(board, state.seen.findings.reference, before)
    )


def judge_entered_board(state: RefereeState, after: str, table: MatchConfig) -> PlayVerdict:
    """The same for a board that a person tells, as text. Raises PositionTextError."""
    if isinstance(table.rules, GrasshopperRules):
        told = grasshopper_judge.make_piece_setup(grasshopper.from_text(after))
        ruling = grasshopper_judge.judge_action(grasshopper_state(state), told, table.rules)
        if isinstance(ruling, grasshopper_judge.ActionAllowed):
            return _make_allowed_verdict(ruling, ())
        return IllegalVerdict(after, (), tuple(each.sentence for each in ruling.objections))
    setup = parse_setup(after)
    turn = Turn((throw_due(state, table.rules),))
    judged = judge(position_of(state.position, table.rules), _require_mover(state), turn, setup, table.rules)
    match judged:
        case Legal():
            return _make_legal_verdict(judged, ())
        case Illegal():
            return IllegalVerdict(setup_text(setup), judged.rules, tuple(breach.sentence for breach in judged.breaches))
        case _:
            return UnclearVerdict((), (), (), judged.sentence)


def compare_with_log(state: RefereeState, board: BoardEvidence, table: MatchConfig) -> BoardDifference:
    """Where the board is not as the log has it, as far as it did not look so before."""
    seating = require_seating(state)
    if not isinstance(table.rules, GrasshopperRules):
        board = _relative_to_reference(state, board, view_of(parse_setup(state.position), seating, table.rules))
    return compare_with_position(state.position, board, seating, table)


def compare_with_position(position: str, board: BoardEvidence, seating: Seating, table: MatchConfig) -> BoardDifference:
    """Where the board is not as `position` says."""
    if isinstance(table.rules, GrasshopperRules):
        view = view_of_state(grasshopper.from_text(position), seating)
        found = compare_view(view, likelihoods_of(board), find_hidden_places(board))
    else:
        found = compare_setup(parse_setup(position), board, seating, table.rules)
    return found if table.has_bar else _without_bar(found)


def _without_bar(found: BoardDifference) -> BoardDifference:
    """Hit checkers wait in the hand or on the rim."""
    extra, missing, unsure = (
        tuple(place for place in places if place is not Place.BAR)
        for places in (found.extra, found.missing, found.unsure)
    )
    return BoardDifference(extra, missing, unsure)


def throw_due(state: RefereeState, rules: Ruleset) -> Throw:
    """What the player on turn has to play. RuntimeError when nothing is due."""
    if state.due is None:
        raise RuntimeError(f"no throw is due in {state.phase.value}")
    return make_throw(state.due, rules)


def make_throw(due: Due, rules: Ruleset) -> Throw:
    if due.kind is ThrowKind.TRANSFER:
        return make_transfer_throw(due.numbers)
    return make_own_throw(Roll.of(due.numbers[0], due.numbers[1]), rules, due.before)


def is_pass_forced(state: RefereeState, table: MatchConfig) -> bool:
    """Whether the player on turn can play none of his numbers, or has no action."""
    if isinstance(table.rules, GrasshopperRules):
        return grasshopper.must_pass(grasshopper_state(state), table.rules)
    return not any(play.steps for play in first_plays(state, table.rules))


def may_hand_over(state: RefereeState, table: MatchConfig) -> bool:
    """Whether numbers of the throw that is due may be left for the other player to play."""
    if isinstance(table.rules, GrasshopperRules) or table.rules.transfer is Transfer.NONE or state.due is None:
        return False
    has_more_stages = len(throw_due(state, table.rules).stages) > 1
    return has_more_stages or any(play.unused for play in first_plays(state, table.rules))


def first_plays(state: RefereeState, rules: Ruleset) -> tuple[Play, ...]:
    """All legal plays of the first stage of the throw that is due."""
    throw = throw_due(state, rules)
    stage = Stage(throw.stages[0], throw.is_first_roll)
    return legal_plays(position_of(state.position, rules), _require_mover(state), stage, rules)


@lru_cache(maxsize=16)
def position_of(text: str, rules: Ruleset) -> Position:
    """The checked position; raises ImpossibleSetupError or PositionTextError."""
    return Position.of(parse_setup(text), rules)


def is_possible(text: str, table: MatchConfig) -> bool:
    """Whether play can go on from this board. PositionTextError where the text is none."""
    if not text:
        return False
    if isinstance(table.rules, GrasshopperRules):
        grasshopper.from_text(text)
        return True
    return not parse_setup(text).faults(table.rules)


def grasshopper_state(state: RefereeState) -> grasshopper.State:
    return grasshopper.from_text(state.position)


def setup_text(setup: Setup) -> str:
    """Position text of a claim, possible or not; "" when a place holds more than fifteen checkers or fewer than none."""
    sides = (setup.white, setup.black)
    if any(not 0 <= count <= 15 for side in sides for count in side.counts):
        return ""
    white, black = (pack_counts(side.counts) for side in sides)
    return position_text(Position(white, black, _pins(setup.white), _pins(setup.black)))


def require_seating(state: RefereeState) -> Seating:
    """RuntimeError before it is known: no game starts without."""
    if state.seating is None:
        raise RuntimeError("a game was started without a seating")
    return state.seating


def place_names(places: tuple[Place, ...]) -> tuple[str, ...]:
    return tuple(place.value for place in places)


def _pins(side: Side) -> int:
    return sum(1 << point for point in side.pinned)


def _require_mover(state: RefereeState) -> Player:
    if state.on_turn is None:
        raise RuntimeError("nobody is on turn")
    return state.on_turn


def _make_verdict(outcome: Outcome) -> PlayVerdict:
    match outcome:
        case LegalOutcome():
            return _make_legal_verdict(outcome.ruling, place_names(outcome.inferred))
        case IllegalOutcome():
            ruling = outcome.ruling
            return IllegalVerdict(
                setup_text(outcome.after),
                ruling.rules,
                tuple(breach.sentence for breach in ruling.breaches),
                place_names(outcome.take_back),
                place_names(outcome.belongs),
                is_sure=outcome.is_sure,
            )
        case AmbiguousOutcome():
            plays = tuple(play_text(option.steps) for option in outcome.options)
            afters = tuple(position_text(option.after) for option in outcome.options)
            return UnclearVerdict(plays, afters, place_names(outcome.places), _AMBIGUOUS_PLAYS)
        case UndecidedOutcome():  # pragma: no branch - mypy sees that no other case is left
            return UnclearVerdict((), (), place_names(outcome.places), outcome.sentence)


def _make_legal_verdict(ruling: Legal, inferred: tuple[str, ...]) -> LegalVerdict:
    return LegalVerdict(play_text(ruling.steps), position_text(ruling.after), str(ruling.follow), inferred)


def _make_grasshopper_verdict(outcome: GrasshopperOutcome, state: RefereeState) -> PlayVerdict:
    match outcome:
        case LegalActionOutcome():
            return _make_allowed_verdict(outcome.ruling, place_names(outcome.inferred))
        case IllegalActionOutcome():
            return IllegalVerdict(
                grasshopper_texts.claimed_board_text(outcome.after, grasshopper_state(state)),
                (),
                tuple(each.sentence for each in outcome.ruling.objections),
                place_names(outcome.take_back),
                place_names(outcome.belongs),
                is_unchanged=outcome.ruling.objections[0].reason is grasshopper_judge.Mismatch.NOTHING_CHANGED,
            )
        case AmbiguousActionOutcome():
            plays = tuple(grasshopper_texts.action_text(option.action) for option in outcome.options)
            afters = tuple(grasshopper.to_text(option.after) for option in outcome.options)
            return UnclearVerdict(plays, afters, place_names(outcome.places), _AMBIGUOUS_PLAYS)
        case UndecidedOutcome():  # pragma: no branch - mypy sees that no other case is left
            return UnclearVerdict((), (), place_names(outcome.places), outcome.sentence)


def _make_allowed_verdict(ruling: grasshopper_judge.ActionAllowed, inferred: tuple[str, ...]) -> LegalVerdict:
    is_over = ruling.after.winner is not None
    follow = FollowKind.GAME_OVER if is_over else FollowKind.END_TURN
    text = grasshopper_texts.action_text(ruling.action)
    return LegalVerdict(text, grasshopper.to_text(ruling.after), follow.value, inferred)
