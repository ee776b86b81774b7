"""Dice from frame to ruling where both players use the same pair, and throw again at once."""

from dataclasses import replace

from controller.match import events
from controller.match.commands import ChoosePlay, DropDouble, EndTurn, NextGame, OfferDouble, TakeBackPlay, WithdrawRoll
from controller.match.officiating import PROFILES
from controller.refereeing.state import Phase
from controller.rules import BadThrow, Unclear, get_ruleset, position_text, start_position
from tests.controller.refereeing.filmed_dice import FilmedMatch, die_at
from tests.controller.refereeing.refereed_match import BLACK, WHITE, RefereedMatch, die_reading, moved, opened, table_of
from tests.controller.refereeing.test_filmed_dice import BLACKS, BY_BLACK, SIX_FOUR, WHITES
from vision.dice.readings import BoardHalf, DieReading
from vision.dice_tracking.events import DiceEvent, DiceLifted, DieMoved, DieTurned
from vision.places import Place

# Black is on the bar and enters with an ace only; White has much to play.
ACE_POINT_OPEN = "00222222210000000000000000/e0000000000000000000000001"
START = position_text(start_position(get_ruleset("backgammon")))
MOST_PLACES = frozenset(Place(f"{row}{number}") for row in "BT" for number in range(3, 11))
SIX_FOUR_ELSEWHERE = die_at(6, (800, 150)), die_at(4, (900, 220))


def is_asked_and_not_refused(match: FilmedMatch) -> bool:
    """Whether the play is asked about, and nobody is accused of it."""
    return events.PlayUnclear in match.kinds() and events.PlayRefused not in match.kinds()


def _elsewhere(*values: int) -> list[DieReading]:
    return [die_at(value, (750 + 100 * number, 160)) for number, value in enumerate(values)]


class TestTheSamePairForBoth:
    def test_thrown_by_the_other_player_after_a_dance(self) -> None:
        """The dice may also have been put down for him: White's play is a question, and no offence of Black's."""
        match = FilmedMatch.begun(start=ACE_POINT_OPEN, on_turn=BLACK)
        match.throw(*SIX_FOUR)
        assert events.PassForced in map(type, match.events)
        match.mark()
        match.throw_anew(*_elsewhere(2, 1))
        assert match.kinds() == [events.DieTurnedOver, events.DieTurnedOver]
        match.play(WHITE, (9, 8), (8, 6))
        match.lift(rest_ms=6000)
        assert is_asked_and_not_refused(match)

    def test_the_same_numbers_after_a_play(self) -> None:
        """The dice look as if they were pushed: people are asked about the next player's play."""
        match = FilmedMatch.with_black_played(*BY_BLACK)
        match.throw_anew(*SIX_FOUR_ELSEWHERE)
        match.play(WHITE, (24, 18), (13, 9))
        match.lift(rest_ms=6000)
        assert is_asked_and_not_refused(match)

    def test_pushed_in_the_midst_of_a_turn(self) -> None:
        """Nothing was played yet: the play that follows is judged as usual."""
        match = FilmedMatch.with_black_to_throw()
        match.throw(*SIX_FOUR)
        match.throw_anew(*SIX_FOUR_ELSEWHERE)
        match.play(BLACK, *BY_BLACK)
        match.mark()
        match.lift(rest_ms=3000)
        assert match.kinds() == [events.TurnEnded, events.PlayMade]

    def test_the_same_numbers_with_dice_that_a_button_left(self) -> None:
        """Black has to throw; the dice were out of view, and lie far off with the same faces."""
        match = FilmedMatch.with_first_play()
        match.give(EndTurn())
        match.mark()
        match.throw_anew(die_at(3, (300, 100)), die_at(1, (400, 160)))
        asked = match.only(events.ThrowUnclear)
        assert (asked.player, asked.unclear) == (BLACK, (Unclear.LIFTED,))

    def test_pushed_aside_where_a_button_left_them(self) -> None:
        """The dice were in view all the way, so they were not thrown."""
        match = FilmedMatch.with_first_play()
        match.give(EndTurn())
        match.mark()
        for step in range(12):
            match.dice = [replace(die, centre_px=(die.centre_px[0] + 15, die.centre_px[1])) for die in match.dice]
            match.frame(is_moving=step < 11)
        match.rest(3000)
        assert match.news() == []


class TestThrowThatWaits:
    """White's play is not judged yet when Black throws."""

    def test_its_dice_are_taken_up(self) -> None:
        """This ends no turn, because Black has not played yet."""
        match = _with_throw_that_waits()
        match.lift()
        match.reveal(rest_ms=3000)
        assert [one.player for one in match.emitted(events.PlayMade)] == [WHITE]
        assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, BLACK)
        match.rest(3000)
        assert not match.emitted(events.PlayRefused)
        assert match.state.phase is Phase.PLAYING

    def test_a_dance_whose_dice_are_taken_up(self) -> None:
        """There is nothing to play, so the turn is over."""
        match = RefereedMatch.begun(table_of("backgammon", start=ACE_POINT_OPEN, on_turn=WHITE))
        match.throw(2, 1)
        match.put(moved(match.position, WHITE, (9, 8), (8, 6)))
        match.hidden = MOST_PLACES
        match.lift()
        match.throw(6, 4)
        match.lift()
        match.reveal(rest_ms=3000)
        assert [(one.player, one.play) for one in match.emitted(events.PlayMade)] == [(WHITE, "9/6"), (BLACK, "pass")]
        assert (match.state.phase, match.state.on_turn) == (Phase.AWAIT_ROLL, WHITE)

    def test_it_is_played_and_its_dice_are_taken_up_before_the_verdict(self) -> None:
        """No dice lie there when the board is read, which shows both plays."""
        match = _with_throw_that_waits()
        match.rest(4500)
        match.lift()
        match.position = moved(match.position, BLACK, *BY_BLACK)
        match.rest(2000)
        match.give(ChoosePlay(moved(START, WHITE, (8, 5), (6, 5))))
        match.reveal(rest_ms=6000)
        assert [one.player for one in match.emitted(events.PlayMade)] == [WHITE, BLACK]
        assert (match.state.phase, match.state.on_turn) == (Phase.AWAIT_ROLL, WHITE)

    def test_its_dice_are_thrown_anew(self) -> None:
        """Nobody saw them leave: people are asked which throw counts."""
        match = _with_throw_that_waits()
        ways: list[DiceEvent] = []
        for die, value in zip(match.dice, (5, 2), strict=True):
            now = replace(die_reading(value), centre_px=(900.0, 100.0 * value))
            ways.append(DieMoved(die, die.reading.centre_px, now, match.now_ms, was_gone=True))
            ways.append(DieTurned(die, die.value, value, match.now_ms))
        match.frame(is_moving=True)
        match.frame(*ways)
        match.reveal(rest_ms=3000)
        assert match.emitted(events.ThrowUnclear)[-1].values == (5, 2)
        assert [one.values for one in match.emitted(events.DiceRolled)] == [(3, 1)]

    def test_one_that_stands_though_it_came_early(self) -> None:
        """Its dice were taken up before White had finished: Black has not played yet."""
        match = opened()
        match.table = replace(match.table, profile=PROFILES["us2008"])
        own = match.dice
        match.throw(6, 4, halves=(BoardHalf.LEFT,) * 2)
        early, match.dice = match.dice[2:], own
        match.frame(DiceLifted(early, own, match.now_ms))
        match.play(WHITE, (8, 5), (6, 5), rest_ms=6000)
        assert not match.emitted(events.PlayRefused)
        assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, BLACK)

    def test_taken_back_with_the_play_before(self) -> None:
        """White plays again; his dice are his own, whatever was known of Black's."""
        match = _with_throw_that_waits()
        match.lift()
        match.reveal(rest_ms=3000)
        match.give(WithdrawRoll())
        match.give(TakeBackPlay())
        count = len(match.events)
        match.throw(3, 1)
        assert match.events[count:] == ()
        assert len(match.state.seen.dice.own) == 2

    def test_its_dice_are_taken_up_and_the_next_player_throws_the_same(self) -> None:
        """They are not the first player's dice, which nobody saw again."""
        match = _with_throw_that_waits()
        match.lift()
        match.reveal(rest_ms=3000)
        match.put(moved(match.position, BLACK, *BY_BLACK), rest_ms=1000)
        match.throw(6, 4, rest_ms=3000)
        assert [(one.player, one.values) for one in match.emitted(events.DiceRolled)][1:] == [
            (BLACK, (6, 4)),
            (WHITE, (6, 4)),
        ]

    def test_its_dice_had_only_been_hidden(self) -> None:
        """They are found again, and lifting them ends the turn."""
        match = _with_throw_that_waits()
        dice = match.dice
        match.lift()
        match.reveal(rest_ms=3000)
        match.find(dice)
        match.play(BLACK, *BY_BLACK, rest_ms=3000)
        assert [one.player for one in match.emitted(events.PlayMade)] == [WHITE, BLACK]

    def test_others_are_thrown(self) -> None:
        """People are asked which throw counts."""
        match = _with_throw_that_waits()
        match.lift()
        match.throw(5, 2)
        match.reveal(rest_ms=3000)
        asked = match.emitted(events.ThrowUnclear)[-1]
        assert (asked.player, asked.unclear, asked.values) == (BLACK, (Unclear.LIFTED,), (5, 2))
        assert (6, 4) not in [one.values for one in match.emitted(events.DiceRolled)]

    def test_it_stays(self) -> None:
        match = _with_throw_that_waits()
        match.reveal(rest_ms=3000)
        assert match.emitted(events.DiceRolled)[-1].values == (6, 4)
        match.play(BLACK, *BY_BLACK)
        assert [one.player for one in match.emitted(events.PlayMade)] == [WHITE, BLACK]


def _with_throw_that_waits() -> RefereedMatch:
    """Black has thrown 6-4 while most of the board is hidden."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    match.hidden = MOST_PLACES
    match.lift()
    match.throw(6, 4)
    assert match.state.seen.throws.waiting is not None
    return match


class TestOpening:
    def test_one_is_thrown_again_with_the_same_face(self) -> None:
        """The dice were equal; the far-off die may have been thrown or pushed, so people are asked."""
        match = FilmedMatch.begun()
        first, second = die_at(4, (700, 300)), die_at(4, (200, 320))
        match.throw(first, second)
        match.mark()
        match.take(first)
        match.throw(die_at(4, (900, 420)), rest_ms=2500)
        match.take(second)
        match.throw(die_at(2, (400, 100)), rest_ms=3000)
        assert match.only(events.ThrowUnclear).unclear == (Unclear.VALUE,)

    def test_the_first_one_is_missed_for_a_while(self) -> None:
        """It is found again, and still waits for the second die."""
        match = FilmedMatch.begun()
        match.throw(WHITES, rest_ms=1500)
        match.dice = []
        match.rest(2500)
        match.dice = [WHITES]
        match.rest(1500)
        match.throw(BLACKS, rest_ms=3000)
        assert openings(match) == [(3, 4)]

    def test_dice_of_the_last_game_that_were_hidden(self) -> None:
        """Nobody threw: a die that is found again is part of a throw only if it waited."""
        match = FilmedMatch.with_first_play()
        for command in (EndTurn(), OfferDouble(BLACK), DropDouble(WHITE)):
            match.give(command)
        match.position = match.table.start_text
        match.give(NextGame())
        match.mark()
        for lying in ([], match.dice):
            match.dice = [*lying]
            match.rest(2500)
        assert match.news() == []


def openings(match: FilmedMatch) -> list[tuple[int, int]]:
    return [(event.white, event.black) for event in match.events if isinstance(event, events.OpeningThrown)]


def test_a_die_whose_lie_nobody_can_tell_lies_there_all_the_same() -> None:
    """It is surely a die and as large as the others: a throw of three dice is no throw of two."""
    match = FilmedMatch.with_black_to_throw()
    unknown = replace(die_at(2, (800, 600)), lie_confidence=0.3, lie_chances=(0.3, 0.2, 0.2, 0.1, 0.1, 0.1))
    match.throw(*SIX_FOUR, unknown, rest_ms=3000)
    assert events.DiceRolled not in map(type, match.events[-1:])


class TestThrownTogether:
    """A house rule: both dice leave the hand at once. Black has to throw."""

    @staticmethod
    def match() -> FilmedMatch:
        rules = replace(get_ruleset("backgammon"), dice_together=True)
        return FilmedMatch.with_black_to_throw(rules=rules)

    def test_one_after_the_other(self) -> None:
        match = self.match()
        match.throw(SIX_FOUR[0], rest_ms=1800)
        match.throw(SIX_FOUR[1])
        assert match.only(events.ThrowRefused).reasons == (BadThrow.NOT_TOGETHER,)

    def test_one_that_was_overlooked(self) -> None:
        """Nothing moved before it was reported: it lay there all the time."""
        match = self.match()
        match.throw(*SIX_FOUR, rest_ms=0)
        for _ in range(30):
            match.frame(shown=SIX_FOUR[:1])
        match.rest(1500)
        assert Unclear.TOGETHER in match.only(events.ThrowUnclear).unclear

    def test_together(self) -> None:
        match = self.match()
        match.throw(*SIX_FOUR)
        assert match.kinds() == [events.DiceRolled]
