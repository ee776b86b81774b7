"""Hears what tables publish at the broker, in a thread of its own that comes back to it for ever.

The thread only keeps texts: of each table the newest state, the newest availability, the newest picture and
the last events. They are read when
somebody looks at the page. So a flood of messages costs neither memory nor more time than the page takes.
"""

import json
import logging
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from controller.club.hall import MOST_TABLES, Kind, Message, Wanted
from controller.club.reading import MOST_BYTES
from controller.publishing import Broker, SendingError, explain_connection_error, explain_refusal, make_client

_LOG = logging.getLogger("zarbiter.club")

KEEPALIVE_S = 5
"""A knob: a broker that vanishes without a word is missed after 1.5 times this."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 5.0
"""A knob: how long the broker is left alone after a failure; twice the first after two, and so on."""
_ANSWER_WITHIN_S = 10.0
_LAST_EVENTS = 16  # of a table, between two looks
_ROOT = "zarbiter"
_TOPICS = [(f"{_ROOT}/+/available", 1), (f"{_ROOT}/+/state", 1), (f"{_ROOT}/+/events", 0), (f"{_ROOT}/+/picture", 0)]


@dataclass(slots=True)
class _Waiting:
    """What came from one table since the last look."""

    newest: dict[Kind, Message] = field(default_factory=dict)
    events: deque[Message] = field(default_factory=lambda: deque(maxlen=_LAST_EVENTS))


@dataclass(frozen=True, slots=True)
class Heard:
    """What came since the last look. `is_full`: more tables publish than are kept. `since_s`: since when the connection is as
    it is; a new one tells everything again.
    """

    messages: tuple[Message, ...]
    is_up: bool
    is_full: bool
    since_s: float


class Listener:
    """Raises SendingError at its construction where there is no paho-mqtt, or a certificate that cannot be used."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._lock, self._stop, self._ended = Lock(), Event(), Event()
        self._waiting: dict[str, _Waiting] = {}
        self._names: set[str] = set()
        self._is_up, self._is_full, self._since_s = False, False, monotonic()
        self._client: Any = None  # while there is a connection
        self._problem: SendingError | None = None
        self._complaint = ""
        make_client(broker)
        self._thread = Thread(target=self._run, name="listening to the broker", daemon=True)
        self._thread.start()

    def take(self) -> Heard:
        """What came since the last call, in the order in which each table sent it."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
            found = tuple(one for kept in waiting.values() for one in (*kept.newest.values(), *kept.events))
            return Heard(found, self._is_up, self._is_full, self._since_s)

    def ask(self, wanted: Wanted) -> None:
        """Asks a table to send events once more. Never waits; a broker may refuse it to us without a word."""
        client, text = self._client, json.dumps({"match": wanted.match, "after": wanted.after})
        if client is not None:
            client.publish(f"{_ROOT}/{wanted.name}/repeat", text)

    def close(self) -> None:
        self._stop.set()
        self._ended.set()
        self._thread.join(2.0)

    def _run(self) -> None:
        n_failures = 0
        while not self._stop.is_set():
            self._ended.clear()
            try:
                client = self._connect()
            except SendingError as error:
                self._complain(error)
            else:
                while not self._stop.is_set() and not self._ended.wait(1.0):
                    pass
                with suppress(ValueError, OSError):  # it has ended by itself
                    client.disconnect()
                client.loop_stop()
                self._complain(self._problem or SendingError(f"{self._broker.name} is not heard any more; see to it"))
            n_failures = 0 if self._is_up else n_failures + 1
            self._note_link(is_up=False)
            self._stop.wait(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(n_failures, 10)))

    def _connect(self) -> Any:
        client = make_client(self._broker)
        client.on_connect, client.on_disconnect, client.on_message = self._note_connect, self._note_end, self._keep
        self._problem = None
        try:
            client.connect(self._broker.host, self._broker.port, keepalive=KEEPALIVE_S)
        except (OSError, ValueError) as error:
            raise SendingError(f"{self._broker.name} {explain_connection_error(error)}") from None
        client.loop_start()
        return client

    def _complain(self, error: SendingError) -> None:
        """Each reason once until it works again."""
        if not self._stop.is_set() and str(error) != self._complaint:
            self._complaint = str(error)
            _LOG.warning("%s; the page keeps its last view, and it is tried again", error)

    def _note_connect(self, client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            self._problem = explain_refusal(self._broker, reason)
            self._ended.set()
            return
        with self._lock:
            self._names, self._is_full = set(), False
        self._note_link(is_up=True, client=client)
        if self._complaint:
            _LOG.warning("%s is heard again", self._broker.name)
        self._complaint = ""
        client.subscribe(_TOPICS)

    def _note_end(self, _client: Any, _data: Any, _flags: Any, _reason: Any, _properties: Any) -> None:
        self._problem = self._problem or SendingError(
            f"{self._broker.name} {explain_connection_error(ConnectionError())}"
        )
        self._ended.set()

    def _note_link(self, *, is_up: bool, client: Any = None) -> None:
        with self._lock:
            self._client = client
            if is_up != self._is_up:
                self._is_up, self._since_s = is_up, monotonic()

    def _keep(self, _client: Any, _data: Any, message: Any) -> None:
        """Anybody may publish anything: what is no topic of a table is left aside, what is too long is cut and unreadable."""
        try:
            _, name, last = str(message.topic).split("/")
            kind = Kind(last)
        except ValueError:
            return
        payload = message.payload[: MOST_BYTES + 1]
        found = Message(name, kind, payload, monotonic(), is_kept=bool(message.retain))
        with self._lock:
            if name not in self._names:
                if len(self._names) >= MOST_TABLES:
                    self._is_full = True
                    return
                self._names.add(name)
            waiting = self._waiting.setdefault(name, _Waiting())
            if kind is Kind.EVENTS:
                waiting.events.append(found)
            else:
                waiting.newest[kind] = found
