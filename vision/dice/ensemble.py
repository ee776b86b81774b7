"""What the networks that read dice say of a window, each by itself.

Several looks at one thing made one answer: what is right in all adds up, and mistakes that hang on one of them cancel out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.dice.classifier import DieAnswer, Kind, answer_of
from vision.dice.pip_check import pips_are_alike
from vision.dice.pip_template import PipEvidence
from vision.dice.proposals import Glance, something
from vision.dice.readings import FACES
from vision.dice.windows import SIGHT, DieSpot, WindowPlace, place_window
from vision.geometry.projection import KnownBoard
from vision.pixels.inference import answers_to

QUICK, CAREFUL = "dice_quick", "dice"
# Of 249 valid throws on 656 rendered boards, read six times with the search put off, 244.0 are accepted with both, where it were
# 240.7, and of 659 in windows that no training has seen 595 (581); of 2,008 that do not count, on these, on drawn tables and on 161
# more boards, 9.8 (9.2). They are not asked about a die that surely is one and does not lie flat: no throw more would be accepted,
# and one of 983 lies of more than ten degrees fewer be right.
SECOND_OPINION, THIRD_OPINION = "dice_second_opinion", "dice_third_opinion"
# As these two, but they learned what half hidden dice, glints and shadows leave open of a face, and see a little worse how dice lie.
DOUBT, DOUBT_NEARER = "dice_doubt", "dice_doubt_nearer"
# How x and y run in the window of the careful look, and how much smaller it is. Of 1,451 dice in rendered windows that no training
# has seen, both looks' mean tells how they lie for 0.134 nats a die. From as far as the quick look it were 0.123; but of 640 drawn
# throws that count 627 are accepted so, where it are 629, and in photographs four dice of 229 fewer are told.
MIRRORED, NEARER = (-1, 1), 0.85


def quick_opinion(pixels: NDArray[np.uint8], place: WindowPlace) -> DieAnswer:
    """Of a picture (h, w, 3) BGR, as the others."""
    return _said(QUICK, _planes(pixels, place))


def nearer_window(spot: DieSpot, board: KnownBoard | None) -> WindowPlace:
    """Where the careful look is put, of a die that the window of this spot shows exactly."""
    return place_window(replace(spot, size_px=NEARER * spot.size_px), board)


def careful_opinion(pixels: NDArray[np.uint8], nearer: WindowPlace) -> DieAnswer:
    return _said_mirrored(CAREFUL, _planes(pixels, nearer))


def doubting_opinions(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> Iterator[DieAnswer]:
    """Two, each asked for when it is wanted, and for its faces alone, of a spot that is put exactly on a die."""
    yield _said(DOUBT, _planes(pixels, place_window(spot, board)))
    yield _said_mirrored(DOUBT_NEARER, _planes(pixels, nearer_window(spot, board)))


def further_opinions(pixels: NDArray[np.uint8], place: WindowPlace) -> Iterator[DieAnswer]:
    """Two, each asked for when it is wanted."""
    yield from _further_said(_planes(pixels, place))


def all_opinions(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> Iterator[DieAnswer]:
    """All four, likewise, of a spot that is put exactly on a die."""
    planes = _planes(pixels, place_window(spot, board))
    yield _said(QUICK, planes)
    yield careful_opinion(pixels, nearer_window(spot, board))
    yield from _further_said(planes)


def _planes(pixels: NDArray[np.uint8], place: WindowPlace) -> NDArray[np.float32]:
    return place.planes(place.colours(pixels))


def _further_said(planes: NDArray[np.float32]) -> Iterator[DieAnswer]:
    yield _said_mirrored(SECOND_OPINION, planes)
    yield _said(THIRD_OPINION, planes)


def _said(network: str, planes: NDArray[np.float32]) -> DieAnswer:
    return answer_of(answers_to(network, planes, ("answers",))[0])


def _said_mirrored(network: str, planes: NDArray[np.float32]) -> DieAnswer:
    """What a network says of the window as MIRRORED has it, told for the window as it is."""
    x, y = MIRRORED
    mirrored = planes[:, ::y, ::x].copy()
    mirrored[SIGHT] *= np.array(MIRRORED, np.float32)[:, None, None]
    said, back = _said(network, mirrored), np.array(MIRRORED, np.float64)
    return replace(said, normal=back * said.normal, top=back * said.top, base=back * said.base)


# The least probability of the face that the pattern of the pips shows best, though the network is sure of another one. Of
# 93 drawn dice on which the two differ and that seem certain to 98 to 99.5 percent three are others; of 4,380 on which
# they agree, one.
PIPS_RIGHT = 0.01
NO_PATTERN = 0.5  # nats from the best to the worst face, below which nothing is contradicted
# From where on a look is certain of a face by itself, and what all faces share where two are, each of another one: so much that it
# is not believed after any number of pictures either.
CERTAIN, CONTRADICTED = 0.95, 0.08
# What the looks that learned to doubt a face give it at least, together, where it is believed; where the first gives it so much the
# other one is not asked.
NOT_DOUBTED, SURELY_NOT_DOUBTED = 0.98, 0.995
# A face that is less likely is not believed anyway, so that nothing more is asked.
BELIEVED_FROM = 1 - CONTRADICTED * (1 - 1 / FACES)
TINY = 1e-12


def with_glance(glance: Glance, exact: DieAnswer) -> DieAnswer:
    """That something is there is the mean of both, which is no surer than the less sure where they differ.

    What it is tells the exact look alone: an ace and the cube look alike at a glance.
    """
    there = (something(glance.kinds) + something(exact.kinds)) / 2
    kinds = exact.kinds.copy()
    kinds[1:] += np.log(there) - np.logaddexp.reduce(kinds[1:])
    kinds[Kind.NOTHING.value] = np.log(max(1 - there, TINY))
    return replace(exact, kinds=kinds)


def agreement_of(looks: Sequence[DieAnswer]) -> DieAnswer:
    """The means of their log-probabilities, and the places of the first.

    But that something is there is no surer than their mean.
    """
    normals = np.array([look.normal for look in looks])
    normal = normals.mean(axis=0)
    spread = float(np.mean([look.normal_spread for look in looks]))
    return replace(
        looks[0],
        kinds=_mean([look.kinds for look in looks]),
        faces=_consensus([look.faces for look in looks]),
        lies=_consensus([look.lies for look in looks]),
        normal=normal,
        normal_spread=max(spread, float(np.abs(normals - normal).mean())),
        touches_checker=float(np.mean([look.touches_checker for look in looks])),
    )


def agreement_of_all(looks: Sequence[DieAnswer], pips: PipEvidence) -> DieAnswer:
    """Of all networks there are, with what the pattern of the pips says.

    Where each is certain of the same face by itself, a pattern that shows another one has no say. Of 60 flat dice, in rendered windows,
    on boards and on drawn tables, where that was so none showed another face than the networks said.
    """
    certain = _certain_of(looks)
    are_of_one_mind = len(certain) == len(looks) and len(set(certain)) == 1
    if are_of_one_mind and int(pips.faces.argmax()) not in certain:
        return _as_far_as_seen(agreement_of(looks), pips)
    return agreement_with_pips(looks, pips)


def agreement_with_pips(looks: Sequence[DieAnswer], pips: PipEvidence) -> DieAnswer:
    """With what the pattern says; where two looks are certain of different faces none is believed, however many others there are."""
    answer = with_pips(agreement_of(looks), pips)
    if len(set(_certain_of(looks))) < 2:
        return answer
    return contradicted(answer)


def _as_far_as_seen(answer: DieAnswer, pips: PipEvidence) -> DieAnswer:
    """A face is not believed, whoever is sure of it, none of whose pips are seen, as under a glare only some of them show, or not all
    alike, as a glint is no pip.
    """
    face = int(answer.faces.argmax())
    is_there = bool(pips.seen[face])
    if is_there and is_believed(answer):
        is_there = _are_alike(pips, face)
    return answer if is_there else contradicted(answer)


@lru_cache(maxsize=4)
def _are_alike(pips: PipEvidence, number: int) -> bool:
    """As far as a board tells. Remembered, for it is asked after each look at the die, and takes as long as a small network."""
    return pips.face is None or pips_are_alike(pips.face, number)


def is_believed(answer: DieAnswer) -> bool:
    """Its face, as far as these looks go."""
    return float(np.exp(answer.faces.max())) >= BELIEVED_FROM


def unless_doubted(answer: DieAnswer, doubting: Iterator[DieAnswer]) -> DieAnswer:
    """A face is not believed that looks give too little which learned what hides pips and what looks like one."""
    face = int(answer.faces.argmax())
    first = next(doubting).faces
    if float(np.exp(first[face])) >= SURELY_NOT_DOUBTED:
        return answer
    both = _consensus([first, next(doubting).faces])
    return answer if float(np.exp(both[face])) >= NOT_DOUBTED else contradicted(answer)


def contradicted(answer: DieAnswer) -> DieAnswer:
    """With a face that nobody believes any more."""
    return replace(answer, faces=np.logaddexp(answer.faces + np.log1p(-CONTRADICTED), np.log(CONTRADICTED / FACES)))


def _certain_of(looks: Sequence[DieAnswer]) -> list[int]:
    """The faces, from 0, of those that are certain of one."""
    return [int(look.faces.argmax()) for look in looks if float(np.exp(look.faces.max())) >= CERTAIN]


def with_pips(answer: DieAnswer, pips: PipEvidence) -> DieAnswer:
    """With what the pattern of the pips says of the face, which is another way of seeing it."""
    faces = answer.faces + pips.faces
    faces -= np.logaddexp.reduce(faces)
    favourite = int(pips.faces.argmax())
    if favourite != int(faces.argmax()) and np.ptp(pips.faces) > NO_PATTERN:
        faces += np.log1p(-PIPS_RIGHT)
        faces[favourite] = np.logaddexp(faces[favourite], np.log(PIPS_RIGHT))
    return _as_far_as_seen(replace(answer, faces=faces), pips)


def _consensus(log_probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    means = np.mean(log_probabilities, axis=0)
    return np.asarray(means - np.logaddexp.reduce(means))


def _mean(log_probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """As probabilities."""
    return np.asarray(np.logaddexp.reduce(np.stack(log_probabilities)) - np.log(len(log_probabilities)))
