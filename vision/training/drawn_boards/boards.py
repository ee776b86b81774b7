"""Boards by chance: build, points, ornaments."""

import numpy as np

from vision.simulated.drawing.textures import mean_colour
from vision.simulated.scene import Board, Colour, Finish, Material, Ornament, Points, PointShape
from vision.training.drawn_boards.finishes import (
    any_colour,
    any_finish,
    black,
    bold,
    chance,
    coated,
    felt,
    leather,
    near,
    pick,
    plain,
    white,
    wood,
    wood_colour,
)

SHAPES = (
    PointShape.STRAIGHT,
    PointShape.LANCET,
    PointShape.CURVED,
    PointShape.ROUNDED,
    PointShape.TRUNCATED,
    PointShape.STRIPED,
)
WORDS = ("BACKGAMMON", "NARDY", "Champion", "64", "Royal", "TAVLA", "A.B.", "N1", "CASINO", "2006", "GAMES")

Surfaces = tuple[Finish, Finish, Finish, Finish, Finish]  # field, first points, second points, rim, bar


def _apart(a: Colour, b: Colour) -> float:
    return float(np.abs(np.array(a) - np.array(b)).sum())


def _point_colours(rng: np.random.Generator, field: Finish) -> tuple[Colour, Colour]:
    """Two colours, one of them sometimes close to the ground."""
    ground = mean_colour(field)
    while True:
        first = pick(rng, (white(rng), bold(rng), any_colour(rng), wood_colour(rng)))
        second = pick(rng, (black(rng), bold(rng), any_colour(rng), wood_colour(rng), white(rng)))
        if chance(rng, 0.12):
            first = near(rng, ground, 0.12)
        if _apart(first, second) > 0.25 and max(_apart(first, ground), _apart(second, ground)) > 0.25:
            return (first, second) if chance(rng, 0.5) else (second, first)


def _wooden(rng: np.random.Generator) -> Surfaces:
    field = wood(rng)
    rim = field if chance(rng, 0.3) else wood(rng)
    if chance(rng, 0.2):
        field = plain(rng, any_colour(rng)) if chance(rng, 0.3) else felt(rng, bold(rng))
    if chance(rng, 0.65):
        ground = np.mean(mean_colour(field))
        points = [wood(rng) for _ in range(6)]
        first = points[0]
        second = max(points[1:], key=lambda finish: _apart(mean_colour(finish), mean_colour(first)))
        if max(abs(np.mean(mean_colour(f)) - ground) for f in (first, second)) < 0.12:
            second = wood(rng, near(rng, black(rng), 0.1) if ground > 0.4 else white(rng))
    else:
        first, second = (plain(rng, colour) for colour in _point_colours(rng, field))
    return field, first, second, rim, rim if chance(rng, 0.7) else wood(rng)


def _case(rng: np.random.Generator) -> Surfaces:
    """Attaché cases: felt, cork or leather inside, leather or plastic outside."""
    ground = pick(rng, (bold(rng), near(rng, (0.45, 0.45, 0.45), 0.2), any_colour(rng), white(rng), black(rng)))
    field = pick(
        rng,
        (
            felt(rng, ground),
            felt(rng, ground),
            leather(rng, ground),
            coated(rng, Material.CORK, near(rng, (0.75, 0.55, 0.35), 0.15), (0, 0.1)),
        ),
    )
    first, second = (
        pick(rng, (leather(rng, colour), felt(rng, colour), plain(rng, colour)))
        for colour in _point_colours(rng, field)
    )
    outside = pick(rng, (black(rng), near(rng, (0.35, 0.2, 0.12), 0.2), bold(rng), near(rng, ground, 0.2)))
    rim = pick(rng, (leather(rng, outside), plain(rng, outside), felt(rng, outside)), (3, 2, 1))
    return field, first, second, rim, rim if chance(rng, 0.75) else leather(rng, any_colour(rng))


def _printed(rng: np.random.Generator) -> Surfaces:
    paper = pick(rng, (white(rng), near(rng, (0.85, 0.8, 0.68), 0.1), any_colour(rng)), (4, 2, 2))
    field = coated(rng, Material.PAPER, paper, (0.0, 0.35))
    field = Finish(field.material, field.colour, field.second, 0.15, 1.0, 0.0, field.gloss, field.seed)
    first, second = (plain(rng, colour) for colour in _point_colours(rng, field))
    bar = plain(rng, near(rng, paper, 0.05) if chance(rng, 0.4) else any_colour(rng))
    return field, first, second, plain(rng, any_colour(rng)), bar


def _plastic(rng: np.random.Generator) -> Surfaces:
    ground = pick(rng, (bold(rng), white(rng), black(rng), any_colour(rng)))
    field = plain(rng, ground)
    first, second = (plain(rng, colour) for colour in _point_colours(rng, field))
    rim = plain(rng, pick(rng, (ground, black(rng), any_colour(rng))))
    return field, first, second, rim, rim if chance(rng, 0.6) else plain(rng, any_colour(rng))


def _mixed(rng: np.random.Generator) -> Surfaces:
    field = any_finish(rng)
    first, second = (
        pick(rng, (plain(rng, c), felt(rng, c), leather(rng, c), wood(rng, c))) for c in _point_colours(rng, field)
    )
    return field, first, second, any_finish(rng), any_finish(rng)


def random_points(rng: np.random.Generator, field: Finish, first: Finish, second: Finish, height_mm: float) -> Points:
    shape = pick(rng, SHAPES, (9, 3, 2, 1, 0.6, 0.5))
    base = rng.uniform(0.85, 1.0) if chance(rng, 0.65) else rng.uniform(0.6, 0.9)
    length = rng.uniform(0.34, 0.46) if chance(rng, 0.7) else rng.uniform(0.28, 0.49)
    outline = any_colour(rng) if chance(rng, 0.25) else None
    alternate = not chance(rng, 0.08)
    filled = True
    if chance(rng, 0.06):
        filled = chance(rng, 0.5)
        second = field
        outline = outline or pick(rng, (black(rng), white(rng), any_colour(rng)))
    elif not alternate and _apart(mean_colour(first), mean_colour(field)) < 0.3:
        first = second
    gap = rng.uniform(0, 0.02) * height_mm if chance(rng, 0.2) else 0.0
    dot = any_colour(rng) if chance(rng, 0.06) else None
    return Points(
        shape,
        float(base),
        float(length),
        first,
        second,
        alternate,
        int(rng.integers(2)),
        outline,
        float(rng.uniform(0.6, 3.0)),
        filled,
        float(gap),
        dot,
    )


def _ornaments(rng: np.random.Generator, field_mm: tuple[float, float], bar_mm: tuple[float, float]) -> list[Ornament]:
    width, height = field_mm
    found: list[Ornament] = []
    halves = ((bar_mm[0] / 2), (bar_mm[1] + width) / 2)
    if chance(rng, 0.3):
        kind, colour = pick(rng, ("star", "circle", "text", "frame", "lines")), any_colour(rng)
        size, word = float(rng.uniform(20, 0.24 * height)), pick(rng, WORDS)
        if kind == "text":
            size = min(size, 1.2 * bar_mm[0] / len(word))
        for x in halves if chance(rng, 0.7) else halves[:1]:
            found.append(Ornament(kind, (x, height / 2), size, float(rng.uniform(0, 90)), colour, word))
    if chance(rng, 0.15):
        colour, inset = any_colour(rng), rng.uniform(1, 8)
        for x in halves:
            found.append(Ornament("outline", (x, height / 2), bar_mm[0] - inset, 0.0, colour, str(height - inset)))
    if chance(rng, 0.12):
        colour = any_colour(rng)
        for x in halves:
            found.append(Ornament("lines", (x, height / 2), bar_mm[0] * 0.95, 0.0, colour))
    if chance(rng, 0.3) and bar_mm[1] > bar_mm[0]:
        metal = pick(rng, ((0.75, 0.62, 0.3), (0.7, 0.7, 0.72), (0.15, 0.15, 0.15)))
        for share in (0.15, 0.85) if chance(rng, 0.7) else (0.15, 0.5, 0.85):
            place = ((bar_mm[0] + bar_mm[1]) / 2, share * height)
            found.append(Ornament("hinge", place, float(rng.uniform(14, 45)), 0.0, near(rng, metal, 0.1)))
    if chance(rng, 0.08):
        for _ in range(int(rng.integers(2, 9))):
            place = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
            found.append(Ornament("screw", place, float(rng.uniform(3, 8)), 0.0, (0.6, 0.58, 0.5)))
    return found


def _bar(rng: np.random.Generator, half_mm: float, pitch_mm: float, *, printed: bool) -> tuple[float, float, bool]:
    """(width, height, seam)."""
    kind = pick(rng, ("solid", "hinged", "line", "none"), (3, 4, 1.2, 1.0) if not printed else (2, 0.5, 2, 3))
    match kind:
        case "solid":
            raised = 0.0 if printed or chance(rng, 0.3) else rng.uniform(2, 25)
            return float(pitch_mm * rng.uniform(0.5, 1.5)), float(raised), False
        case "hinged":
            raised = 0.0 if printed or chance(rng, 0.15) else rng.uniform(3, 40)
            return float(pitch_mm * rng.uniform(0.25, 1.4)), float(raised), True
        case "line":
            return float(rng.uniform(1, 6)), 0.0, chance(rng, 0.5)
        case _:
            return 0.0, 0.0, chance(rng, 0.2)


def _creases(rng: np.random.Generator, width_mm: float) -> tuple[float, ...]:
    parts = int(rng.integers(2, 5))
    return tuple(width_mm * part / parts for part in range(1, parts))


def random_board(rng: np.random.Generator) -> Board:
    builds = (_wooden, _case, _printed, _plastic, _mixed)
    build = pick(rng, builds, (30, 28, 12, 18, 12))
    field, first, second, rim, bar = build(rng)
    printed = build is _printed
    pitch = float(rng.uniform(24, 52))
    margin = float(rng.uniform(0, 0.25) * pitch) if chance(rng, 0.3) else 0.0
    half = 6 * pitch + 2 * margin
    height = float(half * rng.uniform(1.35, 2.1))
    bar_width, bar_height, seam = _bar(rng, half, pitch, printed=printed)
    field_mm, bar_mm = (2 * half + bar_width, height), (half, half + bar_width)
    no_rim = printed and chance(rng, 0.75)
    rim_height = float(rng.uniform(3, 50) if chance(rng, 0.35) else rng.uniform(6, 25))
    rim_width = 0.0 if no_rim else float(rng.uniform(5, 40) if chance(rng, 0.4) else rng.uniform(8, 26))
    trays = [float(rng.uniform(0.9, 1.6) * pitch) if chance(rng, 0.28) else 0.0 for _ in range(2)]
    if chance(rng, 0.5):
        trays = [trays[0], trays[0]]
    tournament = build is _case and chance(rng, 0.6)
    if tournament:
        bar_width, bar_height, seam = float(rng.uniform(10, 30)), rim_height, True
        field_mm, bar_mm = (2 * half + bar_width, height), (half, half + bar_width)
        rim_width, trays = float(rng.uniform(5, 13)), [float(rng.uniform(1.0, 1.4) * pitch)] * 2
        trays = trays if chance(rng, 0.7) else [0.0, 0.0]
    inner = rim if chance(rng, 0.7) else pick(rng, (field, felt(rng, any_colour(rng)), plain(rng, any_colour(rng))))
    tray = pick(rng, (field, rim, felt(rng, any_colour(rng)), inner))
    border = any_colour(rng) if chance(rng, 0.8 if no_rim else 0.15) else None
    return Board(
        field_mm=field_mm,
        bar_mm=bar_mm,
        field=field,
        bar=bar,
        rim=rim,
        inner=inner,
        margin_mm=margin,
        points=random_points(rng, field, first, second, height),
        bar_height_mm=min(bar_height, rim_height) if not no_rim else 0.0,
        bar_seam=seam,
        rim_width_mm=rim_width,
        rim_height_mm=rim_height,
        sheet_mm=float(rng.uniform(2, 40)) if no_rim else 0.0,
        depth_mm=float(rng.uniform(0.5, 5)) if no_rim else float(rng.uniform(6, 40)),
        trays_mm=(0.0, 0.0) if no_rim else (trays[0], trays[1]),
        tray=tray,
        tray_cells=int(rng.integers(2, 6)) if chance(rng, 0.8 if tournament else 0.25) else 1,
        corner=near(rng, (0.7, 0.65, 0.5), 0.3) if chance(rng, 0.1) else None,
        border=border,
        uneven=float(rng.uniform(0, 0.18)) if chance(rng, 0.4) else 0.0,
        crease_mm=_creases(rng, field_mm[0]) if no_rim and chance(rng, 0.4) else (),
        border_mm=float(rng.uniform(1, 10)),
        ornaments=tuple(_ornaments(rng, field_mm, bar_mm)),
    )
