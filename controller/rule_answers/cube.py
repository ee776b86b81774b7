"""Answers questions of the kind `cube`: which events of a script are allowed, and the state after each."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial

from controller.rule_answers.fields import (
    CaseError,
    Choice,
    ListOf,
    OrNone,
    Whole,
    flag,
    items,
    known_only,
    mapping,
    optional,
    required,
    text,
)
from controller.rules.player import Player
from controller.rules.scoring.cube import (
    Beavered,
    CubeEvent,
    CubeRules,
    CubeState,
    DropPays,
    Dropped,
    Offered,
    Opening,
    RaiseBy,
    Rolled,
    Taken,
    Tie,
    TurnEnded,
    apply,
)

_LARGEST = 1 << 62
_LONGEST_SCRIPT = 10_000  # a doubled value has a bit for each event; no game comes near
_BARE: Mapping[str, Callable[[], CubeEvent]] = {"tie": Tie, "roll": Rolled, "end_turn": TurnEnded}
_BY_PLAYER: Mapping[str, Callable[[Player], CubeEvent]] = {
    "offer": Offered,
    "take": Taken,
    "drop": Dropped,
    "beaver": Beavered,
}


def answer(case: Mapping[str, object]) -> list[object]:
    """For each event `[allowed, state]`, the state as it is afterwards."""
    rules = required(case, "settings", _rules)
    state, told = CubeState(), list[object]()
    for event in required(case, "script", ListOf(_event, _LONGEST_SCRIPT)):
        ruling = apply(state, event, rules)
        state = ruling.state
        told.append([ruling.allowed, _as_json(state)])
    return told


def _as_json(state: CubeState) -> dict[str, object]:
    return {
        "value": state.value,
        "owner": state.owner.value if state.owner else None,
        "turned": state.turned,
        "offer_by": state.offer_by.value if state.offer_by else None,
        "over": [state.over.winner.value, state.over.points] if state.over else None,
    }


def _rules(value: object, name: str) -> CubeRules:
    given = mapping(value, name)
    known_only(given, name, (field.name for field in fields(CubeRules)))
    return CubeRules(
        use=optional(given, "use", flag, default=True),
        crawford_game=optional(given, "crawford_game", flag, default=False),
        beaver=optional(given, "beaver", flag, default=False),
        cap=optional(given, "cap", OrNone(Whole(1, _LARGEST)), None),
        raise_by=optional(given, "raise_by", Choice(RaiseBy), RaiseBy.DOUBLE),
        auto_limit=optional(given, "auto_limit", Whole(0, 1000), 0),
        drop_pays=optional(given, "drop_pays", Choice(DropPays), DropPays.PRESENT),
    )


def _event(value: object, name: str) -> CubeEvent:
    """`["tie"]`, `["opening", starter, throws_again]`, `["offer", who]` and so on."""
    entries = items(value, name)
    word = text(entries[0], name) if entries else ""
    player = partial(Choice(Player), name=name)
    if word in _BARE and len(entries) == 1:
        return _BARE[word]()
    if word in _BY_PLAYER and len(entries) == 2:
        return _BY_PLAYER[word](player(entries[1]))
    if word == "opening" and len(entries) == 3:
        return Opening(player(entries[1]), flag(entries[2], name))
    raise CaseError(
        f"field {name!r}: {word[:40]!r} with {len(entries)} entries is no event; give tie, roll, end_turn, "
        "or offer, take, drop, beaver with a player, or opening with the starter and whether he throws again"
    )
