"""Fakes at the edges of the detector: proposals, proposal filter, dice networks and cube number say what a test wants."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice import classification_cascade, classifier, detect, ensemble, search_stages
from vision.dice.classification_cascade import Classification
from vision.dice.cube_number import CUBE_VALUES
from vision.dice.detect import DiceInView, read_dice
from vision.dice.proposals import ProposalCheck
from vision.dice.readings import DieReading, DieState
from vision.dice.windows import DieSpot, place_window
from vision.geometry.projection import KnownBoard
from vision.pixels.inference import log_softmax

Numbers = NDArray[np.float32]
PICTURE = np.zeros((480, 640, 3), np.uint8)
EDGE_PX = 20.0
# Places where a camera straight above the board sees no sides of dice, except beside the board.
LEFT_HALF, RIGHT_HALF, ON_THE_BAR, BESIDE = (230.0, 180.0), (420.0, 280.0), (320.0, 240.0), (90.0, 150.0)
SURELY_A_DIE = np.log([1e-9, 1.0, 1e-9])
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
    flat_p: float | None = None,
) -> Numbers:
    """The numbers of a network that is sure of all, but for P(die), and for P(flat) against cocked."""
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
    if flat_p is not None:
        numbers[classifier.LIE] = np.log([flat_p, 1 - flat_p + 1e-9, *[1e-9] * (len(classifier.LIES) - 2)])
    return numbers


def unsure_lie(numbers: Numbers) -> Numbers:
    """The same numbers, in which every lie is as likely."""
    unsure = numbers.copy()
    unsure[classifier.LIE] = 0
    return unsure


def check_of(spot: DieSpot, object_p: float, centre_px: tuple[float, float] | None = None) -> ProposalCheck:
    """The proposal filter's output, with a die of this probability."""
    there = spot if centre_px is None else DieSpot(centre_px, spot.size_px, spot.score)
    return ProposalCheck(np.log([1 - object_p + 1e-12, object_p + 1e-12, 1e-9]), there)


def fake_search(monkeypatch: pytest.MonkeyPatch, search: Callable[..., list[DieSpot]]) -> None:
    """In place of `propose_dice`."""
    monkeypatch.setattr(search_stages, "propose_dice", search)


def fake_spots(monkeypatch: pytest.MonkeyPatch, spots: Sequence[DieSpot]) -> None:
    fake_search(monkeypatch, lambda *_, **__: list(spots))


def fake_places(monkeypatch: pytest.MonkeyPatch, *places_px: tuple[float, float]) -> None:
    fake_spots(monkeypatch, [DieSpot(at_px, EDGE_PX, 0.9) for at_px in places_px])


def fake_outputs(monkeypatch: pytest.MonkeyPatch, numbers_of: Callable[[NDArray[np.float32]], Numbers]) -> None:
    """Every dice network gives these numbers for its planes; the filter confirms each proposal and nothing beside it.

    Pips show plainly, and the verifiers confirm each face.
    """
    fake_networks(monkeypatch, lambda _, planes: numbers_of(planes))


def fake_networks(monkeypatch: pytest.MonkeyPatch, numbers_of: Callable[[str, NDArray[np.float32]], Numbers]) -> None:
    """Like `fake_outputs`, with the name of the network."""
    monkeypatch.setattr(classification_cascade, "verify_face", lambda result, _: result)
    monkeypatch.setattr(classification_cascade, "_agrees_with_pips", lambda *_: True)
    monkeypatch.setattr(classification_cascade, "compute_pip_evidence", lambda *_: classification_cascade.NO_PIPS)
    fake_filter(monkeypatch, lambda spot: ProposalCheck(SURELY_A_DIE, spot))
    monkeypatch.setattr(ensemble, "run_network_on_planes", lambda name, planes, _: [numbers_of(name, planes)])
    fake_checks_aside(monkeypatch, lambda spot: check_of(spot, 0.0))
    fake_number(monkeypatch, None)


def fake_filter(monkeypatch: pytest.MonkeyPatch, check: Callable[[DieSpot], ProposalCheck]) -> None:
    """The filter's output for a spot that is to be classified."""
    monkeypatch.setattr(classification_cascade, "check_and_recentre", lambda _, spot, __: check(spot))


def fake_checks_aside(monkeypatch: pytest.MonkeyPatch, check: Callable[[DieSpot], ProposalCheck]) -> None:
    """The filter's output around spots."""
    monkeypatch.setattr("vision.dice.proposals.check_proposal", lambda _, spot: check(spot))


def fake_later_checks(monkeypatch: pytest.MonkeyPatch, check: Callable[[DieSpot], ProposalCheck]) -> None:
    """The filter's output for spots of later search stages."""
    monkeypatch.setattr(search_stages, "check_proposal", lambda _, spot: check(spot))


def fake_dice(
    monkeypatch: pytest.MonkeyPatch,
    numbers_of: Callable[[NDArray[np.float32]], Numbers],
    *places_px: tuple[float, float],
) -> None:
    """Proposals at these places, and these numbers for each window."""
    fake_places(monkeypatch, *places_px)
    fake_outputs(monkeypatch, numbers_of)


def fake_sequence(monkeypatch: pytest.MonkeyPatch, *numbers: Numbers, at_px: tuple[float, float] = LEFT_HALF) -> None:
    """One proposal, and these numbers for one window after the other."""
    given = iter(numbers)
    fake_dice(monkeypatch, lambda _: next(given), at_px)


def fake_by_name(monkeypatch: pytest.MonkeyPatch, numbers: Numbers, others: Mapping[str, Numbers]) -> None:
    """One proposal, and these numbers of every network that has none of its own."""
    fake_places(monkeypatch, LEFT_HALF)
    fake_networks(monkeypatch, lambda name, _: others.get(name, numbers))


def fake_number(monkeypatch: pytest.MonkeyPatch, value: int | None) -> None:
    logits = np.array([12.0 if value == number else 0.0 for number in CUBE_VALUES])
    monkeypatch.setattr(detect, "classify_cube_number", lambda *_: log_softmax(logits))


def fake_pips(monkeypatch: pytest.MonkeyPatch, evidence_of: Callable[[DieSpot], object]) -> None:
    monkeypatch.setattr(classification_cascade, "compute_pip_evidence", lambda _, spot, __: evidence_of(spot))


def classified(
    spot: DieSpot,
    numbers: Numbers | None = None,
    *,
    board: KnownBoard | None = STRAIGHT_DOWN,
    class_log_p: NDArray[np.float64] = SURELY_A_DIE,
) -> Classification:
    """The classification of a spot by these numbers."""
    decoded = classifier.decode_output(output() if numbers is None else numbers)
    return Classification(place_window(spot, board), decoded, spot, class_log_p)


def fake_classifications(monkeypatch: pytest.MonkeyPatch, classify: Callable[[DieSpot], Classification | None]) -> None:
    """In place of the whole cascade."""
    monkeypatch.setattr("vision.dice.candidates.classify_spot", lambda _, spot, *__, **___: classify(spot))
    fake_number(monkeypatch, None)


def fake_beside_a_throw(monkeypatch: pytest.MonkeyPatch, spot: DieSpot) -> None:
    """Proposals of two dice, and this one."""
    fake_spots(monkeypatch, [*(DieSpot(at_px, EDGE_PX, 0.9) for at_px in (LEFT_HALF, ON_THE_BAR)), spot])


def fake_one_too_small(monkeypatch: pytest.MonkeyPatch, die_p: float, proposed_p: float = 0.0) -> None:
    """A die, and a proposal of the wrong size to its right: P(die) at the die's size, and at the proposed one."""
    fake_checks_aside(monkeypatch, lambda spot: check_of(spot, 0.0))

    def classify(spot: DieSpot) -> Classification | None:
        is_as_large = spot.size_px == pytest.approx(EDGE_PX, rel=0.05)
        if not is_as_large and not proposed_p:
            return None
        return classified(
            spot, output(die_p=(die_p if is_as_large else proposed_p)) if spot.centre_px == RIGHT_HALF else None
        )

    fake_spots(monkeypatch, [DieSpot(LEFT_HALF, EDGE_PX, 0.9), DieSpot(RIGHT_HALF, 0.6 * EDGE_PX, 0.4)])
    fake_classifications(monkeypatch, classify)


def detected(board: KnownBoard | None = STRAIGHT_DOWN) -> DiceInView:
    return read_dice(PICTURE, board)


def one_die(board: KnownBoard | None = STRAIGHT_DOWN) -> DieReading:
    (die,) = detected(board).dice
    return die
