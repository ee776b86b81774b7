"""Dice composited into labelled pictures of boards, with exact labels."""
