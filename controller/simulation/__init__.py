"""A table that exists only as numbers: who plays at it, what happens over time, and the truth about it."""
