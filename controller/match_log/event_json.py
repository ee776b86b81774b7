"""Events as text and back: one line of canonical JSON for each event, derived from the annotations of its class.

An object has the fields of the event and two more: `event`, the name of the class, and `version`, the version of this
format. Enums are written as their values, tuples as lists, nested dataclasses as objects. Keys are sorted and the text
is ASCII, so that equal events have equal texts (the hash chain needs that), and a name with lone surrogates can be
stored. Reading is strict, because the text may have been tampered with: unknown events and fields are rejected, and so
are values of a wrong type. Only a field with a default may be missing, because it was added after the event was written.
"""

import json
import math
import re
import types
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Union, cast, get_args, get_origin, get_type_hints

from controller.match import PlayMade, RefereeEvent
from controller.match_log.errors import EventTextError

EVENT_VERSION = 1
_NAME, _VERSION = "event", "version"
_EVENT_TYPES: dict[str, type] = {kind.__name__: kind for kind in get_args(RefereeEvent)}
_HANDED = re.compile("transfer:[1-6](,[1-6])*")
_MOST_SHOWN = 40  # characters of a wrong value that an error text quotes

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class _EventFieldError(Exception):
    """The problem of one field; never leaves this module."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field = field


@dataclass(frozen=True, slots=True)
class _EventField:
    name: str
    annotation: object
    may_be_missing: bool


def event_text(event: RefereeEvent) -> str:
    """The canonical text of an event. Raises EventTextError if a field differs from its annotation."""
    kind = type(event)
    if _EVENT_TYPES.get(kind.__name__) is not kind:
        raise EventTextError(kind.__name__, "", "this is no event of a match")
    try:
        record = _encode_object(event, kind, "")
    except _EventFieldError as faulty:
        raise EventTextError(kind.__name__, faulty.field, str(faulty)) from None
    return canonical_text({**record, _NAME: kind.__name__, _VERSION: EVENT_VERSION})


def encode_object(value: object) -> dict[str, JsonValue]:
    """The JSON object of a dataclass that events hold."""
    return _encode_object(value, type(value), "")


def canonical_text(record: dict[str, JsonValue]) -> str:
    """The canonical text of an event's JSON object, also of an object that lacks fields which were added later."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"))


def parse_event(text: str) -> RefereeEvent:
    """The event of a text that `event_text` returned. Raises EventTextError for any other text."""
    name = "?"
    try:
        record = json.loads(text, object_pairs_hook=_reject_duplicates, parse_constant=_refuse_constant)
        if not isinstance(record, dict):
            raise _EventFieldError("", "it is no JSON object")
        name = str(record.pop(_NAME, "?"))[:_MOST_SHOWN]
        _check_version(record.pop(_VERSION, None))
        kind = _EVENT_TYPES.get(name)
        if kind is None:
            raise _EventFieldError("", "this version knows no such event")
        return _check_follow(cast(RefereeEvent, _decode_object(record, kind, "")))
    except _EventFieldError as faulty:
        raise EventTextError(name, faulty.field, str(faulty)) from None
    except (ValueError, RecursionError):  # JSONDecodeError and a number of too many digits are ValueErrors
        raise EventTextError(name, "", "its text is no JSON") from None


def _check_follow(event: RefereeEvent) -> RefereeEvent:
    """The event; numbers that a play hands over are numbers of dice."""
    if isinstance(event, PlayMade) and event.follow.startswith("transfer:") and not _HANDED.fullmatch(event.follow):
        raise _EventFieldError("follow", f"{_shorten(event.follow)} hands over no numbers of dice")
    return event


def _check_version(version: JsonValue) -> None:
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise _EventFieldError(_VERSION, f"{_shorten(version)} is no version")
    if version > EVENT_VERSION:
        problem = f"{version} is of a later zarbiter, and this one knows {EVENT_VERSION}; install that one"
        raise _EventFieldError(_VERSION, problem)


def _reject_duplicates(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _EventFieldError(twice[:_MOST_SHOWN], "it is there twice")
    return record


def _refuse_constant(name: str) -> float:
    raise _EventFieldError("", f"it holds {name}, which is not a number")


@cache
def _list_fields(kind: type) -> tuple[_EventField, ...]:
    hints = get_type_hints(kind)
    return tuple(
        _EventField(one.name, hints[one.name], one.default is not MISSING or one.default_factory is not MISSING)
        for one in fields(kind)
    )


def _encode_object(value: object, kind: type, where: str) -> dict[str, JsonValue]:
    prefix = f"{where}." if where else ""
    return {
        one.name: _encode_value(getattr(value, one.name), one.annotation, prefix + one.name)
        for one in _list_fields(kind)
    }


def _encode_value(value: object, annotation: object, where: str) -> JsonValue:
    """The JSON of a value, which is checked against its annotation."""
    if _is_optional(annotation):
        return None if value is None else _encode_value(value, _strip_optional(annotation), where)
    if get_origin(annotation) is tuple:
        if not isinstance(value, tuple):
            raise _EventFieldError(where, f"{_shorten(value)} is no tuple")
        kinds = _expand_entry_annotations(annotation, len(value), where)
        return [
            _encode_value(entry, kind, f"{where}[{at}]")
            for at, (entry, kind) in enumerate(zip(value, kinds, strict=True))
        ]
    kind = _require_storable(annotation)
    if not issubclass(kind, Enum) and not is_dataclass(kind):
        return _check_scalar(value, kind, where)
    if type(value) is not kind:
        raise _EventFieldError(where, f"{_shorten(value)} is no {kind.__name__}")
    return cast(JsonValue, value.value) if isinstance(value, Enum) else _encode_object(value, kind, where)


def _decode_value(value: JsonValue, annotation: object, where: str) -> object:
    """The value of a field's JSON, which is checked against the annotation."""
    if _is_optional(annotation):
        return None if value is None else _decode_value(value, _strip_optional(annotation), where)
    if get_origin(annotation) is tuple:
        if not isinstance(value, list):
            raise _EventFieldError(where, f"{_shorten(value)} is no list")
        kinds = _expand_entry_annotations(annotation, len(value), where)
        return tuple(
            _decode_value(entry, kind, f"{where}[{at}]")
            for at, (entry, kind) in enumerate(zip(value, kinds, strict=True))
        )
    kind = _require_storable(annotation)
    if issubclass(kind, Enum):
        return _decode_enum(value, kind, where)
    if not is_dataclass(kind):
        return _check_scalar(value, kind, where)
    if not isinstance(value, dict):
        raise _EventFieldError(where, f"{_shorten(value)} is no object")
    return _decode_object(value, kind, where)


def _decode_object(record: dict[str, JsonValue], kind: type, where: str) -> object:
    prefix = f"{where}." if where else ""
    values: dict[str, object] = {}
    for one in _list_fields(kind):
        if one.name in record:
            values[one.name] = _decode_value(record.pop(one.name), one.annotation, prefix + one.name)
        elif not one.may_be_missing:
            raise _EventFieldError(prefix + one.name, "it is missing")
    if record:
        raise _EventFieldError(prefix + min(record)[:_MOST_SHOWN], "this version knows no such field")
    return kind(**values)


def _decode_enum(value: JsonValue, kind: type[Enum], where: str) -> Enum:
    for member in kind:
        if member.value == value and type(member.value) is type(value):
            return member
    raise _EventFieldError(where, f"{_shorten(value)} is none of {', '.join(str(member.value) for member in kind)}")


def _check_scalar(value: object, kind: type, where: str) -> JsonValue:
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        if math.isfinite(value):
            return float(value)
    elif type(value) is kind:
        return cast(JsonValue, value)
    words = {int: "whole number", str: "text", bool: "true or false", float: "number"}
    raise _EventFieldError(where, f"{_shorten(value)} is no {words[kind]}")


def _expand_entry_annotations(annotation: object, count: int, where: str) -> tuple[object, ...]:
    """The annotation of each of `count` entries of a tuple."""
    kinds = get_args(annotation)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return (kinds[0],) * count
    if len(kinds) != count:
        raise _EventFieldError(where, f"it has {count} entries instead of {len(kinds)}")
    return kinds


def _is_optional(annotation: object) -> bool:
    return get_origin(annotation) in (Union, types.UnionType) and type(None) in get_args(annotation)


def _strip_optional(annotation: object) -> object:
    (inner,) = (kind for kind in get_args(annotation) if kind is not type(None))
    return cast(object, inner)


def _require_storable(annotation: object) -> type:
    """The annotation as a class that can be stored. Raises TypeError for any other, which is a programming error."""
    if isinstance(annotation, type) and (
        annotation in (int, str, bool, float) or issubclass(annotation, Enum) or is_dataclass(annotation)
    ):
        return annotation
    raise TypeError(f"events cannot hold {annotation}; use numbers, text, enums, tuples and such dataclasses")


def _shorten(value: object) -> str:
    return repr(value)[:_MOST_SHOWN]
