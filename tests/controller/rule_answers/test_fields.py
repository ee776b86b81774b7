"""Rule questions of the kinds grasshopper, scoring, cube and match, and the readers they are read with."""

import json
from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from pathlib import Path

import pytest

from controller.rule_answers import fields, grasshopper, scoring

pytestmark = pytest.mark.broad

SAMPLES = Path(__file__).parents[2] / "golden" / "samples"
GOLDEN = Path(__file__).parents[4] / "shared" / "golden"
Case = dict[str, object]
ANSWERS: Mapping[str, Callable[[Mapping[str, object]], object]] = {
    "grasshopper": grasshopper.answer,
    "scoring": scoring.answer_scoring,
    "cube": scoring.answer_cube,
    "match": scoring.answer_match,
}


def differences(kind: str, file: Path) -> list[str]:
    """Names of the cases that are answered otherwise than expected; of reasons the decisive one is compared."""
    wrong = list[str]()
    for line in file.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        expected = case.pop("expect")
        answer = json.loads(json.dumps(ANSWERS[kind](case)))
        if kind == "grasshopper":
            expected["illegal"] = [asked[3] for asked in case["illegal"]]
            answer["illegal"] = [reasons[0] if reasons else None for reasons in answer["illegal"]]
        if answer != expected:
            wrong.append(case["id"])
    return wrong


@pytest.mark.parametrize("kind", ANSWERS)
def test_the_samples_are_answered(kind: str) -> None:
    """A few golden cases of each kind, kept beside the tests."""
    file = SAMPLES / f"{kind}.jsonl"
    assert len(file.read_text(encoding="utf-8").splitlines()) >= 10
    assert differences(kind, file) == []


@pytest.mark.parametrize("kind", ANSWERS)
def test_all_golden_cases_are_answered(kind: str) -> None:
    """Every golden case, where the golden files lie beside the project."""
    file = GOLDEN / f"{kind}.jsonl"
    if not file.exists():
        pytest.skip(f"no {file.name} beside the project")
    assert differences(kind, file) == []


def refused(ask: Callable[[], object]) -> str:
    with pytest.raises(fields.CaseError) as caught:
        ask()
    return str(caught.value)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@pytest.mark.parametrize(
    ("read", "value", "expected"),
    [
        (fields.read_text, "a", "a"),
        (fields.read_flag, False, False),
        (fields.read_mapping, {"a": 1}, {"a": 1}),
        (fields.read_options, None, {}),
        (fields.read_options, {"a": 1}, {"a": 1}),
        (fields.read_items, [1, "a"], (1, "a")),
        (fields.read_items, (1,), (1,)),
        (fields.read_pair_of_dice, [6, 1], (6, 1)),
        (fields.WholeNumber(0, 3), 0, 0),
        (fields.WholeNumber(0, 3), 3, 3),
        (fields.EnumChoice(Colour), "blue", Colour.BLUE),
        (fields.TextChoice(("roll", "transfer")), "transfer", "transfer"),
        (fields.OrNone(fields.read_flag), None, None),
        (fields.OrNone(fields.read_flag), True, True),
        (fields.ListOf(fields.read_flag, 2), [True, False], (True, False)),
    ],
)
def test_a_good_value_is_read(read: Callable[[object, str], object], value: object, expected: object) -> None:
    assert read(value, "f") == expected


@pytest.mark.parametrize(
    ("read", "value", "sentence"),
    [
        (fields.read_text, 7, "field 'f': 7 is no text; put it in quotes"),
        (fields.read_flag, 1, "field 'f': 1 is neither true nor false; give one of them"),
        (fields.read_mapping, [1], "field 'f': [1] is no object; give names and values in braces"),
        (fields.read_mapping, {1: 2}, "field 'f': {1: 2} is no object; give names and values in braces"),
        (fields.read_mapping, None, "field 'f': null is no object; give names and values in braces"),
        (fields.read_options, 3, "field 'f': 3 is no object; give names and values in braces"),
        (fields.read_items, "ab", "field 'f': 'ab' is no list; give a list in brackets"),
        (fields.read_pair_of_dice, [6, 7], "field 'f': 7 is no die; give two numbers from 1 to 6"),
        (fields.read_pair_of_dice, [0, 1], "field 'f': 0 is no die; give two numbers from 1 to 6"),
        (fields.read_pair_of_dice, [6, True], "field 'f': true is no die; give two numbers from 1 to 6"),
        (fields.read_pair_of_dice, [6.0, 1], "field 'f': 6.0 is no die; give two numbers from 1 to 6"),
        (fields.read_pair_of_dice, [6], "field 'f': [6] is no pair of dice; give two numbers from 1 to 6"),
        (fields.read_pair_of_dice, [6, 5, 4], "field 'f': [6, 5, 4] is no pair of dice; give two numbers from 1 to 6"),
        (fields.read_pair_of_dice, 5, "field 'f': 5 is no list; give a list in brackets"),
        (fields.ListOf(fields.read_flag), 5, "field 'f': 5 is no list; give a list in brackets"),
        (fields.WholeNumber(0, 3), 4, "field 'f': 4 is out of range; give a number from 0 to 3"),
        (fields.WholeNumber(0, 3), -1, "field 'f': -1 is out of range; give a number from 0 to 3"),
        (fields.WholeNumber(0, 3), True, "field 'f': true is no whole number; give one from 0 to 3"),
        (fields.WholeNumber(0, 3), "2", "field 'f': '2' is no whole number; give one from 0 to 3"),
        (fields.EnumChoice(Colour), "green", "field 'f': 'green' is unknown; give one of red, blue"),
        (fields.EnumChoice(Colour), ["red"], "field 'f': ['red'] is unknown; give one of red, blue"),
        (fields.TextChoice(("a", "b")), "c", "field 'f': 'c' is unknown; give one of a, b"),
        (fields.TextChoice(("a", "b")), None, "field 'f': null is unknown; give one of a, b"),
        (fields.OrNone(fields.read_flag), 0, "field 'f': 0 is neither true nor false; give one of them"),
        (fields.ListOf(fields.read_flag), [True, 3], "field 'f[1]': 3 is neither true nor false; give one of them"),
        (fields.ListOf(fields.read_flag, 2), [True] * 3, "field 'f': 3 entries are too many; give at most 2"),
        (fields.read_text, ["x" * 100], "field 'f': ['" + "x" * 37 + "… is no text; put it in quotes"),
    ],
)
def test_a_bad_value_is_refused(read: Callable[[object, str], object], value: object, sentence: str) -> None:
    """One sentence names the field and the remedy; a long value is cut short."""
    assert refused(lambda: read(value, "f")) == sentence


def test_what_is_shown_is_short() -> None:
    """Forty characters are shown whole; JSON's own words are used."""
    assert fields.shorten_value("x" * 38) == "'" + "x" * 38 + "'"
    assert fields.shorten_value("x" * 39) == "'" + "x" * 38 + "…"
    assert [fields.shorten_value(value) for value in (None, True, False)] == ["null", "true", "false"]
    assert fields.shorten_value(10**5000) == fields.shorten_value([10**5000]) == "a value too large to show"
    deep: list[object] = []
    for _ in range(200_000):
        deep = [deep]
    assert fields.shorten_value(deep) == "a value too large to show"


def test_fields_are_required_or_have_a_default() -> None:
    """A missing required field is named; a null is a value, not a gap."""
    assert (
        refused(lambda: fields.read_required({}, "roll", fields.read_text))
        == "field 'roll' is missing; add it to the case"
    )
    assert fields.read_optional({}, "roll", fields.read_text, None) is None
    assert fields.read_optional({"roll": "a"}, "roll", fields.read_text, None) == "a"
    assert "null is no text" in refused(lambda: fields.read_optional({"roll": None}, "roll", fields.read_text, "a"))


def test_unknown_options_are_refused() -> None:
    fields.check_known_names({"a": 1}, "options", ("b", "a"))
    message = refused(lambda: fields.check_known_names({"c": 1}, "options", ("b", "a")))
    assert message == "field 'options': unknown option 'c'; known are a, b"
    message = refused(lambda: fields.check_known_names({"c": 1}, "options", ()))
    assert message == "field 'options': unknown option 'c'; there are none in this game"


GRASSHOPPER: Case = {"id": "a", "options": None, "state": "........................ 14 14 W -", "illegal": []}
SCORING: Case = {"scheme": "usbgf", "direction": "contrary", "loser": "00000f00000000000000000000"}
CUBE: Case = {"settings": {}, "script": []}
MATCH: Case = {"target": 3, "games": []}


def test_defaults_of_a_bare_case() -> None:
    """What is left out has the value of the common game; fields that belong to nobody are passed over."""
    assert grasshopper.answer({"state": GRASSHOPPER["state"], "later": 1})["n"] == 6
    assert scoring.answer_scoring(SCORING) == {"kind": "mars", "points": 2}
    assert scoring.answer_cube(CUBE) == []
    assert scoring.answer_match(MATCH) == {"games": [], "score": [0, 0], "winner": None, "next_game_crawford": False}
    assert scoring.answer_match({"target": 1, "games": []})["next_game_crawford"] is True


def test_a_bare_cube_has_no_beaver_and_no_automatic_double() -> None:
    answers = scoring.answer_cube(CUBE | {"script": [["tie"], ["opening", "W", True], ["offer", "W"], ["beaver", "B"]]})
    value = {"value": 1, "owner": None, "turned": False, "over": None}
    assert answers[0] == [True, value | {"offer_by": None}]
    assert answers[3] == [False, value | {"offer_by": "W"}]


def test_jacoby_counts_an_unturned_cube_where_nothing_is_said() -> None:
    """`cube_turned` is off unless the case says otherwise."""
    assert scoring.answer_scoring(SCORING | {"jacoby": True}) == {"kind": "mars", "points": 1}


def test_a_match_may_have_no_crawford_game() -> None:
    answer = scoring.answer_match({"target": 3, "crawford": False, "games": [["W", 2], ["B", 1]]})
    assert answer["games"] == [{"crawford": False, "before": [0, 0]}, {"crawford": False, "before": [2, 0]}]
    assert scoring.answer_match({"target": 3, "games": [["W", 2]]})["next_game_crawford"] is True


def test_grasshopper_answers_under_the_option() -> None:
    """Actions, pass, draw, result and reasons all know walls that block entries."""
    walls: Case = {"options": {"entry_blocked_by_walls": True}, "illegal": [["enter", 0, 2]]}
    drawn = grasshopper.answer(walls | {"state": "B.....wbbbbbbwwwwwwbbbbb 7 1 W -"})
    assert drawn == {"n": 0, "moves": [], "must_pass": True, "draw": True, "illegal": [["wall_in_the_way"]]}
    before = grasshopper.answer(walls | {"state": "B.....wbbbbbbWwwww.bbbbb 7 1 W -"})
    assert isinstance(before["moves"], list)
    assert ["move", 14, 19, "B.....wbbbbbbwwwwwwbbbbb 7 1 B -", "draw"] in before["moves"]


def test_grasshopper_lists_all_reasons_of_asked_actions() -> None:
    """With or without the reason as last element; an empty list where the action is legal."""
    asked = [["move", 2, 13], ["wall", 2, 7, "occupied"], ["enter", 0, 1]]
    answer = grasshopper.answer({"state": ".w....bW................ 11 13 W -", "illegal": asked})
    assert answer["illegal"] == [["wrong_quadrant", "wall_in_the_way"], ["occupied"], []]


def test_a_loser_with_reserve_may_have_27_digits() -> None:
    """Race games write the reserve as the last digit; it is never home."""
    assert scoring.read_loser_counts("0" * 26 + "1", "loser") == (*[0] * 26, 1)
    assert scoring.read_loser_counts("0" * 25 + "1", "loser") == (*[0] * 25, 1, 0)
    in_reserve = SCORING | {"loser": "00000e000000000000000000001"}
    assert scoring.answer_scoring(in_reserve | {"scheme": "long", "unit": "checker"}) == {"kind": "mars", "points": 15}


def test_a_match_may_count_wins_draws_and_have_no_target() -> None:
    games = [["W", 3], [None, 0], ["B", 2]]
    assert scoring.answer_match({"target": 9, "match_unit": "wins", "games": games})["score"] == [1, 1]
    money = scoring.answer_match({"target": None, "games": games})
    assert (money["score"], money["winner"], money["next_game_crawford"]) == ([3, 2], None, False)


def test_the_cube_may_pay_the_initial_stake() -> None:
    """`drop_pays` is known as a setting."""
    script = [["opening", "W", True], ["tie"], ["offer", "W"], ["take", "B"], ["roll"], ["end_turn"], ["offer", "B"]]
    answers = scoring.answer_cube({"settings": {"drop_pays": "initial"}, "script": [*script, ["drop", "W"]]})
    assert answers[-1] == [True, {"value": 2, "owner": "B", "turned": True, "offer_by": None, "over": ["B", 1]}]
    assert answers[1] == [False, {"value": 1, "owner": None, "turned": False, "offer_by": None, "over": None}]


NO_EVENT = (
    "is no event; give tie, roll, end_turn, or offer, take, drop, beaver with a player, "
    "or opening with the starter and whether he throws again"
)


@pytest.mark.parametrize(
    ("kind", "case", "sentence"),
    [
        ("grasshopper", {}, "field 'state' is missing; add it to the case"),
        ("grasshopper", GRASSHOPPER | {"state": 3}, "field 'state': 3 is no text; put it in quotes"),
        ("grasshopper", GRASSHOPPER | {"state": ". 14 14 W -"}, "field 'state': points: 1 characters; give 24, one for each point"),
        ("grasshopper", GRASSHOPPER | {"options": {"walls": 1}}, "field 'options': unknown option 'walls'; known are entry_blocked_by_walls"),
        ("grasshopper", GRASSHOPPER | {"illegal": [["move", 1]]}, "field 'illegal[0]': 2 entries are no action; give action, from and to"),
        ("grasshopper", GRASSHOPPER | {"illegal": [["hop", 1, 2]]}, "field 'illegal[0]': 'hop' is unknown; give one of enter, move, wall, bearoff, pass"),
        ("grasshopper", GRASSHOPPER | {"illegal": [["move", 1, 26]]}, "field 'illegal[0]': 26 is out of range; give a number from 0 to 25"),
        ("grasshopper", GRASSHOPPER | {"illegal": [["move", -1, 2]]}, "field 'illegal[0]': -1 is out of range; give a number from 0 to 25"),
        ("grasshopper", GRASSHOPPER | {"illegal": ["move"]}, "field 'illegal[0]': 'move' is no list; give a list in brackets"),
        ("scoring", SCORING | {"loser": 5}, "field 'loser': 5 is no text; put it in quotes"),
        ("scoring", SCORING | {"loser": "X" + "0" * 25}, "field 'loser': 'X0000000000000000000000000' holds a character that is no digit; use 0 to 9 and a to f"),
        ("cube", CUBE | {"script": ["tie"]}, "field 'script[0]': 'tie' is no list; give a list in brackets"),
        ("match", MATCH | {"games": ["W"]}, "field 'games[0]': 'W' is no list; give a list in brackets"),
        ("match", MATCH | {"games": [["w", 1]]}, "field 'games[0]': 'w' is unknown; give one of W, B"),
        ("scoring", SCORING | {"scheme": "x"}, "field 'scheme': 'x' is unknown; give one of usbgf, lithuanian, stakes002, long, fsnr, two, one, article000"),
        ("scoring", SCORING | {"loser": "0f"}, "field 'loser': '0f' has 2 digits; give 26, or 27 with the reserve"),
        ("scoring", SCORING | {"loser": "F" + "0" * 25}, "field 'loser': 'F0000000000000000000000000' holds a character that is no digit; use 0 to 9 and a to f"),
        ("scoring", SCORING | {"loser": "f1" + "0" * 24}, "field 'loser': 'f1000000000000000000000000' holds 16 checkers; give 1 to 15"),
        ("scoring", SCORING | {"loser": "0" * 26}, "field 'loser': '00000000000000000000000000' holds 0 checkers; give 1 to 15"),
        ("scoring", SCORING | {"cube": 0}, f"field 'cube': 0 is out of range; give a number from 1 to {2**62}"),
        ("scoring", SCORING | {"stake": 0}, f"field 'stake': 0 is out of range; give a number from 1 to {2**62}"),
        ("cube", CUBE | {"settings": None}, "field 'settings': null is no object; give names and values in braces"),
        ("cube", CUBE | {"settings": {"x": 1}}, "field 'settings': unknown option 'x'; known are auto_limit, beaver, cap, crawford_game, drop_pays, raise_by, use"),
        ("cube", CUBE | {"settings": {"cap": 0}}, f"field 'cap': 0 is out of range; give a number from 1 to {2**62}"),
        ("cube", CUBE | {"settings": {"auto_limit": 1001}}, "field 'auto_limit': 1001 is out of range; give a number from 0 to 1000"),
        ("cube", CUBE | {"script": [["tie"]] * 10_001}, "field 'script': 10001 entries are too many; give at most 10000"),
        ("cube", CUBE | {"script": [["tie"], []]}, "field 'script[1]': '' with 0 entries " + NO_EVENT),
        ("cube", CUBE | {"script": [["tie", "W"]]}, "field 'script[0]': 'tie' with 2 entries " + NO_EVENT),
        ("cube", CUBE | {"script": [["take"]]}, "field 'script[0]': 'take' with 1 entries " + NO_EVENT),
        ("cube", CUBE | {"script": [["opening", "W"]]}, "field 'script[0]': 'opening' with 2 entries " + NO_EVENT),
        ("cube", CUBE | {"script": [["x" * 50, "W"]]}, f"field 'script[0]': '{'x' * 40}' with 2 entries " + NO_EVENT),
        ("cube", CUBE | {"script": [["take", "w"]]}, "field 'script[0]': 'w' is unknown; give one of W, B"),
        ("cube", CUBE | {"script": [["opening", "W", 1]]}, "field 'script[0]': 1 is neither true nor false; give one of them"),
        ("cube", CUBE | {"script": [[3]]}, "field 'script[0]': 3 is no text; put it in quotes"),
        ("match", MATCH | {"target": 0}, "field 'target': 0 is out of range; give a number from 1 to 1000000"),
        ("match", MATCH | {"games": [["W"]]}, "field 'games[0]': 1 entries are no result; give winner and points"),
        ("match", MATCH | {"games": [["W", 0]]}, f"field 'games[0]': 0 is out of range; give a number from 1 to {2**62}"),
        ("match", MATCH | {"games": [[None, 2]]}, "field 'games[0]': 2 is out of range; give a number from 0 to 0"),
    ],
)  # fmt: skip
def test_a_bad_case_is_refused(kind: str, case: Case, sentence: str) -> None:
    """Whatever is wrong with a case, one sentence says where and what to do."""
    assert refused(partial(ANSWERS[kind], case)) == sentence


def test_the_longest_cube_script_can_be_printed() -> None:
    """Ten thousand events cannot drive the value beyond what JSON is able to show."""
    turns = [[["offer", "W"], ["beaver", "B"], ["take", "W"], ["roll"], ["end_turn"]], [["offer", "B"], ["beaver", "W"], ["take", "B"], ["roll"], ["end_turn"]]]  # fmt: skip
    script = [["opening", "W", True], *(event for _ in range(999) for turn in turns for event in turn)]
    answers = scoring.answer_cube({"settings": {"beaver": True}, "script": script[:10_000]})
    assert json.dumps(answers[-1])
    assert fields.CaseError is fields.CaseError
