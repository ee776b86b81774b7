"""Claimed checkers, and everything that is wrong with the claim.

A `Setup` comes from outside (text, a camera, a person) and may be impossible; a `Position` is never impossible. All
faults are reported at once, each with its own sentence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Flag, auto

from controller.rules.errors import RulesError
from controller.rules.player import POINTS, Player
from controller.rules.ruleset import Contact, Ruleset


class Fault(Flag):
    """What can be wrong with claimed checkers under a ruleset."""

    WHITE_MISSING = auto()
    WHITE_EXTRA = auto()
    BLACK_MISSING = auto()
    BLACK_EXTRA = auto()
    BOTH_ON_POINT = auto()
    BAR_NOT_USED = auto()
    RESERVE_NOT_USED = auto()
    PINS_NOT_USED = auto()
    PIN_WITHOUT_CHECKERS = auto()


@dataclass(frozen=True, slots=True)
class Side:
    """One player's checkers, counted along his own path. Untrusted: may be impossible."""

    off: int
    points: tuple[int, ...]  # 24 counts; points[p - 1] is the own point p
    bar: int = 0
    reserve: int = 0  # checkers that have never entered
    pinned: frozenset[int] = frozenset()  # own points where a checker lies under an opposing one

    @property
    def total(self) -> int:
        return self.off + sum(self.points) + self.bar + self.reserve

    @property
    def counts(self) -> tuple[int, ...]:
        """27 counts by own coordinate: 0 borne off, 1..24 points, 25 bar, 26 reserve."""
        return (self.off, *self.points, self.bar, self.reserve)

    @classmethod
    def of_counts(cls, counts: tuple[int, ...], pinned: frozenset[int] = frozenset()) -> "Side":
        """The side for 26 or 27 counts by own coordinate."""
        return cls(counts[0], counts[1:25], counts[25], counts[26] if len(counts) > 26 else 0, pinned)


@dataclass(frozen=True, slots=True)
class Setup:
    """The checkers of both players as claimed; possibly impossible."""

    white: Side
    black: Side

    def side(self, player: Player) -> Side:
        return self.white if player is Player.WHITE else self.black

    def faults(self, rules: Ruleset) -> Fault:
        """All faults together; an empty flag when the claim is a position of this game."""
        found = Fault(0)
        for fault, _ in _find_faults(self, rules):
            found |= fault
        return found

    def fault_sentences(self, rules: Ruleset) -> tuple[str, ...]:
        """One sentence for each fault, naming side and point."""
        return tuple(sentence for _, sentence in _find_faults(self, rules))


class ImpossibleSetupError(RulesError, ValueError):
    """Claimed checkers that are no position of the game; carries the faults."""

    def __init__(self, faults: Fault, sentences: tuple[str, ...]) -> None:
        super().__init__("; ".join(sentences))
        self.faults = faults
        self.sentences = sentences


_COUNT_FAULTS = {
    Player.WHITE: (Fault.WHITE_MISSING, Fault.WHITE_EXTRA),
    Player.BLACK: (Fault.BLACK_MISSING, Fault.BLACK_EXTRA),
}


def _find_faults(setup: Setup, rules: Ruleset) -> Iterator[tuple[Fault, str]]:
    for player in Player:
        yield from _find_side_faults(setup.side(player), player, rules)
    yield from _find_meeting_faults(setup, rules)


def _find_side_faults(side: Side, player: Player, rules: Ruleset) -> Iterator[tuple[Fault, str]]:
    name = player.name.capitalize()
    missing, extra = _COUNT_FAULTS[player]
    if min(side.counts) < 0:
        yield extra, f"{name} has a place with fewer than 0 checkers, so there are too many elsewhere; count again"
    if side.total < rules.checkers:
        yield missing, f"{name} has {side.total} checkers; {rules.name} needs {rules.checkers}, so add the missing ones"
    if side.total > rules.checkers:
        yield (
            extra,
            f"{name} has {side.total} checkers; {rules.name} needs {rules.checkers}, so take the extra ones away",
        )
    if side.bar and rules.contact is not Contact.HIT:
        yield Fault.BAR_NOT_USED, f"{name} has a checker on the bar, but nothing is hit in {rules.name}; clear the bar"
    if side.reserve and not rules.has_reserve:
        yield (
            Fault.RESERVE_NOT_USED,
            f"{name} has a checker in reserve, but all checkers start on the board in {rules.name}; drop the 27th digit",
        )


def _find_meeting_faults(setup: Setup, rules: Ruleset) -> Iterator[tuple[Fault, str]]:
    pins = rules.contact is Contact.PIN
    if not pins and (setup.white.pinned or setup.black.pinned):
        yield Fault.PINS_NOT_USED, f"a checker is called pinned, but nothing is pinned in {rules.name}; drop the pins"
        return
    for player in Player:
        yield from _find_pin_faults(setup, player, rules)
    for point in POINTS:
        across = rules.direction.across(point)
        if not (setup.white.points[point - 1] and setup.black.points[across - 1]):
            continue
        if point not in setup.white.pinned and across not in setup.black.pinned:
            remedy = "say which one is pinned" if pins else "move one of them away"
            yield (
                Fault.BOTH_ON_POINT,
                f"White's point {point} and Black's point {across} are the same place and both hold checkers; {remedy}",
            )


def _find_pin_faults(setup: Setup, player: Player, rules: Ruleset) -> Iterator[tuple[Fault, str]]:
    """A pinned checker is a single one under at least one opposing checker that is not pinned itself."""
    own, other = setup.side(player), setup.side(player.opponent)
    for point in sorted(own.pinned):
        across = rules.direction.across(point)
        if own.points[point - 1] != 1 or not other.points[across - 1] or across in other.pinned:
            name = player.name.capitalize()
            sentence = f"{name}'s pin on point {point} needs one checker there under an opposing one; correct the pin"
            yield Fault.PIN_WITHOUT_CHECKERS, sentence
