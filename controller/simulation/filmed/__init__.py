"""Filmed."""
