"""Camera."""
