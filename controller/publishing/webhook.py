"""A webhook: each event is posted to one address, signed, in the order of the log.

The body is one JSON object. `Zarbiter-Signature` is `sha256=` and the HMAC-SHA256 of the body in hexadecimal; match and
number in the body tell a repetition. Only the answer's status counts: 2xx confirms. No redirection is followed, because
events go to no address but that of the settings file.
"""

import hashlib
import hmac
import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import ClassVar
from urllib.parse import urlsplit

from controller.publishing.connecting import explain_connection_error, make_tls_context
from controller.publishing.errors import SendingError
from controller.publishing.messages import EventMessage
from controller.web.set_up.program_control import Receiver

SIGNATURE_HEADER = "Zarbiter-Signature"
ANSWER_WITHIN_S = 15.0
"""A knob: from the first packet to the status of the answer. A server that needs longer gets the event again."""


@dataclass(frozen=True, slots=True)
class WebhookSender:
    """Posts events to `url`. Raises SendingError, whose sentence names no more of the address than the machine."""

    url: str
    secret: bytes
    ca: Path | None = None
    receiver: ClassVar[Receiver] = Receiver.WEBHOOK

    @property
    def place(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.hostname}{'' if parts.port is None else f':{parts.port}'}"

    @property
    def name(self) -> str:
        return f"the webhook at {self.place}"

    def open(self) -> None:
        """Each event has a connection of its own."""

    def send(self, message: EventMessage) -> None:
        """Returns when the receiver has confirmed the event."""
        body = message.text.encode("ascii")
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "zarbiter",
            SIGNATURE_HEADER: f"sha256={sign(body, self.secret)}",
        }
        parts = urlsplit(self.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        status = self._ask("POST", target, body, headers)
        if not 200 <= status < 300:
            raise SendingError(f"{self.name} {_explain_status(status)}")

    def check(self) -> None:
        """Opens a connection and sends nothing."""
        with self._connected():
            pass

    def show(self, text: str, shown: str) -> None:
        """A webhook gets no states."""

    def close(self) -> None:
        """Nothing stays open."""

    def _ask(self, method: str, target: str, body: bytes, headers: dict[str, str]) -> int:
        with self._connected() as connection:
            connection.request(method, target, body, headers)
            return connection.getresponse().status

    @contextmanager
    def _connected(self) -> Iterator[http.client.HTTPConnection]:
        """A connection for one question. The timeout of a socket begins anew with each byte, so the block has one too."""
        parts = urlsplit(self.url)
        host, port, within_s = parts.hostname or "", parts.port, ANSWER_WITHIN_S
        if parts.scheme == "http":
            connection = http.client.HTTPConnection(host, port, timeout=within_s)
        else:
            connection = http.client.HTTPSConnection(host, port, timeout=within_s, context=make_tls_context(self.ca))
        deadline, begun_s = Timer(within_s, _break_off, (connection,)), monotonic()
        deadline.daemon = True
        deadline.start()
        try:
            connection.connect()
            yield connection
        except (OSError, ValueError, http.client.HTTPException) as error:  # ValueError: no name of a machine
            is_late = monotonic() - begun_s >= within_s
            reason = explain_connection_error(TimeoutError() if is_late else error)
            raise SendingError(f"{self.name} {reason}") from None
        finally:
            deadline.cancel()
            connection.close()


def _break_off(connection: http.client.HTTPConnection) -> None:
    if connection.sock is not None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)


def _explain_status(status: int) -> str:
    if status in (401, 403):
        return f"refuses the signature ({status}); see that it knows the secret in [webhook] secret_file"
    if 300 <= status < 400:
        return f"names another address ({status}), which is not followed; write that one into [webhook] url"
    if status in (404, 405, 410):
        return f"takes no events at this address ({status}); correct [webhook] url"
    return f"does not take the event (it answers {status}); see its own log"


def sign(body: bytes, secret: bytes) -> str:
    """The HMAC-SHA256 of a body in hexadecimal."""
    return hmac.new(secret, body, hashlib.sha256).hexdigest()
