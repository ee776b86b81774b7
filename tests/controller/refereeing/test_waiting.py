"""Whoever waits hears why within five seconds, once, and again when the reason changes; every output says the same."""

from dataclasses import replace

import pytest

from controller.lights.state_lights import select_signs
from controller.lights.vocabulary import BOTH_RIMS, LightSign, Meaning
from controller.match.event_values import Hindrance, SetUpFault
from controller.match.events import (
    BoardDiffers,
    Mode,
    PlayMade,
    RefereeEvent,
    SetUpUnclear,
    SightClear,
    SightHindered,
    ThrowUnclear,
)
from controller.match.inputs import Peripheral
from controller.match.seating import parse_seatings
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase
from controller.refereeing.waiting import find_obstacle
from controller.rules import RULESETS, Player, position_text, start_position
from controller.session.announcer import Announcer
from controller.speech.event_filter import should_speak
from controller.web.match.live_match import Snapshot
from controller.web.match.state_record import make_state_record
from controller.web.match.visibility import Viewer
from tests.controller.refereeing.refereed_match import (
    LEGAL,
    OPENING_HALVES,
    RefereedMatch,
    moved,
    opened,
    table_of,
    to_throw,
)
from vision.pixels.picture_quality import PictureFault
from vision.places import Place

WHITE = Player.WHITE
TABLE = table_of("backgammon", seating=None)
WITHIN_MS = 5_000
UNSURE = LightSign(Meaning.UNSURE, BOTH_RIMS)


def waiting(position: str = TABLE.start_text, table: MatchConfig = TABLE) -> RefereedMatch:
    """A match before its first picture."""
    match = RefereedMatch.before_start(table)
    match.position = position
    return match


def reasons(match: RefereedMatch) -> list[Hindrance | None]:
    """What was reported, in order; None where the sight was clear again."""
    return [
        one.hindrance if isinstance(one, SightHindered) else None
        for one in match.events
        if isinstance(one, SightHindered | SightClear)
    ]


@pytest.mark.parametrize("fault", PictureFault)
def test_bad_pictures_are_named_within_five_seconds(fault: PictureFault) -> None:
    """Once, and their end; the time since when they are bad is kept."""
    match = waiting(moved(TABLE.start_text, WHITE, (6, 5)))
    match.picture_fault = fault
    match.rest(WITHIN_MS)
    (hindered,) = match.emitted(SightHindered)
    assert (hindered.hindrance.value, hindered.since_ms) == (fault.value, 100)
    assert hindered.at_ms <= WITHIN_MS
    match.rest(60_000, every_ms=1000)
    match.picture_fault = None
    match.rest(1000)
    assert reasons(match) == [Hindrance(fault.value), None]
    assert match.is_what_the_log_says()


def test_a_board_that_never_rests_is_named_within_five_seconds() -> None:
    """Whether hands are busy or something lies over the board; the reason is not repeated when hands come and go."""
    match = waiting()
    for _ in range(WITHIN_MS // 100):
        match.frame(is_settled=False)
    assert reasons(match) == [Hindrance.COVERED]
    for number in range(100):
        match.frame(hand=number % 3 > 0, is_settled=False)
    assert reasons(match) == [Hindrance.COVERED]
    match.rest(600)
    assert match.is_in(Phase.OPENING)
    assert reasons(match) == [Hindrance.COVERED, None]
    assert find_obstacle(match.state) is None


def test_darkness_is_not_named_again_when_a_game_begins_in_it() -> None:
    """Nor with each turn that can be refereed all the same."""
    match = waiting()
    match.picture_fault = PictureFault.TOO_DARK
    match.rest(WITHIN_MS)
    match.throw(3, 1, halves=OPENING_HALVES)
    match.play(WHITE, *LEGAL)
    assert match.emitted(PlayMade)
    assert reasons(match) == [Hindrance.TOO_DARK]


def test_hands_that_play_hinder_nobody() -> None:
    """A minute of thinking with a hand over the board is silent; a board that stays covered for longer is reported."""
    match = opened()
    for _ in range(59):
        match.frame(hand=True, after_ms=1000)
    assert reasons(match) == []
    for _ in range(3):
        match.frame(hand=True, after_ms=1000)
    assert reasons(match) == [Hindrance.MOVING]
    match.play(WHITE, *LEGAL)
    assert reasons(match) == [Hindrance.MOVING, None]
    assert match.emitted(PlayMade)


def test_a_blurred_picture_that_can_be_read_is_no_obstacle() -> None:
    """Turns are refereed, so nothing is said; without light nothing can be read, so that is always said."""
    match = to_throw()
    match.picture_fault = PictureFault.BLURRED
    match.rest(120_000, every_ms=1000)
    assert reasons(match) == []
    match.picture_fault = PictureFault.TOO_DARK
    match.rest(WITHIN_MS)
    assert reasons(match) == [Hindrance.TOO_DARK]


@pytest.mark.parametrize(
    ("position", "table", "fault"),
    [
        (position_text(start_position(RULESETS["long_nardy"])), TABLE, SetUpFault.OTHER_GAME),
        (
            TABLE.start_text,
            replace(TABLE, seating=parse_seatings("white=light,edge=bottom,mirrored=yes")[0]),
            SetUpFault.OTHER_SEATING,
        ),
        ("0" * 26 + "/" + "0" * 26, TABLE, SetUpFault.NO_CHECKERS),
        (moved(TABLE.start_text, WHITE, (6, 5)), TABLE, None),
    ],
)
def test_what_stands_there_instead_of_the_start(position: str, table: MatchConfig, fault: SetUpFault | None) -> None:
    match = waiting(position, table)
    match.rest(WITHIN_MS)
    (differs,) = match.emitted(BoardDiffers)
    assert differs.fault is fault
    assert (table.game in differs.games) is False
    assert bool(differs.games) is (fault is SetUpFault.OTHER_GAME)
    assert find_obstacle(match.state) is differs


@pytest.mark.parametrize("is_seating_open", [True, False])
def test_what_only_people_can_tell_is_asked_within_five_seconds(is_seating_open: bool) -> None:
    """Who sits where, or what stands on places that are hidden."""
    table = table_of("backgammon_race", seating=None) if is_seating_open else TABLE
    match = waiting(table.start_text, table)
    match.hidden = frozenset() if is_seating_open else frozenset({Place.B8, Place.B7})
    match.rest(WITHIN_MS)
    (unclear,) = match.emitted(SetUpUnclear)
    assert (unclear.is_seating_open, find_obstacle(match.state)) == (is_seating_open, unclear)
    assert reasons(match) == []


def test_a_question_in_a_bad_picture_names_the_picture() -> None:
    """A throw that cannot be read is asked about; what helps is light."""
    match = to_throw()
    match.picture_fault = PictureFault.TOO_BRIGHT
    match.throw(3, 1, sure=0.3, rest_ms=WITHIN_MS)
    assert match.emitted(ThrowUnclear)
    assert reasons(match) == [Hindrance.TOO_BRIGHT]


def test_every_output_words_the_obstacle() -> None:
    """Terminal, voice, page and lights, also in a mode that gives no aid; all of them end with it."""
    match = waiting()
    match.table = replace(match.table, mode=Mode.SILENT)
    match.picture_fault = PictureFault.TOO_DARK
    match.position = moved(TABLE.start_text, WHITE, (6, 5))
    match.rest(WITHIN_MS)
    (hindered,) = match.emitted(SightHindered)
    said: list[str] = []
    Announcer(said.append, match.table).publish(match.state, (hindered,), match.now_ms)
    sentence = "It is too dark to read the board; light it."
    assert said == [sentence]
    assert should_speak(hindered, match.table)
    assert UNSURE in select_signs(match.state, match.table, match.now_ms)
    for viewer in Viewer:
        assert waits_at_page(match, viewer) == {
            "text": sentence,
            "said": [{"key": "event.hindered.too_dark", "values": {}}],
        }
    match.picture_fault, match.position = None, TABLE.start_text
    match.rest(1000)
    assert UNSURE not in select_signs(match.state, match.table, match.now_ms)
    assert waits_at_page(match, Viewer.OPERATOR) is None


def waits_at_page(match: RefereedMatch, viewer: Viewer) -> object:
    newest = Snapshot(match.state, len(match.events), match.now_ms)
    return make_state_record(newest, match.table, viewer)["waits"]


def test_a_lost_camera_keeps_its_reason() -> None:
    """The page shows it as long as the camera is away."""
    match = to_throw()
    lost = match.link(Peripheral.CAMERA, is_up=False)
    assert find_obstacle(match.state) == event_of(lost)
    match.rest(1000)
    assert find_obstacle(match.state) is None


def event_of(events: tuple[RefereeEvent, ...]) -> RefereeEvent:
    (event,) = events
    return event


@pytest.mark.parametrize("fault", [PictureFault.BLURRED, PictureFault.ONE_COLOUR, PictureFault.BANDED])
def test_a_picture_in_which_nothing_can_be_read_is_always_said(fault: PictureFault) -> None:
    """Also between turns, where a slightly blurred picture is no obstacle."""
    match = to_throw()
    match.picture_fault, match.is_unreadable = fault, True
    match.rest(WITHIN_MS)
    assert reasons(match) == [Hindrance(fault.value)]
    match.picture_fault, match.is_unreadable = None, False
    match.rest(WITHIN_MS)
    assert find_obstacle(match.state) is None
