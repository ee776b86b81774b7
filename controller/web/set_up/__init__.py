"""Set-up of matches, settings and the LED map on the page (`../README.md`)."""
