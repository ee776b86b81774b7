import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from controller.match import Mode
from controller.match.events import GameStarted, PlayRefused
from controller.match_log import matches_folder, read_match
from controller.publishing import mqtt
from controller.publishing.errors import SendingError
from controller.publishing.follower import MOST_AT_ONCE
from controller.publishing.messages import EventMessage
from controller.publishing.mqtt import Broker, MqttSender, TableAtBroker
from controller.publishing.publisher import open_publisher
from controller.rules import Player, Rule
from tests.controller.match_log.match_files import START
from tests.controller.publishing.broker import (
    Mosquitto,
    Subscriber,
    make_certificate,
    needs_mosquitto,
    needs_openssl,
    wait_for,
)
from tests.controller.publishing.conftest import Begin, Start
from tests.controller.publishing.published_match import CONFIG, TOPIC, settings_of
from tests.controller.publishing.test_follower import FailsTwice

pytest.importorskip("paho.mqtt.client", reason="the extra mqtt is not installed")
pytestmark = [pytest.mark.broad, needs_mosquitto]


def at(broker: Mosquitto, *more: str) -> str:
    return "\n".join(('[mqtt]\nhost = "127.0.0.1"', f"port = {broker.port}", *more))


def numbers(listener: Subscriber, topic: str = TOPIC) -> list[int]:
    return [json.loads(text)["number"] for text in listener.texts(f"{topic}/events")]


def without_repetitions(found: list[int]) -> list[int]:
    """What a receiver keeps who looks at the numbers."""
    return list(dict.fromkeys(found))


def secret_file(folder: Path, text: str) -> Path:
    file = folder / "secret"
    file.write_text(text)
    file.chmod(0o600)
    return file


def test_events_come_once_and_in_order(broker: Mosquitto, listener: Subscriber, begin: Begin) -> None:
    """With the newest state, and whether the table is there, kept for those who come later."""
    match = begin(at(broker))
    match.refuse(70)
    wait_for(lambda: len(numbers(listener)) == match.log.n_events)
    assert numbers(listener) == list(range(1, match.log.n_events + 1))
    wait_for(lambda: json.loads(listener.texts(f"{TOPIC}/state")[-1])["state"]["events"] == match.log.n_events)
    late = Subscriber(broker.port, is_lasting=False).start()
    wait_for(lambda: len(late.got) == 3)
    assert late.texts(f"{TOPIC}/available") == ["online"]
    assert json.loads(late.texts(f"{TOPIC}/state")[0])["state"]["match"]["white"] == "Ann"
    match.close()
    wait_for(lambda: late.texts(f"{TOPIC}/available") == ["online", "offline"])
    assert [json.loads(text)["is_playing"] for text in late.texts(f"{TOPIC}/state")] == [True, False]
    late.stop()


def test_a_broker_that_is_killed_in_the_middle_loses_nothing(
    tmp_path: Path, start: Start, begin: Begin, caplog: pytest.LogCaptureFixture
) -> None:
    """It is killed twice; the subscriber has its place with it and asks for nothing."""
    kept = (f"persistence_location {tmp_path}/", "persistence true", "autosave_on_changes true", "autosave_interval 1")
    broker = start("allow_anonymous true", *kept)
    listener = Subscriber(broker.port).start()
    match = begin(at(broker))
    for _ in range(2):
        match.refuse(15)
        broker.kill()
        match.refuse(15)
        broker.start()
        match.refuse(15)
    wait_for(lambda: len(without_repetitions(numbers(listener))) == match.log.n_events)
    assert without_repetitions(numbers(listener)) == list(range(1, match.log.n_events + 1))
    assert median(match.held_up_s) < 0.002
    assert "see whether it runs" in caplog.text
    assert "answers again" in caplog.text
    listener.stop()


def test_who_missed_events_asks_for_them(broker: Mosquitto, listener: Subscriber, begin: Begin) -> None:
    """This broker keeps nothing for anybody."""
    match = begin(at(broker))
    match.refuse(20)
    wait_for(lambda: len(numbers(listener)) == match.log.n_events)
    late = Subscriber(broker.port, is_lasting=False).start()
    for request in (
        "{",
        '{"match": 5}',
        json.dumps({"match": match.log.path.stem, "after": True}),
        "[" * 200,
        json.dumps({"match": match.log.path.stem, "after": 7}),
    ):
        late.client.publish(f"{TOPIC}/repeat", request, qos=1)
    wait_for(lambda: len(numbers(late)) == match.log.n_events - 7)
    assert numbers(late) == list(range(8, match.log.n_events + 1))
    late.stop()


def test_a_program_that_ended_goes_on_where_it_was(
    broker: Mosquitto, listener: Subscriber, begin: Begin, tmp_path: Path
) -> None:
    """Events from the time when nobody could take them are sent at the next start, also of the match before."""
    match = begin(at(broker))
    match.refuse(10)
    wait_for(lambda: len(numbers(listener)) == match.log.n_events)
    broker.kill()
    match.refuse(10)
    match.publisher.close()
    broker.start()
    match.go_on(settings_of(at(broker)), tmp_path / "data")
    match.refuse(3)
    wait_for(lambda: listener.n_connections > 1 and match.log.n_events in numbers(listener))
    late = sorted(without_repetitions(numbers(listener)))
    assert late[:11] + late[-3:] == [*range(1, 12), *range(22, 25)]


def test_a_program_that_is_killed_goes_on_where_it_was(broker: Mosquitto, listener: Subscriber, tmp_path: Path) -> None:
    """The broker says that the table is lost; whoever goes on with the match sends the rest and nothing twice but the last."""
    program = (sys.executable, "-m", "tests.controller.publishing.endless_match", at(broker), str(tmp_path))
    with subprocess.Popen(program) as running:
        wait_for(lambda: len(numbers(listener)) > 20, within_s=60)
        running.kill()
    wait_for(lambda: listener.texts(f"{TOPIC}/available") == ["online", "offline"])
    (file,) = matches_folder(tmp_path).glob("*.zmatch")
    n_events = len(read_match(file).events)
    publisher = open_publisher(settings_of(at(broker)), tmp_path)
    wait_for(lambda: n_events in numbers(listener))
    publisher.close()
    assert without_repetitions(numbers(listener)) == list(range(1, n_events + 1))
    assert len(numbers(listener)) <= n_events + MOST_AT_ONCE


def test_two_tables_with_one_name(
    broker: Mosquitto, listener: Subscriber, begin: Begin, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The second says so and sends nothing; it has the name when the first is gone."""
    first = begin(at(broker), tmp_path / "first")
    wait_for(lambda: listener.texts(f"{TOPIC}/available") == ["online"])
    second = begin(at(broker), tmp_path / "second", table="table 3!".replace("t", "T", 1))
    sentence = f"another table is called {TOPIC} at the MQTT broker at 127.0.0.1:{broker.port}; give each table a name"
    wait_for(lambda: sentence in caplog.text)
    wait_for(lambda: len(numbers(listener)) == first.log.n_events)
    assert caplog.text.count(sentence) == 1
    first.close()
    second.refuse(4)
    wait_for(lambda: len(numbers(listener)) == first.log.n_events + second.log.n_events)
    assert listener.texts(f"{TOPIC}/available") == ["online", "offline", "online"]


def test_one_installation_publishes_a_table_once(
    broker: Mosquitto, begin: Begin, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    begin(at(broker))
    open_publisher(settings_of(at(broker)), tmp_path / "data").close()
    assert (
        "another zarbiter sends the events of this table; give each table a name of its own with --table" in caplog.text
    )


def test_a_wrong_password(tmp_path: Path, start: Start, begin: Begin, caplog: pytest.LogCaptureFixture) -> None:
    """Nobody reads the password in what is said; the right one lets in."""
    subprocess.run(("mosquitto_passwd", "-b", "-c", f"{tmp_path}/users", "table", "open-sesame"), check=True)
    broker = start(f"password_file {tmp_path}/users")
    wrong = secret_file(tmp_path, "guessed-wrongly\n")
    match = begin(at(broker, 'user = "table"', f'password_file = "{wrong}"'))
    wait_for(lambda: "refuses user and password; correct [mqtt] user and password_file" in caplog.text)
    assert "guessed" not in caplog.text
    match.publisher.close()
    secret_file(tmp_path, "open-sesame\nnotes\n")
    assert mqtt_check(broker, tmp_path) == f"the MQTT broker at 127.0.0.1:{broker.port}"
    broker.kill()


def mqtt_check(broker: Mosquitto, folder: Path) -> str | None:
    from controller.publishing import check_broker

    return check_broker(settings_of(at(broker, 'user = "table"', f'password_file = "{folder}/secret"')).mqtt)


@needs_openssl
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves a refused socket to Python
def test_a_certificate_that_is_refused(
    tmp_path: Path, start: Start, begin: Begin, caplog: pytest.LogCaptureFixture
) -> None:
    """Until the settings name who signed it."""
    certificate, key = make_certificate(tmp_path)
    broker = start("allow_anonymous true", f"certfile {certificate}", f"keyfile {key}")
    match = begin(at(broker, "tls = true"))
    wait_for(lambda: "has a certificate that is not accepted" in caplog.text)
    assert "see the clock of this machine, and name the certificate that signed it as ca" in caplog.text
    match.publisher.close()
    match.go_on(settings_of(at(broker, "tls = true", f'ca = "{certificate}"')), tmp_path / "data")
    wait_for((tmp_path / "data/published/Table-3/mqtt.json").is_file)


def test_a_broker_that_hangs_never_holds_up_the_match(broker: Mosquitto, begin: Begin) -> None:
    """Each state is handed over within a moment, and the program ends although nothing is confirmed."""
    match = begin(at(broker))
    match.refuse(5)
    broker.hang()
    match.refuse(60)
    assert median(match.held_up_s) < 0.002
    assert (
        max(match.held_up_s) < mqtt.ANSWER_WITHIN_S / 4
    )  # on a busy machine this thread may have to wait for its turn


def test_a_broker_that_hung_gets_no_heap_of_repetitions(
    broker: Mosquitto, listener: Subscriber, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not confirmed in time comes once more, and a table that ends meanwhile is offline."""
    monkeypatch.setattr(mqtt, "ANSWER_WITHIN_S", 0.2)
    sender = MqttSender(Broker("127.0.0.1", broker.port), TableAtBroker(TOPIC, "Table 3", "0a"))
    event = EventMessage("20261129-203000", 1, '{"number": 1}')

    def send() -> None:
        sender.open()
        sender.send(event)

    sender.open()
    broker.hang()
    for _ in range(5):
        with pytest.raises(SendingError, match="does not answer in time; see whether it runs"):
            send()
    broker.go_on()
    wait_for(lambda: numbers(listener))
    monkeypatch.setattr(mqtt, "ANSWER_WITHIN_S", 20.0)
    send()
    wait_for(lambda: len(numbers(listener)) == 2)
    monkeypatch.setattr(mqtt, "ANSWER_WITHIN_S", 0.2)
    broker.hang()
    with pytest.raises(SendingError, match="does not answer in time"):
        send()
    sender.close()
    broker.go_on()
    wait_for(lambda: listener.texts(f"{TOPIC}/available")[-1] == "offline")
    assert len(numbers(listener)) == 3


def test_home_assistant_finds_the_table(broker: Mosquitto, listener: Subscriber, begin: Begin) -> None:
    begin(at(broker, "home_assistant = true"))
    wait_for(lambda: sum(topic.startswith("homeassistant/") for topic, _ in listener.got) == 3)
    found = [json.loads(text) for topic, text in listener.got if topic.startswith("homeassistant/")]
    assert {one["name"] for one in found} == {"Score", "Phase", "Needs attention"}
    assert {one["availability_topic"] for one in found} == {f"{TOPIC}/available"}
    assert len({one["unique_id"] for one in found}) == 3


def test_an_error_that_nobody_foresaw_loses_nothing(
    broker: Mosquitto,
    listener: Subscriber,
    begin: Begin,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the middle of a match, with confirmations under way."""
    match = begin(at(broker))
    match.refuse(5)
    wait_for(lambda: listener.texts(f"{TOPIC}/events"))
    monkeypatch.setattr(mqtt, "monotonic", FailsTwice(time.monotonic))
    match.refuse(40)
    wait_for(lambda: len(set(numbers(listener))) == match.log.n_events)
    assert without_repetitions(numbers(listener)) == list(range(1, match.log.n_events + 1))
    assert (
        f"the MQTT broker at 127.0.0.1:{broker.port} fails because of an error in zarbiter (KeyError in " in caplog.text
    )


@pytest.mark.parametrize(("viewer", "shown"), [("spectator", "Withheld"), ("operator", "PlayRefused")])
def test_what_a_mode_withholds_is_withheld(
    broker: Mosquitto, listener: Subscriber, begin: Begin, viewer: str, shown: str
) -> None:
    """In a match that is only recorded, an illegal play is for the operator."""
    match = begin(at(broker, f'viewer = "{viewer}"'), config=replace(CONFIG, mode=Mode.SILENT))
    refused = PlayRefused(5, Player.WHITE, (3, 1), START, START, (next(iter(Rule)),), ("At least one number.",))
    match.happen(GameStarted(4, 1, START, Player.WHITE), refused)
    wait_for(lambda: len(numbers(listener)) == match.log.n_events)
    assert json.loads(listener.texts(f"{TOPIC}/events")[-1])["event"]["event"] == shown


def test_without_the_extra(begin: Begin, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """The match goes on, and one sentence says what to install."""
    monkeypatch.setattr(mqtt, "find_spec", lambda _name: None)
    match = begin('[mqtt]\nhost = "broker.example"')
    match.refuse(1)
    assert (
        "paho-mqtt is not installed, which publishing to a broker needs; run pip install 'zarbiter[mqtt]'"
        in caplog.text
    )
