import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from controller.web.access import is_token, load_or_create_token, token_file
from controller.web.limits import MOST_BODY_BYTES, Rate, RateLimit, ViewerSlots
from controller.web.static_files import static_files
from tests.controller.web.shown_match import OPERATOR, PORT, TOKEN, ShownMatch

HERE = f"127.0.0.1:{PORT}"
END_TURN = {"command": "EndTurn"}
LIVE = f"ws://{HERE}/api/live"


@pytest.fixture
def shown() -> ShownMatch:
    return ShownMatch.begun()


def status(client: TestClient, path: str, **headers: str) -> int:
    return client.get(path, headers=headers).status_code


class TestHostAndOrigin:
    @pytest.mark.parametrize("host", [HERE, f"localhost:{PORT}", f"[::1]:{PORT}", f"192.168.1.20:{PORT}"])
    def test_this_machine_answers_to_its_names(self, shown: ShownMatch, host: str) -> None:
        """It also answers to IP addresses, which no foreign DNS server controls."""
        assert status(shown.client(), "/api/state", host=host) == 200

    @pytest.mark.parametrize(
        "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:81", "", "localhost", f"{HERE}@evil.example", "a b"]
    )
    def test_other_names_are_refused(self, shown: ShownMatch, host: str) -> None:
        """A foreign name that points here (DNS rebinding) gets no content, and no policy that names it."""
        answer = shown.client().get("/api/state", headers={"host": host})
        assert answer.status_code == 421
        assert answer.headers["content-security-policy"] == "default-src 'none'"

    @pytest.mark.parametrize(
        "origin", ["http://evil.example", f"https://{HERE}", "null", f"http://{HERE}.evil.example"]
    )
    def test_other_pages_may_not_ask(self, shown: ShownMatch, origin: str) -> None:
        """The token does not help them."""
        headers = {**OPERATOR, "origin": origin}
        answer = shown.client().post("/api/commands", json=END_TURN, headers=headers)
        assert answer.status_code == 403
        assert shown.obey() == ()

    def test_the_page_itself_may_ask(self, shown: ShownMatch) -> None:
        """Its origin is the address of the request."""
        answer = shown.client().post("/api/commands", json=END_TURN, headers={**OPERATOR, "origin": f"http://{HERE}"})
        assert answer.status_code == 202

    @pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": f"evil.example:{PORT}"}])
    def test_other_pages_get_no_socket(self, shown: ShownMatch, headers: dict[str, str]) -> None:
        """A browser itself would allow it."""
        with pytest.raises(WebSocketDisconnect), shown.client().websocket_connect("/api/live", headers=headers):
            pass


class TestToken:
    @pytest.mark.parametrize("header", [None, "", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer é"])
    def test_an_order_needs_the_token(self, shown: ShownMatch, header: str | None) -> None:
        headers = {} if header is None else {"authorization": header.encode()}
        answer = shown.client().post("/api/commands", json=END_TURN, headers=headers)  # type: ignore[arg-type]
        assert answer.status_code == 401
        assert shown.obey() == ()

    def test_wrong_tokens_do_not_lock_out_the_right_one(self, shown: ShownMatch) -> None:
        """After ten wrong ones an address waits, and the browser is not informed that its token is outdated (401)."""
        client = shown.client()
        wrong = [client.get("/api/state", headers={"authorization": "Bearer x"}) for _ in range(12)]
        assert [answer.status_code for answer in wrong] == [401] * 10 + [429] * 2
        assert wrong[-1].headers["retry-after"] == "5"
        assert wrong[-1].json()["said"]["key"] == "refusal.too-many-tokens"
        assert client.get("/api/state", headers=OPERATOR).json()["viewer"] == "operator"
        assert client.post("/api/commands", json=END_TURN, headers=OPERATOR).status_code == 202

    def test_wrong_tokens_of_sockets_do_not_lock_out_the_right_one(self, shown: ShownMatch) -> None:
        client = shown.client()
        for _ in range(12):
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(LIVE, subprotocols=["operator.x"]):
                pass
        with client.websocket_connect(LIVE, subprotocols=["zarbiter", f"operator.{TOKEN}"]) as socket:
            assert socket.receive_json()["type"] == "match"

    def test_the_token_is_kept_in_a_private_file(self, tmp_path: Path) -> None:
        """The next start uses it again."""
        token = load_or_create_token(tmp_path / "data", PORT)
        assert load_or_create_token(tmp_path / "data", PORT) == token
        assert len(token) >= 16
        assert token_file(tmp_path / "data", PORT).stat().st_mode & 0o077 == 0

    def test_two_tables_with_one_data_folder_have_tokens_of_their_own(self, tmp_path: Path) -> None:
        """Who operates one table is a spectator of the other, also after a restart."""
        first, second = (load_or_create_token(tmp_path, port) for port in (PORT, PORT + 1))
        assert first != second
        assert [load_or_create_token(tmp_path, port) for port in (PORT + 1, PORT)] == [second, first]

    def test_a_damaged_or_unwritable_file_gives_a_new_token(self, tmp_path: Path) -> None:
        """A short token counts as damaged."""
        token_file(tmp_path, PORT).write_text("x\n")
        assert len(load_or_create_token(tmp_path, PORT)) >= 16
        (tmp_path / "file").write_text("")
        assert len(load_or_create_token(tmp_path / "file", PORT)) >= 16

    @pytest.mark.parametrize("given", ["", "x", f"{TOKEN} ", "\ud800", "🎲"])
    def test_only_the_token_is_the_token(self, given: str) -> None:
        assert not is_token(given, TOKEN)


class TestResponses:
    @pytest.mark.parametrize("path", ["/", "/overlay", "/api/state", "/static/main.js", "/nowhere"])
    def test_each_response_has_the_policy(self, shown: ShownMatch, path: str) -> None:
        """Scripts, styles and pictures come from this server alone, and no page may embed it; the overlay only ours."""
        headers = shown.client().get(path).headers
        policy = headers["content-security-policy"].split("; ")
        assert policy[0] == "default-src 'none'"
        around = "'self'" if path == "/overlay" else "'none'"
        assert {"script-src 'self'", "style-src 'self'", f"frame-ancestors {around}"} <= set(policy)
        assert not any(
            word in headers["content-security-policy"] for word in ("unsafe", "*", "http:", "https:", "data:")
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers

    @pytest.mark.parametrize(
        "name",
        ["../server.py", "..%2fserver.py", "%2e%2e/server.py", "/etc/passwd", "texts", "texts%2f..%2fmain.js", "x"],
    )
    def test_no_name_becomes_a_path(self, shown: ShownMatch, name: str) -> None:
        """Only the exact names of the page's files are served."""
        assert shown.client().get(f"/static/{name}").status_code == 404

    def test_names_of_players_are_text(self) -> None:
        """Markup in a name stays text in JSON, and the page writes it as text."""
        shown = ShownMatch.begun(white="<img src=x onerror=alert(1)>")
        answer = shown.client().get("/api/state")
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["state"]["match"]["white"] == "<img src=x onerror=alert(1)>"

    def test_the_pages_scripts_make_no_markup_of_text(self) -> None:
        """They use no function that turns text into markup or code, and fetch nothing from other servers."""
        for name, file in static_files().items():
            if name.endswith((".png", ".ico")):
                continue
            text = file.content.decode()
            for word in (
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "https:",
            ):
                assert word not in text, name
            if name.endswith(".html"):
                assert " style=" not in text
                assert " on" not in text.replace(" on ", " ")
                assert text.count("<script") == text.count('<script type="module" src="/static/')


class TestLimits:
    def test_a_long_body_is_refused(self, shown: ShownMatch) -> None:
        """It is refused before it is read completely."""
        body = json.dumps({"command": "EndTurn", "x": "y" * MOST_BODY_BYTES})
        headers = {**OPERATOR, "content-type": "application/json"}
        assert shown.client().post("/api/commands", content=body, headers=headers).status_code == 413

    def test_only_json_is_taken(self, shown: ShownMatch) -> None:
        """A form of another page can send other types without a preflight request."""
        headers = {**OPERATOR, "content-type": "text/plain"}
        assert shown.client().post("/api/commands", content="{}", headers=headers).status_code == 415

    def test_too_many_orders_are_refused(self, shown: ShownMatch, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("controller.web.access.ORDERS", Rate(3, 0.0))
        client = shown.client()
        answers = [client.post("/api/commands", json=END_TURN, headers=OPERATOR).status_code for _ in range(5)]
        assert answers == [202, 202, 202, 429, 429]
        assert len(shown.obey()) == 3

    def test_orders_that_nobody_takes_do_not_pile_up(self, shown: ShownMatch, monkeypatch: pytest.MonkeyPatch) -> None:
        """While the loop is blocked, orders are refused."""
        monkeypatch.setattr("controller.web.access.ORDERS", Rate(100, 0.0))
        client = shown.client()
        answers = [client.post("/api/commands", json=END_TURN, headers=OPERATOR).status_code for _ in range(18)]
        assert answers == [202] * 16 + [503] * 2

    def test_too_many_requests_are_refused(self, shown: ShownMatch, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("controller.web.guard.REQUESTS", Rate(3, 0.0))
        client = shown.client()
        assert [client.get("/nowhere").status_code for _ in range(4)] == [404, 404, 404, 429]

    def test_requests_of_others_do_not_lock_out_the_operator(
        self, shown: ShownMatch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """They may share an address. The refusal says when to come again; the operator's requests have a rate too."""
        monkeypatch.setattr("controller.web.guard.REQUESTS", Rate(3, 0.1))
        client = shown.client()
        refused = [client.get("/api/state") for _ in range(4)][-1]
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
        answers = [client.get("/api/state", headers=OPERATOR).status_code for _ in range(4)]
        assert answers == [200, 200, 200, 429]

    def test_a_bucket_fills_again(self) -> None:
        """It fills at its rate up to its size; each address has its own bucket."""
        limit = RateLimit(Rate(2, 0.5))
        assert [limit.take("a", now_s) for now_s in (0, 0, 0, 1.9, 2, 2)] == [True, True, False, False, True, False]
        assert limit.take("b", 2)
        assert [limit.take("a", now_s) for now_s in (1000, 1000, 1000)] == [True, True, False]

    def test_slots_are_shared_and_given_back(self) -> None:
        """An address may have half as many slots as are free, so others find one."""
        slots = ViewerSlots(8)
        assert [slots.acquire(address) for address in "aaaabbb"] == [True, True, True, False, True, True, False]
        slots.release("a")
        assert [slots.acquire("c") for _ in range(3)] == [True, True, False]

    @pytest.mark.parametrize(("n_hostile", "taken"), [(1, 43), (2, 64), (20, 118)])
    def test_a_new_address_finds_a_slot(self, n_hostile: int, taken: int) -> None:
        """Others have taken all that they can."""
        slots = ViewerSlots(128)
        hostile = 128 * [f"hostile {number}" for number in range(n_hostile)]
        assert sum(slots.acquire(address) for address in hostile) == taken
        assert slots.acquire("friendly")
