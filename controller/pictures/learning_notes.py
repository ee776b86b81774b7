"""What a calibration with a known position learned, in sentences for the user."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.board.board_reading import PointGuess
from vision.board.read_board import read_board
from vision.dice.detect import DiceInView
from vision.field.position_calibration import OccupancyByPlace
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.projection import KnownBoard
from vision.places import POINTS, Colour, Place

WEAK_BELOW = 0.9  # a knob: confidence below which a place is named
MOST_NAMED = 4
# Physical: common dice have edges of 14 mm; below 14 px their pips cannot be told apart, from 18 px on they can.
DIE_MM, LEAST_DIE_PX, GOOD_DIE_PX = 14.0, 14.0, 18.0
DIE_POINTS = 0.35  # an edge in widths of a point, 14 of 40 mm, where nobody gave the scale

Guesses = dict[Place, PointGuess]


def describe_learning(pixels: NDArray[np.uint8], known: Calibration, occupancy: OccupancyByPlace) -> Iterator[str]:
    """The places that are read rightly with and without what was learned, the weakest ones, and the size of dice.

    `occupancy` is what stands in this picture, by place of the picture.
    """
    learned, plain = _read(pixels, known), _read(pixels, replace(known, appearance=None))
    right = [place for place in POINTS if _is_right(learned[place], occupancy, place)]
    before = sum(_is_right(plain[place], occupancy, place) for place in POINTS)
    yield (
        f"The board was learned from this position: {len(right)} of {len(POINTS)} points of this picture are read as they stand,"
        f" {before} without it."
    )
    weak = sorted(
        (place for place in POINTS if plain[place].confidence < WEAK_BELOW), key=lambda one: plain[one].confidence
    )
    if weak:
        named = ", ".join(f"{place.value} ({_describe(plain[place])})" for place in weak[:MOST_NAMED])
        more = f" and {len(weak) - MOST_NAMED} more" if len(weak) > MOST_NAMED else ""
        yield f"Weakest places before it was learned: {named}{more}; glare and shadow there mislead, even light helps."
    wrong = [place.value for place in POINTS if place not in right]
    if wrong:
        yield f"Still read otherwise: {', '.join(wrong)}; look whether they stand as the position says."
    yield from _describe_die_size(known)


def _read(pixels: NDArray[np.uint8], known: Calibration) -> Guesses:
    reading = read_board(Frame(pixels, 0), known, detect_dice=_detect_no_dice)
    return {place: seen.best() for place, seen in reading.points()}


def _detect_no_dice(
    _pixels: object, _board: object, /, *, positions: object = None, previous: object = None
) -> DiceInView:
    """A known position has no dice on its points, and their detection takes most of a reading's time."""
    del positions, previous
    return DiceInView()


def _is_right(guess: PointGuess, occupancy: OccupancyByPlace, place: Place) -> bool:
    return (guess.colour, guess.count) == occupancy.get(place, (Colour.NONE, 0))


def _describe(guess: PointGuess) -> str:
    if guess.colour is Colour.UNKNOWN:
        return "hidden"
    text = "empty" if guess.colour is Colour.NONE else f"{guess.count} {guess.colour.value}"
    return f"{text}, {guess.confidence:.0%} sure"


def _describe_die_size(known: Calibration) -> Iterator[str]:
    edge_mm = DIE_POINTS * known.field.pitch_mm if known.scale_is_assumed else DIE_MM
    edge_px = edge_mm * KnownBoard(known.projection, known.field).px_per_mm
    if edge_px < LEAST_DIE_PX:
        yield f"A die is about {edge_px:.0f} px wide; move the camera nearer or use a larger picture until it has {GOOD_DIE_PX:.0f}."
    elif edge_px < GOOD_DIE_PX:
        yield f"A die is about {edge_px:.0f} px wide, which is little; {GOOD_DIE_PX:.0f} px read more surely."
