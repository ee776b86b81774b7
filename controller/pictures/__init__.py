"""Single pictures: calibration from them, and reading them file by file (`README.md`)."""
