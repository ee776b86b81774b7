"""Drawn dice."""
