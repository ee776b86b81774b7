"""The referee: a state machine from observations and commands to the events of a match."""
