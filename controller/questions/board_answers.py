"""What may stand on the board and who sits where, when the board is not as it should be."""

from controller.adjudication import rank_positions, select_plain_seatings, view_of
from controller.match import ALL_SEATINGS, BoardDiffers, Seating, SetUpFault, SetUpUnclear, commands
from controller.observing import PLACES, BoardEvidence
from controller.questions.question import Meaning, OfferedAnswer, PlaceCount
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.refereeing.verdicts import compare_with_position
from controller.rules import Player, Position, Ruleset, parse_setup, position_text

# Boards that are offered besides the expected one. A knob: more would no longer be ranked but listed.
_MOST_BOARDS = 3


def list_seatings(
    state: RefereeState, asked: SetUpUnclear | BoardDiffers, table: MatchConfig
) -> tuple[OfferedAnswer, ...]:
    """The seatings that fit the board best, if the seating is open or another one than agreed was found."""
    board = state.seen.view.board
    is_other = isinstance(asked, BoardDiffers) and asked.fault is SetUpFault.OTHER_SEATING
    is_open = isinstance(asked, SetUpUnclear) and asked.is_seating_open
    is_unknown = state.seating is None and table.seating is None
    if not isinstance(table.rules, Ruleset) or not (is_other or is_open or is_unknown):
        return ()
    seatings = select_plain_seatings(table.rules, ALL_SEATINGS if is_other else table.seatings)
    if board is not None:
        start = table.start.position or table.start_text
        faults = {seating: _count_faults(start, board, seating, table) for seating in seatings}
        fewest = min(faults.values())
        seatings = tuple(seating for seating in seatings if faults[seating] == fewest)
    return tuple(OfferedAnswer(Meaning.SEATING, commands.SetSeating(seating)) for seating in seatings)


def _count_faults(start: str, board: BoardEvidence, seating: Seating, table: MatchConfig) -> int:
    difference = compare_with_position(start, board, seating, table)
    return len(difference.extra) + len(difference.missing)


def list_start_answers(state: RefereeState, table: MatchConfig) -> tuple[OfferedAnswer, ...]:
    """Before a game: it begins as it should, or goes on from a board that is seen, with either player on turn."""
    start = table.start.position or table.start_text
    begins = OfferedAnswer(Meaning.START, commands.CorrectBoard(start), after=start)
    seen = [position for position in _list_seen_positions(state, table) if position != start]
    others = _tell_apart(seen, state.seating or table.seating, table)
    return (
        begins,
        *(
            OfferedAnswer(Meaning.GOES_ON, commands.CorrectBoard(position, player), "", position, counts, player)
            for position, counts in others
            for player in Player
        ),
    )


def list_log_answers(state: RefereeState, table: MatchConfig) -> tuple[OfferedAnswer, ...]:
    """Between turns: the boards that are seen, and last the log's, which the camera contradicts."""
    logged = OfferedAnswer(Meaning.AS_LOGGED, commands.CorrectBoard(state.position), after=state.position)
    seen = [position for position in _list_seen_positions(state, table) if position != state.position]
    others = _tell_apart(seen, state.seating, table, against=state.position)
    return (
        *(
            OfferedAnswer(Meaning.AS_SEEN, commands.CorrectBoard(position), "", position, counts, state.on_turn)
            for position, counts in others
        ),
        logged,
    )


def _list_seen_positions(state: RefereeState, table: MatchConfig) -> list[str]:
    """The positions that fit the board, the likeliest first; none while the board or the seating is unknown."""
    board, seating = state.seen.view.board, state.seating or table.seating
    if board is None or seating is None or not isinstance(table.rules, Ruleset):
        return []
    ranked = rank_positions(board, seating, table.rules)
    return [position_text(position) for position, _ in ranked[:_MOST_BOARDS]]


def _tell_apart(
    positions: list[str], seating: Seating | None, table: MatchConfig, *, against: str = ""
) -> list[tuple[str, tuple[PlaceCount, ...]]]:
    """Each position with what stands on the places by which it differs from another one, or from `against`."""
    if seating is None or not isinstance(table.rules, Ruleset):
        return []
    rules = table.rules
    views = [view_of(Position.of(parse_setup(position), rules), seating, rules).points for position in positions]
    known = [*views, view_of(parse_setup(against), seating, rules).points] if against else views
    differing = [place for place in range(24) if len({points[place] for points in known}) > 1]
    return [
        (position, tuple(PlaceCount(PLACES[place].value, *points[place]) for place in differing))
        for position, points in zip(positions, views, strict=True)
    ]
