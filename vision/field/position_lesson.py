"""What a known position teaches under a calibration, or the refusal of a position that is not read as it was promised."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.checkers import Lesson, teach_board
from vision.geometry.calibration import Calibration, Refusal
from vision.places import MOST_NAMED, Colour, Place


def learn_position(
    pictures: Sequence[NDArray[np.uint8]], known: Calibration, occupancy: Mapping[Place, tuple[Colour, int]]
) -> Calibration | Refusal:
    """The calibration with what the board looks like in pictures (h, w, 3) of its own size.

    `occupancy` is what stands there, by place of the picture; a missing point is empty. A position with a place that is
    read otherwise is refused.
    """
    lesson = teach_board(pictures, known, occupancy)
    if not lesson.otherwise:
        return lesson.calibration
    named = list(_name_places(lesson, occupancy))
    more = f" and {len(named) - MOST_NAMED} more" * (len(named) > MOST_NAMED)
    return Refusal(
        f"The board does not show the position that was promised: {', '.join(named[:MOST_NAMED])}{more}; set it up as told, take"
        " hands, dice and glare off it, or tell the position that stands there."
    )


def _name_places(lesson: Lesson, occupancy: Mapping[Place, tuple[Colour, int]]) -> Iterator[str]:
    for place, stack in lesson.otherwise.items():
        yield f"{place.value} reads as {_word(stack)} instead of {_word(occupancy.get(place, (Colour.NONE, 0)))}"


def _word(stack: tuple[Colour, int]) -> str:
    colour, count = stack
    return f"{count} {colour.value}" if count else "empty"
