"""What is sent is what the schema says, and nothing besides it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from controller.match import BoardUsed, MatchStarted, Mode, RefereeEvent, Seating
from controller.match.event_values import Occasion, RecordingUsed
from controller.match_log import EvidencePicture, PictureKind, new_match
from controller.match_log.event_json import event_text
from controller.publishing.messages import EventMessage
from controller.publishing.pictures import make_picture_text
from controller.publishing.schema import make_schema
from controller.publishing.states import StateTexts
from controller.web.match.live_match import NumberedEvent, Snapshot
from controller.web.match.ruling_record import make_event_json
from controller.web.match.visibility import Viewer
from tests.controller.match_log.match_files import MADE, STARTED, noise
from tests.controller.publishing.published_match import CONFIG
from tests.controller.refereeing.refereed_match import RefereedMatch, table_of
from tests.controller.speech.every_event import list_events
from tests.controller.subcommands.called import Program
from tests.controller.web.shown_match import ShownMatch, leave_unsure, play_first_turn

SCHEMA = make_schema()
_KINDS: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None),
}  # fmt: skip


def problems(value: Any, schema: dict[str, Any], place: str = "") -> list[str]:
    """Where a value differs from a schema. Stricter than the standard: a key that the schema does not name is a problem."""
    if "$ref" in schema:
        return problems(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], place)
    for choice in ("anyOf", "oneOf"):
        if choice in schema and "properties" not in schema:
            found = [problems(value, one, place) for one in schema[choice]]
            return [] if [] in found else min(found, key=len)
    if "const" in schema and value != schema["const"]:
        return [f"{place}: {value!r} is not {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{place}: {value!r} is none of {schema['enum']}"]
    kind = _KINDS.get(schema.get("type", ""), object)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind in (int, (int, float))):
        return [f"{place}: {value!r} is no {schema['type']}"]
    if isinstance(value, list):
        entries = schema.get("prefixItems") or [schema["items"]] * len(value)
        wrong = [] if len(entries) == len(value) else [f"{place}: {len(value)} entries"]
        return wrong + [one for at, each in enumerate(value) for one in problems(each, entries[at], f"{place}[{at}]")]
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        wrong = [f"{place}.{key} is missing" for key in schema["required"] if key not in value]
        wrong += [f"{place}.{key} is unknown" for key in value if key not in known]
        return wrong + [
            one for key in value.keys() & known for one in problems(value[key], known[key], f"{place}.{key}")
        ]
    return []


def definition(name: str) -> dict[str, Any]:
    found: dict[str, Any] = SCHEMA["$defs"][name]
    return found


@pytest.mark.parametrize("viewer", Viewer)
def test_every_event_is_valid(viewer: Viewer) -> None:
    """In all its kinds, alone as `--json` prints it and in a message, also where it is withheld."""
    table = replace(CONFIG, mode=Mode.SILENT)
    recorded = RecordingUsed("evening.mp4", 9, "00ff")
    started = replace(STARTED, board=BoardUsed(seating=Seating()), occasion=Occasion(), recordings=(recorded,))
    samples = [(name, event) for name, event in list_events() if not isinstance(event, MatchStarted)]
    for name, event in [*samples, ("all that a match may begin with", started)]:
        alone = json.loads(event_text(event))
        assert problems(alone, definition(type(event).__name__)) == [], name
        assert problems(alone, definition("Event")) == [], name
        message = json.loads(make_event_json(NumberedEvent(7, event), table, viewer))
        assert problems(message, definition("EventMessage")) == [], name
    assert {kind.__name__ for kind in get_args(RefereeEvent)} <= SCHEMA["$defs"].keys()


def states() -> list[RefereedMatch]:
    """Moments of matches: with a clock and a cube, with a question, with a refused throw, without dice."""
    unsure = RefereedMatch.begun(table_of("backgammon"))
    leave_unsure(unsure)
    played = RefereedMatch.begun(table_of("backgammon"))
    play_first_turn(played)
    found = [unsure, played, ShownMatch.in_the_dark().match]
    return [*found, *(RefereedMatch.begun(table_of(game)) for game in ("long_nardy", "grasshopper"))]


@pytest.mark.parametrize("viewer", Viewer)
def test_every_state_is_valid(viewer: Viewer) -> None:
    for match in states():
        snapshot = Snapshot(match.state, match.now_ms, len(match.events))
        text, shown = StateTexts("A", viewer).of("m", snapshot, match.table)
        message = json.loads(text)
        assert problems(message, definition("StateMessage")) == []
        assert json.dumps(message["state"], separators=(",", ":")) in shown


def test_a_picture_is_valid(tmp_path: Path) -> None:
    with new_match(tmp_path, "tavla", (STARTED,)) as log:
        log.append((MADE,), (EvidencePicture(PictureKind.AFTER, noise()),))
        text = make_picture_text("A", log.path, EventMessage("m", 2, "", is_ruling=True))
    assert problems(json.loads(text or ""), definition("PictureMessage")) == []


def test_what_is_wrong_is_found() -> None:
    """The search can fail."""
    event = {"event": "DiceLifted", "version": 1}
    assert problems(event, definition("Event"))
    roll = {"event": "DiceRolled", "version": 1, "at_ms": 7, "player": "W", "values": [6, "5"], "evidence": "seen"}
    assert problems(roll, definition("DiceRolled")) == [".values[1]: '5' is no integer"]
    assert problems({**roll, "values": [6, 5], "colour": 1}, definition("DiceRolled")) == [".colour is unknown"]
    assert problems({**roll, "values": [6, 5], "at_ms": True}, definition("DiceRolled")) == [
        ".at_ms: True is no integer"
    ]


def test_the_command_prints_it(zarbiter: Program) -> None:
    assert json.loads(zarbiter("log schema").out) == SCHEMA
