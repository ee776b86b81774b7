import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.adjudication.board_view import log_likelihood, view_of
from controller.adjudication.legal_results import legal_results
from controller.match.seating import ALL_SEATINGS
from controller.observing.likelihoods import likelihoods_of
from controller.rules import TO_DECIDE, Effort, Legal, Turn, is_reachable, judge
from tests.controller.board_sights import BLURRED, sight_of
from tests.controller.rules.boards import game
from tests.controller.rules.strategies import random_game

NAMES = ("backgammon", "plakoto", "long_nardy", "backgammon_race")


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_all_together_are_what_each_is_alone(name: str, data: st.DataObject) -> None:
    """The views of the results, and how likely they are, as `view_of` and `log_likelihood` have them."""
    rules = game(name)
    turn = data.draw(st.sampled_from(random_game(rules, 1)))
    seating = data.draw(st.sampled_from(ALL_SEATINGS))
    seen = sight_of(view_of(turn.after, seating, rules), BLURRED)
    results = legal_results(turn.before, turn.mover, turn.turn.throws[0], rules, seating)
    totals = results.by_place(likelihoods_of(seen)).sum(axis=1)
    assert turn.after in results.positions
    for row in range(0, len(results.positions), 7):
        assert results.view(row) == view_of(results.positions[row], seating, rules)
        assert totals[row] == pytest.approx(log_likelihood(results.view(row), seen), abs=1e-6)


def test_a_cascade_leads_where_the_judge_says() -> None:
    """The results of three games of gul bara, and each with a checker moved one point on."""
    rules, asked = game("gul_bara"), 0
    for seed in range(3):
        for turn in random_game(rules, seed):
            throw = turn.turn.throws[0]
            if len(turn.turn.throws) > 1 or len(throw.stages) == 1 or turn.ends_game:
                continue
            for after in (turn.after.setup, turn.before.setup):
                ruling = judge(turn.before, turn.mover, Turn((throw,)), after, rules)
                assert is_reachable(
                    turn.before, turn.mover, throw, after, rules, effort=Effort(TO_DECIDE)
                ) == isinstance(ruling, Legal)
                asked += 1
            if asked > 12:
                return
    pytest.fail("too few cascades were thrown")
