"""From one frame to one reading of the whole board."""
