"""Reports rulings line by line: sentences for people, or one JSON value per event for programs."""

from collections.abc import Callable

from controller.match import MatchStarted, Peripheral, RefereeEvent
from controller.match_log.event_json import event_text
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState
from controller.rules import Player
from controller.speech.event_filter import is_topic_enabled
from controller.wording.ruling_text import ruling_text


class Announcer:
    """A sink; `say` receives each line without a line end. JSON output has every event, text only what the mode allows."""

    link: Peripheral | None = None

    def __init__(self, say: Callable[[str], None], table: MatchConfig, *, as_json: bool = False) -> None:
        self._say = say
        self._table = table
        self._as_json = as_json
        self._is_storage_well = True

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        """Raises OSError when the output is closed."""
        self._announce_storage(is_saved=state.seen.outages.storage_up)
        table = with_current_mode(self._table, state)
        for event in events:
            if self._as_json:
                self._say(event_text(event))
            elif is_topic_enabled(event, table) and (line := ruling_text(event, names_of(state, event))):
                self._say(line)

    def _announce_storage(self, *, is_saved: bool) -> None:
        """Storage trouble cannot be an event, because an event would have to be saved."""
        if self._is_storage_well and not is_saved and not self._as_json:
            self._say("NOT SAVED: nothing can be written just now, so nothing is refereed; make room on the disk.")
        self._is_storage_well = is_saved


def names_of(state: RefereeState, event: RefereeEvent) -> dict[Player, str]:
    started = event if isinstance(event, MatchStarted) else state.started
    if started is None:
        return {Player.WHITE: "White", Player.BLACK: "Black"}
    return {Player.WHITE: started.white, Player.BLACK: started.black}
