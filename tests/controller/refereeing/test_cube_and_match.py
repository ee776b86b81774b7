"""Cube, resignation, the end of a game, the next one, and the end of the match."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.match import commands, events
from controller.match.clocks import parse_clock
from controller.match.seating import PictureEdge, Seating
from controller.refereeing.referee import replay_events
from controller.refereeing.state import Phase, Tally
from controller.rules import CubeRules, DoubleTaken, MatchRules, ResultKind, apply_cube_event, get_ruleset
from controller.wording.ruling_text import ruling_text
from tests.controller.refereeing.refereed_match import (
    BLACK,
    OPENING_HALVES,
    WHITE,
    RefereedMatch,
    moved,
    opened,
    table_of,
    to_throw,
)
from vision.dice.readings import BoardHalf, CubePlace

# White has two checkers left and throws; Black has borne off one.
NEARLY_OVER = "d2000000000000000000000000/1e000000000000000000000000"


def last_refusal(match: RefereedMatch) -> str:
    return match.last(events.CommandRefused).reason


def test_a_double_is_offered_and_taken() -> None:
    """The value doubles, the taker owns the cube, and the player throws, as the cube's rules say."""
    match = to_throw()
    match.give(commands.OfferDouble(BLACK))
    assert match.is_in(Phase.CUBE_OFFERED)
    match.give(commands.TakeDouble(WHITE))
    assert match.is_in(Phase.AWAIT_ROLL)
    assert (match.state.cube.value, match.state.cube.owner, match.state.cube.turned) == (2, WHITE, True)
    ruled = apply_cube_event(
        replace(match.state.cube, offer_by=BLACK, owner=None, value=1), DoubleTaken(WHITE), CubeRules()
    )
    assert ruled.state == match.state.cube


def test_a_dropped_double_ends_the_game_for_the_stake_before() -> None:
    """The first double is worth one point, whatever the board."""
    match = to_throw()
    match.give(commands.OfferDouble(BLACK))
    match.give(commands.DropDouble(WHITE))
    won = match.last(events.GameWon)
    assert (won.player, won.kind, won.points, won.black_score) == (BLACK, ResultKind.SINGLE, 1, 1)
    assert match.is_in(Phase.GAME_OVER)


def test_a_beaver_raises_again_where_it_was_agreed() -> None:
    """The doubler accepts, and the cube is the beaverer's."""
    rules = replace(get_ruleset("backgammon"), beaver=True)
    match = to_throw(rules=rules)
    match.give(commands.OfferDouble(BLACK))
    match.give(commands.Beaver(WHITE))
    match.give(commands.TakeDouble(BLACK))
    assert (match.state.cube.value, match.state.cube.owner) == (4, WHITE)


def test_a_double_after_the_throw_is_refused() -> None:
    match = to_throw()
    match.throw(6, 4)
    match.give(commands.OfferDouble(BLACK))
    assert last_refusal(match) == "The dice are thrown already; wait until the player's next turn."


@pytest.mark.parametrize(
    ("begin", "sentence"),
    [
        (to_throw, "Only the player on turn may double; wait for your turn."),
        (lambda: RefereedMatch.begun(table_of("tavla")), "This game is played without a cube."),
    ],
    ids=["out of turn", "without a cube"],
)
def test_a_double_is_refused(begin: Callable[[], RefereedMatch], sentence: str) -> None:
    match = begin()
    match.give(commands.OfferDouble(WHITE))
    assert last_refusal(match) == sentence


def test_equal_dice_in_the_opening_double_where_that_was_agreed() -> None:
    """They double as often as agreed; the cube stays in the middle."""
    rules = replace(get_ruleset("backgammon"), auto_limit=1)
    match = RefereedMatch.begun(table_of("backgammon", rules=rules))
    for _ in range(2):
        match.throw(4, 4, halves=OPENING_HALVES)
        match.lift()
    (doubled,) = match.emitted(events.CubeTurned)
    assert (doubled.act, doubled.value) == (events.CubeAct.DOUBLED_BY_EQUAL_DICE, 2)


def test_a_cube_put_where_one_offers_it_is_an_offer_and_drawn_away_is_a_take() -> None:
    """The cube must be moved there before the throw, and stay."""
    match = to_throw()
    match.cube = CubePlace.BAR
    match.rest(300)
    match.cube = CubePlace.OFFERED
    match.rest(1000)
    assert match.is_in(Phase.AWAIT_ROLL)
    match.rest(1000)
    assert match.is_in(Phase.CUBE_OFFERED)
    match.cube = CubePlace.BOTTOM
    match.rest(2000)
    assert (match.state.phase, match.state.cube.owner, match.state.cube.value) == (Phase.AWAIT_ROLL, WHITE, 2)


def test_what_looked_like_an_offered_cube_for_a_frame_is_no_offer() -> None:
    """A lifted die or an ornament is no longer there when the time for an offer is over."""
    match = to_throw()
    match.cube = CubePlace.BAR
    match.rest(1000)
    for _ in range(3):
        match.cube = CubePlace.OFFERED
        match.frame()
        match.cube = None
        match.rest(1000)
    assert not match.emitted(events.CubeTurned)


def test_a_cube_that_is_left_lying_is_no_offer() -> None:
    """After a spoken take the cube still lies between the players; it does not begin the owner's next double."""
    match = to_throw()
    match.cube = CubePlace.OFFERED
    match.rest(3000)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_a_game_is_won_when_the_last_checker_is_off() -> None:
    """The event has the score."""
    match = RefereedMatch.begun(table_of("backgammon", start=NEARLY_OVER, on_turn=WHITE))
    match.throw(6, 5)
    match.play(WHITE, (1, 0), (1, 0))
    won = match.last(events.GameWon)
    assert (won.player, won.kind, won.points, won.white_score) == (WHITE, ResultKind.SINGLE, 1, 1)
    assert match.is_in(Phase.GAME_OVER)


def test_the_start_position_begins_the_next_game() -> None:
    """Nobody has to press anything."""
    match = won_game()
    match.put(match.table.start_text, rest_ms=2500)
    assert match.ends_with(events.SetUpBegun, events.GameStarted)
    assert (match.state.game.number, match.state.phase) == (2, Phase.OPENING)
    assert match.state.match.score == (1, 0)


def test_the_next_game_may_be_asked_for() -> None:
    """The board is compared with the start position until it is right."""
    match = won_game()
    match.give(commands.NextGame())
    assert match.is_in(Phase.SET_UP)
    match.rest(2500)
    assert match.state.questions.differs is not None
    match.put(match.table.start_text, rest_ms=500)
    assert match.is_in(Phase.OPENING)


def test_the_winner_starts_where_the_game_has_it_so() -> None:
    """There is no opening throw."""
    match = won_game(match=MatchRules(winner_starts=True))
    match.put(match.table.start_text, rest_ms=2500)
    assert (match.state.phase, match.state.on_turn) == (Phase.AWAIT_ROLL, WHITE)


def test_a_match_is_won_and_no_game_follows() -> None:
    """Neither the start position nor an order begins another game."""
    match = won_game(match=MatchRules(target=1))
    assert match.only(events.MatchWon).player is WHITE
    match.put(match.table.start_text, rest_ms=2500)
    match.give(commands.NextGame())
    assert last_refusal(match) == "The match is over; begin a new one."


def test_both_players_confirm_the_score_and_it_is_final() -> None:
    """The score that each confirmed is in the log, which gives the state again; a dispute opens it anew."""
    match = won_game(match=MatchRules(target=1))
    for _ in range(2):
        match.give(commands.ConfirmResult(WHITE))
    assert last_refusal(match) == "This player has confirmed the score already."
    match.give(commands.ConfirmResult(BLACK))
    confirmed = match.emitted(events.ResultConfirmed)
    assert [(one.player, one.white_score, one.black_score) for one in confirmed] == [(WHITE, 1, 0), (BLACK, 1, 0)]
    assert match.state.is_result_final
    assert replay_events(match.events).game.confirmed_by == frozenset((WHITE, BLACK))
    match.give(commands.TakeBackPlay())
    assert last_refusal(match) == "Both players have confirmed the score; call a dispute first."
    match.give(commands.CallDispute())
    match.give(commands.SettleDispute())
    assert not match.state.game.confirmed_by
    match.give(commands.TakeBackPlay())
    assert match.is_in(Phase.PLAYING)


def test_a_player_may_lose_as_many_disputes_as_were_agreed() -> None:
    """Those of the director, and those that were justified, are not counted; a play that is taken back counts none again."""
    match = to_throw(profile="casual")
    match.table = replace(match.table, profile=replace(match.table.profile, disputes=1))
    for caller, is_upheld in ((BLACK, True), (None, False), (BLACK, False)):
        match.give(commands.CallDispute(caller))
        match.give(commands.SettleDispute(is_upheld))
    match.give(commands.TakeBackPlay())
    match.give(commands.CallDispute(BLACK))
    assert last_refusal(match) == "This player has no dispute left; the director can call one."
    match.give(commands.CallDispute())
    match.give(commands.CallDispute(WHITE))  # now it is known who called it
    assert (match.state.phase, match.state.directing.disputed_by) == (Phase.DISPUTE, WHITE)
    match.give(commands.SettleDispute())
    assert match.state.real_phase is match.state.phase
    assert match.state.directing.lost_disputes == Tally(1, 1)
    assert replay_events(match.events).directing == match.state.directing


def test_the_crawford_game_has_no_cube() -> None:
    """It is the first game that begins one point before the end of the match."""
    match = to_throw(match=MatchRules(target=3), white_score=2)
    assert match.state.game.is_crawford
    match.give(commands.OfferDouble(BLACK))
    assert last_refusal(match) == "This is the Crawford game; the cube rests until the next one."


def test_a_resignation_is_offered_and_accepted() -> None:
    """The kind of the resignation and the cube give the points."""
    match = to_throw()
    match.give(commands.OfferDouble(BLACK))
    match.give(commands.TakeDouble(WHITE))
    match.give(commands.Resign(BLACK, ResultKind.MARS))
    match.give(commands.AnswerResignation(WHITE, accept=True))
    won = match.last(events.GameWon)
    assert (won.player, won.kind, won.points) == (WHITE, ResultKind.MARS, 4)


def test_a_refused_resignation_lets_the_game_go_on() -> None:
    """A player cannot answer his own resignation."""
    match = to_throw()
    match.give(commands.Resign(BLACK, ResultKind.SINGLE))
    match.give(commands.AnswerResignation(BLACK, accept=True))
    assert last_refusal(match) == "The other player answers a resignation."
    match.give(commands.AnswerResignation(WHITE, accept=False))
    assert match.ends_with(events.ResignationAnswered)
    assert (match.state.phase, match.state.game.resignation) == (Phase.AWAIT_ROLL, None)


@pytest.mark.parametrize("kind", [ResultKind.HOME_MARS, ResultKind.DRAW, ResultKind.MOTHER])
def test_a_kind_of_win_that_the_game_does_not_know_is_not_resigned(kind: ResultKind) -> None:
    """Backgammon has no home mars; draw and mother are never offered."""
    match = to_throw()
    match.give(commands.Resign(BLACK, kind))
    assert last_refusal(match) == f"This game has no {kind.value} to resign."


def test_a_play_that_won_by_mistake_can_be_taken_back() -> None:
    """The score goes back with it."""
    match = won_game()
    match.give(commands.TakeBackPlay())
    assert (match.state.phase, match.state.match.score, match.state.position) == (Phase.PLAYING, (0, 0), NEARLY_OVER)


def test_the_play_that_won_the_match_can_be_taken_back_too() -> None:
    """A match that was lost on time stays lost."""
    match = won_game(match=MatchRules(target=1))
    match.give(commands.TakeBackPlay())
    assert (match.state.phase, match.state.match_winner) == (Phase.PLAYING, None)
    assert match.is_what_the_log_says()
    late = opened(clock=parse_clock("0.1+0"))
    late.put(moved(late.position, WHITE, (8, 5), (6, 5)))
    late.give(commands.EndTurn(by_clock=True))
    late.rest(9000, every_ms=3000)
    late.give(commands.TakeBackPlay())
    assert last_refusal(late) == "The match was lost on time; no play brings it back."


def test_a_double_that_was_taken_settles_the_play_before_it() -> None:
    """No later frame takes the stake away, whatever happens to the board or the dice."""
    match = opened()
    own = match.dice
    match.play(WHITE, (8, 5), (6, 5))
    match.give(commands.OfferDouble(BLACK))
    match.give(commands.TakeDouble(WHITE))
    match.find(own)
    match.lift()
    match.put(moved(match.table.start_text, WHITE, (24, 23), (24, 21)), rest_ms=3000)
    assert (match.state.cube.value, match.state.phase) == (2, Phase.RESTORE)


def test_the_answer_to_a_beaver_is_not_read_off_the_cube() -> None:
    """The cube lies with the beaverer already; nothing is refused in a loop."""
    rules = replace(get_ruleset("backgammon"), beaver=True)
    match = to_throw(rules=rules)
    match.cube = CubePlace.BAR
    match.rest(300)
    match.give(commands.OfferDouble(BLACK))
    match.give(commands.Beaver(WHITE))
    match.cube = CubePlace.BOTTOM
    match.rest(6000)
    assert (match.state.phase, match.emitted(events.CommandRefused)) == (Phase.CUBE_OFFERED, [])


def test_a_resignation_lapses_when_a_double_is_offered() -> None:
    """It cannot be accepted later for twice the stake."""
    match = to_throw()
    match.give(commands.Resign(WHITE, ResultKind.SINGLE))
    match.give(commands.OfferDouble(BLACK))
    match.give(commands.TakeDouble(WHITE))
    match.give(commands.AnswerResignation(BLACK, accept=True))
    assert last_refusal(match) == "Nobody has resigned."


def test_wins_are_counted_where_the_house_counts_wins() -> None:
    """The points of a win do not matter then."""
    rules = replace(get_ruleset("backgammon"), match_unit="wins")
    match = to_throw(rules=rules, match=MatchRules.of(rules, 2))
    match.give(commands.Resign(BLACK, ResultKind.MARS))
    match.give(commands.AnswerResignation(WHITE, accept=True))
    assert (match.last(events.GameWon).points, match.state.match.score, match.state.match_winner) == (2, (1, 0), None)


def test_the_score_of_a_match_over_several_games() -> None:
    """Cube, Crawford game and the games after it; the board is set up and the start thrown for each time."""
    match = to_throw(match=MatchRules(target=3))
    for doubled, crawford in ((True, False), (False, True), (True, False)):
        assert match.state.game.is_crawford is crawford
        assert (match.state.cube.value, match.state.cube.owner) == (1, None)
        if doubled:
            match.give(commands.OfferDouble(BLACK))
            match.give(commands.TakeDouble(WHITE))
        winner = BLACK if crawford else WHITE
        match.give(commands.Resign(winner.opponent, ResultKind.SINGLE))
        match.give(commands.AnswerResignation(winner, accept=True))
        if match.state.match_winner is None:
            match.put(match.table.start_text, rest_ms=2500)
            assert match.is_in(Phase.OPENING)
            match.lift()
            match.throw(3, 1, halves=OPENING_HALVES)
            match.play(WHITE, (8, 5), (6, 5))
    assert [(won.white_score, won.black_score) for won in match.emitted(events.GameWon)] == [(2, 0), (2, 1), (4, 1)]
    assert match.state.match_winner is WHITE


def test_dice_that_lie_there_when_the_next_game_begins_are_no_opening_throw() -> None:
    """They are the last dice of the game before; new dice are the opening throw."""
    match = to_throw()
    match.throw(6, 4)
    match.give(commands.Resign(BLACK, ResultKind.SINGLE))
    match.give(commands.AnswerResignation(WHITE, accept=True))
    match.put(match.table.start_text, rest_ms=4000)
    assert match.is_in(Phase.OPENING)
    match.lift()
    match.throw(5, 2, halves=(BoardHalf.LEFT, BoardHalf.RIGHT))
    assert match.state.on_turn is BLACK


def test_players_may_change_seats_between_two_games() -> None:
    """Nobody can see whether they changed seats or colours: they say it, and the score stays."""
    match = won_game()
    match.put("/".join(side[0] + side[13:25] + side[1:13] + side[25] for side in match.table.start_text.split("/")))
    match.rest(6000)
    assert match.is_in(Phase.SET_UP)
    assert match.state.questions.differs is not None
    match.give(commands.SetSeating(Seating(edge=PictureEdge.TOP)))
    match.rest(1000)
    assert (match.state.game.number, match.state.phase) == (2, Phase.OPENING)
    assert match.state.match.score == (1, 0)


def test_a_wrong_seating_is_corrected_while_a_double_waits() -> None:
    """Otherwise the board would seem to be another one until the double is answered."""
    match = to_throw()
    right = match.state.seating
    assert right is not None
    match.give(commands.SetSeating(replace(right, mirrored=not right.mirrored)))
    match.give(commands.OfferDouble(BLACK))
    match.give(commands.SetSeating(right))
    match.rest(6000)
    assert (match.state.phase, match.state.seating) == (Phase.CUBE_OFFERED, right)


def won_game(**changes: object) -> RefereedMatch:
    """White has borne off his last two checkers."""
    match = RefereedMatch.begun(table_of("backgammon", start=NEARLY_OVER, on_turn=WHITE, **changes))
    match.throw(6, 5)
    match.play(WHITE, (1, 0), (1, 0))
    assert match.is_in(Phase.GAME_OVER)
    return match


@pytest.mark.parametrize(
    ("changes", "raises"),
    [
        ({}, [(1, 2), (1, 2)]),
        ({"beaver": True}, [(1, 2), (2, 4), (1, 4)]),
        ({"beaver": True, "raise_by": "one"}, [(1, 2), (2, 3), (1, 3)]),
    ],
)
def test_every_act_with_the_cube_says_from_which_stake_to_which(
    changes: dict[str, object], raises: list[tuple[int, int]]
) -> None:
    """In the terminal an offer is a raise: nobody doubles to 1."""
    match = to_throw(rules=replace(get_ruleset("backgammon"), **changes))  # type: ignore[arg-type]
    match.give(commands.OfferDouble(BLACK))
    if "beaver" in changes:
        match.give(commands.Beaver(WHITE))
    match.give(commands.TakeDouble(BLACK if "beaver" in changes else WHITE))
    turned = match.emitted(events.CubeTurned)
    assert [(one.raise_of_stake.was, one.raise_of_stake.to) for one in turned] == raises
    assert ruling_text(turned[0], match.table.players.names) == "Black doubles from 1 to 2."
    old = [replace(one, raised=None).raise_of_stake for one in turned]
    assert old[0] == turned[0].raise_of_stake
