"""Observing."""
