"""The table: checkers, dice, hands and incidents as beats of a film, with the truth about them."""
