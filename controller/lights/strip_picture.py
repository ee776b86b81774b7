"""What the strip shows during a match: the referee's lights, an answer that is picked, or an LED that a person points at."""

from controller.lights.answer_signs import select_answer_signs
from controller.lights.led_mapping import make_single_led_frame
from controller.lights.state_lights import render_state
from controller.lights.vocabulary import render_signs
from controller.questions.question import OfferedAnswer
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from firmware_bridge.layout import LedLayout
from firmware_bridge.led_frame import LedFrame

# Long enough to look up from the page to the board.
POINT_AT_MS = 3_000


class StripRenderer:
    """Renders the strip for `LightSink`. `table` is set later when a stored match goes on."""

    def __init__(self, table: MatchConfig) -> None:
        self.table = table
        self._answer: OfferedAnswer | None = None
        self._led: int | None = None
        self._until_ms = 0

    def point_at(self, led: int | None, now_ms: int) -> None:
        """Lights one LED alone for `POINT_AT_MS`; None ends that."""
        self._led, self._until_ms = led, now_ms + POINT_AT_MS

    def show_answer(self, answer: OfferedAnswer | None) -> None:
        """Shows what an answer says instead of the state; None ends that."""
        self._answer = answer

    def __call__(self, state: RefereeState, layout: LedLayout, now_ms: int) -> LedFrame:
        if self._led is not None and now_ms < self._until_ms and self._led < layout.led_count:
            return make_single_led_frame(self._led, layout.led_count)
        if self._answer is not None and state.seen.outages.storage_up:
            return render_signs(select_answer_signs(self._answer, state, self.table), layout, now_ms)
        return render_state(state, layout, now_ms, table=self.table)
