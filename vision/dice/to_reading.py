"""Conversion of classifications into readings of dice and cube."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice.classification import Classification
from vision.dice.classifier import LIES, ClassifierOutput, ObjectClass
from vision.dice.cube_number import accept_number
from vision.dice.lie_prior import DIE_LEAN_EDGES
from vision.dice.readings import BoardHalf, Contact, CubePlace, CubeReading, DieReading, DieState
from vision.geometry.projection import KnownBoard

# Probability from which a die is called cocked, even if another lie is likelier: the confidence is low then, and the
# lie itself is not accepted. Statistical: a higher value calls fewer leaning dice cocked.
COCKED_P = 0.25
# Measured tilt from which a die on a checker, bar or rim is called cocked: it lies level there or leans. Statistical.
COCKED_TILT_DEG = 5.0
LEVEL_ON_SOMETHING = (DieState.ON_CHECKER, DieState.ON_BAR, DieState.ON_RIM)
TOUCHING_P = 0.5  # probability from which a die touches a checker; knob
WALL_NEAR_EDGES = 0.9  # die edges from a wall to the middle of a die that leans on it
DIE_NEAR_EDGES = DIE_LEAN_EDGES[0]
LAPLACE_TO_SIGMA = 2**0.5


def make_dice_readings(results: Sequence[Classification]) -> list[DieReading]:
    """Readings of all dice in a picture; each may lean on another."""
    return [
        _make_die_reading(result, [other.base_mm for other in results if other is not result]) for result in results
    ]


def _make_die_reading(result: Classification, others_mm: Sequence[tuple[float, float]]) -> DieReading:
    output = result.output
    base = result.base_mm
    sine = float(np.clip(np.linalg.norm(output.normal), 0, 1))
    spread = LAPLACE_TO_SIGMA * output.normal_spread
    board = result.place.board
    tilt_deg = float(np.degrees(np.arcsin(sine)))
    lies, confidence = _decide_lie(output, board, tilt_deg)
    return DieReading(
        face_log_likelihood=tuple(float(value) for value in output.face_log_p),
        lies=lies,
        lie_confidence=confidence * result.die_chance,
        centre_px=result.spot.centre_px,
        size_px=result.spot.size_px,
        base_mm=None if board is None else base,
        half=_find_half(base, board),
        touches=_find_contact(result, lies, others_mm),
        tilt_deg=tilt_deg,
        tilt_sigma_deg=float(np.degrees(spread / np.sqrt(max(1 - sine**2, 0.1)))),
        lie_chances=()
        if board is None
        else tuple(float(chance) * result.die_chance for chance in np.exp(output.lie_log_p)),
        die_chance=result.die_chance,
        base_px=result.base_px,
        edge_mm=None if board is None else result.edge,
    )


def _decide_lie(output: ClassifierOutput, board: KnownBoard | None, tilt_deg: float) -> tuple[DieState, float]:
    """The likeliest lie, but cocked where that is not improbable: to call a cocked die flat is the worse error.

    Without a board, cocked means not flat, since it is unknown what the die may lie on.
    """
    chances = np.exp(output.lie_log_p)
    flat, cocked = (float(chances[LIES.index(lie)]) for lie in (DieState.FLAT, DieState.COCKED))
    if board is None:
        return (DieState.FLAT, flat) if flat >= 0.5 else (DieState.COCKED, 1 - flat)
    best = int(chances.argmax())
    if tilt_deg >= COCKED_TILT_DEG and LIES[best] in LEVEL_ON_SOMETHING:
        return DieState.COCKED, float(cocked + chances[best])  # one of the two, and the tilt decides which
    if cocked >= COCKED_P:
        return DieState.COCKED, cocked
    return LIES[best], float(chances[best])


def _find_half(base: tuple[float, float], board: KnownBoard | None) -> BoardHalf | None:
    if board is None:
        return None
    area, (x, y) = board.field, base
    if not area.holds(x, y):
        return None
    if x <= area.bar_left_mm:
        return BoardHalf.LEFT
    return BoardHalf.RIGHT if x >= area.bar_right_mm else None


def _find_contact(result: Classification, lies: DieState, others_mm: Sequence[tuple[float, float]]) -> Contact:
    """What a die that does not lie flat leans on, as far as one picture shows."""
    if lies is DieState.FLAT:
        return Contact.NOTHING
    output, board, base = result.output, result.place.board, result.base_mm
    likeliest = LIES[int(output.lie_log_p.argmax())]
    if output.touches_checker >= TOUCHING_P or likeliest is DieState.ON_CHECKER:
        return Contact.CHECKER
    wall = Contact.NOTHING if board is None else _find_near_wall(base, result.edge, board)
    if wall is not Contact.NOTHING:
        return wall
    is_near_die = any(float(np.hypot(*np.subtract(base, other))) < DIE_NEAR_EDGES * result.edge for other in others_mm)
    return Contact.DIE if is_near_die else Contact.NOTHING


def _find_near_wall(base_mm: tuple[float, float], edge_mm: float, board: KnownBoard) -> Contact:
    near, area, (x, y) = WALL_NEAR_EDGES * edge_mm, board.field, base_mm
    is_along_bar = area.bar_left_mm - near < x < area.bar_right_mm + near and -near < y < area.height_mm + near
    if area.has_bar and is_along_bar:
        return Contact.BAR
    beside = min(x, area.width_mm - x, y, area.height_mm - y)
    return Contact.RIM if abs(beside) < near else Contact.NOTHING


def make_cube_reading(result: Classification, numbers: NDArray[np.float64]) -> CubeReading:
    """The reading of a cube with (6,) log-probabilities of CUBE_VALUES."""
    confidence = float(np.exp(result.output.class_log_p[ObjectClass.CUBE.value]))
    return CubeReading(accept_number(numbers), _find_cube_place(result), result.spot.centre_px, confidence)


def _find_cube_place(result: Classification) -> CubePlace:
    """A cube in a half is offered; on the bar its third shows the owner."""
    board = result.place.board
    if board is None:
        return CubePlace.TABLE
    # The upper face shows beyond the base by the line of sight over the height of the cube.
    area, (x, y) = board.field, (result.place.centre - result.edge * result.place.sight).tolist()
    if not area.holds(x, y):
        return CubePlace.TABLE
    if not (area.bar_left_mm <= x <= area.bar_right_mm):
        return CubePlace.OFFERED
    third = area.height_mm / 3
    if y < third:
        return CubePlace.TOP
    return CubePlace.BOTTOM if y > 2 * third else CubePlace.BAR
