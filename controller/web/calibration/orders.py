"""Orders of the calibration wizard, parsed from JSON or refused with a sentence.

Every parser raises CalibrationOrderError.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.match_log.event_json import JsonValue
from controller.pictures.find_board import SizeMm
from controller.pictures.picture_options import LARGEST_FIELD_MM, SMALLEST_FIELD_MM, Corner, Corners
from controller.web.bodies import Record

_MOST_PX = 1e5
_MOST_NUMBER = 10**9


class CalibrationOrderError(ValueError):
    """One sentence: why the input is no order."""


@dataclass(frozen=True, slots=True)
class FindOrder:
    """Find the board. Corners in px and the size in mm are used where they are given."""

    corners: Corners | None
    field_mm: SizeMm | None
    game: str | None  # the checkers stand in the start position of this game


@dataclass(frozen=True, slots=True)
class KeepOrder:
    """Save a result. `is_unsure_meant`: the operator confirms a result whose error is unmeasured or large."""

    number: int
    is_unsure_meant: bool


def parse_find_order(sent: Record, games: Mapping[str, object]) -> FindOrder:
    fields = _check_fields(sent, ("corners", "field_mm", "game"))
    game = fields.get("game")
    if game is not None and (not isinstance(game, str) or game not in games):
        raise CalibrationOrderError("game is none of those that are offered.")
    return FindOrder(_parse_corners(fields.get("corners")), _parse_size(fields.get("field_mm")), game)


def parse_keep_order(sent: Record) -> KeepOrder:
    fields = _check_fields(sent, ("number", "is_unsure_meant"))
    is_meant = fields.get("is_unsure_meant", False)
    if not isinstance(is_meant, bool):
        raise CalibrationOrderError("is_unsure_meant is true or false.")
    return KeepOrder(_parse_whole(fields, "number", _MOST_NUMBER), is_meant)


def parse_result_number(sent: Record) -> int:
    """The number of a result, as the search sent it."""
    return _parse_whole(_check_fields(sent, ("number",)), "number", _MOST_NUMBER)


def parse_source(sent: Record, count: int) -> int:
    """The index of one of `count` sources."""
    return _parse_whole(_check_fields(sent, ("source",)), "source", count - 1)


def check_is_empty(sent: Record) -> None:
    """An order without fields."""
    _check_fields(sent, ())


def _check_fields(sent: Record, names: tuple[str, ...]) -> Record:
    for name in sent:
        if name not in names:
            raise CalibrationOrderError(f"There is no field {name[:40]!r} here.")
    return sent


def _parse_whole(fields: Mapping[str, JsonValue], name: str, most: int) -> int:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise CalibrationOrderError(f"{name} is none of the numbers that are offered.")
    return value


def _parse_corners(value: JsonValue) -> Corners | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 4:
        raise CalibrationOrderError("corners are four pairs of numbers.")
    first, second, third, fourth = (_parse_pair(one, "corners", -_MOST_PX, _MOST_PX) for one in value)
    return first, second, third, fourth


def _parse_size(value: JsonValue) -> SizeMm | None:
    return None if value is None else _parse_pair(value, "field_mm", SMALLEST_FIELD_MM, LARGEST_FIELD_MM)


def _parse_pair(value: JsonValue, name: str, low: float, high: float) -> Corner:
    if not isinstance(value, list) or len(value) != 2:
        raise CalibrationOrderError(f"{name}: give two numbers.")
    first, second = (_parse_float(one, name, low, high) for one in value)
    return first, second


def _parse_float(value: JsonValue, name: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise CalibrationOrderError(f"{name}: {low:g} to {high:g} is possible.")
    return float(value)
