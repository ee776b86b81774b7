"""The points of real boards: triangles, arches, lancets, outlines, bases and tips with ornaments, carved seats, none."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.simulated.scene import Board, Colour, Finish, PointMm
from vision.training.drawn_boards.brushes import Pixels, Sheet
from vision.training.drawn_boards.finishes import draw_bool, draw_choice

STEPS = 16


class Outline(Enum):
    """The outline of a point, from its base to its tip."""

    NONE = "none"
    TRIANGLE = "triangle"
    BROAD = "broad"  # a triangle on a rounded base
    ARCH = "arch"  # round
    GOTHIC = "gothic"  # a pointed arch
    LANCET = "lancet"
    OGEE = "ogee"
    SPIRE = "spire"  # thin, on a wide foot
    DIAMOND = "diamond"
    STRIP = "strip"
    FLAME = "flame"


class Filling(Enum):
    """How a point is coloured."""

    WHOLE = "whole"
    EDGE = "edge"  # outline only
    HALVES = "halves"  # lengthwise in two colours
    INSET = "inset"  # a smaller point of another colour inside
    STRIPES = "stripes"
    DOTTED = "dotted"
    MIXED = "mixed"  # every second point is an outline only


class Mark(Enum):
    """An ornament at the base or the tip of a point."""

    DISC = "disc"
    RING = "ring"
    HALF_DISC = "half disc"
    DIAMOND = "diamond"
    STAR = "star"
    CROSS = "cross"
    CHEVRONS = "chevrons"
    FLOWER = "flower"
    DISC_IN_RING = "disc in ring"


@dataclass(frozen=True, slots=True)
class Seat:
    """A carved recess as wide as a checker: its shade, how many lie in a row, and whether a line runs around it."""

    radius: float  # in widths of a point
    depth: float
    light_deg: float
    in_row: int = 1
    line: Colour | None = None
    tone: float = 1.0


@dataclass(frozen=True, slots=True)
class PointLook:
    """How all points of a board look. Widths in pitches, lengths in heights of the field, lines in mm."""

    outline: Outline
    filling: Filling
    base: float
    length: float
    inks: tuple[Finish, ...]  # in turn from point to point
    edge: Colour | None = None
    edge_mm: float = 1.0
    gap: float = 0.0
    base_mark: Mark | None = None
    base_size: float = 0.3
    between: bool = False  # base marks stand between the points too
    tip_mark: Mark | None = None
    tip_size: float = 0.2
    mark_inks: tuple[Finish, ...] = ()
    seat: Seat | None = None
    same_order: bool = False  # both rows start with the same ink


def half_width(outline: Outline, share: Pixels) -> Pixels:
    """Half width (1 at the widest) at share 0..1 of the length."""
    rest = 1 - share
    match outline:
        case Outline.BROAD:
            return np.where(share < 0.12, np.sqrt(np.maximum(1 - ((0.12 - share) / 0.12) ** 2, 0)), rest / 0.88)
        case Outline.ARCH:
            return np.where(share < 0.7, 1.0, np.sqrt(np.maximum(1 - ((share - 0.7) / 0.3) ** 2, 0)))
        case Outline.GOTHIC:
            return np.where(share < 0.5, 1.0, np.sqrt(1 - np.maximum((share - 0.5) / 0.5, 0) ** 1.6))
        case Outline.LANCET:
            return np.where(share < 0.3, 0.55 + 1.5 * share, np.maximum(rest / 0.7, 0) ** 0.8)
        case Outline.OGEE:
            return 0.5 * (1 + np.cos(np.pi * share)) * (1 - 0.15 * np.sin(2 * np.pi * share))
        case Outline.SPIRE:
            return np.where(share < 0.15, 1 - 3.5 * share, 0.475 * rest / 0.85)
        case Outline.DIAMOND:
            return np.where(share < 0.45, 0.15 + share / 0.53, rest / 0.55)
        case Outline.STRIP:
            return np.where(share < 0.97, 1.0, 0.0)
        case Outline.FLAME:
            return rest * (1 + 0.35 * np.sin(3 * np.pi * share))
        case _:
            return rest


def outline_mm(board: Board, look: PointLook, place: int, shrink: float = 1.0) -> Pixels:
    """(n, 2) outline of point 0..23; `shrink` below 1 gives a smaller one inside."""
    share = np.linspace(0, 1, 2 if look.outline is Outline.TRIANGLE else STEPS)
    reach = half_width(look.outline, share) * look.base * board.pitch_mm / 2 * shrink
    across = np.concatenate([-reach, reach[::-1]]) + board.point_x_mm(place % 12)
    long = look.length * board.field_mm[1]
    along = long * (0.5 * (1 - shrink) * 0.3 + share * (1 - 0.8 * (1 - shrink))) + look.gap * board.field_mm[1]
    both = np.concatenate([along, along[::-1]])
    return np.column_stack([across, both if place < 12 else board.field_mm[1] - both])


def at_mm(board: Board, place: int, along_mm: float, beside_mm: float = 0.0) -> PointMm:
    """A place on a point by its distance from the rim."""
    x = board.point_x_mm(place % 12) + beside_mm
    return x, along_mm if place < 12 else board.field_mm[1] - along_mm


def ink_of(look: PointLook, place: int) -> int:
    """Number of the point's ink."""
    step = 0 if look.same_order or place < 12 else 1
    return (place % 12 + step) % len(look.inks)


def paint_points(sheet: Sheet, board: Board, look: PointLook) -> None:
    if look.seat is not None:
        for place in range(24):
            for number in range(look.seat.in_row):
                away = board.pitch_mm * look.seat.radius * (1.02 + 2.04 * number)
                paint_seat(sheet, at_mm(board, place, away), look.seat, board.pitch_mm)
    if look.outline is not Outline.NONE:
        for number, ink in enumerate(look.inks):
            _fill_points(sheet, board, look, ink, [place for place in range(24) if ink_of(look, place) == number])
        if look.edge is not None:
            every = [outline_mm(board, look, place) for place in range(24)]
            sheet.stroke(every, look.edge, look.edge_mm)
    _paint_marks(sheet, board, look)


def _fill_points(sheet: Sheet, board: Board, look: PointLook, ink: Finish, places: list[int]) -> None:
    outlines = [outline_mm(board, look, place) for place in places]
    other = look.mark_inks[0] if look.mark_inks else ink
    match look.filling:
        case Filling.EDGE:
            sheet.stroke(outlines, ink.colour, max(look.edge_mm, 0.8))
        case Filling.MIXED:
            hollow = [outline for place, outline in zip(places, outlines, strict=True) if place % 2]
            sheet.fill([outline for place, outline in zip(places, outlines, strict=True) if not place % 2], ink)
            sheet.stroke(hollow, ink.colour, max(look.edge_mm, 1.2))
        case Filling.HALVES:
            sheet.fill(outlines, ink)
            half = len(outlines[0]) // 2 if outlines else 0
            middles = [np.concatenate([outline[:half], _axis(outline)]) for outline in outlines]
            sheet.fill(middles, other)
        case Filling.INSET:
            sheet.fill(outlines, ink)
            sheet.fill([outline_mm(board, look, place, 0.55) for place in places], other)
        case Filling.STRIPES:
            for part in range(0, 10, 2):
                sheet.fill([_band(outline, part / 10, (part + 1) / 10) for outline in outlines], ink)
        case Filling.DOTTED:
            sheet.fill(outlines, ink)
            for place in places:
                for share in (0.1, 0.3, 0.5, 0.7):
                    spot = at_mm(board, place, (look.gap + share * look.length) * board.field_mm[1])
                    sheet.disc(spot, 0.12 * (1.1 - share) * board.pitch_mm, other)
        case _:
            sheet.fill(outlines, ink)


def _axis(outline: Pixels) -> Pixels:
    """The middle line from tip to base."""
    half = len(outline) // 2
    return (outline[half:] + outline[:half][::-1]) / 2


def _band(outline: Pixels, low: float, high: float) -> Pixels:
    """The part of a point between two shares of its length."""
    half = len(outline) // 2
    left, right = outline[:half], outline[half:][::-1]
    share = np.linspace(0, 1, half)
    sides = [
        [np.array([np.interp(at, share, side[:, axis]) for axis in (0, 1)]) for at in (low, high)]
        for side in (left, right)
    ]
    return np.array([sides[0][0], sides[0][1], sides[1][1], sides[1][0]])


def _paint_marks(sheet: Sheet, board: Board, look: PointLook) -> None:
    inks = look.mark_inks or look.inks
    for place in range(24):
        ink = inks[ink_of(look, place) % len(inks)]
        upward = place >= 12
        if look.base_mark is not None:
            size = look.base_size * board.pitch_mm
            away = look.gap * board.field_mm[1] + (0.0 if look.base_mark is Mark.HALF_DISC else size * 0.55)
            paint_mark(sheet, look.base_mark, at_mm(board, place, away), size, ink, upward=upward)
            if look.between and place % 6 < 5:
                spot = at_mm(board, place, away, board.pitch_mm / 2)
                paint_mark(sheet, look.base_mark, spot, size * 0.8, ink, upward=upward)
        if look.tip_mark is not None:
            size = look.tip_size * board.pitch_mm
            away = (look.gap + look.length) * board.field_mm[1] + size * 0.3
            paint_mark(sheet, look.tip_mark, at_mm(board, place, away), size, ink, upward=upward)


def paint_mark(sheet: Sheet, mark: Mark, centre_mm: PointMm, size_mm: float, ink: Finish, *, upward: bool) -> None:
    """An ornament of that width; `upward` ones belong to the lower row."""
    centre, radius = np.array(centre_mm), size_mm / 2
    match mark:
        case Mark.DISC:
            sheet.disc(centre_mm, radius, ink)
        case Mark.RING:
            sheet.ring(centre_mm, radius, ink.colour, 0.16 * size_mm)
        case Mark.DISC_IN_RING:
            sheet.disc(centre_mm, 0.55 * radius, ink)
            sheet.ring(centre_mm, radius, ink.colour, 0.1 * size_mm)
        case Mark.HALF_DISC:
            turn = np.linspace(0, np.pi, 16) * (-1 if upward else 1)
            sheet.fill([centre + radius * np.column_stack([np.cos(turn), np.sin(turn)])], ink)
        case Mark.DIAMOND:
            sheet.fill([centre + radius * np.array([[1, 0], [0, 1.5], [-1, 0], [0, -1.5]])], ink)
        case Mark.CROSS:
            for half in ((1, 0.22), (0.22, 1)):
                corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
                sheet.fill([centre + radius * corners], ink)
        case Mark.CHEVRONS:
            way = -1 if upward else 1
            for number in range(3):
                line = np.array([[-1, -0.6], [0, 0.2], [1, -0.6]]) * (1 - 0.2 * number) + (0, 0.8 * number)
                sheet.stroke([centre + radius * line * (1, way)], ink.colour, 0.1 * size_mm, closed=False)
        case Mark.FLOWER:
            turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
            long = radius * (0.65 + 0.35 * np.cos(5 * turn))
            sheet.fill([centre + np.column_stack([np.cos(turn), np.sin(turn)]) * long[:, None]], ink)
        case Mark.STAR:
            turn = np.arange(16) * np.pi / 8
            long = np.where(np.arange(16) % 2, 0.42, 1.0) * radius
            sheet.fill([centre + np.column_stack([np.cos(turn), np.sin(turn)]) * long[:, None]], ink)


def paint_seat(sheet: Sheet, centre_mm: PointMm, seat: Seat, pitch_mm: float) -> None:
    """A recess: its wall is dark towards the lamp and bright on the other side, its floor a little darker."""
    radius = seat.radius * pitch_mm
    window = sheet.window_around(centre_mm, 1.2 * radius)
    if window is None:
        return
    rows, columns = window
    middle = sheet.to_px(centre_mm)
    x = (np.arange(columns.start, columns.stop) - middle[0])[None, :] / (radius * sheet.px_per_mm)
    y = (np.arange(rows.start, rows.stop) - middle[1])[:, None] / (radius * sheet.px_per_mm)
    away = np.sqrt(x**2 + y**2)
    soft = max(0.08, 1.0 / (radius * sheet.px_per_mm))
    inside = np.clip((1 - away) / soft + 0.5, 0, 1)
    wall = np.exp(-(((away - 0.93) / 0.11) ** 2))
    facing = (x * np.cos(np.radians(seat.light_deg)) + y * np.sin(np.radians(seat.light_deg))) / np.maximum(away, 0.1)
    factor = (
        1
        + inside * (seat.tone - 1)
        - seat.depth * wall * facing
        - 0.35 * seat.depth * inside * np.clip(facing, 0, 1) * away**3
    )
    sheet.multiply(np.clip(factor, 0.15, 1.8), window)
    if seat.line is not None:
        sheet.ring(centre_mm, radius, seat.line, 0.8)


def random_seat(rng: np.random.Generator, line: Colour | None) -> Seat:
    return Seat(
        radius=float(rng.uniform(0.38, 0.5)),
        depth=float(rng.uniform(0.15, 0.75)),
        light_deg=float(rng.uniform(0, 360)),
        in_row=int(draw_choice(rng, (1, 1, 2, 5))),
        line=line if draw_bool(rng, 0.3) else None,
        tone=float(rng.uniform(0.72, 1.05)),
    )
