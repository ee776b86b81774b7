"""Fakes at the edges of the detector: proposals, dice network, pips and cube number say what a test wants."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice import candidates, classification, classifier, cube_number, detect
from vision.dice.classification import Classification
from vision.dice.cube_number import CUBE_VALUES
from vision.dice.detect import DiceInView, read_dice
from vision.dice.pip_template import PipEvidence
from vision.dice.readings import FACES, DieReading, DieState
from vision.dice.windows import DieSpot, place_window
from vision.geometry.projection import KnownBoard

Numbers = NDArray[np.float32]
PICTURE = np.zeros((480, 640, 3), np.uint8)
EDGE_PX = 20.0
# Places where a camera straight above the board sees no sides of dice, except beside the board.
LEFT_HALF, RIGHT_HALF, ON_THE_BAR, BESIDE = (230.0, 180.0), (420.0, 280.0), (320.0, 240.0), (90.0, 150.0)
# Where the line of sight has a slope of 0.4, and the middle of a side shows 0.7 edges in front of that of the face: towards the
# place below the camera, and across.
FAR_PX = (150.0, 110.0)
INWARD, ACROSS = np.array([169.5, 129.5]) / np.hypot(169.5, 129.5), np.array([-129.5, 169.5]) / np.hypot(169.5, 129.5)


def output(
    kind: classifier.ObjectClass = classifier.ObjectClass.DIE,
    *,
    face: int = 5,
    lies: DieState = DieState.FLAT,
    normal: tuple[float, float] = (0.0, 0.0),
    top: tuple[float, float] = (0.0, 0.0),
    base: tuple[float, float] = (0.0, 0.0),
    checker: float = -9.0,
    die_p: float | None = None,
    face_p: float | None = None,
    flat_p: float | None = None,
) -> Numbers:
    """The numbers of a network that is sure of all, but for P(die), P(face), and P(flat) against cocked."""
    numbers = np.zeros(classifier.OUTPUT_SIZE, np.float32)
    numbers[classifier.CLASS.start + kind.value] = numbers[classifier.FACE.start + face - 1] = numbers[
        classifier.LIE.start + classifier.LIES.index(lies)
    ] = 12
    numbers[classifier.NORMAL], numbers[classifier.TOP], numbers[classifier.BASE], numbers[classifier.CHECKER] = (
        normal,
        top,
        base,
        checker,
    )
    if die_p is not None:
        numbers[classifier.CLASS] = np.log([1 - die_p + 1e-9, die_p, 1e-9])
    if face_p is not None:
        numbers[classifier.FACE] = np.log((1 - face_p) / (FACES - 1) + 1e-9)
        numbers[classifier.FACE.start + face - 1] = np.log(face_p)
    if flat_p is not None:
        numbers[classifier.LIE] = np.log([flat_p, 1 - flat_p + 1e-9, *[1e-9] * (len(classifier.LIES) - 2)])
    return numbers


def unsure_lie(numbers: Numbers) -> Numbers:
    """The same numbers, in which every lie is as likely."""
    unsure = numbers.copy()
    unsure[classifier.LIE] = 0
    return unsure


def fake_search(monkeypatch: pytest.MonkeyPatch, search: Callable[..., list[DieSpot]]) -> None:
    """In place of `propose_dice`; the filter lets everything pass."""
    monkeypatch.setattr(detect, "propose_dice", search)
    monkeypatch.setattr(detect, "filter_proposals", lambda _, spots, *_limits: list(spots))


def fake_spots(monkeypatch: pytest.MonkeyPatch, spots: Sequence[DieSpot]) -> None:
    fake_search(monkeypatch, lambda *_: list(spots))


def fake_places(monkeypatch: pytest.MonkeyPatch, *places_px: tuple[float, float]) -> None:
    fake_spots(monkeypatch, [DieSpot(at_px, EDGE_PX, 0.9) for at_px in places_px])


def fake_outputs(monkeypatch: pytest.MonkeyPatch, numbers_of: Callable[[NDArray[np.float32]], Numbers]) -> None:
    """The dice network gives these numbers for its planes. Pips of any face show; a cube has no number."""
    monkeypatch.setattr(classification, "run_network_on_planes", lambda _, planes, __: [numbers_of(planes)])
    fake_pips(monkeypatch, PipEvidence(np.zeros(FACES)))
    fake_number(monkeypatch, None)


def fake_dice(
    monkeypatch: pytest.MonkeyPatch,
    numbers_of: Callable[[NDArray[np.float32]], Numbers],
    *places_px: tuple[float, float],
    edge_px: float = EDGE_PX,
) -> None:
    """Proposals at these places, and these numbers for each window."""
    fake_spots(monkeypatch, [DieSpot(at_px, edge_px, 0.9) for at_px in places_px])
    fake_outputs(monkeypatch, numbers_of)


def fake_sequence(monkeypatch: pytest.MonkeyPatch, *numbers: Numbers, at_px: tuple[float, float] = LEFT_HALF) -> None:
    """One proposal, and these numbers for one window after the other."""
    given = iter(numbers)
    fake_dice(monkeypatch, lambda _: next(given), at_px)


def fake_number(monkeypatch: pytest.MonkeyPatch, value: int | None) -> None:
    """The number that every cube shows."""
    logits = np.array([12.0 if value == number else 0.0 for number in CUBE_VALUES], np.float32)
    monkeypatch.setattr(cube_number, "run_network", lambda *_: [logits])


def fake_pips(monkeypatch: pytest.MonkeyPatch, evidence: PipEvidence) -> None:
    monkeypatch.setattr(classification, "compute_pip_evidence", lambda *_: evidence)


def classified(
    spot: DieSpot, numbers: Numbers | None = None, *, board: KnownBoard | None = STRAIGHT_DOWN
) -> Classification:
    """The classification of a spot by these numbers."""
    decoded = classifier.decode_output(output() if numbers is None else numbers)
    return Classification(place_window(spot, board), decoded, spot)


def fake_classifications(monkeypatch: pytest.MonkeyPatch, classify: Callable[[DieSpot], Classification | None]) -> None:
    """In place of everything that looks at a spot."""
    monkeypatch.setattr(candidates, "classify_spot", lambda _, spot, __: classify(spot))
    fake_number(monkeypatch, None)


def detected(board: KnownBoard | None = STRAIGHT_DOWN) -> DiceInView:
    return read_dice(PICTURE, board)


def one_die(board: KnownBoard | None = STRAIGHT_DOWN) -> DieReading:
    (die,) = detected(board).dice
    return die
