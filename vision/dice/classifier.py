"""Layout of the output vector of the dice network, shared by training and inference.

Directions and places are in window coordinates: x right, y down, origin in the middle, unit one die edge (`DIE_PX`).
"""

from dataclasses import dataclass
from enum import Enum
from math import exp

import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import FACES, STILL_LIES
from vision.pixels.inference import log_softmax


class ObjectClass(Enum):
    """Class of the object in the middle of a window."""

    NOTHING = 0
    DIE = 1
    CUBE = 2


LIES = STILL_LIES  # in the order of the output vector

CLASS = slice(0, 3)
FACE = slice(3, 3 + FACES)
LIE = slice(9, 15)
NORMAL = slice(15, 17)  # horizontal part of the unit normal of the upper face
NORMAL_SPREAD = 17  # log of the Laplace spread of the normal
TOP = slice(18, 20)  # middle of the upper face
BASE = slice(20, 22)  # middle of the base where it meets the surface
SIZE = 22  # log of the edge in units of DIE_PX
CHECKER = 23  # logit: touches a checker
OUTPUT_SIZE = 24


@dataclass(frozen=True, slots=True, eq=False)
class ClassifierOutput:
    """The decoded output for one window, logits as log-probabilities."""

    class_log_p: NDArray[np.float64]  # (3,) in the order of ObjectClass
    face_log_p: NDArray[np.float64]  # (6,)
    lie_log_p: NDArray[np.float64]  # (6,) in the order of LIES
    normal: NDArray[np.float64]  # (2,)
    normal_spread: float
    top: NDArray[np.float64]  # (2,)
    base: NDArray[np.float64]  # (2,)
    size: float  # edge in units of DIE_PX
    touches_checker: float  # probability

    def class_p(self, kind: ObjectClass) -> float:
        return float(np.exp(self.class_log_p[kind.value]))

    @property
    def face_p(self) -> float:
        """Probability of the likeliest face."""
        return float(np.exp(self.face_log_p.max()))


def decode_output(numbers: NDArray[np.float32]) -> ClassifierOutput:
    """From the raw output vector (OUTPUT_SIZE,)."""
    raw = np.asarray(numbers, np.float64).reshape(OUTPUT_SIZE)
    return ClassifierOutput(
        class_log_p=log_softmax(raw[CLASS]),
        face_log_p=log_softmax(raw[FACE]),
        lie_log_p=log_softmax(raw[LIE]),
        normal=raw[NORMAL],
        normal_spread=exp(_clamp(raw[NORMAL_SPREAD], -6, 1)),
        top=raw[TOP],
        base=raw[BASE],
        size=decode_size(raw[SIZE]),
        touches_checker=1 / (1 + exp(-_clamp(raw[CHECKER], -30, 30))),
    )


def decode_size(number: float) -> float:
    """Edge in units of the window's die edge, from its logarithm."""
    return exp(_clamp(number, -1, 1))


def _clamp(number: float, least: float, most: float) -> float:
    return min(max(float(number), least), most)


def reweight(log_probabilities: NDArray[np.float64], factors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-probabilities after multiplication by these factors, normalised."""
    weighted = log_probabilities + np.log(factors)
    return np.asarray(weighted - np.logaddexp.reduce(weighted))
