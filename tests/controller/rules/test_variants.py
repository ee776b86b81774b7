"""The games have the parameters that the tables of the rules' README give them."""

import re
from pathlib import Path

import pytest

from controller.rules import GAMES, RULESETS, Ruleset, UnknownGameError, get_ruleset

README = (Path(__file__).parents[3] / "controller" / "rules" / "README.md").read_text(encoding="utf-8")
HEADER = next(
    line.strip("| ").split(" | ") for line in README.splitlines() if line.startswith("| parameter | backgammon ")
)
ROWS = [re.split(r" *\| ?", row)[1:-1] for row in re.findall(r"^\| `\w+` \|.*$", README, re.M)]
PARAMETERS = {row[0].strip("`"): [cell.strip() for cell in row[1:]] for row in ROWS if len(row) == len(HEADER)}
# What the second table says of the other games, besides backgammon's values.
OTHER_GAMES = {
    "backgammon_g": "home_hit=no_bearoff",
    "caucasian": "home_hit=no_hide",
    "fevga": "direction=parallel contact=block start=24:15 opening=reroll scoring=two cube=no white_head=24 "
    "first_checker_past=yes start_quarter_max=5 unblock_last_stack=yes winner_starts=yes",
    "plakoto": "contact=pin start=24:15 opening=reroll mother=yes scoring=two cube=no",
    "backgammon_race": "start=26:15 cube=no",
    "anti_backgammon": "goal=first_off_loses scoring=one cube=no",
    "long_gammon": "start=24:15",
}


def cell(rules: Ruleset, parameter: str) -> str:
    """A parameter as the tables write it."""
    value = getattr(rules, parameter)
    if parameter == "start":
        return " ".join(f"{point}:{count}" for point, count in value)
    return {"None": "none", "True": "yes", "False": "no"}.get(str(value), str(getattr(value, "value", value)))


def test_the_games() -> None:
    assert {*HEADER[1:], *OTHER_GAMES, "grasshopper"} == set(GAMES)


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_the_table_of_parameters(parameter: str) -> None:
    first = PARAMETERS[parameter][0]
    for name, text in zip(HEADER[1:], PARAMETERS[parameter], strict=True):
        assert (text or first) in ("–", cell(RULESETS[name], parameter)), name


@pytest.mark.parametrize("name", OTHER_GAMES)
def test_the_other_games_differ_from_backgammon_only_so(name: str) -> None:
    given = dict(re.findall(r"(\w+)=(\S+)", OTHER_GAMES[name]))
    for parameter in (*PARAMETERS, *given):
        assert cell(RULESETS[name], parameter) == given.get(parameter, cell(RULESETS["backgammon"], parameter))


def test_the_army_is_complete_in_every_game() -> None:
    for rules in RULESETS.values():
        assert sum(count for _, count in rules.start) == rules.checkers == (3 if rules.name == "hypergammon" else 15)


def test_only_the_race_has_a_reserve() -> None:
    assert [rules.name for rules in RULESETS.values() if rules.has_reserve] == ["backgammon_race"]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("backgamon", "did you mean backgammon\\?"), ("whist", "choose one of backgammon, backgammon_g, cau")],
)
def test_an_unknown_game_error_says_what_there_is(name: str, remedy: str) -> None:
    with pytest.raises(UnknownGameError, match=f"unknown game '{name}'; {remedy}"):
        get_ruleset(name)
