"""Drawn boards."""
