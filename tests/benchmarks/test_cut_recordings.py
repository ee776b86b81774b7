"""The benchmark of recordings with a part missing: nobody is accused, and a missed bar is reported."""

import pytest

from tests.benchmarks.cut_recordings import Score, cut_film, print_bars, referee

pytestmark = pytest.mark.broad


@pytest.mark.parametrize(
    ("game", "seed", "kind", "live"),
    [
        ("backgammon", 1, "jump", False),  # three turns are missing, and the first throw after them lies there
        ("tavla", 23, "gap", False),  # the first dice seen again were played already
        ("nackgammon", 4, "jump", False),  # three turns come to the same as one
        (
            "old_english",
            107,
            "jump",
            False,
        ),  # the throw before the cut is not read, and the dice after it were played already
        ("gulbar", 127, "drops", False),  # whose dice the opening throw shows is not seen
        ("plakoto", 114, "gap", False),  # a checker is pinned all the while
        ("gul_bara", 12, "gap", True),
        ("backgammon", 2, "drops", False),
    ],
)
def test_a_cut_film_accuses_nobody(game: str, seed: int, kind: str, *, live: bool) -> None:
    score = referee(cut_film(game, seed, kind), game, seed, live=live)
    assert (score.wrong, score.accused) == (0, 0)
    assert live or score.right >= score.turns - 1
    assert live or not score.lost or score.lost[0] <= 1


@pytest.mark.parametrize(
    ("score", "code"),
    [
        (Score(20, 20, lost=[0, 2], steps_ms=[1.0]), 0),
        (Score(20, 20, wrong=1, steps_ms=[1.0]), 1),
        (Score(20, 20, accused=1, steps_ms=[1.0]), 1),
        (Score(20, 17, lost=[3], steps_ms=[1.0]), 1),
    ],
)
def test_a_missed_bar_is_reported(score: Score, code: int) -> None:
    assert print_bars(score, live=False) == code
