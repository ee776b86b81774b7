"""Pictures in, readings out: what stands on the board and how the dice lie, without players and without rules."""

from vision.errors import OpenCvShapeError, VisionError

__all__ = ["OpenCvShapeError", "VisionError"]
