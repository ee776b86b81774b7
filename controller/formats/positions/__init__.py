"""Position texts of other programs: GNU Backgammon's ids, XGID and Snowie lines."""
