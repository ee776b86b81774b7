"""What a checker that hit in the mover's own home may still do in this turn (README, Hits in the own home).

The hitter is *held*. Checkers on a point are indistinguishable: from a point with a held and a free checker the player
moves whichever he may, so one step can lead to two states. With `no_run` the state holds nothing, because one checker,
whichever it is, must stay on the point of a hit.
"""

from controller.rules.ruleset import HomeHit
from controller.rules.steps import HELD_SHIFT, HIT_SHIFT, Step, Successor

_HOME_END = 6


def apply_home_hit_rule(mode: HomeHit, state: int, found: list[Successor], *, pair: bool) -> list[Successor]:
    """Filters the steps `found` from `state`; with `pair`, a checker that joins a held one is held too."""
    if mode is HomeHit.NO_RUN:
        return [one for one in found if not _empties_hit_point(state, one[0].source)]
    if mode is HomeHit.NO_BEAROFF:
        return [variant for one in found for variant in _forbid_bearing_off(state, one, pair=pair)]
    return _forbid_hiding(state, found)


def _empties_hit_point(state: int, source: int) -> bool:
    return source <= _HOME_END and bool(state >> HIT_SHIFT >> source & 1) and state >> 4 * source & 15 == 1


def _count_held(state: int, point: int) -> int:
    return state >> HELD_SHIFT + 4 * point & 15 if 1 <= point <= _HOME_END else 0


def _make_held_increment(point: int) -> int:
    return 1 << HELD_SHIFT + 4 * point


def _is_home_hit(step: Step) -> bool:
    return step.hits and step.target <= _HOME_END


def _forbid_bearing_off(state: int, successor: Successor, *, pair: bool) -> list[Successor]:
    """`no_bearoff`: held checkers may move on inside the home, but may not be borne off."""
    step, after, occ = successor
    held = _count_held(state, step.source)
    variants = []
    if (state >> 4 * step.source & 15) > held:
        joins = pair and _count_held(state, step.target) > 0
        variants.append((step, after + (_make_held_increment(step.target) if joins or _is_home_hit(step) else 0), occ))
    if held and step.target:
        variants.append((step, after - _make_held_increment(step.source) + _make_held_increment(step.target), occ))
    return variants


def _forbid_hiding(state: int, found: list[Successor]) -> list[Successor]:
    """`no_hide`: the hitter steps onto no own checker, and is borne off only if nothing else uses the number."""
    kept, last_resort = [], []
    for step, after, occ in found:
        held = _count_held(state, step.source)
        if (state >> 4 * step.source & 15) > held:
            kept.append((step, after + (_make_held_increment(step.target) if _is_home_hit(step) else 0), occ))
        if not held:
            continue
        if not step.target:
            last_resort.append((step, after - _make_held_increment(step.source), occ))
        elif not state >> 4 * step.target & 15:
            kept.append((step, after - _make_held_increment(step.source) + _make_held_increment(step.target), occ))
    return kept or last_resort
