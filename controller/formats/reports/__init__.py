"""Reports on a match: score sheet, replay as text, statistics and error rates."""
