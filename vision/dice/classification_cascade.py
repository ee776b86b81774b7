"""Classification of one spot by a cascade of networks, from the cheapest to the costliest.

1. The proposal filter (`proposals.py`) rejects what is neither die nor cube and centres the window.
2. The fast network classifies the centred window; the window moves until the die is in its middle.
3. The pip pattern (`pip_template.py`) confirms or contradicts the face.
4. In doubt, the window beyond the detection is classified too: it may have shown a side of the die.
5. In doubt, the careful network classifies a closer, mirrored window. Errors that depend on a side, a distance or one
network cancel in the mean.
6. In doubt still, two further networks with another training history join the ensemble.
7. Before a face is accepted, two verifier networks, trained on glints and hidden pips, may reject it.

The lie prior ends the cascade early: a die clear of everything that it could lean on leaves no doubt about its lie.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.classifier import ClassifierOutput, ObjectClass, reweight
from vision.dice.ensemble import (
    MIN_P,
    contradict_face,
    fuse_all_outputs,
    fuse_outputs_with_pips,
    fuse_pips,
    fuse_proposal_check,
    is_face_accepted,
    iter_all_outputs,
    iter_further_outputs,
    iter_verifier_outputs,
    make_closer_window,
    run_careful_network,
    run_fast_network,
    verify_face,
)
from vision.dice.pip_check import prepare_pips
from vision.dice.pip_template import PipEvidence, compute_pip_evidence
from vision.dice.proposals import check_and_recentre, make_side_spots, objectness
from vision.dice.readings import FACES
from vision.dice.windows import DIE_PX, SIZE_RANGE, WINDOW_PX, DieSpot, WindowPlace, place_window, refine_spot
from vision.geometry.projection import KnownBoard, Points

NO_PIPS = PipEvidence(np.zeros(FACES))  # A cube has numerals
# Knob, in nats between the best face and the next one by its pip pattern; below it the pattern shows no face.
MIN_FACE_MARGIN = 0.5
# `ACCEPT_P`: probability from which a die or the cube is accepted. `REFINE_P`: below it the fast network decides
# alone, since the mean with a certain careful network would not reach `ACCEPT_P`. Statistical.
ACCEPT_P, REFINE_P = 0.9, 0.7
# Follows from `ACCEPT_P`: below this mean of two networks, two certain further ones would not reach `ACCEPT_P`.
FULL_ENSEMBLE_P = 2 * ACCEPT_P - 1
# Knobs. Die edges from the middle of its window to the die; farther off, the window moves there, for between two dice
# that touch a window shows either of them poorly. Most windows for one spot.
CENTRED_EDGES, MAX_CENTRINGS = 0.1, 3
# Below this slope of the line of sight (tangent) no side shows enough to look like an upper face; die edges beyond a
# side to its upper face; die edges from which the die seen there is another one. Tuned on rendered scenes.
SIDES_VISIBLE_SLOPE, UPPER_FACE_OFFSET_EDGES, ANOTHER_DIE_EDGES = 0.25, 0.45, 0.25
# An ambiguous detection has a P(object) from the first value up to `ACCEPT_P`. If its P(flat) is below the second,
# its four sides are classified, and the best within the third (die edges; 0.7 lie between two faces of a die on its
# corner) counts.
SIDE_SEARCH_P, POSSIBLY_FLAT_P, MAX_SIDE_SHIFT_EDGES = 0.4, 0.5, 0.8
SIDE_TOLERANCE_EDGES = 0.15  # statistical: die edges by which the place of a side is measured wrongly
CORNER_PIP_EDGES = 0.4  # physical: die edges from the middle of a face to a corner pip
SURE_P = 0.99  # probability of class, face and lie from which a further network changes nothing
# Factors (6,) on the probabilities of STILL_LIES, from the base (x, y) in board mm and the edge in mm.
LiePrior = Callable[[tuple[float, float], float], NDArray[np.float64]]
# Limits of edges in widths of a point, which need no scale. Statistical: no cube measures less, no die more.
LEAST_CUBE_POINTS = 0.42
MOST_DIE_POINTS = 0.7
MAY_BE_TWO_POINTS = 0.6  # from here on one detection may be two dice that touch, so no die is surely missing
TOO_LARGE_P = 0.3  # cap on P(die) of a detection that is too large
# Physical: the smallest dice (9 mm) on the largest board (points of 51 mm), measured a seventh too small.
LEAST_DIE_POINTS = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Classification:
    """The fused result of the cascade for one spot."""

    place: WindowPlace  # the window in which the places of `output` count
    output: ClassifierOutput
    spot: DieSpot
    centred_class_log_p: NDArray[np.float64]  # (3,), of the centred windows alone
    skipped_refinement: bool = False  # no careful network ran, only because of the lie prior
    # The ambiguous spot, where only a window beside it was accepted: it may be another die.
    ambiguous_at: DieSpot | None = None

    @property
    def die_chance(self) -> float:
        """P(die) by the centred windows."""
        return float(np.exp(self.centred_class_log_p[ObjectClass.DIE.value]))

    @property
    def base_mm(self) -> tuple[float, float]:
        """Middle of the base of a die in board mm; on the plane of the picture without a board."""
        return _compute_base_mm(self.place, self.output)

    @property
    def base_px(self) -> tuple[float, float]:
        """Middle of the base in the picture."""
        x_px, y_px = self.place.to_picture(self.output.base[None])[0].tolist()
        return x_px, y_px

    @property
    def edge(self) -> float:
        """Edge of the die or the cube, in the unit of `base_mm`."""
        return _compute_edge(self.place, self.output)

    @property
    def is_off_field(self) -> bool:
        """Farther off the field than its edge, beyond any die that leans or lies on a rim. False without a board."""
        board = self.place.board
        if board is None:
            return False
        return board.field.outside_distance_mm(*self.base_mm) > self.edge

    @property
    def may_be_two(self) -> bool:
        """Whether the detection is as large as two dice that touch. False without a board, which gives the scale."""
        board = self.place.board
        return board is not None and self.edge > MAY_BE_TWO_POINTS * board.field.pitch_mm


@dataclass(frozen=True, slots=True, eq=False)
class _FastClassification:
    """A window, the output of the fast network, and the spot where it places the die."""

    place: WindowPlace
    output: ClassifierOutput
    refined_spot: DieSpot

    @property
    def objectness(self) -> float:
        return objectness(self.output.class_log_p)


def classify_spot(
    pixels: NDArray[np.uint8],
    spot: DieSpot,
    board: KnownBoard | None,
    *,
    min_objectness: float,
    lie_prior: LiePrior | None = None,
) -> Classification | None:
    """Classifies a spot of a picture (h, w, 3) BGR; None where P(object) is below `min_objectness`.

    `lie_prior` only decides whether refinement may be skipped; it is not part of the result.
    """
    check = check_and_recentre(pixels, spot, min_objectness)
    if objectness(check.class_log_p) < min_objectness:
        return None
    fast = _classify_centred(pixels, check.spot, board)
    if fast.objectness < min_objectness:
        return None
    output = fuse_proposal_check(check, fast.output)
    if fast.objectness < REFINE_P:
        return _make_classification(fast.place, output, fast.refined_spot, fast.output.class_log_p)
    pips = NO_PIPS if _is_cube(fast.output) else compute_pip_evidence(pixels, fast.refined_spot, board)
    output = fuse_pips(output, pips)
    is_sure_class = _has_sure_class(fast.output) and objectness(output.class_log_p) >= ACCEPT_P
    is_confident = is_sure_class and (_is_cube(output) or _agrees_with_pips(output, pips))
    is_doubtful = is_uncertain(output) or not is_confident
    skips_refinement = (
        (is_doubtful and is_confident)
        and lie_prior is not None
        and not is_uncertain(output, lie_prior(_compute_base_mm(fast.place, output), _compute_edge(fast.place, output)))
    )
    if not is_doubtful or skips_refinement:
        output = _verify_face(pixels, fast.refined_spot, board, output)
        return _make_classification(
            fast.place, output, fast.refined_spot, fast.output.class_log_p, skipped_refinement=skips_refinement
        )
    is_no_side = is_confident and fast.output.face_p >= ACCEPT_P
    better = None if is_no_side else _find_upper_face_beyond(pixels, fast)
    if better is not None or _is_cube(fast.output):
        return _classify_carefully(pixels, better or fast)
    return _classify_carefully(pixels, fast, pips)


def _classify_carefully(
    pixels: NDArray[np.uint8], fast: _FastClassification, pips: PipEvidence | None = None
) -> Classification:
    """Refinement of a doubtful spot. `pips` is the pip evidence where it is already computed."""
    result = _classify_closer(pixels, fast, pips)
    better = _search_sides(pixels, fast) if _needs_side_search(result) else None
    if better is None:
        return result
    from_side = replace(_classify_closer(pixels, better), ambiguous_at=result.spot)
    return max(result, from_side, key=lambda each: objectness(each.output.class_log_p))


def _classify_closer(
    pixels: NDArray[np.uint8], fast: _FastClassification, pips: PipEvidence | None = None
) -> Classification:
    """Fuses the fast network with the careful one, and with the further ones where these two leave doubt."""
    spot, board = fast.refined_spot, fast.place.board
    pips = compute_pip_evidence(pixels, spot, board) if pips is None else pips
    nearer = make_closer_window(spot, board)
    careful = run_careful_network(pixels, nearer)
    outputs = [fast.output, careful]
    output = fuse_outputs_with_pips(outputs, pips)
    if _needs_full_ensemble(output):
        output = fuse_all_outputs([*outputs, *iter_further_outputs(pixels, place_window(spot, board))], pips)
    if _is_cube(output):
        return _make_classification(fast.place, output, spot, output.class_log_p)
    output = _verify_face(pixels, spot, board, output)
    # The first window may have been put on two dice that touch.
    output = replace(output, top=careful.top, base=careful.base, size=careful.size)
    return _make_classification(nearer, output, spot, output.class_log_p)


def _verify_face(
    pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None, output: ClassifierOutput
) -> ClassifierOutput:
    """Verifies a face that would be accepted. Without a board only dice that the picture cuts are rejected."""
    if _is_cube(output) or objectness(output.class_log_p) < ACCEPT_P or not is_face_accepted(output):
        return output
    if _is_cut_off(pixels, spot):
        return contradict_face(output)
    return output if board is None else verify_face(output, iter_verifier_outputs(pixels, spot, board))


def _is_cut_off(pixels: NDArray[np.uint8], spot: DieSpot) -> bool:
    """Whether a pip may lie beyond the edge of the picture, whatever the orientation of the face."""
    height_px, width_px = pixels.shape[:2]
    x_px, y_px = spot.centre_px
    return bool(min(x_px, y_px, width_px - x_px, height_px - y_px) < CORNER_PIP_EDGES * spot.size_px)


def _has_sure_class(output: ClassifierOutput) -> bool:
    return float(np.exp(output.class_log_p.max())) >= SURE_P


def _needs_full_ensemble(output: ClassifierOutput) -> bool:
    is_surely_not_flat = _has_sure_class(output) and output.flat_p <= 1 - SURE_P
    return objectness(output.class_log_p) >= FULL_ENSEMBLE_P and is_uncertain(output) and not is_surely_not_flat


def _classify_centred(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> _FastClassification:
    """The fast network, repeated with the window moved to the die until it is centred.

    Not for a cube, whose size no network learned. A move after which a die is less probable is undone.
    """
    fast = _classify_fast(pixels, spot, board)
    for _ in range(MAX_CENTRINGS - 1):
        is_there = fast.refined_spot.is_near(spot.centre_px, spot.size_px, CENTRED_EDGES)
        if is_there or _is_cube(fast.output) or fast.objectness < REFINE_P:
            break
        again = _classify_fast(pixels, fast.refined_spot, board)
        die_log_p, again_log_p = (one.output.class_log_p[ObjectClass.DIE.value] for one in (fast, again))
        if again_log_p < min(die_log_p, np.log(SURE_P)):
            break
        spot, fast = fast.refined_spot, again
    return fast


def _find_upper_face_beyond(pixels: NDArray[np.uint8], fast: _FastClassification) -> _FastClassification | None:
    """The upper face behind the detection along the line of sight, if the detection was a side of a die.

    None where no sides show, where the same die or a third one is seen there, and where the result is less probable.
    """
    place, spot = fast.place, fast.refined_spot
    slope = float(np.hypot(*place.sight))
    if slope < SIDES_VISIBLE_SLOPE or _is_cube(fast.output):
        return None
    x_px, y_px = place.to_picture((fast.output.top + UPPER_FACE_OFFSET_EDGES * place.sight / slope)[None])[0].tolist()
    beyond = _classify_fast(pixels, replace(spot, centre_px=(x_px, y_px)), place.board)
    centres_px = np.array([spot.centre_px, beyond.refined_spot.centre_px])
    side, top = place.from_picture(centres_px) * (place.edge / _compute_edge(beyond.place, beyond.output))
    is_another = not beyond.refined_spot.is_near(spot.centre_px, spot.size_px, ANOTHER_DIE_EDGES) and is_side_at(
        top - side, place.sight
    )
    return beyond if is_another and joint_log_p(beyond.output) > joint_log_p(fast.output) else None


def _needs_side_search(result: Classification) -> bool:
    is_ambiguous = SIDE_SEARCH_P <= objectness(result.output.class_log_p) < ACCEPT_P
    return is_ambiguous and not _is_cube(result.output) and result.output.flat_p < POSSIBLY_FLAT_P


def _search_sides(pixels: NDArray[np.uint8], fast: _FastClassification) -> _FastClassification | None:
    """A more probable view of the same die from its four sides: a side of a leaning die may have been detected."""
    spot, board = fast.refined_spot, fast.place.board
    side_views = [_classify_fast(pixels, side, board) for side in make_side_spots(pixels, spot)]
    same = [
        one
        for one in side_views
        if not _is_cube(one.output) and one.refined_spot.is_near(spot.centre_px, spot.size_px, MAX_SIDE_SHIFT_EDGES)
    ]
    best = max(same, key=lambda one: one.objectness, default=fast)
    return _classify_centred(pixels, best.refined_spot, board) if best.objectness > fast.objectness else None


def is_side_at(to_top: Points, sight: Points) -> bool:
    """Whether a side of a die may show there, from the vector (2,) to its upper face in die edges on the board plane.

    The middle of a side is half an edge lower, which the line of sight shifts by half its slope. It is half an edge
    nearer to the camera; where two sides show, less, and as much beside.
    """
    slope = float(np.hypot(*sight))
    beyond, beside = np.array([sight, (-sight[1], sight[0])]) @ to_top / slope
    nearest, furthest = (slope + np.sqrt(0.5)) / 2 - SIDE_TOLERANCE_EDGES, (slope + 1) / 2 + SIDE_TOLERANCE_EDGES
    return bool(nearest < beyond < furthest and abs(beside) < np.sqrt(0.5) / 2 + SIDE_TOLERANCE_EDGES)


def joint_log_p(output: ClassifierOutput) -> float:
    """Log-probability of a die with its likeliest face and lie."""
    return float(output.class_log_p[ObjectClass.DIE.value] + output.face_log_p.max() + output.lie_log_p.max())


def _classify_fast(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> _FastClassification:
    place = place_window(spot, board)
    output = run_fast_network(pixels, place)
    return _FastClassification(place, output, refine_spot(spot, place, output.top, output.size))


def _make_classification(
    place: WindowPlace,
    output: ClassifierOutput,
    spot: DieSpot,
    centred_class_log_p: NDArray[np.float64],
    *,
    skipped_refinement: bool = False,
) -> Classification:
    if place.board is not None:
        edge_points = _compute_edge(place, output) / place.board.field.pitch_mm
        output = replace(output, class_log_p=_apply_size_limits(output.class_log_p, edge_points))
    return Classification(place, output, spot, centred_class_log_p, skipped_refinement)


def warm_up() -> None:
    """Loads every network and cache of the cascade, which would delay the first doubtful die."""
    blank, spot = np.zeros((WINDOW_PX, WINDOW_PX, 3), np.uint8), DieSpot((WINDOW_PX / 2, WINDOW_PX / 2), DIE_PX, 1.0)
    check_and_recentre(blank, spot, min_objectness=1.0)
    for _ in iter_all_outputs(blank, spot, None):
        pass
    for _ in iter_verifier_outputs(blank, spot, None):
        pass
    compute_pip_evidence(blank, spot, None)
    prepare_pips()


def is_uncertain(output: ClassifierOutput, lie_factors: NDArray[np.float64] | None = None) -> bool:
    """Whether face or lie of a die is below `SURE_P`, the lie after multiplication by `lie_factors`."""
    if _is_cube(output):
        return False
    lies = output.lie_log_p if lie_factors is None else reweight(output.lie_log_p, lie_factors)
    return any(float(np.exp(log_p.max())) < SURE_P for log_p in (output.face_log_p, lies))


def without_cube(result: Classification) -> Classification:
    """The classification of an object that is known to be no cube."""
    output = replace(result.output, class_log_p=_without_class(ObjectClass.CUBE, result.output.class_log_p))
    return replace(
        result, output=output, centred_class_log_p=_without_class(ObjectClass.CUBE, result.centred_class_log_p)
    )


def _compute_base_mm(place: WindowPlace, output: ClassifierOutput) -> tuple[float, float]:
    x_mm, y_mm = place.to_plane(output.base[None])[0]
    return float(x_mm), float(y_mm)


def _is_cube(output: ClassifierOutput) -> bool:
    return int(output.class_log_p.argmax()) == ObjectClass.CUBE.value


def _compute_edge(place: WindowPlace, output: ClassifierOutput) -> float:
    """The edge; for a cube that of its window, since no network learned the size of a cube."""
    smallest, largest = SIZE_RANGE
    return place.edge if _is_cube(output) else place.edge * min(max(output.size, smallest), largest)


def _agrees_with_pips(output: ClassifierOutput, pips: PipEvidence) -> bool:
    """Whether the pip pattern shows the same face. Under a glare it shows none, and one network alone may err."""
    others: list[float] = pips.face_log_likelihoods.tolist()
    own = others.pop(int(output.face_log_p.argmax()))
    return own - max(others) > MIN_FACE_MARGIN


def _apply_size_limits(class_log_p: NDArray[np.float64], edge_points: float) -> NDArray[np.float64]:
    """Excludes cube or die by size. Too large for a die caps P(die) only: it may be two dice that touch."""
    if edge_points < LEAST_CUBE_POINTS:
        class_log_p = _without_class(ObjectClass.CUBE, class_log_p)
    if edge_points > MOST_DIE_POINTS:
        return cap_probability(ObjectClass.DIE, class_log_p)
    return class_log_p if edge_points >= LEAST_DIE_POINTS else _without_class(ObjectClass.DIE, class_log_p)


def cap_probability(object_class: ObjectClass, class_log_p: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3,) log-probabilities with at most TOO_LARGE_P for this class; the excess goes to "nothing"."""
    chances = np.exp(class_log_p)
    excess = max(float(chances[object_class.value]) - TOO_LARGE_P, 0.0)
    chances[object_class.value] -= excess
    chances[ObjectClass.NOTHING.value] += excess
    return np.asarray(np.log(np.maximum(chances, MIN_P)))


def _without_class(object_class: ObjectClass, class_log_p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-probabilities given that this class is excluded."""
    possible = class_log_p.copy()
    possible[object_class.value] = -np.inf
    return np.asarray(possible - np.logaddexp.reduce(possible))
