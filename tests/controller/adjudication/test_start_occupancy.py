from itertools import product

import pytest

from controller.adjudication.board_view import start_occupancy
from controller.rules import RULESETS
from vision.field.position_calibration import orient_occupancy
from vision.geometry.calibration import Placement
from vision.places import Colour, Place

LIGHT, DARK = Colour.LIGHT, Colour.DARK


def test_backgammon() -> None:
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


def test_long_nardy() -> None:
    """White's head is P12, so his fifteen lie on B1, and Black's on T12."""
    assert start_occupancy(RULESETS["long_nardy"]) == {Place.B1: (LIGHT, 15), Place.T12: (DARK, 15)}


def test_a_game_that_starts_off_the_board() -> None:
    """Nothing is on it."""
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
