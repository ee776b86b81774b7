"""Games without dice: a changed board that cannot be read is asked about, and the next player is not accused of it."""

from dataclasses import replace

import pytest

from controller.match.commands import ChoosePlay, EndTurn
from controller.match.events import (
    DiceRolled,
    EndedBy,
    Evidence,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    ThrowRefused,
    ThrowUnclear,
    TurnEnded,
)
from controller.match.seating import numbers_along
from controller.refereeing.state import Phase
from controller.rules import Direction, Player
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import Action, ActionKind, State
from tests.controller.refereeing.refereed_match import SEATING, RefereedMatch, table_of
from vision.places import POINTS, Place


def place_of(point: int) -> Place:
    return POINTS[numbers_along(SEATING, Player.WHITE, Direction.CONTRARY)[point - 1]]


def moves(before: State) -> list[Action]:
    """The actions of the first piece that may go to more than one point."""
    found = [action for action in grasshopper.actions(before) if action.kind is ActionKind.MOVE]
    return next(
        own
        for source in {action.source: None for action in found}
        if len(own := [action for action in found if action.source == source]) > 1
    )


def after(before: State, action: Action) -> str:
    return grasshopper.to_text(grasshopper.apply_action(before, action))


def with_a_move_in_doubt() -> RefereedMatch:
    """White moves a piece to one of two points that nobody can see."""
    match = RefereedMatch.begun(table_of("grasshopper"))
    for _ in range(4):  # two pieces each come in
        state = grasshopper.from_text(match.position)
        entering = [action for action in grasshopper.actions(state) if action.kind is ActionKind.ENTER]
        match.put(after(state, entering[0]), rest_ms=4000)
    state = grasshopper.from_text(match.position)
    ways = moves(state)[:2]
    match.hidden = frozenset(place_of(action.target) for action in ways)
    match.put(after(state, ways[0]))
    return match


def test_a_changed_board_that_cannot_be_read_is_asked_about() -> None:
    """It is asked after four seconds without a change; then a person enters the board."""
    match = with_a_move_in_doubt()
    match.rest(3500)
    assert not match.emitted(PlayUnclear)
    match.rest(1000)
    (asked,) = match.emitted(PlayUnclear)
    assert set(asked.places) >= {place.value for place in match.hidden}
    assert len(asked.options) > 1
    assert match.emitted(TurnEnded)[-1].by is EndedBy.STILL
    assert match.is_in(Phase.UNSURE)
    match.give(ChoosePlay(match.position))
    assert match.last(PlayMade).evidence is Evidence.ENTERED
    assert match.state.position == match.position


def test_a_board_on_which_nothing_may_have_been_done_is_no_question() -> None:
    """One hidden point cannot hide a whole action."""
    match = RefereedMatch.begun(table_of("grasshopper"))
    match.hidden = frozenset((place_of(12),))
    match.rest(9000)
    assert not match.emitted(PlayUnclear)


@pytest.mark.parametrize("acted_after_ms", [1500, 4500], ids=["before it is asked", "before it is answered"])
def test_what_two_players_did_accuses_none_of_them(acted_after_ms: int) -> None:
    """The board shows both actions, and people are asked about the first."""
    match = with_a_move_in_doubt()
    match.rest(acted_after_ms)
    moved = match.position
    match.hidden = frozenset()
    state = grasshopper.from_text(moved)
    match.put(after(state, moves(state)[0]), rest_ms=6000)
    assert match.is_in(Phase.UNSURE)
    assert len(match.emitted(PlayUnclear)) == 1
    match.give(ChoosePlay(moved))
    match.rest(4000)
    assert [made.after for made in match.emitted(PlayMade)[-2:]] == [moved, match.position]
    assert not match.emitted(PlayRefused)


@pytest.mark.parametrize("goes_on", [False, True], ids=["and waits", "and the other one goes on"])
def test_who_acted_while_the_turn_before_was_in_doubt_has_had_his_turn(*, goes_on: bool) -> None:
    """Black pressed the button too early; White's next action is not held against Black."""
    match = with_a_move_in_doubt()
    first = match.position
    match.give(EndTurn(Player.WHITE))
    match.rest(1000)
    assert match.is_in(Phase.TURN_END)
    match.hidden |= {place_of(1)}
    match.put(after(grasshopper.from_text(first), moves(grasshopper.from_text(first))[0]))
    second = match.position
    match.give(EndTurn(Player.BLACK))
    match.hidden = frozenset()
    if goes_on:
        match.put(after(grasshopper.from_text(second), moves(grasshopper.from_text(second))[0]))
    match.rest(6000)
    assert match.is_in(Phase.UNSURE)
    match.give(ChoosePlay(first))
    assert match.emitted(TurnEnded)[-1].player is Player.BLACK
    match.rest(6000)
    if goes_on:
        assert match.is_in(Phase.UNSURE)
        match.give(ChoosePlay(second))
        match.rest(6000)
    assert [made.after for made in match.emitted(PlayMade)][4:] == [
        first,
        second,
        *([match.position] if goes_on else []),
    ]
    assert not match.emitted(PlayRefused)


def entered() -> tuple[RefereedMatch, Action]:
    """White entered a piece two seconds ago, which is not accepted yet; returns one of Black's possible actions."""
    match = RefereedMatch.begun(table_of("grasshopper"))
    state = grasshopper.from_text(match.position)
    match.put(after(state, grasshopper.actions(state)[0]), rest_ms=2000)
    assert not match.emitted(PlayMade)
    return match, grasshopper.actions(grasshopper.from_text(match.position))[0]


def test_an_action_before_the_other_was_accepted_is_in_turn() -> None:
    """Both are accepted, the first one as inferred, as soon as the board shows them."""
    match, action = entered()
    first = match.position
    match.put(after(grasshopper.from_text(first), action), rest_ms=500)
    assert [(made.after, made.evidence) for made in match.emitted(PlayMade)] == [(first, Evidence.INFERRED)]
    match.rest(4000)
    assert [made.after for made in match.emitted(PlayMade)] == [first, match.position]
    assert not match.emitted(PlayRefused)


def test_two_actions_of_one_player_are_no_turn_of_the_other() -> None:
    """White brings in a second piece."""
    match, _ = entered()
    text = match.position.split(" ")
    state = grasshopper.from_text(" ".join((*text[:3], "W", *text[4:])))
    match.put(after(state, grasshopper.actions(state)[0]), rest_ms=6000)
    assert match.emitted(PlayRefused)
    assert not match.emitted(PlayMade)


def test_what_was_taken_back_is_not_remembered() -> None:
    """White takes up his piece again, and Black brings one in: it was not Black's turn."""
    match, action = entered()
    first = match.position
    match.put(match.state.position, rest_ms=1000)
    black = grasshopper.apply_action(grasshopper.from_text(first), action)
    start = grasshopper.from_text(match.position)
    points = tuple(
        stack if stack.count(Player.BLACK) else was for stack, was in zip(black.points, start.points, strict=True)
    )
    match.put(grasshopper.to_text(replace(start, points=points, black_hand=black.black_hand)), rest_ms=6000)
    assert match.emitted(PlayRefused)


def ended_against_the_rules() -> tuple[RefereedMatch, State]:
    """A second ago White brought in two pieces and pressed the button; returns the board, with Black on turn."""
    match = RefereedMatch.begun(table_of("grasshopper"))
    state = grasshopper.from_text(match.position)
    for _ in range(2):
        state = grasshopper.apply_action(replace(state, to_act=Player.WHITE), grasshopper.actions(state)[0])
    match.put(grasshopper.to_text(state))
    match.give(EndTurn(Player.WHITE))
    match.rest(1000)
    assert not match.emitted(PlayRefused)
    return match, state


def test_what_the_next_player_did_is_not_laid_to_the_one_before() -> None:
    """The board changed under a hand before it was reported: people are asked."""
    match, state = ended_against_the_rules()
    match.put(after(state, grasshopper.actions(state)[0]), rest_ms=6000)
    assert not match.emitted(PlayRefused)
    assert match.is_in(Phase.UNSURE)
    assert len(match.emitted(PlayUnclear)) == 1


def test_a_hand_that_changes_nothing_saves_nobody() -> None:
    """The board is refused as it is."""
    match, state = ended_against_the_rules()
    match.put(grasshopper.to_text(state), rest_ms=3000)
    assert match.emitted(PlayRefused)
    assert not match.emitted(PlayUnclear)


def test_dice_on_the_board_mean_nothing() -> None:
    """A game without dice goes on beside them, while a turn is in doubt too."""
    match = with_a_move_in_doubt()
    match.rest(4500)
    assert match.emitted(PlayUnclear)
    events = match.throw(6, 1) + match.rest(2000)
    assert not any(isinstance(event, (DiceRolled, ThrowRefused, ThrowUnclear)) for event in events)
    assert match.is_in(Phase.UNSURE)
    assert match.is_what_the_log_says()
