"""From the text of a message to frozen values. Whoever may publish at the broker wrote that text: nothing of it is trusted.

Only fields that the page shows are taken, each with its type and within its limits. Names become visible text.
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.match.clocks import Delay
from controller.publishing.pictures import LONGEST_PX
from controller.publishing.pictures import MOST_BYTES as MOST_PICTURE_BYTES
from controller.refereeing.state import Phase
from controller.rules import ResultKind
from controller.visible_text import visible_text
from vision.pixels.small_jpeg import is_jpeg_within

MOST_BYTES = 65_536
"""A state with a question and its answers for an operator has up to some 20 000."""
MOST_NAME, MOST_TEXT = 80, 600
_MOST_SENTENCES, _MOST_DEPTH, _MOST_ENTRIES = 8, 6, 32
_MOST_NUMBER = 10**12
_MOST_BASE64 = 4 * -(-MOST_PICTURE_BYTES // 3)
_PLAYERS = ("W", "B")
_LOST = ("camera", "lights")
_N_POINTS = 24
Record = Mapping[str, Any]


class UnreadableError(ValueError):
    """A message is none of ours."""


@dataclass(frozen=True, slots=True)
class ClockView:
    """A clock as the table keeps it, in milliseconds; `since_ms` on the clock of `StateView.now_ms`, None: it stands."""

    banked_ms: tuple[int, int]
    turn: str | None
    delay: Delay
    delay_ms: int
    used_ms: int
    since_ms: int | None


@dataclass(frozen=True, slots=True)
class MatchView:
    """`score`: White's points first. `length` None: money games. `confirmed_by`: who has confirmed the score after a game."""

    id: str
    game: str
    title: str
    white: str
    black: str
    score: tuple[int, int]
    length: int | None
    number: int
    is_crawford: bool
    winner: str | None
    confirmed_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StateView:
    """A state of one table. `n_events`: in its log. `question`, `waits`: sentences as JSON text, empty where there are none."""

    match: MatchView
    phase: Phase
    now_ms: int
    n_events: int
    is_playing: bool
    is_saved: bool
    lost: tuple[str, ...]
    on_turn: str | None
    offered_by: str | None
    resignation: tuple[str, ResultKind] | None
    dice: tuple[int, ...]
    is_handed_over: bool
    numbers: tuple[tuple[int, ...], tuple[int, ...]] | None
    clock: ClockView | None
    question: str
    is_question_open: bool
    waits: str


@dataclass(frozen=True, slots=True)
class RulingView:
    """A ruling. `number`: of its event in the log of the match. `said`: sentences as JSON text."""

    match: str
    number: int
    kind: str
    text: str
    said: str


@dataclass(frozen=True, slots=True)
class PictureView:
    """The picture of the ruling with that number: what begins as a small JPEG, and is decoded when somebody looks at it."""

    match: str
    number: int
    jpeg: bytes


def clean_text(text: str, most: int = MOST_NAME) -> str:
    """One line of at most `most` visible letters; half a surrogate pair becomes a question mark."""
    return visible_text(text[:most].encode("utf-8", "replace").decode())[:most]


def read_state(payload: bytes) -> tuple[str, StateView]:
    """The name of the table and its state. Raises UnreadableError."""
    record = _read_object(payload)
    state, table = _object(record, "state"), _text(record, "table")
    question = state.get("question")
    resignation = state.get("resignation")
    cube, dice = state.get("cube"), state.get("dice")
    waits = state.get("waits")
    try:
        return table, StateView(
            match=_read_match(_object(state, "match"), _text(state, "match_id")),
            phase=Phase(_text(state, "phase")),
            now_ms=_number(record, "now_ms"),
            n_events=_number(state, "events"),
            is_playing=record.get("is_playing") is not False,
            is_saved=state.get("is_saved") is not False,
            lost=tuple(part for part in _LOST if part in _list(state, "lost")),
            on_turn=_player(state.get("on_turn")),
            offered_by=_player(cube.get("offered_by")) if isinstance(cube, dict) else None,
            resignation=_read_resignation(resignation) if isinstance(resignation, dict) else None,
            dice=tuple(map(_checked_number, _list(dice, "values")[:4])) if isinstance(dice, dict) else (),
            is_handed_over=isinstance(dice, dict) and dice.get("is_handed_over") is True,
            numbers=_read_numbers(state.get("numbers")),
            clock=_read_clock(_object(state, "clock")) if state.get("clock") is not None else None,
            question=_read_said(question.get("title")) if isinstance(question, dict) else "",
            is_question_open=isinstance(question, dict) and question.get("is_open") is True,
            waits=_read_said(waits.get("said")) if isinstance(waits, dict) else "",
        )
    except ValueError as error:
        raise UnreadableError(str(error)) from None


def read_ruling(payload: bytes) -> RulingView:
    """Raises UnreadableError."""
    record = _read_object(payload)
    event = _object(record, "event")
    return RulingView(
        match=_text(record, "match"),
        number=_number(record, "number"),
        kind=_text(event, "event"),
        text=_text(record, "text", MOST_TEXT),
        said=_read_said(record.get("said")),
    )


def read_picture(payload: bytes) -> PictureView:
    """Raises UnreadableError."""
    record = _read_object(payload)
    found = record.get("jpeg")
    if not isinstance(found, str) or len(found) > _MOST_BASE64:
        raise UnreadableError("no picture, or a large one")
    try:
        jpeg = base64.b64decode(found, validate=True)
    except ValueError:
        raise UnreadableError("no base64") from None
    if not is_jpeg_within(jpeg, LONGEST_PX):
        raise UnreadableError("no JPEG, or one of many pixels")
    return PictureView(_text(record, "match"), _number(record, "number"), jpeg)


def _read_object(payload: bytes) -> Record:
    if len(payload) > MOST_BYTES:
        raise UnreadableError("too long")
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        raise UnreadableError("no JSON") from None
    if not isinstance(found, dict):
        raise UnreadableError("no object")
    return found


def _read_match(record: Record, name: str) -> MatchView:
    score = _pair(record, "score")
    length = record.get("length")
    return MatchView(
        id=name,
        game=_text(record, "game"),
        title=_text(record, "title"),
        white=_text(record, "white"),
        black=_text(record, "black"),
        score=score,
        length=None if length is None else _checked_number(length),
        number=_number(record, "number"),
        is_crawford=record.get("is_crawford") is True,
        winner=_player(record.get("winner")),
        confirmed_by=tuple(one for one in _PLAYERS if one in _list(record, "confirmed_by")),
    )


def _read_clock(record: Record) -> ClockView:
    since = record.get("since_ms")
    return ClockView(
        banked_ms=_pair(record, "banked_ms"),
        turn=_player(record.get("turn")),
        delay=Delay(_text(record, "delay")),
        delay_ms=_number(record, "delay_ms"),
        used_ms=_number(record, "used_ms"),
        since_ms=None if since is None else _checked_number(since),
    )


def _read_resignation(record: Record) -> tuple[str, ResultKind] | None:
    player = _player(record.get("player"))
    return None if player is None else (player, ResultKind(_text(record, "kind")))


def _read_numbers(found: object) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    if not isinstance(found, dict):
        return None
    white, black = (tuple(map(_checked_number, _list(found, player)[:_N_POINTS])) for player in _PLAYERS)
    return white, black


def _read_said(found: object) -> str:
    """Sentences (keys of the language packs with values) as JSON text; empty where one of them is too large or strange."""
    if not isinstance(found, list) or not found or len(found) > _MOST_SENTENCES:
        return ""
    try:
        said = [_clean_value(one, _MOST_DEPTH) for one in found]
    except UnreadableError:
        return ""
    return json.dumps(said) if all(isinstance(one, dict) for one in said) else ""


def _clean_value(value: object, depth: int) -> object:
    if depth < 0:
        raise UnreadableError("too deep")
    match value:
        case str():
            return clean_text(value, MOST_TEXT)
        case None | bool():
            return value
        case int():
            return _checked_number(value)
        case list() if len(value) <= _MOST_ENTRIES:
            return [_clean_value(one, depth - 1) for one in value]
        case dict() if len(value) <= _MOST_ENTRIES:
            return {clean_text(str(name)): _clean_value(one, depth - 1) for name, one in value.items()}
        case _:
            raise UnreadableError("too large, or a kind of value that no sentence has")


def _object(record: Record, name: str) -> Record:
    found = record.get(name)
    if not isinstance(found, dict):
        raise UnreadableError(f"no {name}")
    return found


def _list(record: Record, name: str) -> list[Any]:
    found = record.get(name)
    if not isinstance(found, list):
        raise UnreadableError(f"no {name}")
    return found


def _pair(record: Record, name: str) -> tuple[int, int]:
    found = _list(record, name)
    if len(found) != 2:
        raise UnreadableError(f"{name} is no pair")
    return _checked_number(found[0]), _checked_number(found[1])


def _text(record: Record, name: str, most: int = MOST_NAME) -> str:
    found = record.get(name)
    if not isinstance(found, str):
        raise UnreadableError(f"no {name}")
    return clean_text(found, most)


def _number(record: Record, name: str) -> int:
    return _checked_number(record.get(name))


def _checked_number(found: object) -> int:
    if not isinstance(found, int) or isinstance(found, bool) or abs(found) > _MOST_NUMBER:
        raise UnreadableError("no number")
    return found


def _player(found: object) -> str | None:
    return found if isinstance(found, str) and found in _PLAYERS else None
