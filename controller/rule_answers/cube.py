"""The kind `cube`: which events of a script are allowed, and the state after each event."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial

from controller.rule_answers.fields import (
    CaseError,
    EnumChoice,
    ListOf,
    OrNone,
    WholeNumber,
    check_known_names,
    read_flag,
    read_items,
    read_mapping,
    read_optional,
    read_required,
    read_text,
)
from controller.rules import (
    CubeEvent,
    CubeRules,
    CubeState,
    CubeTurnEnded,
    DoubleBeavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    DropPays,
    OpeningDecided,
    Player,
    RaiseBy,
    Rolled,
    Tie,
    apply_cube_event,
)

_LARGEST = 1 << 62
_LONGEST_SCRIPT = 10_000  # events; a doubled value grows by one bit with each, and no game is that long
_BARE: Mapping[str, Callable[[], CubeEvent]] = {"tie": Tie, "roll": Rolled, "end_turn": CubeTurnEnded}
_BY_PLAYER: Mapping[str, Callable[[Player], CubeEvent]] = {
    "offer": DoubleOffered,
    "take": DoubleTaken,
    "drop": DoubleDropped,
    "beaver": DoubleBeavered,
}


def answer(case: Mapping[str, object]) -> list[object]:
    """For each event `[allowed, state]`, with the state after it."""
    rules = read_required(case, "settings", _read_rules)
    state, answers = CubeState(), list[object]()
    for event in read_required(case, "script", ListOf(_read_event, _LONGEST_SCRIPT)):
        ruling = apply_cube_event(state, event, rules)
        state = ruling.state
        answers.append([ruling.is_allowed, _to_json(state)])
    return answers


def _to_json(state: CubeState) -> dict[str, object]:
    return {
        "value": state.value,
        "owner": state.owner.value if state.owner else None,
        "turned": state.turned,
        "offer_by": state.offer_by.value if state.offer_by else None,
        "over": [state.over.winner.value, state.over.points] if state.over else None,
    }


def _read_rules(value: object, name: str) -> CubeRules:
    given = read_mapping(value, name)
    check_known_names(given, name, (field.name for field in fields(CubeRules)))
    return CubeRules(
        use=read_optional(given, "use", read_flag, default=True),
        crawford_game=read_optional(given, "crawford_game", read_flag, default=False),
        beaver=read_optional(given, "beaver", read_flag, default=False),
        cap=read_optional(given, "cap", OrNone(WholeNumber(1, _LARGEST)), None),
        raise_by=read_optional(given, "raise_by", EnumChoice(RaiseBy), RaiseBy.DOUBLE),
        auto_limit=read_optional(given, "auto_limit", WholeNumber(0, 1000), 0),
        drop_pays=read_optional(given, "drop_pays", EnumChoice(DropPays), DropPays.PRESENT),
    )


def _read_event(value: object, name: str) -> CubeEvent:
    """Reads `["tie"]`, `["opening", starter, throws_again]`, `["offer", who]` and so on."""
    entries = read_items(value, name)
    word = read_text(entries[0], name) if entries else ""
    player = partial(EnumChoice(Player), name=name)
    if word in _BARE and len(entries) == 1:
        return _BARE[word]()
    if word in _BY_PLAYER and len(entries) == 2:
        return _BY_PLAYER[word](player(entries[1]))
    if word == "opening" and len(entries) == 3:
        return OpeningDecided(player(entries[1]), read_flag(entries[2], name))
    raise CaseError(
        f"field {name!r}: {word[:40]!r} with {len(entries)} entries is no event; give tie, roll, end_turn, "
        "or offer, take, drop, beaver with a player, or opening with the starter and whether he throws again"
    )
