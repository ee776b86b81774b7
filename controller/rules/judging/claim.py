"""What the board after a turn claims, whatever the throw: whose checkers changed, and how."""

from dataclasses import dataclass

from controller.rules.player import BAR, POINTS, Player
from controller.rules.plays.target import Target, cumulate_counts, is_level_or_ahead
from controller.rules.position import Position, pack_counts
from controller.rules.ruleset import Contact, Ruleset
from controller.rules.rulings import Breach, Rule
from controller.rules.setup import Setup, Side


@dataclass(frozen=True, slots=True)
class TurnClaim:
    """The mover's side and the hits that the board shows, and the breaches that no throw can explain.

    Without a target the breaches decide alone. With a target, a hit checker was not put on the bar; this breach does not
    hide what else was played.
    """

    target: Target | None
    breaches: tuple[Breach, ...] = ()
    if_not_hit: tuple[Breach, ...] = ()  # the breaches instead if no play to the target has these hits


@dataclass(frozen=True, slots=True)
class _OpponentReading:
    hits: int = 0  # the mover's points, as bits, where a blot was hit
    left_out: int = 0  # hit checkers that are nowhere on the board
    left_standing: int = 0  # the mover's points, as bits, where the hit checker still stands
    moved: tuple[Breach, ...] = ()
    misplaced: bool = False  # a hit checker lies on another place than the bar; else `moved` names the change


def read_claim(before: Position, mover: Player, after: Setup, rules: Ruleset) -> TurnClaim:
    """Reads the board `after` as a turn of `mover` from `before`."""
    seen = _read_opponent(before, mover, after, rules)
    moved, waiting = after.side(mover), after.side(mover.opponent)
    totals = _check_total(moved, 0, mover, rules)
    totals += _check_total(waiting, seen.left_out, mover.opponent, rules)
    if totals or (seen.moved and not seen.misplaced):
        return TurnClaim(None, totals + seen.moved)
    side = pack_counts(moved.counts)
    if not is_level_or_ahead(cumulate_counts(side), cumulate_counts(before.side(mover))):
        return TurnClaim(None, (_make_backwards_breach(before.counts(mover), moved.counts),))
    return TurnClaim(Target.of(side, seen.hits), _find_hits_off_bar(seen, mover.opponent, rules), seen.moved)


def _check_total(side: Side, left_out: int, player: Player, rules: Ruleset) -> tuple[Breach, ...]:
    """Compares the number of checkers with the ruleset; `left_out` hit checkers are known to lie beside the board."""
    name, total = player.name.capitalize(), side.total + left_out
    if min(side.counts) < 0:
        # A place whose count is computed as the rest falls below zero if the other places hold too many checkers.
        return (
            Breach(Rule.CHECKER_EXTRA, f"{name} has more than {rules.checkers} checkers; take the extra ones away."),
        )
    difference = total - rules.checkers
    if difference < 0:
        sentence = f"{name} has {total} of {rules.checkers} checkers; put the missing ones back."
        return (Breach(Rule.CHECKER_MISSING, sentence),)
    if difference > 0:
        sentence = f"{name} has {total} instead of {rules.checkers} checkers; take the extra ones away."
        return (Breach(Rule.CHECKER_EXTRA, sentence),)
    return ()


def _read_opponent(before: Position, mover: Player, after: Setup, rules: Ruleset) -> _OpponentReading:
    old, new = before.counts(mover.opponent), after.side(mover.opponent).counts
    if rules.contact is Contact.HIT:
        return _read_hits(old, new, after.side(mover), rules)
    if new == old:
        return _OpponentReading(moved=_check_pins(before, mover, after, rules))
    if sum(new) != sum(old):
        return _OpponentReading()  # `_check_total` reports it better
    return _OpponentReading(moved=(_make_opponent_breach(old, new),))


def _read_hits(old: tuple[int, ...], new: tuple[int, ...], moved: Side, rules: Ruleset) -> _OpponentReading:
    """Blots that left their points must lie on the bar; nothing else of the opponent's may change."""
    taken = [point for point in POINTS if old[point] == 1 and new[point] == 0]
    standing = [
        point for point in POINTS if old[point] == new[point] == 1 and moved.points[rules.direction.across(point) - 1]
    ]
    arrived = new[BAR] - old[BAR]
    untouched = all(
        new[coordinate] == count
        for coordinate, count in enumerate(old)
        if coordinate != BAR and coordinate not in taken
    )
    left_out = len(taken) - arrived
    elsewhere = sum(max(count - old[place], 0) for place, count in enumerate(new) if place != BAR)
    hits = sum(1 << rules.direction.across(point) for point in (*taken, *standing))
    if untouched and 0 <= left_out <= len(taken):
        return _OpponentReading(hits, left_out, sum(1 << rules.direction.across(point) for point in standing))
    if sum(new) != sum(old):
        return _OpponentReading()  # `_check_total` reports it better
    lost = sum(max(old[place] - count, 0) for place, count in enumerate(new))
    misplaced = lost == len(taken) and 0 < elsewhere == left_out
    return _OpponentReading(hits if misplaced else 0, moved=(_make_opponent_breach(old, new),), misplaced=misplaced)


def _find_hits_off_bar(seen: _OpponentReading, opponent: Player, rules: Ruleset) -> tuple[Breach, ...]:
    name = opponent.name.capitalize()
    breaches = []
    for point in POINTS:
        if seen.left_standing >> point & 1:
            sentence = f"{name}'s checker on the mover's point {point} was hit; put it on the bar."
            breaches.append(Breach(Rule.HIT_NOT_ON_BAR, sentence))
    if seen.misplaced:
        sentence = f"A checker of {name}'s that was hit does not lie on the bar; put it there."
        breaches.append(Breach(Rule.HIT_NOT_ON_BAR, sentence))
    if seen.left_out:
        sentence = f"{seen.left_out} of {name}'s checkers left the board by a hit; put what was hit on the bar."
        breaches.append(Breach(Rule.HIT_NOT_ON_BAR, sentence))
        missing = (
            f"{name} has {rules.checkers - seen.left_out} of {rules.checkers} checkers; put the missing ones back."
        )
        breaches.append(Breach(Rule.CHECKER_MISSING, missing))
    return tuple(breaches)


def _check_pins(before: Position, mover: Player, after: Setup, rules: Ruleset) -> tuple[Breach, ...]:
    """The counts determine which checker lies underneath; a claim that differs changed the order of the checkers."""
    if rules.contact is not Contact.PIN:
        return ()
    moved, waiting = after.side(mover), after.side(mover.opponent)
    stuck = frozenset(point for point in POINTS if before.pinned_mask(mover) >> point & 1)
    underneath = frozenset(
        point
        for point in POINTS
        if waiting.points[point - 1] == 1
        and moved.points[rules.direction.across(point) - 1]
        and rules.direction.across(point) not in stuck
    )
    if moved.pinned == stuck and waiting.pinned == underneath:
        return ()
    sentence = "A pinned checker no longer lies underneath, or another one does; restore the order of the checkers."
    return (Breach(Rule.OPPONENT_MOVED, sentence),)


def _make_opponent_breach(old: tuple[int, ...], new: tuple[int, ...]) -> Breach:
    places = [_name_place(coordinate) for coordinate in range(27) if old[coordinate] != new[coordinate]]
    sentence = f"The opponent's checkers changed on {' and '.join(places)} (his own count); put them back."
    return Breach(Rule.OPPONENT_MOVED, sentence)


def _make_backwards_breach(old: tuple[int, ...], new: tuple[int, ...]) -> Breach:
    """Names the lowest place from which a checker moved up the path, and where it moved."""
    coordinate = next(place for place in range(27) if sum(new[: place + 1]) < sum(old[: place + 1]))
    source = max(place for place in range(coordinate + 1) if new[place] < old[place])
    target = min(place for place in range(coordinate + 1, 27) if new[place] > old[place])
    sentence = f"A checker went back from {_name_place(source)} to {_name_place(target)}; checkers only move forward."
    return Breach(Rule.MOVED_BACKWARDS, sentence)


def _name_place(coordinate: int) -> str:
    return {0: "the tray", 25: "the bar", 26: "the reserve"}.get(coordinate, f"point {coordinate}")
