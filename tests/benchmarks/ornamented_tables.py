"""Tables with ornamented boards: real textures, painted points, motifs and carved checkers on a table in play.

The measures of board, checkers and camera stay those of the table, so that everything that was planned for it fits.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.simulated.checker_spots import require_board
from vision.simulated.drawing.textures import mean_colour
from vision.simulated.scene import Board, CheckerStyle
from vision.simulated.tabletop import TableStyle
from vision.training.drawn_boards.board_styles import FieldPainter, RimPainter, random_style
from vision.training.drawn_boards.pieces import random_checker_styles
from vision.training.drawn_boards.texture_library import TextureLibrary, read_library

LEAST_APART = 0.5  # sum of the differences of three channels 0..1, between the sides
TEXTURES = Path(__file__).parents[2].parent / "shared" / "textures"


def find_library(folder: Path = TEXTURES) -> TextureLibrary | None:
    """The real textures, None where they are not on this machine: ornaments are then painted without photographs."""
    return read_library(folder) if (folder / "index.jsonl").is_file() else None


def ornament_table(style: TableStyle, seed: int, library: TextureLibrary | None) -> TableStyle:
    """The table with another board and other checkers of its own measures."""
    rng = np.random.default_rng([seed, 55])
    board = require_board(style)
    if library is not None:
        rim = library.draw(rng, library.woods)
        field = library.draw(rng, library.woods if rng.random() < 0.7 else library.cloths)
        board = replace(board, field=field, rim=rim, inner=rim, bar=replace(rim, seed=rim.seed + 1))
    looks = random_style(rng, board, library)
    if looks.points is not None:
        first, last = looks.points.inks[0], looks.points.inks[-1]
        points = replace(board.points, filled=False, length=looks.points.length, first=first, second=last)
        board = replace(board, points=points)
    board = replace(board, decorate=FieldPainter(looks, board), decorate_rim=RimPainter(looks.rim))
    light, dark = _draw_checkers(rng, board, library)
    return replace(style, scene=replace(style.scene, board=board, light=light, dark=dark))


def _draw_checkers(
    rng: np.random.Generator, board: Board, library: TextureLibrary | None
) -> tuple[CheckerStyle, CheckerStyle]:
    """(light, dark) that players can tell apart."""
    while True:
        light, dark = random_checker_styles(rng, board, is_styled=True, library=library)
        apart = np.array(mean_colour(light.finish)) - np.array(mean_colour(dark.finish))
        if np.abs(apart).sum() >= LEAST_APART:
            return light, dark
