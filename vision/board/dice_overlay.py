"""Draws dice and the doubling cube over their picture: where each is, what it shows, how it lies, and how surely.

A die is a square with its value beside it, the cube a square stood on its corner: nothing rests on hue alone. How sure
is told by the outline as on the board (thick, thin, dashed); a value that is not sure is "?", a lie but flat is a word.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import CubeReading, DieReading, DieState
from vision.geometry.projection import Points
from vision.pixels.drawing import DARK, DOUBT, FINE_BITS, LIGHT, LIKELY, Picture, draw_note, draw_plate, draw_sides

_AROUND = 1.5  # of a die's edge: the outline leaves its upper face free however it is turned
_CUBE_PER_FIELD = 1 / 18  # the cube is drawn as large as a usual one, which its reading does not tell
_SMALLEST_PX = 8.0  # of a drawn square, whatever a reading says; none is larger than the picture
_LEGEND = "square: a die  thick: sure  thin: likely  dashed: doubtful  ?: cannot be told"


def draw_dice(pixels: Picture, dice: Sequence[DieReading]) -> Picture:
    """Dice in a picture without a board: a new picture of the same size, BGR."""
    picture = pixels.copy()
    mark_dice(picture, dice)
    draw_note(picture, _LEGEND)
    return picture


def mark_dice(picture: Picture, dice: Sequence[DieReading]) -> None:
    """On the picture itself."""
    for die in dice:
        edge_px = _clamp_edge_px(_AROUND * die.size_px, picture)
        confidence = min(die.lie_confidence, die.value_confidence) if die.shows_a_value else die.lie_confidence
        thin_px = max(1, round(edge_px / 45))
        draw_sides(picture, _square_sides(die.centre_px, edge_px), confidence=confidence, thin_px=thin_px)
        _draw_label_beside(picture, die_text(die), die.centre_px, edge_px, is_doubtful=confidence < LIKELY)


def mark_cube(picture: Picture, cube: CubeReading, field_px: float) -> None:
    """On the picture itself; `field_px` is the field's width in it."""
    edge_px = _clamp_edge_px(_CUBE_PER_FIELD * field_px, picture)
    thin_px = max(1, round(edge_px / 45))
    draw_sides(
        picture, _square_sides(cube.centre_px, edge_px, on_corner=True), confidence=cube.confidence, thin_px=thin_px
    )
    text = f"cube {'?' if cube.value is None else cube.value}"
    _draw_label_beside(
        picture, text, cube.centre_px, edge_px, is_doubtful=cube.value is None or cube.confidence < LIKELY
    )


def die_text(die: DieReading) -> str:
    """`5`, `? cocked`, `3 on rim`: the value where it is believed and the die is at rest, and how it lies if not flat."""
    value = "?" if die.accepted_value is None else str(die.accepted_value)
    return value if die.lies is DieState.FLAT else f"{value} {die.lies.value.replace('_', ' ')}"


def _clamp_edge_px(edge_px: float, picture: Picture) -> float:
    return min(max(edge_px, _SMALLEST_PX), float(min(picture.shape[:2])))


def _square_sides(
    centre_px: tuple[float, float], edge_px: float, *, on_corner: bool = False
) -> Iterator[NDArray[np.int32]]:
    """Its sides in five pieces each, to be dashed, in parts of a pixel."""
    corners: Points = np.array(
        [(0, -1), (1, 0), (0, 1), (-1, 0)] if on_corner else [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    )
    corners_px = centre_px + corners * (edge_px / 2)
    along = np.linspace(0.0, 1.0, 6)[:, None]
    for start, end in zip(corners_px, np.roll(corners_px, -1, axis=0), strict=True):
        yield np.rint((start + along * (end - start)) * (1 << FINE_BITS)).astype(np.int32)


def _draw_label_beside(
    picture: Picture, text: str, centre_px: tuple[float, float], edge_px: float, *, is_doubtful: bool
) -> None:
    """A plate above the square; below it where the picture ends."""
    x_px, y_px = centre_px
    size = float(np.clip(edge_px / 60, 0.4, 1.2))
    away_px = edge_px / 2 + 16 * size + 4
    at_px = (x_px, y_px - away_px if y_px > away_px + 16 * size else y_px + away_px)
    draw_plate(picture, text, at_px, size=size, ink=DARK, plate=DOUBT if is_doubtful else LIGHT)
