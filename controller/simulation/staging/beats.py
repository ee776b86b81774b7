"""A film of the table as values: stretches of time, in each of which one thing happens; and orders between them."""

from dataclasses import dataclass

from controller.match.commands import Command
from controller.match.inputs import PeripheralEvent
from controller.match.seating import Checkers
from controller.rules import Lie, Player, ThrownDie
from controller.simulation.staging.board_plan import PointMm
from controller.simulation.staging.stacks import Stacks


@dataclass(frozen=True, slots=True)
class DieAtRest:
    """A die that lies still. `pair` tells the sets of dice apart by whose they are.

    `layers` are checkers below it; its upper face looks towards `way_deg` when it is tilted (0 is right, 90 down).
    """

    number: int
    pair: Player
    value: int
    lie: Lie
    centre_mm: PointMm
    yaw_deg: float = 0.0
    tilt_deg: float = 0.0
    tilt_direction_deg: float = 0.0
    layers: int = 0
    thrown: ThrownDie | None = None  # as a perfect look would give it to the judge of throws


@dataclass(frozen=True, slots=True)
class RollingDie:
    """A die on its way, in the open or pushed by a hand; at the end of the beat it lies as `ends` says."""

    from_mm: PointMm
    end: DieAtRest
    is_pushed: bool = False


@dataclass(frozen=True, slots=True)
class HandMovement:
    """A hand goes in a straight line while the beat lasts; None for the place outside the picture it comes from."""

    player: Player
    from_below: bool  # the edge of the picture at which its owner sits
    from_mm: PointMm | None
    to_mm: PointMm | None
    carries: Checkers | None = None
    dice: int = 0  # in the hand


@dataclass(frozen=True, slots=True)
class Conditions:
    """How camera and light are."""

    is_camera_there: bool = True
    shift_mm: PointMm = (0.0, 0.0)  # how far the board lies from where it was calibrated
    led_light: int = 0  # 0 is dark; else the number of a pattern of the strip


STEADY = Conditions()


@dataclass(frozen=True, slots=True)
class Beat:
    """From `starts_ms` on for `lasts_ms`: what stands and lies there all the time, and what moves."""

    starts_ms: int
    lasts_ms: int
    stacks: Stacks
    dice: tuple[DieAtRest, ...] = ()
    rolling: tuple[RollingDie, ...] = ()
    hand: HandMovement | None = None
    conditions: Conditions = STEADY

    @property
    def ends_ms(self) -> int:
        return self.starts_ms + self.lasts_ms

    @property
    def is_still(self) -> bool:
        return self.hand is None and not self.rolling


@dataclass(frozen=True, slots=True)
class Cue:
    """An order that somebody gives, or what became of a link, at a moment."""

    at_ms: int
    order: Command | PeripheralEvent
