"""The page as the commands use it: where it listens, its links, and a browser on this machine."""

import os
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path

from controller.match.events import RefereeEvent
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.web.address import Address, lan_host, parse_address
from controller.web.calibration.session import CalibrationSession
from controller.web.match.live_match import LiveMatch, PageSink
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.operator_token import load_or_create_token
from controller.web.server import PageError, PageServer

_NOWHERE = "none"
NO_PAGE = Address("", 0)
"""Asked for with `--web none`."""
_ANY_PORT = 0


class MatchPage:
    """Open from the beginning to `close`; it shows one match after the other."""

    def __init__(self, server: PageServer) -> None:
        self._server = server
        self.query = ""  # of the links: where a replay begins
        self.orders, self.camera, self.control = server.orders, server.camera, server.control

    def show(
        self, name: str, table: MatchConfig, state: RefereeState, history: Sequence[RefereeEvent], *, path: Path | None
    ) -> PageSink:
        """From now on this match; `history` are all events of its log. PageError when the server does not come up."""
        return self._server.show_match(LiveMatch(name, table, state, history, path=path))

    def set_calibration_session(self, session: CalibrationSession | None) -> None:
        """The camera of the match that is shown next; None: there is none any more."""
        self._server.set_calibration_session(session)

    def replay(self, name: str, table: MatchConfig, events: Sequence[RefereeEvent], *, path: Path | None) -> None:
        """A match that was played, for stepping through; `path` is that of its log, with its pictures. PageError."""
        replay = ReplayedMatch(table.game, events)
        match = LiveMatch(name, table, replay.last, events, path=path, most_in_memory=len(events))
        self._server.show_replay(match, replay)

    @property
    def spectators_link(self) -> str:
        """For everybody who may look; on a network the address that others see."""
        address = self._server.address
        return address.link((lan_host() or "localhost") if address.is_any else None) + self.query

    @property
    def is_on_network(self) -> bool:
        """Whether others than this machine can reach it."""
        return not self._server.address.is_loopback

    @property
    def operators_link(self) -> str:
        """The token stands behind the #, which browsers keep to themselves."""
        return f"{self.spectators_link}#operator={self._server.token}"

    def wake(self) -> None:
        """Something that every page is told has changed besides the match."""
        self._server.wake()

    def close(self) -> None:
        self._server.close()


def parse_web_option(text: str | None) -> Address | None:
    """Of `--web HOST:PORT`; None where nothing was asked for. ValueError."""
    if text is None:
        return None
    return NO_PAGE if text == _NOWHERE else parse_address(text)


def open_page(asked: Address | None, usual_port: int, data: Path) -> MatchPage:
    """At the address that was asked for, or at any port of this machine when the usual one is taken. PageError."""
    token = load_or_create_token(data)
    if asked is not None:
        return MatchPage(PageServer(asked, token))
    try:
        return MatchPage(PageServer(Address(port=usual_port), token))
    except PageError:
        return MatchPage(PageServer(Address(port=_ANY_PORT), token))


def has_browser(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Whether somebody sits here who would see a window open."""
    if not is_terminal or "SSH_CONNECTION" in environment:
        return False
    return sys.platform == "darwin" or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_in_browser(link: str) -> None:
    """Where there is one; that it does not open is no error."""
    if not has_browser(os.environ, is_terminal=sys.stdout.isatty()):
        return
    try:
        webbrowser.open(link)
    except webbrowser.Error:
        return
