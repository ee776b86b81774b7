"""Hypothesis strategies for events: every type, with every value that its fields may have."""

from dataclasses import fields
from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st

from controller.match.event_values import BoardUsed, Candidate, Remark
from controller.match.events import RefereeEvent
from controller.match.seating import Seating
from controller.rules import Player

EVENT_TYPES: tuple[type[Any], ...] = get_args(RefereeEvent)

# Lone surrogates too: a player's name comes from the command line.
_TEXT = st.text(st.characters(), max_size=20)
_ANY_TIME = st.integers()
_FINITE = st.floats(allow_nan=False, allow_infinity=False)
_OTHERS = {
    int: _ANY_TIME,
    str: _TEXT,
    str | None: st.none() | _TEXT,
    float: _FINITE,
    float | None: st.none() | _FINITE,
    Remark: st.builds(
        Remark,
        text=_TEXT,
        source=_TEXT,
        play_error=st.none() | _FINITE,
        luck=st.none() | _FINITE,
        candidates=st.lists(st.builds(Candidate, play=_TEXT, equity=_FINITE), max_size=2).map(tuple),
    ),
    tuple[str, ...]: st.lists(_TEXT, max_size=4).map(tuple),
    BoardUsed | None: st.none()
    | st.builds(
        BoardUsed,
        has_bar=st.booleans(),
        seating=st.none() | st.from_type(Seating),
        start=st.none() | _TEXT,
        on_turn=st.none() | st.sampled_from(Player),
    ),
}


def values_for(annotation: Any) -> st.SearchStrategy[Any]:
    return _OTHERS.get(annotation, st.from_type(annotation))


def of_type(kind: type[Any], at_ms: st.SearchStrategy[int] = _ANY_TIME) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    drawn = {one.name: values_for(hints[one.name]) for one in fields(kind)}
    return st.builds(kind, **(drawn | {"at_ms": at_ms}))


def events(at_ms: st.SearchStrategy[int] = _ANY_TIME) -> st.SearchStrategy[Any]:
    return st.sampled_from(EVENT_TYPES).flatmap(lambda kind: of_type(kind, at_ms))
