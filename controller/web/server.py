"""The page of a match: it starts before the match and ends after it, whatever happens in between."""

import asyncio
from contextlib import suppress
from pathlib import Path
from threading import Lock

from controller.web.access import TokenOfPort
from controller.web.address import Address, names_of_this_machine
from controller.web.application import make_application
from controller.web.calibration.session import CalibrationSession
from controller.web.camera_view import CameraView
from controller.web.connections import open_listening_socket
from controller.web.match.live_match import LiveMatch, OrderQueue, PageSink
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.page_context import STATE_INTERVAL_S, PageContext
from controller.web.phone.door import PhoneDoor
from controller.web.server_thread import ServerThread
from controller.web.set_up.program_control import ProgramControl


class PageServer:
    """Listens from its construction (PageError where it cannot), and answers from the first match on.

    Spectators see everything `delay_s` later than the operator. `door` is where a phone sends pictures. `data` is the folder
    whose statistics are shown.
    """

    def __init__(
        self,
        address: Address,
        token: str | TokenOfPort,
        *,
        delay_s: float = 0.0,
        door: PhoneDoor | None = None,
        data: Path | None = None,
    ) -> None:
        self._socket = open_listening_socket(address)
        self.address = Address(address.host, self._socket.getsockname()[1])
        self.token = token if isinstance(token, str) else token(self.address.port)
        self.orders, self.camera, self.control = OrderQueue(), CameraView(), ProgramControl()
        self._calibration_session: CalibrationSession | None = None
        self.delay_s, self.door = delay_s, door
        if data is not None:
            self.control.show_statistics(data, delay_s)
        self._more = () if door is None else (door.attach(address.host, self.token),)
        self._context: PageContext | None = None
        self._server: ServerThread | None = None
        self._lock = Lock()
        self._is_wake_pending = self._has_news = False

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
        app = make_application(context, names_of_this_machine(self.address), lambda: self.address.port, self._more)
        self._server = ServerThread(app, self._socket, "page")

    def wake(self) -> None:
        """Tells the server's thread that there is news; never waits.

        A thread that is woken takes the interpreter from the one that wakes it, so while there is news all the time the server
        looks for it by its own clock.
        """
        loop = None if self._server is None else self._server.loop
        with self._lock:
            self._has_news = True
            if loop is None or self._is_wake_pending:
                return
            self._is_wake_pending = True
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._handle_wake)

    def close(self) -> None:
        """Browsers are asked to come back later, and the thread ends."""
        if self.door is not None:
            self.door.close()
        if self.control.statistics is not None:
            self.control.statistics.close()
        if self._server is not None and self._server.loop is not None and self._context is not None:
            with suppress(RuntimeError):  # the loop has ended by itself
                self._server.loop.call_soon_threadsafe(self._context.is_closing.set)
            self._server.end()
        self._socket.close()

    def _handle_wake(self) -> None:
        """In the server's thread: shows the news, and looks again after `STATE_INTERVAL_S`, until there is none."""
        with self._lock:
            self._is_wake_pending, self._has_news = self._has_news, False
            if not self._is_wake_pending:
                return
        asyncio.get_running_loop().call_later(STATE_INTERVAL_S, self._handle_wake)
        if self._context is not None:
            self._context.wake()
