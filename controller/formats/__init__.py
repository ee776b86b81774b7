"""Match files of other programs: writes matches of the log as such files, and reads such files into events.

In the middle stands one model of a match (`match_model.py`). `from_events.py` folds it from a log, `to_events.py` turns
it back into events. So everything written comes from rulings, and everything read was checked by the rules core. Points
are counted along each player's own path; White is the left column, player 0 and the `W` of an .sgf file.
"""
