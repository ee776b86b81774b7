"""One position at a time; White sits at the lower edge and plays light: his 1 is B12, 6 B7, 8 B5, 13 T1, 24 T12."""

from dataclasses import replace

import pytest

from controller.adjudication.adjudicate import adjudicate
from controller.adjudication.board_view import view_of
from controller.adjudication.outcome import AmbiguousOutcome, IllegalOutcome, LegalOutcome, Outcome, UndecidedOutcome
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS
from controller.adjudication.turn_evidence import ThrowInPlay
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence, BoardView
from controller.rules import (
    FollowKind,
    Player,
    Position,
    Roll,
    RollCounters,
    Rule,
    Ruleset,
    make_own_throw,
    start_position,
)
from tests.controller.adjudication.outcomes import require
from tests.controller.board_sights import CLEAR, ONE_LOOK, Sight, sight_of, with_points
from tests.controller.rules.boards import board, game
from vision.places import POINTS, Place

BACKGAMMON, LONG_NARDY, PLAKOTO, GUL_BARA = (game(name) for name in ("backgammon", "long_nardy", "plakoto", "gul_bara"))
START = start_position(BACKGAMMON)
AS_IT_STARTS = view_of(START, Seating(), BACKGAMMON)
MADE_THE_FIVE_POINT = with_points(AS_IT_STARTS, B5=(2, 0), B7=(4, 0), B8=(2, 0))  # 3-1: 8/5 6/5
HITTING = board(BACKGAMMON, "13:15", "24:1 15:1 6:13")
HIT = board(BACKGAMMON, "13:13 10:1 8:1", "bar:1 24:1 6:13")  # 5-3 from there


def adjudicated(
    seen: BoardEvidence, *numbers: int, before: Position = START, rules: Ruleset = BACKGAMMON, bar_is_used: bool = True
) -> Outcome:
    """White's throw of two numbers, late in the game."""
    throw = make_own_throw(Roll.of(*numbers), rules, RollCounters(8, 4))
    return adjudicate(ThrowInPlay(before, Player.WHITE, throw, Seating(), rules, bar_is_used), seen)


def standing(after: Position, rules: Ruleset = BACKGAMMON) -> BoardView:
    return view_of(after, Seating(), rules)


class TestAnIllegalBoard:
    PLAYED = with_points(AS_IT_STARTS, B5=(2, 0), B11=(1, 0))  # 8/2 with 3-1

    def test_is_sure_where_nothing_else_comes_near(self) -> None:
        outcome = require(IllegalOutcome, adjudicated(sight_of(self.PLAYED), 3, 1))
        assert outcome.is_sure

    def test_is_illegal_all_the_same_where_another_one_does(self) -> None:
        """8/2 or 8/3: neither is allowed, and which of them was played is open."""
        seen = sight_of(self.PLAYED)
        points = seen.points.copy()
        for place in (Place.B10, Place.B11):
            points[POINTS.index(place), 0, 0] = points[POINTS.index(place), 1, 1] = -0.7
        outcome = require(IllegalOutcome, adjudicated(replace(seen, points=points), 3, 1))
        assert not outcome.is_sure


class TestALegalPlay:
    def test_is_the_one_on_the_board(self) -> None:
        """3-1 played 8/5 6/5: the position after it, what follows, and nothing was guessed."""
        outcome = require(LegalOutcome, adjudicated(sight_of(MADE_THE_FIVE_POINT), 3, 1))
        assert outcome.ruling.after == board(BACKGAMMON, "24:2 13:5 8:2 6:4 5:2", "24:2 13:5 8:3 6:5")
        assert outcome.ruling.follow.kind is FollowKind.END_TURN
        assert outcome.view == MADE_THE_FIVE_POINT
        assert outcome.confidence > 0.95
        assert outcome.inferred == ()

    def test_survives_a_doubtful_place(self) -> None:
        """A stack of five that reads more like four: every legal play leaves five, and the place counts as inferred."""
        seen = sight_of(MADE_THE_FIVE_POINT)
        points = seen.points.copy()
        points[POINTS.index(Place.T1), 1, 4:6] = -0.5, -1.0
        outcome = require(LegalOutcome, adjudicated(replace(seen, points=points), 3, 1))
        assert outcome.inferred == (Place.T1,)

    def test_may_be_no_step_at_all(self) -> None:
        """White is on the bar before a closed home: the unchanged board is the one legal result."""
        before = board(BACKGAMMON, "bar:1 13:14", "6:2 5:2 4:2 3:2 2:2 1:2 15:3")
        outcome = require(LegalOutcome, adjudicated(sight_of(standing(before)), 6, 5, before=before))
        assert outcome.ruling.steps == ()

    def test_bears_off_out_of_view(self) -> None:
        """The last checker is nowhere and no tray is in view: it was borne off, and the tray counts as inferred."""
        before, after = board(BACKGAMMON, "1:1", "13:15"), board(BACKGAMMON, "", "13:15")
        outcome = require(LegalOutcome, adjudicated(sight_of(standing(after)), 6, 5, before=before))
        assert outcome.ruling.follow.kind is FollowKind.GAME_OVER
        assert Place.TRAY in outcome.inferred

    def test_hits_and_the_checker_lies_on_the_bar(self) -> None:
        """5-3 with a hit: Black's blot is on the bar."""
        outcome = require(LegalOutcome, adjudicated(sight_of(standing(HIT)), 5, 3, before=HITTING))
        assert outcome.ruling.after == HIT

    @pytest.mark.parametrize(
        ("after", "sides"), [("hit", HIT), ("not hit", board(BACKGAMMON, "13:14 5:1", "24:1 15:1 6:13"))]
    )
    def test_needs_no_bar_where_the_board_has_none(self, after: str, sides: Position) -> None:
        """The hit checker is in a hand; whether there is one follows from the count of checkers."""
        shown = replace(standing(sides), bar=(0, 0))
        outcome = adjudicated(sight_of(shown), 5, 3, before=HITTING, bar_is_used=False)
        assert isinstance(outcome, LegalOutcome), after
        assert outcome.ruling.after == sides

    def test_says_nothing_of_a_bar_that_the_board_does_not_have(self) -> None:
        """The evidence knows it, whatever was agreed. What is legal is not inferred from the bar."""
        seen = replace(sight_of(replace(standing(HIT), bar=(0, 0))), has_bar=False)
        outcome = require(LegalOutcome, adjudicated(seen, 5, 3, before=HITTING))
        assert outcome.ruling.after == HIT
        assert Place.BAR not in outcome.inferred

    def test_from_the_bar_that_the_board_does_not_have(self) -> None:
        """A checker beside the board enters first. A play without it is illegal, and no bar is named."""
        before = board(BACKGAMMON, "bar:1 13:14", "24:2 6:13")
        entered = board(BACKGAMMON, "20:1 13:13 10:1", "24:2 6:13")
        seen = replace(sight_of(standing(entered)), has_bar=False)
        assert require(LegalOutcome, adjudicated(seen, 5, 3, before=before)).ruling.after == entered
        stayed = replace(standing(board(BACKGAMMON, "bar:1 13:12 10:1 8:1", "24:2 6:13")), bar=(0, 0))
        outcome = require(IllegalOutcome, adjudicated(replace(sight_of(stayed), has_bar=False), 5, 3, before=before))
        assert Rule.BAR_FIRST in outcome.ruling.rules
        assert Place.BAR not in {*outcome.take_back, *outcome.belongs}

    def test_pins_a_checker_that_cannot_be_seen_any_more(self) -> None:
        """Plakoto, 5-1: the blot on White's 5 lies below now; that it is there follows from the count."""
        before = board(PLAKOTO, "24:14 10:1", "24:14 20:1")
        after = board(PLAKOTO, "24:13 23:1 5:1", "24:14 20:1", pins={Player.BLACK: {20}})
        outcome = require(
            LegalOutcome, adjudicated(sight_of(standing(after, PLAKOTO)), 5, 1, before=before, rules=PLAKOTO)
        )
        assert outcome.ruling.after == after


class TestAnIllegalPlay:
    def test_is_named_by_its_rule(self) -> None:
        """Only the 3 of 3-1 was played, 13/10."""
        outcome = require(IllegalOutcome, adjudicated(sight_of(with_points(AS_IT_STARTS, T1=(4, 0), B3=(1, 0))), 3, 1))
        assert outcome.ruling.rules[0] is Rule.MUST_PLAY_MORE

    def test_is_undone_by_what_it_says(self) -> None:
        """13/10 only: the checker on B3 goes back to T1."""
        outcome = require(IllegalOutcome, adjudicated(sight_of(with_points(AS_IT_STARTS, T1=(4, 0), B3=(1, 0))), 3, 1))
        assert (outcome.take_back, outcome.belongs) == ((Place.B3,), (Place.T1,))
        assert outcome.after.white.points[10 - 1] == 1

    def test_is_a_hit_checker_that_left_the_board(self) -> None:
        """The bar is empty and Black has fourteen: the hit checker does not lie on the bar."""
        outcome = require(
            IllegalOutcome, adjudicated(sight_of(replace(standing(HIT), bar=(0, 0))), 5, 3, before=HITTING)
        )
        assert outcome.ruling.rules[0] is Rule.HIT_NOT_ON_BAR

    @pytest.mark.parametrize("likelier", [3.0, 9.0])
    def test_is_named_as_if_a_blot_that_nobody_touched_lay_there(self, likelier: float) -> None:
        """White's 8/4 6/5 with 3-1. A blot of Black's is hard to see: unless it is plainly gone, none is missing."""
        before = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:4 8:3 6:5 10:1")  # his 10 is T10
        seen = sight_of(with_points(standing(before), B5=(2, 0), B7=(4, 0), B8=(1, 0), B9=(1, 0)))
        points = seen.points.copy()
        number = next(number for number, pair in enumerate(standing(before).points) if pair == (0, 1))
        points[number, 0, 0], points[number, 2, 1] = 0.0, -likelier
        outcome = require(IllegalOutcome, adjudicated(replace(seen, points=points), 3, 1, before=before))
        assert outcome.ruling.rules[0] is Rule.WRONG_NUMBERS
        assert (Rule.CHECKER_MISSING in outcome.ruling.rules) is (likelier > 5)
        assert (outcome.view.totals == (15, 15)) is (likelier < 5)

    def test_is_named_without_a_checker_that_may_lie_on_a_heap(self) -> None:
        """White's 13/6 with 4-3 onto five is legal, the sixth is hard to see, and a checker of Black's was moved."""
        before = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")
        played = with_points(standing(before), T1=(4, 0), B7=(6, 0), T5=(0, 2), T6=(0, 1))
        seen = sight_of(played, Sight(tray_in_view=True))
        points = seen.points.copy()
        points[POINTS.index(Place.B7), 1, 5], points[POINTS.index(Place.B7), 1, 6] = 0.0, -4.0
        throw = make_own_throw(Roll.of(4, 3), BACKGAMMON, RollCounters(8, 4))
        easily = replace(DEFAULT_THRESHOLDS, count_mismatch_cost=-0.5)  # the board without it is the likeliest one then
        outcome = require(
            IllegalOutcome,
            adjudicate(
                ThrowInPlay(before, Player.WHITE, throw, Seating(), BACKGAMMON), replace(seen, points=points), easily
            ),
        )
        assert outcome.ruling.rules == (Rule.OPPONENT_MOVED,)

    def test_is_named_by_what_has_changed(self) -> None:
        """Black's blot is read as gone with little doubt, and the picture changed where it lay: it is gone."""
        before = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:4 8:3 6:5 10:1")  # his 10 is T10
        seen = sight_of(with_points(standing(before), B5=(2, 0), B7=(4, 0), B8=(1, 0), B9=(1, 0)))
        points, blot = seen.points.copy(), standing(before).points.index((0, 1))
        points[blot, 0, 0], points[blot, 2, 1] = 0.0, -3.0
        outcome = require(
            IllegalOutcome, adjudicated(replace(seen, points=points, changed=frozenset({blot})), 3, 1, before=before)
        )
        assert Rule.CHECKER_MISSING in outcome.ruling.rules

    @pytest.mark.parametrize(("has_changed", "rule"), [(True, Rule.OPPONENT_MOVED), (False, Rule.CHECKER_EXTRA)])
    def test_is_no_checker_too_many_where_one_was_taken_from_a_place_that_changed(
        self, *, has_changed: bool, rule: Rule
    ) -> None:
        """Black's third checker went to the next point; three are still read where the picture may have changed."""
        seen = sight_of(with_points(MADE_THE_FIVE_POINT, T6=(0, 1)))
        points, three = seen.points.copy(), POINTS.index(Place.T5)
        points[three, 2, 3], points[three, 2, 2] = 0.0, -3.0
        changed = frozenset({three} if has_changed else ())
        outcome = require(IllegalOutcome, adjudicated(replace(seen, points=points, changed=changed), 3, 1))
        assert outcome.ruling.rules == (rule,)

    def test_is_a_checker_that_is_gone(self) -> None:
        """Black's, from a stack of three; he does not bear off in White's turn."""
        outcome = require(IllegalOutcome, adjudicated(sight_of(with_points(MADE_THE_FIVE_POINT, T5=(0, 2))), 3, 1))
        assert outcome.ruling.rules == (Rule.CHECKER_MISSING,)

    @pytest.mark.parametrize("shown", [(1, 5), (0, 6)], ids=["as both colours", "all as the colour that has more"])
    def test_is_a_checker_put_upon_the_others(self, shown: tuple[int, int]) -> None:
        """13/12 13/10 with 3-1 onto five of Black's: a reader may not know points with both colours."""
        seen = sight_of(with_points(AS_IT_STARTS, T1=(3, 0), B3=(1, 0), B1=shown))
        if all(shown):
            points = seen.points.copy()
            points[POINTS.index(Place.B1), 1:3, 1:], points[POINTS.index(Place.B1), 3, sum(shown)] = -20.0, 0.0
            seen = replace(seen, points=points)
        outcome = require(IllegalOutcome, adjudicated(seen, 3, 1))
        assert outcome.ruling.rules[0] is Rule.CLOSED_POINT
        assert outcome.take_back == (Place.B1, Place.B3)

    @pytest.mark.parametrize("place", [Place.T1, Place.T7, Place.B1, Place.B12])
    def test_is_no_glare_that_looks_like_the_other_colour(self, place: Place) -> None:
        """A legal play, and a point elsewhere on which some faces read as the other colour: no checker came there."""
        seen = sight_of(MADE_THE_FIVE_POINT)
        points, number = seen.points.copy(), POINTS.index(place)
        points[number, 3, sum(MADE_THE_FIVE_POINT.points[number])] = points[number].max() + 6.0
        assert isinstance(adjudicated(replace(seen, points=points), 3, 1), LegalOutcome)

    @pytest.mark.parametrize("shown", [(2, 0), (0, 2)], ids=["as the mover's", "as the other's"])
    def test_is_one_upon_one_where_that_is_forbidden(self, shown: tuple[int, int]) -> None:
        """Long nardy, 5-1 onto a single checker: two checkers of different colours may be read as either colour."""
        others, opponent = "24:4 23:5 22:5", "24:4 23:5 22:5 2:1"
        before = board(LONG_NARDY, f"{others} 20:1", opponent)
        stands = standing(board(LONG_NARDY, f"{others} 15:1", opponent), LONG_NARDY)
        number = stands.points.index((0, 1))
        put_upon = BoardView((*stands.points[:number], shown, *stands.points[number + 1 :]))
        less = put_upon.points.index((1, 0))
        seen = sight_of(BoardView((*put_upon.points[:less], (0, 0), *put_upon.points[less + 1 :])))
        outcome = require(IllegalOutcome, adjudicated(seen, 5, 1, before=before, rules=LONG_NARDY))
        assert outcome.ruling.rules[0] is Rule.CLOSED_POINT

    def test_of_a_single_place_is_undecided_in_one_picture(self) -> None:
        """A single reading may be a misreading, so the play is not called illegal."""
        outcome = require(
            UndecidedOutcome, adjudicated(sight_of(with_points(MADE_THE_FIVE_POINT, T5=(0, 2)), ONE_LOOK), 3, 1)
        )
        assert outcome.places == (Place.T5,)
        assert "T5" in outcome.sentence

    def test_of_a_cascade_is_illegal_too(self) -> None:
        """Gul bara: of a cascade from 5-5 only two fives were played, with all sixes to come."""
        before = board(GUL_BARA, "24:8 20:7", "24:15")
        after = board(GUL_BARA, "24:8 20:5 15:2", "24:15")
        outcome = require(
            IllegalOutcome, adjudicated(sight_of(standing(after, GUL_BARA)), 5, 5, before=before, rules=GUL_BARA)
        )
        assert outcome.ruling.rules[0] is Rule.MUST_PLAY_MORE


class TestDoubt:
    def test_a_checker_too_many_leaves_no_play_to_be_snapped_to(self) -> None:
        """8/5 6/4 was played, and the one on the 5 point is surely read as two: 8/5 6/5, were it not for the other."""
        seen = sight_of(with_points(MADE_THE_FIVE_POINT, B9=(1, 0)))
        points = seen.points.copy()
        points[POINTS.index(Place.B9), 0, 0], points[POINTS.index(Place.B9), 1, 1:3] = -2.8, (-0.34, -2.0)
        outcome = require(UndecidedOutcome, adjudicated(replace(seen, points=points), 3, 1))
        assert outcome.places == (Place.B9,)

    def test_between_two_plays_is_ambiguous(self) -> None:
        """3-2 played 13/11 13/10 while those points lie hidden: it may as well have been 13/8, or 13/10 8/6.

        After the last a sixth checker would lie upon five others, where a camera hardly sees it.
        """
        after = with_points(AS_IT_STARTS, T1=(3, 0), B2=(1, 0), B3=(1, 0))
        outcome = require(
            AmbiguousOutcome, adjudicated(sight_of(after, Sight(hidden=(Place.T1, Place.B2, Place.B3, Place.B5))), 3, 2)
        )
        assert {option.after for option in outcome.options} == {
            board(BACKGAMMON, "24:2 13:3 11:1 10:1 8:3 6:5", "24:2 13:5 8:3 6:5"),
            board(BACKGAMMON, "24:2 13:4 8:4 6:5", "24:2 13:5 8:3 6:5"),
            board(BACKGAMMON, "24:2 13:4 10:1 8:2 6:6", "24:2 13:5 8:3 6:5"),
        }
        assert set(outcome.places) == {Place.T1, Place.B2, Place.B3, Place.B5, Place.B7}

    def test_whether_anything_was_played(self) -> None:
        """White has one play, 24/18/13, and both its ends lie hidden: perhaps he has not moved yet."""
        before = board(BACKGAMMON, "24:1 3:14", "20:2 19:2 17:11")
        outcome = require(
            UndecidedOutcome,
            adjudicated(sight_of(standing(before), Sight(hidden=(Place.T12, Place.T1))), 6, 5, before=before),
        )
        assert set(outcome.places) == {Place.T12, Place.T1}

    def test_where_a_checker_went(self) -> None:
        """The picture favours the legal place slightly; that is not enough."""
        seen = sight_of(MADE_THE_FIVE_POINT)
        points = seen.points.copy()
        for place, taken, empty in ((Place.B8, 0.0, -0.5), (Place.B9, -1.0, 0.0)):
            points[POINTS.index(place), 1, 1:3] = taken
            points[POINTS.index(place), 0, 0] = empty
        outcome = require(UndecidedOutcome, adjudicated(replace(seen, points=points), 3, 1))
        assert {Place.B8, Place.B9} <= set(outcome.places)

    def test_of_everything_is_no_ruling(self) -> None:
        """A cloth over half of the board: whatever the rest shows, nothing is ruled."""
        hidden = Sight(hidden=POINTS[:12])
        outcome = require(UndecidedOutcome, adjudicated(sight_of(MADE_THE_FIVE_POINT, hidden), 3, 1))
        assert outcome.places == POINTS[:12]

    def test_does_not_go_away_by_looking_often(self) -> None:
        """Ten thousand readings of a place that reads as empty and as taken alike leave it as open as a few."""
        seen = sight_of(with_points(AS_IT_STARTS, T1=(4, 0), B3=(1, 0)))
        points = seen.points.copy()
        points[POINTS.index(Place.B3), 0, 0] = points[POINTS.index(Place.B3), 1, 1]
        often = replace(seen, points=points, frame_count=10_000)
        once = replace(seen, points=points, frame_count=4)
        assert type(adjudicated(often, 3, 1)) is type(adjudicated(once, 3, 1))


def test_more_trust_never_turns_doubt_into_a_ruling_against() -> None:
    """A clear legal board is legal however little a reading is trusted to be wrong."""
    careless = replace(DEFAULT_THRESHOLDS, trust=replace(DEFAULT_THRESHOLDS.trust, one_off=1e-8, appears=1e-8))
    throw = make_own_throw(Roll.of(3, 1), BACKGAMMON, RollCounters(8, 4))
    seen = sight_of(MADE_THE_FIVE_POINT, CLEAR)
    require(LegalOutcome, adjudicate(ThrowInPlay(START, Player.WHITE, throw, Seating(), BACKGAMMON), seen, careless))


class TestRunnerUp:
    """The legal play that comes next after the one that was ruled."""

    OTHER = with_points(AS_IT_STARTS, B5=(2, 0), B8=(1, 0), T12=(1, 0), T11=(1, 0))  # 8/5 24/23

    def seen_with_a_doubt(self, nats: float) -> BoardEvidence:
        """8/5 6/5, where each of the four places at which 8/5 24/23 differs speaks against that by `nats`."""
        seen = sight_of(MADE_THE_FIVE_POINT, CLEAR)
        points = seen.points.copy()
        for number, (was, other) in enumerate(zip(MADE_THE_FIVE_POINT.points, self.OTHER.points, strict=True)):
            if was != other:
                points[number, min(other[0], 1), other[0]] = points[number].max() - nats
        return replace(seen, points=points)

    def test_is_told_where_it_comes_near(self) -> None:
        outcome = require(LegalOutcome, adjudicated(self.seen_with_a_doubt(1.8), 3, 1))
        assert outcome.view == MADE_THE_FIVE_POINT
        assert outcome.runner_up is not None
        assert standing(outcome.runner_up.ruling.after) == self.OTHER
        assert DEFAULT_THRESHOLDS.apart < outcome.runner_up.nats < DEFAULT_THRESHOLDS.named_within

    def test_is_less_likely_the_more_speaks_against_it(self) -> None:
        near, far = (
            require(LegalOutcome, adjudicated(self.seen_with_a_doubt(by), 3, 1)).runner_up for by in (1.7, 1.9)
        )
        assert near is not None
        assert far is not None
        assert near.nats < far.nats

    def test_is_not_told_where_nothing_comes_near(self) -> None:
        assert require(LegalOutcome, adjudicated(sight_of(MADE_THE_FIVE_POINT, CLEAR), 3, 1)).runner_up is None
