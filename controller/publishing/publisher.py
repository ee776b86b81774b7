"""All receivers of a program, from its start to its end, and the sink through which a match reaches them."""

import logging
import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock

from controller.match import Peripheral, RefereeEvent
from controller.publishing.errors import SendingError
from controller.publishing.follower import FollowedMatch, Follower
from controller.publishing.followers import follow_broker, follow_obs, follow_webhook
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState
from controller.settings import Settings
from controller.web.match.live_match import Snapshot
from controller.web.set_up.program_control import FaultKind, Receiver, ReceiverFault

_LOG = logging.getLogger("zarbiter.publishing")
_FOLLOW = {Receiver.MQTT: follow_broker, Receiver.WEBHOOK: follow_webhook, Receiver.OBS: follow_obs}


class Publisher:
    """The followers of one program; without any, nothing is done."""

    def __init__(self, followers: Sequence[Follower]) -> None:
        self._followers = tuple(followers)

    def show(
        self, path: Path, config: MatchConfig, state: RefereeState, n_events: int, now_ms: int
    ) -> "PublishingSink":
        """The sink of a match whose log holds `n_events` events already."""
        return PublishingSink(self._followers, FollowedMatch(path, config, Snapshot(state, now_ms, n_events)))

    def close(self) -> None:
        """Waits some seconds at most for what is still to be sent; the rest is sent at the next start."""
        for follower in self._followers:
            follower.stop()
        for follower in self._followers:
            follower.close()


class PublishingSink:
    """Hands each state to the followers. Never waits and never fails."""

    link: Peripheral | None = None

    def __init__(self, followers: Sequence[Follower], match: FollowedMatch) -> None:
        self._followers = followers
        self._hand_over(match)

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        before = self._match
        if state is before.newest.state and not events:
            return
        newest = Snapshot(state, now_ms, before.newest.n_events + len(events))
        self._hand_over(FollowedMatch(before.path, with_current_mode(before.config, state), newest))

    def close(self) -> None:
        """The match is over, or was left."""
        self._hand_over(replace(self._match, is_playing=False))

    def _hand_over(self, match: FollowedMatch) -> None:
        self._match = match
        for follower in self._followers:
            follower.follow(match)


class FaultBoard:
    """What keeps each receiver from getting everything; `show` is told all of it whenever it changes, by any thread."""

    def __init__(self, show: Callable[[tuple[ReceiverFault, ...]], None]) -> None:
        self._show = show
        self._faults: dict[Receiver, ReceiverFault] = {}
        self._lock = Lock()

    def note(self, receiver: Receiver, fault: ReceiverFault | None) -> None:
        with self._lock:
            self._faults.pop(receiver, None)
            if fault is not None:
                self._faults[receiver] = fault
            self._show(tuple(self._faults.values()))


def open_publisher(
    settings: Settings, data: Path, show_faults: Callable[[tuple[ReceiverFault, ...]], None] | None = None
) -> Publisher:
    """Starts a follower for each receiver of the settings. One that cannot begin is said in one sentence and left out."""
    table = settings.web.table or platform.node()
    board = FaultBoard(show_faults or _show_nobody)
    found = []
    for receiver, follow in _FOLLOW.items():
        try:
            follower = follow(settings, table, data)
        except SendingError as error:
            sentence = f"{error}; nothing is sent there"
            _LOG.warning("%s", sentence)
            board.note(receiver, ReceiverFault(receiver, "", FaultKind.WRONG, sentence))
            continue
        if follower is not None:
            follower.tell = partial(board.note, receiver)
            follower.start()
            found.append(follower)
    return Publisher(found)


def _show_nobody(_faults: tuple[ReceiverFault, ...]) -> None:
    pass
