"""All tables of a hall as frozen values: messages are folded into them, and tables that need somebody come first.

Everything here is computed from values; `now_s` and `at_s` are a monotonic clock of this machine.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType

from controller.club.reading import (
    ClockView,
    PictureView,
    RulingView,
    StateView,
    UnreadableError,
    clean_text,
    read_picture,
    read_ruling,
    read_state,
)
from controller.match.clocks import Delay
from controller.publishing.messages import RULINGS
from controller.refereeing.state import Phase

MOST_TABLES = 200
"""A knob: tables that are shown and kept; the largest open tournaments have some 150 boards."""
_LAST_EVENTS = 12
"""A knob: a table is asked for its last events of this number, among which there is a ruling."""
_NAME = re.compile(r"[\w.-]{1,64}")  # what `publishing.messages.topic_name` makes of a table's name
_RULINGS = frozenset(kind.__name__ for kind in RULINGS)


class Kind(Enum):
    """The topics of a table that the page reads."""

    AVAILABLE = "available"
    STATE = "state"
    EVENTS = "events"
    PICTURE = "picture"


class Need(Enum):
    """Why a table needs somebody, the most urgent first."""

    DISPUTE = "dispute"  # the players called
    UNSAVED = "unsaved"  # nothing is refereed
    QUESTION = "question"  # play waits for an answer
    TIME = "time"  # a player's time is used up
    CAMERA = "camera"
    OFFLINE = "offline"  # lost in the middle of a match
    LIGHTS = "lights"
    WAITS = "waits"  # the board or the sight of it must be put right
    UNREADABLE = "unreadable"  # its newest state is no message of ours


_URGENCY = {need: rank for rank, need in enumerate(Need)}


@dataclass(frozen=True, slots=True)
class Message:
    """What the broker delivered. `name`: the level of the topic below `zarbiter`; `is_kept`: the broker had retained it, so that
    it may be of any age.
    """

    name: str
    kind: Kind
    payload: bytes
    at_s: float
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """What is known of one table. `state_at_s`: when its state came; `heard_s`: when anything came. `picture`: the last one, until
    the table is offline.
    """

    name: str
    title: str
    is_online: bool = False
    state: StateView | None = None
    state_at_s: float = 0.0
    is_state_kept: bool = False
    is_readable: bool = True
    ruling: RulingView | None = None
    picture: PictureView | None = None
    heard_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Hall:
    """`is_full`: more tables publish than are kept."""

    tables: Mapping[str, TableView] = field(default_factory=lambda: MappingProxyType({}))
    is_full: bool = False


def take_message(hall: Hall, message: Message) -> Hall:
    """The hall after a message; one that is none of ours changes nothing but `is_readable`."""
    if _NAME.fullmatch(message.name) is None:
        return hall
    before = hall.tables.get(message.name)
    if before is None:
        if len(hall.tables) >= MOST_TABLES:
            return hall if hall.is_full else replace(hall, is_full=True)
        before = TableView(message.name, clean_text(message.name))
    after = _take(before, message)
    return hall if after is before else replace(hall, tables=MappingProxyType({**hall.tables, message.name: after}))


def _take(table: TableView, message: Message) -> TableView:
    heard = replace(table, heard_s=message.at_s)
    match message.kind:
        case Kind.AVAILABLE:
            is_online = message.payload == b"online"
            return replace(heard, is_online=is_online, picture=table.picture if is_online else None)
        case Kind.STATE if not message.payload:  # somebody cleared what the broker had retained
            return replace(heard, state=None, is_readable=True)
        case Kind.STATE:
            try:
                title, state = read_state(message.payload)
            except UnreadableError:
                return replace(heard, is_readable=False)
            return replace(
                heard,
                title=title or table.title,
                state=state,
                state_at_s=message.at_s,
                is_state_kept=message.is_kept,
                is_readable=True,
            )
        case Kind.EVENTS:
            return _take_event(heard, message.payload)
        case Kind.PICTURE:
            return _take_picture(heard, message.payload)


def _take_event(table: TableView, payload: bytes) -> TableView:
    """Events come again after a lost connection: of one match only a later ruling replaces the last one."""
    try:
        ruling = read_ruling(payload)
    except UnreadableError:
        return table
    last = table.ruling
    is_old = last is not None and last.match == ruling.match and ruling.number <= last.number
    return table if is_old or ruling.kind not in _RULINGS else replace(table, ruling=ruling)


def _take_picture(table: TableView, payload: bytes) -> TableView:
    """Of a table that is there; what is no picture leaves the last one."""
    if not table.is_online:
        return table
    try:
        return replace(table, picture=read_picture(payload))
    except UnreadableError:
        return table


def show_picture(table: TableView) -> PictureView | None:
    """The picture of the last ruling; None where it has none, or it has not come."""
    picture, ruling = table.picture, table.ruling
    is_of_ruling = (
        picture is not None and ruling is not None and (picture.match, picture.number) == (ruling.match, ruling.number)
    )
    return picture if is_of_ruling else None


def lose_unheard(hall: Hall, since_s: float) -> Hall:
    """Tables of which nothing came since then are offline: a new connection tells of each table whether it is there."""
    lost = {
        name: replace(table, is_online=False, picture=None)
        for name, table in hall.tables.items()
        if table.is_online and table.heard_s < since_s
    }
    return replace(hall, tables=MappingProxyType({**hall.tables, **lost})) if lost else hall


@dataclass(frozen=True, slots=True)
class Wanted:
    """Events after that number, of a match whose rulings were published before anybody listened."""

    name: str
    match: str
    after: int


def list_wanted(hall: Hall) -> tuple[Wanted, ...]:
    """What tables that play should send once more, so that their last ruling is known."""
    return tuple(
        Wanted(table.name, table.state.match.id, max(0, table.state.n_events - _LAST_EVENTS))
        for table in hall.tables.values()
        if table.is_online and table.is_state_kept and table.state is not None and table.state.is_playing
        if table.ruling is None or table.ruling.match != table.state.match.id
    )


def find_needs(table: TableView, now_s: float) -> tuple[Need, ...]:
    """Why somebody should go to the table, the most urgent reason first."""
    state = table.state
    found = set() if table.is_readable else {Need.UNREADABLE}
    if state is not None and state.is_playing and state.match.winner is None:
        found |= _needs_of(state)
        if not table.is_online:
            found.add(Need.OFFLINE)
        if table.is_online and not table.is_state_kept and is_time_up(state, elapsed_ms(table, now_s)):
            found.add(Need.TIME)
    return tuple(sorted(found, key=_URGENCY.__getitem__))


def _needs_of(state: StateView) -> set[Need]:
    found = {
        Need.DISPUTE: state.phase is Phase.DISPUTE,
        Need.UNSAVED: not state.is_saved,
        Need.QUESTION: state.is_question_open or state.phase is Phase.UNSURE,
        Need.CAMERA: "camera" in state.lost or state.phase is Phase.BLIND,
        Need.LIGHTS: "lights" in state.lost,
        Need.WAITS: bool(state.waits) or state.phase is Phase.RESTORE,
    }
    return {need for need, is_so in found.items() if is_so}


def elapsed_ms(table: TableView, now_s: float) -> int:
    """The time since the table's newest state came."""
    return max(0, round((now_s - table.state_at_s) * 1000))


def is_time_up(state: StateView, since_state_ms: int) -> bool:
    """Whether the player whose time runs has used up free time and reserve."""
    clock = state.clock
    if clock is None or clock.turn is None:
        return False
    gone = _gone_ms(clock, state.now_ms + since_state_ms)
    return gone > 0 and clock.banked_ms["WB".index(clock.turn)] <= gone


def _gone_ms(clock: ClockView, now_ms: int) -> int:
    """What the turn took from the reserve so far."""
    ran = 0 if clock.since_ms is None else max(0, now_ms - clock.since_ms)
    return max(0, clock.used_ms + ran - (0 if clock.delay is Delay.BRONSTEIN else clock.delay_ms))


def order_tables(hall: Hall, now_s: float) -> tuple[tuple[TableView, tuple[Need, ...]], ...]:
    """Tables with what they need: tables with a need by urgency, then tables in play, the others, and tables that are
    offline; of one kind by name, 2 before 10.
    """
    found = [(table, find_needs(table, now_s)) for table in hall.tables.values()]
    return tuple(sorted(found, key=lambda one: _rank(*one)))


def _rank(table: TableView, needs: tuple[Need, ...]) -> tuple[int, list[tuple[int, int, str]]]:
    state = table.state
    if needs:
        rank = _URGENCY[needs[0]]
    elif not table.is_online:
        rank = len(Need) + 2
    else:
        is_played = state is not None and state.is_playing and state.match.winner is None
        rank = len(Need) + (0 if is_played else 1)
    return rank, _natural(table.name)


def _natural(name: str) -> list[tuple[int, int, str]]:
    parts = re.split(r"([0-9]{1,18})", name.casefold())
    return [(0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part) for part in parts if part]
