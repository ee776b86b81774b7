"""What the server shows, and to whom: the match that is played, its states and events as text, made once for all.

Everything here happens in the server's event loop. A state is turned into text when somebody asks and it has changed;
who looks on is woken a few times a second at most and takes what is newest then.
"""

import asyncio
import json
from collections import OrderedDict
from dataclasses import dataclass, field

from controller.match_log import LoggedEvent, MatchLogError, read_match
from controller.match_log.event_json import JsonValue
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.web.calibration.session import CalibrationSession
from controller.web.camera_view import CameraView, InterpretedFrame
from controller.web.limits import (
    MOST_CAMERA_VIEWERS,
    MOST_SOCKETS,
    MOST_SOCKETS_OF_ONE,
    ORDERS,
    WRONG_TOKENS,
    RateLimit,
    ViewerSlots,
)
from controller.web.match.alternatives import play_options, roll_options
from controller.web.match.live_match import LiveMatch, NumberedEvent, Snapshot
from controller.web.match.order_queue import OrderQueue
from controller.web.match.replayed_match import ReplayedMatch, make_moment_record
from controller.web.match.ruling_record import make_event_json
from controller.web.match.state_record import AnswerOptions, make_state_record
from controller.web.match.visibility import Viewer
from controller.web.set_up.program_control import ProgramControl, ProgramStage

STATE_INTERVAL_S = 0.1
"""States are shown no oftener: a person sees no difference, and the game has the rest of the core."""
MOST_AT_ONCE = 200
_MOST_TEXTS = 4_000
_AT_REST: dict[str, JsonValue] = {"orders": [], "question": None, "lights": [], "guide": None}
"""Of a match that is only looked at any more, since nobody takes orders for it and the strip is dark."""


@dataclass(frozen=True, slots=True)
class StateText:
    """The JSON of a state, and the time it holds for."""

    text: str
    now_ms: int


@dataclass(slots=True)
class _OptionsCache:
    """The answers offered to the last question; they are worked out once, and again when the board is seen at last."""

    question: object = None
    has_board: bool = False
    options: AnswerOptions = field(default_factory=AnswerOptions)


class PageContext:
    """`token` makes somebody the operator; orders go to `orders`, pictures come from `camera`."""

    def __init__(
        self, match: LiveMatch, token: str, orders: OrderQueue | None = None, camera: CameraView | None = None
    ) -> None:
        self.match = match
        self.replay: ReplayedMatch | None = None  # of a match that was played
        self.control = ProgramControl()
        self.calibration_session: CalibrationSession | None = None  # where the camera is calibrated
        self.token = token
        self.orders = orders or OrderQueue()
        self.camera = camera or CameraView()
        self.order_rate, self.wrong_tokens = RateLimit(ORDERS), RateLimit(WRONG_TOKENS)
        self.socket_slots = ViewerSlots(MOST_SOCKETS, MOST_SOCKETS_OF_ONE)
        self.camera_slots = ViewerSlots(MOST_CAMERA_VIEWERS, MOST_CAMERA_VIEWERS)
        self.encoding_lock = asyncio.Lock()
        self.encoded_picture: tuple[InterpretedFrame | None, bytes] = (None, b"")  # the newest picture as JPEG
        self.is_closing = asyncio.Event()
        self.log_lock = asyncio.Lock()
        self._news: set[asyncio.Event] = set()
        self._texts: OrderedDict[tuple[str, int, Viewer], str] = OrderedDict()
        self._states: dict[Viewer, tuple[Snapshot, StateText, object]] = {}
        self._options_cache = _OptionsCache()
        self._log_cache: tuple[str, tuple[LoggedEvent, ...]] = ("", ())

    def subscribe(self) -> asyncio.Event:
        """Set whenever there is news."""
        news = asyncio.Event()
        self._news.add(news)
        return news

    def unsubscribe(self, news: asyncio.Event) -> None:
        self._news.discard(news)

    def wake(self) -> None:
        for news in self._news:
            news.set()

    def state_text(self, viewer: Viewer) -> StateText:
        """Of the newest state; of a match that was played, of the moment that the operator looks at.

        Where nothing that is shown has changed, the same text as before.
        """
        match, replay = self.match, self.replay
        newest = match.newest if replay is None else replay.cursor
        known = self._states.get(viewer)
        office = self.control.make_status_record()
        if known is not None and known[0] is newest and known[2] == office:
            return known[1]
        record = {"match_id": match.name, "office": office, **self._state_record(newest, viewer)}
        if self.control.stage is not ProgramStage.PLAYING:
            record |= _AT_REST
        text = json.dumps(record, separators=(",", ":"))
        if known is not None and known[1].text == text:
            text = known[1].text
        shown = StateText(text, newest.now_ms)
        self._states[viewer] = newest, shown, office
        return shown

    def _state_record(self, newest: Snapshot, viewer: Viewer) -> dict[str, JsonValue]:
        table = self.match.table
        if self.replay is not None:
            return make_moment_record(newest, table, viewer)
        return make_state_record(newest, table, viewer, self._compute_options(newest.state, table))

    def _compute_options(self, state: RefereeState, table: MatchConfig) -> AnswerOptions:
        question = state.unclear if state.phase is Phase.UNSURE else state.throw_unclear
        if question is None:
            return AnswerOptions()
        has_board = state.seen.board is not None
        if question is not self._options_cache.question or (has_board and not self._options_cache.has_board):
            self._options_cache = _OptionsCache(
                question, has_board, AnswerOptions(play_options(state, table), roll_options(state))
            )
        return self._options_cache.options

    async def event_texts(self, since: int, viewer: Viewer) -> list[str]:
        """Those behind that number, the next `MOST_AT_ONCE` of them. Raises MatchLogError."""
        match = self.match
        found = match.get_events_since(since, MOST_AT_ONCE)
        if found is None:
            async with self.log_lock:
                found = await asyncio.to_thread(match.read_events_from_log, since, MOST_AT_ONCE)
        return [self._event_text(match, one, viewer) for one in found]

    def _event_text(self, match: LiveMatch, one: NumberedEvent, viewer: Viewer) -> str:
        key = match.name, one.number, viewer
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = make_event_json(one, match.table, viewer)
            if len(self._texts) > _MOST_TEXTS:
                self._texts.popitem(last=False)
        return text

    async def read_log(self) -> tuple[LoggedEvent, ...]:
        """The whole log with its pictures' seals, read again when it has grown; empty when it cannot be read.

        Of a match that is kept nowhere what is in memory, from its beginning.
        """
        match = self.match
        if match.path is None:
            return _make_logged_events(match.get_events_in_memory())
        async with self.log_lock:
            name, known = self._log_cache
            if name == match.name and len(known) == match.newest.n_events:
                return known
            try:
                record = await asyncio.to_thread(read_match, match.path)
            except MatchLogError:
                return ()
            self._log_cache = match.name, record.logged
            return record.logged


def _make_logged_events(events: tuple[NumberedEvent, ...]) -> tuple[LoggedEvent, ...]:
    """Without what only a file has; nothing where the first of them is not remembered any more."""
    if not events or events[0].number != 1:
        return ()
    return tuple(LoggedEvent(one.number, "", one.event, "", (), b"") for one in events)
