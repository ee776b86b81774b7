"""A third die beside a whole throw, which the search may see only faintly."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.told_dice import (
    EDGE_PX,
    ON_THE_BAR,
    PICTURE,
    RIGHT_HALF,
    SURELY_A_DIE,
    answer,
    find_beside_a_throw,
    see_a_die_at_a_glance,
    tell_finished_looks,
    tell_looks,
)
from vision.dice import search_stages
from vision.dice.classification_cascade import Classification
from vision.dice.classifier import CLASS, FACE, decode_output
from vision.dice.detect import read_dice
from vision.dice.proposals import ProposalCheck
from vision.dice.windows import DieSpot, place_window


@pytest.mark.parametrize(
    ("at_px", "times", "glanced", "found"),
    [
        (RIGHT_HALF, 1.0, RIGHT_HALF, 3),
        (RIGHT_HALF, 0.7, RIGHT_HALF, 3),
        (RIGHT_HALF, 0.6, RIGHT_HALF, 2),
        (RIGHT_HALF, 1.6, RIGHT_HALF, 2),
        (RIGHT_HALF, 1.0, ON_THE_BAR, 2),  # a glance there sees one of the pair
        (RIGHT_HALF, 1.0, None, 2),  # or nothing
        ((630.0, 240.0), 1.0, (630.0, 240.0), 2),
    ],
)
def test_beside_two_dice_a_faint_place_is_looked_at_only_where_it_may_be_a_third(
    monkeypatch: pytest.MonkeyPatch,
    at_px: tuple[float, float],
    times: float,
    glanced: tuple[float, float] | None,
    found: int,
) -> None:
    """About as large as they are, and not beside the field: a die on a checker the search sees no better."""
    find_beside_a_throw(monkeypatch, DieSpot(at_px, times * EDGE_PX, 0.19))
    tell_looks(monkeypatch, lambda _: answer())

    def glance_at(_: object, spot: DieSpot) -> ProposalCheck:
        if glanced is None:
            return ProposalCheck(np.log([0.9, 0.1, 1e-9]), spot)
        return ProposalCheck(SURELY_A_DIE, replace(spot, centre_px=glanced))

    monkeypatch.setattr(search_stages, "check_proposal", glance_at)
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found


@pytest.mark.parametrize(("score", "found"), [(0.19, 2), (0.21, 3)])
def test_what_the_search_is_surer_of_is_looked_at_in_any_size(
    monkeypatch: pytest.MonkeyPatch, score: float, found: int
) -> None:
    """It is among the first places then."""
    find_beside_a_throw(monkeypatch, DieSpot(RIGHT_HALF, 0.65 * EDGE_PX, score))
    tell_looks(monkeypatch, lambda _: answer())
    see_a_die_at_a_glance(monkeypatch)
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found


@pytest.mark.parametrize(("chance", "found"), [(0.96, 3), (0.94, 2)])
def test_a_third_die_counts_though_it_hides_its_face(
    monkeypatch: pytest.MonkeyPatch, chance: float, found: int
) -> None:
    """In the shade of its checker, say: a throw beside a die that cannot be read is a question."""
    unread = answer()
    unread[CLASS], unread[FACE] = np.log([1 - chance, chance, 1e-9]), 0.0

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> Classification:
        said = decode_output(unread if spot.centre_px == RIGHT_HALF else answer())
        return Classification(place_window(spot, STRAIGHT_DOWN), said, spot, said.class_log_p)

    find_beside_a_throw(monkeypatch, DieSpot(RIGHT_HALF, EDGE_PX, 0.19))
    tell_finished_looks(monkeypatch, says)
    see_a_die_at_a_glance(monkeypatch)
    seen = read_dice(PICTURE, STRAIGHT_DOWN)
    assert len(seen.dice) == found
    assert [die.value_confidence < 0.2 for die in seen.dice].count(True) == found - 2
