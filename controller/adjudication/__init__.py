"""Adjudicates settled boards: what was played, whether it is legal, and what differs from an expected board."""
