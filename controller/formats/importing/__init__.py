"""Reads match files of other programs, and exported logs, into events."""
