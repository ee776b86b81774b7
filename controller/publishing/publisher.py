"""All receivers of a program, from its start to its end, and the sink through which a match reaches them."""

import logging
import platform
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from controller.match import Peripheral, RefereeEvent
from controller.match_log import matches_folder
from controller.publishing.errors import SendingError
from controller.publishing.follower import Audience, FollowedMatch, Follower
from controller.publishing.messages import VIEWERS, topic_name
from controller.publishing.positions import SentPositions
from controller.publishing.receivers import make_mqtt_sender, make_webhook_sender
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState
from controller.settings import MqttSettings, Settings, ViewerSetting, WebhookSettings
from controller.web.match.live_match import Snapshot

_LOG = logging.getLogger("zarbiter.publishing")
_FOLDER = "published"


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
    for open_one in (_follow_broker, _follow_webhook):
        try:
            follower = open_one(settings, table, data)
        except SendingError as error:
            _LOG.warning("%s; nothing is sent there", error)
            continue
        if follower is not None:
            follower.start()
            found.append(follower)
    return Publisher(found)


def _audience(settings: Settings, table: str, sees: ViewerSetting) -> Audience:
    """Spectators elsewhere see no more, and nothing earlier, than those at the page."""
    is_spectator = sees is ViewerSetting.SPECTATOR
    return Audience(table, VIEWERS[sees], settings.web.spectator_delay.seconds if is_spectator else 0.0)


def _follow_broker(settings: Settings, table: str, data: Path) -> Follower | None:
    mqtt: MqttSettings = settings.mqtt
    if mqtt.host is None:
        return None
    folder = data / _FOLDER / topic_name(table)
    positions = SentPositions(folder / "mqtt.json")
    try:
        sender = make_mqtt_sender(mqtt, mqtt.host, table, folder)
    except SendingError:
        positions.close()
        raise
    follower = Follower(sender, positions, matches_folder(data), _audience(settings, table, mqtt.viewer))
    sender.repeat = follower.repeat
    return follower


def _follow_webhook(settings: Settings, table: str, data: Path) -> Follower | None:
    webhook: WebhookSettings = settings.webhook
    if webhook.url is None:
        return None
    sender = make_webhook_sender(webhook, webhook.url)
    positions = SentPositions(data / _FOLDER / topic_name(table) / "webhook.json")
    return Follower(sender, positions, matches_folder(data), _audience(settings, table, webhook.viewer))
