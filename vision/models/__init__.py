"""The weights and their cards: data, no code."""
