"""Detection of the playing field, and the calibration that follows from it."""
