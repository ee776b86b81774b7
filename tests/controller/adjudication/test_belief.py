"""A game that nobody announced: from pictures of boards and dice follow who sits where, who is on turn, and what stood there."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from controller.adjudication import AnnouncedGame, Belief, GameRoot, make_root, view_of
from controller.match.seating import PictureEdge, Seating
from controller.observing.turn_watch import SeenThrow
from controller.rules import RULESETS, Player, legal_plays, make_stage
from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
from controller.simulation.scripts.playthrough import TurnPlayed, play_game
from tests.controller.board_sights import sight_of
from tests.controller.refereeing.still_games import Picture, shown
from tests.controller.rules.boards import board
from tests.vision.dice_tracking.dice_films import die
from vision.dice.readings import DieReading, DieState

SEATING = Seating(edge=PictureEdge.TOP, mirrored=True)
BACKGAMMON = RULESETS["backgammon"]
RIGHT_PX, LEFT_PX = 300.0, 20.0


@cache
def game(name: str = "backgammon", seed: int = 1, most: int = 80) -> tuple[TurnPlayed, ...]:
    rules, chance = RULESETS[name], Random(seed)
    played = play_game(rules, SeededDice(chance), DemoPlayer(rules, chance), max_turns=most)
    return tuple(turn for turn in played if isinstance(turn, TurnPlayed))


def dice_of(turn: TurnPlayed) -> tuple[DieReading, ...]:
    """The throw of a turn; two throws in sequence lie in different halves."""
    roll = turn.throws[0].roll
    assert roll is not None
    left_px = LEFT_PX if turn.player is Player.WHITE else RIGHT_PX
    return tuple(
        die(value, (left_px + 25.0 * value, 60.0 + 200.0 * number))
        for number, value in enumerate((roll.high, roll.low))
    )


def pictures_of(turns: Sequence[TurnPlayed]) -> list[Picture]:
    """For each turn a picture of its throw, one of its play beside the dice, and one without dice."""
    pictures: list[Picture] = [(turns[0].before, ())]
    for turn in turns:
        pictures += [(turn.before, dice_of(turn)), (turn.after, dice_of(turn)), (turn.after, ())]
    return pictures


def believe(pictures: Sequence[Picture], name: str = "backgammon", announced: AnnouncedGame | None = None) -> Belief:
    belief = Belief(announced or AnnouncedGame(RULESETS[name]))
    for seen in shown(pictures, RULESETS[name], SEATING):
        belief = belief.with_observation(seen)
    return belief


def root_of(turn: TurnPlayed) -> tuple[Seating, object, Player]:
    return SEATING, turn.before, turn.player


def who_and_what(root: GameRoot | None) -> tuple[Seating, object, Player | None]:
    assert root is not None, "not decided"
    return root.seating, root.position, root.player


def test_nothing_is_believed_before_a_board_fits() -> None:
    belief = believe([(board(BACKGAMMON, "", ""), ())])
    assert (belief.now, belief.likeliest, belief.decided) == ((), None, None)


def test_one_board_leaves_seating_and_player_open() -> None:
    belief = believe([(game()[20].before, ())])
    assert belief.decided is None
    assert len({one.root.seating for one in belief.now}) > 1
    assert {one.player for one in belief.now} == set(Player)


@pytest.mark.parametrize(("name", "first"), [("backgammon", 20), ("long_nardy", 15), ("tavla", 30)])
def test_two_turns_tell_seating_player_and_position(name: str, first: int) -> None:
    turns = game(name)[first : first + 2]
    belief = believe(pictures_of(turns), name)
    assert who_and_what(belief.decided) == root_of(turns[0])
    assert (belief.now[0].position, belief.now[0].player) == (turns[1].after, turns[0].player)


def test_a_recording_that_begins_within_a_turn() -> None:
    """The first board shows half a play, so no throw explains the next one; the game is joined from there."""
    first, *turns = game()[20:23]
    step = first.throws[0].steps[0]
    halves = legal_plays(first.before, first.player, make_stage((step.number,)), BACKGAMMON)
    (half,) = (play.after for play in halves if play.steps == (step,))
    pictures = [(half, dice_of(first)), (first.after, dice_of(first)), *pictures_of(turns)]
    assert who_and_what(believe(pictures).decided) == root_of(turns[0])


@pytest.mark.parametrize("is_played", [False, True], ids=["to be played", "played already"])
def test_dice_that_lie_there_first(is_played: bool) -> None:
    first, *turns = game()[20:23]
    begun = [] if is_played else [(first.before, dice_of(first))]
    root = believe([*begun, (first.after, dice_of(first)), *pictures_of(turns)]).decided
    assert who_and_what(root) == root_of(turns[0] if is_played else first)
    assert root is not None
    assert root.is_thrown is not is_played


def test_a_player_who_cannot_move_passes() -> None:
    """The board stays as it is, and the next throw is the other player's."""
    turns = game("backgammon", 3)
    number = next(number for number, turn in enumerate(turns) if turn.after == turn.before)
    seen = turns[number - 1 : number + 2]
    belief = believe(pictures_of(seen))
    assert who_and_what(belief.decided) == root_of(seen[0])
    assert belief.now[0].position == seen[-1].after


def test_a_turn_that_nobody_saw_is_bridged() -> None:
    """Neither throw nor play of one turn is seen; the belief knows afterwards who is on turn."""
    turns = game()[20:26]
    belief = believe(pictures_of(turns[:3]) + pictures_of(turns[4:]))
    assert (belief.now[0].position, belief.now[0].player) == (turns[5].after, turns[5].player.opponent)


def test_heights_that_the_picture_leaves_open_do_not_matter() -> None:
    """Borne-off checkers are not in view, and a heap holds one more or fewer; who sits where is decided all the same."""
    turns = game("tavla", 10)
    number = next(
        n
        for n, turn in enumerate(turns)
        if max(turn.before.counts(turn.player)[1:7]) > 5 and turn.before.counts(turn.player)[0] > 0
    )
    seen = turns[number : number + 3]
    belief = believe(pictures_of(seen), "tavla")
    root = belief.decided
    assert root is not None
    assert (root.seating, root.player) == (SEATING, seen[0].player)
    positions = {one.root.position for one in belief.now if one.root.who == root.who}
    assert seen[0].before in positions
    assert len(positions) > 1


def test_one_checker_beside_a_legal_double_is_a_breach_and_not_misread() -> None:
    """White played 4-4 and moved one of Black's checkers: of five that moved only one is in question."""
    before = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")
    after = board(BACKGAMMON, "20:2 13:3 9:2 8:3 6:5", "24:2 13:5 8:2 7:1 6:5")
    root = make_root(GameRoot(SEATING, before, Player.WHITE), {}, (), BACKGAMMON)
    known = Belief(AnnouncedGame(BACKGAMMON, (SEATING,), before, Player.WHITE), before=(root,), now=(root,))
    double = SeenThrow((((4, 4), 0.0),), counts=True)
    seen = sight_of(view_of(after, SEATING, BACKGAMMON))
    first = known.with_news((double, seen)).now[0].path[0]
    assert (first.player, first.is_breach) == (Player.WHITE, True)


def test_what_was_told_is_no_hypothesis() -> None:
    turn = game()[20]
    announced = AnnouncedGame(BACKGAMMON, (SEATING,), turn.before, turn.player)
    assert who_and_what(believe([(turn.before, ())], announced=announced).decided) == root_of(turn)


@pytest.mark.parametrize("name", ["backgammon", "long_nardy", "gul_bara", "plakoto"])
def test_the_number_of_hypotheses_is_bounded(name: str) -> None:
    """Whatever is seen, also boards that nothing explains."""
    turns = game(name)
    belief = believe(pictures_of([turns[3], turns[9], turns[5]]), name)
    assert len(belief.now) <= 32


def test_a_throw_with_a_cocked_die_decides_no_opening() -> None:
    """Whoever threw it throws again; the game is none that began with an opening throw."""
    turns = game("long_nardy")[:2]
    cocked = (replace(die(5, (LEFT_PX, 60.0)), lies=DieState.COCKED, tilt_deg=25.0), die(2, (RIGHT_PX, 260.0)))
    first, *others = pictures_of(turns)
    belief = believe([first, (turns[0].before, cocked), (turns[0].before, ()), *others], "long_nardy")
    assert belief.likeliest is not None
    assert belief.likeliest.player is turns[0].player
