"""A turn that nobody saw: the next roll seems to be the wrong player's until it is played."""

import pytest

from controller.match.commands import ChoosePlay, CorrectBoard
from controller.match.events import (
    CommandRefused,
    DiceRolled,
    Evidence,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    RollWithdrawn,
)
from controller.questions.likely_answers import list_likely_plays
from controller.rules import Player
from tests.controller.refereeing.refereed_match import OPENING_HALVES, RefereedMatch, moved, table_of, to_throw

pytestmark = pytest.mark.broad

START = "00000050300005000000000020/00000050300005000000000020"
FIVE_POINT = "00000050300005000000000020/00000240200005000000000020"


def overlooked_turn(board: str = FIVE_POINT) -> RefereedMatch:
    """White is on turn for the referee; it is Black who throws 3-1, plays and lifts the dice."""
    match = RefereedMatch.begun(table_of("backgammon", start=START, on_turn=Player.WHITE))
    match.throw(3, 1)
    match.put(board)
    match.lift(rest_ms=10_000)
    return match


def played(match: RefereedMatch) -> list[tuple[Player, str, Evidence]]:
    return [(event.player, event.play, event.evidence) for event in match.emitted(PlayMade)]


class TestAPlayOfTheWrongSide:
    def test_is_asked_about(self) -> None:
        """Black made a legal play of this roll: a turn was missed, or Black played out of turn."""
        match = overlooked_turn()
        assert not match.emitted(PlayRefused)
        assert not played(match)
        assert match.only(PlayUnclear).options == ("8/5 6/5",)

    def test_stands_when_somebody_says_so(self) -> None:
        """One answer is offered, and after it the referee is in step again."""
        match = overlooked_turn()
        asked = match.only(PlayUnclear)
        first, *_ = list_likely_plays(match.state, match.table)  # what is asked about comes before plays of White's
        assert (first.play, first.after) == (asked.options[0], FIVE_POINT)
        match.give(ChoosePlay(first.after))
        assert played(match) == [(Player.BLACK, "8/5 6/5", Evidence.ENTERED)]
        assert [event.player for event in match.emitted(RollWithdrawn)] == [Player.WHITE]
        assert [event.player for event in match.emitted(DiceRolled)] == [Player.WHITE, Player.BLACK]
        assert match.state.on_turn is Player.WHITE

    def test_stands_with_the_next_throw(self) -> None:
        """Nobody objected before White threw; the log says that Black's turn was inferred."""
        match = overlooked_turn()
        match.throw(6, 2, rest_ms=3000)
        assert not match.emitted(PlayRefused)
        assert played(match) == [(Player.BLACK, "8/5 6/5", Evidence.INFERRED)]
        assert match.state.on_turn is Player.WHITE
        assert match.roll == (6, 2)

    def test_put_back_is_forgotten(self) -> None:
        """The checkers lie as before, and White plays his throw."""
        match = overlooked_turn()
        match.put("00000240200005000000000020/00000050300005000000000020", rest_ms=3000)
        assert not match.emitted(PlayRefused)
        assert played(match) == [(Player.WHITE, "8/5 6/5", Evidence.SEEN)]

    def test_is_refused_where_it_is_no_legal_play(self) -> None:
        """Somebody moved one of Black's checkers by a single point."""
        assert overlooked_turn("00000050300005000000000020/00000140300005000000000020").emitted(PlayRefused)


def lost_turn(*, waits_ms: int = 8000, is_seen_with_dice: bool = False) -> RefereedMatch:
    """White has played 3-1. Black's 6-4, its throw included, is not seen, because the picture moves; White throws 6-2.

    The board is seen again when White has played, or while White's dice still lie beside Black's play.
    """
    match = to_throw()
    for _ in range(waits_ms // 500):
        match.frame(is_moving=True, after_ms=500)
    match.position = moved(match.position, Player.BLACK, (24, 14))
    match.throw(6, 2, is_settled=False, rest_ms=1000 if is_seen_with_dice else 0)
    return match


class TestATurnOfWhichNothingWasSeen:
    """The log gives White's throw to Black, and judges it from a position that is a turn old."""

    @pytest.mark.parametrize("is_seen_with_dice", [False, True])
    def test_accuses_nobody(self, is_seen_with_dice: bool) -> None:
        """Asked is about the play that White made with this throw, as only one turn of Black leads to its board."""
        match = lost_turn(is_seen_with_dice=is_seen_with_dice)
        match.play(Player.WHITE, (24, 16), rest_ms=6000)
        assert not match.emitted(PlayRefused)
        assert match.only(PlayUnclear).options == ("24/16",)

    def test_is_inferred_with_the_next_throw(self) -> None:
        """Nobody objected before Black threw."""
        match = lost_turn()
        match.play(Player.WHITE, (24, 16), rest_ms=6000)
        match.throw(5, 3, rest_ms=1000)
        assert played(match)[1:] == [(Player.WHITE, "24/16", Evidence.INFERRED)]
        assert (match.state.on_turn, match.roll) == (Player.BLACK, (5, 3))
        assert match.is_what_the_log_says()

    def test_may_be_the_first_turn(self) -> None:
        """Black's throw is taken for the opening throw, in which White has the higher die."""
        match = RefereedMatch.begun(table_of("backgammon"))
        for _ in range(16):
            match.frame(is_moving=True, after_ms=500)
        match.position = moved(match.position, Player.WHITE, (8, 3), (6, 3))
        match.throw(4, 1, halves=OPENING_HALVES, rest_ms=1000)
        assert match.only(DiceRolled).player is Player.WHITE
        match.play(Player.BLACK, (24, 23), (13, 9), rest_ms=6000)
        assert not match.emitted(PlayRefused)
        assert match.only(PlayUnclear).options == ("24/23 13/9",)

    def test_and_a_play_that_no_turn_explains_is_asked_about(self) -> None:
        """White moves by nine points with 6-2."""
        match = lost_turn()
        match.play(Player.WHITE, (24, 15), rest_ms=6000)
        assert match.is_asked_and_not_refused()
        match.throw(5, 3, rest_ms=1000)
        match.frame(hand=True)
        assert not match.emitted(PlayRefused)

    def test_is_not_taken_for_an_offence_that_a_person_enters(self) -> None:
        """A board that no play of Black leads to is accepted with the player who throws next."""
        match = lost_turn()
        match.play(Player.WHITE, (24, 15), rest_ms=6000)
        match.give(ChoosePlay(match.position))
        assert match.emitted(CommandRefused)
        assert not match.emitted(PlayRefused)
        match.give(CorrectBoard(match.position, Player.BLACK))
        match.throw(5, 3, rest_ms=1000)
        assert (match.state.on_turn, match.roll) == (Player.BLACK, (5, 3))


class TestAnIllegalPlayAfterAPictureThatMoved:
    def test_is_refused_when_the_board_was_seen_beside_the_dice(self) -> None:
        """Nothing was played unseen: the dice lie beside the position of the log."""
        match = to_throw()
        for _ in range(16):
            match.frame(is_moving=True, after_ms=500)
        match.throw(6, 2, rest_ms=1000)
        match.play(Player.BLACK, (24, 15), rest_ms=6000)
        assert match.emitted(PlayRefused)

    def test_is_refused_when_there_was_no_time_for_a_turn(self) -> None:
        """The board was seen two seconds before the throw."""
        match = to_throw()
        match.rest(1000)
        for _ in range(4):
            match.frame(is_moving=True, after_ms=500)
        match.throw(6, 2, is_settled=False)
        match.play(Player.BLACK, (24, 15), rest_ms=6000)
        assert match.emitted(PlayRefused)

    def test_is_refused_when_the_board_came_to_rest_as_the_dice_did(self) -> None:
        """The picture moves again from then on until the play is made."""
        match = to_throw()
        for _ in range(16):
            match.frame(is_moving=True, after_ms=500)
        match.throw(6, 2)
        match.frame(is_moving=True)
        match.play(Player.BLACK, (24, 15), rest_ms=6000)
        assert match.emitted(PlayRefused)
