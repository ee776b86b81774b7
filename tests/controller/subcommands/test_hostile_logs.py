"""A log whose chain is intact, but whose events say what no board, profile or clock is: one sentence from every command."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.cli import main
from controller.match import RefereeEvent
from controller.match.events import EventRevised, GameStarted, MatchStarted, PlayMade
from controller.match_log import create_match
from controller.match_log.event_json import event_text
from tests.controller.match_log.match_files import GAME, MADE, ROLLED, STARTED

START = "00000050300005000000000020/00000050300005000000000020"


def kept(folder: Path, *events: RefereeEvent) -> Path:
    (folder / "matches").mkdir(parents=True)
    path = folder / "matches" / "hostile.zmatch"
    with create_match(path, "tavla") as log:
        log.append(events)
    return path


def said(capsys: pytest.CaptureFixture[str], status: int, *call: object) -> str:
    capsys.readouterr()
    assert main([str(word) for word in call]) == status
    return capsys.readouterr().err


@pytest.mark.parametrize("board", ["nonsense", "x" * 5_000, "", "0/0", f"{START}/{START}"])
def test_analyse_of_a_board_that_is_none(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = kept(tmp_path, STARTED, GAME, ROLLED, replace(MADE, after=board))
    (line,) = said(capsys, 1, "analyse", path, "--no-gnubg", "--data", tmp_path).splitlines()
    assert line.startswith(f"zarbiter: {path} cannot be counted: position")
    assert len(line) < 400 + len(str(path))


@pytest.mark.parametrize(
    ("started", "problem"),
    [
        (replace(STARTED, profile="nobody's"), 'its profile "nobody\'s" is none that this version knows'),
        (replace(STARTED, game="halma"), "unknown game 'halma'; "),
        (replace(STARTED, rules_toml="x = ["), "this is no TOML: "),
        (replace(STARTED, rules_toml="a" + ".a" * 49_000 + " = 1"), "its tables or lists lie more than 8 deep"),
        (replace(STARTED, clock="sundial"), "its clock 'sundial' is none that this version knows"),
    ],
)
def test_replay_of_what_this_version_does_not_know(
    started: MatchStarted, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = kept(tmp_path, started, GAME)
    call = ("replay", path, "--page", "--web", "127.0.0.1:0", "--headless", "--data", tmp_path)
    (line,) = said(capsys, 1, *call).splitlines()
    assert line.startswith("zarbiter: ")
    assert problem in line


def test_events_that_name_no_place_of_a_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = GameStarted(2, 1, "no board", None)
    path = kept(tmp_path, STARTED, game, ROLLED, PlayMade(4, ROLLED.player, (6, 5), "x", "y", "z", "end_turn"))
    for status, call in (
        (1, ("analyse", path, "--no-gnubg")),
        (0, ("replay", path, "--all")),
        (0, ("log", "show", path)),
        (0, ("export", path, "--format", "jsonl", "-o", tmp_path / "out")),
        (1, ("export", path, "--format", "xgid", "-o", tmp_path / "out")),
    ):
        lines = said(capsys, status, *call, "--data", tmp_path).splitlines()
        assert len(lines) == status


@pytest.mark.parametrize("handed", ["9,x", "", "7", "1" * 5_000])
def test_a_play_that_hands_over_no_numbers_of_dice(
    handed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As an event the log cannot be read; as a correction it changes nothing."""
    false = replace(MADE, follow=f"transfer:{handed}")
    for status, events in ((1, (false,)), (0, (MADE, EventRevised(MADE.at_ms, 4, event_text(false))))):
        path = kept(tmp_path / str(status), STARTED, GAME, ROLLED, *events)
        lines = said(capsys, status, "log", "show", path).splitlines()
        assert len(lines) == status
        assert all("hands over no numbers of dice" in line for line in lines)
