"""A table that exists only as numbers: scenes, their pictures and the truth about them."""

from vision.simulated.draw import draw
from vision.simulated.scene import Scene
from vision.simulated.truth import CheckerTruth, PlaceTruth, TableTruth, truth_of

__all__ = ["CheckerTruth", "PlaceTruth", "Scene", "TableTruth", "draw", "truth_of"]
