"""Grasshopper."""
