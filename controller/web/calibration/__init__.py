"""The calibration wizard on the page (`../README.md`)."""
