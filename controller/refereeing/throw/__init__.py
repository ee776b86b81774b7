"""Throw."""
