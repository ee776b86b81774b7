"""Transcribing one match from its recordings, and a folder of films side by side."""
