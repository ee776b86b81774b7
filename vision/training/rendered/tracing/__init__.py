"""Light through a scene: meshes, materials, lamps and path tracing with Mitsuba."""
