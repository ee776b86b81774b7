"""Staging."""
