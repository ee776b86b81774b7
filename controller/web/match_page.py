"""The page as the command line uses it: its address, its links, and a browser on this machine."""

import os
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from controller.match import RefereeEvent
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.web.access import load_or_create_token
from controller.web.address import Address, parse_address
from controller.web.calibration.session import CalibrationSession
from controller.web.connections import PageError
from controller.web.match.live_match import LiveMatch, PageSink, QuestionFinder
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.phone.door import PhoneDoor
from controller.web.server import PageServer
from vision.camera.phone import PhoneInbox

_NOWHERE = "none"
NO_PAGE = Address("", 0)
"""The value of `--web none`."""
_ANY_PORT = 0


class MatchPage:
    """Open from its construction to `close`; it shows one match after the other."""

    def __init__(self, server: PageServer) -> None:
        self._server = server
        self.query = ""  # of the links; names the turn at which a replay begins
        self.is_in_browser = False  # opened on this machine
        self.door = server.door
        self.orders, self.camera, self.control = server.orders, server.camera, server.control

    def show(
        self,
        name: str,
        table: MatchConfig,
        state: RefereeState,
        history: Sequence[RefereeEvent],
        *,
        path: Path | None,
        questions: QuestionFinder | None = None,
    ) -> PageSink:
        """Shows this match from now on; `history` are all events of its log. PageError when the server does not start."""
        return self._server.show_match(LiveMatch(name, table, state, history, path=path, questions=questions))

    def set_calibration_session(self, session: CalibrationSession | None) -> None:
        """The camera that can be calibrated on the page from now on; None: none."""
        self._server.set_calibration_session(session)

    def replay(self, name: str, table: MatchConfig, events: Sequence[RefereeEvent], *, path: Path | None) -> None:
        """Shows a recorded match; `path` is its log, which has the pictures. PageError when the server does not start."""
        replay = ReplayedMatch(table.game, events)
        match = LiveMatch(name, table, replay.last, replay.events, path=path, most_in_memory=len(events))
        self._server.show_replay(match, replay)

    @property
    def spectators_link(self) -> str:
        """The link for spectators; on a network with the address that other machines see."""
        return self._server.address.network_link() + self.query

    @property
    def overlay_link(self) -> str:
        """The transparent page for streams."""
        return f"{self.spectators_link.removesuffix(self.query)}overlay"

    @property
    def delay_s(self) -> float:
        """By how much spectators see everything later."""
        return self._server.delay_s

    @property
    def phone(self) -> PhoneInbox | None:
        """Where the pictures of a phone arrive; None where none can be sent."""
        return None if self.door is None else self.door.inbox

    @property
    def is_on_network(self) -> bool:
        """Whether other machines can reach the page."""
        return not self._server.address.is_loopback

    @property
    def operators_link(self) -> str:
        """The link with the token, behind the `#`, so that browsers do not send it as part of the address."""
        return f"{self.spectators_link}#operator={self._server.token}"

    def wake(self) -> None:
        """Sends the state again to every viewer: what `control` says has changed. From any thread, and without waiting."""
        self._server.wake()

    def close(self) -> None:
        self._server.close()


def parse_web_option(text: str | None) -> Address | None:
    """The address of `--web HOST:PORT`; None where the option is absent. Raises ValueError."""
    if text is None:
        return None
    return NO_PAGE if text == _NOWHERE else parse_address(text)


def open_page(
    requested: Address | None, usual_port: int, data: Path, *, delay_s: float = 0.0, door: PhoneDoor | None = None
) -> MatchPage:
    """Opens the requested address, else the usual port of this machine or, if that is taken, any port. PageError.

    Spectators see everything `delay_s` later than the operator. `door` is where a phone sends pictures.
    """
    token = partial(load_or_create_token, data)
    if requested is not None:
        return MatchPage(PageServer(requested, token, delay_s=delay_s, door=door, data=data))
    try:
        return MatchPage(PageServer(Address(port=usual_port), token, delay_s=delay_s, door=door, data=data))
    except PageError:
        return MatchPage(PageServer(Address(port=_ANY_PORT), token, delay_s=delay_s, door=door, data=data))


def has_browser(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Whether this machine has a screen on which a browser would open."""
    if not is_terminal or "SSH_CONNECTION" in environment:
        return False
    return sys.platform == "darwin" or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_in_browser(link: str) -> bool:
    """Opens the link where there is a screen; whether a browser shows it."""
    if has_browser(os.environ, is_terminal=sys.stdout.isatty()):
        with suppress(webbrowser.Error):
            return webbrowser.open(link)
    return False
