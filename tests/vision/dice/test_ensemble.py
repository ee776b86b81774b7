"""Fusion of several networks' outputs for one die, with the pip pattern and the verifiers."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.dice.fake_networks import output
from tests.vision.dice.hand_made_dice import die
from vision.dice.classification_cascade import is_uncertain
from vision.dice.classifier import FACE, ClassifierOutput, decode_output
from vision.dice.ensemble import fuse_all_outputs, fuse_outputs_with_pips, fuse_pips, verify_face
from vision.dice.pip_template import PipEvidence
from vision.dice_tracking.fusion import fuse_readings
from vision.pixels.inference import log_softmax

ACCEPTED = 0.98
THREE = PipEvidence(np.array((-4.0, -3.0, 0.0, -3.0, -3.0, -4.0)))  # evidence for a three
NO_PATTERN = PipEvidence(np.zeros(6))
NO_ACE = replace(NO_PATTERN, has_visible_pips=np.arange(6) > 0)


def output_of(face: int, sureness: float) -> ClassifierOutput:
    numbers = output()
    numbers[FACE] = np.log((1 - sureness) / 5)
    numbers[FACE.start + face - 1] = np.log(sureness)
    return decode_output(numbers)


def value_of(outputs: list[ClassifierOutput], pips: PipEvidence) -> tuple[int, float]:
    faces = fuse_all_outputs(outputs, pips).face_log_p
    assert np.exp(faces).sum() == pytest.approx(1)
    assert faces == pytest.approx(log_softmax(faces))
    return int(faces.argmax()) + 1, float(np.exp(faces.max()))


def test_the_face_of_the_pips_stays_possible() -> None:
    faces = fuse_pips(output_of(5, 0.9999), THREE).face_log_p
    assert np.exp(faces[2]) == pytest.approx(0.01, rel=0.15)
    assert int(faces.argmax()) == 4


def test_unanimous_networks_need_no_pattern() -> None:
    value, sureness = value_of(
        [output_of(1, 0.995), output_of(1, 0.98), output_of(1, 0.997), output_of(1, 0.96)], THREE
    )
    assert (value, sureness >= ACCEPTED) == (1, True)


def test_an_agreeing_pattern_makes_surer() -> None:
    assert value_of([output_of(3, 0.96)] * 4, NO_PATTERN)[1] < ACCEPTED < value_of([output_of(3, 0.96)] * 4, THREE)[1]


def test_two_that_contradict_each_other_leave_doubt() -> None:
    """Further networks are asked then, however clear the pattern is."""
    outputs = [output_of(3, 0.9995), output_of(2, 0.96)]
    assert is_uncertain(fuse_outputs_with_pips(outputs, THREE))


def test_a_contradicted_face_is_not_accepted_after_many_frames_either() -> None:
    outputs = [output_of(3, 0.9995), output_of(2, 0.96), output_of(3, 0.9995), output_of(3, 0.9995)]
    faces = fuse_all_outputs(outputs, THREE).face_log_p
    shaking = [
        replace(die(3), face_log_likelihood=tuple((faces * times).tolist())) for times in np.linspace(0.98, 1, 30)
    ]
    assert fuse_readings(shaking[-1:]).value_confidence < fuse_readings(shaking).value_confidence < ACCEPTED


def test_without_unanimity_the_pattern_counts() -> None:
    outputs = [output_of(1, 0.997), output_of(1, 0.997), output_of(1, 0.997), output_of(1, 0.94)]
    assert value_of(outputs, NO_PATTERN)[1] > ACCEPTED
    assert value_of(outputs, THREE)[1] < ACCEPTED


@pytest.mark.parametrize(("second", "is_accepted"), [(0.96, False), (0.9, True)])
def test_a_certain_network_is_not_outvoted(second: float, *, is_accepted: bool) -> None:
    """The pattern does not change that, however clear it is; a network that only favours another face is outvoted."""
    outputs = [output_of(3, 0.9995), output_of(2, second), output_of(3, 0.9995), output_of(3, 0.9995)]
    value, sureness = value_of(outputs, THREE)
    assert value == 3
    assert (sureness >= ACCEPTED) == is_accepted


@pytest.mark.parametrize("sure", [0.97, 0.9999])
def test_a_face_without_visible_pips_is_rejected(sure: float) -> None:
    """All networks may be certain of it, as of the ace of a five under a glare."""
    assert value_of([output_of(1, sure)] * 4, NO_ACE)[1] < ACCEPTED
    assert value_of([output_of(2, 0.9999)] * 4, NO_ACE)[1] > ACCEPTED


@pytest.mark.parametrize(
    ("verifiers", "is_accepted", "left"),
    [
        ([output_of(4, 0.996), output_of(4, 0.5)], True, 1),  # the first one suffices
        ([output_of(4, 0.97), output_of(4, 0.995)], True, 0),
        ([output_of(4, 0.97), output_of(4, 0.9)], False, 0),
        ([output_of(5, 0.999), output_of(4, 0.999)], False, 0),
    ],
)
def test_verifiers_may_reject_a_face(verifiers: list[ClassifierOutput], left: int, *, is_accepted: bool) -> None:
    """The order of the faces stays as it was."""
    outputs = iter(verifiers)
    verified = verify_face(output_of(4, 0.999), outputs)
    assert int(verified.face_log_p.argmax()) + 1 == 4
    assert (float(np.exp(verified.face_log_p.max())) >= ACCEPTED) is is_accepted
    assert len(list(outputs)) == left
