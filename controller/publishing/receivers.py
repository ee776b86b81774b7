"""From the settings to receivers: reads secrets, names topics, and asks whether a receiver answers."""

import secrets
from pathlib import Path

from controller.publishing.connecting import Password, read_secret
from controller.publishing.errors import SendingError
from controller.publishing.messages import topic_name
from controller.publishing.mqtt import Broker, MqttSender, TableAtBroker
from controller.publishing.obs import Obs, ObsSender
from controller.publishing.positions import load_or_create_owner
from controller.publishing.scenes import list_scenes
from controller.publishing.webhook import WebhookSender
from controller.settings import MqttSettings, ObsSettings, WebhookSettings

_PORT, _TLS_PORT = 1883, 8883
_ROOT = "zarbiter"
_OWNER = "owner"


def make_broker(settings: MqttSettings, host: str) -> Broker:
    """Raises SendingError for a password that cannot be read."""
    password = _read_password(settings.password_file)
    port = settings.port or (_TLS_PORT if settings.tls else _PORT)
    return Broker(host, port, settings.user, password, settings.tls, settings.ca)


def make_mqtt_sender(settings: MqttSettings, host: str, table: str, folder: Path) -> MqttSender:
    """`folder` keeps the name of this installation at brokers. Raises SendingError."""
    owner = load_or_create_owner(folder / _OWNER, secrets.token_hex(8))
    topic = f"{_ROOT}/{topic_name(table)}"
    return MqttSender(make_broker(settings, host), TableAtBroker(topic, table, owner, settings.home_assistant))


def make_webhook_sender(settings: WebhookSettings, url: str) -> WebhookSender:
    """Raises SendingError for a secret that cannot be read."""
    if settings.secret_file is None:
        raise SendingError("the webhook has no secret; give [webhook] secret_file", is_lasting=True)
    return WebhookSender(url, read_secret(settings.secret_file).encode(), settings.ca)


def make_obs_sender(settings: ObsSettings, host: str) -> ObsSender:
    """Raises SendingError for a password that cannot be read."""
    obs = Obs(host, settings.port, _read_password(settings.password_file))
    return ObsSender(obs, tuple(list_scenes(settings.scenes).values()))


def _read_password(file: Path | None) -> Password | None:
    return None if file is None else Password(read_secret(file))


def check_broker(settings: MqttSettings) -> str | None:
    """The name of the broker if it lets us in; None if there is none. Publishes nothing. Raises SendingError."""
    if settings.host is None:
        return None
    broker = make_broker(settings, settings.host)
    MqttSender(broker, TableAtBroker("", "", "")).check()
    return broker.name


def check_webhook(settings: WebhookSettings) -> str | None:
    """The name of the webhook if it takes a connection; None if there is none. Sends nothing. Raises SendingError."""
    if settings.url is None:
        return None
    sender = make_webhook_sender(settings, settings.url)
    sender.check()
    return sender.name


def check_obs(settings: ObsSettings) -> str | None:
    """The name of OBS if it lets us in and has all scenes; None if there is none. Changes no scene. Raises SendingError."""
    if settings.host is None:
        return None
    sender = make_obs_sender(settings, settings.host)
    sender.check()
    return sender.name
