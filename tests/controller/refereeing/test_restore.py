"""A board that differs from the log: the referee sees when it is right again, and people can always go on."""

import pytest

from controller.lights.state_lights import select_signs
from controller.lights.vocabulary import Meaning
from controller.match import commands, events
from controller.refereeing.state import Phase
from controller.rules import Player, ResultKind
from tests.controller.refereeing.refereed_match import (
    BLACK,
    WHITE,
    RefereedMatch,
    moved,
    opened,
    table_of,
    to_throw,
)
from vision.dice.readings import BoardHalf
from vision.places import Place

# White's last checkers are gone, Black has borne off one.
WON = "f0000000000000000000000000/1e000000000000000000000000"


def differing() -> RefereedMatch:
    """One of White's checkers was pushed from his five point to his four point."""
    match = to_throw()
    match.put(moved(match.position, WHITE, (5, 4)), rest_ms=3000)
    assert match.is_in(Phase.RESTORE)
    return match


def stuck() -> RefereedMatch:
    """White's play was illegal, and Black has thrown after it; one of Black's checkers has been overlooked since."""
    match = opened()
    match.misread = frozenset({(Place.T7, (0, 4))})
    match.play(WHITE, (8, 4), (6, 5), rest_ms=1000)
    match.throw(6, 4, rest_ms=3000)
    assert match.is_in(Phase.RESTORE)
    return match


def lit(match: RefereedMatch) -> dict[Meaning, int]:
    """The number of places at which each meaning is shown."""
    return {sign.meaning: len(sign.places) for sign in select_signs(match.state, match.table, match.now_ms)}


def test_the_lights_say_what_to_move_back_and_it_goes_on_when_that_is_done() -> None:
    """The lights follow each change; nobody has to press anything."""
    match = differing()
    right = match.state.position
    assert lit(match) == {Meaning.EXTRA: 1, Meaning.MISSING: 1}
    match.put(moved(match.position, BLACK, (13, 11)), rest_ms=3000)
    assert lit(match) == {Meaning.EXTRA: 2, Meaning.MISSING: 2}
    match.put(right, rest_ms=600)
    assert match.ends_with(events.BoardAgrees)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_dice_thrown_meanwhile_count_when_the_board_is_right() -> None:
    match = differing()
    match.throw(6, 4)
    assert match.is_in(Phase.RESTORE)
    match.put(match.state.position, rest_ms=600)
    assert match.ends_with(events.BoardAgrees, events.DiceRolled)
    assert match.roll == (6, 4)


def test_dice_that_were_taken_up_before_it_was_right_do_not() -> None:
    """The player throws again."""
    match = differing()
    match.throw(6, 4)
    match.lift()
    match.put(match.state.position, rest_ms=600)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_a_misread_board_is_recognised_by_the_next_play() -> None:
    """The throw was seen, and the board after it is a legal play of that throw: nothing had to be put back."""
    match = differing()
    match.throw(6, 4)
    match.put(moved(match.state.position, BLACK, (24, 18), (18, 14)))
    match.lift(rest_ms=600)
    assert [
        type(event) for event in match.events if type(event) in (events.BoardAgrees, events.DiceRolled, events.PlayMade)
    ][-3:] == [
        events.BoardAgrees,
        events.DiceRolled,
        events.PlayMade,
    ]
    assert (match.state.phase, match.state.on_turn) == (Phase.AWAIT_ROLL, WHITE)


def test_who_says_the_roll_while_the_board_is_wrong_is_not_accused_of_it() -> None:
    """The turn is played from the wrong board; what does not fit may have been wrong before."""
    match = differing()
    match.throw(6, 4)
    match.give(commands.CorrectRoll((6, 4)))
    assert match.is_in(Phase.PLAYING)
    match.play(BLACK, (24, 18), (18, 14), rest_ms=5000)
    assert match.is_in(Phase.UNSURE)
    assert not match.emitted(events.PlayRefused)


def test_an_overruled_difference_is_not_reported_again() -> None:
    """People say that the board is as the log has it, and the camera still sees otherwise: the match goes on."""
    match = differing()
    match.give(commands.CorrectBoard(match.state.position))
    match.rest(5000)
    assert match.is_in(Phase.AWAIT_ROLL)
    match.put(moved(match.position, BLACK, (13, 12)), rest_ms=3000)
    assert match.is_in(Phase.RESTORE)


def test_nobody_is_accused_of_what_the_camera_sees_wrongly() -> None:
    """After people have overruled the camera, a board that no play explains is a question."""
    match = differing()
    match.give(commands.CorrectBoard(match.state.position))
    match.throw(6, 4)
    match.play(BLACK, (24, 18), (18, 14), rest_ms=5000)
    assert match.is_in(Phase.UNSURE)
    assert not match.emitted(events.PlayRefused)


def test_a_camera_that_sees_right_again_is_believed_again() -> None:
    """The same difference is reported from then on."""
    match = differing()
    wrong = match.position
    match.give(commands.CorrectBoard(match.state.position))
    match.put(match.state.position, rest_ms=1000)
    match.put(wrong, rest_ms=3000)
    assert match.is_in(Phase.RESTORE)


def test_a_board_entered_in_set_up_overrules_the_camera() -> None:
    """A place that is misread does not hold up the game."""
    table = table_of("backgammon")
    match = RefereedMatch.begun(table)
    match = RefereedMatch(table, position=moved(table.start_text, WHITE, (6, 5)))
    match.rest(3000)
    assert match.emitted(events.BoardDiffers)
    match.give(commands.CorrectBoard(table.start_text))
    match.rest(5000)
    assert match.is_in(Phase.OPENING)


def doubled_and_cleared() -> tuple[RefereedMatch, str]:
    """Black offered a double, and a checker was moved since; returns the right board too."""
    match = to_throw()
    right = match.position
    match.give(commands.OfferDouble(BLACK))
    match.put(moved(right, WHITE, (5, 4)), rest_ms=3000)
    assert match.is_in(Phase.RESTORE)
    return match, right


@pytest.mark.parametrize("takes", [True, False])
def test_a_double_is_answered_although_the_board_was_cleared_already(takes: bool) -> None:
    """A drop ends the game; a take waits until the board is restored."""
    match, right = doubled_and_cleared()
    match.give(commands.TakeDouble(WHITE) if takes else commands.DropDouble(WHITE))
    assert match.is_in(Phase.RESTORE if takes else Phase.GAME_OVER)
    match.put(right, rest_ms=600)
    assert match.state.cube.value == (2 if takes else 1)
    assert match.is_in(Phase.AWAIT_ROLL if takes else Phase.GAME_OVER)


def test_a_game_is_resigned_although_the_board_was_cleared_already() -> None:
    match = differing()
    match.give(commands.Resign(WHITE, ResultKind.SINGLE))
    match.give(commands.AnswerResignation(BLACK, accept=True))
    assert match.last(events.GameWon).player is BLACK


def test_a_game_that_is_over_on_the_board_that_people_tell_is_over() -> None:
    """The player whose checkers are gone has won."""
    match = differing()
    match.give(commands.CorrectBoard(WON))
    assert (match.last(events.GameWon).player, match.state.phase) == (WHITE, Phase.GAME_OVER)


def test_no_game_begins_from_a_board_on_which_it_is_over() -> None:
    match = RefereedMatch.begun(table_of("backgammon"))
    match.give(commands.CorrectBoard(WON))
    assert match.last(events.CommandRefused).reason.startswith("On this board the game would be over")
    assert match.is_in(Phase.OPENING)


def test_an_illegal_play_stands_when_people_say_what_the_camera_read_wrongly() -> None:
    """The throw after it still lies there and is played next; the misread point is not reported again."""
    match = stuck()
    match.give(commands.CorrectBoard(match.position))
    assert match.ends_with(events.PlayRefused, events.PlayCondoned, events.DiceRolled)
    assert (match.emitted(events.PlayRefused)[-1].after, match.state.position) == (match.position, match.position)
    match.rest(3000)
    assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, BLACK)
    match.play(BLACK, (24, 14), rest_ms=3000)
    assert match.last(events.PlayMade).after == match.position


def test_a_throw_that_was_lifted_meanwhile_is_not_played_from_the_board_that_people_tell() -> None:
    """A player may take up his dice while the board is put right."""
    match = stuck()
    match.lift(rest_ms=600)
    match.give(commands.CorrectBoard(match.position))
    assert match.ends_with(events.PlayRefused, events.PlayCondoned)
    assert (match.state.phase, match.state.on_turn) == (Phase.AWAIT_ROLL, BLACK)


def test_a_board_that_nobody_can_play_from_is_not_taken_over() -> None:
    """The log keeps the board before."""
    match = stuck()
    match.give(commands.CorrectBoard(moved(match.position, BLACK, (6, 0), (8, 7))[:-1] + "3"))
    assert match.is_in(Phase.RESTORE)
    assert match.ends_with(events.CommandRefused)


@pytest.mark.parametrize("player", [WHITE, BLACK])
def test_a_game_that_went_on_unseen_goes_on_from_the_board_and_the_player_that_people_tell(player: Player) -> None:
    """Without the player nobody knows who throws next; with the player, no earlier play is held against anybody."""
    match = stuck()
    match.play(BLACK, (24, 14), rest_ms=3000)
    match.give(commands.CorrectBoard(match.position))
    assert match.last(events.CommandRefused).reason.endswith("say who throws next as well.")
    match.give(commands.CorrectBoard(match.position, player))
    match.rest(3000)
    assert (match.state.phase, match.state.on_turn, match.state.questions.refused) == (Phase.AWAIT_ROLL, player, None)
    match.throw(5, 2)
    assert match.last(events.DiceRolled).player is player


def test_a_play_that_was_undone_is_played_anew_though_one_point_is_misread() -> None:
    """People say that the board is as it was before the play: nobody loses his turn."""
    match = stuck()
    match.put(match.state.position, rest_ms=2000)
    assert match.is_in(Phase.RESTORE)
    match.give(commands.CorrectBoard(match.state.position))
    assert match.ends_with(events.BoardAgrees, events.TurnGoesOn)
    assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, WHITE)


def test_a_throw_that_still_lies_there_is_his_who_throws_next() -> None:
    """It is no throw of the other player; dice that were lifted are no throw either."""
    for player, lifts, phase in (
        (WHITE, False, Phase.AWAIT_ROLL),
        (BLACK, False, Phase.PLAYING),
        (BLACK, True, Phase.AWAIT_ROLL),
    ):
        match = stuck()
        if lifts:
            match.lift()
        match.give(commands.CorrectBoard(match.position, player))
        assert (match.state.phase, match.state.on_turn) == (phase, player)


def test_before_anybody_is_on_turn_nobody_is_by_a_word_about_the_board() -> None:
    """The opening throw decides who is on turn."""
    match = RefereedMatch.begun(table_of("backgammon"))
    match.put(moved(match.position, WHITE, (6, 5)), rest_ms=3000)
    assert match.is_in(Phase.RESTORE)
    match.give(commands.CorrectBoard(match.position, WHITE))
    assert match.is_in(Phase.OPENING)
    assert match.state.on_turn is None


def test_a_double_that_was_offered_is_over_when_people_say_who_throws() -> None:
    """The player may offer another double."""
    match, _ = doubled_and_cleared()
    match.give(commands.CorrectBoard(match.position, BLACK))
    match.give(commands.OfferDouble(BLACK))
    assert match.is_in(Phase.CUBE_OFFERED)


@pytest.mark.parametrize("player", [WHITE, BLACK])
def test_an_early_throw_is_played_by_nobody_else(player: Player) -> None:
    """It stands until people say that the other player throws."""
    match = opened(profile="us2008")
    match.throw(6, 4, halves=(BoardHalf.LEFT, BoardHalf.LEFT))
    assert match.state.turn.early is not None
    match.put(moved(match.position, WHITE, (8, 4), (6, 5)))
    match.give(commands.EndTurn(WHITE))
    match.rest(2500)
    match.give(commands.CorrectBoard(match.position, player))
    assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING if player is BLACK else Phase.AWAIT_ROLL, player)
