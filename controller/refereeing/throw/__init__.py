"""Throws: which dice make one, whether it counts, and dice that were pushed or thrown anew."""
