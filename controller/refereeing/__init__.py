"""The handlers of the referee's table, each for a part of a match, and what the events do to the state."""
