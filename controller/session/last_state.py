"""A sink that keeps the newest state: the meaning of a button and the end of the match depend on it."""

from controller.match import Peripheral, RefereeEvent
from controller.refereeing.state import RefereeState

LINGER_MS = 5_000
"""How long a finished match stays on the lights before it is closed."""


class LastState:
    """Keeps the newest state and its time."""

    link: Peripheral | None = None

    def __init__(self, state: RefereeState) -> None:
        self.state = state
        self.now_ms = 0
        self._won_ms: int | None = None

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.state, self.now_ms = state, now_ms
        if not state.is_match_over:
            self._won_ms = None  # the last play was taken back, or a player has not confirmed the score yet
        elif self._won_ms is None:
            self._won_ms = now_ms

    def is_over(self) -> bool:
        """Whether the match was won, and in a tournament confirmed by both players, at least LINGER_MS ago."""
        return self._won_ms is not None and self.now_ms - self._won_ms >= LINGER_MS
