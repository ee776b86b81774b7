"""The course of a game: players, whole games as values, and the film of each throw and play."""
