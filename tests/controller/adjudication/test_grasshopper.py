"""White sits at the lower edge and plays light: point 1 is B12, 7 is B6, 13 is T1, 19 is T7."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.adjudication.grasshopper import adjudicate_grasshopper, view_of_state
from controller.adjudication.outcome import (
    AmbiguousOutcome,
    IllegalOutcome,
    LegalOutcome,
    UndecidedOutcome,
)
from controller.match.seating import ALL_SEATINGS, Seating
from controller.observing.board_evidence import BoardView
from controller.rules.grasshopper.game import PASS, START, ActionKind, State, actions, apply_action, from_text
from controller.rules.grasshopper.judge import ActionRefused, judge_action
from tests.controller.adjudication.outcomes import require
from tests.controller.board_sights import BLURRED, CLEAR, ONE_LOOK, Sight, sight_of, with_points
from vision.places import Place


def played(moves: int, seed: int = 1) -> State:
    """The state after this many random actions."""
    rng, state = random.Random(seed), START
    for _ in range(moves):
        if state.winner is None:
            state = apply_action(state, rng.choice(actions(state) or (PASS,)))
    return state


def shown(state: State) -> BoardView:
    return view_of_state(state, Seating())


class TestAnAllowedAction:
    @given(st.integers(0, 60), st.integers(0, 3), st.sampled_from(ALL_SEATINGS), st.integers(0, 999))
    @settings(max_examples=40, deadline=None)
    def test_is_the_one_on_the_board(self, moves: int, seed: int, seating: Seating, choice: int) -> None:
        before = played(moves, seed)
        if before.winner is not None:
            return
        choices = actions(before) or (PASS,)
        action = choices[choice % len(choices)]
        seen = sight_of(view_of_state(apply_action(before, action), seating), ONE_LOOK)
        outcome = require(LegalOutcome, adjudicate_grasshopper(before, seen, seating))
        assert outcome.ruling.action == action
        assert outcome.inferred == ()

    def test_may_be_a_pass_when_there_is_no_other(self) -> None:
        stuck = from_text("bbbbbb.............w.... 13 8 W -")
        outcome = require(LegalOutcome, adjudicate_grasshopper(stuck, sight_of(shown(stuck)), Seating()))
        assert outcome.ruling.action.kind is ActionKind.PASSING


class TestARefusedAction:
    @pytest.mark.parametrize(
        ("pairs", "take_back"),
        [({"B12": (1, 0), "B11": (1, 0)}, (Place.B11, Place.B12)), ({"B6": (1, 0)}, (Place.B6,)), ({}, ())],
        ids=["two entered", "entered beyond the first quadrant", "nothing done"],
    )
    def test_has_the_judges_reasons(self, pairs: dict[str, tuple[int, int]], take_back: tuple[Place, ...]) -> None:
        outcome = require(
            IllegalOutcome, adjudicate_grasshopper(START, sight_of(with_points(shown(START), **pairs)), Seating())
        )
        assert outcome.ruling == judge_action(START, outcome.after)
        assert isinstance(outcome.ruling, ActionRefused)
        assert outcome.take_back == take_back

    def test_is_a_piece_that_went_back(self) -> None:
        """From 2 to 1: where it is taken back from, and where it belongs."""
        before = from_text(".w....bW................ 11 13 W -")
        moved = with_points(shown(before), B11=(0, 0), B12=(1, 0))
        outcome = require(IllegalOutcome, adjudicate_grasshopper(before, sight_of(moved), Seating()))
        assert (outcome.take_back, outcome.belongs) == ((Place.B12,), (Place.B11,))


class TestDoubt:
    def test_between_two_actions_is_ambiguous(self) -> None:
        """A piece entered on one of two points that both lie hidden."""
        entered = with_points(shown(START), B12=(1, 0))
        hidden = Sight(hidden=[Place.B12, Place.B11])
        outcome = require(AmbiguousOutcome, adjudicate_grasshopper(START, sight_of(entered, hidden), Seating()))
        assert {option.action.target for option in outcome.options} == {1, 2}
        assert outcome.places == (Place.B11, Place.B12)

    def test_of_everything_is_no_ruling(self) -> None:
        require(
            UndecidedOutcome,
            adjudicate_grasshopper(START, sight_of(shown(START), Sight(hidden=list(Place)[:13])), Seating()),
        )

    @given(st.integers(0, 40), st.integers(0, 3))
    @settings(max_examples=25, deadline=None)
    def test_never_becomes_a_wrong_ruling(self, moves: int, seed: int) -> None:
        """A blurred picture of an allowed action is that action, or in doubt."""
        before = played(moves, seed)
        if before.winner is not None:
            return
        action = (actions(before) or (PASS,))[0]
        seen = sight_of(shown(apply_action(before, action)), BLURRED, seed=seed)
        outcome = adjudicate_grasshopper(before, seen, Seating())
        assert not isinstance(outcome, IllegalOutcome)
        assert not isinstance(outcome, LegalOutcome) or outcome.ruling.action == action

    def test_whether_anything_was_done_is_undecided(self) -> None:
        """The only free point of the first quadrant lies hidden."""
        before = START
        view = shown(before)
        hidden = Sight(hidden=[Place.B12])
        outcome = require(UndecidedOutcome, adjudicate_grasshopper(before, sight_of(view, hidden), Seating()))
        assert outcome.places == (Place.B12,)
        assert isinstance(adjudicate_grasshopper(before, sight_of(view, CLEAR), Seating()), IllegalOutcome)
