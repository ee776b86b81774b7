"""What the referee says, in a chosen language: which text with which values, and how it is spoken."""
