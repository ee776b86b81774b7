"""Whatever was played in random games: what is seen clearly is ruled right, and what is not is never ruled wrong."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.adjudication.adjudicate import adjudicate
from controller.adjudication.board_view import view_of
from controller.adjudication.outcome import IllegalOutcome, LegalOutcome
from controller.adjudication.turn_evidence import ThrowInPlay
from controller.match.seating import ALL_SEATINGS, Seating, place_number
from controller.rules import POINTS, Contact, Illegal, Player, Ruleset, Setup, Side, Turn, judge
from tests.controller.board_sights import BLURRED, CLEAR, ONE_LOOK, Sight, sight_of
from tests.controller.rules.boards import game
from tests.controller.rules.strategies import TurnPlayed, random_game
from vision.places import POINTS as PLACES
from vision.places import Place

pytestmark = pytest.mark.broad

GAMES = [game(name) for name in ("backgammon", "long_nardy", "plakoto", "gul_bara", "fevga", "tavla")]
each_game = pytest.mark.parametrize("rules", GAMES, ids=[rules.name for rules in GAMES])
each_seating = st.sampled_from(ALL_SEATINGS)
few = settings(max_examples=12, deadline=None)
MAY_BE_ASKED = ("gul_bara", "plakoto")  # all the same: too many ways to play; checkers below others beside heaps
_COUNTABLE = 4  # the highest stack in which a camera surely sees that one is gone


@st.composite
def turns_of_one_throw(draw: st.DrawFn, rules: Ruleset) -> TurnPlayed:
    """A turn in which nothing was handed over and no bonus roll was made."""
    played = [turn for turn in random_game(rules, draw(st.integers(0, 2))) if len(turn.turn.throws) == 1]
    return played[draw(st.integers(0, min(len(played), 60) - 1))]


def with_one_moved(turn: TurnPlayed, rules: Ruleset, seed: int) -> Setup | None:
    """The board after the turn, with one more checker of the mover's from a low stack to a free point."""
    rng = random.Random(seed)
    after, other = turn.after.setup.side(turn.mover), turn.after.setup.side(turn.mover.opponent)
    low = [point for point in POINTS if 0 < after.points[point - 1] <= _COUNTABLE and point not in after.pinned]
    free = [
        point
        for point in POINTS
        if not other.points[rules.direction.across(point) - 1] and after.points[point - 1] < _COUNTABLE
    ]
    if not low or not free:
        return None
    counts = list(after.counts)
    source = rng.choice(low)
    target = rng.choice([point for point in free if point != source] or [source - 1 or 24])
    counts[source], counts[target] = counts[source] - 1, counts[target] + 1
    side = Side.of_counts(tuple(counts), after.pinned)
    return Setup(side, other) if turn.mover is Player.WHITE else Setup(other, side)


def as_counted(setup: Setup) -> list[tuple[int, ...]]:
    """Each side's points as a camera counts them: higher stacks are alike."""
    return [tuple(min(count, _COUNTABLE + 1) for count in setup.side(player).points) for player in Player]


def in_play(turn: TurnPlayed, seating: Seating, rules: Ruleset) -> ThrowInPlay:
    return ThrowInPlay(turn.before, turn.mover, turn.turn.throws[0], seating, rules)


class TestWhatIsSeenClearly:
    @each_game
    @given(data=st.data())
    @few
    def test_is_legal_when_it_was_played_by_the_rules(self, rules: Ruleset, data: st.DataObject) -> None:
        """And the board after it is the one that was played, however the players sat."""
        turn, seating = data.draw(turns_of_one_throw(rules)), data.draw(each_seating)
        seen = sight_of(view_of(turn.after, seating, rules), data.draw(st.sampled_from((CLEAR, ONE_LOOK))))
        outcome = adjudicate(in_play(turn, seating, rules), seen)
        assert not isinstance(outcome, IllegalOutcome)
        if isinstance(outcome, LegalOutcome) or rules.name not in MAY_BE_ASKED:
            assert isinstance(outcome, LegalOutcome)
            assert outcome.ruling.after == turn.after

    @each_game
    @given(data=st.data())
    @few
    def test_is_illegal_with_the_names_of_the_judge_when_it_was_not(self, rules: Ruleset, data: st.DataObject) -> None:
        """One more checker of the mover's stands elsewhere; how high a heap is may be said to be open."""
        turn, seating = data.draw(turns_of_one_throw(rules)), data.draw(each_seating)
        after = with_one_moved(turn, rules, data.draw(st.integers(0, 99)))
        throw = turn.turn.throws[0]
        truth = None if after is None else judge(turn.before, turn.mover, Turn((throw,)), after, rules)
        if after is None or not isinstance(truth, Illegal) or rules.contact is Contact.PIN:
            return
        seen = sight_of(view_of(after, seating, rules))
        outcome = adjudicate(in_play(turn, seating, rules), seen)
        if isinstance(outcome, IllegalOutcome) or rules.name != "gul_bara":
            assert isinstance(outcome, IllegalOutcome)
            if outcome.is_sure or outcome.after == after:
                assert (outcome.ruling.rules, outcome.after) == (truth.rules, after)
            assert as_counted(outcome.after) == as_counted(after)


class TestWhatIsNot:
    @each_game
    @given(data=st.data())
    @few
    def test_accuses_nobody(self, rules: Ruleset, data: st.DataObject) -> None:
        """A legal play, blurred, with some places hidden, or with one place surely misread in a single picture."""
        turn, seating = data.draw(turns_of_one_throw(rules)), data.draw(each_seating)
        view = view_of(turn.after, seating, rules)
        hidden = Sight(hidden=data.draw(st.lists(st.sampled_from(PLACES), max_size=6)), looks=1)
        place = data.draw(st.sampled_from(PLACES))
        light, dark = view.points[place_number(place)]
        one_off: dict[Place, tuple[int, int]] = {
            place: (max(light - 1, 0), max(dark - 1, 0)) if light or dark else (1, 0)
        }
        sights = [sight_of(view, BLURRED), sight_of(view, hidden), sight_of(view, ONE_LOOK, misread=one_off)]
        for seen in sights:
            outcome = adjudicate(in_play(turn, seating, rules), seen)
            assert not isinstance(outcome, IllegalOutcome)
            assert not isinstance(outcome, LegalOutcome) or outcome.ruling.after == turn.after

    @each_game
    @given(data=st.data())
    @few
    def test_takes_nothing_for_legal_that_is_not(self, rules: Ruleset, data: st.DataObject) -> None:
        """One more checker of the mover's stands elsewhere, and the picture is blurred."""
        turn, seating = data.draw(turns_of_one_throw(rules)), data.draw(each_seating)
        after = with_one_moved(turn, rules, data.draw(st.integers(0, 99)))
        if after is None or rules.contact is Contact.PIN:
            return
        seen = sight_of(view_of(after, seating, rules), BLURRED)
        outcome = adjudicate(in_play(turn, seating, rules), seen)
        if isinstance(outcome, LegalOutcome):
            assert outcome.ruling.after.setup == after
