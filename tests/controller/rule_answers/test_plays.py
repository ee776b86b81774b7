"""Rule questions of the kinds plays, flow and games: bad input in each field, and single answers."""

import json

import pytest

from controller.rule_answers import games, plays
from controller.rule_answers.fields import CaseError
from controller.rule_answers.run import KINDS, LONGEST_LINE, answer_lines
from controller.rules import parse_house_variant

START = "00000050300005000000000020"
Case = dict[str, object]
PLAYS: Case = {
    "id": "one",
    "variant": "backgammon",
    "options": {},
    "player": "W",
    "pos": f"{START}/{START}",
    "numbers": [6, 5],
    "first_roll": False,
    "head_taken": 0,
    "kind": "roll",
    "roll": [6, 5],
    "stage": 0,
    "cascade": False,
    "rolls_before": 99,
}
FLOW: Case = {
    "id": "two",
    "variant": "gulbar",
    "roll": [5, 4],
    "rolls_before_game": 6,
    "rolls_before_player": 3,
    "stage": 0,
    "unused": [4],
}
EVENT: Case = {
    "player": "W",
    "kind": "roll",
    "numbers": [6, 5],
    "before": f"{START}/{START}",
    "after": "00000050300005000010000010/00000050300005000000000020",
    "roll": [6, 5],
    "stage": 0,
    "cascade": False,
}
GAMES: Case = {"id": "three", "variant": "backgammon", "opening": [[6, 5]], "events": [EVENT]}


def sentence(kind: str, case: Case) -> str:
    """What is said about a case that cannot be answered."""
    ((line, good),) = answer_lines(kind, [json.dumps(case)])
    assert not good
    answer = json.loads(line)
    assert answer["id"] == case.get("id")
    return str(answer["error"])


def test_the_cases_below_are_good_but_for_one_field() -> None:
    for kind, case in (("plays", PLAYS), ("flow", FLOW), ("games", GAMES)):
        ((_, good),) = answer_lines(kind, [json.dumps(case)])
        assert good


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"variant": "chess"}, "field 'variant': unknown game 'chess'; choose one of backgammon"),
        ({"variant": "grasshopper"}, "field 'variant': ask about it with the kind grasshopper"),
        ({"variant": None}, "field 'variant': null is no text; put it in quotes"),
        ({"options": {"primes": 1}}, "field 'options': unknown option 'primes'; did you mean prime?"),
        ({"options": []}, "field 'options': [] is no object; give names and values in braces"),
        ({"options": {"start": "24:15 1:1"}}, "field 'options': start: 16 checkers stand there, but checkers = 15"),
        ({"player": "X"}, "field 'player': 'X' is unknown; give one of W, B"),
        ({"pos": 5}, "field 'pos': 5 is no text; put it in quotes"),
        ({"pos": START}, "field 'pos': position"),
        ({"pos": f"{START}0/{START}00"}, "field 'pos': position: Black's side has 28 digits; give 26"),
        ({"pos": f"z{START[1:]}/{START}"}, "field 'pos': position: White's side has 'z' at place 0; use the digits"),
        ({"pos": f"1{START[1:]}/{START}"}, "field 'pos': White has 16 checkers; backgammon needs 15, so take the extra"),
        ({"pos": f"0a{'0' * 22}50/{START}"}, "field 'pos': White's point 1 and Black's point 24 are the same place"),
        ({"pos": f"{START}/{START}/W6"}, "field 'pos': a checker is called pinned, but nothing is pinned in backgammon"),
        ({"numbers": [7, 1]}, "field 'numbers[0]': 7 is out of range; give a number from 1 to 6"),
        ({"numbers": []}, "field 'numbers': there are no numbers; give one or more from 1 to 6"),
        ({"numbers": [5, 4, 3]}, "field 'numbers': numbers 5,4,3: a stage is two different numbers, the higher first"),
        ({"numbers": "65"}, "field 'numbers': '65' is no list; give a list in brackets"),
        ({"numbers": [True, 1]}, "field 'numbers[0]': true is no whole number; give one from 1 to 6"),
        ({"numbers": [1] * 25}, "field 'numbers': 25 entries are too many; give at most 24"),
        ({"numbers": [5, 4]}, "field 'numbers': stage 0 of this roll has the numbers [6, 5]; correct one of both"),
        ({"first_roll": "no"}, "field 'first_roll': 'no' is neither true nor false; give one of them"),
        ({"head_taken": 16}, "field 'head_taken': 16 is out of range; give a number from 0 to 15"),
        ({"kind": "throw"}, "field 'kind': 'throw' is unknown; give one of roll, transfer"),
        ({"roll": [6, 7]}, "field 'roll': 7 is no die; give two numbers from 1 to 6"),
        ({"roll": [6]}, "field 'roll': [6] is no pair of dice; give two numbers from 1 to 6"),
        ({"stage": 1}, "field 'stage': 1 is out of range; give a number from 0 to 0"),
        ({"cascade": True}, "field 'cascade': only a double is a cascade; give false or a double"),
        ({"rolls_before": -1}, "field 'rolls_before': -1 is out of range; give a number from 0 to"),
        ({"illegal": [7]}, "field 'illegal[0]': 7 is no list; give a list in brackets"),
        ({"illegal": [[]]}, "field 'illegal[0]': there is no position; give a position text"),
        ({"illegal": ["x/y"]}, "field 'illegal[0]': position: White's side has 1 digits"),
    ],
)  # fmt: skip
def test_a_bad_field_of_plays(change: Case, error: str) -> None:
    """One sentence that names the field and the remedy."""
    assert sentence("plays", PLAYS | change).startswith(f"line 1: {error}")


@pytest.mark.parametrize("name", ["variant", "player", "pos", "numbers"])
def test_a_missing_field_of_plays(name: str) -> None:
    case = {field: value for field, value in PLAYS.items() if field != name}
    assert sentence("plays", case) == f"line 1: field '{name}' is missing; add it to the case"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"roll": [0, 1]}, "field 'roll': 0 is no die; give two numbers from 1 to 6"),
        ({"rolls_before_game": "6"}, "field 'rolls_before_game': '6' is no whole number; give one from 0 to"),
        ({"stage": 1}, "field 'stage': 1 is out of range; give a number from 0 to 0"),
        ({"unused": [3]}, "field 'unused': [3] are not among the numbers [5, 4] of the stage; correct them"),
        ({"unused": [4, 4]}, "field 'unused': [4, 4] are not among the numbers [5, 4] of the stage; correct them"),
        ({"handed_over": [0]}, "field 'handed_over[0]': 0 is out of range; give a number from 1 to 6"),
        ({"handed_over": []}, "field 'handed_over': there are no numbers; give one or more from 1 to 6"),
    ],
)
def test_a_bad_field_of_flow(change: Case, error: str) -> None:
    assert sentence("flow", FLOW | change).startswith(f"line 1: {error}")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"scheme": "ten"}, "field 'scheme': 'ten' is unknown; give one of"),
        ({"opening": [[6, 7]]}, "field 'opening[0]': 7 is no die; give two numbers from 1 to 6"),
        ({"events": {}}, "field 'events': {} is no list; give a list in brackets"),
        ({"events": [3]}, "field 'events[0]': 3 is no object; give names and values in braces"),
        ({"events": [EVENT | {"after": "x"}]}, "events[0]: field 'after': position 'x' has 1 parts between slashes"),
        ({"events": [EVENT | {"before": f"1{START[1:]}/{START}"}]}, "events[0]: field 'before': White has 16 checkers"),
    ],
)
def test_a_bad_field_of_games(change: Case, error: str) -> None:
    assert sentence("games", GAMES | change).startswith(f"line 1: {error}")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "line 1: this is no JSON ("),
        ("[1]", "line 1: this is no JSON object; give one case in braces"),
        ("3", "line 1: this is no JSON object; give one case in braces"),
        ("[" * 100_000, "line 1: the brackets are nested too deeply; give one case as a JSON object"),
        ('{"a":' + "9" * 5000 + "}", "line 1: this is no JSON ("),
        (" " + "x" * LONGEST_LINE, f"line 1: {LONGEST_LINE + 1} characters are too long for one case; give at most"),
    ],
    ids=["cut", "list", "number", "deep", "long number", "long line"],
)
@pytest.mark.parametrize("kind", KINDS)
def test_a_bad_line(kind: str, line: str, error: str) -> None:
    """Of every kind: a sentence instead of a traceback."""
    ((text, good),) = answer_lines(kind, [line])
    assert not good
    assert json.loads(text)["error"].startswith(error)


def test_a_pin_of_too_many_digits_stops_no_other_line() -> None:
    assert "is no pin" in sentence("plays", PLAYS | {"variant": "plakoto", "pos": f"{START}/{START}/W{'9' * 5000}"})


def test_a_bad_line_stops_no_other_and_blank_ones_are_counted() -> None:
    """The error names the line's own number, also where its case has an id."""
    good, bad = json.dumps(PLAYS), json.dumps(PLAYS | {"id": "bad", "player": "X"})
    answered = list(answer_lines("plays", [good, "", bad, "  ", good]))
    assert [fine for _, fine in answered] == [True, False, True]
    answer = json.loads(answered[1][0])
    assert (answer["id"], answer["error"][:8]) == ("bad", "line 3: ")


def test_an_answer_about_plays_has_every_field() -> None:
    closed = "e00000000000100000000000000"[:26] + "/0d" + "0" * 21 + "200"
    answer = plays.answer_plays(
        PLAYS | {"pos": closed, "numbers": [6, 4], "roll": [6, 4], "illegal": [closed, [closed, "must_play_more"]]}
    )
    assert answer == {
        "n": 1,
        "results": ["e0000010000000000000000000/0d000000000000000000000200"],
        "sha256": "7cf2db5ad8b200251565cb1d4abd1818003feb9c9526cfba4e9e5f36bd1c5117",
        "used": [1, 1],
        "unused": [4],
        "first_steps": [(12, 6, 6)],
        "stages": [[6, 4]],
        "after": "end_turn",
        "illegal": [["must_play_more"], ["must_play_more"]],
    }


def test_fields_that_do_not_apply_are_null() -> None:
    """Without a roll there is no stage of it and nothing that follows; plays that differ have no common unused."""
    answer = plays.answer_plays(
        {"variant": "old_english", "player": "B", "pos": f"{START}/{START}", "numbers": [6, 5], "roll": None}
    )
    assert (answer["stages"], answer["after"], answer["unused"], answer["illegal"]) == (None, None, None, [])
    assert answer["used"] == [1, 2]


def test_a_cascade_is_known_from_the_rolls_before() -> None:
    """Gul bara: the third roll of the game is ordinary, the fourth is not; without a count it is late."""
    position = {"pos": "0" * 24 + "f0/" + "0" * 24 + "f0", "variant": "gul_bara", "player": "W", "roll": [6, 6]}
    for before, stages in ((2, [[5] * 4]), (3, [[5] * 4, [6] * 4]), (None, [[5] * 4, [6] * 4])):
        case = position | {"roll": [5, 5], "numbers": [5] * 4, "rolls_before": before}
        assert plays.answer_plays(case)["stages"] == stages


def test_many_results_are_only_counted() -> None:
    """Above 500 their number and checksum stand for them."""
    case = {
        "variant": "backgammon",
        "player": "W",
        "numbers": [1] * 4,
        "pos": f"{'0' * 7}{'1' * 15}{'0' * 4}/f{'0' * 25}",
    }
    answer = plays.answer_plays(case)
    assert isinstance(answer["n"], int)
    assert answer["n"] > 500
    assert answer["results"] is None


def test_a_house_variant_is_known_by_its_name() -> None:
    house = parse_house_variant('name = "club"\nbase = "backgammon"\n[parameters]\ndice_use = "free"')
    case = PLAYS | {"variant": "club"}
    assert plays.answer_plays(case, house)["used"] == [0, 2]
    with pytest.raises(CaseError, match="unknown game 'club'"):
        plays.answer_plays(case)


def test_flow_of_handed_over_numbers() -> None:
    assert plays.answer_flow({"handed_over": [5, 6, 6]}) == {"stages": [[5], [6, 6]], "cascade": None, "after": None}
    assert plays.answer_flow(FLOW) == {"stages": [[5, 4]], "cascade": False, "after": "transfer:4"}


def test_a_game_in_progress_and_an_illegal_play() -> None:
    """24/13 is a legal 6-5, 18/17 is not; before the end there is no result."""
    assert games.answer(GAMES) == {
        "events": [{"legal": 7, "unused": None, "next": None, "ok": False}],
        "result": None,
    }
    played = EVENT | {"after": f"{START[:13]}6{START[14:24]}10/{START}"}
    answer = games.answer(GAMES | {"events": [played]})
    assert answer["events"] == [{"legal": 7, "unused": [], "next": "end_turn", "ok": True}]


def test_a_game_without_events() -> None:
    assert games.answer(GAMES | {"events": []}) == {"events": [], "result": None}


def test_an_event_is_named_by_its_number() -> None:
    """In a game of hundreds of stages the field alone would not help."""
    game: dict[str, object] = {"variant": "backgammon", "opening": [[1, 2]], "events": [{}]}
    assert "events[0]: field 'player' is missing" in sentence("games", game)


def test_a_number_that_is_none_is_refused() -> None:
    ((text, good),) = answer_lines("plays", ['{"id": NaN}'])
    assert not good
    assert "NaN is no JSON number" in json.loads(text)["error"]


def test_every_place_to_stop_refused_leaves_the_position() -> None:
    """Greedy play and a block that may not be shown at the end: the mover stands as if he could not move."""
    case = {
        "variant": "long_nardy",
        "options": {"dice_use": "greedy", "prime_check": "final_only"},
        "player": "W",
        "pos": "00a11110000001000000000000/00000000000000000000f00000",
        "numbers": [6],
    }
    ((text, good),) = answer_lines("plays", [json.dumps(case)])
    assert good
    assert json.loads(text)["answer"]["results"] == [case["pos"]]
