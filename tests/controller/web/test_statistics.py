"""The page of statistics: everybody looks, the operator alone lets GNU Backgammon work."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from starlette.testclient import TestClient

from controller.match_log import MatchLog
from controller.statistics import StatisticsKeeper
from controller.web.address import LOOPBACK, Address
from controller.web.page_context import PageContext
from controller.web.server import PageServer
from controller.web.set_up.program_control import UnfinishedMatch
from tests.controller.statistics.fake_gnubg import answer_for, install_answer, short_match, uninstall
from tests.controller.statistics.logged_matches import HOSTILE, log_matches
from tests.controller.web.browsing import faults, find, needs_browser, shown_on, texts, until, visit
from tests.controller.web.shown_match import OPERATOR, TOKEN, ShownMatch, client_of

ANALYSIS = "/api/statistics/analysis"
WAIT_S = 20.0

pytestmark = pytest.mark.broad


@pytest.fixture(autouse=True)
def _works_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a busy machine."""
    monkeypatch.setattr("controller.statistics.keeper._LEAST_SPACING_S", 0.0)
    monkeypatch.setattr("controller.statistics.keeper._IS_LAST", False)


@pytest.fixture
def context(tmp_path: Path) -> Iterator[PageContext]:
    made = PageContext(ShownMatch.begun().live, TOKEN)
    with closing(StatisticsKeeper(tmp_path)) as made.control.statistics:
        yield made


@pytest.fixture
def client(context: PageContext) -> TestClient:
    return client_of(context)


def counted(client: TestClient, n_matches: int) -> dict[str, Any]:
    """The answer once so many matches are counted."""
    end_s = time.monotonic() + WAIT_S
    while True:
        answer = dict(client.get("/api/statistics").json())
        if not answer["is_counting"] and (answer["report"] or {}).get("matches") == n_matches:
            return answer
        assert time.monotonic() < end_s, answer
        time.sleep(0.05)


@pytest.mark.usefixtures("unlimited")
def test_spectators_look_and_do_nothing(
    tmp_path: Path, client: TestClient, context: PageContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer has no path. A match that can be resumed is no part of it."""
    file, _ = log_matches(tmp_path)
    install_answer(tmp_path / "bin", monkeypatch, answer_for(short_match()))
    context.control.unfinished = UnfinishedMatch(file.stem, "Ann", "Ben", (0, 0), "")
    answer = counted(client, 1)
    assert {one["name"] for one in answer["report"]["players"]} == {HOSTILE, "Ben"}
    assert str(tmp_path) not in client.get("/api/statistics").text
    assert (answer["viewer"], answer["has_gnubg"], answer["is_analysing"]) == ("spectator", True, False)
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        assert client.post(ANALYSIS, json={"run": True}, headers=headers).status_code == 401
    assert client.get("/api/statistics", headers={"Authorization": "Bearer wrong"}).status_code == 401


@pytest.mark.usefixtures("unlimited")
def test_an_analysis_that_cannot_begin_is_refused(
    tmp_path: Path, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence has the remedy, and a key for each language."""
    file, _ = log_matches(tmp_path)
    for body in ({}, {"run": "yes"}, {"run": 1}):
        assert client.post(ANALYSIS, json=body, headers=OPERATOR).status_code == 422
    install_answer(tmp_path / "bin", monkeypatch, answer_for(short_match()))
    with MatchLog(file):
        refused = client.post(ANALYSIS, json={"run": True}, headers=OPERATOR)
    assert (refused.status_code, refused.json()["said"]["key"]) == (409, "statistics.halt.match")
    uninstall(monkeypatch)
    refused = client.post(ANALYSIS, json={"run": True}, headers=OPERATOR)
    assert refused.json()["error"].endswith("; on Debian and Raspberry Pi OS, apt install gnubg.")
    assert (refused.status_code, refused.json()["said"]["key"]) == (409, "statistics.halt.no-program")
    assert client.post(ANALYSIS, json={"run": False}, headers=OPERATOR).status_code == 200


def test_a_page_of_no_folder_has_none() -> None:
    client = ShownMatch.begun().client()
    assert client.get("/statistics").status_code == 200
    assert client.get("/api/statistics").status_code == 404
    assert client.post(ANALYSIS, json={"run": True}, headers=OPERATOR).status_code == 404


@needs_browser
def test_the_page(browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names stay text. Dice that lie outside of chance are marked. The operator computes error rates; a spectator finds no button."""
    log_matches(tmp_path)
    install_answer(tmp_path / "bin", monkeypatch, answer_for(short_match()))
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN, data=tmp_path)) as server:
        shown_on(server, ShownMatch.begun())
        visit(browser, server)
        find(browser, "#views [data-view=statistics]").click()
        until(browser, lambda: len(texts(browser, "#players-list h3")) == 3)
        assert set(texts(browser, "#players-list h3")) == {"Ann", "Ben", HOSTILE}
        assert browser.title == "Statistics · Zarbiter"
        assert find(browser, "#count").text == "Matches counted: 2"
        assert "66.7 % (30.0 to 90.3)" in find(browser, "#players-list li").text
        assert texts(browser, "#players-list .outside")[0] == "outside of what chance gives"
        find(browser, "#find").send_keys("an")
        assert list(filter(None, texts(browser, "#players-list h3"))) == ["Ann"]
        find(browser, "#errors-run").click()
        until(browser, lambda: "Matches analysed: 2 of 2." in find(browser, "#errors-doing").text)
        until(browser, lambda: "500.0 (decisions: 4)" in find(browser, "#players-list").text)
        assert not find(browser, "#errors-run").is_displayed()
        assert faults(browser) == []
        visit(browser, server, is_operator=False)
        assert texts(browser, "#views a") == ["Board", "Statistics"]
        find(browser, "#views [data-view=statistics]").click()
        until(browser, lambda: len(texts(browser, "#players-list h3")) == 3)
        assert "500.0 (decisions: 4)" in find(browser, "#players-list").text
        assert not find(browser, "#errors-run").is_displayed()
        assert faults(browser) == []
