"""Events without the names of people and places, as a report sends them away; codes stay, whatever a player is called."""

import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, cast

from controller.match import EventRevised, MatchStarted, RefereeEvent, RemarkMade
from controller.match_log.event_json import event_text, parse_event

_NAMED = ("site", "event", "round", "transcriber")  # of the occasion
_LEAST_NAME = 2  # characters; a letter alone is also an article


def names_of(events: Iterable[RefereeEvent]) -> tuple[str, ...]:
    """Names of people and places, longest first, so that none hides in another."""
    found: set[str] = set()
    for written in events:
        event = parse_event(written.text) if isinstance(written, EventRevised) else written
        if isinstance(event, MatchStarted):
            found |= {event.white, event.black}
            if event.occasion is not None:
                found |= {getattr(event.occasion, part) for part in _NAMED}
    return tuple(sorted((name for name in found if name.strip()), key=lambda name: (-len(name), name)))


def hide_names(event: RefereeEvent, names: tuple[str, ...]) -> RefereeEvent:
    """The names become `name 1`, `name 2`, …; comments and names of recordings are left out, also where nobody is named."""
    if isinstance(event, EventRevised):
        return replace(event, text=event_text(hide_names(parse_event(event.text), names)))
    if isinstance(event, RemarkMade):  # a comment may name anybody
        return replace(event, remark=replace(event.remark, text=""))
    if isinstance(event, MatchStarted):
        event = _rename(event, names)
    return cast(RefereeEvent, _reword(event, names))


def replace_names(text: str, names: tuple[str, ...], *, ignore_case: bool = False) -> str:
    """Only whole words are names, so `Ann` stays in `cannot`; what has no letter, as a round `1/8`, is none."""
    flags = re.IGNORECASE if ignore_case else re.NOFLAG
    for number, name in enumerate(names, 1):
        if len(name) >= _LEAST_NAME and any(map(str.isalpha, name)):
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"name {number}", text, flags=flags)
    return text


def _rename(started: MatchStarted, names: tuple[str, ...]) -> MatchStarted:
    numbered = {name: f"name {number}" for number, name in enumerate(names, 1)}
    occasion = started.occasion
    if occasion is not None:
        hidden: dict[str, Any] = {part: numbered.get(getattr(occasion, part), "") for part in _NAMED}
        occasion = replace(occasion, **hidden)
    recordings = (
        replace(one, name=f"recording {number}{Path(one.name).suffix}")
        for number, one in enumerate(started.recordings, 1)
    )
    return replace(
        started,
        white=numbered.get(started.white, started.white),
        black=numbered.get(started.black, started.black),
        occasion=occasion,
        recordings=tuple(recordings),
    )


def _reword(value: object, names: tuple[str, ...]) -> object:
    """The value with other names in its sentences, which have spaces; codes, as of a board or of weights, have none."""
    if isinstance(value, tuple):
        return tuple(_reword(one, names) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{one.name: _reword(getattr(value, one.name), names) for one in fields(value)})
    return replace_names(value, names) if type(value) is str and " " in value else value
