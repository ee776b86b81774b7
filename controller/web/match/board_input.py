"""Checkers by place of the picture, as the editor of the page sends them, converted to position text."""

from dataclasses import replace

from controller.adjudication import setup_of
from controller.match import Seating, numbers_along
from controller.match_log.event_json import JsonValue
from controller.observing import BoardView, Pair
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.verdicts import claimed_board_text, position_of, setup_text
from controller.rules import Direction, Player, RulesError
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.judge import PieceSetup
from controller.web.match.page_board import resolve_seating

_POINTS, _MOST = 24, 15
_AFTER_A_TURN = (Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)


class BoardTextError(ValueError):
    """One sentence: why the input is no board."""


def parse_position(sent: JsonValue, state: RefereeState, table: MatchConfig) -> str:
    """Position text of a board sent by the editor. Raises BoardTextError where it is no board of this game."""
    view = _parse_view(sent)
    seating = resolve_seating(state, table)
    if isinstance(table.rules, grasshopper.GrasshopperRules):
        text = _make_grasshopper_text(view, state, seating, table)
    else:
        before = position_of(state.position, table.rules) if state.position else None
        text = setup_text(setup_of(view, seating, table.rules, before))
    if not text:
        raise BoardTextError("These checkers cannot lie there in this game; count them again.")
    return text


def _make_grasshopper_text(view: BoardView, state: RefereeState, seating: Seating, table: MatchConfig) -> str:
    """After a turn the opponent acts next. A piece that is not on a point is in hand or borne off. "" where impossible."""
    try:
        before = grasshopper.from_text(state.position or table.start.position or table.start_text)
    except RulesError:
        return ""
    if state.phase not in _AFTER_A_TURN:
        before = replace(before, to_act=before.to_act.opponent)
    places = numbers_along(seating, Player.WHITE, Direction.CONTRARY)
    columns = [seating.checkers_of(player).column for player in Player]
    white, black = (tuple(view.points[place][column] for place in places) for column in columns)
    return claimed_board_text(PieceSetup(white, black), before)


def _parse_view(sent: JsonValue) -> BoardView:
    if not isinstance(sent, dict) or not set(sent) <= {"points", "bar", "off", "waiting", "dark_above"}:
        raise BoardTextError("A board has points, bar, off and dark_above.")
    points, above = sent.get("points"), sent.get("dark_above", [])
    if not isinstance(points, list) or len(points) != _POINTS:
        raise BoardTextError("A board has 24 points, T1 to T12 and B1 to B12.")
    numbers = [one for one in above if type(one) is int and 0 <= one < _POINTS] if isinstance(above, list) else []
    return BoardView(
        tuple(_parse_pair(one) for one in points),
        _parse_pair(sent.get("bar", [0, 0])),
        _parse_pair(sent.get("off", [0, 0])),
        frozenset(numbers),
    )


def _parse_pair(sent: JsonValue) -> Pair:
    counts = [one for one in sent if type(one) is int and 0 <= one <= _MOST] if isinstance(sent, list) else []
    if len(counts) != 2:
        raise BoardTextError(f"A place has two counts from 0 to {_MOST}: light and dark checkers.")
    return counts[0], counts[1]
