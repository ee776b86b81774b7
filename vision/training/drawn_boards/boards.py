"""Random boards: build, points, ornaments."""

import numpy as np

from vision.simulated.drawing.textures import mean_colour
from vision.simulated.scene import Board, Colour, Finish, Ornament, PointShape, PointStyle, SurfacePattern
from vision.training.drawn_boards.finishes import (
    draw_bool,
    draw_choice,
    make_coating,
    make_felt,
    make_leather,
    make_plain,
    random_black,
    random_colour,
    random_finish,
    random_vivid_colour,
    random_white,
    random_wood,
    random_wood_colour,
    vary_colour,
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


def _colour_distance(a: Colour, b: Colour) -> float:
    return float(np.abs(np.array(a) - np.array(b)).sum())


def _point_colours(rng: np.random.Generator, field: Finish) -> tuple[Colour, Colour]:
    """Two colours; sometimes one of them is close to the ground."""
    ground = mean_colour(field)
    while True:
        first = draw_choice(
            rng, (random_white(rng), random_vivid_colour(rng), random_colour(rng), random_wood_colour(rng))
        )
        second = draw_choice(
            rng,
            (
                random_black(rng),
                random_vivid_colour(rng),
                random_colour(rng),
                random_wood_colour(rng),
                random_white(rng),
            ),
        )
        if draw_bool(rng, 0.12):
            first = vary_colour(rng, ground, 0.12)
        if (
            _colour_distance(first, second) > 0.25
            and max(_colour_distance(first, ground), _colour_distance(second, ground)) > 0.25
        ):
            return (first, second) if draw_bool(rng, 0.5) else (second, first)


def _random_wooden(rng: np.random.Generator) -> Surfaces:
    field = random_wood(rng)
    rim = field if draw_bool(rng, 0.3) else random_wood(rng)
    if draw_bool(rng, 0.2):
        field = make_plain(rng, random_colour(rng)) if draw_bool(rng, 0.3) else make_felt(rng, random_vivid_colour(rng))
    if draw_bool(rng, 0.65):
        ground = np.mean(mean_colour(field))
        points = [random_wood(rng) for _ in range(6)]
        first = points[0]
        second = max(points[1:], key=lambda finish: _colour_distance(mean_colour(finish), mean_colour(first)))
        if max(abs(np.mean(mean_colour(f)) - ground) for f in (first, second)) < 0.12:
            second = random_wood(rng, vary_colour(rng, random_black(rng), 0.1) if ground > 0.4 else random_white(rng))
    else:
        first, second = (make_plain(rng, colour) for colour in _point_colours(rng, field))
    return field, first, second, rim, rim if draw_bool(rng, 0.7) else random_wood(rng)


def _random_case(rng: np.random.Generator) -> Surfaces:
    """Attaché cases: felt, cork or leather inside, leather or plastic outside."""
    ground = draw_choice(
        rng,
        (
            random_vivid_colour(rng),
            vary_colour(rng, (0.45, 0.45, 0.45), 0.2),
            random_colour(rng),
            random_white(rng),
            random_black(rng),
        ),
    )
    field = draw_choice(
        rng,
        (
            make_felt(rng, ground),
            make_felt(rng, ground),
            make_leather(rng, ground),
            make_coating(rng, SurfacePattern.CORK, vary_colour(rng, (0.75, 0.55, 0.35), 0.15), (0, 0.1)),
        ),
    )
    first, second = (
        draw_choice(rng, (make_leather(rng, colour), make_felt(rng, colour), make_plain(rng, colour)))
        for colour in _point_colours(rng, field)
    )
    outside = draw_choice(
        rng,
        (
            random_black(rng),
            vary_colour(rng, (0.35, 0.2, 0.12), 0.2),
            random_vivid_colour(rng),
            vary_colour(rng, ground, 0.2),
        ),
    )
    rim = draw_choice(rng, (make_leather(rng, outside), make_plain(rng, outside), make_felt(rng, outside)), (3, 2, 1))
    return field, first, second, rim, rim if draw_bool(rng, 0.75) else make_leather(rng, random_colour(rng))


def _random_printed(rng: np.random.Generator) -> Surfaces:
    paper = draw_choice(
        rng, (random_white(rng), vary_colour(rng, (0.85, 0.8, 0.68), 0.1), random_colour(rng)), (4, 2, 2)
    )
    field = make_coating(rng, SurfacePattern.PAPER, paper, (0.0, 0.35))
    field = Finish(field.material, field.colour, field.second, 0.15, 1.0, 0.0, field.gloss, field.seed)
    first, second = (make_plain(rng, colour) for colour in _point_colours(rng, field))
    bar = make_plain(rng, vary_colour(rng, paper, 0.05) if draw_bool(rng, 0.4) else random_colour(rng))
    return field, first, second, make_plain(rng, random_colour(rng)), bar


def _random_plastic(rng: np.random.Generator) -> Surfaces:
    ground = draw_choice(rng, (random_vivid_colour(rng), random_white(rng), random_black(rng), random_colour(rng)))
    field = make_plain(rng, ground)
    first, second = (make_plain(rng, colour) for colour in _point_colours(rng, field))
    rim = make_plain(rng, draw_choice(rng, (ground, random_black(rng), random_colour(rng))))
    return field, first, second, rim, rim if draw_bool(rng, 0.6) else make_plain(rng, random_colour(rng))


def _random_mixed(rng: np.random.Generator) -> Surfaces:
    field = random_finish(rng)
    first, second = (
        draw_choice(rng, (make_plain(rng, c), make_felt(rng, c), make_leather(rng, c), random_wood(rng, c)))
        for c in _point_colours(rng, field)
    )
    return field, first, second, random_finish(rng), random_finish(rng)


def random_points(
    rng: np.random.Generator, field: Finish, first: Finish, second: Finish, height_mm: float
) -> PointStyle:
    shape = draw_choice(rng, SHAPES, (9, 3, 2, 1, 0.6, 0.5))
    base = rng.uniform(0.85, 1.0) if draw_bool(rng, 0.65) else rng.uniform(0.6, 0.9)
    length = rng.uniform(0.34, 0.46) if draw_bool(rng, 0.7) else rng.uniform(0.28, 0.49)
    outline = random_colour(rng) if draw_bool(rng, 0.25) else None
    alternate = not draw_bool(rng, 0.08)
    filled = True
    if draw_bool(rng, 0.06):
        filled = draw_bool(rng, 0.5)
        second = field
        outline = outline or draw_choice(rng, (random_black(rng), random_white(rng), random_colour(rng)))
    elif not alternate and _colour_distance(mean_colour(first), mean_colour(field)) < 0.3:
        first = second
    gap = rng.uniform(0, 0.02) * height_mm if draw_bool(rng, 0.2) else 0.0
    dot = random_colour(rng) if draw_bool(rng, 0.06) else None
    return PointStyle(
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
    if draw_bool(rng, 0.3):
        kind, colour = draw_choice(rng, ("star", "circle", "text", "frame", "lines")), random_colour(rng)
        size, word = float(rng.uniform(20, 0.24 * height)), draw_choice(rng, WORDS)
        if kind == "text":
            size = min(size, 1.2 * bar_mm[0] / len(word))
        for x in halves if draw_bool(rng, 0.7) else halves[:1]:
            found.append(Ornament(kind, (x, height / 2), size, float(rng.uniform(0, 90)), colour, word))
    if draw_bool(rng, 0.15):
        colour, inset = random_colour(rng), rng.uniform(1, 8)
        for x in halves:
            found.append(Ornament("outline", (x, height / 2), bar_mm[0] - inset, 0.0, colour, str(height - inset)))
    if draw_bool(rng, 0.12):
        colour = random_colour(rng)
        for x in halves:
            found.append(Ornament("lines", (x, height / 2), bar_mm[0] * 0.95, 0.0, colour))
    if draw_bool(rng, 0.3) and bar_mm[1] > bar_mm[0]:
        metal = draw_choice(rng, ((0.75, 0.62, 0.3), (0.7, 0.7, 0.72), (0.15, 0.15, 0.15)))
        for share in (0.15, 0.85) if draw_bool(rng, 0.7) else (0.15, 0.5, 0.85):
            place = ((bar_mm[0] + bar_mm[1]) / 2, share * height)
            found.append(Ornament("hinge", place, float(rng.uniform(14, 45)), 0.0, vary_colour(rng, metal, 0.1)))
    if draw_bool(rng, 0.08):
        for _ in range(int(rng.integers(2, 9))):
            place = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
            found.append(Ornament("screw", place, float(rng.uniform(3, 8)), 0.0, (0.6, 0.58, 0.5)))
    return found


def _bar(rng: np.random.Generator, half_mm: float, pitch_mm: float, *, printed: bool) -> tuple[float, float, bool]:
    """(width, height, whether it has a seam)."""
    kind = draw_choice(rng, ("solid", "hinged", "line", "none"), (3, 4, 1.2, 1.0) if not printed else (2, 0.5, 2, 3))
    match kind:
        case "solid":
            raised = 0.0 if printed or draw_bool(rng, 0.3) else rng.uniform(2, 25)
            return float(pitch_mm * rng.uniform(0.5, 1.5)), float(raised), False
        case "hinged":
            raised = 0.0 if printed or draw_bool(rng, 0.15) else rng.uniform(3, 40)
            return float(pitch_mm * rng.uniform(0.25, 1.4)), float(raised), True
        case "line":
            return float(rng.uniform(1, 6)), 0.0, draw_bool(rng, 0.5)
        case _:
            return 0.0, 0.0, draw_bool(rng, 0.2)


def _creases(rng: np.random.Generator, width_mm: float) -> tuple[float, ...]:
    parts = int(rng.integers(2, 5))
    return tuple(width_mm * part / parts for part in range(1, parts))


def random_board(rng: np.random.Generator) -> Board:
    builds = (_random_wooden, _random_case, _random_printed, _random_plastic, _random_mixed)
    build = draw_choice(rng, builds, (30, 28, 12, 18, 12))
    field, first, second, rim, bar = build(rng)
    printed = build is _random_printed
    pitch = float(rng.uniform(24, 52))
    margin = float(rng.uniform(0, 0.25) * pitch) if draw_bool(rng, 0.3) else 0.0
    half = 6 * pitch + 2 * margin
    height = float(half * rng.uniform(1.35, 2.1))
    bar_width, bar_height, seam = _bar(rng, half, pitch, printed=printed)
    field_mm, bar_mm = (2 * half + bar_width, height), (half, half + bar_width)
    no_rim = printed and draw_bool(rng, 0.75)
    rim_height = float(rng.uniform(3, 50) if draw_bool(rng, 0.35) else rng.uniform(6, 25))
    rim_width = 0.0 if no_rim else float(rng.uniform(5, 40) if draw_bool(rng, 0.4) else rng.uniform(8, 26))
    trays = [float(rng.uniform(0.9, 1.6) * pitch) if draw_bool(rng, 0.28) else 0.0 for _ in range(2)]
    if draw_bool(rng, 0.5):
        trays = [trays[0], trays[0]]
    tournament = build is _random_case and draw_bool(rng, 0.6)
    if tournament:
        bar_width, bar_height, seam = float(rng.uniform(10, 30)), rim_height, True
        field_mm, bar_mm = (2 * half + bar_width, height), (half, half + bar_width)
        rim_width, trays = float(rng.uniform(5, 13)), [float(rng.uniform(1.0, 1.4) * pitch)] * 2
        trays = trays if draw_bool(rng, 0.7) else [0.0, 0.0]
    inner = (
        rim
        if draw_bool(rng, 0.7)
        else draw_choice(rng, (field, make_felt(rng, random_colour(rng)), make_plain(rng, random_colour(rng))))
    )
    tray = draw_choice(rng, (field, rim, make_felt(rng, random_colour(rng)), inner))
    border = random_colour(rng) if draw_bool(rng, 0.8 if no_rim else 0.15) else None
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
        tray_cells=int(rng.integers(2, 6)) if draw_bool(rng, 0.8 if tournament else 0.25) else 1,
        corner=vary_colour(rng, (0.7, 0.65, 0.5), 0.3) if draw_bool(rng, 0.1) else None,
        border=border,
        uneven=float(rng.uniform(0, 0.18)) if draw_bool(rng, 0.4) else 0.0,
        crease_mm=_creases(rng, field_mm[0]) if no_rim and draw_bool(rng, 0.4) else (),
        border_mm=float(rng.uniform(1, 10)),
        ornaments=tuple(_ornaments(rng, field_mm, bar_mm)),
    )
