"""Random positions (played games, start positions, heaps) and the habits of people who lay down checkers."""

from dataclasses import dataclass

import numpy as np

from vision.simulated.scene import PLACES, Board, Checker, CheckerSide
from vision.training.drawn_boards.finishes import draw_bool, draw_choice

# The way of one player: from B12 over B1 and T1 to T12.
RING = tuple(range(23, 11, -1)) + tuple(range(12))
START = {0: 2, 11: 5, 16: 3, 18: 5}
Stacks = dict[int, tuple[CheckerSide, int]]  # place 0..23 -> (side, count)
MOST_ASIDE = 0.42  # of a point: a checker further from its middle belongs to the next one


@dataclass(frozen=True, slots=True)
class RandomPosition:
    """`bar` and `off` count light, then dark."""

    stacks: Stacks
    bar: tuple[int, int]  # light, dark
    off: tuple[int, int]


def _play_backgammon(rng: np.random.Generator, plies: int) -> RandomPosition:
    """The sides move in opposite directions and hit; each move is chosen at random."""
    count = [0] * 24  # positive: the mover on the upper side; negative: the other
    for at, many in START.items():
        count[at] += many
        count[23 - at] -= many
    bar, off = [0, 0], [0, 0]
    for ply in range(plies):
        sign, who = (1, 0) if ply % 2 == 0 else (-1, 1)
        for die in rng.integers(1, 7, 2):
            own = [at for at in range(24) if count[at] * sign > 0]
            starts = [-1 if sign > 0 else 24] if bar[who] else own
            rng.shuffle(starts)
            for start in starts:
                end = start + sign * int(die)
                if not 0 <= end < 24:
                    home = all((at >= 18) if sign > 0 else (at <= 5) for at in own)
                    if bar[who] or not home:
                        continue
                    count[start] -= sign
                    off[who] += 1
                    break
                if count[end] * sign < -1:
                    continue
                if bar[who]:
                    bar[who] -= 1
                else:
                    count[start] -= sign
                if count[end] * sign == -1:
                    count[end] = 0
                    bar[1 - who] += 1
                count[end] += sign
                break
    return _from_ring(rng, count, (bar[0], bar[1]), (off[0], off[1]))


def _play_nardy(rng: np.random.Generator, plies: int) -> RandomPosition:
    """Both sides move in the same direction from a head of fifteen; a point belongs to the side that stands there."""
    count = [0] * 24
    count[0], count[12] = 15, -15
    off = [0, 0]
    for ply in range(plies):
        sign, who, head = (1, 0, 0) if ply % 2 == 0 else (-1, 1, 12)
        for die in rng.integers(1, 7, 2):
            own = [at for at in range(24) if count[at] * sign > 0]
            home = all((at - head) % 24 >= 18 for at in own)
            rng.shuffle(own)
            for start in own:
                far = (start - head) % 24 + int(die)
                end = (head + far) % 24
                if far >= 24 and home:
                    count[start] -= sign
                    off[who] += 1
                    break
                if far < 24 and count[end] * sign >= 0:
                    count[start] -= sign
                    count[end] += sign
                    break
    return _from_ring(rng, count, (0, 0), (off[0], off[1]))


def _from_ring(
    rng: np.random.Generator, count: list[int], bar: tuple[int, int], off: tuple[int, int]
) -> RandomPosition:
    """Puts the ring on the board with random colours and sides."""
    swapped, mirrored, upside = draw_bool(rng, 0.5), draw_bool(rng, 0.5), draw_bool(rng, 0.5)
    stacks: Stacks = {}
    for at, many in enumerate(count):
        if many:
            place = RING[at]
            place = place // 12 * 12 + 11 - place % 12 if mirrored else place
            place = (place + 12) % 24 if upside else place
            stacks[place] = (CheckerSide.LIGHT if (many > 0) != swapped else CheckerSide.DARK, abs(many))
    return RandomPosition(stacks, bar[::-1] if swapped else bar, off[::-1] if swapped else off)


def _scatter_checkers(rng: np.random.Generator) -> RandomPosition:
    """Random counts anywhere: many blots, or heaps."""
    stacks: Stacks = {}
    left = {side: int(rng.integers(1, 16)) for side in CheckerSide}
    largest = int(draw_choice(rng, (1, 3, 5, 15)))
    places = rng.permutation(24)[: int(rng.integers(3, 25))]
    for place in places:
        side = draw_choice(rng, (CheckerSide.LIGHT, CheckerSide.DARK))
        many = min(left[side], int(rng.integers(1, largest + 1)))
        if many:
            stacks[int(place)] = (side, many)
            left[side] -= many
    bar = (int(rng.integers(0, 3)), int(rng.integers(0, 3))) if draw_bool(rng, 0.3) else (0, 0)
    return RandomPosition(stacks, bar, (0, 0))


def random_position(rng: np.random.Generator) -> RandomPosition:
    kind = rng.random()
    plies = int(rng.integers(1, 60) if draw_bool(rng, 0.75) else rng.integers(40, 160))
    if kind < 0.06:
        return draw_choice(rng, (_play_backgammon(rng, 0), _play_nardy(rng, 0)), (2, 1))
    if kind < 0.45:
        return _play_backgammon(rng, plies)
    if kind < 0.70:
        return _play_nardy(rng, plies)
    if kind < 0.74:
        return RandomPosition({}, (0, 0), (0, 0))
    return _scatter_checkers(rng)


@dataclass(frozen=True, slots=True)
class Habits:
    """How tidily the players lay checkers down, and what they do when a row is full.

    Lengths are in diameters: `aside` the deviation of a whole row from the middle of its point, `gap` the mean of the
    gaps within a row and before its first checker.
    """

    untidy: float
    spacing: float
    per_layer: int
    squeeze: bool
    from_rim: float
    aside: float = 0.0
    gap: float = 0.0


def random_habits(rng: np.random.Generator) -> Habits:
    untidy = float(draw_choice(rng, (0.0, 0.02, 0.05, 0.12)) * rng.uniform(0.5, 1.2))
    return Habits(
        untidy,
        float(1.0 + rng.choice([0.0, 0.01, 0.05, 0.15])),
        int(rng.integers(3, 8)),
        draw_bool(rng, 0.4),
        float(rng.choice([0.0, 0.02, 0.1, 0.3])),
        float(rng.choice([0.0, 0.06, 0.15, 0.3], p=[0.5, 0.2, 0.2, 0.1])),
        float(rng.choice([0.0, 0.05, 0.15], p=[0.6, 0.2, 0.2])),
    )


def lay_row(
    rng: np.random.Generator,
    board: Board,
    place: int,
    stack: tuple[CheckerSide, int],
    *,
    size_mm: tuple[float, float],
    habits: Habits,
    is_free: tuple[bool, bool] = (False, False),
) -> list[Checker]:
    """The checkers of one point, from the rim inward. A row stands aside only where the next place `is_free`."""
    diameter, thick = size_mm
    side, many = stack
    from_rim = (habits.from_rim + (rng.exponential(habits.gap) if habits.gap else 0.0)) * diameter
    room = 0.5 * board.field_mm[1] - from_rim - 0.1 * diameter
    fits = max(1, int(room / (diameter * 1.0)))
    step = min(diameter * habits.spacing, room / max(min(many, fits), 1)) if many > 1 else diameter
    squeezed = many > fits and habits.squeeze and many * 0.42 * diameter < room
    if squeezed:
        step = (room - diameter) / (many - 1)
    per_layer = min(fits, max(habits.per_layer, -(-many // 4)))
    lean = min(0.5, thick / max(step, 1.0)) if squeezed else 0.0
    found: list[Checker] = []
    spare = (board.pitch_mm - diameter) / 2 + 0.05 * diameter
    sideways = max(0.0, min(habits.untidy * diameter, spare))
    left, right = (max(0.0, spare) if not free else MOST_ASIDE * board.pitch_mm for free in is_free)
    middle = board.point_x_mm(place % 12) + float(np.clip(rng.normal(0, habits.aside) * diameter, -left, right))
    slack = max(0.0, room - diameter - (min(many, fits) - 1) * step)
    gaps = np.cumsum(rng.exponential(habits.gap, many) * diameter) if habits.gap and not squeezed else np.zeros(many)
    for number in range(many):
        layer, rank = (0, number) if many <= fits or squeezed else divmod(number, per_layer)
        along = diameter / 2 + from_rim + rank * step + min(gaps[rank], slack)
        if layer and layer % 2:
            along += diameter * (0.5 if draw_bool(rng, 0.25) else rng.normal(0, 0.06))
        along += abs(rng.normal(0, habits.untidy * 0.2)) * diameter
        x = middle + float(np.clip(rng.normal(0, sideways), -2 * sideways, 2 * sideways))
        x = min(max(diameter / 2, x), board.field_mm[0] - diameter / 2)
        y = along if place < 12 else board.field_mm[1] - along
        tilted = squeezed and number > 0
        slope = (0.0, lean if place < 12 else -lean) if tilted else (0.0, 0.0)
        height = layer * thick + (lean * diameter / 2 if tilted else 0.0)
        found.append(
            Checker(side, PLACES[place], layer, (float(x), float(y)), float(height), slope, float(rng.uniform(0, 360)))
        )
    return found


def lay_on_bar(
    rng: np.random.Generator, board: Board, bar: tuple[int, int], size_mm: tuple[float, float]
) -> list[Checker]:
    diameter, _ = size_mm
    middle, found = (board.bar_mm[0] + board.bar_mm[1]) / 2, []
    first = CheckerSide.LIGHT if draw_bool(rng, 0.5) else CheckerSide.DARK
    for side, many in zip(CheckerSide, bar, strict=True):
        way = -1 if side is first else 1
        start = rng.uniform(0.52, 1.5)
        for number in range(min(many, 4)):
            y = board.field_mm[1] / 2 + way * (start + number * rng.uniform(1.0, 1.1)) * diameter
            place = (float(middle + rng.normal(0, 0.05) * diameter), float(y))
            found.append(Checker(side, "bar", 0, place, board.bar_height_mm, (0.0, 0.0), float(rng.uniform(0, 360))))
    return found


def lay_borne_off(
    rng: np.random.Generator, board: Board, off: tuple[int, int], size_mm: tuple[float, float], outer_mm: float
) -> list[Checker]:
    """In a tray if the board has one, else in a heap beside the board."""
    diameter, thick = size_mm
    found: list[Checker] = []
    width, height = board.field_mm
    for side, many in zip(CheckerSide, off, strict=True):
        at_right = draw_bool(rng, 0.5)
        tray = board.trays_mm[1 if at_right else 0]
        divider = 0.6 * board.rim_width_mm
        upper = side is CheckerSide.LIGHT
        for number in range(min(many, 15)):
            if tray >= 0.95 * diameter:
                x = width + divider + tray / 2 if at_right else -divider - tray / 2
                layer, rank = divmod(number, max(1, int(0.45 * height / diameter)))
                y = (rank + 0.55) * diameter
                place, low = (x, y if upper else height - y), layer * thick
            else:
                away = outer_mm + rng.uniform(0.6, 3.5) * diameter
                place = (
                    width + away if at_right else -away,
                    float(rng.uniform(0, 0.5) + (0 if upper else 0.5)) * height,
                )
                low, layer = -board.depth_mm, 0
            found.append(
                Checker(
                    side,
                    "off",
                    layer,
                    (float(place[0]), float(place[1])),
                    float(low),
                    (0.0, 0.0),
                    float(rng.uniform(0, 360)),
                )
            )
    return found
