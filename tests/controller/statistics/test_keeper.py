"""The statistics of the live page, counted in a real process; GNU Backgammon is a script."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.match_log import MatchLog
from controller.statistics.keeper import StatisticsKeeper, StatisticsView
from controller.statistics.report import Halt
from tests.controller.statistics.fake_gnubg import answer_for, install, install_answer, short_match
from tests.controller.statistics.logged_matches import log_matches

pytestmark = pytest.mark.broad
WAIT_S = 20.0


@pytest.fixture(autouse=True)
def _works_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a busy machine."""
    monkeypatch.setattr("controller.statistics.keeper._LEAST_SPACING_S", 0.0)
    monkeypatch.setattr("controller.statistics.keeper._IS_LAST", False)


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[StatisticsKeeper]:
    with closing(StatisticsKeeper(tmp_path)) as opened:
        yield opened


def until(keeper: StatisticsKeeper, is_so: Callable[[StatisticsView], bool]) -> dict[str, Any]:
    end_s = time.monotonic() + WAIT_S
    while not is_so(keeper.view):
        assert time.monotonic() < end_s, keeper.view
        time.sleep(0.01)
    return dict(json.loads(keeper.view.report or "{}"))


def is_counted(view: StatisticsView) -> bool:
    return view.report != "" and not view.is_counting


def is_idle(view: StatisticsView) -> bool:
    return not view.is_analysing


def test_matches_are_counted_when_somebody_looks(tmp_path: Path, keeper: StatisticsKeeper) -> None:
    """One that is being written counts when it is over. Nothing is done while nothing changes."""
    _, second = log_matches(tmp_path)
    with MatchLog(second):
        keeper.refresh()
        report = until(keeper, is_counted)
    assert (report["matches"], [one["name"] for one in report["players"]]) == (1, ["Ann", "Ben"])
    assert report["players"][0]["doubles"] == [0.66667, 0.20765, 0.93851]
    keeper.refresh()
    until(keeper, lambda view: json.loads(view.report)["matches"] == 2)
    shown = keeper.view
    keeper.refresh()
    assert keeper.view is shown


def test_spectators_see_no_match_before_its_time(tmp_path: Path) -> None:
    log_matches(tmp_path)
    with closing(StatisticsKeeper(tmp_path, delay_s=3600)) as keeper:
        keeper.refresh()
        assert (keeper.view.is_counting, keeper.view.report) == (True, "")
        assert until(keeper, is_counted)["matches"] == 0


def test_every_match_is_analysed_once(
    tmp_path: Path, keeper: StatisticsKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_matches(tmp_path)
    keeper.refresh()
    install_answer(tmp_path / "bin", monkeypatch, answer_for(short_match()))
    assert keeper.start_analysis() is None
    report = until(keeper, is_idle)
    assert (keeper.view.halt, report["analysed"], report["for_gnubg"]) == (Halt.DONE, 2, 2)
    assert (report["players"][0]["error_rate"], report["players"][0]["decisions"]) == (500.0, 8)
    install(tmp_path / "bin", monkeypatch, "exit 1")
    keeper.start_analysis()
    until(keeper, is_idle)
    assert keeper.view.halt is Halt.DONE


def test_a_match_that_begins_stops_the_analysis(
    tmp_path: Path, keeper: StatisticsKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GNU Backgammon ends too."""
    first, _ = log_matches(tmp_path)
    pid = tmp_path / "pid"
    install(tmp_path / "bin", monkeypatch, f"echo $$ > {pid}; exec sleep 60")
    keeper.refresh()
    assert keeper.start_analysis() is None
    until(keeper, lambda _: pid.exists() and bool(pid.read_text(encoding="utf-8")))
    with MatchLog(first):
        until(keeper, is_idle)
        assert keeper.view.halt is Halt.MATCH
        assert keeper.start_analysis() is Halt.MATCH
    assert is_gone(pid)


def test_the_operator_stops_the_analysis(
    tmp_path: Path, keeper: StatisticsKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_matches(tmp_path)
    pid = tmp_path / "pid"
    install(tmp_path / "bin", monkeypatch, f"echo $$ > {pid}; exec sleep 60")
    keeper.refresh()
    keeper.start_analysis()
    until(keeper, lambda _: pid.exists() and bool(pid.read_text(encoding="utf-8")))
    keeper.stop_analysis()
    assert (keeper.view.is_analysing, keeper.view.halt) == (False, None)
    assert is_gone(pid)


def test_a_process_that_is_killed_while_it_answers_ends_the_work(
    tmp_path: Path, keeper: StatisticsKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_matches(tmp_path)
    half_an_answer = "import sys; sys.stdin.readline(); sys.stdout.write('{\"report\": {')"
    monkeypatch.setattr("controller.statistics.keeper._BOOT", half_an_answer)
    keeper.refresh()
    until(keeper, lambda view: not view.is_counting)
    assert keeper.view.report == ""


def is_gone(pid: Path) -> bool:
    """Whether the process has ended; the file of its id is deleted for the next one."""
    process = Path("/proc") / pid.read_text(encoding="utf-8").strip()
    pid.unlink()
    end_s = time.monotonic() + WAIT_S
    while process.exists() and time.monotonic() < end_s:
        time.sleep(0.02)
    return not process.exists()
