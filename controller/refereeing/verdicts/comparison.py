"""The board that is seen, compared with a position: with the log's, or with one that is expected."""

from controller.adjudication import BoardDifference, compare_setup, compare_view, view_of, view_of_state
from controller.match import Seating
from controller.observing import PLACES, BoardEvidence, BoardView, find_hidden_places, likelihoods_of
from controller.refereeing.known_misreadings import ReferenceBoard, relative_to_reference
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.refereeing.verdicts.due_throw import position_of, require_seating
from controller.rules import parse_setup
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import GrasshopperRules
from vision.places import Place

# Places that may be open on a board that stands as the log has it. Physical: a play changes at least two, its source and
# its target.
MOST_OPEN_PLACES = 1


def compare_with_log(state: RefereeState, board: BoardEvidence, table: MatchConfig) -> BoardDifference:
    """Where the board differs from the log, known misreadings discounted."""
    seating = require_seating(state)
    if not isinstance(table.rules, GrasshopperRules):
        board = compensate_misreadings(state, board, view_of(parse_setup(state.position), seating, table.rules))
    return compare_with_position(state.position, board, seating, table)


def shows_position(state: RefereeState, difference: BoardDifference, board: BoardEvidence) -> bool:
    """Whether the position of the log stands on the board: no turn was played on it that the log lacks.

    Dice disturb the reading of their places. At the others nothing may differ, apart from what people have overruled, and
    at most one place may be open, because a play changes at least two.
    """
    disturbed = {PLACES[number] for number in board.disturbed}
    seen = (place_names(difference.extra), place_names(difference.missing))
    is_overruled = seen == state.seen.findings.overruled
    differs = {*difference.extra, *difference.missing} - disturbed
    return (is_overruled or not differs) and len({*difference.unsure} - disturbed) <= MOST_OPEN_PLACES


def compare_with_position(position: str, board: BoardEvidence, seating: Seating, table: MatchConfig) -> BoardDifference:
    """Where the board differs from `position`."""
    if isinstance(table.rules, GrasshopperRules):
        view = view_of_state(grasshopper.from_text(position), seating)
        found = compare_view(view, likelihoods_of(board), find_hidden_places(board))
    else:
        found = compare_setup(parse_setup(position), board, seating, table.rules)
    return found if table.has_bar else _without_bar(found)


def _without_bar(found: BoardDifference) -> BoardDifference:
    """Without the bar, which this board does not have: hit checkers wait in the hand or on the rim."""
    extra, missing, unsure = (
        tuple(place for place in places if place is not Place.BAR)
        for places in (found.extra, found.missing, found.unsure)
    )
    return BoardDifference(extra, missing, unsure)


def make_reference_board(
    state: RefereeState, board: BoardEvidence | None, after: str, table: MatchConfig
) -> ReferenceBoard | None:
    """The reference board once `after` is known to stand on it; the present reference where there is no board to refer to."""
    if board is None or isinstance(table.rules, GrasshopperRules):
        return state.seen.findings.reference
    return ReferenceBoard(view_of(position_of(after, table.rules), require_seating(state), table.rules), board)


def compensate_misreadings(state: RefereeState, board: BoardEvidence, before: BoardView) -> BoardEvidence:
    return (
        board
        if state.seen.findings.reference is None
        else relative_to_reference(board, state.seen.findings.reference, before)
    )


def place_names(places: tuple[Place, ...]) -> tuple[str, ...]:
    return tuple(place.value for place in places)
