"""What the last frames show of the table: the board, the settled dice, hands, and where the cube lay."""

from dataclasses import dataclass, replace

from controller.observing import BoardEvidence, Observation
from vision.dice.readings import CubePlace
from vision.dice_tracking.events import SettledDie
from vision.pixels.picture_quality import PictureFault


@dataclass(frozen=True, slots=True)
class View:
    """The table as the camera showed it last; copied from each `Observation`.

    `glimpse` is the last frame alone, without its picture: good enough for a light. `board` is the last settled board and is
    what the referee judges. `cube_path` holds the last two places of the cube since something was last done with it, the latest
    last. `unsettled_ms`: since when no board has been at rest in view, None while one is. `fault` and `fault_ms`: the fault
    of the pictures, and since when they have it; `is_unreadable`: so that no place can be read.
    """

    glimpse: BoardEvidence | None = None
    board: BoardEvidence | None = None
    hand_in_view: bool = False
    is_moving: bool = False
    dice: tuple[SettledDie, ...] = ()
    cube_path: tuple[CubePlace, ...] = ()
    unsettled_ms: int | None = None
    fault: PictureFault | None = None
    fault_ms: int = 0
    is_unreadable: bool = False

    def observe(self, seen: Observation) -> "View":
        """The view after one frame; the last settled board stays until another one has settled."""
        unsettled_ms = seen.taken_ms if self.unsettled_ms is None else self.unsettled_ms
        return View(
            glimpse=replace(seen.frame_evidence, picture=None),  # 64 kB of each state that waits for spectators
            board=seen.board if seen.board is not None else self.board,
            hand_in_view=seen.hand_in_view,
            is_moving=seen.is_moving,
            dice=seen.dice,
            cube_path=_extend_cube_path(self.cube_path, seen),
            unsettled_ms=unsettled_ms if seen.board is None else None,
            fault=seen.picture_fault,
            is_unreadable=seen.is_unreadable,
            fault_ms=self.fault_ms if seen.picture_fault is self.fault else seen.taken_ms,
        )

    def acknowledge_cube(self) -> "View":
        """The cube's present place has been dealt with: only a further move counts."""
        return replace(self, cube_path=self.cube_path[-1:])


def _extend_cube_path(path: tuple[CubePlace, ...], seen: Observation) -> tuple[CubePlace, ...]:
    """Two places show that the cube was moved, and where to; a cube in a hand lies nowhere."""
    if seen.cube is None or seen.hand_in_view or (path and path[-1] is seen.cube.place):
        return path
    return (*path[-1:], seen.cube.place)
