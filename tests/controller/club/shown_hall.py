"""The page of a hall without a broker: what tables would publish is handed to it."""

import json
from dataclasses import dataclass, field
from time import monotonic

from controller.club.hall import Kind, Message
from controller.club.listener import Heard
from controller.club.page import ClubServer
from controller.match.clocks import parse_clock
from controller.publishing.messages import RULINGS
from controller.web.address import LOOPBACK, Address
from tests.controller.club.table_messages import MATCH, changed, event_texts, picture_text, state_text
from tests.controller.refereeing.refereed_match import OPENING_HALVES, RefereedMatch, table_of
from tests.controller.web.shown_match import TOKEN, ShownMatch
from tests.vision.pixels.test_picture_header import encoded

NAMES = ("Leyla", "Arman", "Ünal Şahin", "علی‌رضا", "Γιώργος Παπαδόπουλος", "Wolfeschlegelsteinhausenbergerdorff")
HOSTILE = "<img src=x onerror=alert(1)>\x1b[2J\u202e"


@dataclass(slots=True)
class ShownHall:
    waiting: list[Message] = field(default_factory=list)
    is_up: bool = True
    since_s: float = field(default_factory=monotonic)

    def serve(self) -> ClubServer:
        return ClubServer(Address(LOOPBACK, 0), TOKEN, self.take, lambda _: None)

    def take(self) -> Heard:
        found = tuple(self.waiting)
        self.waiting = self.waiting[len(found) :]
        return Heard(found, self.is_up, is_full=False, since_s=self.since_s)

    def publish(self, name: str, kind: Kind, payload: str | bytes) -> None:
        content = payload.encode() if isinstance(payload, str) else payload
        self.waiting = [*self.waiting, Message(name, kind, content, monotonic())]

    def come(self, name: str, state: str | bytes) -> None:
        self.publish(name, Kind.AVAILABLE, "online")
        self.publish(name, Kind.STATE, state)


def busy_hall() -> ShownHall:
    """Tables that play, wait, ask, lost a part, were lost, are over or call themselves something hostile."""
    hall = ShownHall()
    asked = ShownMatch.unsure().match
    hall.come("Table-7", state_text(asked, "Table 7"))
    played = ShownMatch.after_first_turn().match
    for number in (1, 2, 10):
        hall.come(f"Table-{number}", _named(state_text(played, f"Table {number}"), number))
        for text in event_texts(played):
            hall.publish(f"Table-{number}", Kind.EVENTS, text)
    ruling = max(number for number, event in enumerate(played.events, 1) if isinstance(event, RULINGS))
    hall.publish("Table-2", Kind.PICTURE, picture_text(ruling, encoded(".jpg")))
    timed = RefereedMatch.begun(table_of("backgammon", clock=parse_clock("10+12"), white="Ann", black="Ben"))
    timed.throw(3, 1, halves=OPENING_HALVES)
    hall.come("Table-4", state_text(timed, "Table 4"))
    hall.come("Table-5", changed(state_text(timed, "Table 5"), lost=["camera", "lights"], phase="blind"))
    hall.come("Table-6", changed(state_text(timed, "Table 6"), phase="dispute"))
    hall.come("Table-8", state_text(timed, "Table 8"))
    hall.publish("Table-8", Kind.AVAILABLE, "offline")
    hall.come("Table-9", state_text(played, "Table 9", is_playing=False))
    won = json.loads(state_text(played))["state"]["match"] | {"winner": "W", "confirmed_by": ["W"]}
    hall.come("Table-12", changed(state_text(played, "Table 12"), match=won))
    hall.publish("Table-3", Kind.AVAILABLE, "online")
    hall.come("Table-11", _named(state_text(played, HOSTILE), 0, HOSTILE))
    strange = {"match": MATCH, "number": 99, "text": HOSTILE, "event": {"event": "PlayMade"}}
    said = [{"key": "__proto__", "values": {"player": {"list": 3}}}]
    hall.publish("Table-11", Kind.EVENTS, json.dumps(strange | {"said": said}))
    return hall


def _named(text: str, number: int, name: str = "") -> bytes:
    match = json.loads(text)["state"]["match"]
    white, black = (name or NAMES[number % len(NAMES)], name or NAMES[(number + 1) % len(NAMES)])
    return changed(text, match=match | {"white": white, "black": black, "score": [number, 3], "length": 11})
