"""Answers questions about the rules: one JSON case in (README, The kinds of question), one JSON answer out."""
