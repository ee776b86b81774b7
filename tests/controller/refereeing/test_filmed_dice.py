"""Dice from frame to ruling: what is knocked, thrown again, left lying or laid aside, as it happens at tables."""

from dataclasses import replace

import pytest

from controller.match import events
from controller.match.commands import EndTurn
from controller.match.officiating import PROFILES
from controller.match.profile import Profile
from controller.refereeing.state import Phase
from controller.rules import BadThrow, EarlyThrow, Player, Unclear
from tests.controller.refereeing.filmed_dice import FilmedMatch, die_at
from vision.dice.readings import DieReading, DieState

WHITE, BLACK = Player.WHITE, Player.BLACK
WHITES = die_at(3, (700, 300))
BLACKS = die_at(4, (250, 320))
SIX_FOUR = die_at(6, (600, 400)), die_at(4, (700, 460))
BY_BLACK = (24, 18), (18, 14)
STAND = [profile for profile in PROFILES.values() if profile.early_throw is not EarlyThrow.VOID]
OTHERS_BESIDE = die_at(5, (1000, 300), DieState.OFF_BOARD), die_at(2, (1060, 370), DieState.OFF_BOARD)
PAIR_BESIDE = die_at(3, (1000, 100), DieState.OFF_BOARD), die_at(1, (1040, 150), DieState.OFF_BOARD)


class TestOneDieFirst:
    """Until the other one lies there too nothing of a throw is taken."""

    @pytest.mark.parametrize(
        ("now", "unclear", "values"),
        [
            (die_at(6, (760, 330)), Unclear.VALUE, (None, 4)),
            (die_at(3, (760, 330), DieState.COCKED), Unclear.LIE, (3, 4)),
        ],
    )
    def test_knocked_by_the_other_in_the_opening(
        self, now: DieReading, unclear: Unclear, values: tuple[int | None, int]
    ) -> None:
        """It shows another face or leans: people are asked."""
        match = FilmedMatch.begun()
        match.throw(WHITES, rest_ms=2500)
        match.mark()
        match.knock(WHITES, now, by=BLACKS)
        asked = match.only(events.ThrowUnclear)
        assert (asked.unclear, asked.values) == ((unclear,), values)

    def test_pushed_by_the_other(self) -> None:
        """It shows the same face and lies flat, elsewhere."""
        match = FilmedMatch.begun()
        match.throw(WHITES, rest_ms=2500)
        match.knock(WHITES, die_at(3, (760, 330)), by=BLACKS)
        assert [(event.white, event.black) for event in match.events if isinstance(event, events.OpeningThrown)] == [
            (3, 4)
        ]

    def test_knocked_by_the_other_of_a_roll(self) -> None:
        match = FilmedMatch.with_black_to_throw()
        first = die_at(6, (600, 300))
        match.throw(first)
        match.mark()
        match.knock(first, die_at(2, (650, 330)), by=die_at(4, (700, 420)))
        assert match.only(events.ThrowUnclear).values == (None, 4)

    def test_cocked_and_both_thrown_again(self) -> None:
        """The faces of the first throw are gone, and its lie refuses nothing."""
        match = FilmedMatch.with_black_to_throw()
        first = die_at(6, (600, 300), DieState.COCKED)
        match.throw(first)
        match.mark()
        match.take(first)
        match.throw(die_at(5, (800, 500)), die_at(4, (700, 420)), rest_ms=3000)
        assert 6 not in match.only(events.ThrowUnclear).values
        assert match.state.phase is Phase.AWAIT_ROLL

    def test_knocked_away_in_a_blur(self) -> None:
        """Out of view for a moment and far off, it may have been thrown anew; the other die may have hit it as well."""
        match = FilmedMatch.with_black_to_throw()
        match.throw(die_at(6, (600, 300)))
        match.mark()
        for _ in range(5):
            match.frame(shown=[], is_moving=True)
        match.dice, match.is_disturbed = [die_at(2, (720, 330)), die_at(4, (700, 450))], True
        match.rest(3000)
        assert None in match.only(events.ThrowUnclear).values


class TestThrownAgain:
    """Dice that a hand took up and threw at once were never seen to leave."""

    def test_not_where_the_table_is_knocked(self) -> None:
        """All dice of a refused throw lie a little aside then; the refusal stays."""
        match = FilmedMatch.with_black_to_throw()
        match.throw(die_at(6, (600, 300), DieState.COCKED), die_at(4, (700, 360)))
        match.mark()
        match.frame(is_moving=True)
        places_px = [die.centre_px for die in match.dice]
        match.dice = [replace(die, centre_px=(x + 9, y)) for die, (x, y) in zip(match.dice, places_px, strict=True)]
        match.is_disturbed = True
        match.rest(3000)
        assert match.news() == []
        assert match.state.questions.throw_refused is not None

    def test_equal_opening_dice_one_after_the_other(self) -> None:
        match = FilmedMatch.begun()
        first, second = die_at(4, (700, 300)), die_at(4, (200, 320))
        match.throw(first, second)
        match.mark()
        match.take(first)
        match.throw(die_at(5, (800, 420)))
        assert match.news() == []
        match.take(second)
        match.throw(die_at(2, (300, 200)))
        assert match.only(events.ThrowUnclear).unclear == (Unclear.VALUE,)

    def test_with_the_same_faces_after_a_cocked_throw(self) -> None:
        """Somebody may have straightened the die by hand."""
        match = FilmedMatch.with_black_to_throw()
        dice = die_at(6, (600, 300), DieState.COCKED), die_at(4, (700, 360))
        match.throw(*dice)
        match.mark()
        match.take(*dice)
        match.throw(die_at(6, (800, 500)), die_at(4, (650, 600)))
        asked = match.only(events.ThrowUnclear)
        assert (asked.unclear, sorted(asked.values, key=str)) == ((Unclear.LIFTED,), [4, 6])

    def test_after_an_early_throw(self) -> None:
        """The mover's dice are gone by then, so these are not his."""
        match = FilmedMatch.with_first_play()
        own = list(match.dice)
        match.throw(*SIX_FOUR)
        match.take(*own, hidden_ms=300)
        match.rest(1500)
        assert match.state.phase is Phase.AWAIT_ROLL
        match.mark()
        match.take(*SIX_FOUR)
        match.throw(die_at(5, (800, 500)), die_at(2, (650, 600)))
        assert match.only(events.ThrowUnclear).player is BLACK

    def test_one_of_two_pairs(self) -> None:
        """Each player has a pair, and the other player's still lies there."""
        match = _two_pairs()
        whites = match.dice[:2]
        match.mark()
        match.take(*whites)
        match.throw(die_at(5, (150, 500)), die_at(2, (300, 600)))
        asked = match.only(events.ThrowUnclear)
        assert (asked.player, sorted(asked.values, key=str)) == (WHITE, [2, 5])


def _two_pairs() -> FilmedMatch:
    """The dice of two turns that the button ended lie there; White has to throw."""
    match = FilmedMatch.with_first_play()
    match.give(EndTurn())
    match.throw(die_at(6, (600, 420)), die_at(4, (820, 460)))
    match.play(BLACK, *BY_BLACK)
    match.give(EndTurn())
    assert (match.state.phase, match.state.on_turn) == (Phase.AWAIT_ROLL, WHITE)
    match.mark()
    return match


class TestEarly:
    @pytest.mark.parametrize("profile", STAND, ids=lambda profile: profile.name)
    def test_a_throw_that_stands_is_played(self, profile: Profile) -> None:
        """The dice that are lifted before are the other player's."""
        match = FilmedMatch.with_first_play(profile=profile)
        own = list(match.dice)
        match.throw(die_at(6, (100, 400)), die_at(4, (200, 460)))  # on his right
        match.take(*own, hidden_ms=300)
        match.rest(3000)
        assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, BLACK)
        match.play(BLACK, *BY_BLACK)
        match.mark()
        match.lift(rest_ms=3000)
        assert match.kinds() == [events.TurnEnded, events.PlayMade]

    @pytest.mark.parametrize("wait_ms", [100, 800])
    def test_while_the_mover_has_taken_one_of_his(self, wait_ms: int) -> None:
        """One new die is taken for the removed one; nobody is accused, and the turn ends with the second die."""
        match = FilmedMatch.with_first_play()
        first, second = match.dice
        match.take(first, hidden_ms=200)
        match.rest(wait_ms)
        match.mark()
        match.throw(*SIX_FOUR)
        assert match.only(events.ThrowUnclear).player is BLACK
        match.take(second, hidden_ms=200)
        match.rest(3000)
        assert match.kinds() == [events.ThrowUnclear, events.TurnEnded, events.PlayMade]


class TestBeside:
    @pytest.mark.parametrize("wait_ms", [100, 1500, 3500])
    def test_a_pair_laid_beside_the_board(self, wait_ms: int) -> None:
        """It is not part of the throw, however soon the throw comes."""
        match = _with_pair_beside(wait_ms)
        match.throw(*SIX_FOUR, rest_ms=3000)
        assert match.only(events.DiceRolled).values == (6, 4)

    @pytest.mark.parametrize("wait_ms", [100, 1500, 4000])
    def test_a_pair_laid_beside_it_and_dice_that_come_one_after_the_other(self, wait_ms: int) -> None:
        """The first die waits for the second as on an empty table."""
        match = _with_pair_beside(wait_ms)
        for die in SIX_FOUR:
            match.throw(die, rest_ms=700)
        match.rest(3000)
        assert match.kinds() == [events.DiceRolled]

    def test_a_pair_that_its_owner_handles(self) -> None:
        """Beside the board it is no throw, and a die that waits for the second one goes on waiting."""
        match = _with_pair_beside(4000)
        match.throw(SIX_FOUR[0], rest_ms=700)
        match.dice = [SIX_FOUR[0]]
        match.rest(330)
        match.dice, match.is_disturbed = [SIX_FOUR[0], *OTHERS_BESIDE], True
        match.rest(900)
        match.throw(SIX_FOUR[1], rest_ms=3000)
        assert match.kinds() == [events.DiceRolled]

    def test_a_pair_that_a_hand_turns(self) -> None:
        match = _with_pair_beside(4000)
        match.with_hand(200)
        match.dice = list(OTHERS_BESIDE)
        match.with_hand(200)
        match.rest(3000)
        assert match.news() == []

    def test_one_of_the_throw_that_fell_off(self) -> None:
        match = FilmedMatch.with_black_to_throw()
        match.throw(die_at(6, (600, 300)), PAIR_BESIDE[0])
        (refused,) = [event for event in match.events if isinstance(event, events.ThrowRefused)]
        assert BadThrow.OFF_BOARD in refused.reasons


def _with_pair_beside(wait_ms: int) -> FilmedMatch:
    """White's pair lies beside the board; Black has to throw."""
    match = FilmedMatch.with_black_to_throw()
    match.with_hand(200)
    match.dice = list(PAIR_BESIDE)
    match.with_hand(200)
    match.rest(wait_ms)
    match.mark()
    return match


class TestRestart:
    """Nobody has thrown since; every die is seen for the first time."""

    @pytest.mark.parametrize("frames_ms", [(), (33, 550), (500,) * 10])
    def test_frames_that_come_late(self, frames_ms: tuple[int, ...]) -> None:
        match = _left_lying()
        for after_ms in frames_ms:
            match.frame(after_ms)
        match.rest(5000)
        assert match.news() == []

    @pytest.mark.parametrize("number", [2, 4, 6])
    def test_a_frame_that_is_misread(self, number: int) -> None:
        """One die is not seen, and something elsewhere looks like a die."""
        match = _left_lying()
        for frame in range(40):
            match.frame(shown=[match.dice[0], die_at(2, (400, 500))] if frame == number else None)
        match.rest(4000)
        assert match.news() == []

    def test_two_pairs(self) -> None:
        """Dice beside those of the last roll may have been thrown meanwhile."""
        match = _two_pairs()
        match.restart()
        match.mark()
        match.rest(4000)
        asked = match.only(events.ThrowUnclear)
        assert (asked.player, asked.unclear) == (WHITE, (Unclear.LIFTED,))
        assert sorted(asked.values, key=str) == [1, 3]

    def test_a_throw_after_it(self) -> None:
        """The dice that lay there are lifted: the next dice are a throw."""
        match = _left_lying()
        match.rest(2000)
        match.lift(rest_ms=2500)
        match.mark()
        match.throw(die_at(6, (800, 500)), die_at(4, (650, 600)))
        assert match.kinds() == [events.DiceRolled]

    @pytest.mark.parametrize("bare_ms", [700, 1300])
    def test_the_same_numbers_on_a_bare_table(self, bare_ms: int) -> None:
        """White's dice were lifted before, which the log does not tell: they may only have been hidden."""
        match = FilmedMatch.with_first_play()
        match.give(EndTurn())
        match.lift()
        match.restart()
        match.rest(bare_ms)
        match.mark()
        match.throw(die_at(3, (600, 400)), die_at(1, (700, 460)))
        assert match.only(events.ThrowUnclear).unclear == (Unclear.LIFTED,)

    def test_one_number_of_a_refused_throw(self) -> None:
        """A throw that shows it beside another number is a throw."""
        match = FilmedMatch.with_black_to_throw()
        match.throw(die_at(6, (600, 400)), rest_ms=5000)
        match.lift()
        match.restart()
        match.rest(500)
        match.mark()
        match.throw(die_at(6, (800, 500)), die_at(5, (650, 600)))
        assert match.kinds() == [events.DiceRolled]


def _left_lying() -> FilmedMatch:
    """The button ended Black's turn, whose dice lie there; then the program was restarted."""
    match = FilmedMatch.with_first_play()
    match.give(EndTurn())
    match.lift()
    match.throw(*SIX_FOUR)
    match.play(BLACK, *BY_BLACK)
    match.give(EndTurn())
    match.restart()
    match.mark()
    return match
