"""Turns that could not be seen or read before play went on: nobody is accused, and people are asked what they know."""

from dataclasses import replace

import numpy as np
import pytest

from controller.adjudication.board_view import view_of
from controller.match import events
from controller.match.commands import ChoosePlay
from controller.match.seating import numbers_along
from controller.observing.board_evidence import BoardEvidence, BoardView
from controller.refereeing.known_misreadings import ReferenceBoard
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.judging import end_turn, judge_turn
from controller.refereeing.referee import apply_event
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import (
    IllegalVerdict,
    LegalVerdict,
    PlayVerdict,
    UnclearVerdict,
    judge_board,
    require_confirmation,
)
from controller.rules import BAR, Rule, get_ruleset, parse_setup, position_text, start_position
from tests.controller.board_sights import picture_of, sight_of, with_points
from tests.controller.refereeing.refereed_match import (
    BLACK,
    CLEAR,
    LEGAL_PLACES,
    SEATING,
    WHITE,
    RefereedMatch,
    moved,
    opened,
    table_of,
    to_throw,
)
from vision.dice.readings import DieState
from vision.places import POINTS, Place

BACKGAMMON = get_ruleset("backgammon")
START = position_text(start_position(BACKGAMMON))


def test_an_unseen_turn_is_inferred_from_the_next_one() -> None:
    """The opponent threw and reached in before the board could be seen; only one play fits what stands there then."""
    match = opened()
    overtaken(match, moved(match.position, WHITE, (8, 5), (6, 5)))
    match.play(BLACK, (24, 14))
    first, second = match.emitted(events.PlayMade)
    assert (first.play, first.evidence) == ("8/5 6/5", events.Evidence.INFERRED)
    assert (second.play, second.evidence) == ("24/14", events.Evidence.SEEN)


def test_an_unclear_turn_is_asked_about_with_its_doubtful_places() -> None:
    """All but three points were visible; the question names them although the opponent threw and reached in."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    match.hidden = LEGAL_PLACES
    match.lift()
    match.throw(6, 4)
    assert not match.emitted(events.PlayUnclear)
    match.frame(hand=True)
    assert set(match.only(events.PlayUnclear).places) == {place.value for place in match.hidden}


def test_a_die_that_settles_while_a_play_is_put_right_belongs_to_the_next_throw() -> None:
    """The second die is overlooked: the first one does not settle again, and people are asked about it all the same."""
    match = opened()
    match.perhaps_more_dice = True
    start = match.position
    match.put(moved(start, WHITE, (8, 4), (6, 5)))
    match.lift(rest_ms=2000)
    assert match.is_in(Phase.ILLEGAL)
    match.frame(hand=True)
    match.position = moved(start, WHITE, (8, 5), (6, 5))
    match.throw(3, rest_ms=2000)
    assert match.last(events.PlayMade).play == "8/5 6/5"
    assert not match.emitted(events.ThrowUnclear)
    match.rest(3000)
    assert match.last(events.ThrowUnclear).values == (3,)


MOST_POINTS = frozenset(POINTS[number] for number in range(4, 20))


def played_with_the_rest_left() -> RefereedMatch:
    """White has played all he can of 4-4, whose dice lie there; 4-4-5-5-6-6 is left for Black, who need not throw."""
    match = opened("crazy_gulbar")
    match.lift()
    match.throw(4, 4)
    match.put(moved(match.position, WHITE, (24, 6)))
    return match


@pytest.mark.parametrize(("rests_ms", "is_asked"), [(2000, False), (6000, True)])
def test_numbers_handed_over_before_the_verdict_accuse_nobody(rests_ms: int, *, is_asked: bool) -> None:
    """White's heap cannot be counted; Black, who need not throw for what is left, plays on: whose play stands there?

    While nobody has been asked, White's play is accepted as soon as it shows.
    """
    match = played_with_the_rest_left()
    after = match.position
    match.hidden = MOST_POINTS
    match.lift()
    match.rest(rests_ms)
    assert match.is_in(Phase.TURN_END, Phase.UNSURE)
    match.hidden = frozenset()
    match.put(moved(after, BLACK, (24, 18), (24, 18)), rest_ms=3000)
    assert bool(match.emitted(events.PlayUnclear)) is is_asked
    if not is_asked:
        assert [one.play for one in match.emitted(events.PlayMade)] == ["24/6", "pass"]
    assert not match.emitted(events.PlayRefused)


def test_who_plays_what_was_handed_over_under_a_hand_that_nobody_recognises_gets_nobody_accused() -> None:
    """White's heap is doubtful, Black plays number by number, and throws before anything has stood still for long."""
    match = played_with_the_rest_left()
    after = match.position
    match.hidden = MOST_POINTS
    match.lift(rest_ms=600)
    match.hidden = frozenset()
    for steps in (((24, 20),), ((24, 20), (24, 14))):  # 4, then 4 and 6-4: not yet all that was handed over
        match.position = moved(after, BLACK, *steps)
        match.rest(600)
    match.throw(6, 5, rest_ms=3000)
    assert not match.emitted(events.PlayRefused)


def test_what_was_handed_over_and_played_before_the_first_look_gets_nobody_accused() -> None:
    """No settled board came between White's lifting and Black's play."""
    match = played_with_the_rest_left()
    after = match.position
    match.lift(is_settled=False)
    match.put(moved(after, BLACK, (24, 20)), rest_ms=3000)
    assert match.is_asked_and_not_refused()


def test_an_illegal_play_is_reported_where_nothing_is_handed_over() -> None:
    """The roll was to be played whole, so a hand in between is White's own."""
    match = opened("crazy_gulbar")
    match.lift()
    match.throw(6, 5)
    after = moved(match.position, WHITE, (24, 20), (24, 19))
    match.put(after)
    match.hidden = MOST_POINTS
    match.lift(rest_ms=300)
    match.hidden = frozenset()
    match.put(after, rest_ms=3000)
    assert match.emitted(events.PlayRefused)


def test_a_person_enters_an_unseen_turn() -> None:
    """The throw that was made meanwhile counts then."""
    match = opened()
    after = moved(match.position, WHITE, (8, 5), (6, 5))
    overtaken(match, after)
    match.give(ChoosePlay(after))
    assert (match.state.on_turn, match.roll) == (BLACK, (6, 4))


def test_a_board_with_two_plays_on_it_is_no_offence() -> None:
    """Frames were missed: White's play, Black's throw and Black's play are seen at once; both plays count."""
    match = opened()
    after = moved(match.position, WHITE, (8, 5), (6, 5))
    match.position = moved(after, BLACK, (24, 14))
    match.dice = ()
    match.throw(6, 4)
    assert match.ends_with(events.TurnEnded, events.PlayMade, events.DiceRolled)
    assert (match.state.position, match.state.on_turn) == (after, BLACK)
    match.lift()
    assert match.last(events.PlayMade).play == "24/14"
    assert not match.emitted(events.PlayRefused)


def test_what_stood_there_before_the_throw_was_not_played_with_it() -> None:
    """White moves Black's checker by what becomes Black's next roll: the board showed it for a second before."""
    match = opened()
    both = moved(moved(match.position, WHITE, (8, 5), (6, 5)), BLACK, (24, 14))
    match.put(both)
    match.lift(rest_ms=1200)
    assert not match.emitted(events.PlayRefused)
    match.throw(6, 4)
    assert match.emitted(events.PlayRefused)
    assert not match.emitted(events.PlayMade)


def overtaken(match: RefereedMatch, after: str) -> None:
    """White's play is never seen; Black throws 6-4 and reaches in at once."""
    match.frame(hand=True)
    match.position = after
    match.lift(is_settled=False)
    match.throw(6, 4, is_settled=False)
    match.frame(hand=True)
    assert match.is_in(Phase.UNSURE)
    assert match.emitted(events.PlayUnclear)


@pytest.mark.parametrize("asked_before", [False, True])
def test_a_turn_that_was_seen_only_after_the_next_one_was_played_is_no_accusation(asked_before: bool) -> None:
    """The board was hidden until Black had played too, and one point of the two plays is misread.

    Where nobody was asked before, White's play is certain all the same.
    """
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    match.hidden = LEGAL_PLACES
    match.lift()
    match.rest(5000 if asked_before else 0)
    match.throw(6, 4, rest_ms=1000)
    match.hidden = frozenset()
    match.misread = frozenset({(Place.T7, (0, 4))})
    match.position = moved(match.position, BLACK, (24, 18), (13, 9))
    match.frame(is_moving=True)  # a hand that is not recognised as one
    match.rest(1000)
    assert not match.emitted(events.PlayRefused)
    assert bool(match.emitted(events.PlayUnclear)) is asked_before
    assert [one.play for one in match.emitted(events.PlayMade)] == ([] if asked_before else ["8/5 6/5"])


@pytest.mark.parametrize("looked_otherwise", [True, False])
def test_a_board_that_is_not_sure_and_looked_otherwise_before_the_next_throw_accuses_nobody(
    monkeypatch: pytest.MonkeyPatch, looked_otherwise: bool
) -> None:
    """Nobody touched the board in between, so one reading is wrong; a steady reading is an offence."""

    def unsure(state: RefereeState, board: BoardEvidence, table: MatchConfig) -> PlayVerdict:
        verdict = judge_board(state, board, table)
        return replace(verdict, is_sure=False) if isinstance(verdict, IllegalVerdict) else verdict

    monkeypatch.setattr("controller.refereeing.phases.judging.judge_board", unsure)
    match = opened()
    match.play(WHITE, (8, 4), (6, 5), rest_ms=1200)
    if looked_otherwise:
        match.position = moved(match.position, WHITE, (13, 12))
    match.throw(6, 4)
    assert bool(match.emitted(events.PlayRefused)) is not looked_otherwise
    assert match.emitted(events.PlayUnclear)


@pytest.mark.parametrize("is_played", [False, True])
def test_a_board_is_kept_for_what_people_say_of_it_as_it_was_before_the_next_play(*, is_played: bool) -> None:
    """Later it shows the next player's play, which must not become the reference."""
    match = opened()
    after = moved(match.position, WHITE, (8, 5), (6, 5))
    match.put(after)
    match.hidden = LEGAL_PLACES
    match.lift()
    match.throw(6, 4)
    played_ms = match.now_ms
    if is_played:
        match.frame(is_moving=True)  # a hand that is not recognised as one
        match.position = moved(match.position, BLACK, (24, 21))  # and is not ready yet
        match.rest(500)
    match.frame(hand=True)
    assert match.emitted(events.PlayUnclear)
    match.give(ChoosePlay(after))
    assert match.emitted(events.PlayMade)[-1].after == after
    known = match.state.seen.findings.reference
    assert known is not None
    assert known.board.taken_ms <= played_ms
    assert known.view == view_of(parse_setup(after), SEATING, BACKGAMMON)


@pytest.mark.parametrize("has_pictures", [True, False])
def test_a_refused_board_that_explains_less_than_changed_does_not_stand_unasked(*, has_pictures: bool) -> None:
    """8/4 6/4 with 3-1, of which 8/4 is misread as if that checker lay there still: one came from nowhere."""
    match = opened()
    match.has_pictures = has_pictures
    match.put(match.position, rest_ms=600)
    known = match.state.seen.findings.reference
    assert known is not None
    board = match.state.seen.view.board
    assert board is not None
    match.refer_to(replace(known, board=board))
    match.put(moved(match.position, WHITE, (8, 4), (6, 4)))
    match.misread = frozenset({(Place.B5, (3, 0))})
    match.lift(rest_ms=2000)
    assert match.emitted(events.PlayRefused)
    match.throw(6, 4)
    assert bool(match.emitted(events.PlayUnclear)) == has_pictures
    assert match.is_in(Phase.UNSURE) == has_pictures


@pytest.mark.parametrize("has_pictures", [True, False])
def test_a_checker_on_the_bar_that_only_the_picture_shows_is_asked_about(*, has_pictures: bool) -> None:
    """8/5* 6/5 with 3-1; the one that was hit lies on the bar, which is read as empty, and so nobody put it there."""
    match = opened()
    match.has_pictures = has_pictures
    before = moved(match.position, BLACK, (24, 20))
    corrected = events.BoardCorrected(match.now_ms, before)
    match.state, match.events = apply_event(match.state, corrected), (*match.events, corrected)
    match.put(before, rest_ms=600)
    board = match.state.seen.view.board
    assert board is not None
    familiar = ReferenceBoard(view_of(parse_setup(before), SEATING, BACKGAMMON), board)
    match.refer_to(familiar)
    match.put(moved(moved(before, WHITE, (8, 5), (6, 5)), BLACK, (20, BAR)))
    match.misread = frozenset({(Place.BAR, (0, 0))})
    match.lift(rest_ms=6000)
    assert bool(match.emitted(events.PlayUnclear)) == has_pictures
    assert bool(match.emitted(events.PlayRefused)) != has_pictures
    asked = match.last(events.PlayUnclear).places if has_pictures else match.last(events.PlayRefused).rules
    assert asked == ((Place.BAR.value,) if has_pictures else (Rule.HIT_NOT_ON_BAR,))


def with_one_of_two_gone() -> tuple[RefereedMatch, int, BoardView, BoardView]:
    """A match with a reference; the number of the 24 point; the views after 8/5 6/5 with all checkers and one less there."""
    match = opened()
    along = numbers_along(SEATING, WHITE, BACKGAMMON.direction)[24 - 1]
    start = view_of(parse_setup(match.position), SEATING, BACKGAMMON)
    after = view_of(parse_setup(moved(match.position, WHITE, (8, 5), (6, 5))), SEATING, BACKGAMMON)
    one_gone = with_points(after, **{POINTS[along].value: (1, 0) if after.points[along][0] else (0, 1)})
    known = ReferenceBoard(start, replace(sight_of(start), picture=picture_of(start)))
    match.refer_to(known)
    return match, along, after, one_gone


@pytest.mark.parametrize(("sureness", "is_asked"), [(0.94, True), (0.9999, False)])
def test_a_place_that_looks_otherwise_must_be_read_surely_as_it_was(sureness: float, *, is_asked: bool) -> None:
    """8/5 6/5 with 3-1; of two dark checkers on a dark point one is gone, and two are read there."""
    match, along, after, one_gone = with_one_of_two_gone()
    read = sight_of(after, CLEAR)
    points = read.points.copy()
    colour = 1 if after.points[along][0] else 2
    points[along, colour, 2], points[along, 3, 2] = np.log(
        [sureness, 1 - sureness]
    )  # else both colours, as it was read
    board = replace(read, points=points, picture=picture_of(one_gone))
    played = judge_board(match.state, board, match.table)
    assert isinstance(played, LegalVerdict)
    assert POINTS[along].value not in played.inferred
    verdict = require_confirmation(match.state, played, board, match.table)
    assert isinstance(verdict, UnclearVerdict) == is_asked
    if isinstance(verdict, UnclearVerdict):
        assert verdict.places == (POINTS[along].value,)


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_play_is_not_accepted_while_a_checker_elsewhere_may_be_gone(*, is_gone: bool) -> None:
    """8/5 6/5 with 3-1; on the 24 point one checker rather than two is read, hardly surely, and the picture tells."""
    match, along, after, one_gone = with_one_of_two_gone()
    read = sight_of(after)
    points = read.points.copy()
    colour = 1 if after.points[along][0] else 2
    points[along, colour, 1], points[along, colour, 2] = 0.0, -1.2
    board = replace(read, points=points, picture=picture_of(one_gone if is_gone else after))
    played = judge_board(match.state, board, match.table)
    assert isinstance(played, LegalVerdict)
    verdict = require_confirmation(match.state, played, board, match.table)
    if is_gone:
        assert isinstance(verdict, UnclearVerdict)
        assert (verdict.options, verdict.afters) == ((played.play,), (played.after,))  # one tap answers
        assert verdict.places == (POINTS[along].value,)
    else:
        assert verdict is played
    transition = judge_turn(end_turn(Transition(match.state), events.EndedBy.BUTTON), board, match.table)
    assert any(isinstance(event, events.PlayMade) for event in transition.events) != is_gone
    if is_gone:
        later = replace(transition.state.seen, now_ms=transition.now_ms + match.table.patience.unclear_ms)
        transition = judge_turn(replace(transition, state=replace(transition.state, seen=later)), board, match.table)
        assert isinstance(transition.events[-1], events.PlayUnclear)


@pytest.mark.parametrize("can_be_asked", [True, False], ids=["at a table", "in a recording"])
def test_a_play_tells_its_roll_where_nobody_can_be_asked(can_be_asked: bool) -> None:
    """A face is in doubt, and one roll that the dice may show leads to the board: a recording goes on, people are asked."""
    match = RefereedMatch.begun(table_of("backgammon", on_turn=WHITE, start=START, can_be_asked=can_be_asked))
    match.throw(6, 1, sure=0.6, rest_ms=1000)
    assert match.emitted(events.ThrowUnclear)
    match.play(WHITE, (13, 7), (8, 7), rest_ms=3000)
    match.throw(6, 4, rest_ms=3000)
    made = [(one.player, one.numbers, one.play, one.evidence) for one in match.emitted(events.PlayMade)]
    if can_be_asked:
        assert made == []
        assert match.is_in(Phase.UNSURE)
    else:
        assert made == [(WHITE, (6, 1), "13/7 8/7", events.Evidence.INFERRED)]
        assert match.roll == (6, 4)
        assert match.state.on_turn is BLACK


def test_a_recording_explains_a_turn_by_those_that_follow() -> None:
    """Most points are hidden for three turns; what was played is known once they are seen, and nothing is lost on the way."""
    match = opened(can_be_asked=False)
    match.hidden = MOST_POINTS
    match.play(WHITE, (8, 5), (6, 5), rest_ms=1000)
    match.throw(6, 4, rest_ms=1000)
    match.play(BLACK, (24, 14), rest_ms=5000)
    match.throw(6, 2, rest_ms=1000)
    match.play(WHITE, (24, 16), rest_ms=5000)
    assert not match.emitted(events.PlayMade)
    match.reveal(rest_ms=2000)
    made = [(one.player, one.numbers, one.play) for one in match.emitted(events.PlayMade)]
    assert made == [(WHITE, (3, 1), "8/5 6/5"), (BLACK, (6, 4), "24/14"), (WHITE, (6, 2), "24/16")]
    assert all(one.evidence is events.Evidence.INFERRED for one in match.emitted(events.PlayMade))
    match.throw(5, 3, rest_ms=1000)
    assert (match.state.on_turn, match.roll) == (BLACK, (5, 3))


def test_a_recording_goes_on_with_the_throw_that_lies_there() -> None:
    """The open turn is explained while the next player's dice lie on the board: they are his roll."""
    match = opened(can_be_asked=False)
    match.hidden = MOST_POINTS
    match.play(WHITE, (8, 5), (6, 5), rest_ms=1000)
    match.throw(6, 4, rest_ms=1000)
    match.play(BLACK, (24, 14), rest_ms=5000)
    match.hidden = frozenset()
    match.throw(6, 2, rest_ms=1000)
    assert [one.player for one in match.emitted(events.PlayMade)] == [WHITE, BLACK]
    assert (match.state.on_turn, match.roll) == (WHITE, (6, 2))


def test_people_are_asked_about_a_turn_that_later_ones_would_explain() -> None:
    match = opened()
    match.hidden = MOST_POINTS
    match.play(WHITE, (8, 5), (6, 5), rest_ms=1000)
    match.throw(6, 4, rest_ms=1000)
    match.play(BLACK, (24, 14), rest_ms=5000)
    match.throw(6, 2, rest_ms=1000)
    match.play(WHITE, (24, 16), rest_ms=5000)
    match.reveal(rest_ms=2000)
    assert match.is_in(Phase.UNSURE)


def test_a_ruling_tells_the_play_that_comes_next() -> None:
    """The board leaves a little doubt whether 8/5 24/23 was played; the event of the play says how little."""
    match = opened()
    view = view_of(parse_setup(moved(match.position, WHITE, (8, 5), (6, 5))), SEATING, BACKGAMMON)
    other = view_of(parse_setup(moved(match.position, WHITE, (8, 5), (24, 23))), SEATING, BACKGAMMON)
    seen = sight_of(view, CLEAR)
    points = seen.points.copy()
    for number, (was, may_be) in enumerate(zip(view.points, other.points, strict=True)):
        if was != may_be:
            points[number, min(may_be[0], 1), may_be[0]] = points[number].max() - 1.8
    transition = end_turn(Transition(match.state), events.EndedBy.DICE_LIFTED)
    after = judge_turn(transition, replace(seen, points=points, taken_ms=match.now_ms + 100), match.table)
    (made,) = (event for event in after.events if isinstance(event, events.PlayMade))
    assert (made.play, made.next_best) == ("8/5 6/5", "24/23 8/5")
    assert 50 < made.odds < 1000


def cut_by_two_turns() -> RefereedMatch:
    """White plays 3-1; then a part is missing in which Black and White played, and Black's next throw lies there."""
    match = opened(can_be_asked=False)
    match.play(WHITE, (8, 5), (6, 5), rest_ms=1000)
    match.position = moved(moved(match.position, BLACK, (24, 14)), WHITE, (13, 8), (13, 9))
    match.throw(6, 2, rest_ms=500)
    match.play(BLACK, (24, 18), (13, 11), rest_ms=3000)
    return match


def test_a_recording_that_was_cut_accuses_nobody_and_goes_on_from_the_board_after_the_cut() -> None:
    match = cut_by_two_turns()
    match.throw(5, 3, rest_ms=1000)
    assert not match.emitted(events.PlayRefused)
    (unseen,) = match.emitted(events.BoardCorrected)
    assert unseen.evidence is events.Evidence.INFERRED
    assert (match.emitted(events.PlayMade)[-1].player, match.emitted(events.PlayMade)[-1].after) == (
        BLACK,
        match.position,
    )
    assert (match.state.on_turn, match.roll) == (WHITE, (5, 3))
    assert match.is_what_the_log_says()


def test_an_illegal_play_is_named_in_a_recording_as_well() -> None:
    match = opened(can_be_asked=False)
    match.play(WHITE, (8, 4), (6, 5), rest_ms=3000)
    assert match.only(events.PlayRefused).player is WHITE


def test_a_throw_that_did_not_count_is_not_what_was_played() -> None:
    """A cocked throw is repeated; the checker too many on the board is a breach with the second throw."""
    match = to_throw()
    match.throw(6, 2, lies=DieState.COCKED, rest_ms=1000)
    match.lift(rest_ms=500)
    match.throw(5, 3, rest_ms=500)
    match.play(BLACK, (13, 8), (13, 9), rest_ms=3000)
    assert match.only(events.PlayRefused).numbers == (5, 3)


def test_a_recording_goes_on_although_its_board_changed_between_two_turns() -> None:
    """After White's 3-1 a part is missing in which Black and White played; Black throws when the board has stood for long."""
    match = opened(can_be_asked=False)
    match.play(WHITE, (8, 5), (6, 5), rest_ms=1000)
    match.position = moved(moved(match.position, BLACK, (24, 14)), WHITE, (13, 8), (13, 9))
    match.rest(4000)
    assert match.is_in(Phase.RESTORE)
    match.throw(6, 2, rest_ms=500)
    match.play(BLACK, (24, 18), (13, 11), rest_ms=3000)
    match.throw(5, 3, rest_ms=1000)
    assert not match.emitted(events.PlayRefused)
    assert match.emitted(events.PlayMade)[-1].after == match.position
    assert (match.state.phase, match.state.on_turn, match.roll) == (Phase.PLAYING, WHITE, (5, 3))
    assert match.is_what_the_log_says()
