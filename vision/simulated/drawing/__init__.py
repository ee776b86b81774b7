"""Draws a scene: surfaces, shadows, pieces, hands, lens and sensor."""
