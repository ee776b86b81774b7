"""Dice from frame to ruling that lie beside the board: put away, pushed off, kept there, or thrown from there."""

import pytest

from controller.match.clocks import WBGT
from controller.match.commands import EndTurn
from controller.match.events import DiceRolled, PlayMade, ThrowRefused, ThrowUnclear, TurnEnded, TurnGoesOn
from controller.match.officiating import PROFILES
from controller.refereeing.state import Phase
from controller.rules import BadThrow, Player, Unclear
from tests.controller.refereeing.filmed_dice import FilmedMatch, die_at
from tests.controller.refereeing.test_filmed_dice import (
    BLACKS,
    BY_BLACK,
    PAIR_BESIDE,
    SIX_FOUR,
    WHITES,
)
from tests.controller.refereeing.test_filmed_shared_dice import is_asked_and_not_refused, openings
from vision.dice.readings import DieReading, DieState

WHITE, BLACK = Player.WHITE, Player.BLACK
OFF = DieState.OFF_BOARD
WHITE_THROWS = die_at(2, (700, 300)), die_at(1, (800, 350))


class TestLaidBesideTheBoard:
    BESIDE = die_at(6, (1000, 100), OFF), die_at(4, (1040, 150), OFF)

    @pytest.mark.parametrize("one_by_one", [False, True])
    def test_after_the_play(self, *, one_by_one: bool) -> None:
        """They are no throw, and the next throw is not early: it ends the turn."""
        match = FilmedMatch.with_black_played(*BY_BLACK)
        if one_by_one:
            match.put_dice(self.BESIDE[0], SIX_FOUR[1])
        match.put_dice(*self.BESIDE)
        assert match.news() == []  # he may try another play
        match.throw(*WHITE_THROWS, rest_ms=3000)
        assert match.kinds() == [TurnEnded, PlayMade, DiceRolled]

    def test_after_the_play_and_taken_up(self) -> None:
        match = FilmedMatch.with_black_played(*BY_BLACK)
        match.put_dice(*self.BESIDE)
        match.lift(rest_ms=3000)
        assert match.kinds() == [TurnEnded, PlayMade]

    def test_one_alone(self) -> None:
        """It may have been pushed off: a throw is early."""
        match = FilmedMatch.with_black_played(*BY_BLACK)
        match.put_dice(self.BESIDE[0], SIX_FOUR[1])
        match.throw(*WHITE_THROWS, rest_ms=3000)
        assert match.only(ThrowRefused).reasons == (BadThrow.TOO_EARLY,)

    def test_where_a_clock_ends_the_turn(self) -> None:
        """Before the clock is pressed a throw is early, wherever the dice lie."""
        match = FilmedMatch.with_black_played(*BY_BLACK, clock=WBGT)
        match.put_dice(*self.BESIDE)
        match.throw(*WHITE_THROWS, rest_ms=3000)
        assert TurnEnded not in match.kinds()

    def test_where_an_early_throw_stands_until_it_is_refused(self) -> None:
        """The throw stands whether or not the play was finished."""
        match = FilmedMatch.with_black_to_throw(profile=PROFILES["wbgf"])
        match.throw(die_at(6, (100, 400)), die_at(4, (200, 460)))  # on his right
        match.play(BLACK, BY_BLACK[0])
        match.put_dice(*self.BESIDE)
        match.mark()
        match.throw(*WHITE_THROWS)
        assert match.kinds() == [DiceRolled]
        match.play(BLACK, BY_BLACK[1])
        match.take(*self.BESIDE)
        match.rest(3000)
        assert match.kinds() == [DiceRolled, TurnEnded, PlayMade]
        assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, WHITE)

    def test_to_make_room(self) -> None:
        """Half of the play is made; the turn goes on, even if something hides the dice for a while."""
        match = FilmedMatch.with_black_played(BY_BLACK[0])
        match.put_dice(*self.BESIDE)
        match.dice = []
        match.rest(1700)
        match.dice = list(self.BESIDE)
        match.rest(2000)
        assert match.kinds() == [TurnEnded, TurnGoesOn]
        match.play(BLACK, BY_BLACK[1])
        match.lift(rest_ms=3000)
        assert match.kinds()[2:] == [TurnEnded, PlayMade]

    def test_one_of_an_opening_and_the_other_one_covered(self) -> None:
        """The dice came to rest one after the other, and neither was lifted."""
        match = FilmedMatch.begun()
        match.throw(WHITES, rest_ms=2500)
        match.throw(die_at(1, (200, 320)), rest_ms=2500)
        one = match.dice[1]
        match.play(WHITE, (8, 5))
        match.mark()
        beside = die_at(3, (1000, 330), OFF)
        match.put_dice(one, beside)
        match.put_dice(beside)
        match.put_dice(WHITES)
        match.put_dice(WHITES, one)
        assert match.news() == []

    @pytest.mark.parametrize("one_by_one", [False, True])
    def test_and_thrown_from_there(self, *, one_by_one: bool) -> None:
        """The dice are taken up where they lie, and laid there again after the play."""
        match = FilmedMatch.with_black_to_throw()
        if one_by_one:
            match.put_dice(PAIR_BESIDE[0])
        match.put_dice(*PAIR_BESIDE)
        match.mark()
        match.throw_anew(*SIX_FOUR)
        rolled = match.only(DiceRolled)
        assert (rolled.player, rolled.values) == (BLACK, (6, 4))
        match.play(BLACK, *BY_BLACK)
        match.put_dice(*self.BESIDE)
        match.throw(*WHITE_THROWS, rest_ms=3000)
        assert match.kinds() == [DiceRolled, TurnEnded, PlayMade, DiceRolled]

    @pytest.mark.parametrize("is_knocked", [False, True])
    def test_and_thrown_from_there_beside_the_other_pair(self, *, is_knocked: bool) -> None:
        """The other pair shows a three too. If one die of it is knocked, nobody knows which dice were thrown."""
        match = FilmedMatch.with_first_play()
        match.give(EndTurn())
        three, one = match.dice
        match.put_dice(three, one, PAIR_BESIDE[0])
        match.put_dice(three, one, *PAIR_BESIDE)
        match.mark()
        match.take(*PAIR_BESIDE, hidden_ms=200)
        for _ in range(5):
            match.frame(is_moving=True)
        if is_knocked:
            match.dice = [die_at(2, (740, 340)), one]
        match.throw(*SIX_FOUR, rest_ms=4000)
        (event,) = match.news()
        assert isinstance(event, ThrowUnclear if is_knocked else DiceRolled)
        assert event.values == ((None, None) if is_knocked else (6, 4))

    def test_by_who_ended_his_turn_with_a_button(self) -> None:
        """He takes up the dice in a blur and lays them there: that is no throw, whatever they show."""
        match = FilmedMatch.with_black_played(*BY_BLACK)
        match.give(EndTurn())
        match.mark()
        match.throw_anew(*self.BESIDE)
        assert match.news() == []

    def test_to_make_room_and_left_there(self) -> None:
        """The play is finished; the other player's throw ends the turn."""
        match = FilmedMatch.with_black_played(BY_BLACK[0])
        match.put_dice(*self.BESIDE)
        match.play(BLACK, BY_BLACK[1])
        match.mark()
        match.throw(*WHITE_THROWS, rest_ms=3000)
        assert match.kinds() == [TurnEnded, PlayMade, DiceRolled]

    def test_after_an_illegal_play(self) -> None:
        """The turn may not be over: people are asked about the other player's throw, which is not refused."""
        match = FilmedMatch.with_black_played((24, 18), (18, 13))
        match.put_dice(*self.BESIDE)
        match.throw(*WHITE_THROWS, rest_ms=3000)
        asked = match.only(ThrowUnclear)
        assert (asked.player, asked.unclear) == (WHITE, (Unclear.LIFTED,))

    def test_after_an_illegal_play_and_thrown_by_the_other_player(self) -> None:
        """The other player's play is nobody's offence."""
        match = FilmedMatch.with_black_played((24, 18), (18, 13))
        match.put_dice(*self.BESIDE)
        match.throw_anew(*WHITE_THROWS)
        match.play(WHITE, (24, 22), (6, 5))
        match.lift(rest_ms=6000)
        assert is_asked_and_not_refused(match)

    def test_one_of_them_covered_for_a_while(self) -> None:
        """The die still lies there when it is found again."""
        match = FilmedMatch.with_black_played(*BY_BLACK)
        match.put_dice(self.BESIDE[0], SIX_FOUR[1])
        for lying in ([SIX_FOUR[1]], [self.BESIDE[0], SIX_FOUR[1]]):
            match.dice = lying
            match.rest(3500)
        match.put_dice(*self.BESIDE)
        assert match.news() == []
        match.throw(*WHITE_THROWS, rest_ms=3000)
        assert match.kinds() == [TurnEnded, PlayMade, DiceRolled]

    @pytest.mark.parametrize("second", [die_at(4, (1000, 600), OFF), die_at(4, (700, 460), DieState.COCKED)])
    def test_a_void_throw_from_there(self, second: DieReading) -> None:
        """One of the two dice falls off the board again, or leans."""
        match = FilmedMatch.with_black_to_throw()
        match.put_dice(*PAIR_BESIDE)
        match.mark()
        match.throw_anew(SIX_FOUR[0], second)
        assert match.only(ThrowRefused).reasons == (BadThrow(second.lies.value),)


class TestOpening:
    def test_the_other_die_of_the_pair_lies_beside_the_board(self) -> None:
        """Each player uses one die of his pair: the spare die is not part of the throw."""
        match = FilmedMatch.begun()
        match.put_dice(PAIR_BESIDE[0])
        match.throw(WHITES, rest_ms=2000)
        match.throw(BLACKS, rest_ms=3000)
        assert openings(match) == [(3, 4)]

    @pytest.mark.parametrize("beside_first", [False, True])
    def test_one_falls_off(self, *, beside_first: bool) -> None:
        """Both are thrown again, in whichever order they came."""
        match = FilmedMatch.begun()
        dice = [PAIR_BESIDE[0], BLACKS] if beside_first else [BLACKS, PAIR_BESIDE[0]]
        for die in dice:
            match.throw(die, rest_ms=1500)
        (refused,) = [event for event in match.events if isinstance(event, ThrowRefused)]
        assert refused.reasons == (BadThrow.OFF_BOARD,)

    def test_it_is_thrown_again_at_once(self) -> None:
        """The lifting was not reported yet; the other player's throw follows."""
        match = FilmedMatch.begun()
        match.throw(PAIR_BESIDE[0], rest_ms=6000)
        match.throw_anew(die_at(5, (700, 300)), rest_ms=2000)
        match.throw(BLACKS)
        assert openings(match) == [(5, 4)]

    def test_the_spare_die_is_hidden_for_a_while(self) -> None:
        match = FilmedMatch.begun()
        match.put_dice(PAIR_BESIDE[0], rest_ms=4000)
        match.throw(WHITES, rest_ms=1500)
        spare = match.dice[0]
        match.dice = [WHITES]
        match.rest(2500)
        match.dice = [spare, WHITES]
        match.rest(1500)
        match.throw(BLACKS, rest_ms=3000)
        assert openings(match) == [(3, 4)]
