"""What many looks amount to, frame by frame: the settled facts that the referee judges, and the glimpse he helps by."""

from collections.abc import Set
from dataclasses import dataclass

from controller.observing.board_evidence import BoardEvidence
from vision.dice.readings import CubeReading
from vision.dice_tracking.events import DiceEvent, SettledDie, dice_of


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """One frame, seen together with those before it. No rules, no players.

    `board` is None until the scene rested without a hand: only a settled board is judged. `glimpse` is this frame
    alone, a hand in it or not: good enough for a light, never for a ruling.
    """

    taken_ms: int
    frame_evidence: BoardEvidence
    board: BoardEvidence | None
    dice_events: tuple[DiceEvent, ...] = ()  # what happened to dice by this frame
    dice: tuple[SettledDie, ...] = ()  # settled dice that lie there now
    cube: CubeReading | None = None
    perhaps_more_dice: bool = False  # something in this frame may be a die that is not told as one
    hand_in_view: bool = False
    is_moving: bool = False
    board_moved_mm: float = 0.0

    def has_unchanged_dice(self, numbers: Set[int]) -> bool:
        """Whether settled dice of these numbers lie there, and nothing happened to any of them by this frame."""
        told = {die.number for event in self.dice_events for die in dice_of(event)}
        return numbers.isdisjoint(told) and numbers <= {die.number for die in self.dice}
