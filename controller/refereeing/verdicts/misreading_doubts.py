"""Doubts from known misreadings and from the picture: they turn a verdict into a question, never into another verdict."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from controller.adjudication import DEFAULT_THRESHOLDS, IllegalOutcome, Outcome, UndecidedOutcome, view_of
from controller.observing import (
    DEFAULT_TRUST,
    BoardEvidence,
    Pair,
    cell_of,
    find_unexplained_places,
    is_supported_by_changes,
    make_doubt_sentence,
    sort_places,
)
from controller.refereeing.known_misreadings import count_misreadings
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.refereeing.verdicts.comparison import place_names
from controller.refereeing.verdicts.due_throw import (
    require_seating,
)
from controller.refereeing.verdicts.values import (
    LegalVerdict,
    PlayVerdict,
    UnclearVerdict,
)
from controller.rules import Ruleset, parse_setup
from controller.rules.grasshopper.game import GrasshopperRules
from vision.places import POINTS, Place

# Posterior from which a reader confirms that a place is as it was although its picture has changed. Statistical: a dark
# checker that was gone from a dark point was once read as present with 0.94. A higher value asks more questions.
CONFIRMED_FROM = 0.99
# Misread places on the reference board from which nobody is accused. Knob: one place is misread now and then on any
# board; a lower value turns accusations into questions.
MISREAD_BOARD = 2


def discount_misread_board(outcome: Outcome, state: RefereeState, rules: Ruleset, board: BoardEvidence) -> Outcome:
    """An illegal outcome becomes undecided when the reader is known to be wrong about this board.

    The reader is unreliable when it misread several places of the reference board. If the total number of checkers is
    wrong, one misread place suffices, because checkers are misread more often than added or removed; games with a
    reserve are exempt. If the changes in the picture support the reading, it counts in spite of that. A place whose
    picture changed but whose contents were read as unchanged leaves its contents open: if little else speaks against a
    legal board, that board is possible.
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
    """Turns a legal verdict into a question while another checker may have been moved as well.

    That is so where a place was judged unchanged, its picture changed, and the reader does not confirm its contents.
    Points with two layers of checkers are exempt: no reader confirms how many lie there.
    """
    familiar = state.seen.findings.reference
    if not isinstance(verdict, LegalVerdict) or familiar is None or isinstance(table.rules, GrasshopperRules):
        return verdict
    view = view_of(parse_setup(verdict.after), require_seating(state), table.rules)
    stacks = {place for place, pair in zip(POINTS, view.points, strict=True) if max(pair) >= DEFAULT_TRUST.high_from}
    changed = {*find_unexplained_places(view, board, familiar.board, familiar.view)} - stacks
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
    """Whether the log-posteriors of a point, shape (rows, counts), confirm these counts; points with both colours count as confirmed."""
    cell = cell_of(stands)
    return cell is None or float(np.exp(read[cell])) >= CONFIRMED_FROM
