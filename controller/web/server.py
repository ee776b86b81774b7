"""The web server in a thread of its own: it starts before the match and ends after it, whatever happens in between.

A connection has deadlines (`TimeoutProtocol`): a browser that sleeps, or a program that sends nothing on purpose, would
otherwise keep one of the limited connections and camera slots. Sockets have deadlines of their own (`socket_feed.py`).
"""

import asyncio
import socket
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from controller.web.address import Address, names_of_this_machine
from controller.web.application import make_application
from controller.web.calibration.session import CalibrationSession
from controller.web.camera_view import CameraView
from controller.web.limits import ASKED_WITHIN_S, MOST_SOCKETS, SEND_WITHIN_S
from controller.web.match.live_match import LiveMatch, OrderQueue, PageSink
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.page_context import PageContext
from controller.web.set_up.program_control import ProgramControl

_STARTS_WITHIN_S = 10.0
_ENDS_WITHIN_S = 5.0
_MOST_MESSAGE_BYTES = 1_024  # browsers send nothing over the socket
_MOST_HEAD_BYTES = 16_384
_MOST_CONNECTIONS = 4 * MOST_SOCKETS


class PageError(OSError):
    """The page cannot be served. The match can be played without it."""


class ServerThread:
    """uvicorn in a thread, on a socket that listens already. PageError when it does not start in time."""

    def __init__(self, app: object, listening: socket.socket, name: str) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self._server = uvicorn.Server(_make_config(app))
        self._socket = listening
        self._is_up = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        if not self._is_up.wait(_STARTS_WITHIN_S):
            self.end()
            raise PageError("the page's server does not start")

    def end(self) -> None:
        """Requests that are being answered get their answers; then the thread ends."""
        self._server.should_exit = True
        self._thread.join(_ENDS_WITHIN_S)

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.loop.call_soon(self._is_up.set)
        await self._server.serve(sockets=[self._socket])


class PageServer:
    """Listens from its construction (PageError where it cannot), and answers from the first match on."""

    def __init__(self, address: Address, token: str) -> None:
        self._socket = open_listening_socket(address)
        self.address = Address(address.host, self._socket.getsockname()[1])
        self.token = token
        self.orders, self.camera, self.control = OrderQueue(), CameraView(), ProgramControl()
        self._calibration_session: CalibrationSession | None = None
        self._context: PageContext | None = None
        self._server: ServerThread | None = None
        self._lock = Lock()
        self._is_wake_pending = False

    def show_match(self, match: LiveMatch) -> PageSink:
        """Shows this match from now on; the sink is for the loop. PageError when the server does not start."""
        self._switch_to(match, None)
        return PageSink(match, self.wake)

    def show_replay(self, match: LiveMatch, replay: ReplayedMatch) -> None:
        """Shows a recorded match from now on; each viewer steps through it alone. PageError as in `show_match`."""
        self._switch_to(match, replay)

    def set_calibration_session(self, session: CalibrationSession | None) -> None:
        """The camera that can be calibrated on the page from now on; None: none."""
        self._calibration_session = session
        if self._context is not None:
            self._context.calibration_session = session

    def _switch_to(self, match: LiveMatch, replay: ReplayedMatch | None) -> None:
        if self._context is None:
            self._start(PageContext(match, self.token, self.orders, self.camera), replay)
        else:
            self._context.match, self._context.replay = match, replay
            self.wake()

    def _start(self, context: PageContext, replay: ReplayedMatch | None) -> None:
        context.replay, context.calibration_session, context.control = replay, self._calibration_session, self.control
        self._context = context
        app = make_application(context, names_of_this_machine(self.address), lambda: self.address.port)
        self._server = ServerThread(app, self._socket, "page")

    def wake(self) -> None:
        """Tells the server's thread that there is news; never waits."""
        loop = None if self._server is None else self._server.loop
        with self._lock:
            if loop is None or self._is_wake_pending:
                return
            self._is_wake_pending = True
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._handle_wake)

    def close(self) -> None:
        """Browsers are asked to come back later, and the thread ends."""
        if self._server is not None and self._server.loop is not None and self._context is not None:
            with suppress(RuntimeError):  # the loop has ended by itself
                self._server.loop.call_soon_threadsafe(self._context.is_closing.set)
            self._server.end()
        self._socket.close()

    def _handle_wake(self) -> None:
        with self._lock:
            self._is_wake_pending = False
        if self._context is not None:
            self._context.wake()


def open_listening_socket(address: Address) -> socket.socket:
    """PageError where this machine cannot listen at the address."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family, backlog=128)
    except OSError as error:
        reason = error.strerror or str(error)
        raise PageError(f"no page at {address.host}:{address.port}: {reason}") from error


def _make_config(app: object) -> uvicorn.Config:
    """Everything that the page does not use is switched off."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=TimeoutProtocol,
        ws="wsproto",
        loop="asyncio",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        ws_max_size=_MOST_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        limit_concurrency=_MOST_CONNECTIONS,
        h11_max_incomplete_event_size=_MOST_HEAD_BYTES,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=1,
    )


class TimeoutProtocol(H11Protocol):
    """HTTP with deadlines: a request is complete within `ASKED_WITHIN_S`; output moves within `SEND_WITHIN_S`."""

    _request_timer: asyncio.TimerHandle | None = None
    _send_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait_for_request()

    def on_response_complete(self) -> None:
        self._wait_for_request()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._send_timer = self.loop.call_later(SEND_WITHIN_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._send_timer)

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._request_timer)
        _cancel(self._send_timer)
        super().connection_lost(exc)

    def _wait_for_request(self) -> None:
        _cancel(self._request_timer)
        self._request_timer = self.loop.call_later(ASKED_WITHIN_S, self._cut_off)

    def _cut_off(self) -> None:
        """Spares a client that waits for its answer, and a connection that has become a socket (another protocol)."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        is_answered_now = cycle is not None and not cycle.more_body and not cycle.response_complete
        if self.transport.get_protocol() is self and not is_answered_now:
            self.transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
