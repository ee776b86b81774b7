"""Dice from frame to ruling where both players use the same pair, throw again at once, or lay dice beside the board."""

from dataclasses import replace

from controller.commands import EndTurn
from controller.events import (
    DiceRolled,
    OpeningThrown,
    PassForced,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    ThrowRefused,
    ThrowUnclear,
    TurnEnded,
)
from controller.referee_state import Phase
from controller.rules.player import Player
from controller.rules.throws import BadThrow, Unclear
from controller.rules.variants import ruleset_named
from tests.controller.filmed_dice import FilmedMatch, die_at
from tests.controller.refereed_match import RefereedMatch, moved
from tests.controller.test_filmed_dice import BLACKS, BY_BLACK, PAIR_BESIDE, SIX_FOUR, WHITES, asked_in, kinds
from tests.controller.test_referee_turns import opened
from vision.die_reading import DieReading, DieState
from vision.reading import Place

WHITE, BLACK = Player.WHITE, Player.BLACK
OFF = DieState.OFF_BOARD
# Black is on the bar and enters with an ace only; White has much to play.
ACE_POINT_OPEN = "00222222210000000000000000/e0000000000000000000000001"
SIX_FOUR_ELSEWHERE = die_at(6, (800, 150)), die_at(4, (900, 220))


def elsewhere(*values: int) -> list[DieReading]:
    return [die_at(value, (750 + 100 * number, 160)) for number, value in enumerate(values)]


class TestTheSamePairForBoth:
    def test_thrown_by_the_other_player_after_a_dance(self) -> None:
        """Who cannot move has played: dice that lie elsewhere with other faces are the next throw."""
        match = FilmedMatch.begun(start=ACE_POINT_OPEN, on_turn=BLACK)
        match.throw(*SIX_FOUR)
        assert PassForced in kinds(match.events)
        told = len(match.events)
        match.throw_anew(*elsewhere(2, 1))
        assert kinds(match.since(told)) == [TurnEnded, PlayMade, DiceRolled]
        assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, WHITE)

    def test_the_same_numbers_after_a_play(self) -> None:
        """They look like pushed dice: the next player's play is a question, and nobody is accused of it."""
        match = FilmedMatch.with_black_to_throw()
        match.throw(*SIX_FOUR)
        match.play(BLACK, *BY_BLACK)
        told = len(match.events)
        match.throw_anew(*SIX_FOUR_ELSEWHERE)
        match.play(WHITE, (24, 18), (13, 9))
        match.lift(rest_ms=6000)
        assert PlayRefused not in kinds(match.since(told))
        assert PlayUnclear in kinds(match.since(told))

    def test_pushed_in_the_midst_of_a_turn(self) -> None:
        """Nothing was played yet: the play that follows is told as ever."""
        match = FilmedMatch.with_black_to_throw()
        match.throw(*SIX_FOUR)
        match.throw_anew(*SIX_FOUR_ELSEWHERE)
        match.play(BLACK, *BY_BLACK)
        told = len(match.events)
        match.lift(rest_ms=3000)
        assert kinds(match.since(told)) == [TurnEnded, PlayMade]

    def test_the_same_numbers_with_dice_that_a_button_left(self) -> None:
        """Black has to throw, and all dice lie far off with the same faces after they were out of view."""
        match = FilmedMatch.with_first_play()
        match.give(EndTurn())
        told = len(match.events)
        match.throw_anew(die_at(3, (300, 100)), die_at(1, (400, 160)))
        asked = asked_in(match.since(told))
        assert (asked.player, asked.unclear) == (BLACK, (Unclear.LIFTED,))

    def test_pushed_aside_where_a_button_left_them(self) -> None:
        """In view all the way, they were not thrown."""
        match = FilmedMatch.with_first_play()
        match.give(EndTurn())
        told = len(match.events)
        for step in range(12):
            match.dice = [replace(die, centre_px=(die.centre_px[0] + 15, die.centre_px[1])) for die in match.dice]
            match.frame(is_moving=step < 11)
        match.rest(3000)
        assert match.since(told) == []


class TestThrowThatWaits:
    """White's play is not told yet when Black throws."""

    def test_its_dice_are_taken_up(self) -> None:
        """That they are gone then ends nobody's turn: Black has not played yet."""
        match = _with_throw_that_waits()
        match.lift()
        match.hidden = frozenset()
        match.rest(3000)
        assert [one.player for one in match.told(PlayMade)] == [WHITE]
        assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, BLACK)
        match.rest(3000)
        assert not match.told(PlayRefused)
        assert match.state.phase is Phase.PLAYING

    def test_others_are_thrown(self) -> None:
        """Which of them counts, somebody has to say."""
        match = _with_throw_that_waits()
        match.lift()
        match.throw(5, 2)
        match.hidden = frozenset()
        match.rest(3000)
        asked = match.told(ThrowUnclear)[-1]
        assert (asked.player, asked.unclear, asked.values) == (BLACK, (Unclear.LIFTED,), (5, 2))
        assert (6, 4) not in [one.values for one in match.told(DiceRolled)]

    def test_it_stays(self) -> None:
        """Then it counts."""
        match = _with_throw_that_waits()
        match.hidden = frozenset()
        match.rest(3000)
        assert match.told(DiceRolled)[-1].values == (6, 4)
        match.put(moved(match.position, BLACK, *BY_BLACK))
        match.lift()
        assert [one.player for one in match.told(PlayMade)] == [WHITE, BLACK]


def _with_throw_that_waits() -> RefereedMatch:
    """Black's 6-4, while most of the board is hidden."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    match.hidden = frozenset(Place(f"{row}{number}") for row in "BT" for number in range(3, 11))
    match.lift()
    match.throw(6, 4)
    assert match.state.seen.next_throw is not None
    return match


class TestLaidBesideTheBoard:
    def test_both_end_the_turn(self) -> None:
        """As if they were taken up: they are no throw, nor is the next one early."""
        match = FilmedMatch.with_black_to_throw()
        match.throw(*SIX_FOUR)
        match.play(BLACK, *BY_BLACK)
        told = len(match.events)
        match.with_hand(400)
        match.dice = [die_at(6, (1000, 100), OFF), die_at(4, (1040, 150), OFF)]
        match.with_hand(200)
        match.rest(3000)
        assert kinds(match.since(told)) == [TurnEnded, PlayMade]
        match.throw(die_at(2, (700, 300)), die_at(1, (800, 350)), rest_ms=3000)
        assert kinds(match.since(told)) == [TurnEnded, PlayMade, DiceRolled]

    def test_one_may_have_been_pushed_off(self) -> None:
        match = FilmedMatch.with_black_to_throw()
        match.throw(*SIX_FOUR)
        match.play(BLACK, *BY_BLACK)
        told = len(match.events)
        match.with_hand(400)
        match.dice = [die_at(6, (1000, 100), OFF), SIX_FOUR[1]]
        match.with_hand(200)
        match.rest(3000)
        assert match.since(told) == []

    def test_and_thrown_again_from_there(self) -> None:
        """By the other player, who takes them up where they lie."""
        match = FilmedMatch.with_black_to_throw()
        match.with_hand(200)
        match.dice = list(PAIR_BESIDE)
        match.with_hand(200)
        match.rest(3000)
        told = len(match.events)
        match.throw_anew(*SIX_FOUR)
        (rolled,) = match.since(told)
        assert isinstance(rolled, DiceRolled)
        assert (rolled.player, rolled.values) == (BLACK, (6, 4))


class TestOpening:
    def test_the_other_die_of_the_pair_lies_beside_the_board(self) -> None:
        """Each player uses one of his two: the spare one is none of the throw."""
        match = FilmedMatch.begun()
        match.with_hand(200)
        match.dice = [PAIR_BESIDE[0]]
        match.with_hand(200)
        match.rest(3000)
        match.throw(WHITES, rest_ms=2000)
        match.throw(BLACKS, rest_ms=3000)
        assert _openings(match) == [(3, 4)]

    def test_one_is_thrown_again_with_the_same_face(self) -> None:
        """After equal dice; far off from where it lay it may be thrown or pushed: somebody has to say."""
        match = FilmedMatch.begun()
        first, second = die_at(4, (700, 300)), die_at(4, (200, 320))
        match.throw(first, second)
        told = len(match.events)
        match.take(first)
        match.throw(die_at(4, (900, 420)), rest_ms=2500)
        match.take(second)
        match.throw(die_at(2, (400, 100)), rest_ms=3000)
        assert asked_in(match.since(told)).unclear == (Unclear.VALUE,)

    def test_the_first_one_is_missed_for_a_while(self) -> None:
        """It lies there again, and waits for the other one as it did."""
        match = FilmedMatch.begun()
        match.throw(WHITES, rest_ms=1500)
        match.dice = []
        match.rest(2500)
        match.dice = [WHITES]
        match.rest(1500)
        match.throw(BLACKS, rest_ms=3000)
        assert _openings(match) == [(3, 4)]


def _openings(match: FilmedMatch) -> list[tuple[int, int]]:
    return [(event.white, event.black) for event in match.events if isinstance(event, OpeningThrown)]


def test_a_die_whose_lie_nobody_can_tell_lies_there_all_the_same() -> None:
    """Surely a die and as large as those that lie there, it is no ghost: a throw of three is none of two."""
    match = FilmedMatch.with_black_to_throw()
    unknown = replace(die_at(2, (800, 600)), lie_confidence=0.3, lie_chances=(0.3, 0.2, 0.2, 0.1, 0.1, 0.1))
    match.throw(*SIX_FOUR, unknown, rest_ms=3000)
    assert DiceRolled not in kinds(match.events[-1:])


class TestThrownTogether:
    """A house rule: both dice leave the hand at once. Black has to throw."""

    @staticmethod
    def match() -> FilmedMatch:
        rules = replace(ruleset_named("backgammon"), dice_together=True)
        return FilmedMatch.with_black_to_throw(rules=rules)

    def test_one_after_the_other(self) -> None:
        match = self.match()
        told = len(match.events)
        match.throw(SIX_FOUR[0], rest_ms=1800)
        match.throw(SIX_FOUR[1])
        (refused,) = match.since(told)
        assert isinstance(refused, ThrowRefused)
        assert refused.reasons == (BadThrow.NOT_TOGETHER,)

    def test_one_that_was_overlooked(self) -> None:
        """Nothing moved before it was told: it lay there all the time."""
        match = self.match()
        told = len(match.events)
        match.throw(*SIX_FOUR, rest_ms=0)
        for _ in range(30):
            match.frame(shown=SIX_FOUR[:1])
        match.rest(1500)
        assert Unclear.TOGETHER in asked_in(match.since(told)).unclear

    def test_together(self) -> None:
        match = self.match()
        told = len(match.events)
        match.throw(*SIX_FOUR)
        assert kinds(match.since(told)) == [DiceRolled]
