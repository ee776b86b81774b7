"""Follows the log for one receiver, in a thread of its own: what is confirmed moves the kept position, all else is sent again.

The match's thread only leaves a state and rings a bell. It never waits for this thread, for the network or for a receiver.
"""

import logging
import random
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import ClassVar, Protocol

from controller.match_log import MatchLogError
from controller.publishing.errors import SendingError, StateRefusedError
from controller.publishing.messages import EventMessage, MatchEvents
from controller.publishing.pictures import RulingPictures
from controller.publishing.positions import Positions
from controller.refereeing.match_config import MatchConfig
from controller.web.match.live_match import Snapshot
from controller.web.match.visibility import Viewer
from controller.web.set_up.program_control import FaultKind, Receiver, ReceiverFault

_LOG = logging.getLogger("zarbiter.publishing")

MOST_AT_ONCE = 50
"""A knob: events between two writings of the position, and between two states while many events are due."""
IDLE_S = 5.0
"""A knob: how often a receiver is asked for without any news, so that a lost connection is opened again."""
INTERVAL_S = 0.2
"""A knob: the shortest time between two states."""
PAUSE_S = 0.1
"""A knob: between two times `MOST_AT_ONCE` events, of which each takes 0.6 ms of a core, so that a long queue leaves the match its
share of the machine.
"""
REPEAT_INTERVAL_S = 10.0
"""A knob: the shortest time between two repetitions that receivers ask for; anybody at a broker may ask."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 60.0
"""A knob: how long a receiver that failed is left alone; twice the first after one failure, and so on. A failure that
somebody has to put right waits the longest time at once.
"""
_MOST_DOUBLINGS = 10
_MOST_LATER = 600  # moments that wait until spectators may see them
LAST_WORDS_S = 2.0
"""A knob: how long the end of the program waits for what is still to be sent. The rest is sent at the next start."""


class Sender(Protocol):
    """A receiver's side of the network. Every method may raise SendingError and may take seconds. `place`: machine and port."""

    receiver: ClassVar[Receiver]

    @property
    def name(self) -> str: ...

    @property
    def place(self) -> str: ...

    def open(self) -> None:
        """Called before anything is sent, and after each failure."""

    def send(self, message: EventMessage) -> None:
        """Returns when the receiver has confirmed the event."""

    def show(self, text: str, shown: str) -> None:
        """The newest state; `shown` is what of it a receiver would notice. May raise StateRefusedError."""

    def close(self) -> None: ...


class StateView(Protocol):
    """What a receiver gets of a state: `StateTexts`, `SceneChoice`."""

    def of(self, match: str, newest: Snapshot, config: MatchConfig, *, is_playing: bool) -> tuple[str, str]:
        """The text, and what of it a receiver would notice."""


@dataclass(frozen=True, slots=True)
class FollowedMatch:
    """A match of this program: its file, its configuration, its newest state. It is over or was left if not `is_playing`."""

    path: Path
    config: MatchConfig
    newest: Snapshot
    is_playing: bool = True


@dataclass(frozen=True, slots=True)
class Audience:
    """For whom a receiver gets it: the name of the table, what may be seen, and how much later than the operator."""

    table: str
    viewer: Viewer
    delay_s: float = 0.0


FaultNews = Callable[[ReceiverFault | None], None]
"""Called when what keeps a receiver from getting everything changes; None: it gets everything."""


def _tell_nobody(_fault: ReceiverFault | None) -> None:
    pass


class Follower:
    """`matches` is the folder of all matches. Those of earlier programs are sent to their end, the present one as far as the
    audience may see it. `states`, `pictures` None: the receiver gets none. `tell` is set before `start`.
    """

    def __init__(
        self,
        sender: Sender,
        positions: Positions,
        matches: Path,
        audience: Audience,
        *,
        states: StateView | None = None,
        pictures: RulingPictures | None = None,
    ) -> None:
        self._sender, self._positions, self._matches = sender, positions, matches
        self._table, self._viewer, self._delay_s = audience.table, audience.viewer, audience.delay_s
        self._states, self._pictures = states, pictures
        self._events: dict[str, MatchEvents] = {}
        self._due: dict[str, None] = {}  # matches in the order of their beginning
        self._earlier, self._earlier_due_s = positions.matches, monotonic() + self._delay_s
        self._later: deque[tuple[float, FollowedMatch]] = deque()  # what may be seen when the time has come
        self._keys: dict[Path, str] = {}  # kept, because the loop asks with every frame
        self._limits: dict[str, int] = {}  # up to which event the matches of this program may be seen
        self._playing: FollowedMatch | None = None
        self._bell, self._stop, self._lock = Event(), Event(), Lock()
        self._begun: list[str] = []  # matches of this program that have no position yet
        self._wanted: list[tuple[str, int]] = []
        self._next_repeat_s = 0.0
        self._fault: ReceiverFault | None = None
        self._disk_complaint, self._n_failures, self._end_s = "", 0, 0.0
        self.tell: FaultNews = _tell_nobody
        self._thread = Thread(target=self._run, name=f"publishing to {sender.name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def follow(self, playing: FollowedMatch) -> None:
        """Called by the match's thread with every state: takes microseconds, whatever the receiver does."""
        now_s, later = monotonic(), self._later
        key = self._key(playing.path)
        with self._lock:
            if key not in self._limits:
                self._limits[key] = 0
                self._begun.append(key)
            is_close = len(later) > 1 and now_s + self._delay_s - later[-2][0] < max(
                INTERVAL_S, self._delay_s / _MOST_LATER
            )
            if is_close and later[-1][1].path == playing.path:
                later.pop()
            later.append((now_s + self._delay_s, playing))
            self._release(now_s)
        self._bell.set()

    def repeat(self, match: str, number: int) -> None:
        """A receiver of this table misses the events of a match after that number."""
        with self._lock:
            if len(self._wanted) < MOST_AT_ONCE:
                self._wanted.append((match, number))
        self._bell.set()

    def stop(self) -> None:
        """What is due is sent if the receiver takes it now; nothing is waited for."""
        self._end_s = monotonic() + LAST_WORDS_S
        self._stop.set()
        self._bell.set()

    def close(self) -> None:
        """Stops and waits for the thread; one that hangs is left behind."""
        if not self._stop.is_set():
            self.stop()
        if self._thread.is_alive():
            self._thread.join(2 * LAST_WORDS_S)
        self._positions.close()

    def _key(self, path: Path) -> str:
        key = self._keys.get(path)
        if key is None:
            is_inside = path.is_relative_to(self._matches)
            key = self._keys[path] = str(path.relative_to(self._matches) if is_inside else path.absolute())
        return key

    def _release(self, now_s: float) -> None:
        """Makes due what may be seen by now; called with the lock."""
        if self._earlier and now_s >= self._earlier_due_s:
            self._due, self._earlier = dict.fromkeys((*self._earlier, *self._due)), ()
        while self._later and self._later[0][0] <= now_s:
            _, playing = self._later.popleft()
            key, n_events = self._key(playing.path), playing.newest.n_events
            if n_events > self._limits[key]:
                self._limits[key], self._due[key] = n_events, None
            self._playing = playing

    def _run(self) -> None:
        while not self._stop.is_set():
            self._bell.clear()
            is_more = self._work()
            if is_more is None:
                wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(self._n_failures, _MOST_DOUBLINGS))
                self._stop.wait(wait_s * random.uniform(0.5, 1))  # tables that lost one broker come back apart
            elif is_more:
                self._stop.wait(PAUSE_S)
            else:
                self._bell.wait(min(IDLE_S, INTERVAL_S) if self._later else IDLE_S)
                self._stop.wait(INTERVAL_S)
        self._keep_begun()
        while self._n_failures == 0 and monotonic() < self._end_s and self._work():
            pass
        self._leave()

    def _work(self) -> bool | None:
        """Sends some events and the newest state. Whether more events are due; None after a failure."""
        try:
            is_more, refused = self._work_once()
        except SendingError as error:
            self._n_failures = _MOST_DOUBLINGS if error.is_lasting else self._n_failures + 1
            kind = FaultKind.WRONG if error.is_lasting else FaultKind.AWAY
            self._complain(f"{error}; {self._positions.meanwhile}", kind)
            return None
        except Exception as error:  # noqa: BLE001 - an error of ours, or of a library, ends no receiver
            self._n_failures += 1
            self._complain(f"{_explain_error(self._sender.name, error)}; {self._positions.meanwhile}", FaultKind.AWAY)
            self._begin_again()
            return None
        if self._n_failures:
            _LOG.warning("%s answers again", self._sender.name)
        self._n_failures = 0
        self._complain(refused, FaultKind.PARTLY)
        return is_more

    def _work_once(self) -> tuple[bool, str]:
        """Whether more events are due, and why the newest state is refused. Raises SendingError."""
        self._keep_begun()
        self._sender.open()
        self._rewind()
        is_more = self._send_events()
        refused = self._show_state()
        if self._pictures is not None and not is_more:
            self._pictures.send_due()
        return is_more, refused

    def _begin_again(self) -> None:
        """As a new program would, with another connection: what is due follows from the log and the kept positions alone."""
        self._leave()
        self._events.clear()
        with self._lock:
            earlier = () if self._earlier else self._positions.matches
            self._due = dict.fromkeys((*earlier, *self._due, *self._limits))

    def _leave(self) -> None:
        """A connection in an unforeseen state may fail to close in any way."""
        with suppress(Exception):
            self._sender.close()

    def _keep_begun(self) -> None:
        """Keeps a position of each match before anything of it is sent: where its receiver stays away, the next program sends it."""
        with self._lock:
            begun, self._begun = self._begun, []
        for key in begun:
            self._positions.put(key, self._positions.get(key))
        if begun:
            self._keep_position()

    def _complain(self, sentence: str, kind: FaultKind) -> None:
        """Each reason once until it works again; "": it does."""
        sender = self._sender
        fault = ReceiverFault(sender.receiver, sender.place, kind, sentence) if sentence else None
        if fault == self._fault:
            return
        self._fault = fault
        if fault is not None:
            _LOG.warning("%s", sentence)
        self.tell(fault)

    def _rewind(self) -> None:
        if monotonic() < self._next_repeat_s:
            return
        with self._lock:
            wanted, self._wanted = self._wanted, []
        for match, number in wanted:
            for key in self._positions.matches:
                if Path(key).stem == match and number < self._positions.get(key):
                    self._positions.put(key, number)
                    self._next_repeat_s = monotonic() + REPEAT_INTERVAL_S
                    with self._lock:
                        if not self._earlier or key in self._limits:  # else it is due when spectators may see it
                            self._due[key] = None

    def _send_events(self) -> bool:
        """Of the match that began first, as many events as go between two writings of the position."""
        with self._lock:
            self._release(monotonic())
            key = next(iter(self._due), None)
            if key is None:
                return False
            del self._due[key]  # what comes from now on puts it back
            limit, playing = self._limits.get(key), self._playing
        before = self._positions.get(key)
        most = MOST_AT_ONCE if limit is None else min(MOST_AT_ONCE, limit - before)
        if most <= 0:
            return bool(self._due)
        is_played = playing is not None and self._key(playing.path) == key
        config = playing.config if playing is not None and is_played else None
        path = self._matches / key
        try:
            events = self._events.setdefault(key, MatchEvents(path, self._table, self._viewer, config))
            messages = events.after(before, most)
        except MatchLogError as error:
            if is_played:
                self._put_back(key)
                raise SendingError(str(error).rstrip(".")) from None
            self._set_aside(key, path, str(error))
            return True
        try:
            for message in messages:
                self._sender.send(message)
                self._positions.put(key, message.number)
                if self._pictures is not None:
                    self._pictures.note(path, message)
        finally:
            is_all = bool(messages) and self._positions.get(key) == messages[-1].number
            if messages:
                self._keep_position()
            if (messages and not is_all) or len(messages) == MOST_AT_ONCE:
                self._put_back(key)
        if not messages and not is_played:
            self._events.pop(key, None)
        return bool(self._due)

    def _keep_position(self) -> None:
        """A disk that is full holds up no event; it is said once until it works again."""
        try:
            self._positions.save()
            self._disk_complaint = ""
        except SendingError as error:
            if str(error) != self._disk_complaint:
                self._disk_complaint = str(error)
                _LOG.warning("%s; after a restart the last events are sent once more", error)

    def _put_back(self, key: str) -> None:
        """First, because it began first."""
        with self._lock:
            self._due = {key: None, **self._due}

    def _set_aside(self, key: str, path: Path, why: str) -> None:
        """A match that cannot be read holds up no other. One that is gone is forgotten."""
        self._events.pop(key, None)
        if not path.exists():
            self._positions.forget(key)
            return
        _LOG.warning("the events of %s are not sent: %s", path.stem, why.rstrip("."))

    def _show_state(self) -> str:
        """Why the receiver refuses the newest state; "" where it does not."""
        playing = self._playing
        if playing is not None and self._states is not None:
            texts = self._states.of(playing.path.stem, playing.newest, playing.config, is_playing=playing.is_playing)
            try:
                self._sender.show(*texts)
            except StateRefusedError as error:
                return str(error)
        return ""


def _explain_error(name: str, error: Exception) -> str:
    """Names the place of the error and not its text, which may hold anything."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" in {Path(frame.filename).name}, line {frame.lineno}" for frame in last)
    return f"{name} fails because of an error in zarbiter ({type(error).__name__}{where}); it is begun anew, please report it"
