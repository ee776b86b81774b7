"""The shown match: its state, events, rulings and orders as the page needs them (`../README.md`)."""
