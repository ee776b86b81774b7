"""What the referee says, in the language that somebody chose: which text, with which values, and how it is spoken."""
