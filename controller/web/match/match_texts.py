"""States and events of a match as JSON text, made once for all viewers.

A state becomes text when somebody asks for it and it has changed.
"""

import asyncio
import json
from collections import OrderedDict
from dataclasses import dataclass, replace

from controller.match_log import LoggedEvent, MatchLogError, read_match, revise
from controller.match_log.event_json import JsonValue
from controller.questions.find_question import AskedOnce
from controller.refereeing.match_config import MatchConfig
from controller.web.match.live_match import LiveMatch, NumberedEvent, Snapshot
from controller.web.match.replayed_match import make_moment_record
from controller.web.match.ruling_record import make_event_json
from controller.web.match.state_record import make_state_record
from controller.web.match.visibility import Viewer
from controller.web.set_up.program_control import ProgramStage, hide_from_spectators
from controller.web.shown_view import PageView

MOST_AT_ONCE = 200
_MOST_TEXTS = 4_000
_AT_REST: dict[str, JsonValue] = {
    "lost": [],
    "orders": [],
    "question": None,
    "lights": [],
    "guide": None,
    "waits": None,
}
"""Fields of a match that is over: it takes no orders, and the strip is dark."""


@dataclass(frozen=True, slots=True)
class StateText:
    """The JSON of a state, and the time for which it holds."""

    text: str
    now_ms: int


class MatchTexts:
    """The caches: the newest state for each viewer, the last events of the match, the last log that was read.

    `is_late`: of moments that are past; their questions do not drive out the present one, which the match finds once.
    """

    def __init__(self, *, is_late: bool = False) -> None:
        self._questions = AskedOnce() if is_late else None
        self._states: dict[Viewer, tuple[Snapshot, StateText, object]] = {}
        self._match: LiveMatch | None = None  # of which the events are
        self._events: OrderedDict[tuple[int, Viewer], str] = OrderedDict()
        self._log: tuple[str, tuple[LoggedEvent, ...]] = ("", ())
        self._log_lock = asyncio.Lock()

    def state_text(self, view: PageView, viewer: Viewer, delay_s: float) -> StateText:
        """The state of the view. The same text where nothing shown has changed."""
        newest, table, program = view.newest, view.table, view.program
        known = self._states.get(viewer)
        if known is not None and known[0] is newest and known[2] == program:
            return known[1]
        if view.replay is None:
            questions = self._questions or view.match.questions
            record = make_state_record(newest, table, viewer, questions(newest.state, table))
        else:
            record = make_moment_record(newest, table, viewer)
        at_rest = {} if view.stage is ProgramStage.PLAYING else _AT_REST
        office = program if viewer is Viewer.OPERATOR else hide_from_spectators(program)
        head = {"match_id": view.match.name, "office": office, "delay_s": delay_s}
        text = json.dumps({**head, **record, **at_rest}, separators=(",", ":"))
        if known is not None and known[1].text == text:
            text = known[1].text
        found = StateText(text, newest.now_ms)
        self._states[viewer] = newest, found, program
        return found

    async def event_texts(self, view: PageView, since: int, viewer: Viewer) -> list[str]:
        match, until = view.match, view.newest.n_events
        found = match.get_events_between(since, min(until, since + MOST_AT_ONCE))
        if found is None:
            async with self._log_lock:
                found = await asyncio.to_thread(match.read_events_from_log, since, MOST_AT_ONCE, until)
        return [self._event_text(match, one, view.table, viewer) for one in found]

    def _event_text(self, match: LiveMatch, one: NumberedEvent, table: MatchConfig, viewer: Viewer) -> str:
        if match is not self._match:
            self._match, self._events = match, OrderedDict()
        key = one.number, viewer
        text = self._events.get(key)
        if text is None:
            text = self._events[key] = make_event_json(one, table, viewer)
            if len(self._events) > _MOST_TEXTS:
                self._events.popitem(last=False)
        return text

    async def read_log(self, view: PageView) -> tuple[LoggedEvent, ...]:
        """The log up to the view, as revised by then; the file is read again when more of it may be seen. A match without a
        file has what is in memory.
        """
        match, until = view.match, view.newest.n_events
        if match.path is None:
            return _make_logged_events(match.get_events_in_memory())[:until]
        async with self._log_lock:
            name, known = self._log
            if name == match.name and len(known) == until:
                return known
            try:
                record = await asyncio.to_thread(read_match, match.path)
            except MatchLogError:
                return ()
            revised = zip(record.logged[:until], revise(record.events[:until]), strict=True)
            self._log = match.name, tuple(replace(one, event=event) for one, event in revised)
            return self._log[1]


def _make_logged_events(events: tuple[NumberedEvent, ...]) -> tuple[LoggedEvent, ...]:
    """Events without digests and pictures; empty where the first event is no longer in memory."""
    if not events or events[0].number != 1:
        return ()
    return tuple(LoggedEvent(one.number, "", one.event, "", (), b"") for one in events)
