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
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.table import Table
from controller.web.calibration.desk import CalibrationDesk
from controller.web.camera_view import CameraView, Understood
from controller.web.limits import (
    MOST_CAMERA_VIEWERS,
    MOST_SOCKETS,
    MOST_SOCKETS_OF_ONE,
    ORDERS,
    WRONG_TOKENS,
    RateLimit,
    Seats,
)
from controller.web.match.alternatives import play_options, roll_options
from controller.web.match.live_match import LiveMatch, NumberedEvent, Snapshot
from controller.web.match.order_box import OrderBox
from controller.web.match.replayed_match import ReplayedMatch, moment_shown
from controller.web.match.ruling_shown import event_shown
from controller.web.match.seen_by import Viewer
from controller.web.match.state_shown import Offered, state_shown
from controller.web.set_up.office import Office, Stage

EVERY_S = 0.1
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
class _Asked:
    """The answers offered to the last question; they are worked out once, and again when the board is seen at last."""

    question: object = None
    has_board: bool = False
    offered: Offered = field(default_factory=Offered)


class Show:
    """`token` makes somebody the operator; orders go to `orders`, pictures come from `camera`."""

    def __init__(
        self, match: LiveMatch, token: str, orders: OrderBox | None = None, camera: CameraView | None = None
    ) -> None:
        self.match = match
        self.replay: ReplayedMatch | None = None  # of a match that was played
        self.office = Office()
        self.desk: CalibrationDesk | None = None  # where the camera is calibrated
        self.token = token
        self.orders = orders or OrderBox()
        self.camera = camera or CameraView()
        self.order_rate, self.wrong_tokens = RateLimit(ORDERS), RateLimit(WRONG_TOKENS)
        self.sockets = Seats(MOST_SOCKETS, MOST_SOCKETS_OF_ONE)
        self.camera_seats = Seats(MOST_CAMERA_VIEWERS, MOST_CAMERA_VIEWERS)
        self.encoding = asyncio.Lock()
        self.encoded: tuple[Understood | None, bytes] = (None, b"")  # the newest picture as JPEG
        self.is_closing = asyncio.Event()
        self.log_reading = asyncio.Lock()
        self._news: set[asyncio.Event] = set()
        self._texts: OrderedDict[tuple[str, int, Viewer], str] = OrderedDict()
        self._states: dict[Viewer, tuple[Snapshot, StateText, object]] = {}
        self._asked = _Asked()
        self._logged: tuple[str, tuple[LoggedEvent, ...]] = ("", ())

    def watch(self) -> asyncio.Event:
        """Set whenever there is news."""
        news = asyncio.Event()
        self._news.add(news)
        return news

    def unwatch(self, news: asyncio.Event) -> None:
        self._news.discard(news)

    def wake(self) -> None:
        for news in self._news:
            news.set()

    def state_text(self, viewer: Viewer) -> StateText:
        """Of the newest state; of a match that was played, of the moment that the operator looks at.

        Where nothing that is shown has changed, the same text as before.
        """
        match, replay = self.match, self.replay
        newest = match.newest if replay is None else replay.looked_at
        known = self._states.get(viewer)
        office = self.office.shown()
        if known is not None and known[0] is newest and known[2] == office:
            return known[1]
        record = {"match_id": match.name, "office": office, **self._state_record(newest, viewer)}
        if self.office.stage is not Stage.PLAYING:
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
            return moment_shown(newest, table, viewer)
        return state_shown(newest, table, viewer, self._offered(newest.state, table))

    def _offered(self, state: RefereeState, table: Table) -> Offered:
        question = state.unclear if state.phase is Phase.UNSURE else state.throw_unclear
        if question is None:
            return Offered()
        has_board = state.seen.board is not None
        if question is not self._asked.question or (has_board and not self._asked.has_board):
            self._asked = _Asked(question, has_board, Offered(play_options(state, table), roll_options(state)))
        return self._asked.offered

    async def event_texts(self, since: int, viewer: Viewer) -> list[str]:
        """Those behind that number, the next `MOST_AT_ONCE` of them. Raises MatchLogError."""
        match = self.match
        found = match.remembered_since(since, MOST_AT_ONCE)
        if found is None:
            async with self.log_reading:
                found = await asyncio.to_thread(match.logged_since, since, MOST_AT_ONCE)
        return [self._event_text(match, one, viewer) for one in found]

    def _event_text(self, match: LiveMatch, one: NumberedEvent, viewer: Viewer) -> str:
        key = match.name, one.number, viewer
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = event_shown(one, match.table, viewer)
            if len(self._texts) > _MOST_TEXTS:
                self._texts.popitem(last=False)
        return text

    async def logged(self) -> tuple[LoggedEvent, ...]:
        """The whole log with its pictures' seals, read again when it has grown; empty when it cannot be read.

        Of a match that is kept nowhere what is in memory, from its beginning.
        """
        match = self.match
        if match.path is None:
            return _unlogged(match.all_remembered())
        async with self.log_reading:
            name, known = self._logged
            if name == match.name and len(known) == match.newest.n_events:
                return known
            try:
                record = await asyncio.to_thread(read_match, match.path)
            except MatchLogError:
                return ()
            self._logged = match.name, record.logged
            return record.logged


def _unlogged(events: tuple[NumberedEvent, ...]) -> tuple[LoggedEvent, ...]:
    """Without what only a file has; nothing where the first of them is not remembered any more."""
    if not events or events[0].number != 1:
        return ()
    return tuple(LoggedEvent(one.number, "", one.event, "", (), b"") for one in events)
