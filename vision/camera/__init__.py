"""Sources of frames: cameras, streams and recordings."""
