"""`zarbiter play` from its pictures to a real broker and a real HTTP server."""

import json
from pathlib import Path

import pytest

from controller.doctor import finding_line, run_checks
from controller.match_log import matches_folder, read_match
from controller.match_log.event_json import event_text
from controller.subcommands.doctor import all_checks
from tests.controller.publishing.broker import Mosquitto, Subscriber, needs_mosquitto
from tests.controller.publishing.http_receiver import receiver
from tests.controller.publishing.published_match import TOPIC, settings_of
from tests.controller.subcommands.called import Program
from tests.controller.table_pictures import calibration_file, camera_folder, start_pictures

pytest.importorskip("paho.mqtt.client", reason="the extra mqtt is not installed")
pytestmark = [pytest.mark.broad, needs_mosquitto]


def test_a_match_is_heard_by_both(broker: Mosquitto, listener: Subscriber, tmp_path: Path, zarbiter: Program) -> None:
    """Both get what the log has and `--json` prints, and doctor finds both."""
    data, secret = tmp_path / "data", tmp_path / "secret"
    secret.write_text("a-secret\n")
    secret.chmod(0o600)
    data.mkdir()
    camera = camera_folder(tmp_path, start_pictures(8))
    calibration = str(calibration_file(data))
    with receiver() as server:
        config = tmp_path / "club.toml"
        config.write_text(
            f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nviewer = "operator"\n'
            f'[webhook]\nurl = "{server.url}"\nsecret_file = "{secret}"\nviewer = "operator"\n'
        )
        call = (
            "play",
            "--table",
            "'Table 3'",
            "--camera",
            camera,
            "--calibration",
            calibration,
            "--data",
            data,
            "--config",
            config,
        )
        printed = zarbiter(*call, "--leds", "none", "--web", "none", "--json")
        (file,) = matches_folder(data).glob("*.zmatch")
        logged = [event_text(event) for event in read_match(file).events]
        assert printed.out.splitlines() == logged
        posted = [json.loads(body)["event"] for body in server.bodies]
        assert posted == [json.loads(text) for text in logged]
        heard = [json.loads(text) for text in listener.texts(f"{TOPIC}/events")]
        assert [one["event"] for one in heard] == posted
        assert [one["number"] for one in heard] == list(range(1, len(logged) + 1))
        assert listener.texts(f"{TOPIC}/available") == ["online", "offline"]
        ask = (f"the MQTT broker at 127.0.0.1:{broker.port}", f"the webhook at 127.0.0.1:{server.port}")
        well = f"ok      webhook           {ask[1]} takes a connection."
        assert checked(config) == [f"ok      broker            {ask[0]} takes a connection.", well]
        broker.kill()
        remedy = "takes no connection; see whether it runs, and at which port."
        assert checked(config) == [f"warning broker            {ask[0]} {remedy}", well]


def checked(config: Path) -> list[str]:
    """The lines of doctor about both; its other checks are not made."""
    settings = settings_of(config.read_text())
    return [
        finding_line(finding)
        for finding in run_checks(
            one for one in all_checks(settings, config.parent) if one.name in ("broker", "webhook")
        )
    ]
