"""Coordinate frames: calibration, projection between board and picture, straight-down view."""
