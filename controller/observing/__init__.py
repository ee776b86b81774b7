"""Turns readings of pictures into evidence: likelihoods of the board, dice events, and rulings on throws."""
