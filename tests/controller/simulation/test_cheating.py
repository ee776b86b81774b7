"""Plays that are wrong in small ways, made with hands and dice on the simulated table: each is reported by its name."""

import pytest

from controller.match.events import (
    BoardDiffers,
    DiceRolled,
    DieTurnedOver,
    PlayCorrected,
    PlayMade,
    PlayRefused,
    PlayTakenBack,
    RefereeEvent,
    ThrowRefused,
)
from controller.rules import Player, Rule
from controller.simulation.staging.filming import Beats
from tests.controller.simulation.table_scenes import DARK, Aside, AtTheTable, Place, said_of

pytestmark = pytest.mark.broad

BLOT_ON_THE_SEVEN = "00000050300005000000000020/00000050300004000010000020"  # Black's 18 is White's 7, B6


def rulings(events: tuple[RefereeEvent, ...]) -> list[object]:
    """Plays by their notation, refusals by their decisive rule, in their order."""
    reported: list[object] = []
    for event in events:
        match event:
            case PlayMade():
                reported.append(event.play)
            case PlayRefused():
                reported.append(event.rules[0])
            case PlayCorrected() | PlayTakenBack() | BoardDiffers() | ThrowRefused() | DieTurnedOver():
                reported.append(type(event))
            case _:
                pass
    return reported


def test_one_pip_short() -> None:

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(6, 1)
        yield from at.moves(Place.T1, Place.B5)
        yield from at.moves(Place.B5, Place.B6)
        yield from at.lifts()

    (ruling,) = rulings(said_of(scene))
    assert ruling in (Rule.WRONG_NUMBERS, Rule.MUST_PLAY_MORE)


def test_both_checkers_with_the_same_die() -> None:

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.moves(Place.T1, Place.B3)
        yield from at.moves(Place.T1, Place.B3)
        yield from at.lifts()

    assert rulings(said_of(scene)) == [Rule.WRONG_NUMBERS]


def test_an_opposing_checker_nudged() -> None:
    """3-1 played 8/5 6/5, and one of Black's slips to the next point under the sleeve."""

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.moves(Place.B5, Place.B8)
        yield from at.moves(Place.B7, Place.B8)
        yield from at.slips(Place.T5, Place.T6, DARK)
        yield from at.lifts()

    assert rulings(said_of(scene)) == [Rule.OPPONENT_MOVED]


def test_an_own_checker_moved_in_passing() -> None:

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.moves(Place.B5, Place.B8)
        yield from at.moves(Place.T1, Place.B2)
        yield from at.moves(Place.B7, Place.B8)
        yield from at.lifts()

    assert rulings(said_of(scene)) == [Rule.WRONG_NUMBERS]


def test_a_checker_put_on_from_the_box() -> None:
    """The legal play, and a sixteenth checker on the new point."""

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.moves(Place.B5, Place.B8)
        yield from at.moves(Place.B7, Place.B8)
        yield from at.moves(Aside.BOX, Place.B8)
        yield from at.lifts()

    assert rulings(said_of(scene)) == [Rule.CHECKER_EXTRA]


def test_a_play_before_the_dice_lie() -> None:

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1, waits=(60, 70))
        yield from at.moves(Place.B5, Place.B8)
        yield from at.moves(Place.B7, Place.B8)
        yield from at.lifts()

    assert rulings(said_of(scene)) == ["8/5 6/5"]


def test_dice_picked_up_too_early() -> None:
    """Half of the roll is played when the dice go up; the other half comes after the referee was heard."""

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.moves(Place.B5, Place.B8)
        yield from at.lifts()
        yield from at.moves(Place.B7, Place.B8)
        yield from at.waits()

    assert rulings(said_of(scene)) == [Rule.MUST_PLAY_MORE, PlayCorrected, "8/5 6/5"]


def test_dice_picked_up_while_the_second_checker_is_in_the_hand() -> None:

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.moves(Place.B5, Place.B8)
        yield from at.lifts(waits=(300, 310))
        yield from at.moves(Place.B7, Place.B8)
        yield from at.waits()

    assert rulings(said_of(scene)) == ["8/5 6/5"]


def test_another_legal_play_after_picking_up() -> None:

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.moves(Place.B5, Place.B8)
        yield from at.moves(Place.B7, Place.B8)
        yield from at.lifts()
        yield from at.moves(Place.B8, Place.B5)
        yield from at.moves(Place.B8, Place.B7)
        yield from at.moves(Place.T1, Place.B3)
        yield from at.moves(Place.B3, Place.B4)
        yield from at.waits()

    reported = rulings(said_of(scene))
    assert reported[0] == "8/5 6/5"
    assert reported[-1] == "13/9"
    assert not any(isinstance(one, Rule) for one in reported)


def test_an_illegal_play_after_picking_up() -> None:
    """The board differs from the log, which keeps the legal play."""

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.moves(Place.B5, Place.B8)
        yield from at.moves(Place.B7, Place.B8)
        yield from at.lifts()
        yield from at.moves(Place.B8, Place.B11)
        yield from at.waits()

    assert rulings(said_of(scene)) == ["8/5 6/5", BoardDiffers]


def test_a_die_turned_to_a_better_number() -> None:
    """3-1 is made a 6-1 with a finger and played so: the roll stays 3-1."""

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.turns_a_die(6)
        yield from at.waits(1500)
        yield from at.moves(Place.T1, Place.B6)
        yield from at.moves(Place.B5, Place.B6)
        yield from at.lifts()

    events = said_of(scene)
    assert [event.values for event in events if isinstance(event, DiceRolled)] == [(3, 1)]
    reported = rulings(events)
    assert reported[0] is DieTurnedOver
    assert reported[1:] == [Rule.WRONG_NUMBERS]


def test_a_hit_checker_left_where_it_was() -> None:
    """6-1 from the 13 upon Black's blot on White's 7, which stays below and not on the bar."""

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(6, 1)
        yield from at.moves(Place.T1, Place.B6)
        yield from at.moves(Place.B5, Place.B6)
        yield from at.lifts()

    events = said_of(scene, BLOT_ON_THE_SEVEN)
    assert isinstance(rulings(events)[0], Rule)


def test_a_hit_checker_put_back_on_another_point() -> None:

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(6, 1)
        yield from at.moves(Place.B6, Place.T7, DARK)
        yield from at.moves(Place.T1, Place.B6)
        yield from at.moves(Place.B5, Place.B6)
        yield from at.lifts()

    assert rulings(said_of(scene, BLOT_ON_THE_SEVEN)) == [Rule.HIT_NOT_ON_BAR]


def test_the_opponent_throws_while_the_checker_is_in_the_hand() -> None:

    def scene(at: AtTheTable) -> Beats:
        yield from at.throws(3, 1)
        yield from at.moves(Place.B5, Place.B8)
        yield from at.film.withdraw()
        yield from at.throws(5, 5, player=Player.BLACK)
        yield from at.film.lift(Player.BLACK, at.film.dice[2:])
        yield from at.film.pause((900, 910))
        yield from at.moves(Place.B7, Place.B8)
        yield from at.lifts()

    events = said_of(scene)
    assert rulings(events) == [ThrowRefused, "8/5 6/5"]
    assert [event.values for event in events if isinstance(event, DiceRolled)] == [(3, 1)]
