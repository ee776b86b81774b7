"""A simulated table: players, a film of their game, frames of it, and the truth to compare with. See README.md."""
