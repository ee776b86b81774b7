"""Match files of other programs: matches of the log as .mat, .sgf, Snowie text, ids and score sheets, and such files back.

In the middle stands one model of a match (`match_model.py`). It is folded from the events of a log and told as events
again, so whatever is written comes from what was ruled, and whatever is read was checked by the rules core. Points are
counted along each player's own path; White is the left column, Player 0 and the `W` of an .sgf file.
"""
