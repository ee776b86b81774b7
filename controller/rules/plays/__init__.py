"""Which plays are legal: the steps, the restrictions of the games, and the duty to use the numbers."""
