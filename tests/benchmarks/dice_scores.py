"""Compares dice that were read with the dice of a label: which belongs to which, and how the throw was judged.

A die is accepted when it is taken to lie flat with a known value, as every die of a valid throw must be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product

import numpy as np

from controller.observing.throw_evidence import (
    DEFAULT_DICE_TRUST,
    DiceTrust,
    flag_doubtful_dice,
    judge_dice,
    to_thrown_die,
)
from controller.rules import Lie, ThrowContext, ThrownDie, ThrowRules, get_ruleset
from tests.benchmarks.dice_labels import CubeLabel, DiceLabel, DieLabel, PointPx, ThrowLabel
from vision.dice.detect import DiceInView
from vision.dice.readings import CubeReading, DieReading

SAME_PLACE = 0.5  # edges; a reading further off does not belong to the die
RULES = ThrowRules.of(get_ruleset("backgammon"))


@dataclass(frozen=True, slots=True)
class DieScore:
    """A die of a label and the reading in its place; `seen` is the die that the referee takes it for."""

    picture: str
    groups: tuple[str, ...]
    label: DieLabel
    read: DieReading | None = None
    seen: ThrownDie | None = None

    @property
    def confidence(self) -> float:
        """Confidence of the value, 0..1; 0 when nothing was read."""
        return 0.0 if self.read is None else self.read.value_confidence

    @property
    def is_value_right(self) -> bool:
        return self.read is not None and self.read.value == self.label.face

    @property
    def is_answered(self) -> bool:
        """Whether `zarbiter read` would report a value: it is confident, and the die is not read as cocked."""
        return self.read is not None and self.read.accepted_value is not None

    @property
    def is_accepted(self) -> bool:
        return self.seen is not None and is_accepted(self.seen)

    @property
    def is_state_right(self) -> bool:
        return self.read is not None and self.read.lies is self.label.state

    @property
    def tilt_error_deg(self) -> float:
        return float("nan") if self.read is None else abs(self.read.tilt_deg - self.label.tilt_deg)

    @property
    def sentence(self) -> str:
        """The label and the reading in words."""
        label = self.label
        truth = f"{label.face} {label.state.value}"
        if label.tilt_deg:
            truth += f", {label.tilt_deg:.1f} degrees"
        truth = f"{self.picture}: {truth}, {label.style}, {label.size_px:.0f} px"
        return f"{truth}: not found" if self.read is None else f"{truth}: read {read_sentence(self.read)}"


class Stray(Enum):
    """What a reading that belongs to no labelled die shows."""

    NOTHING = "nothing there"
    TWICE = "a die read twice"
    CUBE = "the cube"


@dataclass(frozen=True, slots=True)
class StrayDie:
    """A reading that belongs to no labelled die."""

    picture: str
    kind: Stray
    read: DieReading
    is_accepted: bool
    is_doubted: bool = False  # beside a whole throw it leads to a question and refuses nothing

    @property
    def sentence(self) -> str:
        x, y = self.read.centre_px
        return f"{self.picture}: {self.kind.value}, at {x:.0f}, {y:.0f}: read {read_sentence(self.read)}"


@dataclass(frozen=True, slots=True)
class ThrowScore:
    """A labelled throw and the ruling on it; `valid` is None when unsure."""

    picture: str
    label: ThrowLabel
    valid: bool | None
    values: tuple[int, ...]
    why: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether it was accepted though it does not count, or with other values."""
        return self.valid is True and (self.label.reason is not None or self.values != self.label.values)

    @property
    def sentence(self) -> str:
        truth = self.label.reason.value if self.label.reason else f"valid {self.label.values}"
        ruling = {True: f"accepted {self.values}", False: "refused", None: "unsure"}[self.valid]
        return f"{self.picture}: {truth}: {ruling} {self.why}".rstrip()


@dataclass(frozen=True, slots=True)
class PictureScore:
    """The reading of one picture. A cube that was read is `cube_read` at the labelled place, `cube_astray` elsewhere."""

    name: str
    size_px: tuple[int, int]
    dice: tuple[DieScore, ...]
    strays: tuple[StrayDie, ...]
    throw: ThrowScore | None
    cube: CubeLabel | None
    cube_read: CubeReading | None
    cube_astray: CubeReading | None
    read_ms: float = float("nan")

    @property
    def asked(self) -> tuple[DieScore, ...]:
        """The dice that are plainly in view."""
        return tuple(die for die in self.dice if die.label.is_asked)


def picture_score(
    label: DiceLabel, seen: DiceInView, size_px: tuple[int, int], trust: DiceTrust = DEFAULT_DICE_TRUST
) -> PictureScore:
    name = label.image.name
    pairs = paired([die.places_px for die in label.dice], [die.edge_px for die in label.dice], seen.dice)
    context = None if label.throw is None else _context(label.throw)
    doubts = (False,) * len(seen.dice) if context is None else flag_doubtful_dice(seen.dice, context, trust)
    dice = []
    for order, die in enumerate(label.dice):
        groups = (f"style: {die.style}", *label.groups)
        read = seen.dice[pairs[order]] if order in pairs else None
        dice.append(DieScore(name, groups, die, read, None if read is None else to_thrown_die(read, trust)))
    strays = [
        StrayDie(
            name,
            stray_kind(die.centre_px, label),
            die,
            is_accepted(to_thrown_die(die, trust)),
            is_doubted=doubts[order],
        )
        for order, die in enumerate(seen.dice)
        if order not in pairs.values()
    ]
    is_cube_there = seen.cube is not None and label.cube is not None and _is_at(seen.cube.centre_px, label.cube)
    throw = None if label.throw is None else throw_score(name, label.throw, seen, trust)
    return PictureScore(
        name=name,
        size_px=size_px,
        dice=tuple(dice),
        strays=tuple(strays),
        throw=throw,
        cube=label.cube,
        cube_read=seen.cube if is_cube_there else None,
        cube_astray=None if is_cube_there else seen.cube,
    )


def paired(
    places_px: Sequence[Sequence[PointPx]], sizes_px: Sequence[float], read: Sequence[DieReading]
) -> dict[int, int]:
    """Maps labelled dice to read dice by index, nearest pairs first, each once, none beyond SAME_PLACE."""
    away = {
        (here, there): edges_away(read[there].centre_px, places_px[here], sizes_px[here])
        for here, there in product(range(len(places_px)), range(len(read)))
    }
    pairs: dict[int, int] = {}
    for (here, there), edges in sorted(away.items(), key=lambda item: item[1]):
        if edges <= SAME_PLACE and here not in pairs and there not in pairs.values():
            pairs[here] = there
    return pairs


def stray_kind(centre_px: PointPx, label: DiceLabel) -> Stray:
    """What a reading that belongs to no labelled die shows."""
    if any(edges_away(centre_px, die.places_px, die.edge_px) <= SAME_PLACE for die in label.dice):
        return Stray.TWICE
    return Stray.CUBE if label.cube is not None and _is_at(centre_px, label.cube) else Stray.NOTHING


def throw_score(picture: str, label: ThrowLabel, seen: DiceInView, trust: DiceTrust = DEFAULT_DICE_TRUST) -> ThrowScore:
    ruling = judge_dice(seen.dice, _context(label), RULES, trust, perhaps_more=seen.may_hold_more)
    why = ", ".join(finding.value for finding in (*ruling.reasons, *ruling.unclear))
    return ThrowScore(picture, label, ruling.valid, ruling.values or (), why)


def _context(label: ThrowLabel) -> ThrowContext:
    return ThrowContext(expected=label.expected)


def is_accepted(die: ThrownDie) -> bool:
    return die.lie is Lie.FLAT and die.value is not None


def read_sentence(die: DieReading) -> str:
    return f"{die.value} ({die.value_confidence:.4f}), {die.lies.value} ({die.lie_confidence:.3f}), {die.tilt_deg:.1f} degrees"


def _is_at(centre_px: PointPx, cube: CubeLabel) -> bool:
    return edges_away(centre_px, cube.places_px, cube.size_px) <= SAME_PLACE


def edges_away(centre_px: PointPx, places_px: Sequence[PointPx], size_px: float) -> float:
    """Distance from the nearest of the places, in edges."""
    return float(np.linalg.norm(np.subtract(places_px, centre_px), axis=1).min()) / size_px
