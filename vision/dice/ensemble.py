"""The ensemble of dice networks: inference and fusion of their outputs.

Each network sees a window at its own distance, some of them mirrored. Fusion averages log-probabilities, so that what
is right in all networks adds up and the errors of one cancel. On top of the mean, a face needs the consent of the pip
pattern and of the verifier networks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.dice.classifier import ClassifierOutput, ObjectClass, decode_output
from vision.dice.pip_check import are_pips_consistent
from vision.dice.pip_template import PipEvidence
from vision.dice.proposals import ProposalCheck, objectness
from vision.dice.readings import FACES
from vision.dice.windows import SIGHT, DieSpot, WindowPlace, place_window
from vision.geometry.projection import KnownBoard
from vision.pixels.inference import run_network_on_planes

FAST_NETWORK, CAREFUL_NETWORK = "dice_quick", "dice"
# Asked where fast and careful network leave doubt, but not for a die that surely is one and surely not flat: there
# they change nothing.
SECOND_NETWORK, THIRD_NETWORK = "dice_second_opinion", "dice_third_opinion"
# Trained on half hidden dice, glints and shadows; a little worse at lies, so they judge faces only.
VERIFIER_NETWORK, CLOSER_VERIFIER_NETWORK = "dice_doubt", "dice_doubt_nearer"
# Direction of x and y in the mirrored windows, and size of the closer window against the fast network's. Knob: a
# closer window loses context of the lie, a wider one resolution of the face.
MIRRORED, CLOSER_SCALE = (-1, 1), 0.85


def run_fast_network(pixels: NDArray[np.uint8], place: WindowPlace) -> ClassifierOutput:
    return _run_network(FAST_NETWORK, _make_planes(pixels, place))


def make_closer_window(spot: DieSpot, board: KnownBoard | None) -> WindowPlace:
    """The closer window around a die that this spot places exactly."""
    return place_window(replace(spot, size_px=CLOSER_SCALE * spot.size_px), board)


def run_careful_network(pixels: NDArray[np.uint8], window: WindowPlace) -> ClassifierOutput:
    return _run_mirrored(CAREFUL_NETWORK, _make_planes(pixels, window))


def iter_verifier_outputs(
    pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None
) -> Iterator[ClassifierOutput]:
    """Lazily yields the outputs of both verifier networks for a centred spot; only their faces count."""
    yield _run_network(VERIFIER_NETWORK, _make_planes(pixels, place_window(spot, board)))
    yield _run_mirrored(CLOSER_VERIFIER_NETWORK, _make_planes(pixels, make_closer_window(spot, board)))


def iter_further_outputs(pixels: NDArray[np.uint8], place: WindowPlace) -> Iterator[ClassifierOutput]:
    """Lazily yields the outputs of both further networks."""
    yield from _run_further_networks(_make_planes(pixels, place))


def iter_all_outputs(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> Iterator[ClassifierOutput]:
    """Lazily yields the outputs of all four networks for a centred spot."""
    planes = _make_planes(pixels, place_window(spot, board))
    yield _run_network(FAST_NETWORK, planes)
    yield run_careful_network(pixels, make_closer_window(spot, board))
    yield from _run_further_networks(planes)


def _make_planes(pixels: NDArray[np.uint8], place: WindowPlace) -> NDArray[np.float32]:
    return place.make_planes(place.sample_views(pixels))


def _run_further_networks(planes: NDArray[np.float32]) -> Iterator[ClassifierOutput]:
    yield _run_mirrored(SECOND_NETWORK, planes)
    yield _run_network(THIRD_NETWORK, planes)


def _run_network(network: str, planes: NDArray[np.float32]) -> ClassifierOutput:
    return decode_output(run_network_on_planes(network, planes, ("answers",))[0])


def _run_mirrored(network: str, planes: NDArray[np.float32]) -> ClassifierOutput:
    """The output for the mirrored window, in the directions of the original one."""
    x, y = MIRRORED
    mirrored = planes[:, ::y, ::x].copy()
    mirrored[SIGHT] *= np.array(MIRRORED, np.float32)[:, None, None]
    output, back = _run_network(network, mirrored), np.array(MIRRORED, np.float64)
    return replace(output, normal=back * output.normal, top=back * output.top, base=back * output.base)


# Least probability of the face that the pip pattern shows best, however sure the networks are of another one.
# Statistical: the pattern is right in a few of a hundred such cases.
MIN_PATTERN_FACE_P = 0.01
MIN_PATTERN_RANGE = 0.5  # knob, in nats from the best to the worst face; below it the pattern contradicts nothing
# P(face) from which one network is certain, and the probability that a contradicted face gives to all faces: enough
# that no number of frames makes it acceptable. Knobs.
CERTAIN_FACE_P, CONTRADICTED_P = 0.95, 0.08
# P(face) by both verifiers together from which a face is verified; from the second value on the first verifier alone
# suffices. Statistical: higher leaves more faces unread.
VERIFIED_FACE_P, SURELY_VERIFIED_FACE_P = 0.98, 0.995
# Follows from CONTRADICTED_P: a contradicted face is below it, so nothing further runs for it.
ACCEPT_FACE_P = 1 - CONTRADICTED_P * (1 - 1 / FACES)
MIN_P = 1e-12  # numerical floor of a probability


def fuse_proposal_check(check: ProposalCheck, output: ClassifierOutput) -> ClassifierOutput:
    """P(object) becomes the mean of both, so it is no surer than the less sure one where they differ.

    The class of the object is the network's alone: to the proposal filter an ace and the cube look alike.
    """
    mean_objectness = (objectness(check.class_log_p) + objectness(output.class_log_p)) / 2
    class_log_p = output.class_log_p.copy()
    class_log_p[1:] += np.log(mean_objectness) - np.logaddexp.reduce(class_log_p[1:])
    class_log_p[ObjectClass.NOTHING.value] = np.log(max(1 - mean_objectness, MIN_P))
    return replace(output, class_log_p=class_log_p)


def fuse_outputs(outputs: Sequence[ClassifierOutput]) -> ClassifierOutput:
    """The means of the outputs, with the places of the first.

    Class probabilities are averaged arithmetically, so that P(object) is no surer than the mean; faces and lies
    geometrically.
    """
    normals = np.array([output.normal for output in outputs])
    normal = normals.mean(axis=0)
    spread = float(np.mean([output.normal_spread for output in outputs]))
    return replace(
        outputs[0],
        class_log_p=_arithmetic_mean([output.class_log_p for output in outputs]),
        face_log_p=_geometric_mean([output.face_log_p for output in outputs]),
        lie_log_p=_geometric_mean([output.lie_log_p for output in outputs]),
        normal=normal,
        normal_spread=max(spread, float(np.abs(normals - normal).mean())),
        touches_checker=float(np.mean([output.touches_checker for output in outputs])),
    )


def fuse_all_outputs(outputs: Sequence[ClassifierOutput], pips: PipEvidence) -> ClassifierOutput:
    """Fuses the whole ensemble with the pip pattern.

    Where every network by itself is certain of the same face, a pattern that shows another one is ignored.
    """
    certain = _find_certain_faces(outputs)
    are_unanimous = len(certain) == len(outputs) and len(set(certain)) == 1
    if are_unanimous and int(pips.face_log_likelihoods.argmax()) not in certain:
        return _require_visible_pips(fuse_outputs(outputs), pips)
    return fuse_outputs_with_pips(outputs, pips)


def fuse_outputs_with_pips(outputs: Sequence[ClassifierOutput], pips: PipEvidence) -> ClassifierOutput:
    """Fuses outputs with the pip pattern. Two networks that are certain of different faces contradict any face."""
    output = fuse_pips(fuse_outputs(outputs), pips)
    if len(set(_find_certain_faces(outputs))) < 2:
        return output
    return contradict_face(output)


def _require_visible_pips(output: ClassifierOutput, pips: PipEvidence) -> ClassifierOutput:
    """Contradicts a face whose pips are not seen, as under a glare, or are not alike, as with a glint."""
    face = int(output.face_log_p.argmax())
    is_there = bool(pips.has_visible_pips[face])
    if is_there and is_face_accepted(output):
        is_there = _are_pips_consistent(pips, face)
    return output if is_there else contradict_face(output)


@lru_cache(maxsize=4)
def _are_pips_consistent(pips: PipEvidence, number: int) -> bool:
    """True without a board. Cached: each fusion asks again, and one answer takes as long as a small network."""
    return pips.face_lab is None or are_pips_consistent(pips.face_lab, number)


def is_face_accepted(output: ClassifierOutput) -> bool:
    return output.face_p >= ACCEPT_FACE_P


def verify_face(output: ClassifierOutput, verifiers: Iterator[ClassifierOutput]) -> ClassifierOutput:
    """Contradicts a face to which the verifiers give too little probability."""
    face = int(output.face_log_p.argmax())
    first = next(verifiers).face_log_p
    if float(np.exp(first[face])) >= SURELY_VERIFIED_FACE_P:
        return output
    mean_log_p = _geometric_mean([first, next(verifiers).face_log_p])
    return output if float(np.exp(mean_log_p[face])) >= VERIFIED_FACE_P else contradict_face(output)


def contradict_face(output: ClassifierOutput) -> ClassifierOutput:
    """The output with a face that is not acceptable any more."""
    return replace(
        output, face_log_p=np.logaddexp(output.face_log_p + np.log1p(-CONTRADICTED_P), np.log(CONTRADICTED_P / FACES))
    )


def _find_certain_faces(outputs: Sequence[ClassifierOutput]) -> list[int]:
    """The faces, from 0, of the outputs that are certain of one."""
    return [int(output.face_log_p.argmax()) for output in outputs if output.face_p >= CERTAIN_FACE_P]


def fuse_pips(output: ClassifierOutput, pips: PipEvidence) -> ClassifierOutput:
    """Multiplies the face probabilities by the likelihoods of the pip pattern."""
    faces = output.face_log_p + pips.face_log_likelihoods
    faces -= np.logaddexp.reduce(faces)
    favourite = int(pips.face_log_likelihoods.argmax())
    if favourite != int(faces.argmax()) and np.ptp(pips.face_log_likelihoods) > MIN_PATTERN_RANGE:
        faces += np.log1p(-MIN_PATTERN_FACE_P)
        faces[favourite] = np.logaddexp(faces[favourite], np.log(MIN_PATTERN_FACE_P))
    return _require_visible_pips(replace(output, face_log_p=faces), pips)


def _geometric_mean(log_probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Normalised."""
    means = np.mean(log_probabilities, axis=0)
    return np.asarray(means - np.logaddexp.reduce(means))


def _arithmetic_mean(log_probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Of the probabilities."""
    return np.asarray(np.logaddexp.reduce(np.stack(log_probabilities)) - np.log(len(log_probabilities)))
