"""A recorded match is reviewed on the page: what nobody could tell is put right there, in its log."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import Select
from starlette.testclient import TestClient

from controller.cli import main
from controller.match.events import PlayMade, RefereeEvent
from controller.match_log import (
    IntactChain,
    MatchLog,
    create_match,
    match_files,
    matches_folder,
    read_match,
    turn_lines,
    verify,
)
from controller.refereeing.match_config import MatchConfig
from controller.web.match_page import MatchPage
from tests.controller.formats.simulated_matches import simulated_match
from tests.controller.formats.test_review import turns_of, with_unclear
from tests.controller.refereeing.refereed_match import table_of
from tests.controller.web.browsing import find, needs_browser, until, visit
from tests.controller.web.page_views import page
from tests.controller.web.shown_match import OPERATOR
from tests.controller.web.test_replay import replay_client

pytestmark = pytest.mark.broad

UNSURE = 7


def unsure_match(folder: Path) -> tuple[Path, PlayMade]:
    """The log of a match in which nobody could tell the play of turn 7, and what was played."""
    whole = simulated_match(1)
    turn = turns_of(whole)[UNSURE - 1]
    played = whole[turn.event - 1]
    assert isinstance(played, PlayMade)
    path = folder / "evening.zmatch"
    create_match(path, "backgammon", with_unclear(whole, turn)).close()
    return path, played


def export_of(match: Path) -> str:
    file = match.with_suffix(".mat")
    assert main(["export", str(match), "--format", "mat", "-o", str(file)]) == 0
    return file.read_text(encoding="utf-8")


def table() -> MatchConfig:
    return table_of("backgammon", white="Anna", black="Boris")


def client_of_log(path: Path) -> TestClient:
    return replay_client(read_match(path).events, table(), path)


def test_a_turn_is_put_right_in_the_log(tmp_path: Path) -> None:
    """The chain holds, the replay and an export show it at once, and what the referee ruled is still in the log."""
    path, played = unsure_match(tmp_path)
    before: tuple[RefereeEvent, ...] = read_match(path).events
    with client_of_log(path) as client:
        (unsure,) = [one for one in client.get("/api/review", headers=OPERATOR).json()["turns"] if one["open"]]
        assert (unsure["turn"], unsure["ruling"], unsure["in_step"]) == (UNSURE, "unsure", True)
        choices = client.get(f"/api/review/{UNSURE}", headers=OPERATOR).json()
        assert choices["roll"] == list(played.numbers[:2])
        assert played.after in [one["after"] for one in choices["plays"]]
        assert all(len(one["board"]["points"]) == 24 for one in choices["plays"])
        other = client.get(f"/api/review/{UNSURE}?roll=66", headers=OPERATOR).json()
        assert other["roll"] == [6, 6]
        sent = client.post("/api/review", headers=OPERATOR, json={"turn": UNSURE, "after": played.after})
        assert (sent.status_code, sent.json()) == (200, {"turn": UNSURE})
        assert not [one for one in client.get("/api/review", headers=OPERATOR).json()["turns"] if one["open"]]
        shown = client.get(f"/api/replay/{unsure['event']}", headers=OPERATOR).json()
        assert shown["state"]["phase"] == "await_roll"
        ruling = client.get(f"/api/rulings/{unsure['event']}", headers=OPERATOR).json()
        assert played.play in ruling["text"]
    after = read_match(path).events
    assert after[: len(before)] == before
    assert isinstance(verify(path), IntactChain)
    assert turn_lines(after)[UNSURE - 1].play == played.play
    with create_match(tmp_path / "seen" / path.name, "backgammon", simulated_match(1)) as seen:
        assert export_of(path) == export_of(seen.path)
    lines, data = tmp_path / "evening.jsonl", tmp_path / "data"
    assert main(["export", str(path), "--format", "jsonl", "-o", str(lines)]) == 0
    main(["import", str(lines), "--data", str(data)])  # the referee's ruling is doubtful, as it was before
    (copy,) = match_files(matches_folder(data))
    assert turn_lines(read_match(copy).events) == turn_lines(after)


def test_what_is_refused(tmp_path: Path) -> None:
    """Without the token nothing; no play that is not legal; nothing while another program writes the match."""
    path, played = unsure_match(tmp_path)
    before = read_match(path).events
    with client_of_log(path) as client:
        for call in (client.get("/api/review"), client.post("/api/review", json={"turn": 1, "after": played.after})):
            assert call.status_code in (401, 403)
        for sent, status in (
            ({"turn": UNSURE, "after": played.before}, 422),
            ({"turn": UNSURE, "after": 5, "roll": [7, 1]}, 422),
            ({"turn": 9_999, "after": played.after}, 404),
            ({}, 404),
        ):
            assert client.post("/api/review", headers=OPERATOR, json=sent).status_code == status
        with MatchLog(path):
            refused = client.post("/api/review", headers=OPERATOR, json={"turn": UNSURE, "after": played.after})
            assert refused.status_code == 409
            assert refused.json()["said"]["key"] == "refusal.review-writing"
    assert read_match(path).events == before
    with replay_client(before, table()) as client:  # a file of another program
        assert client.get("/api/review", headers=OPERATOR).status_code == 404


@needs_browser
def test_a_turn_is_put_right_in_a_browser(browser: Chrome, tmp_path: Path) -> None:
    path, played = unsure_match(tmp_path)
    with ExitStack() as opened:
        server = page(opened)
        MatchPage(server).replay("evening", table(), read_match(path).events, path=path)
        visit(browser, server)
        until(browser, lambda: said(browser, "#review-open button"))
        find(browser, "#review-open button").click()
        until(browser, lambda: said(browser, "#review-play option"))
        options = [option.strip("\u2066\u2069") for option in said(browser, "#review-play option")]
        Select(find(browser, "#review-play")).select_by_index(options.index(played.play))
        assert browser.execute_script(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        find(browser, "#review-form .send").click()
        until(browser, lambda: said(browser, "#review-said") == ["Turn 7 is put right."])
        assert not said(browser, "#review-open button")
    assert turn_lines(read_match(path).events)[UNSURE - 1].play == played.play


def said(browser: Chrome, selector: str) -> list[str]:
    """The texts of all such elements at one moment; the page may replace them at any time."""
    script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
    found: list[str] = browser.execute_script(script, selector)
    return found
