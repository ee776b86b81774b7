"""Answers questions of the kind `flow`: how a roll turns into stages, and what follows a stage."""

from collections import Counter

from controller.rule_answers.fields import Case, CaseError, Whole, optional, required
from controller.rule_answers.table_fields import numbers, roll, rules_of, unused_numbers
from controller.rules.ruleset import Ruleset
from controller.rules.stages import RollCounters, after_stage, handed_over, own_throw

_MANY = 1_000_000


def answer(case: Case, house: Ruleset | None = None) -> dict[str, object]:
    """The shape of `expect`: stages, and for a roll whether it is a cascade and what comes after the stage."""
    if "handed_over" in case:
        throw = handed_over(required(case, "handed_over", numbers))
        return {"stages": _lists(throw.stages), "cascade": None, "after": None}
    rules = rules_of(case, house)
    counters = RollCounters(
        game=required(case, "rolls_before_game", Whole(0, _MANY)),
        player=required(case, "rolls_before_player", Whole(0, _MANY)),
    )
    throw = own_throw(required(case, "roll", roll), rules, counters)
    index = optional(case, "stage", Whole(0, len(throw.stages) - 1), 0)
    unused = optional(case, "unused", unused_numbers, ())
    if Counter(unused) - Counter(throw.stages[index]):
        stage = list(throw.stages[index])
        raise CaseError(f"field 'unused': {list(unused)} are not among the numbers {stage} of the stage; correct them")
    follow = after_stage(throw, index, unused, rules)
    return {"stages": _lists(throw.stages), "cascade": throw.cascade, "after": str(follow)}


def _lists(stages: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    return [list(stage) for stage in stages]
