import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match import events as match_events
from controller.match.event_values import BoardUsed
from controller.match.events import Evidence, Mode, RefereeEvent
from controller.match.seating import Seating
from controller.match_log.errors import EventTextError
from controller.match_log.event_json import event_text, parse_event
from controller.rules import BadThrow, Player, Rule
from tests.controller.match_log.drawn_events import EVENT_TYPES, events, of_type

pytestmark = pytest.mark.broad

ROLLED = match_events.DiceRolled(7, Player.WHITE, (6, 5))
ROLLED_TEXT = (
    '{"at_ms":7,"event":"DiceRolled","evidence":"seen","opponent_may_refuse":false,"player":"W",'
    '"values":[6,5],"version":1}'
)


def changed(text: str, **fields: object) -> str:
    return json.dumps({**json.loads(text), **fields})


def complaint(text: str) -> str:
    with pytest.raises(EventTextError) as caught:
        parse_event(text)
    return str(caught.value)


class TestThereAndBack:
    @pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: kind.__name__)
    @given(data=st.data())
    def test_every_event_comes_back(self, kind: type[Any], data: st.DataObject) -> None:
        event = data.draw(of_type(kind))
        text = event_text(event)
        assert text.isascii()
        back = parse_event(text)
        assert back == event
        assert type(back) is kind
        assert event_text(back) == text

    @given(events(), events())
    def test_equal_texts_mean_equal_events(self, one: RefereeEvent, other: RefereeEvent) -> None:
        """So the hash of the text identifies the event."""
        assert (event_text(one) == event_text(other)) == (one == other)

    @pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: kind.__name__)
    def test_no_field_is_called_event_or_version(self, kind: type[Any]) -> None:
        """The format uses both keys itself; each event has its time."""
        names = {one.name for one in fields(kind)}
        assert names.isdisjoint({"event", "version"})
        assert "at_ms" in names

    def test_the_texts_of_two_events(self) -> None:
        """Sorted keys, values of enums, no spaces."""
        assert event_text(ROLLED) == ROLLED_TEXT
        assert event_text(match_events.CameraBack(5)) == '{"at_ms":5,"event":"CameraBack","version":1}'

    def test_values_within_values(self) -> None:
        """A seating is an object, a rule its name."""
        text = event_text(match_events.SeatingKnown(1, Seating(), Evidence.ENTERED))
        seating = {"edge": "bottom", "mirrored": False, "white_head": 12, "white_plays": "light"}
        assert json.loads(text)["seating"] == seating
        started = match_events.MatchStarted(
            1, "tavla", None, "casual", Mode.TEACH, "A", "B", None, board=BoardUsed(has_bar=False)
        )
        board: dict[str, object] = {"has_bar": False, "on_turn": None, "seating": None, "seatings": [], "start": None}
        assert json.loads(event_text(started))["board"] == board
        refused = match_events.PlayRefused(1, Player.BLACK, (1,), "a", "b", (Rule.PRIME,), ("No.",))
        assert json.loads(event_text(refused))["rules"] == ["prime"]


class TestReadingIsStrict:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", "event ?: its text is no JSON."),
            ("[]", "event ?: it is no JSON object."),
            ("[" * 100_000, "event ?: its text is no JSON."),
            ('{"at_ms": 1}', "event ?, field version: None is no version."),
            ('{"at_ms": 1, "version": true, "event": "CameraBack"}', "event CameraBack, field version: True is no version."),
            ('{"at_ms": 1, "version": 1}', "event ?: this version knows no such event."),
            (changed(ROLLED_TEXT, event="Exploded"), "event Exploded: this version knows no such event."),
            (
                changed(ROLLED_TEXT, version=2),
                "event DiceRolled, field version: 2 is of a later zarbiter, and this one knows 1; install that one.",
            ),
            (changed(ROLLED_TEXT, colour=1), "event DiceRolled, field colour: this version knows no such field."),
            (changed(ROLLED_TEXT, player="R"), "event DiceRolled, field player: 'R' is none of W, B."),
            (changed(ROLLED_TEXT, player=None), "event DiceRolled, field player: None is none of W, B."),
            (changed(ROLLED_TEXT, values=[6]), "event DiceRolled, field values: it has 1 entries instead of 2."),
            (changed(ROLLED_TEXT, values=[6, "5"]), "event DiceRolled, field values[1]: '5' is no whole number."),
            (changed(ROLLED_TEXT, values=6), "event DiceRolled, field values: 6 is no list."),
            (changed(ROLLED_TEXT, at_ms=True), "event DiceRolled, field at_ms: True is no whole number."),
            (changed(ROLLED_TEXT, at_ms=1.0), "event DiceRolled, field at_ms: 1.0 is no whole number."),
            (
                changed(ROLLED_TEXT, opponent_may_refuse=0),
                "event DiceRolled, field opponent_may_refuse: 0 is no true or false.",
            ),
            ('{"event": "CameraBack", "version": 1}', "event CameraBack, field at_ms: it is missing."),
            ('{"event": "CameraBack", "version": 1, "at_ms": 1, "at_ms": 2}', "event ?, field at_ms: it is there twice."),
            ('{"event": "BoardMoved", "version": 1, "moved_mm": NaN}', "event ?: it holds NaN, which is not a number."),
            (
                changed(event_text(match_events.SeatingKnown(1, Seating(), Evidence.SEEN)), seating={"legs": 4}),
                "event SeatingKnown, field seating.legs: this version knows no such field.",
            ),
            (
                changed(event_text(match_events.SeatingKnown(1, Seating(), Evidence.SEEN)), seating=[]),
                "event SeatingKnown, field seating: [] is no object.",
            ),
        ],
    )  # fmt: skip
    def test_text_that_is_no_event(self, text: str, expected: str) -> None:
        """The error text names event and field."""
        assert complaint(text) == expected

    def test_a_field_with_a_default_may_be_missing(self) -> None:
        """The log was written before the field was added."""
        record = json.loads(ROLLED_TEXT)
        del record["opponent_may_refuse"], record["evidence"]
        assert parse_event(json.dumps(record)) == ROLLED
        started = match_events.MatchStarted(1, "tavla", None, "casual", Mode.TEACH, "A", "B", None)
        record = json.loads(event_text(started))
        del record["board"]
        assert parse_event(json.dumps(record)) == started

    @given(st.text(max_size=60))
    def test_no_text_breaks_it(self, text: str) -> None:
        """Any text is an EventTextError."""
        with pytest.raises(EventTextError):
            parse_event(text)

    @given(events(), st.data())
    def test_no_value_in_a_wrong_place_breaks_it(self, event: RefereeEvent, data: st.DataObject) -> None:
        """Any JSON in a field gives an event or an EventTextError."""
        record = json.loads(event_text(event))
        field = data.draw(st.sampled_from(sorted(record)))
        record[field] = data.draw(
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=3),
                lambda inner: st.lists(inner, max_size=3),
            )
        )
        try:
            back = parse_event(json.dumps(record))
        except EventTextError:
            return
        assert json.loads(event_text(back)) == record


class TestWritingIsStrict:
    @pytest.mark.parametrize(
        ("event", "expected"),
        [
            (match_events.DiceRolled(7, Player.WHITE, [6, 5]), "event DiceRolled, field values: [6, 5] is no tuple."),  # type: ignore[arg-type]
            (match_events.DiceRolled(7, "W", (6, 5)), "event DiceRolled, field player: 'W' is no Player."),  # type: ignore[arg-type]
            (match_events.PassForced(7.0, Player.WHITE), "event PassForced, field at_ms: 7.0 is no whole number."),  # type: ignore[arg-type]
            (match_events.BoardMoved(7, float("nan")), "event BoardMoved, field moved_mm: nan is no number."),
            (
                match_events.ThrowRefused(7, None, (BadThrow.SPLIT,), ("6",)),  # type: ignore[arg-type]
                "event ThrowRefused, field values[0]: '6' is no whole number.",
            ),
            ("hello", "event str: this is no event of a match."),
        ],
    )
    def test_a_wrong_value_is_rejected_before_it_is_on_disk(self, event: RefereeEvent, expected: str) -> None:
        with pytest.raises(EventTextError) as caught:
            event_text(event)
        assert str(caught.value) == expected

    def test_a_whole_number_is_a_valid_float(self) -> None:
        assert parse_event(event_text(match_events.BoardMoved(1, 3))) == match_events.BoardMoved(1, 3.0)

    def test_a_name_with_a_lone_surrogate(self) -> None:
        """As in a file name or an argument that is no valid UTF-8."""
        started = match_events.MatchStarted(1, "tavla", None, "casual", Mode.TEACH, "An\udcffna", "Борис", None)
        assert parse_event(event_text(started)) == started
