"""The settings of everything that matches are sent to: MQTT broker, webhook, OBS. Only the file of settings has them, no form."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import NewType

import attrs

from controller.rules.bounded_toml import KeyPath

TcpPort = NewType("TcpPort", int)
HostName = NewType("HostName", str)
WebAddress = NewType("WebAddress", str)  # http or https, without user, password and fragment
SceneName = NewType("SceneName", str)


class ViewerSetting(Enum):
    """What may be sent: as much as anybody at the table may see in this mode, or all that the operator sees."""

    SPECTATOR = "spectator"
    OPERATOR = "operator"


@attrs.frozen
class MqttSettings:
    """The broker that the match is published to; none without `host`.

    The password is the first line of `password_file`, so that no settings file, page or report holds it. `ca`: the
    certificate that signed the broker's, in PEM; None: the authorities that this machine knows. `pictures`: of rulings; hands
    and faces may be in them.
    """

    host: HostName | None = None
    port: TcpPort | None = None  # 8883 with TLS, else 1883
    user: str | None = None
    password_file: Path | None = None
    tls: bool = False
    ca: Path | None = None
    viewer: ViewerSetting = ViewerSetting.SPECTATOR
    home_assistant: bool = False
    pictures: bool = False


@attrs.frozen
class WebhookSettings:
    """The address that gets every event; none without `url`. The key of the signatures is the first line of `secret_file`."""

    url: WebAddress | None = None
    secret_file: Path | None = None
    ca: Path | None = None
    viewer: ViewerSetting = ViewerSetting.SPECTATOR


@attrs.frozen
class SceneSettings:
    """The scene of OBS for each `Occasion` (`controller/publishing/scenes.py`); None: the scene stays as it is."""

    idle: SceneName | None = None
    set_up: SceneName | None = None
    throw: SceneName | None = None
    play: SceneName | None = None
    double: SceneName | None = None
    ruling: SceneName | None = None
    unsure: SceneName | None = None
    dispute: SceneName | None = None
    pause: SceneName | None = None
    stopped: SceneName | None = None
    game_won: SceneName | None = None
    match_won: SceneName | None = None


@attrs.frozen
class ObsSettings:
    """The OBS whose scene follows the match; none without `host`. The password is the first line of `password_file`; None: OBS
    asks for none.
    """

    host: HostName | None = None
    port: TcpPort = TcpPort(4455)
    password_file: Path | None = None
    scenes: SceneSettings = SceneSettings()


def find_receiver_contradictions(
    mqtt: MqttSettings, webhook: WebhookSettings, obs: ObsSettings
) -> Iterator[tuple[KeyPath, str]]:
    """Mistakes in combinations of values that are valid by themselves."""
    if mqtt.host is None and mqtt != MqttSettings():
        yield ("mqtt", "host"), "there is no broker; name the machine that it runs on"
    if (mqtt.user is None) is not (mqtt.password_file is None):
        yield ("mqtt", "user"), "user and password_file go together; give both or neither"
    if mqtt.ca is not None and not mqtt.tls:
        yield ("mqtt", "ca"), "a certificate is checked with TLS alone; write tls = true"
    if webhook.url is None and webhook != WebhookSettings():
        yield ("webhook", "url"), "there is no address; name the one that gets the events"
    if webhook.url is not None and webhook.secret_file is None:
        yield ("webhook", "secret_file"), "events are signed; name a file whose first line is a secret of yours"
    if obs.host is None and obs != ObsSettings():
        yield ("obs", "host"), "there is no OBS; name the machine that it runs on, as 127.0.0.1"
    if obs.host is not None and obs.scenes == SceneSettings():
        yield ("obs", "scenes"), 'no scene is named; write one below [obs.scenes], as play = "Board"'
