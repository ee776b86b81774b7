"""Checks a transcript against the rules core and builds the match that is kept."""
