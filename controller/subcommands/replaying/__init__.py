"""Replaying."""
