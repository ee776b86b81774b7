"""Answers to rule questions: one JSON case in the form of the golden files in, what it expects out."""
