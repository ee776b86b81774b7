"""A match joined in the middle: random games of which the first turns are not seen."""

import pytest

from controller.adjudication.board_view import view_of
from controller.adjudication.seating_candidates import SeatingCandidates, find_fitting_seatings, narrow_candidates
from controller.match.seating import Checkers, PictureEdge, Seating
from controller.rules import Roll, RollCounters, make_own_throw
from tests.controller.board_sights import ONE_LOOK, Sight, sight_of
from tests.controller.rules.boards import board, game
from tests.controller.rules.strategies import random_game
from vision.places import Place

BACKGAMMON = game("backgammon")


@pytest.mark.parametrize("name", ["backgammon", "long_nardy", "gulbar"])
@pytest.mark.parametrize("truth", [Seating(edge=PictureEdge.TOP), Seating(mirrored=True)])
def test_the_plays_decide(name: str, truth: Seating) -> None:
    """Within six turns, and never for a wrong one, whoever begins."""
    rules = game(name)
    truth = Seating(truth.white_plays, truth.edge, truth.mirrored, rules.white_head)
    turns = random_game(rules, 3)[20:26]
    found = find_fitting_seatings(sight_of(view_of(turns[0].before, truth, rules), ONE_LOOK), rules)
    assert truth in [candidate.seating for candidate in found.candidates]
    for turn in turns:
        if found.decision is None and len(turn.turn.throws) == 1:
            seen = sight_of(view_of(turn.after, truth, rules), Sight(looks=4))
            checkers = truth.checkers_of(turn.mover)
            found = narrow_candidates(found, turn.turn.throws[0], seen, rules, checkers=checkers)
    assert found.decision is not None
    assert found.decision.seating == truth
    assert found.decision.position == turns[-1].after or found.decision.legal < len(turns)


def test_a_board_that_is_in_doubt_decides_nothing() -> None:
    """Everything stays as it was until it is shown again."""
    before = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")
    found = find_fitting_seatings(sight_of(view_of(before, Seating(), BACKGAMMON)), BACKGAMMON)
    throw = make_own_throw(Roll.of(3, 1), BACKGAMMON, RollCounters(2, 1))
    hidden = sight_of(view_of(before, Seating(), BACKGAMMON), Sight(hidden=list(Place)[:14]))
    assert narrow_candidates(found, throw, hidden, BACKGAMMON, checkers=Checkers.LIGHT) == found


def test_an_illegal_play_alone_refutes_no_seating() -> None:
    """Under none of them it is legal, so all are left, each with one play against the rules."""
    before = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")
    after = board(BACKGAMMON, "24:2 13:3 6:5 8:3 3:1 2:1", "24:2 13:5 8:3 6:5")
    found = find_fitting_seatings(sight_of(view_of(before, Seating(), BACKGAMMON)), BACKGAMMON)
    throw = make_own_throw(Roll.of(3, 1), BACKGAMMON, RollCounters(2, 1))
    seen = sight_of(view_of(after, Seating(), BACKGAMMON))
    now = narrow_candidates(found, throw, seen, BACKGAMMON, checkers=Checkers.LIGHT)
    assert {candidate.seating for candidate in now.candidates} == {candidate.seating for candidate in found.candidates}
    assert [candidate.broken for candidate in now.candidates] == [1] * len(found.candidates)
    assert now.decision is None


def test_the_mover_is_found_where_nobody_tells() -> None:
    """Whose checkers moved, the board shows; after that the players take turns."""
    turns = random_game(BACKGAMMON, 5)[30:34]
    found = find_fitting_seatings(sight_of(view_of(turns[0].before, Seating(), BACKGAMMON)), BACKGAMMON)
    for turn in turns:
        found = narrow_candidates(
            found, turn.turn.throws[0], sight_of(view_of(turn.after, Seating(), BACKGAMMON)), BACKGAMMON
        )
    right = next(candidate for candidate in found.candidates if candidate.seating == Seating())
    assert (right.legal, right.mover, right.position) == (4, turns[-1].mover, turns[-1].after)


def test_nothing_fits_a_board_that_cannot_be_told() -> None:
    """No seating, and so no decision."""
    seen = sight_of(view_of(random_game(BACKGAMMON, 5)[30].before, Seating(), BACKGAMMON), Sight(hidden=[Place.T1]))
    assert find_fitting_seatings(seen, BACKGAMMON) == SeatingCandidates(())
    assert SeatingCandidates(()).decision is None
