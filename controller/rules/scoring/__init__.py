"""What a game is worth: the kind of win and its points, the doubling cube, and the match."""
