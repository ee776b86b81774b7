import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.dice.classifier import (
    BASE,
    CHECKER,
    CLASS,
    FACE,
    LIE,
    LIES,
    NORMAL,
    NORMAL_SPREAD,
    OUTPUT_SIZE,
    SIZE,
    TOP,
    decode_output,
)
from vision.dice.readings import DieState


def test_every_number_has_one_meaning() -> None:
    """The slices and single places cover all of them, none twice."""
    parts = [np.arange(OUTPUT_SIZE)[part] for part in (CLASS, FACE, LIE, NORMAL, TOP, BASE)]
    used = np.concatenate([*parts, [NORMAL_SPREAD, SIZE, CHECKER]])
    assert sorted(used.tolist()) == list(range(OUTPUT_SIZE))


def test_every_lie_of_a_still_die_is_one_of_the_answers() -> None:
    """Motion shows in several frames, not in one window."""
    assert set(LIES) == set(DieState) - {DieState.MOVING}


def test_numbers_go_to_their_places() -> None:
    """Directions and places as they are, logs and logits undone."""
    raw = np.zeros(OUTPUT_SIZE, np.float32)
    raw[FACE.start + 4] = raw[LIE.start + 1] = raw[CLASS.start + 2] = 3
    raw[NORMAL], raw[TOP], raw[BASE] = (0.1, -0.2), (0.3, 0.4), (-0.5, 0.6)
    raw[NORMAL_SPREAD], raw[SIZE], raw[CHECKER] = np.log(0.05), np.log(1.25), np.log(3)
    answer = decode_output(raw)
    chosen = [likely.argmax() for likely in (answer.class_log_p, answer.face_log_p, answer.lie_log_p)]
    assert chosen == [2, 4, 1]
    places = np.concatenate([answer.normal, answer.top, answer.base])
    assert places == pytest.approx([0.1, -0.2, 0.3, 0.4, -0.5, 0.6])
    assert [answer.normal_spread, answer.size, answer.touches_checker] == pytest.approx([0.05, 1.25, 0.75])


def test_logits_become_probabilities() -> None:
    """Logits log 1, log 2 and log 5 are an eighth, a quarter and five eighths."""
    raw = np.zeros(OUTPUT_SIZE, np.float32)
    raw[CLASS] = np.log([1, 2, 5])
    assert np.exp(decode_output(raw).class_log_p) == pytest.approx([0.125, 0.25, 0.625])


@given(arrays(np.float32, OUTPUT_SIZE, elements=st.floats(-1e4, 1e4, width=32)))
def test_whatever_a_network_says_is_an_answer(raw: np.ndarray[tuple[int], np.dtype[np.float32]]) -> None:
    """Probabilities add up to one, a size stays within a factor of e, a spread above zero."""
    answer = decode_output(raw)
    for logs in (answer.class_log_p, answer.face_log_p, answer.lie_log_p):
        assert np.exp(logs).sum() == pytest.approx(1)
    assert 0.36 < answer.size < 2.72
    assert 0.002 < answer.normal_spread < 2.72
    assert 0 <= answer.touches_checker <= 1
