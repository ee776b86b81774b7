"""A film of the table as values: beats of time, in each of which one thing happens, and cues between them."""

from dataclasses import dataclass

from controller.match import Checkers, Command, PeripheralEvent
from controller.rules import Lie, Player, ThrownDie
from controller.simulation.staging.board_plan import PointMm
from controller.simulation.staging.stacks import Stacks


@dataclass(frozen=True, slots=True)
class DieAtRest:
    """A die that lies still. `pair` is the owner of its pair of dice; `layers` counts the checkers below it.

    The upper face of a tilted die points towards `tilt_direction_deg` (0 is right, 90 down).
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
    thrown: ThrownDie | None = None  # the true input for the judge of throws


@dataclass(frozen=True, slots=True)
class RollingDie:
    """A rolling or pushed die; at the end of the beat it is `end`."""

    from_mm: PointMm
    end: DieAtRest
    is_pushed: bool = False


@dataclass(frozen=True, slots=True)
class HandMovement:
    """A hand moves in a straight line during the beat; None stands for a place outside the picture."""

    player: Player
    from_below: bool  # the edge of the picture at which its owner sits
    from_mm: PointMm | None
    to_mm: PointMm | None
    carries: Checkers | None = None
    dice: int = 0  # in the hand


@dataclass(frozen=True, slots=True)
class Conditions:
    """The state of camera and light."""

    is_camera_there: bool = True
    shift_mm: PointMm = (0.0, 0.0)  # the board's offset from where it was calibrated
    led_light: int = 0  # number of the strip's pattern; 0 is dark


STEADY = Conditions()


@dataclass(frozen=True, slots=True)
class Beat:
    """A stretch of time: what stands and lies still during it, and what moves."""

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
    """A command or a peripheral event at a moment."""

    at_ms: int
    order: Command | PeripheralEvent
