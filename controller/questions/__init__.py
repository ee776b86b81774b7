"""What the referee asks, with ranked answers: one mechanism for the page, the terminal, the buttons and the lights."""
