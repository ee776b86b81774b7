"""Beside the field much lies that is no die: pens, coins, cups, print. What is one there all networks say alike.

Of such things most networks have seen few while they learned (the quick one drawings of many), and each is sure of some; of a die all of
them are. The cube shows its number.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.classification_cascade import ACCEPT_P, Classification, cap_probability
from vision.dice.classifier import ClassifierOutput, ObjectClass
from vision.dice.cube_number import shows_a_number
from vision.dice.ensemble import iter_all_outputs

# Probability of a die from which one says so. Around 219 rendered boards, where photographs of landscapes, print, tools, toys and flowers
# were put, 88 things were told as dice that are none; of 8 all say so much and the same face, and of 98 to 95 of 100 dice that lie
# beside the board, on a rim, or lean there.
CONFIRM_P = 0.95


def check_off_field(pixels: NDArray[np.uint8], look: Classification | None) -> Classification | None:
    """The look, of a picture (h, w, 3) BGR; hardly what it told beside the field any more if that is doubtful there.

    As a die is of which any network does not say so, and a cube without a plain number.
    """
    if look is None or not look.is_off_field:
        return look
    kind = ObjectClass(int(look.output.class_log_p.argmax()))
    is_told = kind is not ObjectClass.NOTHING and float(np.exp(look.output.class_log_p[kind.value])) >= ACCEPT_P
    if not is_told or _is_confirmed(pixels, look, kind):
        return look
    return replace(look, output=replace(look.output, class_log_p=cap_probability(kind, look.output.class_log_p)))


def _is_confirmed(pixels: NDArray[np.uint8], look: Classification, kind: ObjectClass) -> bool:
    if kind is ObjectClass.CUBE:
        return shows_a_number(pixels, look.spot, look.place.board)
    face = int(look.output.face_log_p.argmax())
    return all(_confirms_face(said, face) for said in iter_all_outputs(pixels, look.spot, look.place.board))


def _confirms_face(said: ClassifierOutput, face: int) -> bool:
    """One after the other: most of what is no die two of them tell."""
    return float(np.exp(said.class_log_p[ObjectClass.DIE.value])) >= CONFIRM_P and int(said.face_log_p.argmax()) == face
