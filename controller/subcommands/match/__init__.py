"""A match on a real board: opening and resuming, playing, set-up on the page, calibration before it. See README.md."""
