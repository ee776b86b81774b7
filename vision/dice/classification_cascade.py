"""A close look at one spot: at a glance, then quickly, and where that leaves doubt with care.

A glance (`dice_glance.py`) sorts out what is nothing. Where it is not, a quick look is put exactly where the glance saw
something, and again from there where it sees it elsewhere. Of the face the pattern of its pips is asked too
(`pip_patterns.py`). Where they leave doubt about a face or a lie, it may have been a side, and what lies beyond that is looked
at. Then one look from a little nearer is asked, mirrored, by a deeper network: what is right in both adds up, and mistakes that
hang on a side, on a distance or on one network cancel out. Where both leave doubt, two more such networks are asked, which
learned otherwise. What is known of how a die may lie there counts as well: one that lies clear of all that it might lean on
leaves no doubt of its lie where one beside a checker does.
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
from vision.dice.readings import FACES, FLAT_LIE
from vision.dice.windows import DIE_PX, SIZE_RANGE, WINDOW_PX, DieSpot, WindowPlace, place_window, refine_spot
from vision.geometry.projection import KnownBoard, Points

NO_PIPS = PipEvidence(np.zeros(FACES))  # a cube has numerals
MIN_FACE_MARGIN = 0.5  # nats from a face to the next best one, below which it is not told by its pattern
# Probability from which a die or the cube is told. Where the quick network is sure and the glance is not, so that both together
# are less, the nearer look is asked. Below the second one look is enough: where the other is certain and this one is not even so
# sure, their mean is not told. Whether it may be one all the same the glance and this look say alone then: on 285 boards and in
# 1,060 windows no throw was ruled on otherwise.
ACCEPT_P, REFINE_P = 0.9, 0.7
# The same of two looks, after which two further ones that are certain leave their mean below that.
FULL_ENSEMBLE_P = 2 * ACCEPT_P - 1
# Edges from the middle of its window to where the quick network sees a die, which is asked again from there if that is further:
# a window between two dice that touch shows either of them so. Of 15 dice in 240 drawn throws whose dice touch that were placed
# more than so much off, by 0.19 in the mean, the second look is 0.07 off and the third 0.04.
CENTRED_EDGES, MAX_CENTRINGS = 0.1, 3
# The least slope of the line of sight at which a side is taken for the upper face, how far beyond it, in edges, that is looked for,
# and how far off it is another one. In 130 scenes of windows with 2,268 doubtful looks 45 are plainer so, of which 41 are seen at
# slopes of 0.25 and more: two more of 242 good throws are told then, and two more dice found. One of the 45 is surely a die and
# shows a face by the pattern of its pips too, as 1,233 of the others do and half of those on boards: there none is looked for.
SIDES_VISIBLE_SLOPE, UPPER_FACE_OFFSET_EDGES, ANOTHER_DIE_EDGES = 0.25, 0.45, 0.25
# Half told is what the careful looks leave at less than TOLD and no less than this. Such a thing that hardly lies flat is looked at
# from its sides, from where it must be the same die: of one on its corner the middles of two faces show 0.7 edges apart. Of 717 dice in
# windows that lean by more than ten degrees 11 are not told so, where it were 13, and of 93 on 200 new boards 0.2 (1.0); of 3,369 windows
# one more shows a die where none is. Of 95 boards two have such a thing, which takes 8 ms.
SIDE_SEARCH_P, POSSIBLY_FLAT_P, MAX_SIDE_SHIFT_EDGES = 0.4, 0.5, 0.8
SIDE_TOLERANCE_EDGES = 0.15  # edges; so exactly a side is measured
CORNER_PIP_EDGES = 0.4  # edges from the middle of the face to that of a pip in its corner
SURE_P = 0.99  # probability of what it is, of face and lie; from there on another look changes nothing
# (6,) of LIES: how many times likelier each is for a die whose base lies there, (x, y) in board mm, with an edge of so many mm.
LiePrior = Callable[[tuple[float, float], float], NDArray[np.float64]]
# Edges in widths of a point, which need no scale. Of 411 dice and cubes rendered for training no cube was measured below
# 0.44 and no die above 0.48; small boards have larger dice. Of 1,712 others, with dice measured by nearer looks: 0.46 and 0.52.
LEAST_CUBE_POINTS = 0.42
MOST_DIE_POINTS = 0.7
# Larger ones may be two that touch, so that beside one of them no die is surely missing. Of 1,917 dice on drawn tables, where they
# are larger, one in fifteen measured so much.
MAY_BE_TWO_POINTS = 0.6
TOO_LARGE_P = 0.3  # at most so probably a die is what looks larger than that
# The smallest dice (9 mm) on the largest board (points 51 mm wide), measured a seventh too small.
LEAST_DIE_POINTS = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Classification:
    """All answers of one spot together."""

    place: WindowPlace  # in which the answer's places count
    output: ClassifierOutput
    spot: DieSpot
    centred_class_log_p: NDArray[np.float64]  # (3,) log, of the looks that are put exactly on it
    skipped_refinement: bool = False  # no nearer look was asked for, only because of what is known of how it may lie
    ambiguous_at: DieSpot | None = None  # where it was so, if told from aside only; that may be another die yet

    @property
    def die_chance(self) -> float:
        """0..1, as far as these tell."""
        return float(np.exp(self.centred_class_log_p[ObjectClass.DIE.value]))

    @property
    def base_mm(self) -> tuple[float, float]:
        """Where a die would stand; on the picture's plane where no board is known."""
        return _compute_base_mm(self.place, self.output)

    @property
    def base_px(self) -> tuple[float, float]:
        """The same in the picture."""
        x_px, y_px = self.place.to_picture(self.output.base[None])[0].tolist()
        return x_px, y_px

    @property
    def edge(self) -> float:
        """Of the die or the cube, on the same plane."""
        return _compute_edge(self.place, self.output)

    @property
    def is_off_field(self) -> bool:
        """By more than its edge: what leans on a rim, or lies on one, is no further off. Where no board is known nothing is."""
        board = self.place.board
        if board is None:
            return False
        return board.field.outside_distance_mm(*self.base_mm) > self.edge

    @property
    def may_be_two(self) -> bool:
        """Whether a die is so large that two which touch may be taken for one; never where no board tells the scale."""
        board = self.place.board
        return board is not None and self.edge > MAY_BE_TWO_POINTS * board.field.pitch_mm


@dataclass(frozen=True, slots=True, eq=False)
class _FastClassification:
    """The window, what the quick network says of it, and where it sees the die."""

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
    """Of a picture (h, w, 3) BGR; None where a die or the cube is less likely than `worth_more`.

    `likelier` tells what is known of how a die may lie there: where that leaves no doubt, no nearer look is needed. The
    answer does not have it in it.
    """
    glance = check_and_recentre(pixels, spot, min_objectness)
    if objectness(glance.class_log_p) < min_objectness:
        return None
    exact = _classify_centred(pixels, glance.spot, board)
    if exact.objectness < min_objectness:
        return None
    answer = fuse_proposal_check(glance, exact.output)
    if exact.objectness < REFINE_P:
        return _make_classification(exact.place, answer, exact.refined_spot, exact.output.class_log_p)
    pips = NO_PIPS if _is_cube(exact.output) else compute_pip_evidence(pixels, exact.refined_spot, board)
    answer = fuse_pips(answer, pips)
    is_sure_what = (
        float(np.exp(exact.output.class_log_p.max())) >= SURE_P and objectness(answer.class_log_p) >= ACCEPT_P
    )
    is_plain = is_sure_what and (_is_cube(answer) or _agrees_with_pips(answer, pips))
    is_doubtful = is_uncertain(answer) or not is_plain
    is_let_off = (
        (is_doubtful and is_plain)
        and lie_prior is not None
        and not is_uncertain(
            answer, lie_prior(_compute_base_mm(exact.place, answer), _compute_edge(exact.place, answer))
        )
    )
    if not is_doubtful or is_let_off:
        answer = _verify_face(pixels, exact.refined_spot, board, answer)
        return _make_classification(
            exact.place, answer, exact.refined_spot, exact.output.class_log_p, skipped_refinement=is_let_off
        )
    is_no_side = is_plain and float(np.exp(exact.output.face_log_p.max())) >= ACCEPT_P
    plainer = None if is_no_side else _find_upper_face_beyond(pixels, exact)
    if plainer is not None or _is_cube(exact.output):
        return _classify_carefully(pixels, plainer or exact)
    return _classify_carefully(pixels, exact, pips)


def _classify_carefully(
    pixels: NDArray[np.uint8], exact: _FastClassification, pips: PipEvidence | None = None
) -> Classification:
    """All that doubt is worth. `pips` is the pattern's evidence where it is known by now."""
    look = _classify_closer(pixels, exact, pips)
    plainer = _search_sides(pixels, exact) if _needs_side_search(look) else None
    if plainer is None:
        return look
    from_aside = replace(_classify_closer(pixels, plainer), ambiguous_at=look.spot)
    return max(look, from_aside, key=lambda each: objectness(each.output.class_log_p))


def _classify_closer(
    pixels: NDArray[np.uint8], exact: _FastClassification, pips: PipEvidence | None = None
) -> Classification:
    """The exact look and one from nearer together, with further opinions where they leave doubt."""
    seen, board = exact.refined_spot, exact.place.board
    pips = compute_pip_evidence(pixels, seen, board) if pips is None else pips
    nearer = make_closer_window(seen, board)
    said = run_careful_network(pixels, nearer)
    looks = [exact.output, said]
    answer = fuse_outputs_with_pips(looks, pips)
    if _needs_full_ensemble(answer):
        answer = fuse_all_outputs([*looks, *iter_further_outputs(pixels, place_window(seen, board))], pips)
    if _is_cube(answer):
        return _make_classification(exact.place, answer, seen, answer.class_log_p)
    answer = _verify_face(pixels, seen, board, answer)
    # The first window may have been put on two dice that touch.
    answer = replace(answer, top=said.top, base=said.base, size=said.size)
    return _make_classification(nearer, answer, seen, answer.class_log_p)


def _verify_face(
    pixels: NDArray[np.uint8], seen: DieSpot, board: KnownBoard | None, answer: ClassifierOutput
) -> ClassifierOutput:
    """Asked of a die whose face would be believed. Not of one on no board: 212 of 229 photographed dice were told then, where it are 220."""
    if _is_cube(answer) or objectness(answer.class_log_p) < ACCEPT_P or not is_face_accepted(answer):
        return answer
    if _is_cut_off(pixels, seen):
        return contradict_face(answer)
    return answer if board is None else verify_face(answer, iter_verifier_outputs(pixels, seen, board))


def _is_cut_off(pixels: NDArray[np.uint8], seen: DieSpot) -> bool:
    """Whether the picture may end before a pip, however the face is turned."""
    height_px, width_px = pixels.shape[:2]
    x_px, y_px = seen.centre_px
    return bool(min(x_px, y_px, width_px - x_px, height_px - y_px) < CORNER_PIP_EDGES * seen.size_px)


def _needs_full_ensemble(answer: ClassifierOutput) -> bool:
    is_sure_what = float(np.exp(answer.class_log_p.max())) >= SURE_P
    is_surely_not_flat = is_sure_what and float(np.exp(answer.lie_log_p[FLAT_LIE])) <= 1 - SURE_P
    return objectness(answer.class_log_p) >= FULL_ENSEMBLE_P and is_uncertain(answer) and not is_surely_not_flat


def _classify_centred(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> _FastClassification:
    """The quick look, and again from where it saw the die where that is further off.

    Not of the cube, whose size no network was taught; and what no longer looks like a die from there was seen better before.
    """
    exact = _classify_fast(pixels, spot, board)
    for _ in range(MAX_CENTRINGS - 1):
        is_there = exact.refined_spot.is_near(spot.centre_px, spot.size_px, CENTRED_EDGES)
        if is_there or _is_cube(exact.output) or exact.objectness < REFINE_P:
            break
        again = _classify_fast(pixels, exact.refined_spot, board)
        if again.output.class_log_p[ObjectClass.DIE.value] < min(
            exact.output.class_log_p[ObjectClass.DIE.value], np.log(SURE_P)
        ):
            break
        spot, exact = exact.refined_spot, again
    return exact


def _find_upper_face_beyond(pixels: NDArray[np.uint8], exact: _FastClassification) -> _FastClassification | None:
    """What else is there if that was a side of a die: its upper face shows beyond it, as the camera looks.

    None where no sides show, where the same die is seen from there too or another one further off, and where nothing is seen
    more plainly.
    """
    place, seen = exact.place, exact.refined_spot
    slope = float(np.hypot(*place.sight))
    if slope < SIDES_VISIBLE_SLOPE or _is_cube(exact.output):
        return None
    x_px, y_px = place.to_picture((exact.output.top + UPPER_FACE_OFFSET_EDGES * place.sight / slope)[None])[0].tolist()
    beyond = _classify_fast(pixels, replace(seen, centre_px=(x_px, y_px)), place.board)
    centres_px = np.array([seen.centre_px, beyond.refined_spot.centre_px])
    side, top = place.from_picture(centres_px) * (place.edge / _compute_edge(beyond.place, beyond.output))
    is_another = not beyond.refined_spot.is_near(seen.centre_px, seen.size_px, ANOTHER_DIE_EDGES) and is_side_at(
        top - side, place.sight
    )
    return beyond if is_another and joint_log_p(beyond.output) > joint_log_p(exact.output) else None


def _needs_side_search(look: Classification) -> bool:
    is_half_told = SIDE_SEARCH_P <= objectness(look.output.class_log_p) < ACCEPT_P
    return (
        is_half_told and not _is_cube(look.output) and float(np.exp(look.output.lie_log_p[FLAT_LIE])) < POSSIBLY_FLAT_P
    )


def _search_sides(pixels: NDArray[np.uint8], exact: _FastClassification) -> _FastClassification | None:
    """The same die, more surely one: of one that leans steeply a side may have been taken for the upper face, any way from it."""
    seen, board = exact.refined_spot, exact.place.board
    asides = [_classify_fast(pixels, aside, board) for aside in make_side_spots(pixels, seen)]
    same = [
        one
        for one in asides
        if not _is_cube(one.output) and one.refined_spot.is_near(seen.centre_px, seen.size_px, MAX_SIDE_SHIFT_EDGES)
    ]
    best = max(same, key=lambda one: one.objectness, default=exact)
    return _classify_centred(pixels, best.refined_spot, board) if best.objectness > exact.objectness else None


def is_side_at(to_top: Points, sight: Points) -> bool:
    """Whether a side of a die may show there: (2,) edges from its middle to that of the upper face, on the board's plane.

    The middle of a side is half an edge lower, which the line of sight shifts by half of its slope, and half an edge nearer to the
    camera, or less and as far beside it where two sides show.
    """
    slope = float(np.hypot(*sight))
    beyond, beside = np.array([sight, (-sight[1], sight[0])]) @ to_top / slope
    nearest, furthest = (slope + np.sqrt(0.5)) / 2 - SIDE_TOLERANCE_EDGES, (slope + 1) / 2 + SIDE_TOLERANCE_EDGES
    return bool(nearest < beyond < furthest and abs(beside) < np.sqrt(0.5) / 2 + SIDE_TOLERANCE_EDGES)


def joint_log_p(answer: ClassifierOutput) -> float:
    """Log-probability of a die with its likeliest face and lie."""
    return float(answer.class_log_p[ObjectClass.DIE.value] + answer.face_log_p.max() + answer.lie_log_p.max())


def _classify_fast(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> _FastClassification:
    place = place_window(spot, board)
    said = run_fast_network(pixels, place)
    return _FastClassification(place, said, refine_spot(spot, place, said.top, said.size))


def _make_classification(
    place: WindowPlace,
    answer: ClassifierOutput,
    spot: DieSpot,
    centred_class_log_p: NDArray[np.float64],
    *,
    skipped_refinement: bool = False,
) -> Classification:
    if place.board is not None:
        answer = replace(
            answer,
            class_log_p=_apply_size_limits(
                answer.class_log_p, _compute_edge(place, answer) / place.board.field.pitch_mm
            ),
        )
    return Classification(place, answer, spot, centred_class_log_p, skipped_refinement)


def warm_up() -> None:
    """Loads all that is asked about a doubtful die, which would hold up the first one."""
    blank, spot = np.zeros((WINDOW_PX, WINDOW_PX, 3), np.uint8), DieSpot((WINDOW_PX / 2, WINDOW_PX / 2), DIE_PX, 1.0)
    check_and_recentre(blank, spot, min_objectness=1.0)
    for _ in iter_all_outputs(blank, spot, None):
        pass
    for _ in iter_verifier_outputs(blank, spot, None):
        pass
    compute_pip_evidence(blank, spot, None)
    prepare_pips()


def is_uncertain(answer: ClassifierOutput, lie_factors: NDArray[np.float64] | None = None) -> bool:
    """About the face or the lie of a die, each of which is so many times likelier than the network says."""
    if _is_cube(answer):
        return False
    lies = answer.lie_log_p if lie_factors is None else reweight(answer.lie_log_p, lie_factors)
    return any(float(np.exp(said.max())) < SURE_P for said in (answer.face_log_p, lies))


def without_cube(look: Classification) -> Classification:
    """Of a thing that is known to be none."""
    answer = replace(look.output, class_log_p=_without_class(ObjectClass.CUBE, look.output.class_log_p))
    return replace(look, output=answer, centred_class_log_p=_without_class(ObjectClass.CUBE, look.centred_class_log_p))


def _compute_base_mm(place: WindowPlace, answer: ClassifierOutput) -> tuple[float, float]:
    x_mm, y_mm = place.to_plane(answer.base[None])[0]
    return float(x_mm), float(y_mm)


def _is_cube(answer: ClassifierOutput) -> bool:
    return int(answer.class_log_p.argmax()) == ObjectClass.CUBE.value


def _compute_edge(place: WindowPlace, answer: ClassifierOutput) -> float:
    """How large a cube is no network was taught, only where to look for it and how wide."""
    smallest, largest = SIZE_RANGE
    return place.edge if _is_cube(answer) else place.edge * min(max(answer.size, smallest), largest)


def _agrees_with_pips(answer: ClassifierOutput, pips: PipEvidence) -> bool:
    """Whether their pattern tells the same face; under a glare none does, and one network alone may be sure of a wrong one."""
    others: list[float] = pips.face_log_likelihoods.tolist()
    own = others.pop(int(answer.face_log_p.argmax()))
    return own - max(others) > MIN_FACE_MARGIN


def _apply_size_limits(kinds: NDArray[np.float64], edge_points: float) -> NDArray[np.float64]:
    """What is too small for a cube is none, whatever it looks like, and what is too small for a die is no die.

    Nor is what is too large for one, but two that touch look so: it is not told, and no die is surely missing.
    """
    if edge_points < LEAST_CUBE_POINTS:
        kinds = _without_class(ObjectClass.CUBE, kinds)
    if edge_points > MOST_DIE_POINTS:
        return cap_probability(ObjectClass.DIE, kinds)
    return kinds if edge_points >= LEAST_DIE_POINTS else _without_class(ObjectClass.DIE, kinds)


def cap_probability(kind: ObjectClass, kinds: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3,) log, with no more than TOO_LARGE of that kind; the rest of it is nothing."""
    chances = np.exp(kinds)
    too_much = max(float(chances[kind.value]) - TOO_LARGE_P, 0.0)
    chances[kind.value] -= too_much
    chances[ObjectClass.NOTHING.value] += too_much
    return np.asarray(np.log(np.maximum(chances, MIN_P)))


def _without_class(kind: ObjectClass, kinds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-probabilities of what it may be all the same."""
    possible = kinds.copy()
    possible[kind.value] = -np.inf
    return np.asarray(possible - np.logaddexp.reduce(possible))
