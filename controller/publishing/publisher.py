"""All receivers of a program, from its start to its end, and the sink through which a match reaches them."""

import logging
import platform
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from controller.match import Peripheral, RefereeEvent
from controller.publishing.errors import SendingError
from controller.publishing.follower import FollowedMatch, Follower
from controller.publishing.followers import follow_broker, follow_obs, follow_webhook
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState
from controller.settings import Settings
from controller.web.match.live_match import Snapshot

_LOG = logging.getLogger("zarbiter.publishing")


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


def open_publisher(settings: Settings, data: Path) -> Publisher:
    """Starts a follower for each receiver of the settings. One that cannot begin is said in one sentence and left out."""
    table = settings.web.table or platform.node()
    found = []
    for follow in (follow_broker, follow_webhook, follow_obs):
        try:
            follower = follow(settings, table, data)
        except SendingError as error:
            _LOG.warning("%s; nothing is sent there", error)
            continue
        if follower is not None:
            follower.start()
            found.append(follower)
    return Publisher(found)
