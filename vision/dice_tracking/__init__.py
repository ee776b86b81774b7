"""Dice tracking."""
