"""A simulated table: scenes, the actions played on it, its pictures and their exact labels."""

from vision.simulated.actions import arrangement_after, arrangement_at
from vision.simulated.drawing.draw import draw
from vision.simulated.painter import Painter
from vision.simulated.scene import Scene
from vision.simulated.table_styles import table_style
from vision.simulated.tabletop import Arrangement, TableStyle
from vision.simulated.truth import CheckerTruth, PlaceTruth, TableTruth, compute_truth

__all__ = [
    "Arrangement",
    "CheckerTruth",
    "Painter",
    "PlaceTruth",
    "Scene",
    "TableStyle",
    "TableTruth",
    "arrangement_after",
    "arrangement_at",
    "compute_truth",
    "draw",
    "table_style",
]
