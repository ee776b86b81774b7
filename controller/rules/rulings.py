"""What the judge says about a turn."""

from dataclasses import dataclass

from controller.rules.breach import Breach, Rule
from controller.rules.position import Position
from controller.rules.stages import Follow
from controller.rules.steps import Step


@dataclass(frozen=True, slots=True)
class Legal:
    """A turn that the rules allow: one way to play it, and what comes next (`game_over` when all are off)."""

    steps: tuple[Step, ...]
    after: Position
    follow: Follow


@dataclass(frozen=True, slots=True)
class Illegal:
    """A turn that the rules refuse: every rule that stands against it, the decisive one first."""

    breaches: tuple[Breach, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(breach.rule for breach in self.breaches)


@dataclass(frozen=True, slots=True)
class Undecided:
    """The judge cannot tell: there are too many ways to look at. The sentence says what would help."""

    sentence: str


Ruling = Legal | Illegal | Undecided
