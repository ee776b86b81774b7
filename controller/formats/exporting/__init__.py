"""Writes matches as files and positions of other programs."""
