"""Boards with arms over them, drawn as for simulated matches: fast, in styles that no training has seen, in any number.

The pictures are simpler than rendered ones. Their purpose is the number of hidden places: an arm in a rendered picture
hides only one on average.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.benchmarks.board_labels import POINT_NAMES, BoardLabel, Picture, PlaceLabel
from tests.benchmarks.drawn_dice import SIZE_PX, any_position
from vision.simulated.painter import Painter
from vision.simulated.scene_building import build_scene
from vision.simulated.table_styles import table_style
from vision.simulated.tabletop import HandPose, TableEdge, TableStyle
from vision.simulated.truth import TableTruth, compute_truth

FIRST_SEED = 70_000  # tests, demonstrations and drawn dice use lower seeds
HANDS_A_TABLE = 10
A_HAND = 0.75  # probability of an arm from each edge; from below if there is none


def drawn_hands(tables: int) -> Iterator[tuple[Picture, BoardLabel]]:
    """Pictures (h, w, 3) BGR with labels: HANDS_A_TABLE positions with hands on each table."""
    for seed in range(FIRST_SEED, FIRST_SEED + tables):
        style, rng = table_style(seed, SIZE_PX), np.random.default_rng(seed)
        painter = Painter(style, codes_jpeg=True)
        for number in range(HANDS_A_TABLE):
            edges = [edge for edge in TableEdge if rng.random() < A_HAND] or [TableEdge.BOTTOM]
            hands = tuple(_hand(style, edge, rng) for edge in edges)
            shown = replace(any_position(rng), hands=hands)
            yield (
                painter.paint_frame(shown, number),
                _label(compute_truth(build_scene(style, shown)), f"table {seed}, hand {number}"),
            )


def drawn_boards(tables: int) -> Iterator[tuple[Picture, BoardLabel]]:
    """Pictures (h, w, 3) BGR with labels: one position on each table, without hands."""
    for seed in range(FIRST_SEED + 1_000, FIRST_SEED + 1_000 + tables):
        style, rng = table_style(seed, SIZE_PX), np.random.default_rng(seed)
        shown = any_position(rng)
        label = _label(compute_truth(build_scene(style, shown)), f"table {seed}")
        yield Painter(style, codes_jpeg=True).paint_frame(shown, 0), label


def _hand(style: TableStyle, edge: TableEdge, rng: np.random.Generator) -> HandPose:
    """Finger tips anywhere over the field; the arm straight in or aslant."""
    board = style.scene.board
    assert board is not None, "a table has a board"
    width_mm, height_mm = board.field_mm
    across, along = float(rng.uniform(0.05, 0.95)), float(rng.uniform(0.05, 0.7))  # from the far edge on
    tip_mm = (across * width_mm, (along if edge is TableEdge.BOTTOM else 1 - along) * height_mm)
    aslant_deg = (90.0 if edge is TableEdge.BOTTOM else 270.0) + float(rng.normal(0, 25))
    return HandPose(edge, tip_mm, float(rng.uniform(0, 40)), None if rng.random() < 0.5 else aslant_deg)


def _label(truth: TableTruth, name: str) -> BoardLabel:
    points = {
        place: PlaceLabel((point.colour, point.count), point.occluded)
        for place, point in zip(POINT_NAMES, truth.places, strict=True)
    }
    corners = np.array(truth.field_corners_px, np.float64)
    return BoardLabel(image=Path(name), corners_px=corners, points=points, bar=None, groups=("drawn",))
