"""Answers questions about the rules: one JSON case a line in, one JSON value a line out."""

import json
from collections.abc import Callable, Iterable, Iterator

from controller.rule_answers import games, grasshopper, plays, scoring
from controller.rule_answers.fields import Case, CaseError
from controller.rules import RulesError, Ruleset

Answer = dict[str, object] | list[object]

_WITH_HOUSE_RULES: dict[str, Callable[[Case, Ruleset | None], Answer]] = {
    "plays": plays.answer_plays,
    "flow": plays.answer_flow,
    "games": games.answer,
}
_FIXED: dict[str, Callable[[Case], Answer]] = {
    "grasshopper": grasshopper.answer,
    "scoring": scoring.answer_scoring,
    "cube": scoring.answer_cube,
    "match": scoring.answer_match,
}
KINDS = ("plays", "grasshopper", "flow", "scoring", "cube", "match", "games")
LONGEST_LINE = 4_000_000  # characters; a whole game of hundreds of stages has well under a million


def answer_lines(kind: str, lines: Iterable[str], house: Ruleset | None = None) -> Iterator[tuple[str, bool]]:
    """Yields the answer to each line that is not blank, and whether it succeeded; a bad line does not stop the others."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _answer_line(kind, number, line, house)


def _answer_line(kind: str, number: int, line: str, house: Ruleset | None) -> tuple[str, bool]:
    identity: object = None
    try:
        case = _parse_case(line)
        identity = case.get("id")
        answer = _WITH_HOUSE_RULES[kind](case, house) if kind in _WITH_HOUSE_RULES else _FIXED[kind](case)
    except (CaseError, RulesError) as error:
        return json.dumps({"id": identity, "error": f"line {number}: {error}"}, ensure_ascii=False), False
    return json.dumps({"id": identity, "answer": answer}, ensure_ascii=False), True


def _refuse_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON number")


def _parse_case(line: str) -> Case:
    if len(line) > LONGEST_LINE:
        raise CaseError(f"{len(line)} characters are too long for one case; give at most {LONGEST_LINE}")
    try:
        case = json.loads(line, parse_constant=_refuse_constant)
    except RecursionError:
        raise CaseError("the brackets are nested too deeply; give one case as a JSON object") from None
    except ValueError as error:
        raise CaseError(f"this is no JSON ({error}); give one case as a JSON object") from None
    if not isinstance(case, dict):
        raise CaseError("this is no JSON object; give one case in braces")
    return case
