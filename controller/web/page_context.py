"""What the server shows and to whom: the shown match, access to it, the ways back to the program, and waiting viewers.

Everything here happens in the server's event loop. Viewers are woken a few times a second at most, and take what is newest.
"""

import asyncio
from collections.abc import Sequence

from controller.match import RefereeEvent
from controller.match_log import LoggedEvent
from controller.web.access import Access
from controller.web.calibration.session import CalibrationSession
from controller.web.camera_view import CameraStream, CameraView
from controller.web.limits import MOST_OPERATOR_SOCKETS, MOST_SOCKETS, ViewerSlots
from controller.web.match.live_match import LiveMatch, OrderQueue
from controller.web.match.match_texts import MatchTexts, StateText
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.match.visibility import Viewer
from controller.web.set_up.program_control import ProgramControl

STATE_INTERVAL_S = 0.1
"""A knob: the least time between two states for a viewer. A shorter one takes processor time from the referee."""


class PageContext:
    """`orders` go to the loop and pictures come from `camera`. `replay` is set while a recorded match is shown."""

    def __init__(
        self, match: LiveMatch, token: str, orders: OrderQueue | None = None, camera: CameraView | None = None
    ) -> None:
        self.match = match
        self.replay: ReplayedMatch | None = None
        self.control = ProgramControl()
        self.calibration_session: CalibrationSession | None = None
        self.access = Access(token)
        self.orders = orders or OrderQueue()
        self.camera_stream = CameraStream(camera or CameraView())
        self.socket_slots = {
            Viewer.SPECTATOR: ViewerSlots(MOST_SOCKETS),
            Viewer.OPERATOR: ViewerSlots(MOST_OPERATOR_SOCKETS),
        }
        self.is_closing = asyncio.Event()
        self._news: set[asyncio.Event] = set()
        self._texts = MatchTexts()

    def subscribe(self) -> asyncio.Event:
        """An event that is set whenever there is news."""
        news = asyncio.Event()
        self._news.add(news)
        return news

    def unsubscribe(self, news: asyncio.Event) -> None:
        self._news.discard(news)

    def wake(self) -> None:
        for news in self._news:
            news.set()

    def state_text(self, viewer: Viewer) -> StateText:
        """The newest state; in a replay the state that the operator stands at."""
        return self._texts.state_text(self.match, self.replay, self.control, viewer)

    def show_revised(self, events: Sequence[RefereeEvent]) -> None:
        """Replays the match as it was put right; `events` are all of its log."""
        match, replay = self.match, ReplayedMatch(self.match.table.game, events)
        self.match = LiveMatch(
            match.name, match.table, replay.last, replay.events, path=match.path, most_in_memory=len(events)
        )
        self.replay, self._texts = replay, MatchTexts()
        self.wake()

    async def event_texts(self, since: int, viewer: Viewer) -> list[str]:
        """The next `MOST_AT_ONCE` events after number `since`. Raises MatchLogError."""
        return await self._texts.event_texts(self.match, since, viewer)

    async def read_log(self) -> tuple[LoggedEvent, ...]:
        """The whole log with the digests of its pictures; empty when it cannot be read."""
        return await self._texts.read_log(self.match)
