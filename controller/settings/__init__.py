"""Settings, the set-up of a match, and the match configuration that they make (`README.md`)."""
