"""How long a search may go on.

Most turns are judged in a few milliseconds. A few whole cascades have millions of ways, and a referee who thinks for
minutes is no referee: then "I cannot tell" is the answer (rulings.Undecided). Effort is counted, not timed, so the same
question has the same answer on every machine.
"""

from dataclasses import dataclass

TO_DECIDE = 6_000  # looks at a board; a quarter of a second of CPython on a desktop machine, and rarely a half
TO_EXPLAIN = 800  # for each rule that may have stood in the way


class EffortSpentError(Exception):
    """The search looked at as many boards as it may and has no answer."""


@dataclass(slots=True)
class Effort:
    """The looks that are left; shared by all parts of one search."""

    left: int

    def spend(self) -> None:
        """One more look; raises EffortSpentError when there is none left."""
        if self.left <= 0:
            raise EffortSpentError
        self.left -= 1
