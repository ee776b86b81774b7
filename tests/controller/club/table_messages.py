"""What tables publish, made from refereed matches by the code that publishes them."""

import base64
import json
from typing import Any

from controller.club.hall import Hall, Kind, Message, Need, TableView, find_needs, take_message
from controller.publishing.states import StateTexts
from controller.web.match.live_match import NumberedEvent, Snapshot
from controller.web.match.ruling_record import make_event_json
from controller.web.match.visibility import Viewer
from tests.controller.refereeing.refereed_match import RefereedMatch

MATCH = "20261129-203000"


def state_text(match: RefereedMatch, title: str = "Table 3", *, is_playing: bool = True) -> str:
    newest = Snapshot(match.state, match.now_ms, len(match.events))
    return StateTexts(title, Viewer.OPERATOR).of(MATCH, newest, match.table, is_playing=is_playing)[0]


def changed(text: str, **changes: Any) -> bytes:
    """A state with other values in its `state`."""
    record = json.loads(text)
    record["state"] |= changes
    return json.dumps(record).encode()


def event_texts(match: RefereedMatch, title: str = "Table 3") -> list[str]:
    found = []
    for number, event in enumerate(match.events, 1):
        record: dict[str, Any] = json.loads(make_event_json(NumberedEvent(number, event), match.table, Viewer.OPERATOR))
        found.append(json.dumps({"table": title, "match": MATCH, "utc": "", **record}))
    return found


def heard(
    hall: Hall, name: str, kind: Kind, payload: str | bytes, at_s: float = 100.0, *, is_kept: bool = False
) -> Hall:
    content = payload.encode() if isinstance(payload, str) else payload
    return take_message(hall, Message(name, kind, content, at_s, is_kept))


def online(name: str, state: str | bytes, hall: Hall | None = None, at_s: float = 100.0) -> Hall:
    """A hall in which this table is there, with this state."""
    return heard(heard(hall or Hall(), name, Kind.AVAILABLE, "online", at_s), name, Kind.STATE, state, at_s)


def needs(hall: Hall, name: str = "Table-3", now_s: float = 100.0) -> tuple[Need, ...]:
    table: TableView = hall.tables[name]
    return find_needs(table, now_s)


def picture_text(number: int, jpeg: bytes, match: str = MATCH) -> str:
    """The picture of the ruling with that number, as a table sends it."""
    return json.dumps({"type": "picture", "match": match, "number": number, "jpeg": base64.b64encode(jpeg).decode()})
