"""Learns what a board looks like from pictures of a known position, and reads the position again.

What was learned must read each known place as it stands. Besides, a place that the network reads otherwise must be believed
by what the other places teach: the change has enough freedom to learn a single place wrongly, and little enough that the
others then speak against it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers.appearance import (
    LEAST_VISIBLE,
    KnownPlaces,
    apply_appearance,
    learn_appearance,
    list_contents,
)
from vision.checkers.colour_classes import ROW_LENGTH, fuse_face_counts
from vision.checkers.corrected_reading import correct_reading
from vision.checkers.missing_bar import remove_missing_bar
from vision.checkers.network import COUNTS, ViewReading, read_view
from vision.geometry.calibration import Calibration
from vision.geometry.top_view import view_map
from vision.places import POINTS, Colour, Place

Stack = tuple[Colour, int]


# Log-odds of 99 to 1 against what is stated: what the network is 99 % sure of is wrong on about one place of a hundred of a board
# that it never saw, and so often may a position be set up or stated wrongly. On the development set no place that was stated
# rightly and is read rightly after learning exceeds 2.7 (28 positions), and 1 of 25 that were stated wrongly stays below.
CONTRADICTED_NATS = 4.6


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A calibration with what was learned, and the known places that speak against it, with what is read there."""

    calibration: Calibration
    otherwise: Mapping[Place, Stack]


def teach_board(pictures: Sequence[NDArray[np.uint8]], known: Calibration, occupancy: Mapping[Place, Stack]) -> Lesson:
    """Learns from pictures (h, w, 3) of one still camera, all of the size of `known`.

    `occupancy` is what stands there, by place of the picture; a missing point is empty. A place with both colours says nothing,
    nor does one that no picture shows in full view. What `known` learned before is replaced. ValueError without a picture.
    """
    if not pictures:
        raise ValueError("without a picture nothing can be learned")
    where, contents = view_map(known.projection, known.field), list_contents(occupancy)
    views = [where.warp(pixels) for pixels in pictures]
    seen = [KnownPlaces(remove_missing_bar(read_view(view), known.field), contents) for view in views]
    taught = replace(known, appearance=learn_appearance(*seen))
    learned = [correct_reading(view, each.reading, taught).seen for view, each in zip(views, seen, strict=True)]
    otherwise: dict[Place, Stack] = {}
    by_network: dict[Place, Stack] = {}  # those that the network read otherwise before it learned
    for index, content in contents.items():
        place = POINTS[index]
        in_view = [number for number, each in enumerate(seen) if each.reading.visible[index] >= LEAST_VISIBLE]
        if not in_view:
            continue
        plain = _most_likely([seen[number].reading for number in in_view], index)
        read = _most_likely([learned[number] for number in in_view], index)
        if read == content != plain:
            read = _read_by_others(index, [seen[number] for number in in_view])
        if not _agrees(read, content):
            otherwise[place] = _stack_of(read)
            by_network |= {} if _agrees(plain, content) else {place: _stack_of(plain)}
    return Lesson(taught, by_network or otherwise)  # a place that is stated wrongly may spoil the reading of others


def _agrees(read: int, stated: int) -> bool:
    """Whether the class that is read agrees with the one that is stated.

    Checkers that lie on each other hide their number from a camera above: of a heap only the colour and the full lowest row
    are known.
    """
    (colour, count), (seen_colour, seen_count) = _stack_of(stated), _stack_of(read)
    return read == stated or (colour is seen_colour and count > ROW_LENGTH and seen_count >= ROW_LENGTH)


def _most_likely(readings: Sequence[ViewReading], place: int) -> int:
    """The class by all pictures together; one of them may be blurred."""
    return int(np.mean([each.points[place] for each in readings], axis=0).argmax())


def _read_by_others(place: int, seen: Sequence[KnownPlaces]) -> int:
    """The class of a place as it was stated, unless what the other places teach speaks against it."""
    stated = seen[0].contents[place]
    others = {other: content for other, content in seen[0].contents.items() if other != place}
    appearance = learn_appearance(*(replace(each, contents=others) for each in seen))
    read = [fuse_face_counts(apply_appearance(each.reading, appearance)).points[place] for each in seen]
    points = np.mean(read, axis=0)
    return int(points.argmax()) if points.max() - points[stated] > CONTRADICTED_NATS else stated


def _stack_of(content: int) -> Stack:
    """The inverse of `class_of`."""
    if content == 0:
        return Colour.NONE, 0
    return (Colour.LIGHT, content) if content < COUNTS else (Colour.DARK, content - COUNTS + 1)
