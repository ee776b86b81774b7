"""Games without dice: what was done and cannot be told is asked, and the next player is not accused of it."""

import pytest

from controller.commands import ChoosePlay
from controller.events import EndedBy, Evidence, PlayMade, PlayRefused, PlayUnclear, TurnEnded
from controller.referee_state import Phase
from controller.rules import grasshopper
from controller.rules.grasshopper import Action, ActionKind, State
from controller.rules.player import Direction, Player
from controller.seating import numbers_along
from tests.controller.refereed_match import SEATING, RefereedMatch, table_of, undeclared
from vision.reading import POINTS, Place


def place_of(point: int) -> Place:
    return POINTS[numbers_along(SEATING, Player.WHITE, Direction.CONTRARY)[point - 1]]


def moves(before: State) -> list[Action]:
    """Of the first piece that may go to more than one point."""
    found = [action for action in grasshopper.actions(before) if action.kind is ActionKind.MOVE]
    return next(
        own
        for source in {action.source: None for action in found}
        if len(own := [action for action in found if action.source == source]) > 1
    )


def after(before: State, action: Action) -> str:
    return grasshopper.to_text(grasshopper.after(before, action))


def with_a_move_in_doubt() -> RefereedMatch:
    """White moves a piece to one of two points that nobody can see."""
    match = RefereedMatch.begun(table_of("grasshopper"))
    for _ in range(4):  # two pieces each come in
        state = grasshopper.from_text(match.position)
        entering = [action for action in grasshopper.actions(state) if action.kind is ActionKind.ENTER]
        match.put(after(state, entering[0]))
        match.rest(4000)
    state = grasshopper.from_text(match.position)
    ways = moves(state)[:2]
    match.hidden = frozenset(place_of(action.target) for action in ways)
    match.put(after(state, ways[0]))
    return match


def test_what_was_surely_done_and_cannot_be_told_is_asked() -> None:
    """Four seconds long it stays as it is; then a person says it."""
    match = with_a_move_in_doubt()
    match.rest(3500)
    assert not match.told(PlayUnclear)
    match.rest(1000)
    (asked,) = match.told(PlayUnclear)
    assert set(asked.places) >= {place.value for place in match.hidden}
    assert len(asked.options) > 1
    assert match.told(TurnEnded)[-1].by is EndedBy.STILL
    assert match.is_in(Phase.UNSURE)
    match.give(ChoosePlay(match.position))
    assert match.last(PlayMade).evidence is Evidence.TOLD
    assert match.state.position == match.position
    assert match.is_what_the_log_says()
    assert undeclared(match.events) == set()


def test_a_board_on_which_nothing_may_have_been_done_is_no_question() -> None:
    """A point that cannot be seen hides nothing that was missed elsewhere."""
    match = RefereedMatch.begun(table_of("grasshopper"))
    match.hidden = frozenset((place_of(12),))
    match.rest(9000)
    assert not match.told(PlayUnclear)


@pytest.mark.parametrize("acted_after_ms", [1500, 4500], ids=["before it is asked", "before it is answered"])
def test_what_two_players_did_accuses_none_of_them(acted_after_ms: int) -> None:
    """The board shows both actions, and the first of them is asked about."""
    match = with_a_move_in_doubt()
    match.rest(acted_after_ms)
    moved = match.position
    match.hidden = frozenset()
    state = grasshopper.from_text(moved)
    match.put(after(state, moves(state)[0]))
    match.rest(6000)
    assert match.is_in(Phase.UNSURE)
    assert len(match.told(PlayUnclear)) == 1
    match.give(ChoosePlay(moved))
    match.rest(4000)
    assert [made.after for made in match.told(PlayMade)[-2:]] == [moved, match.position]
    assert not match.told(PlayRefused)
