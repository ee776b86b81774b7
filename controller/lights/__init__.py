"""Lights."""
