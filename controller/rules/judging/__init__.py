"""Whether the board after a turn is legal, and which rules stand against it."""
