"""Beside the field much lies that is no die: pens, coins, cups, print. What is one there all networks say alike.

Of such things most networks have seen few while they learned (the quick one drawings of many), and each is sure of some; of a die all of
them are. The cube shows its number.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.classification_cascade import TOLD, Look, hardly
from vision.dice.classifier import DieAnswer, Kind
from vision.dice.cube_number import shows_a_number
from vision.dice.ensemble import all_opinions

# Probability of a die from which one says so. Around 219 rendered boards, where photographs of landscapes, print, tools, toys and flowers
# were put, 88 things were told as dice that are none; of 8 all say so much and the same face, and of 98 to 95 of 100 dice that lie
# beside the board, on a rim, or lean there.
SAYS_SO = 0.95


def doubted_beside_field(pixels: NDArray[np.uint8], look: Look | None) -> Look | None:
    """The look, of a picture (h, w, 3) BGR; hardly what it told beside the field any more if that is doubtful there.

    As a die is of which any network does not say so, and a cube without a plain number.
    """
    if look is None or not look.is_beside_field:
        return look
    kind = Kind(int(look.answer.kinds.argmax()))
    is_told = kind is not Kind.NOTHING and float(np.exp(look.answer.kinds[kind.value])) >= TOLD
    if not is_told or _is_beyond_doubt(pixels, look, kind):
        return look
    return replace(look, answer=replace(look.answer, kinds=hardly(kind, look.answer.kinds)))


def _is_beyond_doubt(pixels: NDArray[np.uint8], look: Look, kind: Kind) -> bool:
    if kind is Kind.CUBE:
        return shows_a_number(pixels, look.spot, look.place.board)
    face = int(look.answer.faces.argmax())
    return all(_says_so(said, face) for said in all_opinions(pixels, look.spot, look.place.board))


def _says_so(said: DieAnswer, face: int) -> bool:
    """One after the other: most of what is no die two of them tell."""
    return float(np.exp(said.kinds[Kind.DIE.value])) >= SAYS_SO and int(said.faces.argmax()) == face
