from itertools import pairwise

import pytest

from controller.match.inputs import Peripheral, PeripheralEvent
from controller.match.seating import Checkers, Seating
from controller.rules import (
    GAMES,
    RULESETS,
    Legal,
    Player,
    Position,
    Roll,
    RollCounters,
    Turn,
    judge,
    make_own_throw,
    parse_setup,
    position_text,
    start_position,
)
from controller.simulation.scripts.script import GamePlan, film_dice_game
from controller.simulation.staging.beats import Beat, Cue
from controller.simulation.staging.mishaps import NO_MISHAPS, Mishaps
from controller.simulation.staging.stacks import stacks_of
from controller.simulation.staging.truth import TrueEnd, TruePlay, TrueStart, TrueThrow
from tests.controller.simulation.films import MANY_MISHAPS, film

pytestmark = pytest.mark.broad


@pytest.mark.parametrize("game", GAMES)
def test_no_checker_is_ever_lost(game: str) -> None:
    beats = [one for one in film(game, 1, mishaps=MANY_MISHAPS, turns=8) if isinstance(one, Beat)]
    in_hand = [None if one.hand is None else one.hand.carries for one in beats]
    totals = {
        (light + (carried is Checkers.LIGHT), dark + (carried is Checkers.DARK))
        for (light, dark), carried in zip((one.stacks.total for one in beats), in_hand, strict=True)
    }
    assert len(totals) == 1
    assert any(in_hand)


@pytest.mark.parametrize("game", ["backgammon", "gulbar", "grasshopper"])
def test_time_has_no_gaps(game: str) -> None:
    """Every beat begins when the one before ends, and orders and truths come in between at that moment."""
    happenings = list(film(game, 2, mishaps=MANY_MISHAPS))
    beats = [one for one in happenings if isinstance(one, Beat)]
    assert all(one.ends_ms == after.starts_ms for one, after in pairwise(beats))
    assert all(beat.lasts_ms > 0 for beat in beats)
    now_ms = 0
    for happening in happenings:
        if isinstance(happening, Beat):
            now_ms = happening.ends_ms
        else:
            assert happening.at_ms == now_ms


def test_the_same_seed_is_the_same_film() -> None:
    """Two films of one seed are equal in everything; another seed is another film."""
    assert list(film("tavla", 5)) == list(film("tavla", 5))
    assert list(film("tavla", 5)) != list(film("tavla", 6))


@pytest.mark.parametrize("game", list(RULESETS))
def test_legal_plays_of_the_truth_are_legal_and_stand_on_the_table(game: str) -> None:
    rules, stacks, plays = RULESETS[game], None, 0
    for happening in film(game, 3, mishaps=MANY_MISHAPS, turns=10):
        if isinstance(happening, Beat):
            stacks = happening.stacks
        if isinstance(happening, TruePlay) and happening.after:
            after = Position.of(parse_setup(happening.after), rules)
            assert stacks == stacks_of(after.setup, Seating(), rules)
            plays += 1
    assert plays >= 4


@pytest.mark.parametrize(("game", "mover"), [("long_nardy", Player.BLACK), ("backgammon", Player.WHITE)])
def test_what_is_put_on_the_other_sides_point_lies_on_top(game: str, mover: Player) -> None:
    stacks, movers = None, set[Player]()
    for happening in film(game, 3, mishaps=Mishaps(illegal_play=1.0, condoned=0.0), turns=60):
        if isinstance(happening, Beat):
            stacks = happening.stacks
        if isinstance(happening, TruePlay) and stacks is not None:
            mixed = [stack for stack in stacks.points if len(set(stack)) == 2]
            assert all(stack[-1] is Seating().checkers_of(happening.player) for stack in mixed)
            movers |= {happening.player} if mixed else set()
    assert mover in movers


def test_a_condoned_play_changes_the_game() -> None:
    """The next turn begins on the board that stood, and the game goes on by the rules from there."""
    mishaps = Mishaps(illegal_play=0.5, condoned=1.0)
    plays = [one for one in film("backgammon", 4, mishaps=mishaps, turns=40) if isinstance(one, TruePlay)]
    condoned = [number for number, play in enumerate(plays[:-1]) if play.is_condoned]
    assert len(condoned) >= 5
    for number in condoned:
        assert plays[number + 1].before == plays[number].after
        assert plays[number + 1].player is plays[number].player.opponent


def test_every_turn_begins_where_the_one_before_ended() -> None:
    """The board of the truth is handed on from turn to turn, corrected or condoned boards included."""
    for game in RULESETS:
        plays = [one for one in film(game, 7, mishaps=MANY_MISHAPS, turns=6) if isinstance(one, TruePlay)]
        for one, after in pairwise(plays):
            assert after.before == (one.corrected_to or one.after), game


def test_without_mishaps_nothing_is_wrong() -> None:
    """Every throw counts, every play is legal, and a whole game ends with a winner."""
    truths = [one for one in film("nackgammon", 8, mishaps=NO_MISHAPS, turns=500) if not isinstance(one, Beat | Cue)]
    assert isinstance(truths[0], TrueStart)
    assert isinstance(truths[-1], TrueEnd)
    assert truths[-1].winner is not None
    assert all(one.is_valid for one in truths if isinstance(one, TrueThrow))
    assert all(one.is_legal for one in truths if isinstance(one, TruePlay))


def test_a_camera_that_is_gone_shows_nothing_for_five_seconds() -> None:
    """Between the last picture and the next lie five seconds, and the loss is reported in between, the return at their end."""
    happenings = list(film("hypergammon", 9, mishaps=Mishaps(camera_gone=1.0), turns=1))
    gone = [one for one in happenings if isinstance(one, Beat) and not one.conditions.is_camera_there]
    reported = [one for one in happenings if isinstance(one, Cue) and isinstance(one.order, PeripheralEvent)]
    assert sum(one.lasts_ms for one in gone) == 5000
    assert [(one.order.peripheral, one.order.is_up) for one in reported if isinstance(one.order, PeripheralEvent)] == [
        (Peripheral.CAMERA, False),
        (Peripheral.CAMERA, True),
    ]
    assert [one.at_ms - gone[0].starts_ms for one in reported] == [1500, 5000]


def test_the_judge_confirms_single_throws() -> None:
    rules = RULESETS["backgammon"]
    for happening in film("backgammon", 11, mishaps=NO_MISHAPS, turns=60):
        if isinstance(happening, TruePlay):
            before = Position.of(parse_setup(happening.before), rules)
            throw = make_own_throw(Roll.of(*happening.numbers[:2]), rules, RollCounters(5, 5))
            ruling = judge(before, happening.player, Turn((throw,)), parse_setup(happening.after), rules)
            assert isinstance(ruling, Legal)
            assert position_text(ruling.after) == happening.after


def test_games_follow_each_other_on_one_table() -> None:
    """Two games of a match: two starts from the same board and two ends, in one stretch of time."""
    plan = GamePlan(seed=3, games=2)
    happenings = list(film_dice_game(RULESETS["hypergammon"], plan))
    starts = [one for one in happenings if isinstance(one, TrueStart)]
    assert [one.position for one in starts] == [position_text(start_position(RULESETS["hypergammon"]))] * 2
    assert sum(isinstance(one, TrueEnd) for one in happenings) == 2
    beats = [one for one in happenings if isinstance(one, Beat)]
    assert all(one.ends_ms == after.starts_ms for one, after in pairwise(beats))
    assert len({one.stacks.total for one in beats if one.hand is None}) == 1
