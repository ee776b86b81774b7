"""The whole of a turn by trying everything: slow, plain, and independent of how the judge finds its way."""

from dataclasses import dataclass

from controller.rules import (
    Follow,
    FollowKind,
    Player,
    Position,
    Ruleset,
    Stage,
    ThrowKind,
    Turn,
    find_follow,
    list_endings,
)

HEAD = 24


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a turn stands: which stage begins, and how many head checkers there were when its throw began."""

    throw: int
    index: int
    head: int
    position: Position


def turn_ends(before: Position, mover: Player, turn: Turn, rules: Ruleset) -> dict[Position, set[Follow]]:
    """Every board in which the turn may legally end, with what may follow there."""
    ends: dict[Position, set[Follow]] = {}
    todo, seen = [_Place(0, 0, before.counts(mover)[HEAD], before)], set[_Place]()
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        throw = turn.throws[place.throw]
        taken = place.head - place.position.counts(mover)[HEAD]
        stage = Stage(throw.stages[place.index], throw.is_first_roll and place.index == 0, taken)
        for after, unused in list_endings(place.position, mover, stage, rules):
            follow = find_follow(throw, place.index, unused, rules)
            if follow.kind is FollowKind.NEXT_RANK:
                todo.append(_Place(place.throw, place.index + 1, place.head, after))
            elif place.throw + 1 == len(turn.throws):
                ends.setdefault(after, set()).add(follow)
            elif throw.kind is ThrowKind.TRANSFER or not unused:
                todo.append(_Place(place.throw + 1, 0, after.counts(mover)[HEAD], after))
    return ends
