"""Runs the demo: its games, its speed, its simulated lights, and the figures that it prints."""
