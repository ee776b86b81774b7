"""Every event of a match in all its kinds: one sample for each member of each enumeration that it holds."""

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from types import NoneType, UnionType
from typing import Union, get_args, get_origin, get_type_hints

from controller.match import CameraLost, Candidate, LightsLost, RefereeEvent, Remark
from controller.match.seating import Seating
from controller.rules import Player

# What a field holds that its type does not say.
BY_NAME: dict[str, object] = {
    "game": "backgammon", "games": ("long_nardy", "tavla"), "profile": "casual", "white": "Ann", "black": "Ben",
    "play": "8/5 6/5", "next_best": "8/5 24/23", "options": ("8/5 6/5", "bar/24"), "places": ("T3", "bar"),
    "take_back": ("B8", "T1"), "belongs": ("bar",), "extra": ("B8",), "missing": ("T12", "B1"), "inferred": ("B6",),
    "sentence": "Several plays look alike to the camera; say which one it was, or show the doubtful points.",
    "reason": "There is no play to take back.", "sentences": ("At least one number must be played.",),
    "command": "EndTurn", "clause": "Casual play: it stands", "rules_toml": None, "clock": None, "values": (6, 5),
    "was": 3, "now": 4,
    "remark": Remark("", "GNU Backgammon", 0.1, 0.2, 0.3, -0.4, (Candidate("8/5 6/5", 0.5),)),
}  # fmt: skip
_QUOTING = (CameraLost, LightsLost)
"""They quote what a driver says, in its language."""
Sample = tuple[str, RefereeEvent]


def list_events() -> list[Sample]:
    """Each with a name that is unique: the class, and what distinguishes the sample."""
    return [sample for kind in get_args(RefereeEvent) for sample in _list_samples(kind)]


def _list_samples(kind: type) -> Iterator[Sample]:
    hints = get_type_hints(kind)
    usual = {field.name: _usual(field.name, hints[field.name]) for field in fields(kind)}
    usual |= {"sentence": ""} if kind in _QUOTING else {}
    yield kind.__name__, kind(**usual)
    for name, hint in hints.items():
        for value in _list_others(hint, usual.get(name)):
            yield f"{kind.__name__} {name}={_name_of(value)}", kind(**{**usual, name: value})


def _usual(name: str, hint: object) -> object:
    if name in BY_NAME and (hint is not int or isinstance(BY_NAME[name], int)):
        return BY_NAME[name]
    if get_origin(hint) in (Union, UnionType):
        rest = [one for one in get_args(hint) if one is not NoneType]
        is_value = len(rest) == 1 and (
            rest[0] in (int, str) or (isinstance(rest[0], type) and issubclass(rest[0], Enum))
        )
        return _usual(name, rest[0]) if is_value else None
    if get_origin(hint) is tuple:
        first = get_args(hint)[0]
        return (_usual("", first),) if isinstance(first, type) and issubclass(first, Enum) else (6, 5)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Player.BLACK if hint is Player else next(iter(hint))
    return {int: 2, str: "", bool: False, float: 4.0, Seating: Seating()}[hint]  # type: ignore[index]


def _list_others(hint: object, usual: object) -> Iterator[object]:
    """The other members, None where the field may be so, and True."""
    if hint is bool:
        yield True
    elif get_origin(hint) in (Union, UnionType):
        yield from (other for one in get_args(hint) if one is not NoneType for other in _list_others(one, usual))
        if usual is not None:
            yield None
    elif get_origin(hint) is tuple and isinstance(get_args(hint)[0], type) and issubclass(get_args(hint)[0], Enum):
        yield from ((member,) for member in get_args(hint)[0] if (member,) != usual)
    elif isinstance(hint, type) and issubclass(hint, Enum):
        yield from (member for member in hint if member is not usual)


def _name_of(value: object) -> str:
    values = value if isinstance(value, tuple) else (value,)
    return ",".join(one.name.lower() if isinstance(one, Enum) else str(one) for one in values)
