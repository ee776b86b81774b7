"""The dice and the doubling cube in one picture: a coarse search, then a close look at each place, twice.

The second look is put exactly on the die that the first one found, and turned by half: what both agree on counts, and
where they differ the likelihoods say so. A die that cannot be told keeps flat likelihoods; it is not left out, for a
die that lies there and cannot be read is another thing than no die.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice_answers import CUBE_VALUES, LIES, DieAnswer, Kind, answer_of
from vision.dice_clearance import FLAT_WHERE_CLEAR, Standing, is_clear
from vision.dice_finder import FinderLimits, find_dice
from vision.die_reading import BoardHalf, Contact, CubePlace, CubeReading, DieReading, DieState
from vision.die_windows import SIGHT, DieSpot, KnownBoard, WindowPlace, place_window
from vision.networks import answers_to

SAME_DIE = 0.55  # edges; nearer middles are those of one die
TOUCHING = 0.5  # probability from which a die is said to touch a checker
WALL_NEAR = 0.9  # edges from a wall to the middle of a die that leans on it
LAPLACE_TO_SIGMA = 2**0.5
# Edges in widths of a point, which need no scale. Of 411 dice and cubes rendered for training no cube was measured below
# 0.44 and no die above 0.48; small boards have larger dice.
LEAST_CUBE_POINTS = 0.42
MOST_DIE_POINTS = 0.7


@dataclass(frozen=True, slots=True)
class DiceLimits:
    """When something counts as a die. Probabilities, 0..1."""

    least_die: float = 0.75
    worth_a_second_look: float = 0.1
    finder: FinderLimits = field(default_factory=FinderLimits)


@dataclass(frozen=True, slots=True)
class DiceInView:
    """All dice, from left to right, and the cube."""

    dice: tuple[DieReading, ...] = ()
    cube: CubeReading | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """Both answers of one spot together."""

    place: WindowPlace  # of the second look
    answer: DieAnswer
    spot: DieSpot


def read_dice(
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    limits: DiceLimits | None = None,
    *,
    standing: Standing | None = None,
) -> DiceInView:
    """Of a picture (h, w, 3) BGR. Without a board the places, halves and lies are those of a picture alone.

    `standing` tells what a die may lean on, which makes surer of those that lie clear of it.
    """
    limits = limits or DiceLimits()
    looks = []
    for spot in find_dice(pixels, board, limits.finder):
        look = _look_at(pixels, spot, board, limits)
        if look is not None:
            looks.append(look)
    looks = _different(looks)
    if standing is not None:
        looks = _with_clearance(looks, standing)
    dice = [_die(look) for look in looks if _is(Kind.DIE, look, limits)]
    cubes = [_cube(look) for look in looks if _is(Kind.CUBE, look, limits)]
    best_cube = max(cubes, key=lambda cube: cube.confidence, default=None)
    return DiceInView(tuple(sorted(dice, key=lambda die: die.centre_px)), best_cube)


def _look_at(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None, limits: DiceLimits) -> _Look | None:
    """None where nothing is."""
    place = place_window(spot, board)
    first = answer_of(answers_to("dice", place.planes(place.colours(pixels)), ("answers",))[0])
    if np.exp(first.kinds[1:]).sum() < limits.worth_a_second_look:
        return None
    better = _refined(spot, place, first)
    place = place_window(better, board)
    planes = place.planes(place.colours(pixels))
    second = _turned_back(answer_of(answers_to("dice", _turned(planes), ("answers",))[0]))
    together = _together(first, second)
    if board is not None:
        together = replace(together, kinds=_of_size(together.kinds, place.edge / board.field.pitch_mm))
    return _Look(place, together, _refined(better, place, second))


def _refined(spot: DieSpot, place: WindowPlace, answer: DieAnswer) -> DieSpot:
    """The spot as the answer has it; not further off than the window shows well."""
    top = np.clip(answer.top, -0.7, 0.7)
    x, y = place.to_picture(top[None])[0]
    return DieSpot((float(x), float(y)), spot.size_px * float(np.clip(answer.size, 0.6, 1.6)), spot.score)


def _turned(planes: NDArray[np.float32]) -> NDArray[np.float32]:
    """By half a turn, the line of sight too."""
    turned = planes[:, ::-1, ::-1].copy()
    turned[SIGHT] *= -1
    return turned


def _turned_back(answer: DieAnswer) -> DieAnswer:
    return replace(answer, normal=-answer.normal, top=-answer.top, base=-answer.base)


def _together(first: DieAnswer, second: DieAnswer) -> DieAnswer:
    """The mean of two probabilities each, which is no surer than the less sure where they differ; places of the second."""
    return replace(
        second,
        kinds=_mean(first.kinds, second.kinds),
        faces=_mean(first.faces, second.faces),
        lies=_mean(first.lies, second.lies),
        normal=(first.normal + second.normal) / 2,
        normal_spread=max(first.normal_spread, second.normal_spread, float(np.abs(first.normal - second.normal).max())),
        cube_faces=_mean(first.cube_faces, second.cube_faces),
    )


def _of_size(kinds: NDArray[np.float64], edge_points: float) -> NDArray[np.float64]:
    """What is too small for a cube is none, whatever it looks like, and what is too large for a die is no die."""
    possible = kinds.copy()
    if edge_points < LEAST_CUBE_POINTS:
        possible[Kind.CUBE.value] = -np.inf
    if edge_points > MOST_DIE_POINTS:
        possible[Kind.DIE.value] = -np.inf
    return np.asarray(possible - np.logaddexp.reduce(possible))


def _mean(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of two log-probabilities, as probabilities."""
    return np.asarray(np.logaddexp(first, second) - np.log(2))


def _different(looks: Sequence[_Look]) -> list[_Look]:
    """One for each die: two spots often lead to the same."""
    kept: list[_Look] = []
    for look in sorted(looks, key=lambda look: -float(look.answer.kinds[1:].max())):
        if not any(look.spot.is_near(other.spot.centre_px, other.spot.size_px, SAME_DIE) for other in kept):
            kept.append(look)
    return kept


def _with_clearance(looks: Sequence[_Look], standing: Standing) -> list[_Look]:
    bases_mm = [_base_mm(look) for look in looks]
    return [
        _likelier_flat(look) if is_clear(base, look.place.edge, standing, bases_mm[:at] + bases_mm[at + 1 :]) else look
        for at, (look, base) in enumerate(zip(looks, bases_mm, strict=True))
    ]


def _base_mm(look: _Look) -> tuple[float, float]:
    x_mm, y_mm = look.place.to_plane(look.answer.base[None])[0]
    return float(x_mm), float(y_mm)


def _likelier_flat(look: _Look) -> _Look:
    """Flat where it lies clear; and what it was measured to lean counts only as far as it may yet not lie flat."""
    lies = look.answer.lies.copy()
    lies[LIES.index(DieState.FLAT)] += np.log(FLAT_WHERE_CLEAR)
    lies -= np.logaddexp.reduce(lies)
    leans = float(-np.expm1(min(lies[LIES.index(DieState.FLAT)], 0.0)))
    doubt = np.linalg.norm(look.answer.normal) * np.sqrt(leans * (1 - leans))  # flat or leaning so: their spread
    spread = leans * look.answer.normal_spread + float(doubt) / LAPLACE_TO_SIGMA
    answer = replace(look.answer, lies=lies, normal=leans * look.answer.normal, normal_spread=spread)
    return replace(look, answer=answer)


def _is(kind: Kind, look: _Look, limits: DiceLimits) -> bool:
    kinds = look.answer.kinds
    return int(kinds.argmax()) == kind.value and float(np.exp(kinds[kind.value])) >= limits.least_die


def _die(look: _Look) -> DieReading:
    answer = look.answer
    base = _base_mm(look)
    sine = float(np.clip(np.linalg.norm(answer.normal), 0, 1))
    spread = LAPLACE_TO_SIGMA * answer.normal_spread
    board = look.place.board
    lies, confidence = _lies(answer, board)
    return DieReading(
        face_log_likelihood=tuple(float(value) for value in answer.faces),
        lies=lies,
        lie_confidence=confidence * float(np.exp(answer.kinds[Kind.DIE.value])),
        centre_px=look.spot.centre_px,
        size_px=look.spot.size_px,
        base_mm=None if board is None else base,
        half=_half(base, board),
        touches=_touched(answer, base, look, lies),
        tilt_deg=float(np.degrees(np.arcsin(sine))),
        tilt_sigma_deg=float(np.degrees(spread / np.sqrt(max(1 - sine**2, 0.1)))),
    )


def _lies(answer: DieAnswer, board: KnownBoard | None) -> tuple[DieState, float]:
    """Without a board it is flat or not, and nobody knows what it may lie on."""
    if board is None:
        flat = float(np.exp(answer.lies[LIES.index(DieState.FLAT)]))
        return (DieState.FLAT, flat) if flat >= 0.5 else (DieState.COCKED, 1 - flat)
    best = int(answer.lies.argmax())
    return LIES[best], float(np.exp(answer.lies[best]))


def _half(base: tuple[float, float], board: KnownBoard | None) -> BoardHalf | None:
    if board is None:
        return None
    area, (x, y) = board.field, base
    if not area.holds(x, y):
        return None
    if x <= area.bar_left_mm:
        return BoardHalf.LEFT
    return BoardHalf.RIGHT if x >= area.bar_right_mm else None


def _touched(answer: DieAnswer, base: tuple[float, float], look: _Look, lies: DieState) -> Contact:
    """What a die that does not lie flat leans on, as far as one picture tells."""
    board = look.place.board
    if lies is DieState.FLAT:
        return Contact.NOTHING
    if answer.touches_checker >= TOUCHING or lies is DieState.ON_CHECKER:
        return Contact.CHECKER
    if board is None:
        return Contact.NOTHING
    near, area, (x, y) = WALL_NEAR * look.place.edge, board.field, base
    if area.bar_left_mm - near < x < area.bar_right_mm + near:
        return Contact.BAR
    beside = min(x, area.width_mm - x, y, area.height_mm - y)
    return Contact.RIM if abs(beside) < near else Contact.NOTHING


def _cube(look: _Look) -> CubeReading:
    best = int(look.answer.cube_faces.argmax())
    confidence = float(np.exp(look.answer.kinds[Kind.CUBE.value]))
    told = float(np.exp(look.answer.cube_faces[best])) > 0.5
    return CubeReading(CUBE_VALUES[best] if told else None, _cube_place(look), look.spot.centre_px, confidence)


def _cube_place(look: _Look) -> CubePlace:
    """Offered is the cube in the middle of a half; on the bar it says by its place whose it is."""
    board = look.place.board
    if board is None:
        return CubePlace.TABLE
    area, (x, y) = board.field, look.place.centre
    if not area.holds(x, y):
        return CubePlace.TABLE
    if not (area.bar_left_mm <= x <= area.bar_right_mm):
        return CubePlace.OFFERED
    third = area.height_mm / 3
    if y < third:
        return CubePlace.TOP
    return CubePlace.BOTTOM if y > 2 * third else CubePlace.BAR
