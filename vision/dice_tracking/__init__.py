"""Follows dice over several frames: when dice rest, what they show, and what becomes of them."""
