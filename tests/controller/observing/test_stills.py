"""Pictures of settled scenes, as from a folder: the dice of each picture against those of the one before."""

from dataclasses import replace

import pytest

from controller.adjudication.board_view import view_of
from controller.match.seating import Seating
from controller.observing.observation import Observation
from controller.observing.stills import StillsWindow, observe_still
from controller.rules import start_position
from tests.controller.board_sights import ONE_LOOK, reading_of
from tests.controller.rules.boards import game
from tests.vision.dice_tracking.dice_films import SIZE_PX, die, pushed
from vision.dice.readings import DieReading, DieState
from vision.dice_tracking.events import DiceLifted, DiceSettled, DieMoved, DieTurned, ExtraDice

VIEW = view_of(start_position(game("backgammon")), Seating(), game("backgammon"))
FIVE, THREE = die(5, (100.0, 200.0)), die(3, (200.0, 220.0))
ELSEWHERE = (die(6, (400.0, 100.0)), die(1, (460.0, 300.0)))
Shown = tuple[DieReading, ...] | None


def pictures(*dice: Shown) -> list[Observation]:
    """Observations of a picture for each tuple of dice, one every five seconds; None is a picture with a hand."""
    window, seen = StillsWindow(), list[Observation]()
    for number, shown in enumerate(dice):
        reading = reading_of(VIEW, 5000 * number, ONE_LOOK, hand_in_view=shown is None)
        window, observation = observe_still(window, replace(reading, dice=shown or ()))
        seen.append(observation)
    return seen


def event_names(*dice: Shown) -> list[list[str]]:
    """The names of the events of each picture."""
    return [[type(event).__name__ for event in observation.dice_events] for observation in pictures(*dice)]


SPARE = die(2, (600.0, 50.0), lies=DieState.OFF_BOARD)
UNSURE = replace(THREE, face_log_likelihood=(0.1, 0.0, 0.0, 0.2, 0.0, 0.0))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param(
            [(pushed(FIVE, 3), pushed(THREE, -2, 2)), (FIVE, THREE)], [[], []], id="dice that lie there are the same"
        ),
        pytest.param(
            [(FIVE, die(3, (450.0, 300.0)))], [["DieMoved"]], id="a die pushed far while the other one lies where it lay"
        ),
        pytest.param([(FIVE, UNSURE), (FIVE, THREE)], [[], []], id="an unsure face is no other face"),
        pytest.param(
            [(replace(die(2), centre_px=FIVE.centre_px), ELSEWHERE[0])], [["DiceLifted", "DiceSettled"]],
            id="both are thrown: a new face lies where an old die lay, the other one far off",
        ),
        pytest.param(
            [(pushed(FIVE, SIZE_PX), ELSEWHERE[0])], [["DiceLifted", "DiceSettled"]],
            id="both are thrown: the same face lies near an old die, the other one far off",
        ),
        pytest.param([(FIVE,), ()], [[], ["DiceLifted"]], id="no dice left: they were lifted"),
    ],
)  # fmt: skip
def test_what_happens_after_a_five_and_a_three(shown: list[Shown], expected: list[list[str]]) -> None:
    """The events of each picture after the first one."""
    assert event_names((FIVE, THREE), *shown) == [["DiceSettled"], *expected]


def test_dice_beside_the_board_stay_out_of_it() -> None:
    found = event_names((SPARE,), (SPARE, FIVE, THREE), (SPARE,), (SPARE, *ELSEWHERE))
    assert found == [["DiceSettled"], ["ExtraDice"], ["DiceLifted"], ["ExtraDice"]]


def test_dice_settle_at_once() -> None:
    (event,) = pictures((FIVE, THREE))[0].dice_events
    assert isinstance(event, DiceSettled)
    assert [one.value for one in event.dice] == [5, 3]


def test_a_die_pushed_a_little_is_the_same() -> None:
    """One and a half sizes aside, with its face; it keeps its number."""
    seen = pictures((FIVE, THREE), (FIVE, pushed(THREE, 1.5 * SIZE_PX)))
    (event,) = seen[1].dice_events
    assert isinstance(event, DieMoved)
    assert [one.number for one in seen[0].dice] == [one.number for one in seen[1].dice]


def test_a_die_turned_over_is_an_event() -> None:
    """It keeps its value; the event names the face that it shows."""
    seen = pictures((FIVE, THREE), (FIVE, replace(THREE, face_log_likelihood=die(4).face_log_likelihood)))
    (event,) = seen[1].dice_events
    assert isinstance(event, DieTurned)
    assert (event.was, event.now, event.die.value) == (3, 4, 3)
    assert [one.value for one in seen[1].dice] == [5, 3]


def test_a_later_look_tells_a_face_that_was_in_doubt() -> None:
    """Nothing has turned; the dice are read from all pictures together."""
    seen = pictures((FIVE, UNSURE), (FIVE, THREE), (FIVE, THREE))
    assert [observation.dice_events for observation in seen[1:]] == [(), ()]
    sureness = [observation.dice[1].reading.value_confidence for observation in seen]
    assert [observation.dice[1].value for observation in seen[1:]] == [3, 3]
    assert sureness[0] < sureness[1] < sureness[2]


def test_a_die_that_was_pushed_keeps_the_reading_of_its_rest() -> None:
    seen = pictures((FIVE, THREE), (FIVE, replace(pushed(THREE, SIZE_PX), lie_confidence=0.3)))
    assert seen[1].dice[1].reading == THREE


def test_dice_that_lie_elsewhere_were_thrown_anew() -> None:
    seen = pictures((FIVE, THREE), ELSEWHERE)
    lifted, settled = seen[1].dice_events
    assert isinstance(lifted, DiceLifted)
    assert isinstance(settled, DiceSettled)
    assert [one.value for one in lifted.dice] == [5, 3]
    assert [one.value for one in seen[1].dice] == [6, 1]
    assert {one.number for one in lifted.dice}.isdisjoint(one.number for one in settled.dice)


def test_a_die_below_a_checker_is_not_lifted() -> None:
    """The other one still lies there; back in sight, it is the same."""
    seen = pictures((FIVE, THREE), (FIVE,), (FIVE, THREE))
    assert [observation.dice_events for observation in seen[1:]] == [(), ()]
    assert [len(observation.dice) for observation in seen] == [2, 2, 2]


def test_a_die_more_is_an_event() -> None:
    """It may be an overlooked die of the throw or one too many: the picture cannot decide."""
    seen = pictures((FIVE,), (FIVE, THREE))
    (event,) = seen[1].dice_events
    assert isinstance(event, ExtraDice)
    assert [one.value for one in event.lay_before] == [5]


def test_a_picture_with_a_hand_is_not_judged() -> None:
    """Neither board nor dice; what lay there before still does."""
    seen = pictures((FIVE, THREE), None, (FIVE, THREE))
    assert [observation.board is None for observation in seen] == [False, True, False]
    assert [observation.dice_events for observation in seen[1:]] == [(), ()]
    assert len(seen[1].dice) == 2


def test_a_picture_without_one_is_settled_by_itself() -> None:
    board = pictures(())[0].board
    assert board is not None
    assert (board.frame_count, board.since_ms) == (1, 0)


@pytest.mark.parametrize("moved_mm", [0.0, 9.0])
def test_a_board_that_was_moved_is_not_judged(moved_mm: float) -> None:
    _, observation = observe_still(StillsWindow(), reading_of(VIEW, 0, moved_mm=moved_mm))
    assert (observation.board is None) == (moved_mm > 4)
