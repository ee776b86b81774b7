"""Loading a recorded match, and replaying it on the page, on the simulated table, or in GNU Backgammon."""
