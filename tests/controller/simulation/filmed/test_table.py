from collections.abc import Iterator
from dataclasses import replace

from controller.match.commands import ChoosePlay, CorrectBoard, CorrectRoll
from controller.match.events import BoardDiffers, EndedBy, PlayRefused, PlayUnclear, ThrowUnclear
from controller.refereeing.state import Phase, RefereeState
from controller.rules import BadThrow, Player, Unclear
from controller.simulation.filmed.snapshots import TableSnapshot
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.staging.beats import Beat
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.script_context import Happening
from controller.simulation.staging.stacks import Stacks
from controller.simulation.staging.truth import TrueEvent, TruePlay, TrueThrow
from tests.controller.refereeing.states import state_at

JUST_BEGUN = RefereeState()
ASKED = ThrowUnclear(500, Player.WHITE, (Unclear.VALUE,), (None, 2))


def beats_after(*truths: TrueEvent) -> Iterator[Happening]:
    yield from truths
    for number in range(3):
        yield Beat(100 * number, 100, Stacks(((),) * 24))


def when(moment: TableSnapshot) -> int:
    return moment.taken_ms


def answers_to(
    event: ThrowUnclear | PlayUnclear | BoardDiffers, *truths: TrueEvent, state: RefereeState = JUST_BEGUN
) -> list[object]:
    """What the person at the table says when the event is reported after the first picture."""
    table = SimulatedTable(beats_after(*truths), BoardPlan(), when)
    inputs = table.inputs()
    next(inputs)
    table.publish(state, (event,), 500)
    return [one for one in inputs if not isinstance(one, int)]


def test_a_person_tells_the_play_that_is_asked_about_and_not_the_one_after_it() -> None:
    first = TruePlay(0, Player.BLACK, (2, 2), "", "one", EndedBy.DICE_LIFTED)
    second = TruePlay(100, Player.WHITE, (6, 6), "one", "two", EndedBy.NEXT_THROW)
    assert RefereeState().position == first.before
    assert answers_to(PlayUnclear(500, Player.BLACK, (), (), ""), first, second) == [ChoosePlay("one")]


def test_a_person_says_what_was_thrown() -> None:
    """The operator answers a question about a valid throw with its numbers; a void throw is repeated without an answer."""
    assert answers_to(ASKED, TrueThrow(0, Player.WHITE, (4, 2), ())) == [CorrectRoll((4, 2))]
    assert answers_to(ASKED, TrueThrow(0, Player.WHITE, (4, 2), (BadThrow.COCKED,))) == []


def test_a_person_says_what_was_played() -> None:
    """The operator answers a question about a legal play with its board, and a differing board with the one in play."""
    play = TruePlay(0, Player.WHITE, (4, 2), "before", "after", EndedBy.DICE_LIFTED)
    assert answers_to(PlayUnclear(500, Player.WHITE, (), (), ""), play) == [ChoosePlay("after")]
    assert answers_to(BoardDiffers(500, ("T1",), ()), play) == [CorrectBoard("after")]


def test_a_person_says_who_throws_next_where_play_went_on_after_a_refused_play() -> None:
    refused = PlayRefused(0, Player.WHITE, (4, 2), "before", "after", (), ())
    state = state_at(Phase.SET_UP, position="before", refused=refused)
    differs = BoardDiffers(500, ("T1",), ())
    first = TruePlay(0, Player.WHITE, (4, 2), "before", "after", EndedBy.DICE_LIFTED)
    then = TruePlay(100, Player.BLACK, (6, 1), "after", "later", EndedBy.DICE_LIFTED)
    double = replace(then, numbers=(6, 6))
    assert answers_to(differs, first, state=state) == [CorrectBoard("after")]
    assert answers_to(differs, first, then, state=state) == [CorrectBoard("later", Player.WHITE)]
    assert answers_to(differs, first, double, state=state) == [CorrectBoard("later")]
