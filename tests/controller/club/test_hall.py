import json

import pytest

from controller.club.hall import MOST_TABLES, Hall, Kind, Message, Need, Wanted, lose_unheard, order_tables
from controller.club.listener import Heard
from controller.club.page import HallView
from controller.club.reading import MOST_BYTES, MOST_NAME
from controller.club.records import make_table_record
from controller.match.clocks import parse_clock
from controller.visible_text import is_unseen
from tests.controller.club.table_messages import (
    MATCH,
    changed,
    event_texts,
    heard,
    needs,
    online,
    picture_text,
    state_text,
)
from tests.controller.refereeing.refereed_match import OPENING_HALVES, RefereedMatch, table_of
from tests.controller.web.shown_match import ShownMatch
from tests.vision.pixels.test_picture_header import claiming, encoded

BEGUN = state_text(RefereedMatch.begun(table_of("backgammon", white="Ann", black="Ben")))
SMALL = encoded(".jpg")
HOSTILE = "\x1b[2J\u202e<script>alert(1)</script>\ud800"


def with_clock(since_ms: int | None, used_ms: int = 0) -> bytes:
    """White has 10 s left and 5 s free."""
    clock = {"banked_ms": [10_000, 9_000], "turn": "W", "delay": "simple", "delay_ms": 5_000}
    record = json.loads(changed(BEGUN, clock=clock | {"used_ms": used_ms, "since_ms": since_ms}))
    return json.dumps(record | {"now_ms": 1_000}).encode()


def test_a_table_that_plays_needs_nobody() -> None:
    """And the page gets names, score and phase as the table publishes them."""
    hall = online("Table-3", BEGUN)
    assert needs(hall) == ()
    state = make_table_record(hall.tables["Table-3"], ())["state"]
    assert (state["match"]["white"], state["match"]["score"], state["phase"]) == ("Ann", (0, 0), "opening")
    assert state["match"]["confirmed_by"] == ()
    assert hall.tables["Table-3"].title == "Table 3"


@pytest.mark.parametrize(
    ("changes", "need"),
    [
        ({"phase": "dispute"}, Need.DISPUTE),
        ({"phase": "unsure"}, Need.QUESTION),
        ({"question": {"is_open": True, "title": []}}, Need.QUESTION),
        ({"lost": ["camera"]}, Need.CAMERA),
        ({"phase": "blind"}, Need.CAMERA),
        ({"lost": ["lights"]}, Need.LIGHTS),
        ({"is_saved": False}, Need.UNSAVED),
        ({"phase": "restore"}, Need.WAITS),
    ],
)
def test_what_needs_somebody(changes: dict[str, object], need: Need) -> None:
    assert needs(online("Table-3", changed(BEGUN, **changes))) == (need,)


def test_an_unsure_referee_asks_for_somebody() -> None:
    """The state of a real match, with the question in words."""
    shown = ShownMatch.unsure()
    hall = online("Table-3", state_text(shown.match))
    assert needs(hall) == (Need.QUESTION,)
    assert make_table_record(hall.tables["Table-3"], ())["state"]["question"][0]["key"].startswith("question.")


def test_time_is_up_when_free_time_and_reserve_are_used() -> None:
    """Counted on from when the state came; a state of unknown age, which the broker kept, accuses nobody."""
    hall = online("Table-3", with_clock(1_000))
    assert needs(hall, now_s=114.9) == ()
    assert needs(hall, now_s=115.1) == (Need.TIME,)
    assert needs(online("Table-3", with_clock(None, used_ms=4_000)), now_s=999) == ()
    kept = heard(hall, "Table-3", Kind.STATE, with_clock(1_000), is_kept=True)
    assert needs(kept, now_s=999) == ()


def test_a_real_clock_is_read() -> None:
    match = RefereedMatch.begun(table_of("backgammon", clock=parse_clock("10+12")))
    match.throw(3, 1, halves=OPENING_HALVES)
    clock = make_table_record(online("Table-3", state_text(match)).tables["Table-3"], ())["state"]["clock"]
    assert clock["banked_ms"] == (600_000, 600_000)


@pytest.mark.parametrize(("delay", "used_s"), [("move", 5), ("hourglass", 15), ("bronstein", 10)])
def test_every_kind_of_clock_runs_out(delay: str, used_s: int) -> None:
    """With 5 s free a move, and 10 s of reserve where the kind has one; in an hourglass both are reserve here."""
    banked = {"move": 0, "hourglass": 15_000, "bronstein": 10_000}[delay]
    free = 0 if delay == "hourglass" else 5_000
    clock = {
        "banked_ms": [banked, 9_000],
        "turn": "W",
        "delay": delay,
        "delay_ms": free,
        "used_ms": 0,
        "since_ms": 1_000,
    }
    record = json.loads(changed(BEGUN, clock=clock))
    hall = online("Table-3", json.dumps(record | {"now_ms": 1_000}))
    assert needs(hall, now_s=100 + used_s - 0.1) == ()
    assert needs(hall, now_s=100 + used_s + 0.1) == (Need.TIME,)


def test_a_table_that_is_lost_in_a_match_needs_somebody() -> None:
    """One that was switched off after its match does not."""
    lost = heard(online("Table-3", BEGUN), "Table-3", Kind.AVAILABLE, "offline")
    assert needs(lost) == (Need.OFFLINE,)
    ended = heard(lost, "Table-3", Kind.STATE, json.dumps(json.loads(BEGUN) | {"is_playing": False}))
    assert needs(ended) == ()


def test_tables_that_need_somebody_come_first() -> None:
    """By urgency, then those that play, by number, then the others."""
    hall = Hall()
    states: dict[str, dict[str, object]] = {
        "T10": {},
        "T2": {},
        "T3": {"lost": ["lights"]},
        "T4": {"phase": "dispute"},
        "T1": {"match": json.loads(BEGUN)["state"]["match"] | {"winner": "W"}},
    }
    for name, changes in states.items():
        hall = online(name, changed(BEGUN, **changes), hall)
    hall = heard(hall, "T0", Kind.AVAILABLE, "offline")
    assert [table.name for table, _ in order_tables(hall, 100.0)] == ["T4", "T3", "T2", "T10", "T1", "T0"]


def test_the_last_ruling_is_shown() -> None:
    """Events that come again after a lost connection change nothing, nor do those that are no ruling."""
    match = ShownMatch.after_first_turn().match
    texts = event_texts(match)
    hall = online("Table-3", state_text(match))
    for text in (*texts, *texts[:3], '{"event": {"event": "CommandRefused"}}'):
        hall = heard(hall, "Table-3", Kind.EVENTS, text)
    ruling = make_table_record(hall.tables["Table-3"], ())["ruling"]
    assert ruling["kind"] == "PlayMade"
    assert "8/5 6/5" in ruling["text"]
    assert ruling["said"]


@pytest.mark.parametrize(
    "payload",
    [
        *(b"", b"{", b"\xff\xfe", b"[]", b"null", b"1e999", b"9" * 5_000, b"[" * 60_000, b'{"state": 1}'),
        BEGUN.encode()[:-2],
        b'{"x": "' + b"x" * MOST_BYTES + b'"}',
        changed(BEGUN, phase="x" * 1_000),
        changed(BEGUN, match=[]),
        changed(BEGUN, lost={"camera": 1}),
        changed(BEGUN, clock={"banked_ms": [1]}),
        changed(BEGUN, numbers={"W": ["x"]}),
    ],
)
def test_no_message_breaks_the_page(payload: bytes) -> None:
    """The last view stays, and the table is marked unless its topic was cleared."""
    for kind in Kind:
        hall = heard(online("Table-3", BEGUN), "Table-3", kind, payload)
        record = make_table_record(hall.tables["Table-3"], needs(hall))
        assert json.dumps(record, allow_nan=False)
        if kind is Kind.STATE and payload:
            assert record["needs"] == ["unreadable"]
            assert record["state"]["match"]["white"] == "Ann"


def test_no_code_of_a_name_reaches_the_page() -> None:
    """Nor does a text without end."""
    match = json.loads(BEGUN)["state"]["match"] | {"white": HOSTILE, "black": "B" * 5_000, "title": HOSTILE}
    question = {"is_open": True, "title": [{"key": HOSTILE, "values": {HOSTILE: [HOSTILE]}}]}
    text = json.dumps(json.loads(changed(BEGUN, match=match, question=question)) | {"table": HOSTILE})
    record = make_table_record(online("Table-3", text).tables["Table-3"], ())
    said = json.dumps(record, ensure_ascii=False)
    said.encode()
    assert not [letter for letter in said if is_unseen(letter)]
    assert record["title"].startswith("\\u001b[2J")
    assert len(record["state"]["match"]["black"]) == MOST_NAME


@pytest.mark.parametrize("name", ["", "\x1b[2J", "a b", "x" * 65, "<b>"])
def test_a_name_that_no_table_can_have_is_left_out(name: str) -> None:
    assert online(name, BEGUN).tables == {}


def test_the_hall_has_room_for_so_many_tables() -> None:
    hall = Hall()
    for number in range(MOST_TABLES + 3):
        hall = heard(hall, f"T{number}", Kind.AVAILABLE, "online")
    assert len(hall.tables) == MOST_TABLES
    assert hall.is_full


def test_a_new_connection_tells_which_tables_are_there() -> None:
    """Whoever was not heard since is lost."""
    hall = heard(online("T1", BEGUN, online("T2", BEGUN)), "T2", Kind.AVAILABLE, "online", 105.0)
    after = lose_unheard(hall, 103.0)
    assert [after.tables[name].is_online for name in ("T1", "T2")] == [False, True]
    assert needs(after, "T1") == (Need.OFFLINE,)


def test_a_browser_gets_what_changed() -> None:
    """One that comes from an earlier server gets everything."""
    now, asked = [0.0], list[Wanted]()
    waiting = [Message(name, Kind.AVAILABLE, b"online", 0.0) for name in ("T1", "T2")]

    def take() -> Heard:
        found, waiting[:] = tuple(waiting), []
        return Heard(found, is_up=True, is_full=False, since_s=0.0)

    view = HallView(take, asked.append, lambda: now[0])
    view.look()
    first = json.loads(view.answer(0))
    assert (first["order"], set(first["tables"])) == (["T1", "T2"], {"T1", "T2"})
    now[0] += 1
    waiting.append(Message("T2", Kind.STATE, BEGUN.encode(), 1.0, is_kept=True))
    view.look()
    second = json.loads(view.answer(first["version"]))
    assert set(second["tables"]) == {"T2"}
    now[0] += 1
    view.look()
    assert json.loads(view.answer(second["version"]))["tables"] == {}
    assert set(json.loads(view.answer(second["version"] + 7))["tables"]) == {"T1", "T2"}
    assert asked == [Wanted("T2", MATCH, 0)]  # once


def ruled(jpeg: bytes = SMALL) -> tuple[Hall, int]:
    """A table with a ruling and its picture, and the number of the ruling."""
    match = ShownMatch.after_first_turn().match
    hall = online("Table-3", state_text(match))
    for text in event_texts(match):
        hall = heard(hall, "Table-3", Kind.EVENTS, text)
    ruling = hall.tables["Table-3"].ruling
    assert ruling is not None
    return heard(hall, "Table-3", Kind.PICTURE, picture_text(ruling.number, jpeg)), ruling.number


def shown_picture(hall: Hall) -> int | None:
    ruling = make_table_record(hall.tables["Table-3"], ())["ruling"]
    return None if ruling is None else ruling["picture"]


def test_the_picture_belongs_to_the_last_ruling() -> None:
    """It goes with the table, and is not shown with another ruling."""
    hall, number = ruled()
    assert shown_picture(hall) == number
    assert shown_picture(heard(hall, "Table-3", Kind.PICTURE, picture_text(number + 9, SMALL))) is None
    assert shown_picture(heard(hall, "Table-3", Kind.PICTURE, picture_text(number, SMALL, "another-match"))) is None
    for gone in (heard(hall, "Table-3", Kind.AVAILABLE, "offline"), lose_unheard(hall, 200.0)):
        assert gone.tables["Table-3"].picture is None
        assert heard(gone, "Table-3", Kind.PICTURE, picture_text(number, SMALL)).tables["Table-3"].picture is None


@pytest.mark.parametrize(
    "payload",
    [
        picture_text(4, encoded(".png")),
        picture_text(4, claiming(".jpg", 60_000, 60_000)),
        picture_text(4, SMALL + b"x" * 20_000),
        picture_text(4, b""),
        picture_text(4, SMALL).replace("/9j/", "/9j!"),
        '{"match": "m", "number": 4, "jpeg": [1]}',
        '{"match": "m", "number": "4", "jpeg": ""}',
        '{"jpeg": "\\ud800"}',
        "[]",
    ],
    ids=["png", "bomb", "large", "empty", "no base64", "list", "number", "surrogate", "array"],
)
def test_what_is_no_picture_leaves_the_last_one(payload: str) -> None:
    hall, number = ruled()
    assert shown_picture(heard(hall, "Table-3", Kind.PICTURE, payload)) == number
