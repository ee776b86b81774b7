"""Legal plays, the steps they begin with, and what may follow in the middle of one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import (
    BAR,
    OFF,
    RULESETS,
    Continuations,
    Player,
    Position,
    Setup,
    Side,
    Step,
    continuations,
    first_steps,
    legal_plays,
    list_endings,
    make_stage,
    play_text,
)
from tests.controller.rules.boards import board, game, side
from tests.controller.rules.strategies import StagePlayed, stages_played

pytestmark = pytest.mark.broad

BACKGAMMON = game("backgammon")
TWELVE = board(BACKGAMMON, "12:1", "23:2")
W = Player.WHITE


def follow(before: Position, now: Position | Setup, *numbers: int) -> Continuations:
    setup = now if isinstance(now, Setup) else now.setup
    return continuations(before, W, make_stage(numbers), setup, BACKGAMMON)


def lifted(setup: Setup, mover: Player, coordinate: int) -> Setup:
    """The board with one of the mover's checkers in his hand."""
    counts = list(setup.side(mover).counts)
    counts[coordinate] -= 1
    changed = Side.of_counts(tuple(counts), setup.side(mover).pinned)
    return Setup(changed, setup.black) if mover is Player.WHITE else Setup(setup.white, changed)


def test_a_result_comes_once_and_in_a_fixed_order() -> None:
    """13/8 and 24/23 and so on: 31 has 16 results from the start, the same ones every time."""
    before = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")
    found = legal_plays(before, W, make_stage((3, 1)), BACKGAMMON)
    assert len(found) == len({play.after for play in found}) == 16
    assert found == legal_plays(before, W, make_stage((1, 3)), BACKGAMMON)


def test_the_way_that_uses_the_most_numbers_is_given() -> None:
    """Old English, last checker on 2, roll 6-5: either number bears it off, the larger one is named."""
    rules = game("old_english")
    before = board(rules, "2:1", "24:15")
    (play,) = legal_plays(before, W, make_stage((6, 5)), rules)
    assert (play.steps, play.unused) == ((Step(2, 0, 6),), (5,))
    assert [unused for _, unused in list_endings(before, W, make_stage((6, 5)), rules)] == [(5,), (6,)]


def test_first_steps_are_those_of_legal_plays() -> None:
    """12/8 with the 4 is possible and begins no legal play; the highest source comes first."""
    assert first_steps(TWELVE, W, make_stage((6, 4)), BACKGAMMON) == (Step(12, 6, 6),)
    start = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")
    steps = first_steps(start, W, make_stage((6, 5)), BACKGAMMON)
    assert [(step.source, step.target) for step in steps] == [(24, 18), (13, 8), (13, 7), (8, 3), (8, 2)]


def test_before_the_first_step() -> None:
    assert follow(TWELVE, TWELVE, 6, 4) == Continuations((Step(12, 6, 6),), is_complete=False, in_hand=False)


def test_a_checker_in_the_hand_shows_only_its_own_targets() -> None:
    """13/7 and 13/8; and as it may have been on 7 or 8 already and been lifted again, 2."""
    before = board(BACKGAMMON, "24:2 13:5", "24:2")
    found = follow(before, lifted(before.setup, W, 13), 6, 5)
    assert found.in_hand
    assert {(step.source, step.target) for step in found.steps} == {(13, 7), (13, 8), (8, 2), (7, 2)}
    assert not found.is_complete


def test_a_finished_play_may_end() -> None:
    found = follow(TWELVE, board(BACKGAMMON, "6:1", "23:2"), 6, 4)
    assert (found.steps, found.is_complete) == ((), True)


def test_a_wrong_step_must_be_taken_back() -> None:
    """12/8 leads to no legal play: nothing follows and the stage may not end."""
    found = follow(TWELVE, board(BACKGAMMON, "8:1", "23:2"), 6, 4)
    assert (found.steps, found.is_complete) == ((), False)


def test_a_hit_checker_may_be_on_its_way_to_the_bar() -> None:
    """13/10* with 3-1, Black's blot on the bar, or in a hand: 10/9 and 13/12 go on either way."""
    before = board(BACKGAMMON, "13:2", "15:1 1:1")
    on_bar = board(BACKGAMMON, "13:1 10:1", "bar:1 1:1")
    in_hand = Setup(on_bar.setup.white, lifted(on_bar.setup, Player.BLACK, BAR).black)
    for board_now in (on_bar.setup, in_hand):
        found = follow(before, board_now, 3, 1)
        assert [(step.source, step.target) for step in found.steps] == [(13, 12), (10, 9)]
    elsewhere = board(BACKGAMMON, "13:1 10:1", "14:1 1:1")
    assert follow(before, elsewhere, 3, 1).steps == ()


def test_a_pass_is_complete_at_once() -> None:
    before = board(BACKGAMMON, "bar:1", "6:2 5:2")
    assert follow(before, before, 6, 5) == Continuations((), is_complete=True, in_hand=False)


def applied(setup: Setup, mover: Player, step: Step, rules_across: tuple[int, ...]) -> Setup:
    """The board after one step, the hit checker on the bar; in pin games it stays where it is."""
    own, other = list(setup.side(mover).counts), list(setup.side(mover.opponent).counts)
    own[step.source] -= 1
    own[step.target] += 1
    if step.hits and rules_across:
        other[rules_across[step.target]] -= 1
        other[BAR] += 1
    sides = Side.of_counts(tuple(own)), Side.of_counts(tuple(other))
    return Setup(*sides) if mover is Player.WHITE else Setup(sides[1], sides[0])


@given(st.data())
def test_each_next_step_of_a_legal_play_is_offered(data: st.DataObject) -> None:
    """Along any legal play, from the board and with the checker in the hand, in every game."""
    rules = data.draw(st.sampled_from(list(RULESETS.values())))
    played: StagePlayed = data.draw(stages_played(rules))
    mover, stage, now = played.mover, played.stage, played.before.setup
    across = (0, *map(rules.direction.across, range(1, 25))) if rules.contact.value == "hit" else ()
    play = data.draw(st.sampled_from(played.plays))
    for step in play.steps:
        found = continuations(played.before, mover, stage, now, rules)
        assert step in found.steps
        held = continuations(played.before, mover, stage, lifted(now, mover, step.source), rules)
        assert held.in_hand
        assert step in held.steps
        now = applied(now, mover, step, across)
    assert continuations(played.before, mover, stage, now, rules).is_complete


@given(st.data())
def test_off_every_legal_play_nothing_follows(data: st.DataObject) -> None:
    """A checker that went backwards, or off the board too far, belongs to no play."""
    rules = data.draw(st.sampled_from(list(RULESETS.values())))
    played: StagePlayed = data.draw(stages_played(rules))
    counts = list(played.before.counts(played.mover))
    source = data.draw(st.sampled_from([place for place in range(25) if counts[place]] or [OFF]))
    target = data.draw(st.sampled_from(list(range(source + 1, 25)) or [BAR]))
    counts[source] -= 1
    counts[target] += 1
    side, other = Side.of_counts(tuple(counts)), played.before.setup.side(played.mover.opponent)
    now = Setup(side, other) if played.mover is Player.WHITE else Setup(other, side)
    found = continuations(played.before, played.mover, played.stage, now, rules)
    assert (found.steps, found.is_complete) == ((), False)


class TestWhileHitting:
    """White plays 8/5* with 3-1: his hands may do it in any order."""

    BEFORE = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 20:1 13:5 8:2 6:5")
    WHITE_AFTER_HIT = "24:2 13:5 8:2 6:5 5:1"

    def steps(self, white: str, black: str, white_total: int = 15) -> tuple[set[str], bool]:
        now = Setup(side(white, white_total), side(black, 14))
        found = continuations(self.BEFORE, Player.WHITE, make_stage((3, 1)), now, BACKGAMMON)
        return {play_text([step]) for step in found.steps}, found.is_complete

    def test_the_blot_lies_under_the_hitter_still(self) -> None:
        now = Setup(side(self.WHITE_AFTER_HIT), side("24:2 20:1 13:5 8:2 6:5"))
        found = continuations(self.BEFORE, Player.WHITE, make_stage((3, 1)), now, BACKGAMMON)
        assert Step(6, 5, 1) in found.steps

    def test_the_blot_is_lifted_before_anything_moves(self) -> None:
        steps, is_complete = self.steps("24:2 13:5 8:3 6:5", "24:2 13:5 8:2 6:5")
        assert steps == {"8/5*", "6/5*"}
        assert not is_complete

    def test_blot_and_hitter_are_both_in_the_hands(self) -> None:
        """The hitter may come from 8, or have been on 5 already and go on."""
        steps, _ = self.steps("24:2 13:5 8:2 6:5", "24:2 13:5 8:2 6:5", white_total=14)
        assert steps == {"8/5*", "5/4"}
