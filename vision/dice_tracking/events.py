"""What happened to the dice, as facts: no players, no rules, no word on whether a throw counts."""

from dataclasses import dataclass

from vision.dice.readings import DieReading


@dataclass(frozen=True, slots=True)
class SettledDie:
    """A die that came to rest. `reading` is that of its rest: it stays as it is whatever is done to the die later."""

    number: int  # its name for as long as it lies there; none is given twice
    throw: int  # the same for dice that settled together
    reading: DieReading  # all looks together
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

    A third die, the second of an opening throw, an early throw, a throw while the opponent's own pair lies by: which
    of these, the picture cannot say.

    `perhaps_old`: numbers of those that may have lain there before. A kept die is told elsewhere by now, but may rather have been
    tipped where it lay, or have gone to one of these places, and what it is taken for have been thrown.
    """

    dice: tuple[SettledDie, ...]
    lay_before: tuple[SettledDie, ...]
    taken_ms: int
    perhaps_old: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DieMoved:
    """A settled die lies elsewhere: pushed aside. It keeps its value; `now` is how it is seen there.

    `was_gone`: in between it was not in view for a while, and no hand that could have hidden it: it may be thrown anew.
    """

    die: SettledDie
    from_px: tuple[float, float]
    now: DieReading
    taken_ms: int
    was_gone: bool = False


@dataclass(frozen=True, slots=True)
class DieTurned:
    """A settled die shows another face than when it was last told; to be asked about. `die.value` is what it was."""

    die: SettledDie
    was: int  # the face told last: that of the throw, or of the last DieTurned
    now: int
    taken_ms: int


@dataclass(frozen=True, slots=True)
class DiceLifted:
    """Settled dice are gone, nothing that moves being near; `remaining` still lie there."""

    dice: tuple[SettledDie, ...]
    remaining: tuple[SettledDie, ...]
    taken_ms: int


@dataclass(frozen=True, slots=True)
class DiceFound:
    """Dice that were told as lifted lie where they lay, with the same face: they had only been hidden."""

    dice: tuple[SettledDie, ...]
    taken_ms: int


DiceEvent = DiceSettled | ExtraDice | DieMoved | DieTurned | DiceLifted | DiceFound


def dice_of(event: DiceEvent) -> tuple[SettledDie, ...]:
    """To which dice it happened."""
    return (event.die,) if isinstance(event, DieMoved | DieTurned) else event.dice
