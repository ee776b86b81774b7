"""Events of the log as the JSON text that the page gets too, with table, match and time (`schema.py`)."""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from controller.match import MatchStarted, ModeChanged, RefereeEvent, events
from controller.match_log import LoggedEvent
from controller.match_log.replay import read_events_after
from controller.refereeing.match_config import MatchConfig
from controller.rules import RULESETS, RulesError
from controller.settings import ViewerSetting, restore_match_config
from controller.web.match.live_match import NumberedEvent
from controller.web.match.ruling_record import make_event_json
from controller.web.match.visibility import Viewer, may_see_event

VIEWERS = {ViewerSetting.SPECTATOR: Viewer.SPECTATOR, ViewerSetting.OPERATOR: Viewer.OPERATOR}
RULINGS = (
    *(events.PlayMade, events.PlayRefused, events.PlayCondoned, events.PlayCorrected, events.PlayUnclear),
    *(events.PassForced, events.ThrowRefused, events.ThrowUnclear, events.CubeTurned, events.ResignationAnswered),
    *(events.DisputeOpened, events.DisputeSettled, events.GameWon, events.MatchWon),
)
"""Events that decide something: the last one is what a director wants to see of a table."""
_MOST_AT_ONCE = 200
_MOST_NAME = 64  # characters of a table's name in a topic


@dataclass(frozen=True, slots=True)
class EventMessage:
    """One event: its match, its number in the log of the match, and the JSON text. `is_ruling`: it decides something, and its
    viewer may see it.
    """

    match: str
    number: int
    text: str
    is_ruling: bool = False


def topic_name(table: str) -> str:
    """The table's name as one level of a topic: what has a meaning there, blanks and unseen characters become `-`.

    It names a folder too, so it is neither `.` nor `..`.
    """
    return re.sub(r"[^\w.-]+", "-", table).strip("-.")[:_MOST_NAME] or "table"


class MatchEvents:
    """The events of one match file as messages, in order. What a viewer may see depends on the events before it.

    `config` None: the match was played before this program began, and its log says what was agreed.
    """

    def __init__(self, path: Path, table: str, viewer: Viewer, config: MatchConfig | None = None) -> None:
        self._path, self._table, self._viewer = path, table, viewer
        self._agreed = config or MatchConfig(game="backgammon", rules=RULESETS["backgammon"])
        self._known = (0, self._agreed)  # the configuration after the event of that number

    def after(self, number: int, most: int) -> list[EventMessage]:
        """Up to `most` messages after that event. Raises MatchLogError."""
        due = read_events_after(self._path, number, most)
        if not due:
            return []
        config, found = self._config_after(number), []
        for row in due:
            config = _with_event(config, row.event)
            found.append(self._message(row, config))
        return found

    def _config_after(self, number: int) -> MatchConfig:
        reached, config = self._known if self._known[0] <= number else (0, self._agreed)
        while reached < number:
            for row in read_events_after(self._path, reached, min(_MOST_AT_ONCE, number - reached)):
                reached, config = row.sequence, _with_event(config, row.event)
        self._known = reached, config
        return config

    def _message(self, row: LoggedEvent, config: MatchConfig) -> EventMessage:
        head = json.dumps({"table": self._table, "match": self._path.stem, "utc": row.written_utc})
        text = make_event_json(NumberedEvent(row.sequence, row.event), config, self._viewer)
        is_ruling = isinstance(row.event, RULINGS) and may_see_event(row.event, config, self._viewer)
        return EventMessage(self._path.stem, row.sequence, f"{head[:-1]},{text[1:]}", is_ruling)


def _with_event(config: MatchConfig, event: RefereeEvent) -> MatchConfig:
    """The configuration as far as an event's text and visibility depend on it: names, officiating profile, mode."""
    match event:
        case MatchStarted():
            try:
                config = restore_match_config(event, config)
            except RulesError:  # a game of another version
                config = replace(config, players=replace(config.players, white=event.white, black=event.black))
            return replace(config, mode=event.mode)
        case ModeChanged(mode=mode, monitor_appointed=is_appointed):
            return replace(config, mode=mode, monitor_appointed=is_appointed)
        case _:
            return config
