"""`zarbiter club` with a real broker: two tables publish, the broker is killed and comes back."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlencode

import pytest

from controller.club import listener as listening
from controller.club.listener import Listener
from controller.club.page import ClubServer
from controller.club.results_file import ResultsKeeper, load_results
from controller.club.tournament import Format, Tournament
from controller.match.events import DisputeOpened
from controller.match_log import EvidencePicture, PictureKind
from controller.publishing.pictures import LONGEST_PX, MOST_BYTES
from controller.publishing.receivers import make_broker
from controller.refereeing.state import Phase
from controller.subcommands import club
from controller.web.address import LOOPBACK, Address
from tests.controller.club.table_messages import changed, picture_text, state_text
from tests.controller.match_log.match_files import MADE, noise
from tests.controller.publishing.broker import Mosquitto, Subscriber, needs_mosquitto, wait_for
from tests.controller.publishing.conftest import Begin, begin, broker, quick, start
from tests.controller.publishing.published_match import settings_of
from tests.controller.refereeing.refereed_match import RefereedMatch, table_of
from tests.controller.subcommands.called import Program
from tests.controller.web.shown_match import TOKEN
from tests.vision.pixels.test_picture_header import encoded
from vision.pixels.small_jpeg import is_jpeg_within

pytest.importorskip("paho.mqtt.client", reason="the extra mqtt is not installed")
pytestmark = [pytest.mark.broad, needs_mosquitto]
__all__ = ["begin", "broker", "quick", "start"]


def at(broker: Mosquitto) -> str:
    return f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n'


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests ask more often than a browser may."""
    monkeypatch.setattr("controller.web.limits.RateLimit.take", lambda *_: True)


@pytest.fixture
def server(broker: Mosquitto, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClubServer]:
    monkeypatch.setattr(listening, "FIRST_WAIT_S", 0.05)
    monkeypatch.setattr(listening, "LONGEST_WAIT_S", 0.1)
    mqtt = settings_of(at(broker)).mqtt
    heard = Listener(make_broker(mqtt, "127.0.0.1"))
    with closing(heard), closing(ClubServer(Address(LOOPBACK, 0), TOKEN, heard.take, heard.ask)) as opened:
        yield opened


def ask(server: ClubServer, after: int = 0, token: str = TOKEN) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with closing(HTTPConnection(server.address.host, server.address.port, timeout=10)) as connection:
        connection.request("GET", f"/api/club?after={after}", headers=headers)
        answer = connection.getresponse()
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        return {"status": answer.status, **json.load(answer)}


def needs(server: ClubServer) -> dict[str, list[str]]:
    found = ask(server)
    return {name: found["tables"][name]["needs"] for name in found["order"]}


def test_two_tables_and_a_broker_that_is_killed(broker: Mosquitto, server: ClubServer, begin: Begin) -> None:
    """The page keeps the last view and says so, and is there again without help."""
    first = begin(at(broker), table="Table 1")
    begin(at(broker), Path(first.log.path).parents[1] / "other", table="Table 2")
    wait_for(lambda: needs(server) == {"Table-1": [], "Table-2": []})
    paused = replace(first.state, phase=Phase.PAUSED)
    begun_s, first.state = monotonic(), paused
    first.refuse(1)
    wait_for(lambda: ask(server)["tables"]["Table-1"]["state"]["phase"] == "paused")
    assert monotonic() - begun_s < 3  # a bar for a busy machine
    broker.kill()
    wait_for(lambda: not ask(server)["link"]["is_up"])
    assert needs(server) == {"Table-1": [], "Table-2": []}
    broker.start()
    wait_for(lambda: ask(server)["link"]["is_up"])
    wait_for(lambda: needs(server) == {"Table-1": [], "Table-2": []})
    first.close()
    wait_for(lambda: not ask(server)["tables"]["Table-1"]["is_online"])
    assert needs(server)["Table-1"] == []


def test_the_last_ruling_is_there_from_the_beginning(broker: Mosquitto, begin: Begin) -> None:
    """The page comes after the ruling, and asks the table for it."""
    witness = Subscriber(broker.port, is_lasting=False).start()
    match = begin(at(broker), table="Table 1")
    match.happen(DisputeOpened(1))
    match.state = replace(match.state, phase=Phase.DISPUTE)
    match.refuse(3)
    wait_for(lambda: len(witness.texts("zarbiter/Table-1/events")) >= match.log.n_events)
    witness.stop()
    heard = Listener(make_broker(settings_of(at(broker)).mqtt, "127.0.0.1"))
    with closing(heard), closing(ClubServer(Address(LOOPBACK, 0), TOKEN, heard.take, heard.ask)) as server:
        wait_for(lambda: (ask(server)["tables"].get("Table-1") or {}).get("ruling"))
        assert ask(server)["tables"]["Table-1"]["ruling"]["kind"] == "DisputeOpened"


def ask_picture(server: ClubServer, token: str = TOKEN, **query: object) -> tuple[int, bytes]:
    with closing(HTTPConnection(server.address.host, server.address.port, timeout=10)) as connection:
        headers = {"Authorization": f"Bearer {token}"}
        connection.request("GET", f"/api/club/picture?{urlencode(query)}", headers=headers)
        answer = connection.getresponse()
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.status, answer.read()


def test_the_last_ruling_has_its_picture(broker: Mosquitto, server: ClubServer, begin: Begin) -> None:
    """A JPEG that the page's server made itself, for the director alone, and as long as the table is there."""
    match = begin(f"{at(broker)}pictures = true\n", table="Table 1")
    match.happen(MADE, pictures=(EvidencePicture(PictureKind.AFTER, noise(size=(600, 800))),))
    wait_for(lambda: (ask(server)["tables"].get("Table-1", {}).get("ruling") or {}).get("picture"))
    number = ask(server)["tables"]["Table-1"]["ruling"]["picture"]
    assert number == match.log.n_events
    status, content = ask_picture(server, table="Table-1", number=number)
    assert status == 200
    assert is_jpeg_within(content, LONGEST_PX)
    assert len(content) <= MOST_BYTES
    wrong: list[dict[str, object]] = [{"number": number + 1}, {"table": "../Table-1"}, {"number": "x"}]
    for one in wrong:
        assert ask_picture(server, **({"table": "Table-1", "number": number} | one))[0] == 404
    assert ask_picture(server, "a-wrong-token-of-16", table="Table-1", number=number)[0] == 401
    match.close()
    wait_for(lambda: not ask(server)["tables"]["Table-1"]["is_online"])
    assert ask_picture(server, table="Table-1", number=number)[0] == 404


def test_a_picture_that_cannot_be_decoded(broker: Mosquitto, server: ClubServer, begin: Begin) -> None:
    """Whoever may publish may call anything a picture; there is none then."""
    match = begin(at(broker), table="Table 1")
    match.happen(MADE)
    number, hostile = match.log.n_events, Subscriber(broker.port, is_lasting=False).start()
    torn = encoded(".jpg")[:300]
    wait_for(lambda: (ask(server)["tables"].get("Table-1") or {}).get("ruling"))
    hostile.client.publish("zarbiter/Table-1/picture", picture_text(number, torn, match.log.path.stem))
    wait_for(lambda: ask(server)["tables"]["Table-1"]["ruling"]["picture"] == number)
    assert ask_picture(server, table="Table-1", number=number)[0] == 404
    hostile.stop()


def test_anybody_may_publish_anything(broker: Mosquitto, server: ClubServer, begin: Begin) -> None:
    """A flood, names with codes and no JSON: the other table is shown as ever."""
    begin(at(broker), table="Table 1")
    wait_for(lambda: needs(server).get("Table-1") == [])  # the flood would take its place
    hostile = Subscriber(broker.port, is_lasting=False).start()
    hostile.client.publish("zarbiter/Table-9/state", b"x" * 200_000, retain=True)
    for number in range(2_000):
        hostile.client.publish(f"zarbiter/T{number % 300}/state", b"{" * 800)
    for name in ("\x1b[2J", "<b>", "x" * 5_000):
        hostile.client.publish(f"zarbiter/{name}/available", "online")
    wait_for(lambda: needs(server).get("Table-1") == [] and needs(server).get("Table-9") == ["unreadable"])
    wait_for(lambda: ask(server)["link"]["is_full"])
    assert len(ask(server)["order"]) == 200
    hostile.stop()


def test_the_result_of_a_match_is_kept(broker: Mosquitto, tmp_path: Path) -> None:
    """As the table publishes it, first without and then with the confirmation of both."""
    table, file = Subscriber(broker.port, is_lasting=False).start(), tmp_path / "club/a.json"
    heard = Listener(make_broker(settings_of(at(broker)).mqtt, "127.0.0.1"))
    keeper = ResultsKeeper(Tournament(Format.LEAGUE, 7, ("Ann", "Ben")), file, heard)
    begun = state_text(RefereedMatch.begun(table_of("backgammon", white="Ann", black="Ben")))
    match = json.loads(begun)["state"]["match"] | {"score": [7, 3], "length": 7, "winner": "W"}
    table.client.publish("zarbiter/Table-1/available", "online", retain=True)
    with closing(heard):
        for by in ([], ["W", "B"]):
            state = changed(begun, match=match | {"confirmed_by": by})
            table.client.publish("zarbiter/Table-1/state", state, retain=True)
            wait_for(partial(_has_kept, keeper, file, is_confirmed=bool(by)))
    table.stop()


def _has_kept(keeper: ResultsKeeper, file: Path, *, is_confirmed: bool) -> bool:
    keeper.look()
    return [one.is_confirmed for one in load_results(file)] == [is_confirmed]


@pytest.mark.parametrize("token", ["", "a-wrong-token-of-16"])
def test_only_the_director_sees_the_hall(server: ClubServer, token: str) -> None:
    found = ask(server, token=token)
    assert found["status"] == 401
    assert "tables" not in found


def test_the_command_prints_the_link(
    broker: Mosquitto, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the settings of the data folder, and stays until Ctrl-C."""
    seen: list[str] = []
    monkeypatch.setattr("controller.subcommands.match.page.wait_for_interrupt", seen.append)
    (tmp_path / "settings.toml").write_text(at(broker))
    printed = zarbiter("club", "--data", str(tmp_path), "--web", "127.0.0.1:0")
    assert printed.out.startswith("Page: http://127.0.0.1:")
    assert "#operator=" in printed.out
    assert len(seen) == 1
    assert club.USUAL_PORT != 8080
