"""What stands on a board that is not set up for the game: nothing, another game, or this one seen from elsewhere."""

import numpy as np

from controller.adjudication import infer_seatings
from controller.match import ALL_SEATINGS, SetUpFault
from controller.observing import PLACES, BoardEvidence, find_hidden_places
from controller.refereeing.match_config import MatchConfig
from controller.rules import RULESETS, Direction, Player, Position, Ruleset, start_position


def find_set_up_fault(board: BoardEvidence, table: MatchConfig) -> tuple[SetUpFault | None, tuple[str, ...]]:
    """Why the game cannot begin, and the games that begin with this board. The board has shown that it is no start.

    None: some checkers stand wrong, or a game is under way.
    """
    if not isinstance(table.rules, Ruleset) or table.start.position is not None:
        return None, ()
    if is_empty(board):
        return SetUpFault.NO_CHECKERS, ()
    if infer_seatings(board, table.rules, ALL_SEATINGS):
        return SetUpFault.OTHER_SEATING, ()
    games = find_games_starting(board)
    return (SetUpFault.OTHER_GAME, games) if games else (None, ())


def is_start_of_another(board: BoardEvidence, table: MatchConfig) -> bool:
    """Whether the board surely is no part of the game that was agreed: empty, or the start of another game or seating."""
    if not isinstance(table.rules, Ruleset):
        return False
    among = table.seatings if table.seating is None else (table.seating,)
    return not infer_seatings(board, table.rules, among) and find_set_up_fault(board, table)[0] is not None


def find_games_starting(board: BoardEvidence) -> tuple[str, ...]:
    """The games whose start position the board shows, under any seating; not those that start with an empty board."""
    shown: dict[tuple[Position, Direction, int], bool] = {}  # many games begin alike
    games = []
    for name, rules in RULESETS.items():
        start = start_position(rules)
        if not any(sum(start.counts(player)[1:25]) for player in Player):
            continue
        key = start, rules.direction, rules.white_head
        if key not in shown:
            shown[key] = bool(infer_seatings(board, rules, ALL_SEATINGS))
        if shown[key]:
            games.append(name)
    return tuple(games)


def is_empty(board: BoardEvidence) -> bool:
    """Whether no checker stands on any point that can be seen, and points can be seen."""
    hidden = find_hidden_places(board)
    seen = [table for place, table in zip(PLACES, board.points, strict=False) if place not in hidden]
    return bool(seen) and all(int(np.argmax(table)) == 0 for table in seen)
