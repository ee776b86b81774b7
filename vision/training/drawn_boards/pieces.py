"""Checkers' looks, dice, hands and things by chance."""

from dataclasses import replace

import numpy as np

from vision.simulated.drawing.checkers import top_luma
from vision.simulated.drawing.painting import luma
from vision.simulated.drawing.textures import mean_colour
from vision.simulated.scene import (
    Board,
    Checker,
    CheckerLook,
    Colour,
    Die,
    Finish,
    Hand,
    Material,
    Print,
    Profile,
    SmallThing,
    Thing,
)
from vision.training.drawn_boards.finishes import (
    any_colour,
    any_finish,
    black,
    bold,
    chance,
    coated,
    felt,
    hsv,
    near,
    pick,
    plain,
    quiet,
    seed,
    white,
    wood,
    wood_colour,
)

SKINS: tuple[Colour, ...] = (
    (0.93, 0.76, 0.66),
    (0.86, 0.66, 0.53),
    (0.75, 0.54, 0.41),
    (0.6, 0.41, 0.29),
    (0.44, 0.29, 0.2),
    (0.28, 0.19, 0.14),
)
FACES = ((1, 2, 3), (2, 1, 4), (3, 6, 2), (4, 5, 1), (5, 3, 6), (6, 2, 4))
ALIKE = 0.035  # luma; below this "light" and "dark" would mean nothing to anybody


def _body(rng: np.random.Generator, colour: Colour) -> Finish:
    """What a checker of that colour is made of."""
    kind = rng.random()
    if kind < 0.6:
        return plain(rng, colour, (0.05, 1.0))
    if kind < 0.8:
        return wood(rng, colour)
    if kind < 0.92:
        return replace(coated(rng, Material.MARBLE, colour, (0.3, 1.0)), scale=float(rng.uniform(0.1, 0.4)))
    return replace(coated(rng, Material.SPECKLE, colour, (0.2, 0.9)), scale=float(rng.uniform(0.3, 1.0)))


def _equally_bright(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Red and green, blue and brown: told apart by hue alone."""
    hue = rng.random()
    first = hsv(hue, rng.uniform(0.5, 1), rng.uniform(0.3, 0.85))
    second = hsv(hue + rng.uniform(0.15, 0.85), rng.uniform(0.4, 1), rng.uniform(0.3, 0.85))
    share = luma(first) / max(luma(second), 0.01) * rng.uniform(0.75, 1.3)
    red, green, blue = (float(np.clip(value * share, 0.01, 0.97)) for value in second)
    return first, (red, green, blue)


def _pair_of_colours(rng: np.random.Generator, board: Board | None) -> tuple[Colour, Colour]:
    kind = rng.random()
    if kind < 0.34:
        return white(rng), pick(rng, (black(rng), bold(rng), hsv(0.0, 0.8, 0.4)), (2, 2, 1))
    if kind < 0.46:
        return wood_colour(rng), pick(rng, (black(rng), near(rng, (0.3, 0.17, 0.1), 0.2)))
    if kind < 0.56:
        return bold(rng), black(rng)
    if kind < 0.78:
        return _equally_bright(rng)
    if kind < 0.92 and board is not None:
        like = pick(rng, (board.field, board.points.first, board.points.second, board.rim))
        return near(rng, mean_colour(like), 0.08), pick(rng, (any_colour(rng), white(rng), black(rng), bold(rng)))
    return any_colour(rng), any_colour(rng)


def random_looks(rng: np.random.Generator, board: Board | None) -> tuple[CheckerLook, CheckerLook]:
    """(light, dark): by the luma of their tops, print and edge included."""
    while True:
        profile, mark = pick(rng, list(Profile)), Print.NONE
        if chance(rng, 0.25):
            mark = pick(rng, list(Print))
        colours = _pair_of_colours(rng, board)
        made = []
        for colour in colours:
            finish = _body(rng, colour)
            edge = near(rng, colour, 0.3) if chance(rng, 0.15) else None
            if edge is not None and chance(rng, 0.3):
                edge = any_colour(rng)
            ink = pick(rng, (any_colour(rng), (0.8, 0.68, 0.3), near(rng, colour, 0.3)))
            made.append(
                CheckerLook(
                    finish,
                    profile if chance(rng, 0.9) else pick(rng, list(Profile)),
                    mark,
                    ink,
                    float(rng.uniform(0.25, 0.6)),
                    edge,
                    pick(rng, "ABNXK*"),
                    float(rng.uniform(0, 0.06)),
                )
            )
        first, second = made
        lumas = top_luma(first), top_luma(second)
        apart = float(np.abs(np.array(mean_colour(first.finish)) - np.array(mean_colour(second.finish))).sum())
        if abs(lumas[0] - lumas[1]) < ALIKE or apart < 0.22:
            continue
        return (first, second) if lumas[0] > lumas[1] else (second, first)


def _free_place(
    rng: np.random.Generator, board: Board, checkers: list[Checker], reach_mm: float
) -> tuple[float, float]:
    width, height = board.field_mm
    centres = np.array([checker.centre_mm for checker in checkers]) if checkers else np.zeros((0, 2))
    place = np.array([width / 2, height / 2])
    for _ in range(12):
        place = rng.uniform((20, 20), (width - 20, height - 20))
        if not len(centres) or np.hypot(*(centres - place).T).min() > reach_mm:
            break
    return float(place[0]), float(place[1])


def random_dice(rng: np.random.Generator, board: Board, checkers: list[Checker], radius_mm: float) -> tuple[Die, ...]:
    found = []
    size = float(rng.uniform(9, 18))
    body, pip = pick(
        rng,
        (
            (white(rng), black(rng)),
            (bold(rng), white(rng)),
            (black(rng), white(rng)),
            (any_colour(rng), any_colour(rng)),
        ),
    )
    for _ in range(int(pick(rng, (0, 1, 2, 4), (3, 1, 5, 1)))):
        up = int(rng.integers(6))
        place = _free_place(rng, board, checkers, radius_mm + size)
        found.append(Die(place, size, float(rng.uniform(0, 90)), FACES[up], body, pip))
    if chance(rng, 0.3):
        text = pick(rng, ("64", "2", "4", "8", "16", "32"))
        edge = float(rng.uniform(18, 32))
        width, height = board.field_mm
        place = _free_place(rng, board, checkers, radius_mm + edge)
        low = 0.0
        if chance(rng, 0.6):
            place, low = ((board.bar_mm[0] + board.bar_mm[1]) / 2, height / 2), board.bar_height_mm
        elif chance(rng, 0.4):
            place, low = (width + board.rim_width_mm + 60, height / 2), -board.depth_mm
        ink = pick(rng, (black(rng), bold(rng)))
        found.append(
            Die(place, edge, float(rng.choice([0, 90]) + rng.normal(0, 8)), (1, 2, 3), white(rng), ink, low, text)
        )
    return tuple(found)


def random_hands(rng: np.random.Generator, area_mm: tuple[float, float]) -> tuple[Hand, ...]:
    width, height = area_mm
    found = []
    for _ in range(int(pick(rng, (1, 2), (5, 1)))):
        tip = (float(rng.uniform(-0.05, 1.05) * width), float(rng.uniform(-0.05, 1.05) * height))
        towards = pick(rng, (90.0, 270.0, 0.0, 180.0), (4, 3, 1, 1)) + rng.normal(0, 25)
        cloth = pick(
            rng,
            (
                felt(rng, any_colour(rng)),
                felt(rng, black(rng)),
                felt(rng, bold(rng)),
                coated(rng, Material.STRIPES, any_colour(rng), (0, 0.05)),
                coated(rng, Material.CHEQUER, any_colour(rng), (0, 0.05)),
            ),
            (3, 3, 1, 1, 1),
        )
        found.append(
            Hand(
                tip,
                float(towards),
                near(rng, pick(rng, SKINS), 0.07),
                cloth,
                float(rng.uniform(150, 420)),
                float(rng.uniform(22, 60)),
                float(rng.uniform(0.85, 1.12)),
                float(rng.uniform(0, 1.0)),
                float(rng.uniform(0, 1)),
                chance(rng, 0.5),
                seed(rng),
            )
        )
    return tuple(found)


SIZES: dict[Thing, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    Thing.COIN: ((16, 28), (16, 28), (1.6, 2.4)),
    Thing.RING: ((17, 23), (17, 23), (1.6, 3)),
    Thing.PEN: ((110, 150), (7, 11), (7, 10)),
    Thing.PAPER: ((80, 300), (60, 210), (0.1, 0.5)),
    Thing.PHONE: ((130, 165), (65, 78), (7, 10)),
    Thing.CUP: ((65, 95), (65, 95), (60, 110)),
    Thing.GLASS: ((55, 85), (55, 85), (60, 150)),
    Thing.BOX: ((30, 260), (30, 200), (5, 110)),
    Thing.CABLE: ((120, 700), (3, 7), (3, 7)),
    Thing.BOARD: ((350, 600), (330, 520), (5, 40)),
    Thing.CHESSBOARD: ((250, 450), (250, 450), (4, 30)),
    Thing.KEYBOARD: ((280, 450), (110, 150), (10, 25)),
    Thing.CLOTH: ((150, 600), (100, 400), (0.5, 4)),
    Thing.BOOK: ((140, 300), (110, 220), (8, 40)),
}


def thing_at(rng: np.random.Generator, kind: Thing, place: tuple[float, float], low_mm: float) -> SmallThing:
    ranges = SIZES[kind]
    long, wide, tall = (float(rng.uniform(*limits)) for limits in ranges)
    usual = plain(rng, quiet(rng)) if chance(rng, 0.5) else any_finish(rng)
    finish = usual if kind is not Thing.PAPER else coated(rng, Material.PAPER, white(rng), (0, 0.2))
    if kind in (Thing.PHONE, Thing.CABLE, Thing.KEYBOARD) and chance(rng, 0.7):
        finish = plain(rng, pick(rng, (black(rng), white(rng))))
    if kind in (Thing.COIN, Thing.RING):
        finish = plain(rng, near(rng, pick(rng, ((0.8, 0.65, 0.3), (0.7, 0.7, 0.7), (0.6, 0.4, 0.25))), 0.1))
    if kind in (Thing.CHESSBOARD, Thing.KEYBOARD) and chance(rng, 0.8):
        finish = replace(finish, second=black(rng) if np.mean(finish.colour) > 0.4 else white(rng), contrast=0.05)
    return SmallThing(kind, place, (long, wide), float(rng.uniform(0, 360)), finish, low_mm, tall, seed(rng))


def things_around(
    rng: np.random.Generator, outer_mm: tuple[float, float, float, float], depth_mm: float
) -> tuple[SmallThing, ...]:
    """Beside the rectangle, none of them upon it; sometimes its own handle and latches."""
    left, top, right, bottom = outer_mm
    kinds = [kind for kind in Thing if kind not in (Thing.COIN, Thing.RING)]
    weights = [3, 4, 3, 3, 2, 4, 4, 1.5, 0.5, 0.7, 2, 2]
    found = []
    many = int(rng.integers(1, 4)) if chance(rng, 0.6) else int(rng.integers(4, 14))
    for _ in range(many):
        kind = pick(rng, kinds, weights)
        thing = thing_at(rng, kind, (0.0, 0.0), depth_mm)
        reach = 0.5 * float(np.hypot(*thing.size_mm)) if kind is not Thing.CABLE else rng.uniform(30, 200)
        reach += float(rng.exponential(60)) + 4
        side = int(rng.integers(4))
        along_x, along_y = rng.uniform(left - 150, right + 150), rng.uniform(top - 100, bottom + 100)
        place = ((left - reach, along_y), (right + reach, along_y), (along_x, top - reach), (along_x, bottom + reach))[
            side
        ]
        found.append(replace(thing, centre_mm=(float(place[0]), float(place[1]))))
    return tuple(found)


def handle(rng: np.random.Generator, outer_mm: tuple[float, float, float, float], depth_mm: float) -> SmallThing:
    """A bar along one side of the box."""
    left, top, right, bottom = outer_mm
    long, wide = float(rng.uniform(60, 150)), float(rng.uniform(8, 28))
    place, turn = pick(
        rng,
        (
            ((left - wide / 2, (top + bottom) / 2), 90.0),
            ((right + wide / 2, (top + bottom) / 2), 90.0),
            (((left + right) / 2, top - wide / 2), 0.0),
            (((left + right) / 2, bottom + wide / 2), 0.0),
        ),
    )
    finish = plain(rng, pick(rng, (black(rng), near(rng, (0.7, 0.65, 0.5), 0.2))))
    return SmallThing(Thing.BOX, place, (long, wide), turn, finish, depth_mm, float(rng.uniform(5, 20)), seed(rng))
