"""Windows around dice, rendered from scenes with many dice."""
