"""Random scenes with and without a board, drawn by `vision.simulated`, as training pictures."""
