"""What the referee receives for each frame: settled facts to judge, and the evidence of the frame alone for hints."""

from collections.abc import Set
from dataclasses import dataclass, replace

from controller.observing.board_evidence import BoardEvidence
from vision.dice.readings import CubeReading
from vision.dice_tracking.events import DiceEvent, SettledDie, dice_of
from vision.pixels.picture_quality import PictureFault


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """One frame, in the context of the frames before it. It knows no rules and no players.

    `board` is None until the scene has rested without a hand: only a settled board is judged. `frame_evidence` comes from
    this frame alone, with or without a hand: it suffices for hints, never for a ruling.
    """

    taken_ms: int
    frame_evidence: BoardEvidence
    board: BoardEvidence | None
    dice_events: tuple[DiceEvent, ...] = ()  # what happened to dice by this frame
    dice: tuple[SettledDie, ...] = ()  # settled dice that lie there now
    cube: CubeReading | None = None
    perhaps_more_dice: bool = False  # something in this frame may be a die that was not detected as one
    hand_in_view: bool = False
    is_moving: bool = False
    board_moved_mm: float = 0.0
    shows_board: bool = True  # False once nothing in the picture looks like the board of the calibration
    picture_fault: PictureFault | None = None
    is_unreadable: bool = False  # by this fault: no place of the frame can be read

    def without_dice(self) -> "Observation":
        """The frame for a game without dice: dice that lie about mean nothing there."""
        return replace(self, dice_events=(), dice=(), perhaps_more_dice=False)

    def has_unchanged_dice(self, numbers: Set[int]) -> bool:
        """Whether settled dice with these track numbers lie there and no event of this frame concerns them."""
        concerned = {die.number for event in self.dice_events for die in dice_of(event)}
        return numbers.isdisjoint(concerned) and numbers <= {die.number for die in self.dice}
