"""The web server in a thread of its own: started before the match, ended after it, whatever happens in between."""

import asyncio
import socket
from contextlib import suppress
from threading import Event, Lock, Thread

import uvicorn

from controller.web.address import Address, names_of_this_machine
from controller.web.application import make_application
from controller.web.calibration.session import CalibrationSession
from controller.web.camera_view import CameraView
from controller.web.limits import MOST_SOCKETS
from controller.web.match.live_match import LiveMatch, PageSink
from controller.web.match.order_queue import OrderQueue
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.page_context import PageContext
from controller.web.set_up.program_control import ProgramControl
from controller.web.timeout_protocol import TimeoutProtocol

_STARTS_WITHIN_S = 10.0
_ENDS_WITHIN_S = 5.0
_MOST_MESSAGE_BYTES = 1_024  # browsers have nothing to say
_MOST_HEAD_BYTES = 16_384
_MOST_CONNECTIONS = 4 * MOST_SOCKETS


class PageError(OSError):
    """The page cannot be served; the match is played without."""


class PageServer:
    """Listens as soon as it is made (PageError when it cannot), and answers from the first match on."""

    def __init__(self, address: Address, token: str) -> None:
        self._socket = open_listening_socket(address)
        self.address = Address(address.host, self._socket.getsockname()[1])
        self.token = token
        self.orders, self.camera, self.control = OrderQueue(), CameraView(), ProgramControl()
        self.calibration_session: CalibrationSession | None = (
            None  # of a match whose camera may be calibrated; given before it is shown
        )
        self._context: PageContext | None = None
        self._server: uvicorn.Server | None = None
        self._thread: Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_up = Event()
        self._lock = Lock()
        self._is_wake_pending = False

    def show_match(self, match: LiveMatch) -> PageSink:
        """From now on this match is shown; the sink is the loop's. PageError when the server does not come up."""
        self._switch_to(match, None)
        return PageSink(match, self.wake)

    def show_replay(self, match: LiveMatch, replay: ReplayedMatch) -> None:
        """The same for a match that was played: whoever looks steps through it by himself."""
        self._switch_to(match, replay)

    def set_calibration_session(self, session: CalibrationSession | None) -> None:
        """From now on this camera; None: none."""
        self.calibration_session = session
        if self._context is not None:
            self._context.calibration_session = session

    def _switch_to(self, match: LiveMatch, replay: ReplayedMatch | None) -> None:
        if self._context is None:
            show = PageContext(match, self.token, self.orders, self.camera)
            show.replay = replay
            self._start(show)
        else:
            self._context.match, self._context.replay = match, replay
            self.wake()

    def _start(self, context: PageContext) -> None:
        self._context, context.calibration_session, context.control = context, self.calibration_session, self.control
        app = make_application(context, names_of_this_machine(self.address), lambda: self.address.port)
        self._server = uvicorn.Server(make_server_config(app))
        self._thread = Thread(target=self._run, args=(self._server,), name="page", daemon=True)
        self._thread.start()
        if not self._is_up.wait(_STARTS_WITHIN_S):
            raise PageError("the page's server does not start")

    def wake(self) -> None:
        """There is news; never waits."""
        loop = self._loop
        with self._lock:
            if loop is None or self._is_wake_pending:
                return
            self._is_wake_pending = True
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._handle_wake)

    def close(self) -> None:
        """Browsers are told to come back later, and the thread ends."""
        loop, show = self._loop, self._context
        if loop is not None and show is not None:
            with suppress(RuntimeError):  # the loop has ended by itself
                loop.call_soon_threadsafe(show.is_closing.set)
        if self._server is not None:
            self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(_ENDS_WITHIN_S)
        self._socket.close()

    def _handle_wake(self) -> None:
        with self._lock:
            self._is_wake_pending = False
        if self._context is not None:
            self._context.wake()

    def _run(self, server: uvicorn.Server) -> None:
        asyncio.run(self._serve(server))

    async def _serve(self, server: uvicorn.Server) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.call_soon(self._is_up.set)
        await server.serve(sockets=[self._socket])


def open_listening_socket(address: Address) -> socket.socket:
    """PageError when nothing can be heard there."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family, backlog=128)
    except OSError as error:
        reason = error.strerror or str(error)
        raise PageError(f"no page at {address.host}:{address.port}: {reason}") from error


def make_server_config(app: object) -> uvicorn.Config:
    """Without anything that the page does not use."""
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
