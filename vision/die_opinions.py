"""What the networks that read dice say of a window, each by itself."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.dice_answers import DieAnswer, answer_of
from vision.die_windows import SIGHT, DieSpot, KnownBoard, WindowPlace, place_window
from vision.pixels.inference import answers_to

QUICK, CAREFUL = "dice_quick", "dice"
# Of 249 valid throws on 656 rendered boards, read six times with the search put off, 244.0 are accepted with both, where it were
# 240.7, and of 659 in windows that no training has seen 595 (581); of 2,008 that do not count, on these, on drawn tables and on 161
# more boards, 9.8 (9.2). They are not asked about a die that surely is one and does not lie flat: no throw more would be accepted,
# and one of 983 lies of more than ten degrees fewer be right.
SECOND_OPINION, THIRD_OPINION = "dice_second_opinion", "dice_third_opinion"
# As these two, but they learned what half hidden dice, glints and shadows leave open of a face, and see a little worse how dice lie.
DOUBT, DOUBT_NEARER = "dice_doubt", "dice_doubt_nearer"
# How x and y run in the window of the careful look, and how much smaller it is. Of 1,451 dice in rendered windows that no training
# has seen, both looks' mean tells how they lie for 0.134 nats a die. From as far as the quick look it were 0.123; but of 640 drawn
# throws that count 627 are accepted so, where it are 629, and in photographs four dice of 229 fewer are told.
MIRRORED, NEARER = (-1, 1), 0.85


def quick_opinion(pixels: NDArray[np.uint8], place: WindowPlace) -> DieAnswer:
    """Of a picture (h, w, 3) BGR, as the others."""
    return _said(QUICK, _planes(pixels, place))


def nearer_window(spot: DieSpot, board: KnownBoard | None) -> WindowPlace:
    """Where the careful look is put, of a die that the window of this spot shows exactly."""
    return place_window(replace(spot, size_px=NEARER * spot.size_px), board)


def careful_opinion(pixels: NDArray[np.uint8], nearer: WindowPlace) -> DieAnswer:
    return _said_mirrored(CAREFUL, _planes(pixels, nearer))


def doubting_opinions(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> Iterator[DieAnswer]:
    """Two, each asked for when it is wanted, and for its faces alone, of a spot that is put exactly on a die."""
    yield _said(DOUBT, _planes(pixels, place_window(spot, board)))
    yield _said_mirrored(DOUBT_NEARER, _planes(pixels, nearer_window(spot, board)))


def further_opinions(pixels: NDArray[np.uint8], place: WindowPlace) -> Iterator[DieAnswer]:
    """Two, each asked for when it is wanted."""
    yield from _further_said(_planes(pixels, place))


def all_opinions(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> Iterator[DieAnswer]:
    """All four, likewise, of a spot that is put exactly on a die."""
    planes = _planes(pixels, place_window(spot, board))
    yield _said(QUICK, planes)
    yield careful_opinion(pixels, nearer_window(spot, board))
    yield from _further_said(planes)


def _planes(pixels: NDArray[np.uint8], place: WindowPlace) -> NDArray[np.float32]:
    return place.planes(place.colours(pixels))


def _further_said(planes: NDArray[np.float32]) -> Iterator[DieAnswer]:
    yield _said_mirrored(SECOND_OPINION, planes)
    yield _said(THIRD_OPINION, planes)


def _said(network: str, planes: NDArray[np.float32]) -> DieAnswer:
    return answer_of(answers_to(network, planes, ("answers",))[0])


def _said_mirrored(network: str, planes: NDArray[np.float32]) -> DieAnswer:
    """What a network says of the window as MIRRORED has it, told for the window as it is."""
    x, y = MIRRORED
    mirrored = planes[:, ::y, ::x].copy()
    mirrored[SIGHT] *= np.array(MIRRORED, np.float32)[:, None, None]
    said, back = _said(network, mirrored), np.array(MIRRORED, np.float64)
    return replace(said, normal=back * said.normal, top=back * said.top, base=back * said.base)
