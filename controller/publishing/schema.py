"""The JSON schema of everything that leaves for other programs, made from the classes whose values are sent.

Events have the form of the log (`match_log/event_json.py`); states and messages are TypedDicts. A receiver should take
fields that it does not know: a later version may add some.
"""

import inspect
import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from controller.match import RefereeEvent
from controller.match_log.event_json import EVENT_VERSION
from controller.publishing.pictures import PictureMessageJson
from controller.publishing.states import EventMessageJson, StateMessageJson
from controller.web.match.ruling_record import WITHHELD

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALARS: dict[object, Schema] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
}
_SENTENCE: Schema = {
    "description": "A key of the language packs with its values, or text that no pack has.",
    "type": "object",
    "oneOf": [
        {
            "properties": {"key": {"type": "string"}, "values": {"type": "object"}},
            "required": ["key", "values"],
        },
        {"properties": {"plain": {"type": "string"}}, "required": ["plain"]},
    ],
}


def make_schema() -> Schema:
    """The schema: any message and, alone, any event; each has a name under `$defs`."""
    defs: dict[str, Schema] = {"Sentence": _SENTENCE}
    events = [_reference(kind, defs, _describe_event) for kind in get_args(RefereeEvent)]
    withheld = {
        "description": "An event that a spectator may not see in this mode; its number stays.",
        "type": "object",
        "properties": {"event": {"const": WITHHELD}},
        "required": ["event"],
    }
    defs["Event"] = {"description": "An event of the log.", "oneOf": [*events, withheld]}
    messages = [
        _reference(kind, defs, _describe_record) for kind in (EventMessageJson, StateMessageJson, PictureMessageJson)
    ]
    return {
        "$schema": _DIALECT,
        "title": "Zarbiter: events and states",
        "description": "What the page, MQTT and webhooks send, and (events alone) what play --json prints.",
        "anyOf": [*messages, {"$ref": "#/$defs/Event"}],
        "$defs": dict(sorted(defs.items())),
    }


def _reference(kind: type, defs: dict[str, Schema], describe: Callable[[type, dict[str, Schema]], Schema]) -> Schema:
    name = kind.__name__.removesuffix("Json")
    if name not in defs:
        defs[name] = {}  # a class that holds itself finds its name
        defs[name] = describe(kind, defs)
    return {"$ref": f"#/$defs/{name}"}


def _describe_event(kind: type, defs: dict[str, Schema]) -> Schema:
    schema = _describe_object(kind, defs)
    own = {"event": {"const": kind.__name__}, "version": {"type": "integer", "minimum": 1, "maximum": EVENT_VERSION}}
    return schema | {"properties": schema["properties"] | own, "required": [*schema["required"], *own]}


def _describe_object(kind: type, defs: dict[str, Schema]) -> Schema:
    """A dataclass in the form of the log. A field with a default may be missing in what an older version wrote."""
    hints = get_type_hints(kind)
    needed = [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]
    return _object(kind, {one.name: _schema_of(hints[one.name], defs) for one in fields(kind)}, needed)


def _describe_record(kind: type, defs: dict[str, Schema]) -> Schema:
    hints = get_type_hints(kind, localns={"JsonValue": object}, include_extras=True)  # JsonValue holds itself by name
    needed = [name for name, hint in hints.items() if get_origin(hint) is not NotRequired]
    return _object(kind, {name: _schema_of(hint, defs) for name, hint in hints.items()}, needed)


def _object(kind: type, properties: dict[str, Schema], needed: list[str]) -> Schema:
    text = " ".join((inspect.getdoc(kind) or "").split()).replace("`", "")
    return {"description": text, "type": "object", "properties": properties, "required": needed}


def _schema_of(hint: Any, defs: dict[str, Schema]) -> Schema:
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return _schema_of(inner[0], defs)
    if origin is Annotated:
        return _annotated(inner[1])
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema_of(one, defs) for one in inner]}
    if origin is dict:
        return {"type": "object"}
    if origin is list or (origin is tuple and inner[-1] is Ellipsis):
        return {"type": "array", "items": _schema_of(inner[0], defs)}
    if origin is tuple:
        entries = [_schema_of(one, defs) for one in inner]
        return {"type": "array", "prefixItems": entries, "minItems": len(inner), "maxItems": len(inner)}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [one.value for one in hint]}
    if is_typeddict(hint):
        return _reference(hint, defs, _describe_record)
    if is_dataclass(hint) and isinstance(hint, type):
        return _reference(hint, defs, _describe_object)
    raise TypeError(f"the schema has no form for {hint}")


def _annotated(extra: object) -> Schema:
    """An enum whose values the text has, a name under `$defs`, or the text itself."""
    if isinstance(extra, type) and issubclass(extra, Enum):
        return {"enum": [one.value for one in extra]}
    if extra in ("Event", "Sentence"):
        return {"$ref": f"#/$defs/{extra}"}
    return {"const": extra}
