from dataclasses import replace

import numpy as np
import pytest

from controller.adjudication.board_view import view_of
from controller.adjudication.hypothesis import AnnouncedGame, list_roots
from controller.adjudication.seating_inference import infer_seatings, rank_positions
from controller.match.seating import ALL_SEATINGS, Checkers, PictureEdge, Seating
from controller.rules import RULESETS, Player, Position, parse_setup, start_position
from tests.controller.board_sights import BLURRED, EMPTY, ONE_LOOK, Sight, sight_of, with_points
from tests.controller.rules.boards import board, game
from vision.places import Place

BACKGAMMON, LONG_NARDY, PLAKOTO = game("backgammon"), game("long_nardy"), game("plakoto")
GAMES_THAT_TELL = [rules for rules in RULESETS.values() if not rules.has_reserve]
FOUR_WAYS = [(edge, mirrored) for edge in PictureEdge for mirrored in (False, True)]


class TestTheStart:
    @pytest.mark.parametrize("rules", GAMES_THAT_TELL, ids=[rules.name for rules in GAMES_THAT_TELL])
    @pytest.mark.parametrize(("edge", "mirrored"), FOUR_WAYS)
    def test_tells_who_sits_where(self, rules, edge: PictureEdge, mirrored: bool) -> None:  # type: ignore[no-untyped-def]
        """One reading is enough, in each of the four ways to set the board up; White plays light."""
        seating = Seating(edge=edge, mirrored=mirrored, white_head=rules.white_head)
        seen = sight_of(view_of(start_position(rules), seating, rules), ONE_LOOK)
        assert infer_seatings(seen, rules) == (seating,)

    def test_tells_it_when_white_is_said_to_play_dark(self) -> None:
        dark = [seating for seating in ALL_SEATINGS if seating.white_plays is Checkers.DARK]
        seen = sight_of(view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON))
        assert infer_seatings(seen, BACKGAMMON, dark) == (Seating(Checkers.DARK, PictureEdge.TOP, mirrored=True),)

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
        assert infer_seatings(seen, BACKGAMMON) == ()

    def test_of_an_empty_board_fits_every_seating(self) -> None:
        race = game("backgammon_race")
        found = infer_seatings(sight_of(EMPTY), race)
        assert {(seating.edge, seating.mirrored) for seating in found} == set(FOUR_WAYS)
        assert {seating.white_plays for seating in found} == {Checkers.LIGHT}


class TestAPositionInTheMiddle:
    @pytest.mark.parametrize("sight", [ONE_LOOK, Sight(looks=8)])
    def test_has_all_its_checkers(self, sight: Sight) -> None:
        """A stack of eight follows from the fifteen there are."""
        position = board(LONG_NARDY, "24:8 15:3 10:2 5:2", "24:9 20:3 18:2 14:1")
        seen = sight_of(view_of(position, Seating(), LONG_NARDY), sight)
        assert [one for one, _ in rank_positions(seen, Seating(), LONG_NARDY)] == [position]

    def test_has_borne_off_what_is_nowhere(self) -> None:
        position = board(BACKGAMMON, "3:3 1:2", "6:5 4:4 1:1")
        seen = sight_of(view_of(position, Seating(), BACKGAMMON))
        assert [one for one, _ in rank_positions(seen, Seating(), BACKGAMMON)] == [position]

    def test_in_a_game_without_hits_nobody_has_borne_off_while_others_are_on_the_way(self) -> None:
        """Heads of ten and nine that read as five and ten: the others are not borne off, because checkers stay at home."""
        position = board(LONG_NARDY, "24:10 15:3 10:2", "24:9 20:2 18:2 14:2")
        view = view_of(position, Seating(), LONG_NARDY)
        seen = sight_of(view, ONE_LOOK)
        points = seen.points.copy()
        looks_like = {
            (10, 0): {5: 0.926, 8: 0.027, 9: 0.001, 10: 0.006, 11: 0.035, 12: 0.004},
            (0, 9): {5: 0.076, 6: 0.012, 7: 0.005, 8: 0.026, 9: 0.023, 10: 0.512, 11: 0.194, 12: 0.119},
        }
        for stands, chances in looks_like.items():
            table = points[view.points.index(stands), 1 if stands[0] else 2]
            table[1:] = -15.0
            for count, chance in chances.items():
                table[count] = np.log(chance)
        assert [one for one, _ in rank_positions(replace(seen, points=points), Seating(), LONG_NARDY)] == [position]

    @pytest.mark.parametrize(
        ("rules", "position", "sight"),
        [
            (BACKGAMMON, start_position(BACKGAMMON), BLURRED),
            (BACKGAMMON, start_position(BACKGAMMON), Sight(hidden=[Place.T3])),
            (PLAKOTO, board(PLAKOTO, "24:5 10:4 5:5", "24:5 10:5 5:5"), ONE_LOOK),
        ],
        ids=["blurred", "a point hidden", "one may lie below another"],
    )
    def test_is_not_the_only_one_where_it_is_in_doubt(self, rules, position, sight: Sight) -> None:  # type: ignore[no-untyped-def]
        """No position, or several."""
        assert len(rank_positions(sight_of(view_of(position, Seating(), rules), sight), Seating(), rules)) != 1

    def test_two_positions_that_fit_one_board_are_both_inferred(self) -> None:
        """A checker that may be of either colour beside two heads that may hold one more or less; the plays decide later."""
        position = board(LONG_NARDY, "24:15", "24:13 21:1 15:1")
        view = view_of(position, Seating(), LONG_NARDY)
        points = sight_of(view, ONE_LOOK).points.copy()
        light_head, dark_head = (view.points.index(stands) for stands in ((15, 0), (0, 13)))
        points[light_head, 1, 12:16] = np.log([0.1, 0.15, 0.48, 0.23])
        points[dark_head, 2, 13:15] = np.log([0.95, 0.03])
        single = view.points.index((0, 1))
        points[single, 1, 1], points[single, 2, 1] = np.log([0.12, 0.88])
        seen = replace(sight_of(view, ONE_LOOK), points=points)
        found = [one for one, _ in rank_positions(seen, Seating(), LONG_NARDY)]
        assert found[0] == position
        assert len(found) == 2
        roots = [one.root for one in list_roots(seen, AnnouncedGame(LONG_NARDY, (Seating(),)))]
        assert {root.position for root in roots} == set(found)
        assert {root.player for root in roots} == set(Player)


def test_a_checker_that_may_be_pinned_below_a_stack_leaves_its_own_heap_open() -> None:
    """One checker lies below another, and nine would belong on the head if none did."""
    text = "00001000000000000030100280/00000000000000000032110080/B21"
    pinned = Position.of(parse_setup(text), PLAKOTO)
    seen = sight_of(view_of(pinned, Seating(), PLAKOTO), ONE_LOOK)
    assert pinned in [position for position, _ in rank_positions(seen, Seating(), PLAKOTO, within=8.0)]
