"""A place that showed the same when it was known what stood there tells nothing new."""

from dataclasses import replace

import numpy as np
import pytest

from controller.adjudication.adjudicate import adjudicate
from controller.adjudication.board_view import view_of
from controller.adjudication.outcome import LegalOutcome, Outcome
from controller.adjudication.turn_evidence import ThrowInPlay
from controller.match.commands import ChoosePlay, CorrectBoard
from controller.match.events import Evidence, PlayMade, PlayRefused, PlayUnclear
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence, BoardView, Pair
from controller.observing.likelihoods import likelihoods_of
from controller.refereeing.known_misreadings import ReferenceBoard, count_misreadings, relative_to_reference
from controller.rules import Roll, RollCounters, Rule, make_own_throw, start_position
from tests.controller.board_sights import CLEAR, Sight, picture_of, sight_of, with_points
from tests.controller.refereeing.refereed_match import BLACK, WHITE, RefereedMatch, moved, opened
from tests.controller.rules.boards import game
from vision.places import POINTS, Place

pytestmark = pytest.mark.broad

BACKGAMMON = game("backgammon")
START = start_position(BACKGAMMON)
BEFORE = view_of(START, Seating(), BACKGAMMON)
PLAYED = with_points(BEFORE, B5=(2, 0), B7=(4, 0), B8=(2, 0))  # White's 3-1: 8/5 6/5
SEVERAL = {
    Place.T1: (4, 0),
    Place.T7: (0, 4),
    Place.T12: (3, 0),
}  # read so: one fewer of five, of five, one more of two


def familiar(misread: dict[Place, Pair] | None = None, view: BoardView = BEFORE) -> ReferenceBoard:
    return ReferenceBoard(view, sight_of(view, misread=misread))


def weighed(seen: BoardEvidence) -> Outcome:
    throw = make_own_throw(Roll.of(3, 1), BACKGAMMON, RollCounters(8, 4))
    return adjudicate(ThrowInPlay(START, WHITE, throw, Seating(), BACKGAMMON), seen)


def test_what_is_misread_all_the_time_speaks_against_no_play() -> None:
    """Three places are misread in every picture; without the reference no play would be legal."""
    seen = sight_of(PLAYED, misread=SEVERAL)
    assert not isinstance(weighed(seen), LegalOutcome)
    outcome = weighed(relative_to_reference(seen, familiar(SEVERAL), BEFORE))
    assert isinstance(outcome, LegalOutcome)
    assert outcome.view == PLAYED


def test_a_change_is_news() -> None:
    """The same places were read rightly before: what they show now counts in full."""
    seen = sight_of(PLAYED, misread=SEVERAL)
    assert relative_to_reference(seen, familiar(), BEFORE) is seen


def test_what_reads_otherwise_than_before_is_news() -> None:
    """The place was read as four of five, and is read as three now."""
    seen = sight_of(PLAYED, misread={Place.T1: (3, 0)})
    assert relative_to_reference(seen, familiar({Place.T1: (4, 0)}), BEFORE) is seen


def test_what_stood_elsewhere_then_tells_nothing() -> None:
    """Four checkers stood there then and five stand there now: reading four is no habit."""
    seen = sight_of(PLAYED, misread={Place.T1: (4, 0)})
    four_then = with_points(BEFORE, T1=(4, 0))
    assert relative_to_reference(seen, familiar(view=four_then), BEFORE) is seen


SEVEN, EIGHT = with_points(BEFORE, B6=(7, 0), B8=(1, 0)), with_points(BEFORE, B6=(8, 0), B8=(0, 0))


@pytest.mark.parametrize(("reads", "may_be_more"), [((5, 0), True), ((7, 0), False)])
def test_another_checker_on_a_heap_shows_no_more(reads: Pair, *, may_be_more: bool) -> None:
    """Only the row of five was read of seven; eight would be read alike. A heap that is read rightly is news."""
    misread = {Place.B6: reads}
    seen = sight_of(EIGHT, misread=misread)
    news = relative_to_reference(seen, familiar(misread, SEVEN), SEVEN)
    seven, eight, six = (likelihoods_of(news).of_view(with_points(EIGHT, B6=(n, 0))) for n in (7, 8, 6))
    assert (eight > seven - 0.2) == may_be_more
    assert six < seven  # nothing was taken from it, as far as anybody sees


def test_a_checker_fewer_on_a_heap_of_three_layers_shows_nothing() -> None:
    """Thirteen and twelve are both read as ten."""
    thirteen, twelve, nine = (with_points(BEFORE, B6=(n, 0)) for n in (13, 12, 9))
    misread = {Place.B6: (10, 0)}
    news = likelihoods_of(
        relative_to_reference(sight_of(twelve, misread=misread), familiar(misread, thirteen), thirteen)
    )
    assert news.of_view(twelve) > news.of_view(thirteen) - 0.2
    assert news.of_view(nine) < news.of_view(thirteen) - 0.2


@pytest.mark.parametrize("is_hidden_now", [False, True])
def test_a_hidden_place_has_no_habits(*, is_hidden_now: bool) -> None:
    hidden, misread = Sight(hidden=[Place.T1]), {Place.T1: (4, 0)}
    seen = sight_of(PLAYED, hidden if is_hidden_now else CLEAR, misread=misread)
    then = ReferenceBoard(BEFORE, sight_of(BEFORE, CLEAR if is_hidden_now else hidden, misread=misread))
    assert relative_to_reference(seen, then, BEFORE) is seen


def test_only_what_it_said_then_is_forgiven() -> None:
    """Five was a little less likely than four then, and is much less likely now: the difference counts."""
    then, now = (sight_of(BEFORE) for _ in range(2))
    number = POINTS.index(Place.T1)
    tables = []
    for seen, behind in ((then, 1.0), (now, 4.0)):
        points = seen.points.copy()
        points[number, 1, 4:6] = 0.0, -behind
        tables.append(replace(seen, points=points))
    news = relative_to_reference(tables[1], ReferenceBoard(BEFORE, tables[0]), BEFORE)
    assert news.points[number, 1, 4] - news.points[number, 1, 5] == pytest.approx(3.0)
    assert not news.points.flags.writeable


def test_the_bar() -> None:
    """The cube on the bar is taken for a checker."""
    hit = replace(BEFORE, bar=(1, 0))
    seen = sight_of(hit)
    news = relative_to_reference(seen, ReferenceBoard(BEFORE, sight_of(hit)), BEFORE)
    assert seen.bar[0, 0] < seen.bar[1, 0] - 5
    assert news.bar[0, 0] == pytest.approx(news.bar.max(), abs=1e-5)
    assert np.array_equal(news.points, seen.points)


def test_how_often_it_was_wrong() -> None:
    """Only visible places in one layer are counted."""
    assert count_misreadings(familiar()) == 0
    assert count_misreadings(familiar(SEVERAL)) == 3
    assert count_misreadings(ReferenceBoard(BEFORE, sight_of(BEFORE, Sight(hidden=[Place.T1]), misread=SEVERAL))) == 2
    assert count_misreadings(familiar({Place.B6: (5, 0)}, SEVEN)) == 0  # of a heap that is usual


def test_the_first_board_that_is_known_is_the_one_a_game_begins_with() -> None:
    """So the first play is judged by the changes in the picture."""
    known = opened().state.seen.findings.reference
    assert known is not None
    assert known.view == BEFORE


def black_plays(match: RefereedMatch, *ways: tuple[int, int]) -> None:
    """Black throws 6-2, plays, and lifts his dice."""
    match.throw(6, 2)
    match.play(BLACK, *ways, rest_ms=6000)


class TestInAMatch:
    """A single look leaves a misread place a question; once it is answered, nobody is asked again or accused."""

    @pytest.fixture
    def match(self) -> RefereedMatch:
        """White's 3-1 was asked about, because one of his places shows one checker fewer, and people have answered."""
        match = opened()
        after = moved(match.position, WHITE, (8, 5), (6, 5))
        match.misread, match.frames_seen = frozenset({(Place.T1, (4, 0))}), 1
        match.put(after)
        match.lift(rest_ms=6000)
        assert match.emitted(PlayUnclear)
        match.give(ChoosePlay(after))
        assert match.last(PlayMade).evidence is Evidence.ENTERED
        match.frames_seen = 6  # from now on many pictures agree
        return match

    def test_the_next_play_is_accepted(self, match: RefereedMatch) -> None:
        questions = len(match.emitted(PlayUnclear))
        black_plays(match, (24, 18), (13, 11))
        made = match.emitted(PlayMade)[-1]
        assert (made.player, made.evidence) == (BLACK, Evidence.SEEN)
        assert len(match.emitted(PlayUnclear)) == questions
        assert not match.emitted(PlayRefused)

    def test_an_offence_is_found_all_the_same(self, match: RefereedMatch) -> None:
        """Black moves further than his numbers say."""
        black_plays(match, (24, 18), (13, 9))
        assert match.emitted(PlayRefused)

    def test_who_misreads_several_places_accuses_nobody(self, match: RefereedMatch) -> None:
        """Black commits the same offence while three places are misread all the time: people are asked."""
        known = match.state.seen.findings.reference
        assert known is not None
        match.misread = frozenset({(Place.T1, (4, 0)), (Place.T7, (0, 4)), (Place.T12, (3, 0))})
        worse = ReferenceBoard(known.view, sight_of(known.view, misread=dict(match.misread)))
        assert count_misreadings(worse) == 3
        match.refer_to(worse)
        questions = len(match.emitted(PlayUnclear))
        match.throw(6, 2)
        after = moved(match.position, BLACK, (24, 18), (13, 9))
        match.put(after)
        match.lift(rest_ms=6000)
        assert not match.emitted(PlayRefused)
        assert len(match.emitted(PlayUnclear)) == questions + 1
        match.give(ChoosePlay(after))  # and what people say of it is judged as ever
        assert match.emitted(PlayRefused)[-1].after == after

    def test_one_misread_place_leaves_a_checker_too_many_a_question(self, match: RefereedMatch) -> None:
        """A place to which nobody moved is read with one more: a misreading is likelier than a misplaced checker."""
        match.throw(6, 2)
        match.put(moved(match.position, BLACK, (24, 18), (13, 11)))
        match.misread = frozenset({(Place.T1, (4, 0)), (Place.B10, (2, 0)), (Place.B9, (2, 0))})
        match.lift(rest_ms=6000)
        assert not match.emitted(PlayRefused)
        assert match.emitted(PlayUnclear)[-1].player is BLACK

    @pytest.mark.parametrize("has_pictures", [True, False])
    def test_a_checker_too_many_that_the_picture_shows_is_one(
        self, match: RefereedMatch, *, has_pictures: bool
    ) -> None:
        """The picture has changed as much as the reading, so the reading is right."""
        match.has_pictures = has_pictures
        black_plays(match, (24, 18), (13, 11))
        assert match.emitted(PlayMade)[-1].player is BLACK
        match.throw(3, 1)
        white, black = moved(match.position, WHITE, (24, 23), (6, 3)).split("/")[:2]
        match.put(f"{white}/{black[:3]}1{black[4:]}")
        match.lift(rest_ms=6000)
        assert bool(match.emitted(PlayRefused)) == has_pictures
        if has_pictures:
            assert match.last(PlayRefused).rules == (Rule.CHECKER_EXTRA,)

    def test_without_it_the_next_play_would_be_an_accusation(self, match: RefereedMatch) -> None:
        """This proves that the two tests above depend on the reference."""
        match.refer_to(None)
        black_plays(match, (24, 18), (13, 11))
        assert match.emitted(PlayRefused) or match.emitted(PlayMade)[-1].player is WHITE


class TestRefusedByMistake:
    """Two places are misread in picture after picture, so that White's legal 3-1 is refused."""

    @pytest.fixture
    def match(self) -> RefereedMatch:
        match = opened()
        after = moved(match.position, WHITE, (8, 5), (6, 5))
        match.misread = frozenset({(Place.T1, (4, 0)), (Place.B5, (3, 0))})
        match.put(after)
        match.lift(rest_ms=6000)
        assert match.emitted(PlayRefused)
        return match

    def test_what_people_say_of_it_is_learned(self, match: RefereedMatch) -> None:
        """The same places accuse nobody a second time."""
        match.give(CorrectBoard(match.position))
        assert match.last(PlayMade).evidence is Evidence.ENTERED
        black_plays(match, (24, 18), (13, 11))
        made = match.last(PlayMade)
        assert (made.player, made.evidence) == (BLACK, Evidence.SEEN)
        assert len(match.emitted(PlayRefused)) == 1

    def test_of_a_board_that_was_changed_meanwhile_nothing_is_learned(self, match: RefereedMatch) -> None:
        """The entered board need not be the one that was refused."""
        known = match.state.seen.findings.reference
        match.misread = frozenset({(Place.T1, (4, 0)), (Place.B5, (3, 0)), (Place.B9, (1, 0))})
        match.rest(1000)
        match.give(CorrectBoard(match.position))
        assert match.last(PlayMade).evidence is Evidence.ENTERED
        assert match.state.seen.findings.reference is known


def barely_read(seen: BoardEvidence, place: Place, stands: Pair, nats: float = -0.5) -> BoardEvidence:
    """The place is read as empty, and what stands there is `nats` less likely."""
    points = np.array(seen.points)
    points[POINTS.index(place)] = -12.0
    points[POINTS.index(place), 0, 0], points[POINTS.index(place), 1, stands[0]] = 0.0, nats
    return replace(seen, points=points)


class TestAPlayIsNamedByTheChanges:
    """Where a checker came or went the picture shows it, however badly its place is read."""

    BEFORE_IN_VIEW = ReferenceBoard(BEFORE, replace(sight_of(BEFORE), picture=picture_of(BEFORE)))

    def judged(self, view: BoardView, place: Place, *, shown: BoardView | None = None) -> Outcome:
        """A board with one place that is hardly read; its picture is that of `shown`."""
        stands = view.points[POINTS.index(place)]
        seen = barely_read(replace(sight_of(view), picture=picture_of(shown or view)), place, stands)
        return weighed(relative_to_reference(seen, self.BEFORE_IN_VIEW, BEFORE))

    def test_that_is_legal(self) -> None:
        played = with_points(BEFORE, T12=(1, 0), T8=(1, 0))  # 24/20 with 3-1
        open_yet = weighed(barely_read(sight_of(played), Place.T8, (1, 0)))
        assert not isinstance(open_yet, LegalOutcome)
        outcome = self.judged(played, Place.T8)
        assert isinstance(outcome, LegalOutcome)
        assert outcome.view == played

    def test_only_where_the_picture_changed(self) -> None:
        played = with_points(BEFORE, T12=(1, 0), T8=(1, 0))
        assert not isinstance(self.judged(played, Place.T8, shown=with_points(BEFORE, T12=(1, 0))), LegalOutcome)

    def test_never_another_play_than_the_one_that_is_seen(self) -> None:
        """Only 24/22, which no 3-1 allows."""
        illegal = with_points(BEFORE, T12=(1, 0), T10=(1, 0))
        assert not isinstance(self.judged(illegal, Place.T10), LegalOutcome)
