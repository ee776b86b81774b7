"""A match in pictures seconds apart: dice are overlooked, throws are missed, and nobody can be asked."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from controller.match.events import (
    BoardCorrected,
    DiceRolled,
    Evidence,
    PassForced,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    RollWithdrawn,
    ThrowRefused,
    ThrowUnclear,
)
from controller.match.seating import PictureEdge, Seating
from controller.match_log import TurnLine, TurnRuling, turn_lines
from controller.refereeing.match_config import GameStart, MatchConfig
from controller.refereeing.referee import replay_events, without_perception
from controller.rules import BadThrow, Player, Position, position_text
from controller.session.transcribing import with_no_patience
from tests.controller.refereeing.still_games import Picture, Seeing, observations, refereed, ruled, shown
from tests.controller.rules.boards import board, game
from tests.controller.rules.strategies import TurnPlayed, random_game
from tests.vision.dice_tracking.dice_films import die
from vision.dice.readings import DieReading, DieState

pytestmark = pytest.mark.broad

BACKGAMMON = game("backgammon")
BEGIN = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")
PLAYED_31 = board(BACKGAMMON, "24:2 13:5 8:2 6:4 5:2", "24:2 13:5 8:3 6:5")
PLAYED_65 = board(BACKGAMMON, "24:1 13:6 8:3 6:5", "24:2 13:5 8:3 6:5")
ANSWERED_42 = board(BACKGAMMON, "24:1 13:6 8:3 6:5", "24:2 13:5 8:2 6:4 4:2")
THREE, ONE = die(3, (60.0, 60.0)), die(1, (150.0, 250.0))
FOUR, TWO = die(4, (320.0, 40.0)), die(2, (420.0, 280.0))
UNSURE_LIE = die(1, (150.0, 250.0), confidence=0.4)
BLURRED = die(1, (150.0, 250.0), odds=1.0)
NONE: tuple[DieReading, ...] = ()


def emitted_by(*pictures: Picture, start: Position = BEGIN, on_turn: Player = Player.WHITE) -> tuple[RefereeEvent, ...]:
    """The events of these pictures after a picture of the start without dice."""
    table = MatchConfig(
        game="backgammon",
        rules=BACKGAMMON,
        seating=Seating(),
        start=GameStart(position_text(start), on_turn, rolls_before=1),
    )
    return ruled(shown([(start, NONE), *pictures], BACKGAMMON, Seating()), with_no_patience(table))


def of_type(events: Sequence[RefereeEvent], *kinds: type) -> list[RefereeEvent]:
    return [event for event in events if isinstance(event, kinds)]


def rolls(events: Sequence[RefereeEvent]) -> list[tuple[Player, tuple[int, int], Evidence]]:
    return [(event.player, event.values, event.evidence) for event in events if isinstance(event, DiceRolled)]


class TestDice:
    def test_one_die_is_no_missing_die(self) -> None:
        """The second die may have been overlooked, so the throw is unclear; a certain fault still refuses it."""
        (unclear,) = of_type(emitted_by((BEGIN, (THREE,))), ThrowRefused, ThrowUnclear)
        assert isinstance(unclear, ThrowUnclear)
        on_checker = die(3, lies=DieState.ON_CHECKER, confidence=0.99)
        (refused,) = of_type(emitted_by((BEGIN, (on_checker,))), ThrowRefused, ThrowUnclear)
        assert isinstance(refused, ThrowRefused)
        assert refused.reasons == (BadThrow.ON_CHECKER,)

    def test_the_second_die_found_later(self) -> None:
        """Both dice together are the throw, seen like any other."""
        assert rolls(emitted_by((BEGIN, (THREE,)), (BEGIN, (THREE, ONE)))) == [(Player.WHITE, (3, 1), Evidence.SEEN)]

    def test_a_later_picture_tells_more(self) -> None:
        """A die whose lie was in doubt is seen to lie flat: readings of the same die are fused."""
        sure = die(1, (150.0, 250.0), confidence=1.0)
        events = emitted_by((BEGIN, (THREE, die(1, (150.0, 250.0), confidence=0.91))), *[(BEGIN, (THREE, sure))] * 3)
        assert rolls(events) == [(Player.WHITE, (3, 1), Evidence.SEEN)]

    def test_dice_out_of_sight_before_anything_was_played(self) -> None:
        """The dice were hidden; nobody is accused of having played nothing."""
        events = emitted_by((BEGIN, (THREE, ONE)), (BEGIN, NONE), (BEGIN, (THREE, ONE)), (PLAYED_31, (THREE, ONE)))
        assert not of_type(events, PlayRefused)

    def test_dice_thrown_again_before_anything_was_played(self) -> None:
        """The first roll did not count; the second is the player's."""
        events = emitted_by((BEGIN, (FOUR, TWO)), (BEGIN, (THREE, ONE)), (PLAYED_31, (THREE, ONE)), (PLAYED_31, NONE))
        assert of_type(events, RollWithdrawn)
        assert [(one.play, one.numbers) for one in of_type(events, PlayMade) if isinstance(one, PlayMade)] == [
            ("8/5 6/5", (3, 1))
        ]


class TestInferring:
    @pytest.mark.parametrize(
        "dice", [(THREE, UNSURE_LIE), (THREE, BLURRED), (THREE,)], ids=["lie", "face", "one overlooked"]
    )
    def test_the_play_tells_the_roll(self, dice: tuple[DieReading, ...]) -> None:
        """Only one roll that the dice may show leads to the board; the log says that it was inferred."""
        events = emitted_by((BEGIN, dice), (PLAYED_31, dice), (PLAYED_31, NONE))
        assert rolls(events) == [(Player.WHITE, (3, 1), Evidence.INFERRED)]
        (made,) = (event for event in events if isinstance(event, PlayMade))
        assert (made.play, made.evidence) == ("8/5 6/5", Evidence.INFERRED)

    def test_not_before_the_turn_is_over(self) -> None:
        """While the dice lie there, checkers may still be moved."""
        half = board(BACKGAMMON, "24:2 13:5 8:2 6:5 5:1", "24:2 13:5 8:3 6:5")
        assert not rolls(emitted_by((BEGIN, (THREE,)), (half, (THREE,)), (half, (THREE,)), (PLAYED_31, (THREE,))))

    def test_never_against_what_was_seen_clearly(self) -> None:
        """A four and a doubtful two lay there, and no play with them leads to this board."""
        doubtful = die(2, (420.0, 280.0), confidence=0.4)
        events = emitted_by((BEGIN, (FOUR, doubtful)), (PLAYED_31, (FOUR, doubtful)), *[(PLAYED_31, NONE)] * 2)
        assert not rolls(events)
        assert of_type(events, PlayUnclear)

    def test_two_rolls_explain_the_board(self) -> None:
        """13/8 is 4-1 or 3-2: the turn stays unclear, and the game goes on from the board to which both lead."""
        five_on = board(BACKGAMMON, "24:2 13:4 8:4 6:5", "24:2 13:5 8:3 6:5")
        then = board(BACKGAMMON, "24:2 13:4 8:4 6:5", "24:2 13:5 8:2 6:4 4:2")
        events = emitted_by(*[(five_on, NONE)] * 2, (five_on, (FOUR, TWO)), (then, (FOUR, TWO)), (then, NONE))
        assert [(line.player, line.ruling, line.roll) for line in turn_lines(events)] == [
            (Player.WHITE, TurnRuling.UNSURE, ()),
            (Player.BLACK, TurnRuling.LEGAL, (4, 2)),
        ]
        (corrected,) = (event for event in events if isinstance(event, BoardCorrected))
        assert (corrected.position, corrected.on_turn) == (position_text(five_on), Player.BLACK)

    def test_a_throw_that_nobody_saw(self) -> None:
        """Two pictures in a row have to show the board; one alone may have caught a hand at work."""
        assert not rolls(emitted_by((PLAYED_65, NONE)))
        assert not of_type(emitted_by((PLAYED_65, NONE), (BEGIN, NONE)), PlayUnclear, PlayMade)
        assert rolls(emitted_by(*[(PLAYED_65, NONE)] * 2)) == [(Player.WHITE, (6, 5), Evidence.INFERRED)]

    def test_the_next_throw_ends_an_unseen_turn(self) -> None:
        """The board was seen once before the other player's dice lay there."""
        events = emitted_by(
            (PLAYED_65, NONE), (PLAYED_65, (FOUR, TWO)), (ANSWERED_42, (FOUR, TWO)), (ANSWERED_42, NONE)
        )
        assert rolls(events) == [
            (Player.WHITE, (6, 5), Evidence.INFERRED),
            (Player.BLACK, (4, 2), Evidence.SEEN),
        ]

    def test_dice_first_seen_with_the_board_they_led_to(self) -> None:
        """The dice belong to this play, not to the next one."""
        events = emitted_by((PLAYED_31, (THREE, ONE)), (PLAYED_31, NONE))
        assert rolls(events) == [(Player.WHITE, (3, 1), Evidence.SEEN)]

    def test_dice_lifted_before_anything_was_played_tell_nothing_later(self) -> None:
        """The throw was made again: the first dice are not held against the play."""
        doubtful = die(2, (420.0, 280.0), confidence=0.4)
        events = emitted_by((BEGIN, (FOUR, doubtful)), (BEGIN, NONE), *[(PLAYED_65, NONE)] * 2)
        assert rolls(events) == [(Player.WHITE, (6, 5), Evidence.INFERRED)]

    def test_dice_that_were_hidden_for_a_picture(self) -> None:
        """Both 4-1 and 3-2 explain the board; the four was seen."""
        five_on = board(BACKGAMMON, "24:2 13:4 8:4 6:5", "24:2 13:5 8:3 6:5")
        events = emitted_by((BEGIN, (FOUR,)), (BEGIN, NONE), *[(five_on, NONE)] * 2)
        assert rolls(events) == [(Player.WHITE, (4, 1), Evidence.INFERRED)]

    def test_people_are_asked_where_they_watch(self) -> None:
        """From the same pictures of a watched table nothing is inferred."""
        table = MatchConfig(
            game="backgammon",
            rules=BACKGAMMON,
            seating=Seating(),
            start=GameStart(position_text(BEGIN), Player.WHITE, rolls_before=1),
        )
        pictures = [(BEGIN, NONE), (BEGIN, (THREE, UNSURE_LIE)), *[(PLAYED_31, NONE)] * 400]
        assert not rolls(ruled(shown(pictures, BACKGAMMON, Seating()), table))


class TestPasses:
    SHUT = board(BACKGAMMON, "6:3 5:3 4:3 3:3 2:2 13:1", "bar:1 13:5 8:3 6:5 24:1")

    def test_a_pass_that_nobody_saw(self) -> None:
        """Black may have thrown two sixes; the next roll and the play are White's, so nobody broke a rule."""
        after = board(BACKGAMMON, "6:3 5:3 4:3 3:3 2:2 7:1", "bar:1 13:5 8:3 6:5 24:1")
        dice = (die(5, (60.0, 60.0)), ONE)
        events = emitted_by((self.SHUT, dice), (after, dice), (after, NONE), start=self.SHUT, on_turn=Player.BLACK)
        assert not of_type(events, PlayRefused)
        assert of_type(events, PassForced)
        (played,) = (event for event in events if isinstance(event, PlayMade) and event.numbers)
        assert (played.player, played.numbers) == (Player.WHITE, (5, 1))

    def test_what_was_thrown_for_a_pass(self) -> None:
        """Two sixes lay there, one of them doubtful: once the other player has played, they count."""
        after = board(BACKGAMMON, "6:3 5:3 4:3 3:3 2:2 7:1", "bar:1 13:5 8:3 6:5 24:1")
        sixes = (die(6, (320.0, 40.0)), die(6, (420.0, 280.0), confidence=0.4))
        dice = (die(5, (60.0, 60.0)), ONE)
        pictures = [(self.SHUT, sixes), (self.SHUT, NONE), (self.SHUT, dice), (after, dice), (after, NONE)]
        events = emitted_by(*pictures, start=self.SHUT, on_turn=Player.BLACK)
        assert [(line.player, line.roll, line.play) for line in turn_lines(events)] == [
            (Player.BLACK, (6, 6), "pass"),
            (Player.WHITE, (5, 1), "13/7"),
        ]


def seated(number: int) -> Seating:
    return Seating(edge=list(PictureEdge)[number % 2], mirrored=number % 4 > 1)


def of_one_stage(turns: Sequence[TurnPlayed]) -> bool:
    return all(len(turn.turn.throws) == 1 and len(turn.turn.throws[0].stages) == 1 for turn in turns)


@pytest.mark.parametrize("name", ["backgammon", "long_nardy"])
@pytest.mark.parametrize("first", [0, 14], ids=["start", "middle"])
@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 20))])
def test_dice_that_are_seen_badly_lead_to_no_wrong_ruling(name: str, first: int, seed: int) -> None:
    """Random games with dice overlooked or in doubt: no roll and no board that was not there, and nobody is accused."""
    rules, turns = game(name), random_game(game(name), seed)[first : first + 5]
    assert of_one_stage(turns)
    seating = Seating(seated(seed).white_plays, seated(seed).edge, seated(seed).mirrored, rules.white_head)
    seeing = Seeing(overlooked=0.2, lie_in_doubt=0.3, face_in_doubt=0.2, bad_throws=0.3)
    table, events = refereed(list(observations(turns, rules, seating, seeing, seed)), name, rules)
    truth = {_truth(turn) for turn in turns}
    ruled_on = [line for line in turn_lines(events) if line.ruling is not TurnRuling.UNSURE and line.roll]
    assert [line for line in ruled_on if _said(line) not in truth] == []
    assert table.seating == seating
    assert without_perception(replay_events(events)) == replay_events(events)


def _truth(turn: TurnPlayed) -> tuple[Player, tuple[int, ...], str]:
    numbers = turn.turn.throws[0].stages[0]
    return turn.mover, (numbers[0], numbers[1]), position_text(turn.after)


def _said(line: TurnLine) -> tuple[Player, tuple[int, ...], str | None]:
    return line.player, line.roll, line.after


BEGINS_THROWN = MatchConfig(
    game="backgammon",
    rules=BACKGAMMON,
    seating=Seating(),
    start=GameStart(position_text(BEGIN), Player.WHITE, rolls_before=1, is_thrown=True),
)


class TestDiceInTheFirstPicture:
    """A recording may begin after a throw; the position and the player on turn are told."""

    def test_are_the_throw(self) -> None:
        pictures: list[Picture] = [(BEGIN, (THREE, ONE)), (BEGIN, (THREE, ONE)), (PLAYED_31, NONE)]
        events = ruled(shown(pictures, BACKGAMMON, Seating()), with_no_patience(BEGINS_THROWN))
        (rolled,), (played,) = of_type(events, DiceRolled), of_type(events, PlayMade)
        assert isinstance(rolled, DiceRolled)
        assert (rolled.values, rolled.evidence) == ((3, 1), Evidence.SEEN)
        assert isinstance(played, PlayMade)
        assert played.after == position_text(PLAYED_31)

    @pytest.mark.parametrize("dice", [(THREE,), (THREE, BLURRED), (THREE, ONE, FOUR)], ids=["one", "unread", "three"])
    def test_mean_nothing_where_they_are_no_readable_throw(self, dice: tuple[DieReading, ...]) -> None:
        events = ruled(shown([(BEGIN, dice)], BACKGAMMON, Seating()), with_no_patience(BEGINS_THROWN))
        assert not of_type(events, DiceRolled, ThrowUnclear, ThrowRefused)

    def test_mean_nothing_where_nobody_says_that_they_may(self) -> None:
        """At a table, dice may lie there from the game before."""
        table = replace(BEGINS_THROWN, start=replace(BEGINS_THROWN.start, is_thrown=False))
        events = ruled(shown([(BEGIN, (THREE, ONE))], BACKGAMMON, Seating()), with_no_patience(table))
        assert not of_type(events, DiceRolled)
