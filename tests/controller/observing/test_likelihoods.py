"""What a reading is believed: one that is sure is still wrong now and then, and a doubtful one says little."""

from dataclasses import replace

import numpy as np
import pytest

from controller.match.seating import place_number
from controller.observing.likelihoods import DARK_ABOVE, DEFAULT_TRUST, LIGHT_ABOVE, likelihoods_of
from tests.controller.board_sights import CLEAR, EMPTY, Sight, sight_of, with_points
from vision.places import Place

T1 = place_number(Place.T1)
CERTAIN = Sight(sureness=1 - 1e-12, high_sureness=1 - 1e-12)


def on_t1(light: int, dark: int = 0, sight: Sight = CERTAIN) -> np.ndarray:
    """(16,): log-likelihoods of 0..15 light checkers on T1 when it reads as this many; 0 is the value of that number itself."""
    seen = sight_of(with_points(EMPTY, T1=(light, dark)), sight)
    table = likelihoods_of(seen).points[T1, LIGHT_ABOVE, :, 0]
    return np.asarray(table - table[light])


def test_no_reading_is_believed_more_than_its_kind_of_error_is_rare() -> None:
    """Certain of three: four are once in five thousand, whatever the reader says; nine are next to impossible."""
    beside = on_t1(3)
    assert [beside[2], beside[4]] == pytest.approx([np.log(DEFAULT_TRUST.one_off)] * 2, abs=0.05)
    assert beside[9] < -11
    assert beside[0] < -11


def test_a_high_stack_may_be_higher_or_lower() -> None:
    """Certain of twelve: thirteen are nearly as likely, and any other high count may well be."""
    beside = on_t1(12)
    assert -1.5 < beside[13] < -0.5
    assert -2.5 < beside[8] < -1.5
    assert beside[3] < -9


def test_a_row_of_five_may_have_others_upon_it() -> None:
    """Certain of five: four are hardly possible, six and ten are."""
    beside = on_t1(5)
    assert beside[4] == pytest.approx(np.log(DEFAULT_TRUST.one_off), abs=0.2)
    assert -3 < beside[6] < -1
    assert -3 < beside[10] < -1


@pytest.mark.parametrize(("reported", "likely"), [(0, {0}), (1, {1}), (2, {2, 3, 4, 6}), (3, {3, 4, 6}), (4, {4})])
@pytest.mark.parametrize("column", [0, 1])
def test_a_crowd_on_the_bar_reads_as_two_or_three(reported: int, likely: set[int], column: int) -> None:
    """Of either colour; fewer reported are not more, and three reported are not two."""
    pair = (reported, 0) if column == 0 else (0, reported)
    bar = likelihoods_of(sight_of(replace(EMPTY, bar=pair), CERTAIN)).bar
    counts = bar[:, 0] if column == 0 else bar[0]
    behind = counts.max() - counts
    assert {count for count in (0, 1, 2, 3, 4, 6) if behind[count] < 1} == likely


def test_a_single_checker_may_be_a_shadow() -> None:
    beside = on_t1(1)
    dark = likelihoods_of(sight_of(with_points(EMPTY, T1=(1, 0)), CERTAIN)).points[T1, LIGHT_ABOVE]
    assert beside[0] == pytest.approx(np.log(DEFAULT_TRUST.appears), abs=0.1)
    assert dark[0, 1] - dark[1, 0] < beside[0]


def test_doubt_is_passed_on() -> None:
    """A reading of three that is one tenth unsure leaves two and four possible."""
    beside = on_t1(3, sight=Sight(sureness=0.9))
    assert -4 < beside[2] < -1.5


def test_a_hidden_place_tells_nothing() -> None:
    seen = sight_of(with_points(EMPTY, T1=(3, 0)), CERTAIN)
    spans = []
    for visible in (1.0, 0.5, 0.2):
        shown = np.full(25, visible, np.float32)
        table = likelihoods_of(replace(seen, visible=shown)).points[T1, LIGHT_ABOVE, :, 0]
        spans.append(float(np.ptp(table)))
    assert spans[0] > spans[1] > spans[2] == pytest.approx(0, abs=1e-9)


def test_below_a_checker_one_may_lie_unseen() -> None:
    """Two light ones are seen; one dark one below them is nearly as likely as none, two are not."""
    table = likelihoods_of(sight_of(with_points(EMPTY, T1=(2, 0)), CLEAR)).points[T1]
    assert table[LIGHT_ABOVE, 2, 1] == pytest.approx(table[LIGHT_ABOVE, 2, 0], abs=0.3)
    assert table[DARK_ABOVE, 2, 1] < -8
    assert table[LIGHT_ABOVE, 2, 2] < -8


def test_two_colours_that_are_read_together_are_likely() -> None:
    """A reader who knows them says how many there are in all; a face in glare may have misled it."""
    seen = sight_of(EMPTY, CERTAIN)
    points = seen.points.copy()
    points[T1] = -20.0
    points[T1, 3, 2] = 0.0
    table = likelihoods_of(replace(seen, points=points)).points[T1]
    assert table[LIGHT_ABOVE, 1, 1] > table[LIGHT_ABOVE, 2, 0] + 3
    assert table[LIGHT_ABOVE, 2, 0] > table[LIGHT_ABOVE, 3, 0] + 5
    assert table[LIGHT_ABOVE, 1, 1] > table[LIGHT_ABOVE, 0, 0] + 5


def test_trays_are_believed_little() -> None:
    """Borne-off checkers may lie elsewhere: three in the tray may be five that are off, hardly two."""
    seen = sight_of(replace(EMPTY, off=(3, 0)), Sight(tray_in_view=True))
    tray = likelihoods_of(seen).tray[:, 0]
    assert -6 < tray[5] - tray[3] < -2
    assert tray[1] - tray[3] < tray[5] - tray[3]
    assert np.ptp(likelihoods_of(sight_of(EMPTY)).tray) == 0
