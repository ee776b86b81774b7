import json
from itertools import combinations
from pathlib import Path

import pytest

from controller.club.hall import Hall
from controller.club.results_file import load_results, save_results
from controller.club.tournament import (
    Format,
    Result,
    Results,
    Tournament,
    TournamentError,
    collect_results,
    enter_result,
    list_pairings,
    read_tournament,
)
from tests.controller.club.table_messages import MATCH, changed, online, state_text
from tests.controller.refereeing.refereed_match import RefereedMatch, table_of

BEGUN = state_text(RefereedMatch.begun(table_of("backgammon", white="Ben", black="ann")))
TWO = Tournament(Format.LEAGUE, 7, ("Ann", "Ben"))


def names(count: int) -> tuple[str, ...]:
    return tuple(f"P{number}" for number in range(1, count + 1))


def ended(score: tuple[int, int] = (7, 3), winner: str | None = "W", **changes: object) -> Hall:
    """Ben (White) and ann have ended their match at Table-3."""
    match = json.loads(BEGUN)["state"]["match"] | {"score": list(score), "length": 7, "winner": winner} | changes
    return online("Table-3", changed(BEGUN, match=match))


def collected(hall: Hall, results: Results = ()) -> Results:
    return collect_results(TWO, results, hall.tables.values())


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 9])
def test_in_a_league_each_meets_each_once(count: int) -> None:
    """And plays at most once in a round."""
    pairings = list_pairings(Tournament(Format.LEAGUE, 5, names(count)), ())
    assert sorted(tuple(sorted((one.first or "", one.second or ""))) for one in pairings) == sorted(
        tuple(sorted(pair)) for pair in combinations(names(count), 2)
    )
    for number in {one.round for one in pairings}:
        playing = [name for one in pairings if one.round == number for name in (one.first, one.second)]
        assert len(playing) == len(set(playing))


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 128])
def test_a_knock_out_has_one_winner(count: int) -> None:
    """One match fewer than players; where the better seed wins, the first two of the list meet last."""
    tournament = Tournament(Format.KNOCKOUT, 5, names(count))
    results: Results = ()
    for _ in range(count):
        due = [one for one in list_pairings(tournament, results) if one.result is None and one.first and one.second]
        for one in due:
            first, second = str(one.first), str(one.second)
            score = "5-0" if int(first[1:]) < int(second[1:]) else "0-5"
            results = enter_result(tournament, results, (first, second), score)
    pairings = list_pairings(tournament, results)
    assert len(pairings) == count - 1
    assert {pairings[-1].first, pairings[-1].second} == {"P1", "P2"}


def test_nobody_advances_by_a_result_that_is_not_confirmed() -> None:
    four = Tournament(Format.KNOCKOUT, 5, names(4), ("T1", "T2"))
    open_one = (Result("P1", "P4", (5, 1)),)
    final = list_pairings(four, open_one)[-1]
    assert (final.first, final.second, final.table) == (None, None, "T1")
    assert [one.table for one in list_pairings(four, ())] == ["T1", "T2", "T1"]


def test_the_result_of_a_table_is_taken_and_confirmed() -> None:
    """In the order of the pairing, once; what was confirmed or entered stays."""
    assert collected(ended(winner=None)) == ()
    found = collected(ended())
    assert found == (Result("Ann", "Ben", (3, 7), "Table-3", MATCH),)
    assert collected(ended(confirmed_by=["W"]), found) == found
    (confirmed,) = collected(ended(confirmed_by=["B", "W"]), found)
    assert confirmed.is_confirmed
    assert confirmed.winner == "Ben"
    assert collected(ended((3, 7), "B"), (confirmed,)) == (confirmed,)
    entered = enter_result(TWO, found, ("ann", "ben"), "7-0")
    assert collected(ended(confirmed_by=["W", "B"]), entered) == entered


@pytest.mark.parametrize(
    "hall",
    [
        ended((2, 3)),
        ended((7, 7)),
        ended((3, 7)),
        ended((7, -1)),
        ended(length=5),
        ended(white="Eva"),
        ended(white="ann"),
        Hall(),
    ],
)
def test_what_is_no_result_of_the_tournament_is_left_out(hall: Hall) -> None:
    assert collected(hall) == ()


def test_results_are_kept(tmp_path: Path) -> None:
    file, results = tmp_path / "club/a.json", (Result("Ann", "Ünal", (7, 3), "T", MATCH, is_confirmed=True),)
    assert load_results(file) == ()
    save_results(file, results)
    assert load_results(file) == results
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "swiss"}, "format is neither of league and knockout; give one"),
        ({"length": True}, "length is no number of points"),
        ({"players": ["Ann"]}, "there are 1 players; give 2 to 128"),
        ({"players": ["Ann", "ann"]}, "players has a name twice"),
        ({"players": "Ann"}, "players is no list of names; write players ="),
        ({"tables": [1]}, "tables is no list of names"),
        ({"seed": 1}, "there is no 'seed' in a tournament; give format"),
    ],
)
def test_a_list_that_is_none(changes: dict[str, object], said: str) -> None:
    with pytest.raises(TournamentError, match=said):
        read_tournament({"format": "league", "length": 7, "players": ["Ann", "Ben"], **changes})
