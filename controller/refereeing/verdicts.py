"""What a look at the board, or a person's word about it, means for the throw that is due: one answer for all games."""

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.adjudication.adjudicate import weigh
from controller.adjudication.board_view import view_of
from controller.adjudication.differences import difference_of, differences
from controller.adjudication.grasshopper import view_of_state, weigh_grasshopper
from controller.adjudication.outcome import (
    ActionSeen,
    AmbiguousActionSeen,
    AmbiguousSeen,
    BoardDifference,
    CannotSee,
    GrasshopperOutcome,
    IllegalSeen,
    LegalSeen,
    Outcome,
    RefusedActionSeen,
)
from controller.adjudication.thresholds import EVERYDAY_LIMITS
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardSeen, BoardView, Pair, cell_of
from controller.observing.likelihoods import EVERYDAY_TRUST, likelihoods_of
from controller.observing.picture_changes import is_borne_out, unexplained
from controller.observing.place_evidence import doubtful, hidden_places, in_order
from controller.refereeing import grasshopper_texts
from controller.refereeing.known_misreadings import Familiar, misread, news_of
from controller.refereeing.state import Due, RefereeState
from controller.refereeing.table import Table
from controller.rules.breach import Rule
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper import judge as grasshopper_judge
from controller.rules.grasshopper.game import GrasshopperRules
from controller.rules.judging.judge import judge
from controller.rules.notation import parse_setup, position_text
from controller.rules.play_text import play_text
from controller.rules.player import Player
from controller.rules.plays.legal_plays import Play, legal_plays
from controller.rules.position import Position, packed
from controller.rules.roll import Roll
from controller.rules.ruleset import Ruleset, Transfer
from controller.rules.rulings import Illegal, Legal
from controller.rules.setup import Setup, Side
from controller.rules.stages import FollowKind, Stage, Throw, ThrowKind, Turn, handed_over, own_throw
from vision.places import POINTS, Place

# Posterior from which a reader confirms that a place is as it was, though it looks otherwise. A dark checker that was gone from
# a dark point was read as there with 0.94.
CONFIRMED_FROM = 0.99
MISREAD_BOARD = 2  # places; one is misread now and then on any board, two together are a board that cannot be read
_LOOK_ALIKE = "Several plays look alike to the camera; say which one it was, or show the doubtful points."


@dataclass(frozen=True, slots=True)
class Played:
    """A legal play; the texts are those of `PlayMade`."""

    play: str
    after: str
    follow: str
    inferred: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Broken:
    """What no legal play explains. `after` is "" where the board has no text; `take_back`, `belongs`: places."""

    after: str
    rules: tuple[Rule, ...]
    sentences: tuple[str, ...]
    take_back: tuple[str, ...] = ()
    belongs: tuple[str, ...] = ()
    is_unchanged: bool = False  # nothing was played yet, and something can be
    is_sure: bool = field(default=True, compare=False)  # of what stands there; that it is illegal is sure in any case


@dataclass(frozen=True, slots=True)
class Doubtful:
    """`options` are the plays between which it stands, `afters` the boards they lead to."""

    options: tuple[str, ...]
    afters: tuple[str, ...]
    places: tuple[str, ...]
    sentence: str


Verdict = Played | Broken | Doubtful


def verdict_on(state: RefereeState, board: BoardSeen, table: Table) -> Verdict:
    """On the throw that is due; in a game without dice on the action of the player on turn."""
    seating = known_seating(state)
    if isinstance(table.rules, GrasshopperRules):
        return _of_grasshopper(weigh_grasshopper(grasshopper_state(state), board, seating, table.rules), state)
    before, throw = position_of(state.position, table.rules), throw_due(state, table.rules)
    seen = _news(state, board, view_of(before, seating, table.rules))
    outcome = weigh(before, _mover(state), throw, seen, seating, table.rules, bar_is_used=table.has_bar)
    return _of_dice_game(_doubted(outcome, state, table.rules, board))


def _doubted(outcome: Outcome, state: RefereeState, rules: Ruleset, board: BoardSeen) -> Outcome:
    """Nobody is accused by a reader that was wrong about several places of the board that was known last.

    Checkers too many or too few are misread more often than put there: then one such place is enough, but where
    checkers come from a reserve. But where as much changed in the pictures as is read, it is read rightly.
    Where something changed on a place that is told as it was, what stands there is open; and if little but such places
    speaks against a legal board, it may be that one.
    """
    familiar = state.seen.familiar
    if not isinstance(outcome, IllegalSeen) or familiar is None:
        return outcome
    is_whole = rules.has_reserve or outcome.view.totals == familiar.view.totals
    is_misread = misread(familiar) >= (MISREAD_BOARD if is_whole else 1)
    places = in_order({*outcome.take_back, *outcome.belongs})
    if not is_misread or is_borne_out(outcome.view, outcome.legal, board, familiar.board, familiar.view):
        others = unexplained(outcome.view, board, familiar.board, familiar.view)
        places = tuple(place for place, nats in outcome.against_legal if place in others and nats > 0)
        elsewhere = sum(nats for place, nats in outcome.against_legal if place not in others)
        if not places or elsewhere >= EVERYDAY_LIMITS.illegal_from:
            return replace(outcome, is_sure=outcome.is_sure and not others)
    return CannotSee(places, doubtful(places))


def as_far_as_confirmed(state: RefereeState, verdict: Verdict, board: BoardSeen, table: Table) -> Verdict:
    """The verdict, or a question instead of a legal play while a checker elsewhere may have been moved as well.

    It may where a place that is told as it was looks otherwise in the pictures, and the reader does not confirm it. How
    many lie on a heap no reader confirms.
    """
    familiar = state.seen.familiar
    if not isinstance(verdict, Played) or familiar is None or isinstance(table.rules, GrasshopperRules):
        return verdict
    view = view_of(parse_setup(verdict.after), known_seating(state), table.rules)
    heaps = {place for place, pair in zip(POINTS, view.points, strict=True) if max(pair) >= EVERYDAY_TRUST.high_from}
    changed = {*unexplained(view, board, familiar.board, familiar.view)} - heaps
    numbered = zip(POINTS, view.points, board.points, strict=True)
    unsure = {place for place, pair, read in numbered if not _is_confirmed(pair, read)}
    places = in_order({place for place in changed if place in unsure or place.value in verdict.inferred})
    if not table.has_bar:
        places = tuple(place for place in places if place is not Place.BAR)
    return Doubtful((verdict.play,), (verdict.after,), names(places), doubtful(places)) if places else verdict


def _is_confirmed(stands: Pair, read: NDArray[np.float32]) -> bool:
    """Whether (rows, counts) log-posteriors of a point are sure of that; of both colours no reader is."""
    cell = cell_of(stands)
    return cell is None or float(np.exp(read[cell])) >= CONFIRMED_FROM


def made_familiar(state: RefereeState, board: BoardSeen | None, after: str, table: Table) -> Familiar | None:
    """What is remembered of a board of which it was found out that `after` stood on it; else what there is already."""
    if board is None or isinstance(table.rules, GrasshopperRules):
        return state.seen.familiar
    return Familiar(view_of(position_of(after, table.rules), known_seating(state), table.rules), board)


def _news(state: RefereeState, board: BoardSeen, before: BoardView) -> BoardSeen:
    return board if state.seen.familiar is None else news_of(board, state.seen.familiar, before)


def verdict_on_told(state: RefereeState, after: str, table: Table) -> Verdict:
    """The same for a board that a person tells, as text. Raises PositionTextError."""
    if isinstance(table.rules, GrasshopperRules):
        told = grasshopper_judge.seen(grasshopper.from_text(after))
        ruling = grasshopper_judge.judge(grasshopper_state(state), told, table.rules)
        if isinstance(ruling, grasshopper_judge.ActionAllowed):
            return _allowed(ruling, ())
        return Broken(after, (), tuple(each.sentence for each in ruling.objections))
    setup = parse_setup(after)
    turn = Turn((throw_due(state, table.rules),))
    judged = judge(position_of(state.position, table.rules), _mover(state), turn, setup, table.rules)
    match judged:
        case Legal():
            return _legal(judged, ())
        case Illegal():
            return Broken(setup_text(setup), judged.rules, tuple(breach.sentence for breach in judged.breaches))
        case _:
            return Doubtful((), (), (), judged.sentence)


def difference_now(state: RefereeState, board: BoardSeen, table: Table) -> BoardDifference:
    """Where the board is not as the log has it, as far as it did not look so before."""
    seating = known_seating(state)
    if not isinstance(table.rules, GrasshopperRules):
        board = _news(state, board, view_of(parse_setup(state.position), seating, table.rules))
    return difference_from(state.position, board, seating, table)


def difference_from(position: str, board: BoardSeen, seating: Seating, table: Table) -> BoardDifference:
    """Where the board is not as `position` says."""
    if isinstance(table.rules, GrasshopperRules):
        view = view_of_state(grasshopper.from_text(position), seating)
        found = difference_of(view, likelihoods_of(board), hidden_places(board))
    else:
        found = differences(parse_setup(position), board, seating, table.rules)
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
    return throw_of(state.due, rules)


def throw_of(due: Due, rules: Ruleset) -> Throw:
    if due.kind is ThrowKind.TRANSFER:
        return handed_over(due.numbers)
    return own_throw(Roll.of(due.numbers[0], due.numbers[1]), rules, due.before)


def is_pass_forced(state: RefereeState, table: Table) -> bool:
    """Whether the player on turn can play none of his numbers, or has no action."""
    if isinstance(table.rules, GrasshopperRules):
        return grasshopper.must_pass(grasshopper_state(state), table.rules)
    return not any(play.steps for play in first_plays(state, table.rules))


def may_hand_over(state: RefereeState, table: Table) -> bool:
    """Whether numbers of the throw that is due may be left for the other player to play."""
    if isinstance(table.rules, GrasshopperRules) or table.rules.transfer is Transfer.NONE or state.due is None:
        return False
    has_more_stages = len(throw_due(state, table.rules).stages) > 1
    return has_more_stages or any(play.unused for play in first_plays(state, table.rules))


def first_plays(state: RefereeState, rules: Ruleset) -> tuple[Play, ...]:
    """All legal plays of the first stage of the throw that is due."""
    throw = throw_due(state, rules)
    stage = Stage(throw.stages[0], throw.is_first_roll)
    return legal_plays(position_of(state.position, rules), _mover(state), stage, rules)


@lru_cache(maxsize=16)
def position_of(text: str, rules: Ruleset) -> Position:
    """The checked position; raises ImpossibleSetupError or PositionTextError."""
    return Position.of(parse_setup(text), rules)


def is_possible(text: str, table: Table) -> bool:
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
    white, black = (packed(side.counts) for side in sides)
    return position_text(Position(white, black, _pins(setup.white), _pins(setup.black)))


def known_seating(state: RefereeState) -> Seating:
    """RuntimeError before it is known: no game starts without."""
    if state.seating is None:
        raise RuntimeError("a game was started without a seating")
    return state.seating


def names(places: tuple[Place, ...]) -> tuple[str, ...]:
    return tuple(place.value for place in places)


def _pins(side: Side) -> int:
    return sum(1 << point for point in side.pinned)


def _mover(state: RefereeState) -> Player:
    if state.on_turn is None:
        raise RuntimeError("nobody is on turn")
    return state.on_turn


def _of_dice_game(outcome: Outcome) -> Verdict:
    match outcome:
        case LegalSeen():
            return _legal(outcome.ruling, names(outcome.inferred))
        case IllegalSeen():
            ruling = outcome.ruling
            return Broken(
                setup_text(outcome.after),
                ruling.rules,
                tuple(breach.sentence for breach in ruling.breaches),
                names(outcome.take_back),
                names(outcome.belongs),
                is_sure=outcome.is_sure,
            )
        case AmbiguousSeen():
            plays = tuple(play_text(option.steps) for option in outcome.options)
            afters = tuple(position_text(option.after) for option in outcome.options)
            return Doubtful(plays, afters, names(outcome.places), _LOOK_ALIKE)
        case CannotSee():  # pragma: no branch - mypy sees that no other case is left
            return Doubtful((), (), names(outcome.places), outcome.sentence)


def _legal(ruling: Legal, inferred: tuple[str, ...]) -> Played:
    return Played(play_text(ruling.steps), position_text(ruling.after), str(ruling.follow), inferred)


def _of_grasshopper(outcome: GrasshopperOutcome, state: RefereeState) -> Verdict:
    match outcome:
        case ActionSeen():
            return _allowed(outcome.ruling, names(outcome.inferred))
        case RefusedActionSeen():
            return Broken(
                grasshopper_texts.claimed(outcome.after, grasshopper_state(state)),
                (),
                tuple(each.sentence for each in outcome.ruling.objections),
                names(outcome.take_back),
                names(outcome.belongs),
                is_unchanged=outcome.ruling.objections[0].reason is grasshopper_judge.Mismatch.NOTHING_CHANGED,
            )
        case AmbiguousActionSeen():
            plays = tuple(grasshopper_texts.action_text(option.action) for option in outcome.options)
            afters = tuple(grasshopper.to_text(option.after) for option in outcome.options)
            return Doubtful(plays, afters, names(outcome.places), _LOOK_ALIKE)
        case CannotSee():  # pragma: no branch - mypy sees that no other case is left
            return Doubtful((), (), names(outcome.places), outcome.sentence)


def _allowed(ruling: grasshopper_judge.ActionAllowed, inferred: tuple[str, ...]) -> Played:
    is_over = ruling.after.winner is not None
    follow = FollowKind.GAME_OVER if is_over else FollowKind.END_TURN
    text = grasshopper_texts.action_text(ruling.action)
    return Played(text, grasshopper.to_text(ruling.after), follow.value, inferred)
