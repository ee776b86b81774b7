"""Random checker styles, dice, hands and objects."""

from dataclasses import replace

import numpy as np

from vision.simulated.drawing.checkers import top_luma
from vision.simulated.drawing.painting import luma
from vision.simulated.drawing.textures import mean_colour
from vision.simulated.scene import (
    Board,
    Checker,
    CheckerProfile,
    CheckerStyle,
    Colour,
    Die,
    Finish,
    Hand,
    Print,
    SmallThing,
    SurfacePattern,
    ThingKind,
)
from vision.training.drawn_boards.checker_looks import random_decorations
from vision.training.drawn_boards.finishes import (
    draw_bool,
    draw_choice,
    draw_seed,
    hsv_colour,
    make_coating,
    make_felt,
    make_plain,
    random_black,
    random_colour,
    random_finish,
    random_muted_colour,
    random_vivid_colour,
    random_white,
    random_wood,
    random_wood_colour,
    vary_colour,
)
from vision.training.drawn_boards.texture_library import TextureLibrary

SKINS: tuple[Colour, ...] = (
    (0.93, 0.76, 0.66),
    (0.86, 0.66, 0.53),
    (0.75, 0.54, 0.41),
    (0.6, 0.41, 0.29),
    (0.44, 0.29, 0.2),
    (0.28, 0.19, 0.14),
)
FACES = ((1, 2, 3), (2, 1, 4), (3, 6, 2), (4, 5, 1), (5, 3, 6), (6, 2, 4))
ALIKE = 0.035  # least difference of luma; below it nobody can tell the light side


def _body(rng: np.random.Generator, colour: Colour, library: TextureLibrary | None) -> Finish:
    """The material of a checker of that colour."""
    if library is not None and draw_bool(rng, 0.45):
        return library.draw_body(rng, colour)
    kind = rng.random()
    if kind < 0.6:
        return make_plain(rng, colour, (0.05, 1.0))
    if kind < 0.8:
        return random_wood(rng, colour)
    if kind < 0.92:
        return replace(make_coating(rng, SurfacePattern.MARBLE, colour, (0.3, 1.0)), scale=float(rng.uniform(0.1, 0.4)))
    return replace(make_coating(rng, SurfacePattern.SPECKLE, colour, (0.2, 0.9)), scale=float(rng.uniform(0.3, 1.0)))


def _random_equally_bright(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Pairs of colours that differ in hue alone: red and green, blue and brown."""
    hue = rng.random()
    first = hsv_colour(hue, rng.uniform(0.5, 1), rng.uniform(0.3, 0.85))
    second = hsv_colour(hue + rng.uniform(0.15, 0.85), rng.uniform(0.4, 1), rng.uniform(0.3, 0.85))
    share = luma(first) / max(luma(second), 0.01) * rng.uniform(0.75, 1.3)
    red, green, blue = (float(np.clip(value * share, 0.01, 0.97)) for value in second)
    return first, (red, green, blue)


def _pair_of_colours(rng: np.random.Generator, board: Board | None) -> tuple[Colour, Colour]:
    kind = rng.random()
    if kind < 0.34:
        return random_white(rng), draw_choice(
            rng, (random_black(rng), random_vivid_colour(rng), hsv_colour(0.0, 0.8, 0.4)), (2, 2, 1)
        )
    if kind < 0.46:
        return random_wood_colour(rng), draw_choice(rng, (random_black(rng), vary_colour(rng, (0.3, 0.17, 0.1), 0.2)))
    if kind < 0.56:
        return random_vivid_colour(rng), random_black(rng)
    if kind < 0.78:
        return _random_equally_bright(rng)
    if kind < 0.92 and board is not None:
        like = draw_choice(rng, (board.field, board.points.first, board.points.second, board.rim))
        return vary_colour(rng, mean_colour(like), 0.08), draw_choice(
            rng, (random_colour(rng), random_white(rng), random_black(rng), random_vivid_colour(rng))
        )
    return random_colour(rng), random_colour(rng)


def _pair_like_points(rng: np.random.Generator, board: Board) -> tuple[Colour, Colour]:
    """Each side made of what the points or the field are made of, or of woods: wood on the same wood."""
    kind = rng.random()
    if kind < 0.45:
        return random_wood_colour(rng), random_wood_colour(rng)
    if kind < 0.65:
        field = mean_colour(board.field)
        return vary_colour(rng, field, 0.1), vary_colour(rng, field, 0.35)
    first, second = (mean_colour(finish) for finish in (board.points.first, board.points.second))
    return vary_colour(rng, first, 0.12), vary_colour(rng, second, 0.12)


def random_checker_styles(
    rng: np.random.Generator,
    board: Board | None,
    *,
    is_styled: bool = False,
    library: TextureLibrary | None = None,
) -> tuple[CheckerStyle, CheckerStyle]:
    """(light, dark), by the luma of their tops with print and edge; styled ones are carved, metallic or clear too."""
    while True:
        profile, mark = draw_choice(rng, list(CheckerProfile)), Print.NONE
        if draw_bool(rng, 0.25):
            mark = draw_choice(rng, list(Print))
        like_points = is_styled and board is not None and draw_bool(rng, 0.4)
        colours = _pair_like_points(rng, board) if like_points and board is not None else _pair_of_colours(rng, board)
        made = []
        for colour in colours:
            finish = _body(rng, colour, library)
            edge = vary_colour(rng, colour, 0.3) if draw_bool(rng, 0.15) else None
            if edge is not None and draw_bool(rng, 0.3):
                edge = random_colour(rng)
            ink = draw_choice(rng, (random_colour(rng), (0.8, 0.68, 0.3), vary_colour(rng, colour, 0.3)))
            made.append(
                CheckerStyle(
                    finish,
                    profile if draw_bool(rng, 0.9) else draw_choice(rng, list(CheckerProfile)),
                    mark,
                    ink,
                    float(rng.uniform(0.25, 0.6)),
                    edge,
                    draw_choice(rng, "ABNXK*"),
                    float(rng.uniform(0, 0.06)),
                )
            )
        first, second = random_decorations(rng, made, library) if is_styled else made
        lumas = top_luma(first), top_luma(second)
        apart = float(np.abs(np.array(mean_colour(first.finish)) - np.array(mean_colour(second.finish))).sum())
        if abs(lumas[0] - lumas[1]) < ALIKE or apart < 0.22:
            continue
        return (first, second) if lumas[0] > lumas[1] else (second, first)


def _find_free_place(
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
    body, pip = draw_choice(
        rng,
        (
            (random_white(rng), random_black(rng)),
            (random_vivid_colour(rng), random_white(rng)),
            (random_black(rng), random_white(rng)),
            (random_colour(rng), random_colour(rng)),
        ),
    )
    for _ in range(int(draw_choice(rng, (0, 1, 2, 4), (3, 1, 5, 1)))):
        up = int(rng.integers(6))
        place = _find_free_place(rng, board, checkers, radius_mm + size)
        found.append(Die(place, size, float(rng.uniform(0, 90)), FACES[up], body, pip))
    if draw_bool(rng, 0.3):
        text = draw_choice(rng, ("64", "2", "4", "8", "16", "32"))
        edge = float(rng.uniform(18, 32))
        width, height = board.field_mm
        place = _find_free_place(rng, board, checkers, radius_mm + edge)
        low = 0.0
        if draw_bool(rng, 0.6):
            place, low = ((board.bar_mm[0] + board.bar_mm[1]) / 2, height / 2), board.bar_height_mm
        elif draw_bool(rng, 0.4):
            place, low = (width + board.rim_width_mm + 60, height / 2), -board.depth_mm
        ink = draw_choice(rng, (random_black(rng), random_vivid_colour(rng)))
        found.append(
            Die(
                place, edge, float(rng.choice([0, 90]) + rng.normal(0, 8)), (1, 2, 3), random_white(rng), ink, low, text
            )
        )
    return tuple(found)


def random_hands(rng: np.random.Generator, area_mm: tuple[float, float]) -> tuple[Hand, ...]:
    width, height = area_mm
    found = []
    for _ in range(int(draw_choice(rng, (1, 2), (5, 1)))):
        tip = (float(rng.uniform(-0.05, 1.05) * width), float(rng.uniform(-0.05, 1.05) * height))
        towards = draw_choice(rng, (90.0, 270.0, 0.0, 180.0), (4, 3, 1, 1)) + rng.normal(0, 25)
        cloth = draw_choice(
            rng,
            (
                make_felt(rng, random_colour(rng)),
                make_felt(rng, random_black(rng)),
                make_felt(rng, random_vivid_colour(rng)),
                make_coating(rng, SurfacePattern.STRIPES, random_colour(rng), (0, 0.05)),
                make_coating(rng, SurfacePattern.CHEQUER, random_colour(rng), (0, 0.05)),
            ),
            (3, 3, 1, 1, 1),
        )
        found.append(
            Hand(
                tip,
                float(towards),
                vary_colour(rng, draw_choice(rng, SKINS), 0.07),
                cloth,
                float(rng.uniform(150, 420)),
                float(rng.uniform(22, 60)),
                float(rng.uniform(0.85, 1.12)),
                float(rng.uniform(0, 1.0)),
                float(rng.uniform(0, 1)),
                draw_bool(rng, 0.5),
                draw_seed(rng),
            )
        )
    return tuple(found)


SIZES: dict[ThingKind, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    ThingKind.COIN: ((16, 28), (16, 28), (1.6, 2.4)),
    ThingKind.RING: ((17, 23), (17, 23), (1.6, 3)),
    ThingKind.PEN: ((110, 150), (7, 11), (7, 10)),
    ThingKind.PAPER: ((80, 300), (60, 210), (0.1, 0.5)),
    ThingKind.PHONE: ((130, 165), (65, 78), (7, 10)),
    ThingKind.CUP: ((65, 95), (65, 95), (60, 110)),
    ThingKind.GLASS: ((55, 85), (55, 85), (60, 150)),
    ThingKind.BOX: ((30, 260), (30, 200), (5, 110)),
    ThingKind.CABLE: ((120, 700), (3, 7), (3, 7)),
    ThingKind.BOARD: ((350, 600), (330, 520), (5, 40)),
    ThingKind.CHESSBOARD: ((250, 450), (250, 450), (4, 30)),
    ThingKind.KEYBOARD: ((280, 450), (110, 150), (10, 25)),
    ThingKind.CLOTH: ((150, 600), (100, 400), (0.5, 4)),
    ThingKind.BOOK: ((140, 300), (110, 220), (8, 40)),
}


def make_thing(rng: np.random.Generator, kind: ThingKind, place: tuple[float, float], low_mm: float) -> SmallThing:
    ranges = SIZES[kind]
    long, wide, tall = (float(rng.uniform(*limits)) for limits in ranges)
    usual = make_plain(rng, random_muted_colour(rng)) if draw_bool(rng, 0.5) else random_finish(rng)
    finish = (
        usual if kind is not ThingKind.PAPER else make_coating(rng, SurfacePattern.PAPER, random_white(rng), (0, 0.2))
    )
    if kind in (ThingKind.PHONE, ThingKind.CABLE, ThingKind.KEYBOARD) and draw_bool(rng, 0.7):
        finish = make_plain(rng, draw_choice(rng, (random_black(rng), random_white(rng))))
    if kind in (ThingKind.COIN, ThingKind.RING):
        finish = make_plain(
            rng, vary_colour(rng, draw_choice(rng, ((0.8, 0.65, 0.3), (0.7, 0.7, 0.7), (0.6, 0.4, 0.25))), 0.1)
        )
    if kind in (ThingKind.CHESSBOARD, ThingKind.KEYBOARD) and draw_bool(rng, 0.8):
        finish = replace(
            finish, second=random_black(rng) if np.mean(finish.colour) > 0.4 else random_white(rng), contrast=0.05
        )
    return SmallThing(kind, place, (long, wide), float(rng.uniform(0, 360)), finish, low_mm, tall, draw_seed(rng))


def scatter_things(
    rng: np.random.Generator, outer_mm: tuple[float, float, float, float], depth_mm: float
) -> tuple[SmallThing, ...]:
    """Objects beside the rectangle, sometimes with the box's own handle and latches."""
    left, top, right, bottom = outer_mm
    kinds = [kind for kind in ThingKind if kind not in (ThingKind.COIN, ThingKind.RING)]
    weights = [3, 4, 3, 3, 2, 4, 4, 1.5, 0.5, 0.7, 2, 2]
    found = []
    many = int(rng.integers(1, 4)) if draw_bool(rng, 0.6) else int(rng.integers(4, 14))
    for _ in range(many):
        kind = draw_choice(rng, kinds, weights)
        thing = make_thing(rng, kind, (0.0, 0.0), depth_mm)
        reach = 0.5 * float(np.hypot(*thing.size_mm)) if kind is not ThingKind.CABLE else rng.uniform(30, 200)
        reach += float(rng.exponential(60)) + 4
        side = int(rng.integers(4))
        along_x, along_y = rng.uniform(left - 150, right + 150), rng.uniform(top - 100, bottom + 100)
        place = ((left - reach, along_y), (right + reach, along_y), (along_x, top - reach), (along_x, bottom + reach))[
            side
        ]
        found.append(replace(thing, centre_mm=(float(place[0]), float(place[1]))))
    return tuple(found)


def random_handle(rng: np.random.Generator, outer_mm: tuple[float, float, float, float], depth_mm: float) -> SmallThing:
    """A bar along one side of the box."""
    left, top, right, bottom = outer_mm
    long, wide = float(rng.uniform(60, 150)), float(rng.uniform(8, 28))
    place, turn = draw_choice(
        rng,
        (
            ((left - wide / 2, (top + bottom) / 2), 90.0),
            ((right + wide / 2, (top + bottom) / 2), 90.0),
            (((left + right) / 2, top - wide / 2), 0.0),
            (((left + right) / 2, bottom + wide / 2), 0.0),
        ),
    )
    finish = make_plain(rng, draw_choice(rng, (random_black(rng), vary_colour(rng, (0.7, 0.65, 0.5), 0.2))))
    return SmallThing(
        ThingKind.BOX, place, (long, wide), turn, finish, depth_mm, float(rng.uniform(5, 20)), draw_seed(rng)
    )
