"""What the server shows and to whom: the shown match, access to it, the ways back to the program, and waiting viewers.

Everything here happens in the server's event loop. Viewers are woken a few times a second at most, and take the newest view that
they may see (`shown_view.py`).
"""

import asyncio
import math
import time
from collections.abc import Sequence
from contextlib import suppress

from controller.match import RefereeEvent
from controller.match_log import LoggedEvent
from controller.web.access import Access
from controller.web.calibration.session import CalibrationSession
from controller.web.camera_view import CameraStream, CameraView, DelayedCameraStream
from controller.web.limits import MOST_OPERATOR_SOCKETS, MOST_SOCKETS, ViewerSlots
from controller.web.match.live_match import LiveMatch, OrderQueue
from controller.web.match.match_texts import MatchTexts, StateText
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.match.visibility import Viewer
from controller.web.set_up.program_control import ProgramControl
from controller.web.shown_view import Clock, DelayedViews, PageView, refuse_early

STATE_INTERVAL_S = 0.1
"""A knob: the least time between two states for a viewer. A shorter one takes processor time from the referee."""


class PageContext:
    """`orders` go to the loop and pictures come from `camera`. `replay` is set while a recorded match is shown.

    Spectators see everything `delay_s` later than the operator. `clock_s` is a monotonic clock.
    """

    def __init__(
        self,
        match: LiveMatch,
        token: str,
        orders: OrderQueue | None = None,
        camera: CameraView | None = None,
        *,
        delay_s: float = 0.0,
        clock_s: Clock = time.monotonic,
    ) -> None:
        self.match = match
        self.replay: ReplayedMatch | None = None
        self.control = ProgramControl()
        self.calibration_session: CalibrationSession | None = None
        self.access = Access(token)
        self.orders = orders or OrderQueue()
        camera = camera or CameraView()
        live = CameraStream(camera)
        self.camera_streams: dict[Viewer, CameraStream | DelayedCameraStream] = {
            Viewer.OPERATOR: live,
            Viewer.SPECTATOR: DelayedCameraStream(camera, delay_s, clock_s) if delay_s else live,
        }
        self.socket_slots = {
            Viewer.SPECTATOR: ViewerSlots(MOST_SOCKETS),
            Viewer.OPERATOR: ViewerSlots(MOST_OPERATOR_SOCKETS),
        }
        self.is_closing = asyncio.Event()
        self._news: set[asyncio.Event] = set()
        self._delayed = DelayedViews(delay_s) if delay_s else None
        self._clock_s = clock_s
        self._forget_texts()
        self._record()

    @property
    def delay_s(self) -> float:
        """By how much spectators see everything later."""
        return 0.0 if self._delayed is None else self._delayed.delay_s

    def subscribe(self) -> asyncio.Event:
        """An event that is set whenever there is news."""
        news = asyncio.Event()
        self._news.add(news)
        return news

    def unsubscribe(self, news: asyncio.Event) -> None:
        self._news.discard(news)

    async def wait_for_news(self, viewer: Viewer, news: asyncio.Event) -> None:
        """Returns when there may be something new for this viewer."""
        due_s = None
        if self._delayed is not None and viewer is not Viewer.OPERATOR:
            due_s = self._delayed.seconds_to_next(self._clock_s())
        with suppress(TimeoutError):
            async with asyncio.timeout(None if due_s is None else max(0.0, due_s)):
                await news.wait()

    def wake(self) -> None:
        """There is news: it is kept for those who see it later, and all viewers look."""
        self._record()
        for news in self._news:
            news.set()

    def find_view(self, viewer: Viewer) -> PageView | None:
        """What this viewer may see now; None for a spectator until the first moment is old enough."""
        if self._delayed is None or viewer is Viewer.OPERATOR:
            return self._live_view()
        return self._delayed.get_due(self._clock_s())

    def require_view(self, viewer: Viewer) -> PageView:
        """What this viewer may see now. Raises RequestRefusedError where nothing may be seen yet."""
        view = self.find_view(viewer)
        if view is None:
            raise refuse_early(self.seconds_to_begin())
        return view

    def seconds_to_begin(self) -> int:
        """The time until spectators see their first moment, in whole seconds from 1."""
        wait_s = None if self._delayed is None else self._delayed.seconds_to_next(self._clock_s())
        return max(1, math.ceil(wait_s or 0))

    def state_text(self, view: PageView, viewer: Viewer) -> StateText:
        """The state of a view; in a replay the state that the operator stands at."""
        return self._texts[viewer].state_text(view, viewer, self.delay_s)

    def show_revised(self, events: Sequence[RefereeEvent]) -> None:
        """Replays the match as it was put right; `events` are all of its log."""
        match, replay = self.match, ReplayedMatch(self.match.table.game, events)
        self.match = LiveMatch(
            match.name, match.table, replay.last, replay.events, path=match.path, most_in_memory=len(events)
        )
        self.replay = replay
        self._forget_texts()
        self.wake()

    async def event_texts(self, view: PageView, since: int, viewer: Viewer) -> list[str]:
        """The next `MOST_AT_ONCE` events after number `since`, up to the last one of the view. Raises MatchLogError."""
        return await self._texts[viewer].event_texts(view, since, viewer)

    async def read_log(self, view: PageView, viewer: Viewer) -> tuple[LoggedEvent, ...]:
        """The log up to the view, with the digests of its pictures; empty when it cannot be read."""
        return await self._texts[viewer].read_log(view)

    def _live_view(self) -> PageView:
        match, replay, control = self.match, self.replay, self.control
        newest = match.newest if replay is None else replay.cursor
        return PageView(match, newest, match.table, replay, control.stage, control.make_status_record())

    def _record(self) -> None:
        if self._delayed is not None:
            self._delayed.record(self._live_view(), self._clock_s())

    def _forget_texts(self) -> None:
        """Spectators that see something else than the operator have caches of their own."""
        live = MatchTexts()
        self._texts = {
            Viewer.OPERATOR: live,
            Viewer.SPECTATOR: live if self._delayed is None else MatchTexts(is_late=True),
        }
