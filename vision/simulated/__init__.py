"""A simulated table: scenes, their pictures and their exact labels."""

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
    "compute_truth",
    "draw",
    "table_style",
]
