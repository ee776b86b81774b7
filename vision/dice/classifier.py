"""What the network says of a window, number by number; training and reading cut it up alike.

Directions and places count in the window: x right, y down, in edges of a die of die_windows.DIE_PX, from the middle.
"""

from dataclasses import dataclass
from enum import Enum
from math import exp

import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import FACES, STILL_LIES
from vision.pixels.inference import log_softmax


class ObjectClass(Enum):
    """What stands in the middle of a window."""

    NOTHING = 0
    DIE = 1
    CUBE = 2


LIES = STILL_LIES  # in the order of the network's answers

CLASS = slice(0, 3)
FACE = slice(3, 3 + FACES)
LIE = slice(9, 15)
NORMAL = slice(15, 17)  # horizontal part of the upper face's unit normal
NORMAL_SPREAD = 17  # log of the scale of its error (Laplace)
TOP = slice(18, 20)  # middle of the upper face
BASE = slice(20, 22)  # middle of the base, where it shows
SIZE = 22  # log of the edge against DIE_PX
CHECKER = 23  # logit: touches a checker
OUTPUT_SIZE = 24


@dataclass(frozen=True, slots=True, eq=False)
class ClassifierOutput:
    """One window's answers, logits made into log-probabilities."""

    class_log_p: NDArray[np.float64]  # (3,) log
    face_log_p: NDArray[np.float64]  # (6,) log
    lie_log_p: NDArray[np.float64]  # (6,) log, in the order of LIES
    normal: NDArray[np.float64]  # (2,)
    normal_spread: float
    top: NDArray[np.float64]  # (2,)
    base: NDArray[np.float64]  # (2,)
    size: float  # edge against DIE_PX
    touches_checker: float  # 0..1


def decode_output(numbers: NDArray[np.float32]) -> ClassifierOutput:
    """From (ANSWERS,)."""
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
    """Times as large as the window was put, of its logarithm."""
    return exp(_clamp(number, -1, 1))


def _clamp(number: float, least: float, most: float) -> float:
    return min(max(float(number), least), most)


def reweight(log_probabilities: NDArray[np.float64], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """The log-probabilities when each is so many times likelier."""
    likelier = log_probabilities + np.log(times)
    return np.asarray(likelier - np.logaddexp.reduce(likelier))
