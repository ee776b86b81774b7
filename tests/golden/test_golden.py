"""Every golden case gets the answer that stands beside it.

The samples in `samples/` travel with the project. The full files lie beside it, in `../shared/golden`; where they do,
all of them are asked through the command line, as a player or another program would ask.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from controller.rule_answers.run import answer_lines
from controller.rules import RULESETS, Player, Position, get_ruleset, list_endings, make_stage, parse_setup

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).parent / "samples"
GOLDEN = ROOT.parent / "shared" / "golden"
KINDS = ("grasshopper", "flow", "scoring", "cube", "match", "games")
FILES = (*RULESETS, *KINDS)
# Both numbers lead to the same board there, and no rule says which one was used; the file recorded what its player happened to use.
EITHER_NUMBER = {"games-dev-old_english-1", "games-dev-old_english-2"}

Case = dict[str, object]


def kind_of(name: str) -> str:
    return name if name in KINDS else "plays"


def cases(file: Path) -> list[Case]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def question(case: Case) -> str:
    """The case as it is asked: without its answer, and of refused boards or actions without the reason."""
    asked = {name: value for name, value in case.items() if name not in ("expect", "result", "note", "tags")}
    if "illegal" in case:
        asked["illegal"] = [refused[0] if len(refused) == 2 else refused[:-1] for refused in _refused(case)]
    if "events" in case:
        hidden = ("legal", "unused", "next")
        asked["events"] = [
            {name: value for name, value in event.items() if name not in hidden} for event in _list(case["events"])
        ]
    return json.dumps(asked)


def _list(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    return value


def _refused(case: Case) -> list[list[object]]:
    """A position, or action, from and to, each with the reason at the end."""
    refused = case["illegal"]
    assert isinstance(refused, list)
    return refused


def expected(case: Case) -> object:
    if "events" not in case:
        return case["expect"]
    events = [
        {"legal": event["legal"], "unused": event["unused"], "next": event.get("next"), "ok": True}
        for event in _list(case["events"])
    ]
    return {"events": events, "result": case["result"]}


def difference(case: Case, line: str) -> str | None:
    """What is wrong with an answer, or None. Only the fields that `expect` has are compared."""
    answered = json.loads(line)
    if "answer" not in answered or answered["id"] != case["id"]:
        return f"{case['id']}: {line[:200]}"
    answer, right = answered["answer"], expected(case)
    if isinstance(right, list):
        return None if answer == right else f"{case['id']}: {answer}"
    assert isinstance(right, dict)
    if case["id"] in EITHER_NUMBER:
        right = with_either_number(case, right, answer)
    wrong = [name for name, value in right.items() if answer[name] != value]
    if "illegal" in case:
        pairs = zip(_refused(case), answer["illegal"], strict=True)
        wrong += [f"illegal {refused}: {named}" for refused, named in pairs if refused[-1] not in named]
    return f"{case['id']}: {wrong}" if wrong else None


def with_either_number(case: Case, right: dict[str, object], answer: dict[str, object]) -> dict[str, object]:
    """`right`, with the answer's `unused` where another way to that very board leaves just those numbers."""
    events = []
    for event, ours, wanted in zip(_list(case["events"]), _list(answer["events"]), _list(right["events"]), strict=True):
        if ours["unused"] == wanted["unused"] or unused_on_ways(event, str(case["variant"])) != {
            tuple(_list(ours["unused"])),
            tuple(_list(wanted["unused"])),
        }:
            events.append(wanted)
        else:
            events.append({**wanted, "unused": ours["unused"]})
    return {**right, "events": events}


def unused_on_ways(event: Case, variant: str) -> set[tuple[object, ...]]:
    """Every set of numbers that some legal way to the board after `event` leaves."""
    rules = get_ruleset(variant)
    before, after = (Position.of(parse_setup(str(event[name])), rules) for name in ("before", "after"))
    numbers = event["numbers"]
    assert isinstance(numbers, list)
    ways = list_endings(before, Player(event["player"]), make_stage(numbers), rules)
    return {unused for board, unused in ways if board == after}


def differences(asked: list[Case], lines: Iterable[str]) -> list[str]:
    found = [difference(case, line) for case, line in zip(asked, lines, strict=True)]
    return [one for one in found if one is not None]


def through_command_line(name: str, asked: list[Case]) -> list[str]:
    """The answers of `python -m controller rules answer KIND`, a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "controller", "rules", "answer", kind_of(name)],
        input="\n".join(map(question, asked)),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        cwd=ROOT,
        timeout=600,
    )
    return done.stdout.splitlines()


def full_file(name: str) -> Path:
    file = GOLDEN / f"{name}.jsonl"
    if not file.exists():
        pytest.skip(f"no {file.name} beside the project")
    return file


@pytest.mark.parametrize("name", FILES)
def test_a_sample_is_answered(name: str) -> None:
    """A few cases of each file, kept beside the tests."""
    asked = cases(SAMPLES / f"{name}.jsonl")
    lines = [line for line, _ in answer_lines(kind_of(name), map(question, asked))]
    assert len(asked) >= 10 or name == "games"
    assert differences(asked, lines) == []


@pytest.mark.parametrize("name", FILES)
def test_the_whole_file_is_answered_on_the_command_line(name: str, *, full_counts: bool) -> None:
    """Each line of each golden file (every other one of the long files without --slow); every process ends with 0."""
    asked = cases(full_file(name))
    if kind_of(name) == "plays" and not full_counts:
        asked = asked[::2]
    assert differences(asked, through_command_line(name, asked)) == []


def test_only_two_games_need_the_exception_for_either_number() -> None:
    """The exception is as narrow as it says: without it, these two games and nothing else would differ."""
    asked = cases(full_file("games"))
    lines = [line for line, _ in answer_lines("games", map(question, asked))]
    strict = {
        str(case["id"]) for case, line in zip(asked, lines, strict=True) if json.loads(line)["answer"] != expected(case)
    }
    assert strict == EITHER_NUMBER


def test_a_bad_line_stops_no_other() -> None:
    """Line 2 of three is an error; the lines around it are answered."""
    sample = (SAMPLES / "flow.jsonl").read_text(encoding="utf-8").splitlines()[0]
    answered = [(json.loads(line), good) for line, good in answer_lines("flow", [sample, "{", sample])]
    assert [good for _, good in answered] == [True, False, True]
    assert answered[1][0]["error"].startswith("line 2: this is no JSON")
