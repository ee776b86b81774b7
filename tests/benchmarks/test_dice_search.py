from pathlib import Path

from tests.benchmarks.dice_labels import DiceLabel, DieLabel
from tests.benchmarks.dice_search import LIMITS, score_rows, search_score
from vision.dice.readings import DieState
from vision.dice.windows import DieSpot


def die(x_px: float, *, tilt_deg: float = 0.0, is_asked: bool = True) -> DieLabel:
    state = DieState.FLAT if tilt_deg == 0 else DieState.COCKED
    return DieLabel(3, state, ((x_px, 100.0),), 20.0, tilt_deg=tilt_deg, is_asked=is_asked)


def spot(x_px: float, score: float) -> DieSpot:
    return DieSpot((x_px, 100.0), 20.0, score)


def test_a_die_is_pointed_at_by_a_spot_near_it() -> None:
    """Half an edge away is near but not well placed; a further proposal points at nothing, and a hidden die is not scored."""
    label = DiceLabel(Path("0.jpg"), None, (die(100), die(200, tilt_deg=30), die(300), die(400, is_asked=False)))
    score = search_score(label, [spot(101, 0.9), spot(210, 0.4), spot(400, 0.3), spot(313, 0.25)])
    reported = [(one.first, one.well_placed, one.surely, one.at_all) for one in score.dice]
    assert reported == [(True, True, True, True), (True, False, False, True), (False, False, False, False)]
    assert (score.false_sure, score.false_first) == (0, 0)
    assert [row[:3] for row in score_rows([score])] == [
        ["all", "3", "66.7 %"],
        ["flat", "2", "50.0 %"],
        ["tilt > 10 degrees", "1", "100.0 %"],
    ]


def test_faint_spots_and_later_ones_are_not_among_the_first() -> None:
    label = DiceLabel(Path("0.jpg"), None, (die(100), die(200)))
    others = [spot(1000 + 50 * number, 0.6) for number in range(LIMITS.proposals.most_spots)]
    score = search_score(label, [*others, spot(100, 0.5), spot(200, LIMITS.min_first_score / 2)])
    assert [(one.first, one.at_all) for one in score.dice] == [(False, True), (False, True)]
    assert (score.false_sure, score.false_first) == (len(others), len(others))
