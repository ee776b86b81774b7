"""The API of the set-up page: set-up, settings and LED map, without a program behind it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from controller.web.set_up.operator_requests import MOST_FORM_BYTES
from controller.web.set_up.program_control import (
    EndMatch,
    PointAt,
    ProgramStage,
    ResumeMatch,
    StartAgain,
    StartMatch,
    UnfinishedMatch,
)
from firmware_bridge.layout import MAX_LEDS, LedLayout, LedPlace
from firmware_bridge.layout_file import load_layout, save_layout
from tests.controller.web.office_shown import OfficeShown
from tests.controller.web.shown_match import OPERATOR, ShownMatch

GETS = ("/api/set-up", "/api/set-up/games/tavla", "/api/settings", "/api/leds")
POSTS = (
    *("/api/set-up/start", "/api/set-up/resume", "/api/set-up/end"),
    *("/api/settings", "/api/leds", "/api/leds/point"),
)


pytestmark = pytest.mark.usefixtures("unlimited")


@pytest.fixture
def office(tmp_path: Path) -> OfficeShown:
    return OfficeShown.in_folder(tmp_path, '# ours\n\n[players]\nwhite = "Ann"\n[leds]\nbrightness = 20\n')


@pytest.fixture
def client(office: OfficeShown) -> Iterator[TestClient]:
    with office.client() as opened:
        yield opened


def sent(client: TestClient, path: str, body: object) -> tuple[int, dict[str, object]]:
    answer = client.post(path, json=body, headers=OPERATOR)
    return answer.status_code, answer.json()


def asked(client: TestClient, path: str) -> dict[str, object]:
    answer = client.get(path, headers=OPERATOR)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def names_of_mistakes(answer: tuple[int, dict[str, object]]) -> set[str]:
    status, body = answer
    assert status == 422
    mistakes = body["mistakes"]
    assert isinstance(mistakes, list)
    assert all(one["sentence"].endswith(".") for one in mistakes)
    return {one["name"] for one in mistakes}


def fields_of(form: dict[str, object]) -> dict[str, dict[str, object]]:
    fields = form["fields"]
    assert isinstance(fields, list)
    return {field["name"]: field for field in fields}


class TestAccess:
    @pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}])
    def test_everything_needs_the_token(self, office: OfficeShown, client: TestClient, headers: dict[str, str]) -> None:
        before = office.text
        assert {client.get(path, headers=headers).status_code for path in GETS} == {401}
        bodies: list[dict[str, object]] = [
            {},
            {"seal": office.store.read().seal, "changes": {"leds.brightness": 9}},
            {"places": ["T1"]},
            {"led": 1},
        ]
        statuses = {client.post(path, json=body, headers=headers).status_code for path in POSTS for body in bodies}
        assert statuses == {401}
        assert (office.done, office.text) == ([], before)

    def test_spectators_see_the_stage_and_no_more(self, office: OfficeShown, client: TestClient) -> None:
        """The state contains no path."""
        text = client.get("/api/state").text
        shown = json.loads(text)["state"]["office"]
        assert shown == {
            "is_there": True,
            "can_begin": True,
            "stage": "waiting",
            "slow_speed": None,
            "table": "",
            "receivers": [],
        }
        assert str(office.store.file.parent) not in text

    @pytest.mark.parametrize("path", POSTS)
    def test_a_malformed_form_is_refused(self, client: TestClient, path: str) -> None:
        """Each refusal has a sentence."""
        bodies = [
            b"",
            b"[]",
            b'{"a": NaN}',
            b'{"a": 1e999}',
            b'{"a": "\\ud800"}',
            b"[" * 9_000,
            b'{"a":"' + b"x" * MOST_FORM_BYTES + b'"}',
        ]
        answers = [
            client.post(path, content=body, headers={**OPERATOR, "Content-Type": "application/json"}) for body in bodies
        ]
        plain = client.post(path, content=b"{}", headers={**OPERATOR, "Content-Type": "text/plain"})
        assert [answer.status_code for answer in answers] == [400, 422, 400, 400, 400, 400, 413]
        assert all(answer.json()["error"].endswith(".") for answer in answers)
        assert plain.status_code == 415

    def test_a_page_without_a_settings_store_refuses(self) -> None:
        """A demo, for example, has none."""
        client = ShownMatch.begun().client()
        assert {client.get(path, headers=OPERATOR).status_code for path in GETS} == {409}
        assert {client.post(path, json={}, headers=OPERATOR).status_code for path in POSTS} == {409}
        assert client.get("/office").status_code == 200

    def test_orders_wait_for_a_match(self, office: OfficeShown, client: TestClient) -> None:
        """Without a running match, no order is offered or accepted."""
        assert sent(client, "/api/commands", {"command": "Pause"})[0] == 409
        assert client.get("/api/state", headers=OPERATOR).json()["state"]["orders"] == []
        office.context.control.stage = ProgramStage.PLAYING
        assert client.get("/api/state", headers=OPERATOR).json()["state"]["orders"] != []
        assert sent(client, "/api/commands", {"command": "Pause"})[0] == 202


class TestSetUp:
    def test_the_form_has_the_values_of_the_settings(self, client: TestClient) -> None:
        """It has the titles of all games."""
        form = asked(client, "/api/set-up")
        fields = fields_of(form)
        assert (fields["players.white"]["value"], fields["game"]["value"]) == ("Ann", "backgammon")
        games = fields["game"]["choices"]
        assert isinstance(games, list)
        assert len(games) == 18
        assert set(games) == set(form["games"]) if isinstance(form["games"], dict) else False

    def test_the_options_of_a_game(self, client: TestClient) -> None:
        """An unknown game is not found."""
        options = asked(client, "/api/set-up/games/long_nardy")["options"]
        assert asked(client, "/api/set-up/games/grasshopper")["options"] == []
        assert client.get("/api/set-up/games/tafla", headers=OPERATOR).status_code == 404
        assert isinstance(options, list)
        heads = [option for option in options if option["name"] == "head_limit"]
        assert (heads[0]["default"], heads[0]["may_be_none"], heads[0]["limits"]) == (1, True, [1, 15])

    def test_a_match_is_begun(self, office: OfficeShown, client: TestClient) -> None:
        """The next form remembers the choices."""
        values = {"game": "tavla", "players.black": "Ben", "match.length": 5}
        assert sent(client, "/api/set-up/start", {"values": values, "options": {"winner_starts": True}})[0] == 200
        again = fields_of(asked(client, "/api/set-up"))
        (job,) = office.done
        assert isinstance(job, StartMatch)
        table = job.match.table
        assert (table.players.white, table.players.black) == ("Ann", "Ben")
        assert (table.match.target, table.match.winner_starts) == (5, True)
        assert (again["game"]["value"], again["match.length"]["value"]) == ("tavla", 5)

    def test_all_mistakes_at_once_and_no_match(self, office: OfficeShown, client: TestClient) -> None:
        """Each mistake has the name of its field."""
        values = {"game": "backgammon", "mode": "loud", "match.length": "seven", "clock": "sand"}
        found = names_of_mistakes(sent(client, "/api/set-up/start", {"values": values, "options": {"cap": "x"}}))
        assert found == {"mode", "match.length", "clock", "options.cap"}
        assert office.done == []

    def test_a_failed_start_has_its_reason(self, office: OfficeShown) -> None:
        """The sentence is that of the program."""
        office.refusal = "The camera is away."
        with office.client() as client:
            assert sent(client, "/api/set-up/start", {}) == (409, {"error": "The camera is away."})

    def test_one_match_at_a_time(self, office: OfficeShown, client: TestClient) -> None:
        """No match begins during another one, or where the command line begins matches."""
        office.context.control.stage = ProgramStage.PLAYING
        assert sent(client, "/api/set-up/start", {})[0] == 409
        assert sent(client, "/api/set-up/end", {})[0] == 200
        office.context.control.can_begin = False
        assert sent(client, "/api/set-up/end", {})[0] == 409
        office.context.control.stage = ProgramStage.WAITING
        assert sent(client, "/api/set-up/start", {})[0] == 409
        assert office.done == [EndMatch()]

    def test_only_the_offered_match_is_resumed(self, office: OfficeShown, client: TestClient) -> None:
        """No other name becomes a path."""
        known = UnfinishedMatch("20261121-1", "Ann", "Ben", (3, 2), "2026-11-21T19:15:00Z")
        office.context.control.unfinished = known
        assert asked(client, "/api/set-up")["unfinished"] == known.to_record()
        assert [sent(client, "/api/set-up/resume", {"match": name})[0] for name in ("../x", 3, None, "")] == [
            *(404, 422, 422, 404)
        ]
        assert sent(client, "/api/set-up/resume", {"match": "20261121-1"})[0] == 200
        assert office.done == [ResumeMatch("20261121-1")]


class TestSettings:
    def test_every_setting_with_its_value(self, client: TestClient) -> None:
        """A field has value, default, and the time at which a change takes effect."""
        form = asked(client, "/api/settings")
        fields = fields_of(form)
        assert form["file"] == "settings.toml"
        brightness = fields["leds.brightness"]
        assert (brightness["value"], brightness["default"], brightness["acts"]) == (20, 255, "now")
        assert fields["leds.port"]["value"] is None

    def test_saved_with_its_comments(self, office: OfficeShown, client: TestClient) -> None:
        """The response is the new form; an outdated seal is refused."""
        seal = asked(client, "/api/settings")["seal"]
        changes = {"leds.brightness": 60, "players.white": None, "mode": "referee"}
        status, form = sent(client, "/api/settings", {"seal": seal, "changes": changes})
        assert status == 200
        assert fields_of(form)["leds.brightness"]["value"] == 60
        assert sent(client, "/api/settings", {"seal": seal, "changes": changes})[0] == 409
        assert office.text == '# ours\n\nmode = "referee"\n[players]\n[leds]\nbrightness = 60\n'

    def test_all_mistakes_at_once_and_nothing_saved(self, office: OfficeShown, client: TestClient) -> None:
        """Unknown names are mistakes too."""
        before = office.text
        changes = {"leds.brightness": 0, "mode": "loud", "web.port": "x", "leds.colour": 1}
        seal = asked(client, "/api/settings")["seal"]
        found = names_of_mistakes(sent(client, "/api/settings", {"seal": seal, "changes": changes}))
        assert found == set(changes)
        assert office.text == before

    def test_values_of_the_command_line_are_shown(self, tmp_path: Path) -> None:
        """They override the file."""
        office = OfficeShown.in_folder(tmp_path, options=((("leds", "port"), "--leds", "fake"),))
        with office.client() as client:
            port = fields_of(asked(client, "/api/settings"))["leds.port"]
        assert (port["fixed"], port["value"]) == ("--leds", "fake")

    @pytest.mark.parametrize(
        "text", ["[leds\n", "\xff", 'leds = 3\nmode = "loud"\n', "camera.fps = inf\nmatch.length = nan\n"]
    )
    def test_an_invalid_file_is_reported(self, tmp_path: Path, text: str) -> None:
        """The forms are built, and the file is not overwritten."""
        office = OfficeShown.in_folder(tmp_path, "x = 1")
        office.store.file.write_bytes(text.encode("latin-1"))
        with office.client() as client:
            form = asked(client, "/api/settings")
            assert form["problem"] or form["mistakes"]
            assert asked(client, "/api/set-up")["fields"]
            assert asked(client, "/api/leds")["places"]
            seal = form["seal"]
            assert sent(client, "/api/settings", {"seal": seal, "changes": {"game": "tavla"}})[0] == 422
        assert office.store.file.read_bytes() == text.encode("latin-1")


class TestLeds:
    def test_the_usual_arrangement(self, client: TestClient) -> None:
        """It has the usual length, or the requested one."""
        form = asked(client, "/api/leds")
        assert (len(list(map(str, form["places"]))), form["is_kept"]) == (72, False)  # type: ignore[call-overload]
        assert asked(client, "/api/leds?count=24")["places"][:2] == ["T1", "T2"]  # type: ignore[index]
        statuses = [
            client.get(f"/api/leds?count={count}", headers=OPERATOR).status_code
            for count in ("0", "x", "", "256", "1e2")
        ]
        assert statuses == [400] * 5

    def test_a_map_is_saved_and_named_in_the_settings(self, office: OfficeShown, client: TestClient) -> None:
        """The file has the format of `zarbiter leds map`."""
        places = [*["T1"] * 3, None, "bar", "B12"]
        assert sent(client, "/api/leds", {"places": places, "seal": ""})[0] == 200
        form = asked(client, "/api/leds")
        assert (form["places"], form["is_kept"]) == (places, True)
        layout = office.store.check(office.text).settings.leds.layout
        assert layout is not None
        assert load_layout(layout).leds_of(LedPlace.T1) == (0, 1, 2)
        assert "# ours" in office.text

    def test_a_changed_map_is_not_overwritten(self, client: TestClient) -> None:
        """A save needs the seal of the saved map."""
        first = sent(client, "/api/leds", {"places": ["T1", "T2"], "seal": ""})[1]
        assert first["seal"] != ""
        refused = sent(client, "/api/leds", {"places": ["B1"], "seal": ""})
        assert refused[0] == 409
        assert str(refused[1]["error"]).startswith("The LED map was changed by somebody else")
        assert asked(client, "/api/leds") == first
        assert sent(client, "/api/leds", {"places": ["B1"], "seal": first["seal"]})[0] == 200
        assert asked(client, "/api/leds")["places"] == ["B1"]
        assert sent(client, "/api/leds", {"places": ["B1"]})[0] == 422

    def test_a_file_that_is_no_map_is_not_overwritten(self, tmp_path: Path) -> None:
        """A missing file is created."""
        (tmp_path / "profile").write_text("export PATH=/bin\n", encoding="utf-8")
        office = OfficeShown.in_folder(tmp_path, '[leds]\nlayout = "profile"\n')
        with office.client() as client:
            assert sent(client, "/api/leds", {"places": ["T1"], "seal": ""})[0] == 409
            assert (tmp_path / "profile").read_text(encoding="utf-8") == "export PATH=/bin\n"
            (tmp_path / "profile").unlink()
            assert sent(client, "/api/leds", {"places": ["T1"], "seal": ""})[0] == 200
        assert load_layout(tmp_path / "profile").leds_of(LedPlace.T1) == (0,)

    @pytest.mark.parametrize("name", ["other.json", "leds.JSON", "deep.json", "pipe.json"])
    def test_another_json_file_is_not_overwritten(self, tmp_path: Path, name: str) -> None:
        """The name does not make it a layout; a pipe does not stop the page."""
        file, content = tmp_path / name, "[" * 5_000 if name == "deep.json" else '{"precious": 1}'
        if name == "pipe.json":
            os.mkfifo(file)
        else:
            file.write_text(content, encoding="utf-8")
        office = OfficeShown.in_folder(tmp_path, f'[leds]\nlayout = "{name}"\n')
        with office.client() as client:
            status, body = sent(client, "/api/leds", {"places": ["T1"], "seal": ""})
        assert status == 409
        assert str(file) in str(body["error"])
        assert file.is_fifo() or file.read_text(encoding="utf-8") == content

    def test_a_new_file_is_made_only_beside_matches_and_settings(self, tmp_path: Path) -> None:
        """Neither `..` nor a link to another folder leads elsewhere."""
        folder, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
        folder.mkdir()
        elsewhere.mkdir()
        (folder / "link").symlink_to(elsewhere)
        for named in (str(elsewhere / "leds.json"), "../elsewhere/leds.json", "link/leds.json"):
            office = OfficeShown.in_folder(folder, f'[leds]\nlayout = "{named}"\n')
            with office.client() as client:
                status, body = sent(client, "/api/leds", {"places": ["T1"], "seal": ""})
            assert (status, str(folder) in str(body["error"])) == (409, True)
        assert list(elsewhere.iterdir()) == []

    def test_a_layout_elsewhere_is_changed(self, tmp_path: Path) -> None:
        folder, elsewhere = tmp_path / "data", tmp_path / "leds.json"
        folder.mkdir()
        save_layout(LedLayout((LedPlace.T1, LedPlace.T2)), elsewhere)
        office = OfficeShown.in_folder(folder, '[leds]\nlayout = "../leds.json"\n')
        with office.client() as client:
            seal = asked(client, "/api/leds")["seal"]
            assert sent(client, "/api/leds", {"places": ["B1"], "seal": seal})[0] == 200
        assert load_layout(elsewhere).leds_of(LedPlace.B1) == (0,)

    @pytest.mark.parametrize(
        "places",
        [None, [], {}, "T1", ["T1"] * (MAX_LEDS + 1), ["T13", 4, "bar"], [None, "bar"], [["T1"]], [True]],
    )
    def test_an_invalid_map_is_refused(self, office: OfficeShown, client: TestClient, places: object) -> None:
        """All mistakes are reported at once, and nothing is saved."""
        before = office.text
        status, body = sent(client, "/api/leds", {"places": places})
        assert status == 422
        assert body["mistakes"]
        assert office.text == before
        assert not (office.store.file.parent / "leds.json").exists()

    def test_an_led_is_pointed_at(self, office: OfficeShown, client: TestClient) -> None:
        """null switches it off."""
        statuses = [sent(client, "/api/leds/point", {"led": led})[0] for led in (0, None, 254, -1, 255, True, "1", 1.5)]
        assert statuses == [200, 200, 200, 422, 422, 422, 422, 422]
        assert office.done == [PointAt(0), PointAt(None), PointAt(254)]


def test_a_demo_that_is_over_is_started_again(client: TestClient, office: OfficeShown) -> None:
    """By the operator, and only then."""
    assert client.post("/api/demo/again", json={}).status_code == 401
    assert sent(client, "/api/demo/again", {})[0] == 409
    office.context.control.stage = ProgramStage.DEMO_OVER
    assert sent(client, "/api/demo/again", {}) == (200, {"done": True})
    assert office.done == [StartAgain()]
