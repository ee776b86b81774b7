"""`zarbiter stats` over matches that were made here."""

import csv
import json
from pathlib import Path

import pytest

from controller.formats.reports.player_totals import PlayerTotals, total_lines
from controller.match.events import DiceRolled, GameWon
from controller.match_log import new_match
from controller.rules import Player
from tests.controller.formats.gnubg_judge import needs_gnubg
from tests.controller.formats.simulated_matches import simulated_match
from tests.controller.statistics.fake_gnubg import answer_for, install, install_answer, short_match, uninstall
from tests.controller.statistics.logged_matches import log_matches
from tests.controller.subcommands.called import Program

MATCHES = [simulated_match(seed, "backgammon", 3) for seed in (1, 2, 3)]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("data")
    for events in MATCHES:
        with new_match(folder / "matches", "backgammon", events):
            pass
    return ["--data", str(folder)]


def test_throws_games_and_points_are_those_of_the_events(data: list[str], zarbiter: Program) -> None:
    records = [json.loads(line) for line in zarbiter("stats --json", *data).out.splitlines()]
    assert [record["player"] for record in records] == ["Zażółć [3] (1500)", "Анна Каренина"]
    white = records[1]
    events = [event for match in MATCHES for event in match]
    thrown = [event for event in events if isinstance(event, DiceRolled) and event.player is Player.WHITE]
    assert (white["matches"], white["throws"]) == (3, len(thrown))
    won = [event for event in events if isinstance(event, GameWon) and event.player is Player.WHITE]
    assert (white["games_won"], white["points_won"]) == (len(won), sum(event.points for event in won))
    assert white["matches_won"] + records[0]["matches_won"] == 3
    assert white["doubles_share_low"] < white["doubles"] / white["throws"] < white["doubles_share_high"]


def test_a_table_for_people(data: list[str], zarbiter: Program) -> None:
    lines = zarbiter("stats", "анна", *data).out.splitlines()
    assert lines[0].startswith("player")
    assert [line.startswith("Анна Каренина") for line in lines[1:2]] == [True]
    assert "16.7 % doubles and 8.17 pips" in lines[-1]


def test_a_spreadsheet(data: list[str], zarbiter: Program, tmp_path: Path) -> None:
    assert zarbiter("stats --csv", tmp_path / "club.csv", *data).out == ""
    with (tmp_path / "club.csv").open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["player"] for row in rows] == ["Zażółć [3] (1500)", "Анна Каренина"]


@pytest.mark.parametrize(("doubles", "is_marked"), [(17, False), (40, True)])
def test_a_range_that_leaves_out_fair_dice_is_marked(doubles: int, *, is_marked: bool) -> None:
    """Of a hundred throws 17 doubles are what chance gives, 40 are not; the range is that of the textbook."""
    one = PlayerTotals("Ann", rolls=100, doubles=doubles, pips_rolled=817)
    share = one.double_share
    assert share is not None
    if doubles == 17:
        assert (round(share.low, 3), round(share.high, 3)) == (0.109, 0.255)
    assert ("*" in list(total_lines((one,)))[1]) is is_marked


def test_a_range_has_no_throw_that_dice_do_not_give() -> None:
    """A single 2-1 is worth 3 pips, the least there is; 6-6 is worth 24."""
    for pips in (3, 24):
        interval = PlayerTotals("Ann", rolls=1, pips_rolled=pips).pips_of_a_throw
        assert interval is not None
        assert 3 <= interval.low <= interval.value <= interval.high <= 24


def test_a_damaged_match_is_named_and_the_others_are_counted(
    data: list[str], zarbiter: Program, tmp_path: Path
) -> None:
    with new_match(tmp_path / "matches", "backgammon", MATCHES[0]):
        pass
    (tmp_path / "matches" / "bad.zmatch").write_bytes(b"no database")
    printed = zarbiter("stats", "--data", tmp_path, status=1)
    assert "bad.zmatch" in printed.err
    assert "Анна Каренина" in printed.out


def test_nobody_of_that_name(data: list[str], zarbiter: Program) -> None:
    assert zarbiter("stats Zoe", *data, status=1).err.startswith("zarbiter: nobody here is called Zoe; there are ")


def test_no_match_yet(zarbiter: Program, tmp_path: Path) -> None:
    expected = "zarbiter: there is no match with players yet; zarbiter play or zarbiter import makes one\n"
    assert zarbiter("stats", "--data", tmp_path, status=1).err == expected


def blunders_in(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def test_a_spreadsheet_of_blunders(tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """One row a blunder; no cell is a formula; each match is analysed once."""
    log_matches(tmp_path, (('=HYPERLINK("x")', "Ben"),))
    install_answer(tmp_path / "bin", monkeypatch, answer_for(short_match(), 0.45))
    printed = zarbiter("stats --blunders", tmp_path / "all.csv", "--data", tmp_path)
    assert printed.out == ""
    assert printed.err == "zarbiter: GNU Backgammon analyses 1 match, which takes some seconds a game\n"
    rows = blunders_in(tmp_path / "all.csv")
    assert [(row["turn"], row["player"], row["roll"], row["loss"]) for row in rows[:2]] == [
        ("1", '\'=HYPERLINK("x")', "31", "0.45"),
        ("2", "Ben", "42", "0.45"),
    ]
    assert {row["best"] for row in rows if row["decision"] == "play"} == {"'=1+1"}
    install(tmp_path / "bin", monkeypatch, "exit 1")
    assert zarbiter("stats ben --least-loss 0.5 --blunders", tmp_path / "ben.csv", "--data", tmp_path).err == ""
    assert [(row["turn"], row["made"], row["best"]) for row in blunders_in(tmp_path / "ben.csv")] == [
        ("4", "no double", "double")
    ]
    lines = zarbiter("stats", "--data", tmp_path).out.splitlines()
    assert lines[0].endswith("s a turn  errors")
    assert [line.rpartition(" ")[2] for line in lines[1:3]] == ["462.5", "462.5"]


def test_no_blunder_is_an_empty_table(tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    log_matches(tmp_path)
    install_answer(tmp_path / "bin", monkeypatch, answer_for(short_match()))
    zarbiter("stats --least-loss 9 --blunders", tmp_path / "none.csv", "--data", tmp_path)
    assert (tmp_path / "none.csv").read_text(encoding="utf-8").startswith("match,game,turn,player,decision,roll,xgid,")
    assert blunders_in(tmp_path / "none.csv") == []


def test_without_gnubg(tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    log_matches(tmp_path)
    uninstall(monkeypatch)
    expected = "zarbiter: GNU Backgammon is not installed; on Debian and Raspberry Pi OS, apt install gnubg"
    for option in ("--errors", f"--blunders {tmp_path / 'none.csv'}"):
        assert zarbiter(f"stats {option}", "--data", tmp_path, status=1).err.splitlines()[-1] == expected
    assert not (tmp_path / "none.csv").exists()
    assert zarbiter("stats", "--data", tmp_path).err == ""


def test_a_match_that_gnubg_cannot_analyse(tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named, and tried again by the next call."""
    file, _ = log_matches(tmp_path)
    install(tmp_path / "bin", monkeypatch, "exit 1")
    for _call in range(2):
        printed = zarbiter("stats --errors", "--data", tmp_path, status=1)
        assert (
            f"no analysis of {file.name}: GNU Backgammon gave none; see whether gnubg starts by itself" in printed.err
        )
        assert "Ann" in printed.out


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("0.01", "zarbiter: --least-loss: 0.01 is less than any loss that is kept; give 0.02 or more"),
        ("x", "zarbiter: argument --least-loss: x is no loss; give more than 0 and at most 100.0"),
    ],
)
def test_a_wrong_limit(given: str, expected: str, tmp_path: Path, zarbiter: Program) -> None:
    assert expected in zarbiter("stats --least-loss", given, "--data", tmp_path, status=2).err


@pytest.mark.broad
@needs_gnubg
def test_blunders_of_gnubg_itself(tmp_path: Path, zarbiter: Program) -> None:
    """Ben breaks his six point with 4-4; the position is one that XG and GNU Backgammon read."""
    log_matches(tmp_path, (("Ann", "Ben"),))
    zarbiter("stats --least-loss 0.02 --blunders", tmp_path / "all.csv", "--data", tmp_path)
    (row,) = [row for row in blunders_in(tmp_path / "all.csv") if row["decision"] == "play"]
    assert (row["game"], row["turn"], row["player"], row["roll"]) == ("1", "6", "Ben", "44")
    assert row["xgid"] == "XGID=-B--B-BbD---cC---bbbbb--B-:0:0:1:44:0:0:0:3:10"
    assert row["gnubgid"] == "2LbBwQBj5sEBMA:cAlyAAAAAAAE"
    assert (row["made"], row["best"]) == ("13/9(2) 6/2(2)", "13/5 13/9(2)")
    assert 0.05 < float(row["loss"]) < 0.15
