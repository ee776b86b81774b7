"""Close looks that hold on: what was found at a spot is there as long as nothing changes around it.

A close look at a die costs as much as half a board. While a hand moves, most of what may be dice lies where it lay, and
there is nothing new to see there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.beside_field import doubted_beside_field
from vision.checkers.occupancy import Standing, Stood
from vision.close_look import LiesLikelier, Look, look_at
from vision.dice_clearance import likelier_lies
from vision.die_windows import DieSpot, KnownBoard

SAME_SPOT = 0.25  # edges; the coarse search puts a die that did not move so near to where it was found before
SAME_SIZE = 0.15  # by so little as a share may its sizes differ
SHOWN_EDGES = 3.5  # from a spot to the end of what its close looks show, put exactly on the die


@dataclass(frozen=True, slots=True, eq=False)
class SpotLook:
    """`look` is None where nothing is that could be a die or the cube; `perhaps`: in another size it may be one."""

    spot: DieSpot
    look: Look | None
    perhaps: bool = False

    def shown(self, reduced: NDArray[np.uint8], shrink: int) -> NDArray[np.uint8]:
        """The part around the spot of a picture (h, w, 3) that was reduced `shrink` times."""
        height, width = reduced.shape[:2]
        reach = SHOWN_EDGES * self.spot.size_px
        (left, right), (top, bottom) = (
            (int(max(0, (at - reach) / shrink)), int(min(most, (at + reach) / shrink + 1)))
            for at, most in zip(self.spot.centre_px, (width, height), strict=True)
        )
        return reduced[top:bottom, left:right]


def spot_looks(
    spots: Sequence[DieSpot],
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    *,
    worth_more: float,
    known: Sequence[SpotLook],
    lies_likelier: Sequence[LiesLikelier | None] = (),
) -> list[SpotLook]:
    """A look at each spot of a picture (h, w, 3) BGR; those of `known`, where nothing changed, are taken as they are.

    `lies_likelier`: what is known of how a die may lie at each of them.
    """
    looked = partial(look_at, pixels, board=board, worth_more=worth_more)
    return [
        _known_at(spot, known) or SpotLook(spot, doubted_beside_field(pixels, looked(spot, likelier=likelier)))
        for spot, likelier in zip(spots, lies_likelier or [None] * len(spots), strict=True)
    ]


def lies_likelier_at(
    spots: Sequence[DieSpot], board: KnownBoard | None, standing: Standing | None, stood: Stood | None
) -> list[LiesLikelier]:
    """How a die may lie at each of these spots, if each of the others may be a die as well.

    Those that are found later are not among them: whoever was let off beside one is looked at once more (`dice.py`).

    Empty where nothing is known of what stands there.
    """
    if board is None or standing is None or not spots:
        return []
    at_mm = board.projection.to_board([spot.centre_px for spot in spots])
    middles_mm = [(float(x_mm), float(y_mm)) for x_mm, y_mm in at_mm]
    return [
        partial(likelier_lies, standing=standing, others_mm=middles_mm[:number] + middles_mm[number + 1 :], stood=stood)
        for number in range(len(spots))
    ]


def _known_at(spot: DieSpot, known: Sequence[SpotLook]) -> SpotLook | None:
    """The nearest of those that are as large: a coarse and a finer search may put two spots on one die."""
    near = [one for one in known if one.spot.is_near(spot.centre_px, spot.size_px, SAME_SPOT)]
    near = [one for one in near if abs(one.spot.size_px - spot.size_px) < SAME_SIZE * spot.size_px]
    return min(near, key=lambda one: float(np.hypot(*np.subtract(one.spot.centre_px, spot.centre_px))), default=None)
