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
from tests.controller.simulation.table_scenes import DARK, LIGHT, Aside, AtTheTable, Place, Scene, said_of

pytestmark = pytest.mark.broad

BLOT_ON_THE_SEVEN = "00000050300005000000000020/00000050300004000010000020"  # Black's 18 is White's 7, B6


def rulings(events: tuple[RefereeEvent, ...]) -> list[object]:
    """Plays by their notation, refusals by their decisive rule, other rulings by their type, in order."""
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


def played_by(script: str) -> Scene:
    """The scene of a script: `3-1` throws, `B5>B8` moves White's checker, `T5>T6 slips` and `B6>T7 as dark` Black's."""

    def scene(at: AtTheTable) -> Beats:
        for step in script.split(", "):
            what, *how = step.split()
            match what:
                case "lift":
                    yield from at.lifts(waits=(300, 310) if how else (4000, 4100))
                case "wait":
                    yield from at.waits()
                case _ if "-" in what:
                    yield from at.throws(*map(int, what.split("-")), waits=(60, 70) if how else (1500, 1600))
                case _:
                    source, target = (Aside.BOX if name == "box" else Place(name) for name in what.split(">"))
                    if how == ["slips"]:
                        yield from at.slips(source, target, DARK)
                    else:
                        yield from at.moves(source, target, DARK if how else LIGHT)

    return scene


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param("3-1, T1>B3, T1>B3, lift", [Rule.WRONG_NUMBERS], id="both checkers with the same die"),
        pytest.param("3-1, B5>B8, B7>B8, T5>T6 slips, lift", [Rule.OPPONENT_MOVED], id="an opposing checker is nudged"),
        pytest.param("3-1, B5>B8, T1>B2, B7>B8, lift", [Rule.WRONG_NUMBERS], id="an own checker moves in passing"),
        pytest.param("3-1, B5>B8, B7>B8, box>B8, lift", [Rule.CHECKER_EXTRA], id="a checker comes from the box"),
        pytest.param("3-1 hurried, B5>B8, B7>B8, lift", ["8/5 6/5"], id="a play before the dice lie"),
        pytest.param(
            "3-1, B5>B8, lift, B7>B8, wait", [Rule.MUST_PLAY_MORE, PlayCorrected, "8/5 6/5"],
            id="dice are lifted after half of the play, and the other half follows the ruling",
        ),
        pytest.param(
            "3-1, B5>B8, lift hurried, B7>B8, wait", ["8/5 6/5"], id="dice are lifted while the second checker is in the hand"
        ),
        pytest.param(
            "3-1, B5>B8, B7>B8, lift, B8>B11, wait", ["8/5 6/5", BoardDiffers],
            id="an illegal play after lifting: the log keeps the legal play",
        ),
    ],
)  # fmt: skip
def test_the_rulings(script: str, expected: list[object]) -> None:
    assert rulings(said_of(played_by(script))) == expected


def test_one_pip_short() -> None:
    (ruling,) = rulings(said_of(played_by("6-1, T1>B5, B5>B6, lift")))
    assert ruling in (Rule.WRONG_NUMBERS, Rule.MUST_PLAY_MORE)


def test_another_legal_play_after_lifting() -> None:
    reported = rulings(said_of(played_by("3-1, B5>B8, B7>B8, lift, B8>B5, B8>B7, T1>B3, B3>B4, wait")))
    assert (reported[0], reported[-1]) == ("8/5 6/5", "13/9")
    assert not any(isinstance(one, Rule) for one in reported)


def test_a_hit_checker_left_where_it_was() -> None:
    """6-1 from the 13 onto Black's blot on White's 7, which stays below and not on the bar."""
    assert isinstance(rulings(said_of(played_by("6-1, T1>B6, B5>B6, lift"), BLOT_ON_THE_SEVEN))[0], Rule)


def test_a_hit_checker_put_back_on_another_point() -> None:
    scene = played_by("6-1, B6>T7 as dark, T1>B6, B5>B6, lift")
    assert rulings(said_of(scene, BLOT_ON_THE_SEVEN)) == [Rule.HIT_NOT_ON_BAR]


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
    assert rulings(events) == [DieTurnedOver, Rule.WRONG_NUMBERS]


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
