"""The newest state as JSON text, and the types of both messages, from which the schema is made (`schema.py`)."""

import json
from typing import Annotated, NotRequired, TypedDict

from controller.match_log.event_json import JsonValue
from controller.questions.find_question import AskedOnce
from controller.refereeing.match_config import MatchConfig
from controller.web.match.live_match import Snapshot
from controller.web.match.ruling_record import SentenceJson
from controller.web.match.score_record import Record
from controller.web.match.state_record import StateJson, make_state_record
from controller.web.match.visibility import Viewer


class EventMessageJson(TypedDict):
    """One event. `number`: in the log of its match, from 1, so that table, match and number tell what came twice. `utc`: the
    wall clock when it was written, which orders nothing. `event` is what `play --json` prints. `text` is English, and empty
    for events without a line; `said` is the text as keys; `aloud`: a voice may say it in this mode. The page leaves table,
    match and utc out.
    """

    table: NotRequired[str]
    match: NotRequired[str]
    utc: NotRequired[str]
    number: int
    event: Annotated[JsonValue, "Event"]
    text: str
    said: list[SentenceJson]
    aloud: bool


class ShownStateJson(StateJson):
    """The newest state of the match `match_id`. On the page alone: what the program does (`office`), and by how many seconds
    spectators see it later (`delay_s`).
    """

    match_id: str
    office: NotRequired[Record]
    delay_s: NotRequired[float]


class StateMessageJson(TypedDict):
    """A state. `now_ms`: the time on the clock of the match, on which `since_ms` counts. `is_playing` false: the match is over
    or was left, and this is its last state. The page leaves table and `is_playing` out.
    """

    table: NotRequired[str]
    is_playing: NotRequired[bool]
    type: Annotated[str, "state"]
    now_ms: int
    viewer: Annotated[str, Viewer]
    state: ShownStateJson


class StateTexts:
    """States as JSON text, for one viewer."""

    def __init__(self, table: str, viewer: Viewer) -> None:
        self._table, self._viewer = table, viewer
        self._asked = AskedOnce()

    def of(self, match: str, newest: Snapshot, config: MatchConfig, *, is_playing: bool = True) -> tuple[str, str]:
        """The message, and the parts of it that change only with what is shown."""
        question = self._asked(newest.state, config)
        record = {"match_id": match, **make_state_record(newest, config, self._viewer, question)}
        state = json.dumps(record, separators=(",", ":"))
        head = json.dumps(
            {"table": self._table, "is_playing": is_playing, "type": "state", "viewer": self._viewer.value}
        )
        return f'{head[:-1]},"now_ms":{newest.now_ms},"state":{state}}}', f"{head}{state}"
