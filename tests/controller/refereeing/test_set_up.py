"""Before a game: what is reported of a board from which no game can begin yet, with and without a seating."""

from dataclasses import replace

import pytest

from controller.lights.state_lights import select_signs
from controller.lights.vocabulary import Meaning
from controller.match.commands import SetSeating
from controller.match.events import (
    BoardDiffers,
    Evidence,
    GameStarted,
    MatchStarted,
    Mode,
    PlayMade,
    SeatingKnown,
    SetUpUnclear,
)
from controller.match.seating import Checkers, parse_seatings
from controller.refereeing.match_config import GameStart, MatchConfig
from controller.refereeing.referee import begin_match
from controller.refereeing.state import Phase
from controller.rules import Player
from controller.settings.resumed_match_config import restore_match_config
from controller.speech.event_filter import is_topic_enabled
from controller.wording.ruling_text import ruling_text
from tests.controller.refereeing.refereed_match import SEATING, RefereedMatch, moved, table_of
from vision.places import Place

WHITE, BLACK = Player
UNKNOWN = table_of("backgammon", seating=None)
NAMES = {Player.WHITE: "White", Player.BLACK: "Black"}


def set_up_as(position: str, table: MatchConfig, *hidden: Place) -> RefereedMatch:
    """A match with this position on the board before the start."""
    match = RefereedMatch(table)
    match.state, match.events = begin_match(table, 0)
    match.position, match.hidden = position, frozenset(hidden)
    return match


def meanings(match: RefereedMatch) -> set[Meaning]:
    return {sign.meaning for sign in select_signs(match.state, match.table, match.now_ms)}


def test_differences_are_reported_before_the_seating_is_known() -> None:
    """The seating with the fewest differences is used; once the board is right, the game begins."""
    match = set_up_as(moved(UNKNOWN.start_text, WHITE, (6, 5)), UNKNOWN)
    match.rest(4000)
    (differs,) = match.emitted(BoardDiffers)
    assert (differs.extra, differs.missing) == (("B8",), ("B7",))
    assert meanings(match) == {Meaning.EXTRA, Meaning.MISSING}
    assert match.state.seating is None
    match.put(UNKNOWN.start_text, rest_ms=600)
    (known,) = match.emitted(SeatingKnown)
    assert known.seating == SEATING
    assert match.is_in(Phase.OPENING)


def test_a_start_that_fits_several_ways_to_sit_is_asked_about_once() -> None:
    """Nothing is guessed."""
    match = set_up_as(table_of("backgammon_race").start_text, table_of("backgammon_race", seating=None))
    match.rest(20_000)
    (asked,) = match.emitted(SetUpUnclear)
    assert (asked.is_seating_open, asked.places) == (True, ())
    assert "seating white=" in ruling_text(asked, NAMES)
    assert meanings(match) == {Meaning.UNSURE}
    match.give(SetSeating(SEATING))
    match.rest(600)
    assert match.emitted(GameStarted)
    assert match.state.questions.set_up_unclear is None


@pytest.mark.parametrize("table", [UNKNOWN, table_of("backgammon")], ids=["seating unknown", "seating known"])
def test_a_point_that_cannot_be_seen_is_named(table: MatchConfig) -> None:
    """It is lit in violet, and the game begins once it is visible."""
    match = set_up_as(table.start_text, table, Place("B8"), Place("B7"))
    match.rest(10_000)
    (asked,) = match.emitted(SetUpUnclear)
    assert asked.places == ("B7",)  # B8 is empty at the start
    assert "B7" in ruling_text(asked, NAMES)
    assert meanings(match) == {Meaning.UNSURE}
    match.reveal(rest_ms=600)
    assert match.is_in(Phase.OPENING)


def test_a_short_glance_that_shows_too_little_is_not_reported() -> None:
    """People set up the board with their hands."""
    match = set_up_as(UNKNOWN.start_text, UNKNOWN, Place("B7"))
    match.rest(2000)
    match.frame(hand=True)
    match.rest(2000)
    assert not match.emitted(SetUpUnclear)


def test_what_was_said_in_part_is_kept() -> None:
    """White plays dark; the board shows where White sits."""
    match = set_up_as(UNKNOWN.start_text, replace(UNKNOWN, seatings=parse_seatings("white=dark")))
    match.rest(600)
    (known,) = match.emitted(SeatingKnown)
    assert (known.seating.white_plays, known.evidence) == (Checkers.DARK, Evidence.SEEN)
    assert match.is_in(Phase.OPENING)


def test_a_position_that_was_given_tells_who_sits_where_too() -> None:
    """It need not be the start of a game."""
    position = moved(UNKNOWN.start_text, WHITE, (24, 18), (13, 11))
    match = set_up_as(position, replace(UNKNOWN, start=GameStart(position, Player.BLACK)))
    match.rest(600)
    assert match.only(SeatingKnown).seating == SEATING
    assert match.state.position == position


def test_what_was_said_in_part_is_kept_over_a_restart() -> None:
    """The log has it, whatever the present settings say."""
    table = replace(UNKNOWN, seatings=parse_seatings("white=dark"))
    started = begin_match(table, 0)[1][0]
    assert isinstance(started, MatchStarted)
    assert restore_match_config(started, UNKNOWN).seatings == parse_seatings("white=dark")
    unsaid = begin_match(UNKNOWN, 0)[1][0]
    assert isinstance(unsaid, MatchStarted)
    assert restore_match_config(unsaid, table).seatings == parse_seatings("white=dark")


def test_flickering_doubt_is_reported_once() -> None:
    """One place is never visible, another one now and then."""
    match = set_up_as(UNKNOWN.start_text, UNKNOWN, Place("B7"))
    for hidden in ((Place("B7"), Place("T1")), (Place("B7"),)) * 3:
        match.hidden = frozenset(hidden)
        match.rest(3500)
    assert len(match.emitted(SetUpUnclear)) == 1


def test_an_entered_seating_clears_differences_for_another() -> None:
    match = set_up_as(moved(UNKNOWN.start_text, WHITE, (6, 5)), UNKNOWN)
    match.rest(4000)
    assert meanings(match)
    match.give(SetSeating(replace(SEATING, mirrored=True)))
    match.frame(hand=True)
    assert not meanings(match)


@pytest.mark.parametrize("mode", [Mode.SILENT, Mode.TOURNAMENT])
def test_what_may_not_speak_lights_nothing(mode: Mode) -> None:
    """It is not spoken either."""
    match = set_up_as(UNKNOWN.start_text, replace(UNKNOWN, mode=mode), Place("B7"))
    match.rest(10_000)
    (asked,) = match.emitted(SetUpUnclear)
    assert not meanings(match)
    assert not is_topic_enabled(asked, match.table)


class TestJoining:
    """A game was under way when the referee began to watch."""

    @staticmethod
    def under_way(game: str = "backgammon") -> RefereedMatch:
        """Black to throw after three turns; nobody said anything but the game."""
        match = RefereedMatch.before_start(table_of(game, seating=None))
        position = moved(match.table.start_text, WHITE, (13, 7), (8, 7))
        position = moved(position, BLACK, (24, 20), (13, 9))
        match.position = moved(position, WHITE, (24, 22))
        return match

    def test_two_turns_tell_the_game(self) -> None:
        match = self.under_way()
        first = match.position
        match.rest(3000)
        match.throw(6, 4, rest_ms=1000)
        match.play(BLACK, (20, 10), rest_ms=1000)
        assert not match.emitted(GameStarted)
        second = match.position
        match.throw(5, 3, rest_ms=1000)
        match.play(WHITE, (13, 8), (6, 3), rest_ms=1000)
        (seated,), (started,) = match.emitted(SeatingKnown), match.emitted(GameStarted)
        assert isinstance(seated, SeatingKnown)
        assert isinstance(started, GameStarted)
        assert (seated.seating, seated.evidence) == (SEATING, Evidence.INFERRED)
        assert (started.position, started.player) == (first, BLACK)
        made = [(one.player, one.numbers, one.before, one.after) for one in match.emitted(PlayMade)]
        assert made == [(BLACK, (6, 4), first, second), (WHITE, (5, 3), second, match.position)]
        match.throw(2, 1, rest_ms=1000)
        assert (match.state.on_turn, match.roll) == (BLACK, (2, 1))

    def test_a_board_that_is_set_up_is_no_game(self) -> None:
        """Checkers are put on their points, a die is tried out, and nothing is taken for a play."""
        match = self.under_way()
        match.rest(2000)
        match.throw(6, 4, rest_ms=1000)
        match.lift(rest_ms=1000)
        match.put(moved(match.position, WHITE, (22, 24)), rest_ms=1000)
        match.put(moved(match.position, BLACK, (20, 24), (9, 13)), rest_ms=1000)
        assert not match.emitted(PlayMade)
        match.put(match.table.start_text, rest_ms=2000)
        (started,) = match.emitted(GameStarted)
        assert isinstance(started, GameStarted)
        assert (started.position, started.player) == (match.table.start_text, None)
        assert not match.emitted(PlayMade)
