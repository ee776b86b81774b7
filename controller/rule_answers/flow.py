"""The kind `flow`: the stages of a roll, and what follows a stage."""

from collections import Counter

from controller.rule_answers.fields import Case, CaseError, WholeNumber, read_optional, read_required
from controller.rule_answers.table_fields import read_numbers, read_roll, read_rules, read_unused_numbers
from controller.rules import RollCounters, Ruleset, find_follow, make_own_throw, make_transfer_throw

_MANY = 1_000_000


def answer(case: Case, house: Ruleset | None = None) -> dict[str, object]:
    """The stages; for a roll also whether it is a cascade, and what comes after the stage."""
    if "handed_over" in case:
        throw = make_transfer_throw(read_required(case, "handed_over", read_numbers))
        return {"stages": _to_lists(throw.stages), "cascade": None, "after": None}
    rules = read_rules(case, house)
    counters = RollCounters(
        game=read_required(case, "rolls_before_game", WholeNumber(0, _MANY)),
        player=read_required(case, "rolls_before_player", WholeNumber(0, _MANY)),
    )
    throw = make_own_throw(read_required(case, "roll", read_roll), rules, counters)
    index = read_optional(case, "stage", WholeNumber(0, len(throw.stages) - 1), 0)
    unused = read_optional(case, "unused", read_unused_numbers, ())
    if Counter(unused) - Counter(throw.stages[index]):
        stage = list(throw.stages[index])
        raise CaseError(f"field 'unused': {list(unused)} are not among the numbers {stage} of the stage; correct them")
    follow = find_follow(throw, index, unused, rules)
    return {"stages": _to_lists(throw.stages), "cascade": throw.cascade, "after": str(follow)}


def _to_lists(stages: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    return [list(stage) for stage in stages]
