"""Orders as the page sends them, for example `{"command": "ChoosePlay", "after": "…"}`, checked strictly.

An order has the name and the fields of its class in `controller/match/commands.py`. Instead of a position the page may send
`board`: checkers by place of the picture, as in the editor. An order that passes is a well-formed value; the referee
decides whether it is allowed at this moment.
"""

from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Union, cast, get_args, get_origin, get_type_hints

from controller.match import (
    Answer,
    AnswerQuestion,
    Checkers,
    ChoosePlay,
    Command,
    CorrectBoard,
    PictureEdge,
    Seating,
    SetSeating,
)
from controller.match_log.event_json import JsonValue
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import Player, ResultKind, RulesError, parse_setup
from controller.rules.grasshopper import game as grasshopper
from controller.web.match.board_input import BoardTextError, parse_position

_COMMANDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Command)}
_ANSWERS = tuple(kind.__name__ for kind in get_args(Answer))
_LONGEST_TEXT = 200  # position texts are shorter than 150
_POSITION_OF = {CorrectBoard.__name__: "position", ChoosePlay.__name__: "after"}


class OrderError(ValueError):
    """One sentence: why the input is no order."""


def parse_page_command(sent: JsonValue, state: RefereeState, table: MatchConfig) -> Command:
    """The command of an order. Raises OrderError."""
    if not isinstance(sent, dict):
        raise OrderError("An order is a JSON object.")
    given = dict(sent)
    if given.get("command") == AnswerQuestion.__name__:
        return _parse_answer(given, state, table)
    kind = _COMMANDS.get(str(given.pop("command", None)))
    if kind is None:
        raise OrderError(f"There is no such order; give one of {', '.join(_COMMANDS)}.")
    position: str | None = _POSITION_OF.get(kind.__name__)
    if position is not None and "board" in given and position not in given:
        given[position] = _parse_board(given.pop("board"), state, table)
    values = _parse_values(kind, given)
    if position is not None:
        _check_position(str(values[position]), table)
    if kind is SetSeating:
        values["seating"] = _with_head(cast(Seating, values["seating"]), table)
    return cast(Command, kind(**values))


def _parse_answer(given: dict[str, JsonValue], state: RefereeState, table: MatchConfig) -> AnswerQuestion:
    asked_ms, sent = given.get("asked_ms"), given.get("answer")
    if set(given) != {"command", "asked_ms", "answer"} or type(asked_ms) is not int:
        raise OrderError(f"{AnswerQuestion.__name__} needs asked_ms, a whole number, and answer.")
    if not isinstance(sent, dict) or sent.get("command") not in _ANSWERS:
        raise OrderError(f"An answer is one of {', '.join(_ANSWERS)}.")
    return AnswerQuestion(asked_ms, cast(Answer, parse_page_command(sent, state, table)))


def _parse_values(kind: type, given: dict[str, JsonValue]) -> dict[str, object]:
    hints, values = get_type_hints(kind), dict[str, object]()
    for one in fields(kind):
        if one.name in given:
            values[one.name] = _parse_value(given.pop(one.name), hints[one.name], one.name)
        elif one.default is MISSING:
            raise OrderError(f"{kind.__name__} needs {one.name}.")
    if given:
        raise OrderError(f"{kind.__name__} has no such field: {min(given)[:40]!r}.")
    return values


def _parse_value(value: JsonValue, wanted: object, name: str) -> object:
    """The value of a field of a command."""
    if get_origin(wanted) in (Union, UnionType) and NoneType in get_args(wanted):
        if value is None:
            return None
        (wanted,) = (kind for kind in get_args(wanted) if kind is not NoneType)
    if wanted in (Player, ResultKind):
        return _parse_member(value, wanted, name)
    if wanted is bool and isinstance(value, bool):
        return value
    if wanted is str and isinstance(value, str) and len(value) <= _LONGEST_TEXT:
        return value
    if wanted == tuple[int, int]:
        return _parse_two_numbers(value, name)
    if wanted is Seating:
        return _parse_seating(value)
    raise OrderError(f"{name} is not what it should be.")


def _parse_member(value: JsonValue, kind: type[Player] | type[ResultKind], name: str) -> Player | ResultKind:
    for member in kind:
        if member.value == value:
            return member
    raise OrderError(f"{name} is one of {', '.join(str(member.value) for member in kind)}.")


def _parse_two_numbers(value: JsonValue, name: str) -> tuple[int, int]:
    numbers = [one for one in value if type(one) is int] if isinstance(value, list) and len(value) == 2 else []
    if len(numbers) != 2 or not all(1 <= number <= 6 for number in numbers):
        raise OrderError(f"{name} are two numbers from 1 to 6.")
    return numbers[0], numbers[1]


def _parse_seating(value: JsonValue) -> Seating:
    try:
        if not isinstance(value, dict) or set(value) != {"white_plays", "edge", "mirrored"}:
            raise ValueError(value)
        mirrored = value["mirrored"]
        if not isinstance(mirrored, bool):
            raise ValueError(value)
        return Seating(Checkers(value["white_plays"]), PictureEdge(value["edge"]), mirrored)
    except ValueError:
        raise OrderError("seating has white_plays (light or dark), edge (bottom or top) and mirrored.") from None


def _with_head(seating: Seating, table: MatchConfig) -> Seating:
    """In games on parallel paths the rules define where White begins."""
    if isinstance(table.rules, grasshopper.GrasshopperRules):
        return seating
    return Seating(seating.white_plays, seating.edge, seating.mirrored, table.rules.white_head)


def _parse_board(board: JsonValue, state: RefereeState, table: MatchConfig) -> str:
    try:
        return parse_position(board, state, table)
    except BoardTextError as error:
        raise OrderError(str(error)) from None


def _check_position(text: str, table: MatchConfig) -> None:
    """Raises OrderError for a text that is no position; the referee checks whether the position is possible."""
    try:
        if isinstance(table.rules, grasshopper.GrasshopperRules):
            grasshopper.from_text(text)
        else:
            parse_setup(text)
    except RulesError as error:
        raise OrderError(f"{error}.") from None
