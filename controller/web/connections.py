"""Connections at the door of the page: a listening socket that counts them for each address, and their deadlines.

What a stranger's bytes do is decided here, before any check of the application. uvicorn, h11 and wsproto parse a request
first, so whatever they raise ends this connection and nothing else. The referee's files and the page's connections share
the descriptors of one process; the page takes a quarter of them at most.
"""

import asyncio
import resource
import socket
import time
import weakref
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol

from controller.web.address import Address
from controller.web.limits import ASKED_WITHIN_S, MOST_CONNECTIONS, SEND_WITHIN_S, SOCKET_BYTES, RateLimit, has_share

BACKLOG = 128
"""Connections that wait in the system, and the most that one turn of the event loop accepts."""
_WANTED_DESCRIPTORS = 4_096
_MOST_REFUSED_AT_ONCE = 16  # then the event loop serves others
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class PageError(OSError):
    """The page cannot be served. The match can be played without it."""


class LimitedListener(socket.socket):
    """A listening socket that closes a connection at once where its address has had its share (`has_share`)."""

    def __init__(self, listening: socket.socket, most: int) -> None:
        super().__init__(listening.family, listening.type, listening.proto, fileno=listening.detach())
        self._most = most
        self._open: dict[str, list[weakref.ref[socket.socket]]] = {}

    def accept(self) -> tuple[socket.socket, Any]:
        """BlockingIOError where nobody waits, or where several have been refused."""
        for _ in range(_MOST_REFUSED_AT_ONCE):
            connection, address = super().accept()
            host = str(address[0])
            if self._has_place(host):
                self._open.setdefault(host, []).append(weakref.ref(connection))
                return connection, address
            connection.close()
        raise BlockingIOError

    def _has_place(self, host: str) -> bool:
        if not self._is_free(host):  # perhaps only because of connections that have ended
            still_open = {one: [kept for kept in held if _is_open(kept)] for one, held in self._open.items()}
            self._open = {one: held for one, held in still_open.items() if held}
        return self._is_free(host)

    def _is_free(self, host: str) -> bool:
        return has_share(len(self._open.get(host, ())), sum(map(len, self._open.values())), self._most)


def _is_open(kept: "weakref.ref[socket.socket]") -> bool:
    connection = kept()
    return connection is not None and connection.fileno() >= 0


def open_listening_socket(address: Address) -> LimitedListener:
    """PageError where this machine cannot listen at the address."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        listening = socket.create_server((address.host, address.port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        raise PageError(f"no page at {address.host}:{address.port}: {reason}") from error
    return LimitedListener(listening, min(MOST_CONNECTIONS, raise_descriptor_limit() // 4))


def raise_descriptor_limit() -> int:
    """Raises the number of files that this process may open, where the system allows it; returns the number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_WANTED_DESCRIPTORS, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    with suppress(ValueError, OSError):  # some systems allow less than they say
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


class _SendDeadline(asyncio.Protocol):
    """Output moves within `SEND_WITHIN_S`, or the connection is cut off with all that it has not taken."""

    transport: asyncio.Transport
    _send_timer: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._send_timer = asyncio.get_running_loop().call_later(SEND_WITHIN_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._send_timer)

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._send_timer)
        super().connection_lost(exc)


class RequestProtocol(_SendDeadline, H11Protocol):
    """HTTP with deadlines: a request is complete within `ASKED_WITHIN_S`."""

    _request_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except Exception:  # noqa: BLE001 - the libraries parse what a stranger sent, and may raise anything
            self._end_cycle()
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        self._end_cycle()
        super().send_400_response(msg)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """The deadlines of the request end with it; `SocketProtocol` has its own."""
        _cancel(self._request_timer)
        _cancel(self._send_timer)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self._wait_for_request()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._request_timer)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Over TLS an idle connection is cut off: a browser that sleeps would not say farewell before the thread ends."""
        super().shutdown()
        if self.transport.is_closing() and self.transport.get_extra_info("sslcontext") is not None:
            self.transport.abort()

    def _end_cycle(self) -> None:
        """A request that is being answered gets nothing more: the connection ends with what came behind it."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None:
            cycle.disconnected = True

    def _wait_for_request(self) -> None:
        _cancel(self._request_timer)
        self._request_timer = self.loop.call_later(ASKED_WITHIN_S, self._cut_off)

    def _cut_off(self) -> None:
        """Spares a client that waits for its answer."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        is_answered_now = cycle is not None and not cycle.more_body and not cycle.response_complete
        if not is_answered_now:
            self.transport.abort()


class SocketProtocol(_SendDeadline, WSProtocol):
    """The WebSocket. A handshake that the libraries cannot read gets status 400; a frame, the end of the connection."""

    _bytes: RateLimit | None = None

    def data_received(self, data: bytes) -> None:
        if self.handshake_complete and not self._may_send(len(data)):
            self.transport.abort()
            return
        try:
            super().data_received(data)
        except Exception:  # noqa: BLE001 - as in `RequestProtocol`; wsproto decodes host and header lists as it likes
            if self.handshake_complete:
                self.transport.abort()
                return
            self.transport.write(_BAD_REQUEST)
            self.transport.close()

    def _may_send(self, n_bytes: int) -> bool:
        self._bytes = self._bytes or RateLimit(SOCKET_BYTES)
        return self._bytes.take("", time.monotonic(), n_bytes)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
