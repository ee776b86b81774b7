from dataclasses import replace
from math import inf, log
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.dice_tracking.dice_films import LEFT_PX, die
from vision.dice.readings import BoardHalf, Contact, DieReading, DieState
from vision.dice_tracking import fusion
from vision.dice_tracking.fusion import fuse_readings
from vision.errors import ImpossibleReadingError


def slightly(one: DieReading, number: int) -> DieReading:
    """Another reading of the same die."""
    return replace(one, tilt_deg=one.tilt_deg + number / 1000)


def test_no_reading_is_no_reading() -> None:
    with pytest.raises(ImpossibleReadingError, match="at least one reading"):
        fuse_readings([])


def test_one_reading_stays_as_it_is() -> None:
    """Only differences of the likelihoods matter; everything else is the same."""
    one = die(5)
    assert fuse_readings([one]) == one


def test_the_edge_is_the_middle_one_of_those_measured() -> None:
    readings = [replace(die(5), edge_mm=edge_mm) for edge_mm in (14.0, None, 10.0, 15.0)]
    assert fuse_readings(readings).edge_mm == 14.0
    assert fuse_readings([die(5)]).edge_mm is None


def test_one_reading_below_the_limit_outvotes_none_above_it() -> None:
    """A die leans on a checker; one reading of ten measures a little less than what is called cocked."""
    chances = (0.0, 0.02, 0.97, 0.0, 0.0, 0.0)
    leaning = replace(
        die(5), lies=DieState.COCKED, lie_confidence=0.99, lie_chances=chances, tilt_deg=6.0, touches=Contact.CHECKER
    )
    level = replace(leaning, lies=DieState.ON_CHECKER, lie_confidence=0.97, tilt_deg=4.9)
    together = fuse_readings([*(slightly(leaning, number) for number in range(9)), level])
    assert together.lies is DieState.COCKED
    assert together.lie_confidence > 0.85


class TestFaces:
    def test_many_readings_are_little_surer_than_one(self) -> None:
        """A hundred readings of which each gives 4 to 1 do not make it certain: at most 1 / 0.85 of them count."""
        odds = die(5, odds=log(4 * 5))
        together = fuse_readings([slightly(odds, number) for number in range(100)])
        assert odds.value_confidence == pytest.approx(0.8)
        assert 0.85 < together.value_confidence < 0.9

    def test_the_same_reading_again_is_no_further_reading(self) -> None:
        """An unchanged picture is not read anew: its reading handed on a hundred times says no more than once."""
        odds = die(5, odds=2.0)
        assert fuse_readings([odds] * 100).value_confidence == pytest.approx(odds.value_confidence)

    def test_one_wrong_reading_is_outvoted(self) -> None:
        """It may even call all other faces impossible."""
        wrong = replace(die(2), face_log_likelihood=(-inf, 0.0, -inf, -inf, -inf, -inf))
        together = fuse_readings([wrong, *(slightly(die(5), number) for number in range(9))])
        assert together.value == 5
        assert together.value_confidence > 0.99

    def test_two_faces_half_of_the_time_each_stay_undecided(self) -> None:
        together = fuse_readings([slightly(die(face), number) for number in range(4) for face in (2, 5)])
        assert together.value_confidence == pytest.approx(0.5, abs=0.01)


def test_that_it_is_a_die_is_the_mean_of_all_readings() -> None:
    """One reading that doubts it makes the die a little less sure."""
    doubted = [replace(die(), die_chance=chance) for chance in (1.0, 1.0, 0.94)]
    assert fuse_readings(doubted).die_chance == pytest.approx(0.98)


class TestLie:
    def test_chances_are_averaged(self) -> None:
        """A reading without chances makes them unknown."""
        rim, off = (
            replace(die(), lie_chances=chances) for chances in ((0.1, 0, 0, 0, 0.8, 0.1), (0.1, 0, 0, 0, 0.1, 0.8))
        )
        assert fuse_readings([rim, off]).lie_chances == pytest.approx((0.1, 0, 0, 0, 0.45, 0.45))
        assert fuse_readings([rim, die()]).lie_chances == ()

    @pytest.mark.parametrize(("cocked", "lies"), [(0, "flat"), (1, "flat"), (3, "cocked"), (20, "cocked")])
    def test_the_worse_one_from_a_tenth_of_the_looks_on(self, cocked: int, lies: str) -> None:
        """Its confidence is its share: little, where the readings disagree."""
        readings = [die(lies=DieState.COCKED)] * cocked + [die()] * (20 - cocked)
        together = fuse_readings(readings)
        assert together.lies is DieState(lies)
        assert together.lie_confidence == pytest.approx(0.95 * (cocked if lies == "cocked" else 20 - cocked) / 20)

    def test_what_a_reading_that_names_another_lie_thinks_of_this_one_counts(self) -> None:
        """A reading that calls it cocked with a quarter thinks it flat with three: of 20 readings one such takes little away."""
        flat = replace(die(confidence=0.9), lie_chances=(0.9, 0.1, 0, 0, 0, 0))
        doubt = replace(die(lies=DieState.COCKED, confidence=0.25), lie_chances=(0.75, 0.25, 0, 0, 0, 0))
        together = fuse_readings([*[flat] * 19, doubt])
        assert together.lies is DieState.FLAT
        assert together.lie_confidence == pytest.approx((19 * 0.9 + 0.75) / 20)

    def test_no_reading_is_sure_of_anything(self) -> None:
        """The worst lie counts, with no confidence at all."""
        readings = [die(confidence=0.0), die(lies=DieState.ON_RIM, confidence=0.0)]
        assert (fuse_readings(readings).lies, fuse_readings(readings).lie_confidence) == (DieState.ON_RIM, 0.0)

    def test_a_touch_that_a_few_readings_show(self) -> None:
        """A fifth of the readings is enough for what a die leans on."""
        touching = replace(die(), touches=Contact.CHECKER)
        assert fuse_readings([touching, *[die()] * 4]).touches is Contact.CHECKER
        assert fuse_readings([touching, *[die()] * 20]).touches is Contact.NOTHING


class TestPlace:
    def test_the_median(self) -> None:
        """One reading far off moves nothing."""
        readings = [replace(die(), centre_px=(100.0 + off, 50.0), tilt_deg=off) for off in (0.0, 1.0, 2.0, 3.0, 500.0)]
        together = fuse_readings(readings)
        assert together.centre_px == (102.0, 50.0)
        assert together.tilt_deg == 2.0
        assert together.tilt_sigma_deg == pytest.approx(1.4826)

    def test_a_half_that_readings_do_not_agree_on_is_unknown(self) -> None:
        left, right = replace(die(), half=BoardHalf.LEFT), replace(die(), half=BoardHalf.RIGHT)
        assert fuse_readings([left] * 8 + [right] * 2).half is None
        assert fuse_readings([left] * 19 + [right]).half is BoardHalf.LEFT

    def test_without_a_board_there_are_no_millimetres(self) -> None:
        """A board in fewer than half of the readings gives none either."""
        nowhere = replace(die(), base_mm=None)
        assert fuse_readings([nowhere]).base_mm is None
        assert fuse_readings([nowhere, nowhere, die()]).base_mm is None
        assert fuse_readings([nowhere, die(), die()]).base_mm == (LEFT_PX[0] / 2, LEFT_PX[1] / 2)

    def test_where_it_stands_in_the_picture(self) -> None:
        """The median, of the readings that have one."""
        readings = [replace(die(), base_px=(x, 5.0)) for x in (9.0, 1.0, 2.0)]
        assert fuse_readings([*readings, die()]).base_px == (2.0, 5.0)
        assert fuse_readings([die()]).base_px is None


readings_of_a_die = st.builds(
    die,
    st.integers(1, 6),
    st.tuples(st.floats(0, 500), st.floats(0, 500)),
    lies=st.sampled_from(DieState),
    confidence=st.floats(0, 1),
    odds=st.floats(0, 30),
)


@given(st.lists(readings_of_a_die, min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_no_reading_comes_first(readings: list[DieReading], random: object) -> None:
    """The order of readings changes nothing, and the result is never surer of the lie than the surest reading."""
    shuffled = list(readings)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    together, again = fuse_readings(readings), fuse_readings(shuffled)
    assert (again.lies, again.half, again.centre_px, again.tilt_deg) == (
        *(together.lies, together.half, together.centre_px),
        together.tilt_deg,
    )
    assert again.face_log_likelihood == pytest.approx(together.face_log_likelihood)
    assert together.lie_confidence <= max(reading.lie_confidence for reading in readings) + 1e-9
    assert together.lies in {reading.lies for reading in readings}


@given(st.lists(readings_of_a_die, min_size=2, max_size=12), st.floats(0, 1))
def test_readings_count_at_most_as_their_correlation_says(readings: list[DieReading], correlation: float) -> None:
    """No face gains more against another than the surest single reading says, times the readings that count."""
    with patch.object(fusion, "CORRELATION", correlation):
        together = fuse_readings(readings)
    number = len(set(readings))
    counting = number / (1 + (number - 1) * correlation)
    most = max(max(reading.face_log_likelihood) - min(reading.face_log_likelihood) for reading in readings)
    assert -min(together.face_log_likelihood) <= counting * most + 1e-9
