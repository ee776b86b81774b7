"""`zarbiter stats` over matches that were made here."""

import csv
import json
from pathlib import Path

import pytest

from controller.formats.reports.player_totals import PlayerTotals, total_lines
from controller.match.events import DiceRolled, GameWon
from controller.match_log import new_match
from controller.rules import Player
from tests.controller.formats.simulated_matches import simulated_match
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
    assert "16.7% doubles and 8.17 pips" in lines[-1]


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
