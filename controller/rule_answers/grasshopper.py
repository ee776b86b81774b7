"""The kind `grasshopper`: all actions of a state, and the reasons against others."""

from collections.abc import Mapping

from controller.rule_answers.fields import (
    CaseError,
    EnumChoice,
    ListOf,
    WholeNumber,
    check_known_names,
    read_flag,
    read_items,
    read_optional,
    read_options,
    read_required,
    read_text,
)
from controller.rules.grasshopper.game import (
    Action,
    ActionKind,
    GrasshopperRules,
    GrasshopperTextError,
    State,
    actions,
    apply_action,
    find_objections,
    from_text,
    is_draw,
    must_pass,
    to_text,
)


def answer(case: Mapping[str, object]) -> dict[str, object]:
    """All actions with their results, and in `illegal` the reasons against each asked action, the decisive one first."""
    given = read_optional(case, "options", read_options, {})
    check_known_names(given, "options", ("entry_blocked_by_walls",))
    rules = GrasshopperRules(read_optional(given, "entry_blocked_by_walls", read_flag, default=False))
    state = read_required(case, "state", _read_state)
    asked = read_optional(case, "illegal", ListOf(_read_action), ())
    moves = [_to_json(state, action, rules) for action in actions(state, rules)]
    return {
        "n": len(moves),
        "moves": moves,
        "must_pass": must_pass(state, rules),
        "draw": is_draw(state, rules),
        "illegal": [_list_reasons(state, action, rules) for action in asked],
    }


def _to_json(state: State, action: Action, rules: GrasshopperRules) -> list[object]:
    result = apply_action(state, action, rules)
    if result.winner:
        ending: str | None = result.winner.value
    else:
        ending = "draw" if is_draw(result, rules) else None
    return [action.kind.value, action.source, action.target, to_text(result), ending]


def _list_reasons(state: State, action: Action, rules: GrasshopperRules) -> list[str]:
    objections = find_objections(state, action.kind, action.source, action.target, rules)
    return [objection.reason.value for objection in objections]


def _read_state(value: object, name: str) -> State:
    try:
        return from_text(read_text(value, name))
    except GrasshopperTextError as fault:
        raise CaseError(f"field {name!r}: {fault}") from fault


def _read_action(value: object, name: str) -> Action:
    """Reads `[action, from, to]`; a fourth entry, the reason that the case expects, does not change the answer."""
    entries = read_items(value, name)
    if len(entries) not in (3, 4):
        raise CaseError(f"field {name!r}: {len(entries)} entries are no action; give action, from and to")
    return Action(
        EnumChoice(ActionKind)(entries[0], name),
        WholeNumber(0, 25)(entries[1], name),
        WholeNumber(0, 25)(entries[2], name),
    )
