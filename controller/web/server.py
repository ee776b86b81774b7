"""The web server in a thread of its own: it starts before the match and ends after it, whatever happens in between.

Connections are limited in number and have deadlines (`connections.py`): a browser that sleeps, or a program that sends
nothing on purpose, would otherwise keep one of the limited connections and camera slots.
"""

import asyncio
import socket
from contextlib import suppress
from threading import Event, Lock, Thread

import uvicorn

from controller.web.access import TokenOfPort
from controller.web.address import Address, names_of_this_machine
from controller.web.application import make_application
from controller.web.calibration.session import CalibrationSession
from controller.web.camera_view import CameraView
from controller.web.connections import BACKLOG, PageError, RequestProtocol, SocketProtocol, open_listening_socket
from controller.web.fault_reports import report_faults_of_the_server
from controller.web.match.live_match import LiveMatch, OrderQueue, PageSink
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.page_context import PageContext
from controller.web.set_up.program_control import ProgramControl

_STARTS_WITHIN_S = 10.0
_ENDS_WITHIN_S = 5.0
_MOST_MESSAGE_BYTES = 1_024  # browsers send nothing over the socket
_MOST_HEAD_BYTES = 16_384


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
        self.loop.set_exception_handler(report_faults_of_the_server().take_loop_error)
        self.loop.call_soon(self._is_up.set)
        await self._server.serve(sockets=[self._socket])


class PageServer:
    """Listens from its construction (PageError where it cannot), and answers from the first match on.

    Spectators see everything `delay_s` later than the operator.
    """

    def __init__(self, address: Address, token: str | TokenOfPort, *, delay_s: float = 0.0) -> None:
        self._socket = open_listening_socket(address)
        self.address = Address(address.host, self._socket.getsockname()[1])
        self.token = token if isinstance(token, str) else token(self.address.port)
        self.orders, self.camera, self.control = OrderQueue(), CameraView(), ProgramControl()
        self._calibration_session: CalibrationSession | None = None
        self.delay_s = delay_s
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
            self._start(PageContext(match, self.token, self.orders, self.camera, delay_s=self.delay_s), replay)
        else:
            self._context.match, self._context.replay = match, replay
            self.wake()

    def _start(self, context: PageContext, replay: ReplayedMatch | None) -> None:
        context.replay, context.calibration_session, context.control = replay, self._calibration_session, self.control
        context.wake()  # what was set since its construction belongs to the first moment
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


def _make_config(app: object) -> uvicorn.Config:
    """Everything that the page does not use is switched off."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=RequestProtocol,
        ws=SocketProtocol,
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
        backlog=BACKLOG,
        h11_max_incomplete_event_size=_MOST_HEAD_BYTES,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=1,
    )
