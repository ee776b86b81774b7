"""An MQTT broker as receiver; the only file that imports paho-mqtt, the extra `mqtt`.

Topics below `zarbiter/<table>`: `available` (online or offline, retained; the broker itself says offline when the table is
lost), `state` (the newest state, retained), `events` (QoS 1, in the order of the log), `picture` (of the last ruling, if the
settings say so), `owner` (which installation has the name, retained), and `repeat`, on which a receiver that misses events asks
for them.

Each connection is a client of its own without a queue: what is sent, and again after a lost connection, follows from the
log and the kept position alone.
"""

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Condition
from time import monotonic
from typing import Any, ClassVar

from controller.publishing.connecting import Password, explain_connection_error, make_tls_context
from controller.publishing.errors import SendingError
from controller.publishing.home_assistant import discovery_messages
from controller.publishing.messages import EventMessage
from controller.web.set_up.program_control import Receiver

MISSING = "paho-mqtt is not installed, which publishing to a broker needs; run pip install 'zarbiter[mqtt]'"
ANSWER_WITHIN_S = 10.0
"""A knob: the longest wait for a confirmation of the broker."""
_KEEPALIVE_S = 20
"""The broker says offline 1.5 times this after the table was lost."""
_LAST_WORD_S = 1.0
_MOST_REQUEST_BYTES = 300
_REFUSED = (134, 135)  # bad user name or password, not authorized

Repeat = Callable[[str, int], None]
"""Called with a match and the number of the event after which its events are wanted again; from another thread."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is and how it lets us in. `password` stays out of every text of this object."""

    host: str
    port: int
    user: str | None = None
    password: Password | None = None
    uses_tls: bool = False
    ca: Path | None = None

    @property
    def place(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def name(self) -> str:
        return f"the MQTT broker at {self.place}"


@dataclass(frozen=True, slots=True)
class TableAtBroker:
    """The topics of one table, and `owner`, the name of this installation."""

    topic: str
    title: str
    owner: str
    is_in_home_assistant: bool = False


def make_client(broker: Broker, name: str = "") -> Any:
    """A client of paho that is not connected yet and does not come back by itself; `name`: under which the broker knows it.
    Raises SendingError for a certificate that cannot be used, and where paho-mqtt is missing.
    """
    _require_paho()
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2, client_id=name, reconnect_on_failure=False)
    client.connect_timeout = ANSWER_WITHIN_S
    if broker.user is not None and broker.password is not None:
        client.username_pw_set(broker.user, broker.password.text)
    if broker.uses_tls:
        client.tls_set_context(make_tls_context(broker.ca))
    return client


def _require_paho() -> None:
    if find_spec("paho") is None:
        raise SendingError(MISSING, is_lasting=True)


def explain_refusal(broker: Broker, reason: Any) -> SendingError:
    """Why the broker does not let us in, from the reason that it gives."""
    if reason.value in _REFUSED:
        sentence = f"{broker.name} refuses user and password; correct [mqtt] user and password_file"
        return SendingError(sentence, is_lasting=True)
    return SendingError(f"{broker.name} refuses us ({reason}); see its own log")


class MqttSender:
    """Publishes events and states. Raises SendingError."""

    receiver: ClassVar[Receiver] = Receiver.MQTT

    def __init__(self, broker: Broker, table: TableAtBroker) -> None:
        _require_paho()
        self.repeat: Repeat = lambda _match, _number: None
        self._broker, self._table = broker, table
        self._connection: _Connection | None = None
        self._shown = ""

    @property
    def name(self) -> str:
        return self._broker.name

    @property
    def place(self) -> str:
        return self._broker.place

    def open(self) -> None:
        """Connects if there is no connection, and makes sure that no other table has this name."""
        if self._connection is not None and self._connection.problem is None:
            return
        self._drop()
        self._shown = ""
        connection = _Connection(self._broker, self._table, self.repeat)
        try:
            connection.open()
            connection.take_name()
            connection.publish(f"{self._table.topic}/available", "online", retain=True)
            if self._table.is_in_home_assistant:
                for topic, text in discovery_messages(self._table.topic, self._table.title):
                    connection.publish(topic, text, retain=True)
        except SendingError:
            connection.close()
            raise
        self._connection = connection

    def send(self, message: EventMessage) -> None:
        """Returns when the broker has confirmed the event."""
        self._live().publish(f"{self._table.topic}/events", message.text)

    def show(self, text: str, shown: str) -> None:
        """Publishes a state; `shown` is the part of it whose change is worth a message."""
        if shown != self._shown:
            self._live().publish(f"{self._table.topic}/state", text, retain=True)
            self._shown = shown

    def send_picture(self, text: str) -> None:
        """Sends it to whoever listens now: no broker keeps a picture in which people may be seen."""
        self._live().publish(f"{self._table.topic}/picture", text, qos=0)

    def check(self) -> None:
        """Connects and goes, without taking the name of the table."""
        connection = _Connection(self._broker, None, self.repeat)
        try:
            connection.open()
        finally:
            connection.close()

    def close(self) -> None:
        """Says that the table is no longer available, if that takes no longer than a second."""
        connection = self._connection
        if connection is not None and connection.has_name and connection.problem is None:
            with suppress(SendingError):
                connection.publish(f"{self._table.topic}/available", "offline", retain=True, within_s=_LAST_WORD_S)
        self._drop()

    def _live(self) -> "_Connection":
        if self._connection is None:
            raise SendingError(f"{self.name} is not connected; it is tried again")
        return self._connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class _Connection:
    """One connection from its begin to its end. Callbacks come from paho's thread and only note what happened."""

    def __init__(self, broker: Broker, table: TableAtBroker | None, repeat: Repeat) -> None:
        self._broker, self._table, self._repeat = broker, table, repeat
        self._changed = Condition()
        self._is_open = False
        self._confirmed: set[int | None] = set()
        self._retained: dict[str, str] = {}
        self.problem: SendingError | None = None
        self.has_name = False
        self._client = self._make_client()

    def _make_client(self) -> Any:
        client = make_client(self._broker, "" if self._table is None else f"zarbiter-{self._table.owner}")
        if self._table is not None:
            client.will_set(f"{self._table.topic}/available", "offline", qos=1, retain=True)
        client.on_connect, client.on_disconnect = self._note_connect, self._note_disconnect
        client.on_publish, client.on_unsubscribe = self._note_publish, self._note_unsubscribe
        client.on_message = self._note_message
        return client

    def open(self) -> None:
        try:
            self._client.connect(self._broker.host, self._broker.port, keepalive=_KEEPALIVE_S)
        except (OSError, ValueError) as error:
            raise SendingError(f"{self._broker.name} {explain_connection_error(error)}") from None
        self._client.loop_start()
        self._wait(lambda: self._is_open, ANSWER_WITHIN_S)

    def take_name(self) -> None:
        """Raises SendingError while another table has the name. A broker answers in order: whatever it has retained is here
        before it confirms the request that follows.
        """
        if self._table is None:
            return
        available, owner = f"{self._table.topic}/available", f"{self._table.topic}/owner"
        self._client.subscribe([(owner, 0), (available, 0), (f"{self._table.topic}/repeat", 0)])
        _, mid = self._client.unsubscribe(available)
        self._wait(lambda: mid in self._confirmed, ANSWER_WITHIN_S)
        if self._retained.get(available) == "online" and self._retained.get(owner) not in (None, self._table.owner):
            raise self._name_is_taken(self._table)
        self.has_name = True
        self.publish(owner, self._table.owner, retain=True)

    def publish(
        self, topic: str, text: str, *, retain: bool = False, within_s: float | None = None, qos: int = 1
    ) -> None:
        """Returns when the broker has confirmed the message (of QoS 0: when it has left), within `ANSWER_WITHIN_S` if no other
        time is given.
        """
        sent = self._client.publish(topic, text, qos=qos, retain=retain)
        self._wait(lambda: sent.mid in self._confirmed, ANSWER_WITHIN_S if within_s is None else within_s)
        self._confirmed.discard(sent.mid)

    def close(self) -> None:
        """Says farewell, except after a failure: then the broker itself says that the table is offline."""
        opened = self._client.socket()
        if self.has_name and self.problem is not None and opened is not None:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
        self._client.disconnect()
        self._client.loop_stop()

    def _wait(self, is_done: Callable[[], bool], within_s: float) -> None:
        """Raises the problem of the connection, or one of our own when time is up."""
        deadline = monotonic() + within_s
        with self._changed:
            while not is_done():
                if self.problem is not None:
                    raise self.problem
                left_s = deadline - monotonic()
                if left_s <= 0:  # paho still has the message: the next try is another connection's
                    self.problem = SendingError(f"{self._broker.name} {explain_connection_error(TimeoutError())}")
                    raise self.problem
                self._changed.wait(left_s)

    def _name_is_taken(self, table: TableAtBroker) -> SendingError:
        sentence = f"another table is called {table.topic} at {self._broker.name}"
        return SendingError(f"{sentence}; give each table a name of its own with --table", is_lasting=True)

    def _note_connect(self, _client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        with self._changed:
            if not reason.is_failure:
                self._is_open = True
            else:
                self.problem = explain_refusal(self._broker, reason)
            self._changed.notify_all()

    def _note_disconnect(self, _client: Any, _data: Any, _flags: Any, _reason: Any, _properties: Any) -> None:
        with self._changed:
            sentence = f"{self._broker.name} {explain_connection_error(ConnectionError())}"
            self.problem = self.problem or SendingError(sentence)
            self._changed.notify_all()

    def _note_publish(self, _client: Any, _data: Any, mid: int, _reason: Any, _properties: Any) -> None:
        with self._changed:
            self._confirmed.add(mid)
            self._changed.notify_all()

    def _note_unsubscribe(self, _client: Any, _data: Any, mid: int, _reasons: Any, _properties: Any) -> None:
        self._note_publish(None, None, mid, None, None)

    def _note_message(self, _client: Any, _data: Any, message: Any) -> None:
        """What others publish is only compared: of `owner` and `available`, or read as two values: of `repeat`."""
        table = self._table
        if table is None or len(message.payload) > _MOST_REQUEST_BYTES:
            return
        text = message.payload.decode("utf-8", "replace")
        if message.topic == f"{table.topic}/repeat":
            wanted = _parse_request(text)
            if wanted is not None:
                self._repeat(*wanted)
            return
        with self._changed:
            self._retained[message.topic] = text
            if self.has_name and message.topic == f"{table.topic}/owner" and text != table.owner:
                if text < table.owner:  # of two that came at once, one stays
                    self.problem, self.has_name = self._name_is_taken(table), False
                else:
                    self._client.publish(message.topic, table.owner, qos=1, retain=True)
            self._changed.notify_all()


def _parse_request(text: str) -> tuple[str, int] | None:
    """Match and number of `{"match": "20261129-203000", "after": 57}`; None for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match found:
        case {"match": str(match), "after": number} if type(number) is int and number >= 0:
            return match, number
        case _:
            return None
