"""The newest state, for those who have to know it while they wait for people: buttons, and whether the match is over."""

from controller.match.events import RefereeEvent
from controller.match.inputs import Peripheral
from controller.refereeing.state import RefereeState

LINGER_MS = 5_000
"""How long the lights show the end of a match."""


class LastState:
    """A sink that keeps what it is shown."""

    link: Peripheral | None = None

    def __init__(self, state: RefereeState) -> None:
        self.state = state
        self.now_ms = 0
        self._won_ms: int | None = None

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.state, self.now_ms = state, now_ms
        if state.match_winner is None:
            self._won_ms = None  # the last play was taken back
        elif self._won_ms is None:
            self._won_ms = now_ms

    def is_over(self) -> bool:
        """Whether the match was won, and that for a while."""
        return self._won_ms is not None and self.now_ms - self._won_ms >= LINGER_MS
