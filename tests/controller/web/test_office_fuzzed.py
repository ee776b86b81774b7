"""Any input to the set-up page: no response is an error of the server, and no file becomes invalid."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.match.officiating import PROFILES
from controller.rules import GAMES
from controller.settings.form_fields import setting_fields
from controller.settings.match_set_up import SET_UP_KEYS
from controller.settings.settings import KnownNames
from tests.controller.web.office_shown import OfficeShown
from tests.controller.web.shown_match import OPERATOR

pytestmark = [pytest.mark.broad, pytest.mark.usefixtures("unlimited")]

NAMES = [field.name for field in setting_fields(KnownNames(tuple(GAMES), tuple(PROFILES)))]
OPTIONS = ["cube", "jacoby", "cap", "head_limit", "max_stack", "prime", "scoring", "start", "name", "x"]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.sampled_from(
        ["backgammon", "tavla", "grasshopper", "us", "10+12", "teach", "wbgf", "3-1", "fake", "~nobody", "/"]
    ),
    st.sampled_from(["white=light", "none", "free", "auto", "127.0.0.1", "leds.json", ".", "\0"]),
)
ANYTHING = st.recursive(VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner))
CHOSEN = st.dictionaries(
    st.sampled_from([".".join(key) for key in SET_UP_KEYS] + ["on_turn", "x"]), VALUES | ANYTHING, max_size=6
)
CHANGED = st.dictionaries(st.sampled_from([*NAMES, "x", "leds", ""]), VALUES | ANYTHING, max_size=5)
PLACES = st.lists(st.sampled_from([None, "T1", "B12", "bar", "tray", "T13", 1]), max_size=30)


@pytest.fixture(autouse=True)
def without_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)  # slow, and not tested here


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=CHOSEN, options=st.dictionaries(st.sampled_from(OPTIONS), VALUES, max_size=3))
def test_set_ups_of_any_kind(tmp_path: Path, values: dict[str, object], options: dict[str, object]) -> None:
    """A match begins, or the mistakes are reported."""
    office = OfficeShown.in_folder(tmp_path)
    with office.client() as client:
        answer = client.post("/api/set-up/start", json={"values": values, "options": options}, headers=OPERATOR)
        assert answer.status_code in (200, 422), answer.text
        assert len(office.done) == (answer.status_code == 200)
        assert client.get("/api/set-up", headers=OPERATOR).status_code == 200


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGED, places=PLACES)
def test_settings_of_any_kind(tmp_path: Path, changes: dict[str, object], places: list[object]) -> None:
    """Settings and LED map are saved completely and are valid, or are not saved."""
    office = OfficeShown.in_folder(tmp_path, '# ours\nmode = "teach"\n[leds]\nbrightness = 20\n')
    with office.client() as client:
        before = office.text
        body = {"seal": office.store.read().seal, "changes": changes}
        answer = client.post("/api/settings", json=body, headers=OPERATOR)
        assert answer.status_code in (200, 422), answer.text
        assert answer.status_code == 200 or office.text == before
        office.store.check(office.text)
        sent = {"places": places, "seal": client.get("/api/leds", headers=OPERATOR).json()["seal"]}
        assert client.post("/api/leds", json=sent, headers=OPERATOR).status_code in (200, 409, 422, 503)
        assert client.get("/api/settings", headers=OPERATOR).status_code == 200
        assert client.get("/api/leds", headers=OPERATOR).status_code == 200
    assert "# ours" in office.text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=st.dictionaries(st.sampled_from(["values", "options", "changes", "seal", "match", "places", "led"]), ANYTHING)
)
@pytest.mark.parametrize("path", ["set-up/start", "set-up/resume", "set-up/end", "settings", "leds", "leds/point"])
def test_bodies_of_any_kind(tmp_path: Path, path: str, body: dict[str, object]) -> None:
    """No response is an error of the server, and nothing happens without the token."""
    office = OfficeShown.in_folder(tmp_path)
    with office.client() as client:
        assert client.post(f"/api/{path}", json=body).status_code == 401
        assert (office.done, office.text) == ([], "")
        assert client.post(f"/api/{path}", json=body, headers=OPERATOR).status_code in (200, 404, 409, 422)
