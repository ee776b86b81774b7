"""Several looks at one thing made one answer: what is right in all adds up, and mistakes that hang on one of them cancel out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.dice_answers import DieAnswer, Kind
from vision.dice_glance import Glance, something
from vision.die_reading import FACES
from vision.pip_patterns import PipEvidence
from vision.pips_alike import pips_are_alike

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
