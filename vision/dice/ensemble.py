"""What the networks that read dice say of a window, each by itself.

Several looks at one thing made one answer: what is right in all adds up, and mistakes that hang on one of them cancel out.
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
# Of 249 valid throws on 656 rendered boards, read six times with the search put off, 244.0 are accepted with both, where it were
# 240.7, and of 659 in windows that no training has seen 595 (581); of 2,008 that do not count, on these, on drawn tables and on 161
# more boards, 9.8 (9.2). They are not asked about a die that surely is one and does not lie flat: no throw more would be accepted,
# and one of 983 lies of more than ten degrees fewer be right.
SECOND_NETWORK, THIRD_NETWORK = "dice_second_opinion", "dice_third_opinion"
# As these two, but they learned what half hidden dice, glints and shadows leave open of a face, and see a little worse how dice lie.
VERIFIER_NETWORK, CLOSER_VERIFIER_NETWORK = "dice_doubt", "dice_doubt_nearer"
# How x and y run in the window of the careful look, and how much smaller it is. Of 1,451 dice in rendered windows that no training
# has seen, both looks' mean tells how they lie for 0.134 nats a die. From as far as the quick look it were 0.123; but of 640 drawn
# throws that count 627 are accepted so, where it are 629, and in photographs four dice of 229 fewer are told.
MIRRORED, CLOSER_SCALE = (-1, 1), 0.85


def run_fast_network(pixels: NDArray[np.uint8], place: WindowPlace) -> ClassifierOutput:
    """Of a picture (h, w, 3) BGR, as the others."""
    return _run_network(FAST_NETWORK, _make_planes(pixels, place))


def make_closer_window(spot: DieSpot, board: KnownBoard | None) -> WindowPlace:
    """Where the careful look is put, of a die that the window of this spot shows exactly."""
    return place_window(replace(spot, size_px=CLOSER_SCALE * spot.size_px), board)


def run_careful_network(pixels: NDArray[np.uint8], nearer: WindowPlace) -> ClassifierOutput:
    return _run_mirrored(CAREFUL_NETWORK, _make_planes(pixels, nearer))


def iter_verifier_outputs(
    pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None
) -> Iterator[ClassifierOutput]:
    """Two, each asked for when it is wanted, and for its faces alone, of a spot that is put exactly on a die."""
    yield _run_network(VERIFIER_NETWORK, _make_planes(pixels, place_window(spot, board)))
    yield _run_mirrored(CLOSER_VERIFIER_NETWORK, _make_planes(pixels, make_closer_window(spot, board)))


def iter_further_outputs(pixels: NDArray[np.uint8], place: WindowPlace) -> Iterator[ClassifierOutput]:
    """Two, each asked for when it is wanted."""
    yield from _run_further_networks(_make_planes(pixels, place))


def iter_all_outputs(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> Iterator[ClassifierOutput]:
    """All four, likewise, of a spot that is put exactly on a die."""
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
    """What a network says of the window as MIRRORED has it, told for the window as it is."""
    x, y = MIRRORED
    mirrored = planes[:, ::y, ::x].copy()
    mirrored[SIGHT] *= np.array(MIRRORED, np.float32)[:, None, None]
    said, back = _run_network(network, mirrored), np.array(MIRRORED, np.float64)
    return replace(said, normal=back * said.normal, top=back * said.top, base=back * said.base)


# The least probability of the face that the pattern of the pips shows best, though the network is sure of another one. Of
# 93 drawn dice on which the two differ and that seem certain to 98 to 99.5 percent three are others; of 4,380 on which
# they agree, one.
MIN_PATTERN_FACE_P = 0.01
MIN_PATTERN_RANGE = 0.5  # nats from the best to the worst face, below which nothing is contradicted
# From where on a look is certain of a face by itself, and what all faces share where two are, each of another one: so much that it
# is not believed after any number of pictures either.
CERTAIN_FACE_P, CONTRADICTED_P = 0.95, 0.08
# What the looks that learned to doubt a face give it at least, together, where it is believed; where the first gives it so much the
# other one is not asked.
VERIFIED_FACE_P, SURELY_VERIFIED_FACE_P = 0.98, 0.995
# A face that is less likely is not believed anyway, so that nothing more is asked.
ACCEPT_FACE_P = 1 - CONTRADICTED_P * (1 - 1 / FACES)
MIN_P = 1e-12


def fuse_proposal_check(glance: ProposalCheck, exact: ClassifierOutput) -> ClassifierOutput:
    """That something is there is the mean of both, which is no surer than the less sure where they differ.

    What it is tells the exact look alone: an ace and the cube look alike at a glance.
    """
    there = (objectness(glance.class_log_p) + objectness(exact.class_log_p)) / 2
    kinds = exact.class_log_p.copy()
    kinds[1:] += np.log(there) - np.logaddexp.reduce(kinds[1:])
    kinds[ObjectClass.NOTHING.value] = np.log(max(1 - there, MIN_P))
    return replace(exact, class_log_p=kinds)


def fuse_outputs(looks: Sequence[ClassifierOutput]) -> ClassifierOutput:
    """The means of their log-probabilities, and the places of the first.

    But that something is there is no surer than their mean.
    """
    normals = np.array([look.normal for look in looks])
    normal = normals.mean(axis=0)
    spread = float(np.mean([look.normal_spread for look in looks]))
    return replace(
        looks[0],
        class_log_p=_arithmetic_mean([look.class_log_p for look in looks]),
        face_log_p=_geometric_mean([look.face_log_p for look in looks]),
        lie_log_p=_geometric_mean([look.lie_log_p for look in looks]),
        normal=normal,
        normal_spread=max(spread, float(np.abs(normals - normal).mean())),
        touches_checker=float(np.mean([look.touches_checker for look in looks])),
    )


def fuse_all_outputs(looks: Sequence[ClassifierOutput], pips: PipEvidence) -> ClassifierOutput:
    """Of all networks there are, with what the pattern of the pips says.

    Where each is certain of the same face by itself, a pattern that shows another one has no say. Of 60 flat dice, in rendered windows,
    on boards and on drawn tables, where that was so none showed another face than the networks said.
    """
    certain = _find_certain_faces(looks)
    are_of_one_mind = len(certain) == len(looks) and len(set(certain)) == 1
    if are_of_one_mind and int(pips.face_log_likelihoods.argmax()) not in certain:
        return _require_visible_pips(fuse_outputs(looks), pips)
    return fuse_outputs_with_pips(looks, pips)


def fuse_outputs_with_pips(looks: Sequence[ClassifierOutput], pips: PipEvidence) -> ClassifierOutput:
    """With what the pattern says; where two looks are certain of different faces none is believed, however many others there are."""
    answer = fuse_pips(fuse_outputs(looks), pips)
    if len(set(_find_certain_faces(looks))) < 2:
        return answer
    return contradict_face(answer)


def _require_visible_pips(answer: ClassifierOutput, pips: PipEvidence) -> ClassifierOutput:
    """A face is not believed, whoever is sure of it, none of whose pips are seen, as under a glare only some of them show, or not all
    alike, as a glint is no pip.
    """
    face = int(answer.face_log_p.argmax())
    is_there = bool(pips.has_visible_pips[face])
    if is_there and is_face_accepted(answer):
        is_there = _are_pips_consistent(pips, face)
    return answer if is_there else contradict_face(answer)


@lru_cache(maxsize=4)
def _are_pips_consistent(pips: PipEvidence, number: int) -> bool:
    """As far as a board tells. Remembered, for it is asked after each look at the die, and takes as long as a small network."""
    return pips.face_lab is None or are_pips_consistent(pips.face_lab, number)


def is_face_accepted(answer: ClassifierOutput) -> bool:
    """Its face, as far as these looks go."""
    return float(np.exp(answer.face_log_p.max())) >= ACCEPT_FACE_P


def verify_face(answer: ClassifierOutput, doubting: Iterator[ClassifierOutput]) -> ClassifierOutput:
    """A face is not believed that looks give too little which learned what hides pips and what looks like one."""
    face = int(answer.face_log_p.argmax())
    first = next(doubting).face_log_p
    if float(np.exp(first[face])) >= SURELY_VERIFIED_FACE_P:
        return answer
    both = _geometric_mean([first, next(doubting).face_log_p])
    return answer if float(np.exp(both[face])) >= VERIFIED_FACE_P else contradict_face(answer)


def contradict_face(answer: ClassifierOutput) -> ClassifierOutput:
    """With a face that nobody believes any more."""
    return replace(
        answer, face_log_p=np.logaddexp(answer.face_log_p + np.log1p(-CONTRADICTED_P), np.log(CONTRADICTED_P / FACES))
    )


def _find_certain_faces(looks: Sequence[ClassifierOutput]) -> list[int]:
    """The faces, from 0, of those that are certain of one."""
    return [int(look.face_log_p.argmax()) for look in looks if float(np.exp(look.face_log_p.max())) >= CERTAIN_FACE_P]


def fuse_pips(answer: ClassifierOutput, pips: PipEvidence) -> ClassifierOutput:
    """With what the pattern of the pips says of the face, which is another way of seeing it."""
    faces = answer.face_log_p + pips.face_log_likelihoods
    faces -= np.logaddexp.reduce(faces)
    favourite = int(pips.face_log_likelihoods.argmax())
    if favourite != int(faces.argmax()) and np.ptp(pips.face_log_likelihoods) > MIN_PATTERN_RANGE:
        faces += np.log1p(-MIN_PATTERN_FACE_P)
        faces[favourite] = np.logaddexp(faces[favourite], np.log(MIN_PATTERN_FACE_P))
    return _require_visible_pips(replace(answer, face_log_p=faces), pips)


def _geometric_mean(log_probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    means = np.mean(log_probabilities, axis=0)
    return np.asarray(means - np.logaddexp.reduce(means))


def _arithmetic_mean(log_probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """As probabilities."""
    return np.asarray(np.logaddexp.reduce(np.stack(log_probabilities)) - np.log(len(log_probabilities)))
