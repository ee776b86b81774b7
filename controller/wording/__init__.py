"""Text for people: rulings, boards, readings, logs and rules as English lines, and the JSON records beside them."""
