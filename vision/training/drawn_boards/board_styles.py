"""Random boards as real ones are made: surfaces from real textures, points of every kind, ornaments, frames.

`random_styled_board` takes a random board of `boards` and gives it the looks of a `BoardStyle`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vision.simulated.drawing.textures import mean_colour
from vision.simulated.scene import Board, Colour, Finish, PointMm
from vision.training.drawn_boards.boards import random_board
from vision.training.drawn_boards.brushes import Sheet
from vision.training.drawn_boards.finishes import (
    draw_bool,
    draw_choice,
    make_plain,
    random_black,
    random_colour,
    random_vivid_colour,
    random_white,
    random_wood,
    random_wood_colour,
    vary_colour,
)
from vision.training.drawn_boards.motifs import Motif, paint_motif, random_motifs, random_rim_motifs
from vision.training.drawn_boards.point_looks import (
    Filling,
    Mark,
    Outline,
    PointLook,
    paint_points,
    random_seat,
)
from vision.training.drawn_boards.texture_library import TextureLibrary

LEAST_CONTRAST = 0.22  # sum of the differences of three channels, between points and ground
OUTLINES = (
    *(Outline.NONE, Outline.TRIANGLE, Outline.BROAD, Outline.ARCH, Outline.GOTHIC, Outline.LANCET),
    *(Outline.OGEE, Outline.SPIRE, Outline.DIAMOND, Outline.STRIP, Outline.FLAME),
)
OUTLINE_WEIGHTS = (1.5, 9, 3, 2, 2, 2, 1, 2, 1, 1, 0.5)
FILLING_WEIGHTS = (10, 3, 1.5, 1.5, 1, 0.7, 2.5)


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """How a board is painted: what lies below the points, the points, what lies above them, and the frame."""

    below: tuple[Motif, ...] = ()
    points: PointLook | None = None
    above: tuple[Motif, ...] = ()
    rim: tuple[Motif, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldPainter:
    """`Board.decorate` of a style."""

    style: BoardStyle
    board: Board

    def __call__(self, pixels: Any, px_per_mm: float, origin_mm: PointMm) -> None:
        sheet = Sheet(pixels, px_per_mm, origin_mm)
        for motif in self.style.below:
            paint_motif(sheet, motif)
        if self.style.points is not None:
            paint_points(sheet, self.board, self.style.points)
        for motif in self.style.above:
            paint_motif(sheet, motif)


@dataclass(frozen=True, slots=True)
class RimPainter:
    """`Board.decorate_rim` of a style."""

    motifs: tuple[Motif, ...]

    def __call__(self, pixels: Any, px_per_mm: float, origin_mm: PointMm) -> None:
        sheet = Sheet(pixels, px_per_mm, origin_mm)
        for motif in self.motifs:
            paint_motif(sheet, motif)


def _distance(a: Colour, b: Colour) -> float:
    return float(np.abs(np.array(a) - np.array(b)).sum())


def _random_ink(rng: np.random.Generator, library: TextureLibrary | None) -> Finish:
    colours = (random_white, random_black, random_vivid_colour, random_colour, random_wood_colour)
    colour = draw_choice(rng, colours, (3, 4, 3, 2, 3))(rng)
    if library is not None and draw_bool(rng, 0.4):
        return library.draw(rng, library.woods if draw_bool(rng, 0.7) else library.cloths, colour)
    if library is not None and draw_bool(rng, 0.06):
        return library.draw(rng, library.patterns)
    return random_wood(rng, colour) if draw_bool(rng, 0.25) else make_plain(rng, colour)


def _inks_on(rng: np.random.Generator, ground: Finish, count: int, library: TextureLibrary | None) -> list[Finish]:
    """The first stands out from the ground; any other may be close to it."""
    found: list[Finish] = []
    while len(found) < count:
        ink = _random_ink(rng, library)
        if found or _distance(mean_colour(ink), mean_colour(ground)) > LEAST_CONTRAST:
            found.append(ink)
    return found


def random_point_look(
    rng: np.random.Generator, ground: Finish, inks: Sequence[Finish], library: TextureLibrary | None
) -> PointLook:
    outline = draw_choice(rng, OUTLINES, OUTLINE_WEIGHTS)
    count = int(draw_choice(rng, (1, 2, 3, 12), (2.5, 8, 0.7, 0.5)))
    own = list(inks[:count]) if count <= len(inks) else _inks_on(rng, ground, count, library)
    filling = draw_choice(rng, list(Filling), FILLING_WEIGHTS)
    bare = outline is Outline.NONE
    has_seats = draw_bool(rng, 0.6 if bare else 0.07)
    base_mark = draw_choice(rng, list(Mark)) if draw_bool(rng, 0.55 if bare and not has_seats else 0.22) else None
    tip_mark = draw_choice(rng, list(Mark)) if draw_bool(rng, 0.5 if bare else 0.22) else None
    edge = inks[-1].colour if draw_bool(rng, 0.35) else None
    if edge is not None and draw_bool(rng, 0.4):
        edge = random_colour(rng)
    long = float(rng.uniform(0.34, 0.46) if draw_bool(rng, 0.75) else rng.uniform(0.22, 0.5))
    gap = float(rng.uniform(0, 0.03) if draw_bool(rng, 0.25) else 0.0)
    if has_seats and draw_bool(rng, 0.5):
        gap = float(rng.uniform(0.1, 0.16))
    return PointLook(
        outline=outline,
        filling=filling,
        base=float(rng.uniform(0.86, 1.02) if draw_bool(rng, 0.65) else rng.uniform(0.3, 0.9)),
        length=min(long, 0.5 - gap),
        inks=tuple(own),
        edge=edge,
        edge_mm=float(rng.uniform(0.5, 3.0)),
        gap=gap,
        base_mark=base_mark,
        base_size=float(rng.uniform(0.2, 0.7) if draw_bool(rng, 0.75) else rng.uniform(0.6, 0.95)),
        between=draw_bool(rng, 0.2),
        tip_mark=tip_mark,
        tip_size=float(rng.uniform(0.12, 0.5)),
        mark_inks=tuple(_inks_on(rng, ground, int(rng.integers(1, 3)), library)),
        seat=random_seat(rng, inks[0].colour) if has_seats else None,
        same_order=draw_bool(rng, 0.15),
    )


def _surfaces(rng: np.random.Generator, board: Board, library: TextureLibrary | None) -> Board:
    """The board with some of its surfaces cut from photographs."""
    if library is None:
        return board
    kinds = (library.woods, library.cloths, library.stones, library.patterns, library.rooms)
    field, rim, bar, inner = board.field, board.rim, board.bar, board.inner
    if draw_bool(rng, 0.7):
        kind = draw_choice(rng, kinds, (9, 5, 1.5, 1.2, 0.4))
        field = library.draw(rng, kind, random_vivid_colour(rng) if draw_bool(rng, 0.15) else None)
    if draw_bool(rng, 0.65):
        rim = library.draw(rng, library.woods if draw_bool(rng, 0.75) else library.cloths)
        inner = rim if draw_bool(rng, 0.7) else field
    if draw_bool(rng, 0.6):
        bar = rim if draw_bool(rng, 0.7) else library.draw_surface(rng)
    elif draw_bool(rng, 0.3):
        bar = field
    return replace(board, field=field, rim=rim, bar=bar, inner=inner)


def _shape(rng: np.random.Generator, board: Board) -> Board:
    """Deep rims, tall or wide fields, bars of every width, sheets without a bar."""
    if board.rim_width_mm > 0 and draw_bool(rng, 0.65):
        board = replace(board, rim_height_mm=float(board.pitch_mm * rng.uniform(0.4, 1.6)))
        if draw_bool(rng, 0.6):
            board = replace(board, rim_width_mm=float(rng.uniform(5, 16)))
    if draw_bool(rng, 0.3):
        # A photograph that was stretched: a field from half as high as wide to higher than wide.
        width, _ = board.field_mm
        board = replace(board, field_mm=(width, float(width * rng.uniform(0.55, 1.15))))
    if board.bar_height_mm > 0:
        high = board.rim_height_mm if draw_bool(rng, 0.5) else min(board.bar_height_mm, board.rim_height_mm)
        board = replace(board, bar_height_mm=high)
    elif draw_bool(rng, 0.4):
        middle = board.bar_mm[0]
        board = replace(board, bar_mm=(middle, middle), field_mm=(2 * middle, board.field_mm[1]), bar_seam=False)
    return board


def random_style(rng: np.random.Generator, board: Board, library: TextureLibrary | None) -> BoardStyle:
    inks = _inks_on(rng, board.field, int(rng.integers(2, 5)), library)
    points = random_point_look(rng, board.field, inks, library) if draw_bool(rng, 0.85) else None
    motifs = random_motifs(rng, board, inks, library)
    cut = int(rng.integers(len(motifs) + 1)) if draw_bool(rng, 0.4) else len(motifs)
    rim = random_rim_motifs(rng, board, inks, library) if board.rim_width_mm > 0 and draw_bool(rng, 0.5) else ()
    return BoardStyle(motifs[:cut], points, motifs[cut:], rim)


def random_styled_board(rng: np.random.Generator, library: TextureLibrary | None) -> Board:
    board = _shape(rng, _surfaces(rng, random_board(rng), library))
    style = random_style(rng, board, library)
    if style.points is not None:
        inks = style.points.inks
        plain = replace(
            board.points,
            filled=False,
            outline=None,
            tip_dot=None,
            length=style.points.length,
            first=inks[0],
            second=inks[-1],
        )
        board = replace(board, points=plain)
    if draw_bool(rng, 0.1):
        board = replace(board, border=vary_colour(rng, mean_colour(board.rim), 0.5))
    return replace(board, decorate=FieldPainter(style, board), decorate_rim=RimPainter(style.rim))
