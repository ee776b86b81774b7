"""Turns a film into what a camera gives: snapshots, then frames or simulated readings."""
