"""Where the windows of a close look are put, and when more of them are asked; the networks are told what to say."""

import numpy as np
import pytest

from tests.vision.hand_made_dice import STRAIGHT_DOWN
from tests.vision.told_dice import EDGE_PX, LEFT_HALF, PICTURE, answer, networks_asked, one, tell_dice, tell_number
from vision import close_look
from vision.dice import read_dice
from vision.dice_answers import Kind
from vision.dice_glance import Glance


@pytest.mark.parametrize(("off_edges", "looks"), [((0.08,), 1), ((0.2, 0.08), 2), ((0.25, 0.12, 0.11), 3)])
def test_a_window_that_was_put_beside_its_die_is_put_again(
    monkeypatch: pytest.MonkeyPatch, off_edges: tuple[float, ...], looks: int
) -> None:
    """From where the die shows, until it is near the middle or that was done twice; the last window tells where it lies."""
    said = iter([answer(top=(off, 0.0)) for off in off_edges])
    tell_dice(monkeypatch, lambda _: next(said), LEFT_HALF)
    assert one().centre_px == pytest.approx((LEFT_HALF[0] + sum(off_edges) * EDGE_PX, LEFT_HALF[1]), abs=0.1)
    assert len(off_edges) == looks
    assert next(said, None) is None


@pytest.mark.parametrize("kind", [Kind.NOTHING, Kind.CUBE])
def test_what_is_no_die_in_the_second_window(monkeypatch: pytest.MonkeyPatch, kind: Kind) -> None:
    """The first one is believed: a die was seen better there."""
    said = iter([answer(top=(0.2, 0.0)), answer(kind)])
    tell_dice(monkeypatch, lambda _: next(said), LEFT_HALF)
    assert one().centre_px == pytest.approx((LEFT_HALF[0] + 0.2 * EDGE_PX, LEFT_HALF[1]), abs=0.1)


def test_the_window_of_a_cube_is_not_put_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """How large it is no network was taught."""
    said = iter([answer(Kind.CUBE, top=(0.3, 0.0))])
    tell_dice(monkeypatch, lambda _: next(said), LEFT_HALF)
    tell_number(monkeypatch, 2)
    assert read_dice(PICTURE, STRAIGHT_DOWN).cube is not None


@pytest.mark.parametrize(("at_a_glance", "looks"), [(0.78, 2), (0.82, 1)])
def test_what_a_glance_doubts_is_looked_at_from_nearer(
    monkeypatch: pytest.MonkeyPatch, at_a_glance: float, looks: int
) -> None:
    """Though the look is sure: both together would not be enough to tell a die, and then the nearer look has a say."""
    asked = networks_asked(monkeypatch, answer())
    glance = np.log([1 - at_a_glance, at_a_glance, 1e-9])
    monkeypatch.setattr(close_look, "settled_glance", lambda _, spot, __: Glance(glance, spot))
    assert one().value == 5
    assert len(asked) == looks
