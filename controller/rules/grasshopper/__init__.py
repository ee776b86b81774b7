"""Grasshopper, the game without dice: its state, its actions, and the judge of a board after a turn."""
