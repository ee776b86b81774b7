"""What holds for every game, whatever stands on the board and whatever is thrown.

Positions are reached by random games, or thrown together: valid, though perhaps never reached.
"""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from controller.rules import (
    RULESETS,
    Contact,
    DiceUse,
    Legal,
    Player,
    Position,
    Ruleset,
    Stage,
    first_steps,
    judge_stage,
    legal_plays,
    make_stage,
    pack_counts,
)
from controller.rules.plays.legal_steps import steps_from
from controller.rules.plays.make_field import make_field
from controller.rules.ruleset import Prime, PrimeCheck
from tests.controller.rules.boards import game
from tests.controller.rules.strategies import mirrored, numbers, stages_played, wild_positions

pytestmark = pytest.mark.broad

# Every game, and the options that change what a step or a result may be.
GAMES = {
    **RULESETS,
    "one of a pair": game("backgammon_g", home_hit_pair=False),
    "long nardy, last block": game("long_nardy", prime_check="final_only"),
    "long nardy, must have a move": game("long_nardy", prime="opponent_must_have_move"),
    "long nardy, list": game("long_nardy", head_exception="list_only"),
    "long nardy, cannot complete": game("long_nardy", head_exception="cannot_complete", head_limit=2),
    "long nardy, stack of six": game("long_nardy", max_stack=6),
    "greedy": game("old_english", dice_use="greedy"),
    "free": game("backgammon", dice_use="free"),
    "any single number": game("backgammon", larger_die=False),
    "blocks while hitting": game("backgammon", prime="need_checker_ahead"),
    "plakoto, held at home": game("plakoto", pinned_blocks_home=True, mother=False),
}
MANY, FEW = 25, 10
each_game = pytest.mark.parametrize("rules", GAMES.values(), ids=list(GAMES))
# Where a pass needs that no step exists: not where it may be chosen, or where only the last board is asked.
PASSES_WHEN_STUCK = {
    name: rules
    for name, rules in GAMES.items()
    if rules.dice_use in (DiceUse.MAX, DiceUse.NONEMPTY)
    and rules.prime is not Prime.OPPONENT_MUST_HAVE_MOVE
    and rules.prime_check is PrimeCheck.EVERY_STEP
}


@st.composite
def moments(draw: st.DrawFn, rules: Ruleset) -> tuple[Position, Player, Stage]:
    """A position, a mover and a stage to play, half of them from games."""
    if draw(st.booleans()):
        played = draw(stages_played(rules, games=1))
        return played.before, played.mover, played.stage
    stage = make_stage(draw(numbers()), first_roll=draw(st.booleans()), head_taken=draw(st.integers(0, 1)))
    return draw(wild_positions(rules)), draw(st.sampled_from(Player)), stage


@each_game
@settings(max_examples=MANY)
@given(st.data())
def test_checkers_stay_and_only_go_forward(rules: Ruleset, data: st.DataObject) -> None:
    """Each side keeps its checkers, the mover's pips never rise, and the results are all different."""
    before, mover, stage = data.draw(moments(rules))
    found = legal_plays(before, mover, stage, rules)
    assert len({play.after for play in found}) == len(found) >= 1
    for play in found:
        after = play.after
        assert after.setup.faults(rules) == before.setup.faults(rules)
        assert not after.setup.faults(rules)
        assert after.pips(mover) <= before.pips(mover)
        assert len(play.steps) + len(play.unused) == len(stage.numbers)
        if rules.contact is not Contact.HIT:
            assert after.side(mover.opponent) == before.side(mover.opponent)


@each_game
@settings(max_examples=FEW)
@given(st.data())
def test_the_judge_accepts_exactly_the_results(rules: Ruleset, data: st.DataObject) -> None:
    """Each result is legal; a board with one checker displaced is legal if and only if it is a result."""
    before, mover, stage = data.draw(moments(rules))
    results = {play.after for play in legal_plays(before, mover, stage, rules)}
    some = sorted(results, key=repr)[:: max(len(results) // 5, 1)]
    for after in some:
        ruling = judge_stage(before, mover, stage, after.setup, rules)
        assert isinstance(ruling, Legal)
        assert ruling.after == after
    near = displaced(data, data.draw(st.sampled_from([before, *some])), mover, rules)
    assume(near is not None)
    assert near is not None
    ruling = judge_stage(before, mover, stage, near.setup, rules)
    assert isinstance(ruling, Legal) == (near in results)


def displaced(data: st.DataObject, position: Position, mover: Player, rules: Ruleset) -> Position | None:
    """The board with one checker of the mover moved a few points; None where that is no position."""
    counts = list(position.counts(mover))
    source = data.draw(st.sampled_from([place for place in range(27) if counts[place]]))
    target = max(min(source, 25) - data.draw(st.integers(1, 6)), 0)
    counts[source] -= 1
    counts[target] += 1
    side = pack_counts(tuple(counts))
    moved = (
        Position(side, position.black, position.white_pinned, position.black_pinned)
        if mover is Player.WHITE
        else Position(position.white, side, position.white_pinned, position.black_pinned)
    )
    return None if moved.setup.faults(rules) else moved


@each_game
@settings(max_examples=FEW)
@given(st.data())
def test_exchanged_colours_give_mirrored_answers(rules: Ruleset, data: st.DataObject) -> None:
    before, mover, stage = data.draw(moments(rules))
    found = legal_plays(before, mover, stage, rules)
    other = legal_plays(mirrored(before), mover.opponent, stage, rules)
    assert [(play.steps, play.after) for play in found] == [(play.steps, mirrored(play.after)) for play in other]


@pytest.mark.parametrize("rules", PASSES_WHEN_STUCK.values(), ids=list(PASSES_WHEN_STUCK))
@settings(max_examples=FEW)
@given(st.data())
def test_a_pass_only_where_nothing_can_be_played(rules: Ruleset, data: st.DataObject) -> None:
    before, mover, stage = data.draw(moments(rules))
    found = legal_plays(before, mover, stage, rules)
    field = make_field(before, mover, stage, rules)
    possible = [
        number
        for number in sorted(set(stage.numbers))
        if steps_from(field, field.start, field.start_occ, number, [one for one in stage.numbers if one != number])
    ]
    passed = [play for play in found if not play.steps]
    assert bool(passed) == (not possible)
    assert not passed or (len(found) == 1 and passed[0].after == before)
    hints = first_steps(before, mover, stage, rules)
    assert {play.steps[0] for play in found if play.steps} <= set(hints)
    assert bool(hints) == bool(possible)
