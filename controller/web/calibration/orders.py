"""What the page asks of the calibration: taken out of JSON, or refused with a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.match_log.event_json import JsonValue
from controller.pictures.find_board import SizeMm
from controller.pictures.picture_options import LARGEST_FIELD_MM, SMALLEST_FIELD_MM, Corner, Corners

_MOST_PX = 1e5
_MOST_NUMBER = 10**9


class CalibrationOrderError(ValueError):
    """One sentence."""


@dataclass(frozen=True, slots=True)
class FindOrder:
    """Where is the board? At these corners of the picture, or wherever it is found."""

    corners: Corners | None
    field_mm: SizeMm | None
    game: str | None  # stands as it starts


@dataclass(frozen=True, slots=True)
class KeepOrder:
    """`is_unsure_meant`: the operator has looked and wants it although nothing measured it, or not well."""

    number: int
    is_unsure_meant: bool


def parse_find_order(sent: JsonValue, games: Mapping[str, object]) -> FindOrder:
    """OrderFault."""
    fields = _parse_object(sent, ("corners", "field_mm", "game"))
    game = fields.get("game")
    if game is not None and (not isinstance(game, str) or game not in games):
        raise CalibrationOrderError("game is none of those that are offered.")
    return FindOrder(_parse_corners(fields.get("corners")), _parse_size(fields.get("field_mm")), game)


def parse_keep_order(sent: JsonValue) -> KeepOrder:
    """OrderFault."""
    fields = _parse_object(sent, ("number", "is_unsure_meant"))
    is_meant = fields.get("is_unsure_meant", False)
    if not isinstance(is_meant, bool):
        raise CalibrationOrderError("is_unsure_meant is true or false.")
    return KeepOrder(_parse_whole(fields, "number", _MOST_NUMBER), is_meant)


def parse_number(sent: JsonValue) -> int:
    """Of what was found. OrderFault."""
    return _parse_whole(_parse_object(sent, ("number",)), "number", _MOST_NUMBER)


def parse_source(sent: JsonValue, count: int) -> int:
    """Which of so many sources. OrderFault."""
    return _parse_whole(_parse_object(sent, ("source",)), "source", count - 1)


def check_is_empty(sent: JsonValue) -> None:
    """An order that has nothing to say. OrderFault."""
    _parse_object(sent, ())


def _parse_object(sent: JsonValue, names: tuple[str, ...]) -> dict[str, JsonValue]:
    if not isinstance(sent, dict):
        raise CalibrationOrderError("Send one JSON object.")
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
