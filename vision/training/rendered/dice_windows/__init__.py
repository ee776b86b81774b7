"""Dice windows."""
