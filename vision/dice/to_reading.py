"""From the close look at a die or at the cube to what is read of it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice.classification_cascade import Classification
from vision.dice.classifier import LIES, ClassifierOutput, ObjectClass
from vision.dice.cube_number import accept_number
from vision.dice.lie_prior import DIE_LEAN_EDGES
from vision.dice.readings import BoardHalf, Contact, CubePlace, CubeReading, DieReading, DieState
from vision.geometry.projection import KnownBoard

# Probability from which a die is called cocked, whatever is likelier; nothing is ruled on one that is hardly so. Of 431 dice of
# styles held apart that lean by more than ten degrees so many are called cocked: 97.6 %; where the likeliest counts, 95.3.
COCKED_P = 0.25
# Measured tilt from which a die that is on a checker, on the bar or on the rim is called cocked: it lies level there or leans.
# Of 242 dice in windows rendered for it that lean by more than ten degrees this tells six more rightly, and two of 190 that
# lie level on something wrongly.
COCKED_TILT_DEG = 5.0
LEVEL_ON_SOMETHING = (DieState.ON_CHECKER, DieState.ON_BAR, DieState.ON_RIM)
TOUCHING_P = 0.5  # probability from which a die is said to touch a checker
WALL_NEAR_EDGES = 0.9  # edges from a wall to the middle of a die that leans on it
DIE_NEAR_EDGES = DIE_LEAN_EDGES[0]
LAPLACE_TO_SIGMA = 2**0.5


def make_dice_readings(looks: Sequence[Classification]) -> list[DieReading]:
    """Of all dice in a picture, each of which may lean on another."""
    return [_make_die_reading(look, [other.base_mm for other in looks if other is not look]) for look in looks]


def _make_die_reading(look: Classification, others_mm: Sequence[tuple[float, float]]) -> DieReading:
    """Without a board it has no place in millimetres, and no chances of each lie."""
    answer = look.output
    base = look.base_mm
    sine = float(np.clip(np.linalg.norm(answer.normal), 0, 1))
    spread = LAPLACE_TO_SIGMA * answer.normal_spread
    board = look.place.board
    tilt_deg = float(np.degrees(np.arcsin(sine)))
    lies, confidence = _decide_lie(answer, board, tilt_deg)
    return DieReading(
        face_log_likelihood=tuple(float(value) for value in answer.face_log_p),
        lies=lies,
        lie_confidence=confidence * look.die_chance,
        centre_px=look.spot.centre_px,
        size_px=look.spot.size_px,
        base_mm=None if board is None else base,
        half=_find_half(base, board),
        touches=_find_contact(look, lies, others_mm),
        tilt_deg=tilt_deg,
        tilt_sigma_deg=float(np.degrees(spread / np.sqrt(max(1 - sine**2, 0.1)))),
        lie_chances=()
        if board is None
        else tuple(float(chance) * look.die_chance for chance in np.exp(answer.lie_log_p)),
        die_chance=look.die_chance,
        base_px=look.base_px,
        edge_mm=None if board is None else look.edge,
    )


def _decide_lie(answer: ClassifierOutput, board: KnownBoard | None, tilt_deg: float) -> tuple[DieState, float]:
    """The likeliest, but cocked where that is not unlikely: to say "flat" or "on a checker" of such a die would be the worse
    mistake. Without a board it is likelier flat or not: nobody knows what it may lie on, and nothing is ruled on it.
    """
    chances = np.exp(answer.lie_log_p)
    flat, cocked = (float(chances[LIES.index(lie)]) for lie in (DieState.FLAT, DieState.COCKED))
    if board is None:
        return (DieState.FLAT, flat) if flat >= 0.5 else (DieState.COCKED, 1 - flat)
    best = int(chances.argmax())
    if tilt_deg >= COCKED_TILT_DEG and LIES[best] in LEVEL_ON_SOMETHING:
        return DieState.COCKED, float(cocked + chances[best])  # either of these, and the tilt says which
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


def _find_contact(look: Classification, lies: DieState, others_mm: Sequence[tuple[float, float]]) -> Contact:
    """What a die that does not lie flat leans on, as far as one picture tells."""
    if lies is DieState.FLAT:
        return Contact.NOTHING
    answer, board, base = look.output, look.place.board, look.base_mm
    likeliest = LIES[int(answer.lie_log_p.argmax())]
    if answer.touches_checker >= TOUCHING_P or likeliest is DieState.ON_CHECKER:
        return Contact.CHECKER
    wall = Contact.NOTHING if board is None else _find_near_wall(base, look.edge, board)
    if wall is not Contact.NOTHING:
        return wall
    is_near_die = any(float(np.hypot(*np.subtract(base, other))) < DIE_NEAR_EDGES * look.edge for other in others_mm)
    return Contact.DIE if is_near_die else Contact.NOTHING


def _find_near_wall(base_mm: tuple[float, float], edge_mm: float, board: KnownBoard) -> Contact:
    near, area, (x, y) = WALL_NEAR_EDGES * edge_mm, board.field, base_mm
    has_bar = area.bar_left_mm < area.bar_right_mm
    is_along_bar = area.bar_left_mm - near < x < area.bar_right_mm + near and -near < y < area.height_mm + near
    if has_bar and is_along_bar:
        return Contact.BAR
    beside = min(x, area.width_mm - x, y, area.height_mm - y)
    return Contact.RIM if abs(beside) < near else Contact.NOTHING


def make_cube_reading(look: Classification, numbers: NDArray[np.float64]) -> CubeReading:
    """`numbers` (6,) log, of CUBE_VALUES: the number is told where it is plain."""
    confidence = float(np.exp(look.output.class_log_p[ObjectClass.CUBE.value]))
    return CubeReading(accept_number(numbers), _find_cube_place(look), look.spot.centre_px, confidence)


def _find_cube_place(look: Classification) -> CubePlace:
    """Offered is the cube in the middle of a half; on the bar it says by its place whose it is."""
    board = look.place.board
    if board is None:
        return CubePlace.TABLE
    # Its upper face shows beyond where it stands, as far as the camera looks past it over a cube's height.
    area, (x, y) = board.field, (look.place.centre - look.edge * look.place.sight).tolist()
    if not area.holds(x, y):
        return CubePlace.TABLE
    if not (area.bar_left_mm <= x <= area.bar_right_mm):
        return CubePlace.OFFERED
    third = area.height_mm / 3
    if y < third:
        return CubePlace.TOP
    return CubePlace.BOTTOM if y > 2 * third else CubePlace.BAR
