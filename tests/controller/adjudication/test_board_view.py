from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.adjudication.board_view import log_likelihood, setup_of, start_occupancy, view_of
from controller.match.seating import ALL_SEATINGS, Checkers, PictureEdge, Seating, place_number
from controller.observing.board_evidence import BoardView
from controller.rules import RULESETS, Player, Ruleset, start_position
from tests.controller.board_sights import Sight, sight_of, with_points
from tests.controller.rules.boards import board, game
from tests.controller.rules.strategies import wild_positions
from vision.field.position_calibration import orient_occupancy
from vision.geometry.calibration import Placement
from vision.places import POINTS, Colour, Place

LIGHT, DARK = Colour.LIGHT, Colour.DARK
BACKGAMMON, PLAKOTO = game("backgammon"), game("plakoto")
each_game = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))


def at(view: BoardView, name: str) -> tuple[int, int]:
    return view.points[place_number(Place(name))]


class TestTheView:
    def test_of_the_start_of_backgammon(self) -> None:
        """White below with light: his 24 is T12, his 6 is B7; Black's mirror them."""
        view = view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON)
        light = {name: at(view, name)[0] for name in ("T12", "T1", "B5", "B7")}
        dark = {name: at(view, name)[1] for name in ("B12", "B1", "T5", "T7")}
        assert light == {"T12": 2, "T1": 5, "B5": 3, "B7": 5}
        assert dark == {"B12": 2, "B1": 5, "T5": 3, "T7": 5}

    def test_of_the_same_start_with_white_opposite_and_playing_dark(self) -> None:
        """It is the same picture: Black's army mirrors White's."""
        start = start_position(BACKGAMMON)
        turned = Seating(Checkers.DARK, PictureEdge.TOP, mirrored=True)
        assert view_of(start, turned, BACKGAMMON) == view_of(start, Seating(), BACKGAMMON)

    def test_has_bar_and_borne_off_checkers_by_colour(self) -> None:
        position = board(BACKGAMMON, "bar:2 13:10", "bar:1 13:13")
        view = view_of(position, Seating(Checkers.DARK), BACKGAMMON)
        assert (view.bar, view.off) == ((1, 2), (1, 3))

    def test_says_which_colour_lies_above(self) -> None:
        """Black's blot on White's 5 lies below White's."""
        pinned = board(PLAKOTO, "24:14 5:1", "24:14 20:1", pins={Player.BLACK: {20}})
        place = place_number(Seating().place_of(5, Player.WHITE, PLAKOTO.direction))
        assert view_of(pinned, Seating(), PLAKOTO).dark_above == frozenset()
        assert view_of(pinned, Seating(Checkers.DARK), PLAKOTO).dark_above == {place}


class TestTheWayBack:
    @each_game
    @given(data=st.data())
    @settings(max_examples=15, deadline=None)
    def test_gives_every_position_back(self, rules: Ruleset, data: st.DataObject) -> None:
        """However the players sit, pins and reserve included."""
        position, seating = data.draw(wild_positions(rules)), data.draw(st.sampled_from(ALL_SEATINGS))
        assert setup_of(view_of(position, seating, rules), seating, rules) == position.setup

    def test_takes_the_one_that_stood_there_first_for_the_lower(self) -> None:
        """The view may have guessed wrong which of two lies above; the position before knows."""
        before = board(PLAKOTO, "24:14 10:1", "24:14 20:1")
        view = view_of(before, Seating(), PLAKOTO)
        place = Seating().place_of(5, Player.WHITE, PLAKOTO.direction)
        both = with_points(view, **{place.value: (1, 1)})
        guessed = BoardView(both.points, dark_above=frozenset({place_number(place)}))
        assert setup_of(guessed, Seating(), PLAKOTO, before).black.pinned == {20}
        assert setup_of(guessed, Seating(), PLAKOTO).white.pinned == {5}

    def test_claims_the_impossible_as_it_is(self) -> None:
        view = with_points(view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON), T2=(1, 0))
        assert setup_of(view, Seating(), BACKGAMMON).white.total == 16


class TestTheLikelihood:
    def test_is_higher_for_what_stands_there(self) -> None:
        view = view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON)
        seen = sight_of(view)
        assert log_likelihood(view, seen) > log_likelihood(with_points(view, T1=(4, 0)), seen) + 6

    def test_does_not_depend_on_a_hidden_place(self) -> None:
        view = view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON)
        seen = sight_of(view, Sight(hidden=[Place.T1]))
        for pair in ((0, 0), (1, 0), (0, 5), (15, 0)):
            other = with_points(view, T1=pair)
            assert log_likelihood(other, seen) == pytest.approx(log_likelihood(view, seen), abs=1e-6)

    def test_of_more_checkers_than_there_are_is_next_to_nothing(self) -> None:
        view = with_points(view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON), T1=(16, 0))
        assert log_likelihood(view, sight_of(view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON))) < -1e6


def test_numbers_every_place_once() -> None:
    """T1 is 0, B12 is 23."""
    assert [place_number(place) for place in POINTS] == list(range(24))


def test_the_start_of_backgammon_by_places() -> None:
    """White, light, sits below: his 24 is P24, the upper right corner; Black's is P1, the lower right one."""
    assert start_occupancy(RULESETS["backgammon"]) == {
        Place.T12: (LIGHT, 2),
        Place.T1: (LIGHT, 5),
        Place.B5: (LIGHT, 3),
        Place.B7: (LIGHT, 5),
        Place.B12: (DARK, 2),
        Place.B1: (DARK, 5),
        Place.T5: (DARK, 3),
        Place.T7: (DARK, 5),
    }


def test_the_start_of_long_nardy_by_places() -> None:
    """White's head is P12, so his fifteen lie on B1, and Black's on T12."""
    assert start_occupancy(RULESETS["long_nardy"]) == {Place.B1: (LIGHT, 15), Place.T12: (DARK, 15)}


def test_a_game_that_starts_off_the_board() -> None:
    assert start_occupancy(RULESETS["backgammon_race"]) == {}


@pytest.mark.parametrize("game", RULESETS)
def test_four_placements_are_all_there_are(game: str) -> None:
    """With the colours exchanged the set-up is the same one, placed otherwise."""
    occupancy = start_occupancy(RULESETS[game])
    other = {Colour.LIGHT: DARK, Colour.DARK: LIGHT}
    exchanged = {place: (other[colour], count) for place, (colour, count) in occupancy.items()}
    assert any(orient_occupancy(occupancy, placement) == exchanged for placement in Placement)


@pytest.mark.parametrize(("game", "row"), list(product(RULESETS, "TB")))
def test_nobody_has_more_than_the_game_gives(game: str, row: str) -> None:
    """The two armies are of one size, and each row holds at most both."""
    rules = RULESETS[game]
    stacks = start_occupancy(rules).items()
    armies = [sum(count for _, (colour, count) in stacks if colour is side) for side in (LIGHT, DARK)]
    assert armies[0] == armies[1] <= rules.checkers
    assert sum(count for place, (_, count) in stacks if place.value[0] == row) <= 2 * rules.checkers
