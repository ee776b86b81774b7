"""Answers questions of the kind `grasshopper`: all actions of a state, and why others may not be."""

from collections.abc import Mapping

from controller.rule_answers.fields import (
    CaseError,
    Choice,
    ListOf,
    Whole,
    flag,
    items,
    known_only,
    optional,
    options,
    required,
    text,
)
from controller.rules.grasshopper.game import (
    Action,
    ActionKind,
    GrasshopperRules,
    GrasshopperTextError,
    State,
    actions,
    after,
    from_text,
    is_draw,
    must_pass,
    to_text,
    why_not,
)


def answer(case: Mapping[str, object]) -> dict[str, object]:
    """The shape of `expect`, with `illegal`: the reasons against each asked action, the decisive one first."""
    given = optional(case, "options", options, {})
    known_only(given, "options", ("entry_blocked_by_walls",))
    rules = GrasshopperRules(optional(given, "entry_blocked_by_walls", flag, default=False))
    state = required(case, "state", _state)
    asked = optional(case, "illegal", ListOf(_asked_action), ())
    moves = [_move(state, action, rules) for action in actions(state, rules)]
    return {
        "n": len(moves),
        "moves": moves,
        "must_pass": must_pass(state, rules),
        "draw": is_draw(state, rules),
        "illegal": [_reasons(state, action, rules) for action in asked],
    }


def _move(state: State, action: Action, rules: GrasshopperRules) -> list[object]:
    result = after(state, action, rules)
    if result.winner:
        ending: str | None = result.winner.value
    else:
        ending = "draw" if is_draw(result, rules) else None
    return [action.kind.value, action.source, action.target, to_text(result), ending]


def _reasons(state: State, action: Action, rules: GrasshopperRules) -> list[str]:
    objections = why_not(state, action.kind, action.source, action.target, rules)
    return [objection.reason.value for objection in objections]


def _state(value: object, name: str) -> State:
    try:
        return from_text(text(value, name))
    except GrasshopperTextError as fault:
        raise CaseError(f"field {name!r}: {fault}") from fault


def _asked_action(value: object, name: str) -> Action:
    """`[action, from, to]`; a fourth entry is the reason the asker has in mind, which does not change the answer."""
    entries = items(value, name)
    if len(entries) not in (3, 4):
        raise CaseError(f"field {name!r}: {len(entries)} entries are no action; give action, from and to")
    return Action(
        Choice(ActionKind)(entries[0], name),
        Whole(0, 25)(entries[1], name),
        Whole(0, 25)(entries[2], name),
    )
