"""What the LED strip shows: the meaning of each colour and rhythm, and which meanings a state of the match shows."""
