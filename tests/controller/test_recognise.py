import pytest

from controller.board_view import view_of
from controller.recognise import position_seen, recognise
from controller.rules.position import start_position
from controller.rules.variants import RULESETS
from controller.seating import ALL_SEATINGS, Checkers, Edge, Seating
from tests.controller.board_sights import BLURRED, EMPTY, ONE_LOOK, Sight, sight_of, with_points
from tests.rules.boards import board, game
from vision.reading import Place

BACKGAMMON, LONG_NARDY, PLAKOTO = game("backgammon"), game("long_nardy"), game("plakoto")
GAMES_THAT_TELL = [rules for rules in RULESETS.values() if not rules.has_reserve]
FOUR_WAYS = [(edge, mirrored) for edge in Edge for mirrored in (False, True)]


class TestTheStart:
    @pytest.mark.parametrize("rules", GAMES_THAT_TELL, ids=[rules.name for rules in GAMES_THAT_TELL])
    @pytest.mark.parametrize(("edge", "mirrored"), FOUR_WAYS)
    def test_tells_who_sits_where(self, rules, edge: Edge, mirrored: bool) -> None:  # type: ignore[no-untyped-def]
        """One look is enough, in each of the four ways to set the board up; White plays light."""
        seating = Seating(edge=edge, mirrored=mirrored, white_head=rules.white_head)
        seen = sight_of(view_of(start_position(rules), seating, rules), ONE_LOOK)
        assert recognise(seen, rules) == (seating,)

    def test_tells_it_when_white_is_said_to_play_dark(self) -> None:
        """Asked among these only."""
        dark = [seating for seating in ALL_SEATINGS if seating.white_plays is Checkers.DARK]
        seen = sight_of(view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON))
        assert recognise(seen, BACKGAMMON, dark) == (Seating(Checkers.DARK, Edge.TOP, mirrored=True),)

    @pytest.mark.parametrize(
        "seen",
        [
            sight_of(with_points(view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON), T1=(4, 0), T2=(1, 0))),
            sight_of(view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON), Sight(hidden=[Place.T1])),
            sight_of(EMPTY),
        ],
        ids=["one checker moved", "a point hidden", "an empty board"],
    )
    def test_is_not_taken_from_a_board_that_does_not_show_it(self, seen) -> None:  # type: ignore[no-untyped-def]
        """Then nobody is told to sit anywhere."""
        assert recognise(seen, BACKGAMMON) == ()

    def test_of_an_empty_board_fits_every_seating(self) -> None:
        """The race begins with all checkers in reserve."""
        race = game("backgammon_race")
        found = recognise(sight_of(EMPTY), race)
        assert {(seating.edge, seating.mirrored) for seating in found} == set(FOUR_WAYS)
        assert {seating.white_plays for seating in found} == {Checkers.LIGHT}


class TestAPositionInTheMiddle:
    @pytest.mark.parametrize("sight", [ONE_LOOK, Sight(looks=8)])
    def test_is_told_with_all_its_checkers(self, sight: Sight) -> None:
        """A stack of eight follows from the fifteen there are."""
        position = board(LONG_NARDY, "24:8 15:3 10:2 5:2", "24:9 20:3 18:2 14:1")
        seen = sight_of(view_of(position, Seating(), LONG_NARDY), sight)
        assert position_seen(seen, Seating(), LONG_NARDY) == position

    def test_has_borne_off_what_is_nowhere(self) -> None:
        """White has five left and Black ten, all at home."""
        position = board(BACKGAMMON, "3:3 1:2", "6:5 4:4 1:1")
        seen = sight_of(view_of(position, Seating(), BACKGAMMON))
        assert position_seen(seen, Seating(), BACKGAMMON) == position

    @pytest.mark.parametrize(
        ("rules", "position", "sight"),
        [
            (BACKGAMMON, start_position(BACKGAMMON), BLURRED),
            (BACKGAMMON, start_position(BACKGAMMON), Sight(hidden=[Place.T3])),
            (PLAKOTO, board(PLAKOTO, "24:5 10:4 5:5", "24:5 10:5 5:5"), ONE_LOOK),
        ],
        ids=["blurred", "a point hidden", "one may lie below another"],
    )
    def test_is_none_where_it_is_in_doubt(self, rules, position, sight: Sight) -> None:  # type: ignore[no-untyped-def]
        """Nobody is told a position that may be another."""
        assert position_seen(sight_of(view_of(position, Seating(), rules), sight), Seating(), rules) is None
