"""What several networks say of one die, and the pattern of its pips beside them."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.dice.hand_made_dice import die
from tests.vision.dice.told_dice import answer
from vision.dice.classification_cascade import is_uncertain
from vision.dice.classifier import FACE, ClassifierOutput, decode_output
from vision.dice.ensemble import fuse_all_outputs, fuse_outputs_with_pips, fuse_pips, verify_face
from vision.dice.pip_template import PipEvidence
from vision.dice_tracking.fusion import fuse_readings
from vision.pixels.inference import log_softmax

BELIEVED = 0.98
THREE = PipEvidence(np.array((-4.0, -3.0, 0.0, -3.0, -3.0, -4.0)))  # what pips say that look like a three
NO_PATTERN = PipEvidence(np.zeros(6))
NO_ACE = replace(NO_PATTERN, has_visible_pips=np.arange(6) > 0)


def said(face: int, sureness: float) -> ClassifierOutput:
    numbers = answer()
    numbers[FACE] = np.log((1 - sureness) / 5)
    numbers[FACE.start + face - 1] = np.log(sureness)
    return decode_output(numbers)


def value_of(looks: list[ClassifierOutput], pips: PipEvidence) -> tuple[int, float]:
    """And how sure it is."""
    faces = fuse_all_outputs(looks, pips).face_log_p
    assert np.exp(faces).sum() == pytest.approx(1)
    assert faces == pytest.approx(log_softmax(faces))
    return int(faces.argmax()) + 1, float(np.exp(faces.max()))


def test_what_the_pips_show_best_stays_possible() -> None:
    """However sure one network is of another face."""
    faces = fuse_pips(said(5, 0.9999), THREE).face_log_p
    assert np.exp(faces[2]) == pytest.approx(0.01, rel=0.15)
    assert int(faces.argmax()) == 4


def test_networks_that_are_certain_each_by_itself_need_no_pattern() -> None:
    value, sureness = value_of([said(1, 0.995), said(1, 0.98), said(1, 0.997), said(1, 0.96)], THREE)
    assert (value, sureness >= BELIEVED) == (1, True)


def test_a_pattern_that_shows_the_same_makes_them_surer() -> None:
    assert value_of([said(3, 0.96)] * 4, NO_PATTERN)[1] < BELIEVED < value_of([said(3, 0.96)] * 4, THREE)[1]


def test_two_that_contradict_each_other_leave_doubt() -> None:
    """However plainly the pattern shows what one of them says: others are asked then."""
    looks = [said(3, 0.9995), said(2, 0.96)]
    assert is_uncertain(fuse_outputs_with_pips(looks, THREE))


def test_what_is_contradicted_is_not_believed_after_many_pictures_either() -> None:
    looks = [said(3, 0.9995), said(2, 0.96), said(3, 0.9995), said(3, 0.9995)]
    faces = fuse_all_outputs(looks, THREE).face_log_p
    shaking = [
        replace(die(3), face_log_likelihood=tuple((faces * times).tolist())) for times in np.linspace(0.98, 1, 30)
    ]
    assert fuse_readings(shaking[-1:]).value_confidence < fuse_readings(shaking).value_confidence < BELIEVED


def test_one_that_is_not_leaves_it_to_the_pattern_too() -> None:
    looks = [said(1, 0.997), said(1, 0.997), said(1, 0.997), said(1, 0.94)]
    assert value_of(looks, NO_PATTERN)[1] > BELIEVED
    assert value_of(looks, THREE)[1] < BELIEVED


@pytest.mark.parametrize(("second", "is_believed"), [(0.96, False), (0.9, True)])
def test_one_that_is_certain_of_another_face_is_not_outvoted(second: float, *, is_believed: bool) -> None:
    """However plainly the pattern shows what most say; one that only favours another face is."""
    looks = [said(3, 0.9995), said(2, second), said(3, 0.9995), said(3, 0.9995)]
    value, sureness = value_of(looks, THREE)
    assert value == 3
    assert (sureness >= BELIEVED) == is_believed


@pytest.mark.parametrize("sure", [0.97, 0.9999])
def test_a_face_whose_pips_are_not_seen_is_not_believed(sure: float) -> None:
    """However many networks are certain of it, as of the ace of a five under a glare."""
    assert value_of([said(1, sure)] * 4, NO_ACE)[1] < BELIEVED
    assert value_of([said(2, 0.9999)] * 4, NO_ACE)[1] > BELIEVED


@pytest.mark.parametrize(
    ("doubting", "is_believed", "left"),
    [
        ([said(4, 0.996), said(4, 0.5)], True, 1),  # the first leaves no doubt: the other one is not asked
        ([said(4, 0.97), said(4, 0.995)], True, 0),
        ([said(4, 0.97), said(4, 0.9)], False, 0),
        ([said(5, 0.999), said(4, 0.999)], False, 0),
    ],
)
def test_a_face_is_not_believed_that_is_doubted(
    doubting: list[ClassifierOutput], left: int, *, is_believed: bool
) -> None:
    """By those that learned what a glint or a cover leaves open; which face it would be stays as it was."""
    looks = iter(doubting)
    answer = verify_face(said(4, 0.999), looks)
    assert int(answer.face_log_p.argmax()) + 1 == 4
    assert (float(np.exp(answer.face_log_p.max())) >= BELIEVED) is is_believed
    assert len(list(looks)) == left
