"""Events of the tracker: what happened to the dice. No players, no rules, no word on whether a throw counts."""

from dataclasses import dataclass

from vision.dice.readings import DieReading


@dataclass(frozen=True, slots=True)
class SettledDie:
    """A die that came to rest. `reading` is that of its rest, whatever happens to the die later."""

    number: int  # unique, for as long as the die lies there
    throw: int  # common to dice that settled together
    reading: DieReading  # fused over the rest
    settled_ms: int

    @property
    def value(self) -> int:
        return self.reading.value


@dataclass(frozen=True, slots=True)
class DiceSettled:
    """Dice lie still where none lay before."""

    dice: tuple[SettledDie, ...]
    taken_ms: int


@dataclass(frozen=True, slots=True)
class ExtraDice:
    """Dice lie still beside others that lay there before.

    A third die, the second of an opening throw, an early throw, a throw while the opponent's own pair lies by: the
    picture cannot distinguish these. `perhaps_old` has the numbers of new dice that may have lain there before: a
    track moved elsewhere, but the old die may rather have been tipped where it lay, or be one of these.
    """

    dice: tuple[SettledDie, ...]
    lay_before: tuple[SettledDie, ...]
    taken_ms: int
    perhaps_old: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DieMoved:
    """A settled die lies elsewhere: pushed aside. It keeps its value; `now` is its reading there.

    `was_gone`: in between it was out of view for a while without a hand to hide it, so it may be a new throw.
    """

    die: SettledDie
    from_px: tuple[float, float]
    now: DieReading
    taken_ms: int
    was_gone: bool = False


@dataclass(frozen=True, slots=True)
class DieTurned:
    """A settled die shows another face than the last one reported: a question. `die.value` stays."""

    die: SettledDie
    was: int  # the face reported last: that of the throw, or of the last DieTurned
    now: int
    taken_ms: int


@dataclass(frozen=True, slots=True)
class DiceLifted:
    """Settled dice are gone from a scene at rest; `remaining` still lie there."""

    dice: tuple[SettledDie, ...]
    remaining: tuple[SettledDie, ...]
    taken_ms: int


@dataclass(frozen=True, slots=True)
class DiceFound:
    """Dice reported as lifted lie where they lay, with the same face: they had only been hidden."""

    dice: tuple[SettledDie, ...]
    taken_ms: int


DiceEvent = DiceSettled | ExtraDice | DieMoved | DieTurned | DiceLifted | DiceFound


def dice_of(event: DiceEvent) -> tuple[SettledDie, ...]:
    """The dice of an event."""
    return (event.die,) if isinstance(event, DieMoved | DieTurned) else event.dice
