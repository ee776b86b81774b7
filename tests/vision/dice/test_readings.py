from dataclasses import replace
from math import inf, nan

import pytest

from tests.vision.dice.hand_made_dice import die
from vision.dice.readings import DieReading
from vision.errors import ImpossibleReadingError


def with_faces(*faces: float) -> DieReading:
    return replace(die(), face_log_likelihood=faces)


@pytest.mark.parametrize(
    "faces",
    [(0.0,) * 5, (0.0,) * 7, (0.0, 0.0, nan, 0.0, 0.0, 0.0), (-inf,) * 6, (0.0, 0.0, 0.0, 0.0, 0.0, inf)],
    ids=["five", "seven", "no number", "nothing possible", "infinite"],
)
def test_impossible_faces(faces: tuple[float, ...]) -> None:
    """A die has six faces, each with a likelihood, one of them possible."""
    with pytest.raises(ImpossibleReadingError, match="six log-likelihoods"):
        with_faces(*faces)


@pytest.mark.parametrize("confidence", [-0.01, 1.01, nan])
def test_impossible_confidence(confidence: float) -> None:
    """It lies between 0 and 1."""
    with pytest.raises(ImpossibleReadingError, match="between 0 and 1"):
        die(lie_sure=confidence)
    with pytest.raises(ImpossibleReadingError, match="between 0 and 1"):
        replace(die(), die_chance=confidence)


@pytest.mark.parametrize("confidence", [0.0, 1.0])
def test_the_ends_are_possible(confidence: float) -> None:
    assert die(lie_sure=confidence).lie_confidence == confidence


@pytest.mark.parametrize("value", range(1, 7))
def test_the_value_is_the_likeliest_face(value: int) -> None:
    """Faces count from 1."""
    assert die(value, sure=0.4).value == value


def test_an_impossible_face_is_a_possible_reading() -> None:
    """One face alone: it is certain."""
    assert with_faces(-inf, -inf, -inf, -3.0, -inf, -inf).value == 4
    assert with_faces(-inf, -inf, -inf, -3.0, -inf, -inf).value_confidence == 1


def test_confidence_is_the_posterior() -> None:
    """Only differences matter: 4 against 1, 1, 1, 1 and 0 is one half, wherever the scale begins."""
    log_4 = 1.3862943611198906
    assert with_faces(0.0, 0.0, log_4, 0.0, 0.0, -inf).value_confidence == pytest.approx(0.5)
    assert with_faces(-900.0, -900.0, log_4 - 900, -900.0, -900.0, -inf).value_confidence == pytest.approx(0.5)
    assert with_faces(*[0.0] * 6).value_confidence == pytest.approx(1 / 6)
