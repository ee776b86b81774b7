"""What the strip shows in a match: the referee's lights, or for a moment the one LED that somebody points at."""

from controller.lights.led_mapping import make_single_led_frame
from controller.lights.state_lights import render_state
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from firmware_bridge.layout import LedLayout
from firmware_bridge.led_frame import LedFrame

POINT_AT_MS = 3_000
"""Long enough to look from the page to the board."""


class StripRenderer:
    """A Picture of `LightSink`. `table` is what was agreed; of a match that goes on it is known late."""

    def __init__(self, table: MatchConfig) -> None:
        self.table = table
        self._led: int | None = None
        self._until_ms = 0

    def point_at(self, led: int | None, now_ms: int) -> None:
        """None: no longer."""
        self._led, self._until_ms = led, now_ms + POINT_AT_MS

    def __call__(self, state: RefereeState, layout: LedLayout, now_ms: int) -> LedFrame:
        if self._led is not None and now_ms < self._until_ms and self._led < layout.led_count:
            return make_single_led_frame(self._led, layout.led_count)
        return render_state(state, layout, now_ms, table=self.table)
