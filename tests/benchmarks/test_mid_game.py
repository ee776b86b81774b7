"""The benchmark of recordings that begin in mid-game: one recording is joined and ruled, and a missed bar is reported."""

import pytest

from controller.simulation.compare import Comparison, Difference, DifferenceKind
from tests.benchmarks.mid_game import BEGINNINGS, Score, print_bars, record, transcribe

pytestmark = pytest.mark.broad


@pytest.mark.parametrize("seed", range(1, 1 + len(BEGINNINGS)))
def test_a_recording_is_joined_and_ruled(seed: int) -> None:
    """From each of the beginnings: at rest, under a hand, within a turn."""
    score = transcribe(record("backgammon", seed, size_px=None))
    assert (score.gameless, score.late, score.seats_wrong, score.wrong_turns) == (0, 0, 0, 0)
    assert score.compared.turns - score.unruled >= 4


@pytest.mark.parametrize(
    ("score", "code"),
    [
        (Score(1, compared=Comparison(turns=20), slowest_ms=[1.0]), 0),
        (Score(1, gameless=1, compared=Comparison(turns=20), slowest_ms=[1.0]), 1),
        (Score(1, late=1, compared=Comparison(turns=20), slowest_ms=[1.0]), 1),
        (Score(1, compared=Comparison(turns=20, differences=(Difference(0, DifferenceKind.WRONG_PLAY, ""),)), slowest_ms=[1.0]), 1),
        (Score(1, compared=Comparison(turns=20), slowest_ms=[1.0], unruled=1), 0),
        (Score(1, compared=Comparison(turns=20), slowest_ms=[1.0], unruled=2), 1),
    ],
)  # fmt: skip
def test_a_missed_bar_is_reported(score: Score, code: int) -> None:
    assert print_bars(score) == code


def test_numbers_handed_over_after_an_unread_throw_are_played_in_several_moves() -> None:
    """The board rests while the other player plays sixteen numbers without a throw; nothing of that is a breach."""
    score = transcribe(record("gul_bara", 12, size_px=None))
    assert score.wrong_turns == 0
    assert score.unruled <= 1


def test_a_position_that_stays_undecided_is_not_guessed() -> None:
    """A checker lies below one of two stacks, and which one nothing tells."""
    assert transcribe(record("plakoto", 30, size_px=None)).wrong_turns == 0
