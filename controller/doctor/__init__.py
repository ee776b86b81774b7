"""The checks of `zarbiter doctor`: camera, light board, voice and machine (`README.md`)."""
