"""Detects dice and the doubling cube in one picture, and reads their faces, lies and places."""
