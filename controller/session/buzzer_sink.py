"""The buzzer as a sink: one sound for each event that players must notice without looking, where the mode allows it."""

from collections.abc import Callable

from controller.match import Peripheral, RefereeEvent, events
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState
from controller.speech.event_filter import is_topic_enabled
from firmware_bridge.pins.buzzer import Beep, length_ms, sounds

_BEEPS: dict[type, Beep] = {
    events.DiceRolled: Beep.ONE_SHORT,
    events.ThrowRefused: Beep.TWO_SHORT,
    events.PassForced: Beep.THREE_SHORT,
    events.PlayRefused: Beep.ONE_LONG,
    events.GameWon: Beep.THREE_SHORT,
    events.ThrowUnclear: Beep.LONG_SHORT_SHORT,
    events.PlayUnclear: Beep.LONG_SHORT_SHORT,
}


class BuzzerSink:
    """`buzz` is called with True or False, only when the state of the buzzer changes."""

    link: Peripheral | None = None

    def __init__(self, buzz: Callable[[bool], None], table: MatchConfig) -> None:
        self._buzz = buzz
        self._table = table
        self._beep: Beep | None = None
        self._begun_ms = 0
        self._is_on = False

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        """The newest event with a sound replaces the sound that is playing."""
        table = with_current_mode(self._table, state)
        for event in events:
            beep = _BEEPS.get(type(event))
            if beep is not None and is_topic_enabled(event, table):
                self._beep, self._begun_ms = beep, now_ms
        if self._beep is not None and now_ms - self._begun_ms >= length_ms(self._beep):
            self._beep = None
        self._switch(self._beep is not None and sounds(self._beep, now_ms - self._begun_ms))

    def close(self) -> None:
        self._switch(False)

    def _switch(self, is_on: bool) -> None:
        if is_on is not self._is_on:
            self._is_on = is_on
            self._buzz(is_on)
