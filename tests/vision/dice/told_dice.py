"""A dice network that says what a test tells it to."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice import classification_cascade, detect, ensemble, search_stages
from vision.dice.classifier import (
    BASE,
    CHECKER,
    CLASS,
    FACE,
    LIE,
    LIES,
    NORMAL,
    OUTPUT_SIZE,
    TOP,
    ObjectClass,
    decode_output,
)
from vision.dice.cube_number import CUBE_VALUES
from vision.dice.proposals import ProposalCheck
from vision.dice.readings import DieReading, DieState
from vision.dice.windows import DieSpot, place_window
from vision.geometry.projection import KnownBoard
from vision.pixels.inference import log_softmax

PICTURE = np.zeros((480, 640, 3), np.uint8)
EDGE_PX = 20.0
# Where a camera straight above the board sees no sides of dice, but beside the board.
LEFT_HALF, RIGHT_HALF, ON_THE_BAR, BESIDE = (230.0, 180.0), (420.0, 280.0), (320.0, 240.0), (90.0, 150.0)
SURELY_A_DIE = np.log([1e-9, 1.0, 1e-9])
Says = Callable[[NDArray[np.float32]], NDArray[np.float32]]


# Where the line of sight has a slope of 0.4, and a side's middle shows 0.7 edges before that of the face: towards the place below
# the camera, and across.
FAR_PX = (150.0, 110.0)
INWARD, ACROSS = np.array([169.5, 129.5]) / np.hypot(169.5, 129.5), np.array([-129.5, 169.5]) / np.hypot(169.5, 129.5)


def answer(
    kind: ObjectClass = ObjectClass.DIE,
    *,
    face: int = 5,
    lies: DieState = DieState.FLAT,
    normal: tuple[float, float] = (0.0, 0.0),
    top: tuple[float, float] = (0.0, 0.0),
    base: tuple[float, float] = (0.0, 0.0),
    checker: float = -9.0,
) -> NDArray[np.float32]:
    """Sure of everything it says."""
    numbers = np.zeros(OUTPUT_SIZE, np.float32)
    numbers[CLASS.start + kind.value] = numbers[FACE.start + face - 1] = numbers[LIE.start + LIES.index(lies)] = 12
    numbers[NORMAL], numbers[TOP], numbers[BASE], numbers[CHECKER] = normal, top, base, checker
    return numbers


def tell_dice(monkeypatch: pytest.MonkeyPatch, says: Says, *spots_px: tuple[float, float]) -> None:
    """Makes the search find these spots and the network say what `says` does of each window."""
    spots = [DieSpot(spot_px, EDGE_PX, 0.9) for spot_px in spots_px]
    find_spots(monkeypatch, spots)
    tell_looks(monkeypatch, says)


def find_spots(monkeypatch: pytest.MonkeyPatch, spots: Sequence[DieSpot]) -> None:
    """Makes every search find these."""
    search_with(monkeypatch, lambda *_, **__: list(spots))


def search_with(monkeypatch: pytest.MonkeyPatch, search: Callable[..., list[DieSpot]]) -> None:
    """In place of `find_dice`."""
    monkeypatch.setattr(search_stages, "propose_dice", search)


def tell_looks(monkeypatch: pytest.MonkeyPatch, says: Says) -> None:
    """The same of whatever spots there are: each glance finds the spot worth a look, just where it is, pips show plainly, and nobody
    doubts a face.
    """
    monkeypatch.setattr(classification_cascade, "verify_face", lambda said, _: said)
    monkeypatch.setattr(classification_cascade, "_agrees_with_pips", lambda *_: True)
    monkeypatch.setattr(classification_cascade, "compute_pip_evidence", lambda *_: classification_cascade.NO_PIPS)
    monkeypatch.setattr(
        classification_cascade, "check_and_recentre", lambda _, spot, __: ProposalCheck(SURELY_A_DIE, spot)
    )
    monkeypatch.setattr(ensemble, "run_network_on_planes", lambda _, planes, __: [says(planes)])
    see_nothing_aside(monkeypatch)
    tell_number(monkeypatch, None)


def see_nothing_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """No glance from anywhere else shows anything."""
    monkeypatch.setattr(
        "vision.dice.proposals.check_proposal", lambda _, spot: ProposalCheck(np.log([1.0, 1e-9, 1e-9]), spot)
    )


def see_a_die_at_a_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a further step glances, just where it does."""
    monkeypatch.setattr(search_stages, "check_proposal", lambda _, spot: ProposalCheck(SURELY_A_DIE, spot))


def find_beside_a_throw(monkeypatch: pytest.MonkeyPatch, spot: DieSpot) -> None:
    """Two dice, and this spot."""
    pair = [DieSpot(place_px, EDGE_PX, 0.9) for place_px in (LEFT_HALF, ON_THE_BAR)]
    find_spots(monkeypatch, [*pair, spot])


def tell_number(monkeypatch: pytest.MonkeyPatch, value: int | None) -> None:
    """What the cube shows, or that nobody can say."""
    logits = np.array([12.0 if value == number else 0.0 for number in CUBE_VALUES])
    monkeypatch.setattr(detect, "classify_cube_number", lambda *_: log_softmax(logits))


def tell_finished_looks(
    monkeypatch: pytest.MonkeyPatch, says: Callable[..., classification_cascade.Classification | None]
) -> None:
    """All that is told of a spot comes from `says`, in place of `look_at`."""
    monkeypatch.setattr("vision.dice.candidates.classify_spot", says)
    tell_number(monkeypatch, None)


def flat_so_surely(chance: float) -> NDArray[np.float32]:
    """A die of which nothing else is in doubt; it leans if it does not lie flat."""
    numbers = answer()
    numbers[LIE] = -30
    numbers[LIE.start + LIES.index(DieState.FLAT)] = np.log(chance)
    numbers[LIE.start + LIES.index(DieState.COCKED)] = np.log(1 - chance)
    return numbers


def networks_asked(
    monkeypatch: pytest.MonkeyPatch,
    numbers: NDArray[np.float32],
    others: Mapping[str, NDArray[np.float32]] = MappingProxyType({}),
) -> list[str]:
    """Of one spot, where each says these numbers, or what `others` has for its name; filled while it is looked at."""
    asked: list[str] = []

    def says(name: str, *_: object) -> list[NDArray[np.float32]]:
        asked.append(name)
        return [others.get(name, numbers)]

    find_spots(monkeypatch, [DieSpot(LEFT_HALF, EDGE_PX, 0.9)])
    tell_looks(monkeypatch, lambda _: numbers)
    monkeypatch.setattr(ensemble, "run_network_on_planes", says)
    return asked


def one_found_too_small(monkeypatch: pytest.MonkeyPatch, sureness: float, at_first: float = 0.0) -> None:
    """Two things: the search told a wrong size of the one to the right, which in the other's size is a die so surely.

    In the wrong size it looks `at_first` like one.
    """
    see_nothing_aside(monkeypatch)

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification | None:
        is_as_large = spot.size_px == pytest.approx(EDGE_PX, rel=0.05)
        if not is_as_large and not at_first:
            return None
        sure = sureness if is_as_large else at_first
        numbers = answer()
        numbers[CLASS] = np.log([1 - sure, sure, 1e-9] if spot.centre_px == RIGHT_HALF else [1e-9, 1, 1e-9])
        return classification_cascade.Classification(
            place_window(spot, STRAIGHT_DOWN), decode_output(numbers), spot, SURELY_A_DIE
        )

    spots = [DieSpot(LEFT_HALF, EDGE_PX, 0.9), DieSpot(RIGHT_HALF, 0.6 * EDGE_PX, 0.4)]
    find_spots(monkeypatch, spots)
    tell_finished_looks(monkeypatch, says)


def one(board: KnownBoard | None = STRAIGHT_DOWN) -> DieReading:
    """What is read where one die lies."""
    found = detect.read_dice(PICTURE, board)
    assert len(found.dice) == 1
    return found.dice[0]
