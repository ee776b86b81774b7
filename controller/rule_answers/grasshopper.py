"""The kind `grasshopper`: all actions of a state, and the reasons against others."""

from collections.abc import Mapping

from controller.rule_answers import fields
from controller.rules.grasshopper import game as grasshopper


def answer(case: Mapping[str, object]) -> dict[str, object]:
    """All actions with their results, and in `illegal` the reasons against each asked action, the decisive one first."""
    given = fields.read_optional(case, "options", fields.read_options, {})
    fields.check_known_names(given, "options", ("entry_blocked_by_walls",))
    rules = grasshopper.GrasshopperRules(
        fields.read_optional(given, "entry_blocked_by_walls", fields.read_flag, default=False)
    )
    state = fields.read_required(case, "state", _read_state)
    asked = fields.read_optional(case, "illegal", fields.ListOf(_read_action), ())
    moves = [_to_json(state, action, rules) for action in grasshopper.actions(state, rules)]
    return {
        "n": len(moves),
        "moves": moves,
        "must_pass": grasshopper.must_pass(state, rules),
        "draw": grasshopper.is_draw(state, rules),
        "illegal": [_list_reasons(state, action, rules) for action in asked],
    }


def _to_json(state: grasshopper.State, action: grasshopper.Action, rules: grasshopper.GrasshopperRules) -> list[object]:
    result = grasshopper.apply_action(state, action, rules)
    if result.winner:
        ending: str | None = result.winner.value
    else:
        ending = "draw" if grasshopper.is_draw(result, rules) else None
    return [action.kind.value, action.source, action.target, grasshopper.to_text(result), ending]


def _list_reasons(
    state: grasshopper.State, action: grasshopper.Action, rules: grasshopper.GrasshopperRules
) -> list[str]:
    objections = grasshopper.find_objections(state, action.kind, action.source, action.target, rules)
    return [objection.reason.value for objection in objections]


def _read_state(value: object, name: str) -> grasshopper.State:
    try:
        return grasshopper.from_text(fields.read_text(value, name))
    except grasshopper.GrasshopperTextError as fault:
        raise fields.CaseError(f"field {name!r}: {fault}") from fault


def _read_action(value: object, name: str) -> grasshopper.Action:
    """Reads `[action, from, to]`; a fourth entry, the reason that the case expects, does not change the answer."""
    entries = fields.read_items(value, name)
    if len(entries) not in (3, 4):
        raise fields.CaseError(f"field {name!r}: {len(entries)} entries are no action; give action, from and to")
    return grasshopper.Action(
        fields.EnumChoice(grasshopper.ActionKind)(entries[0], name),
        fields.WholeNumber(0, 25)(entries[1], name),
        fields.WholeNumber(0, 25)(entries[2], name),
    )
