"""From the settings to followers: one for each receiver that they name, with what it gets and for whom."""

from pathlib import Path

from controller.match_log import matches_folder
from controller.publishing.errors import SendingError
from controller.publishing.follower import Audience, Follower
from controller.publishing.messages import VIEWERS, topic_name
from controller.publishing.pictures import RulingPictures
from controller.publishing.positions import NoEvents, SentPositions
from controller.publishing.receivers import make_mqtt_sender, make_obs_sender, make_webhook_sender
from controller.publishing.scenes import SceneChoice, list_scenes
from controller.publishing.states import StateTexts
from controller.settings import Settings, ViewerSetting

_FOLDER = "published"


def follow_broker(settings: Settings, table: str, data: Path) -> Follower | None:
    """None where the settings name no broker. Raises SendingError, as the other two."""
    mqtt = settings.mqtt
    if mqtt.host is None:
        return None
    folder = data / _FOLDER / topic_name(table)
    positions = SentPositions(folder / "mqtt.json")
    try:
        sender = make_mqtt_sender(mqtt, mqtt.host, table, folder)
    except SendingError:
        positions.close()
        raise
    audience = _audience(settings, table, mqtt.viewer)
    states = StateTexts(table, audience.viewer)
    pictures = RulingPictures(table, sender.send_picture) if mqtt.pictures else None
    follower = Follower(sender, positions, matches_folder(data), audience, states=states, pictures=pictures)
    sender.repeat = follower.repeat
    return follower


def follow_webhook(settings: Settings, table: str, data: Path) -> Follower | None:
    """None where the settings name no webhook."""
    webhook = settings.webhook
    if webhook.url is None:
        return None
    sender = make_webhook_sender(webhook, webhook.url)
    positions = SentPositions(data / _FOLDER / topic_name(table) / "webhook.json")
    return Follower(sender, positions, matches_folder(data), _audience(settings, table, webhook.viewer))


def follow_obs(settings: Settings, table: str, data: Path) -> Follower | None:
    """None where the settings name no OBS. What a stream shows is for spectators."""
    obs = settings.obs
    if obs.host is None:
        return None
    audience = _audience(settings, table, ViewerSetting.SPECTATOR)
    scenes = SceneChoice(list_scenes(obs.scenes))
    return Follower(make_obs_sender(obs, obs.host), NoEvents(), matches_folder(data), audience, states=scenes)


def _audience(settings: Settings, table: str, sees: ViewerSetting) -> Audience:
    """Spectators elsewhere see no more, and nothing earlier, than those at the page."""
    is_spectator = sees is ViewerSetting.SPECTATOR
    return Audience(table, VIEWERS[sees], settings.web.spectator_delay.seconds if is_spectator else 0.0)
