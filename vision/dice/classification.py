"""Classification of one spot: what lies there, which face it shows, how it lies.

The dice network looks at the window around the spot, and again from where it places the die, until the die is in the
middle. Where that leaves doubt about class, face or lie, and off the field, it looks once more at a closer, mirrored
window: errors that depend on a side or a distance cancel in the mean of both looks. The pip pattern
(`pip_template.py`, `pip_check.py`) confirms or contradicts the face; a face needs its consent.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.dice.classifier import ClassifierOutput, ObjectClass, decode_output
from vision.dice.cube_number import shows_a_number
from vision.dice.pip_check import are_pips_consistent, prepare_pips
from vision.dice.pip_template import PipEvidence, compute_pip_evidence
from vision.dice.readings import FACES
from vision.dice.windows import DIE_PX, SIGHT, SIZE_RANGE, WINDOW_PX, DieSpot, WindowPlace, place_window, refine_spot
from vision.geometry.projection import KnownBoard
from vision.pixels.inference import run_network_on_planes

NETWORK = "dice"
# Direction of x and y in the mirrored window, and size of the closer window against the first one. Knob: a closer
# window loses context of the lie, a wider one resolution of the face.
MIRRORED, CLOSER_SCALE = (-1, 1), 0.85
MIN_OBJECTNESS = 0.1  # knob: P(object) below which a spot shows nothing, so that no die may be missing there
ACCEPT_P = 0.9  # statistical: P(class) from which a die or the cube is accepted
SECOND_LOOK_P = 2 * ACCEPT_P - 1  # follows: below it the mean with a certain second look would not reach `ACCEPT_P`
SURE_P = 0.99  # knob: probability of class, face and lie from which a second look changes nothing
# Statistical: P(die) from which each look confirms a die off the field, where pens, coins and print lie.
CONFIRM_P = 0.95
# Knobs. Die edges from the middle of its window to the die; farther off, the window moves there, for between two dice
# that touch a window shows either of them poorly. Most windows for one spot.
CENTRED_EDGES, MAX_CENTRINGS = 0.15, 3
CORNER_PIP_EDGES = 0.4  # physical: die edges from the middle of a face to a corner pip
# Limits of edges in widths of a point, which need no scale. Statistical: no cube measures less. Physical: on travelling
# boards dice are three quarters of a point wide, and a die is measured up to a seventh too large.
LEAST_CUBE_POINTS, MOST_DIE_POINTS = 0.42, 0.85
# Physical: the smallest dice (9 mm) on the largest board (points of 51 mm), measured a seventh too small.
LEAST_DIE_POINTS = 0.15
MAY_BE_TWO_POINTS = 0.6  # from here on one detection may be two dice that touch, so no die is surely missing
REJECTED_P = 0.3  # cap on P(class) of a detection that its size or its place rejects
# Least probability of the face that the pip pattern shows best, however sure the network is of another one.
# Statistical: the pattern is right in a few of a hundred such cases.
MIN_PATTERN_FACE_P = 0.01
MIN_PATTERN_RANGE = 0.5  # knob, in nats from the best to the worst face; below it the pattern contradicts nothing
# Probability that a contradicted face gives to all faces: enough that no number of frames makes it acceptable. Knob.
CONTRADICTED_P = 0.08
FACE_P = 1 - CONTRADICTED_P * (1 - 1 / FACES)  # follows: no contradicted face has more, so a face below is not examined
MIN_P = 1e-12  # numerical floor of a probability
NO_PIPS = PipEvidence(np.zeros(FACES))  # a cube has numerals


@dataclass(frozen=True, slots=True, eq=False)
class Classification:
    """What was found at one spot; the mean of its looks."""

    place: WindowPlace  # the window in which the places of `output` count
    output: ClassifierOutput
    spot: DieSpot

    @property
    def die_chance(self) -> float:
        """P(die)."""
        return self.output.class_p(ObjectClass.DIE)

    @property
    def base_mm(self) -> tuple[float, float]:
        """Middle of the base of a die in board mm; on the plane of the picture without a board."""
        x_mm, y_mm = self.place.to_plane(self.output.base[None])[0].tolist()
        return x_mm, y_mm

    @property
    def base_px(self) -> tuple[float, float]:
        """Middle of the base in the picture."""
        x_px, y_px = self.place.to_picture(self.output.base[None])[0].tolist()
        return x_px, y_px

    @property
    def edge(self) -> float:
        """Edge of the die or the cube, in the unit of `base_mm`; of a cube that of its window, whose size is not learned."""
        smallest, largest = SIZE_RANGE
        is_cube = find_kind(self.output) is ObjectClass.CUBE
        return self.place.edge if is_cube else self.place.edge * min(max(self.output.size, smallest), largest)

    @property
    def is_off_field(self) -> bool:
        """Farther off the field than its edge, beyond any die that leans or lies on a rim. False without a board."""
        board = self.place.board
        return board is not None and board.field.outside_distance_mm(*self.base_mm) > self.edge

    @property
    def may_be_two(self) -> bool:
        """Whether the detection is as large as two dice that touch. False without a board, which gives the scale."""
        board = self.place.board
        return board is not None and self.edge > MAY_BE_TWO_POINTS * board.field.pitch_mm


def classify_spot(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> Classification | None:
    """Classifies a spot of a picture (h, w, 3) BGR; None where nothing is."""
    first = _look_until_centred(pixels, spot, board)
    if objectness(first.output) < MIN_OBJECTNESS:
        return None
    if objectness(first.output) < SECOND_LOOK_P:
        return _limit(pixels, first, [first.output])
    is_die = find_kind(first.output) is ObjectClass.DIE
    pips = compute_pip_evidence(pixels, first.spot, board) if is_die else NO_PIPS
    looks, result = [first.output], replace(first, output=fuse_pips(first.output, pips))
    if result.is_off_field or not _is_sure(result.output):
        closer = place_window(replace(first.spot, size_px=CLOSER_SCALE * first.spot.size_px), board)
        looks.append(_run_mirrored(pixels, closer))
        output = fuse_pips(fuse_looks(looks), pips)
        # The first window may have been put on two dice that touch, so places are those of the closer one. A cube has
        # the size of the first.
        is_cube = find_kind(output) is ObjectClass.CUBE
        result = Classification(first.place if is_cube else closer, output, first.spot)
    if _is_cut_off(pixels, first.spot):
        result = replace(result, output=contradict_face(result.output))
    return _limit(pixels, result, looks)


def warm_up() -> None:
    """Loads the network and fills every cache, which would delay the first die."""
    blank, spot = np.zeros((WINDOW_PX, WINDOW_PX, 3), np.uint8), DieSpot((WINDOW_PX / 2, WINDOW_PX / 2), DIE_PX, 1.0)
    _look(blank, spot, None)
    compute_pip_evidence(blank, spot, None)
    prepare_pips()


def objectness(output: ClassifierOutput) -> float:
    """P(die or cube), 0..1."""
    return float(np.exp(output.class_log_p[1:]).sum())


def find_kind(output: ClassifierOutput) -> ObjectClass:
    """The likeliest class."""
    return ObjectClass(int(output.class_log_p.argmax()))


def fuse_looks(outputs: Sequence[ClassifierOutput]) -> ClassifierOutput:
    """The means of the looks, with the places of the last.

    Class probabilities are averaged arithmetically, so that P(object) is no surer than the mean; faces and lies
    geometrically.
    """
    normals = np.array([output.normal for output in outputs])
    normal = normals.mean(axis=0)
    spread = float(np.mean([output.normal_spread for output in outputs]))
    return replace(
        outputs[-1],
        class_log_p=np.log(np.mean([np.exp(output.class_log_p) for output in outputs], axis=0)),
        face_log_p=_geometric_mean([output.face_log_p for output in outputs]),
        lie_log_p=_geometric_mean([output.lie_log_p for output in outputs]),
        normal=normal,
        normal_spread=max(spread, float(np.abs(normals - normal).mean())),
        touches_checker=float(np.mean([output.touches_checker for output in outputs])),
    )


def fuse_pips(output: ClassifierOutput, pips: PipEvidence) -> ClassifierOutput:
    """Multiplies the face probabilities by the likelihoods of the pip pattern.

    Contradicts a face whose pips are not seen, as under a glare, or are not alike, as with a glint.
    """
    faces = output.face_log_p + pips.face_log_likelihoods
    faces -= np.logaddexp.reduce(faces)
    favourite = int(pips.face_log_likelihoods.argmax())
    if favourite != int(faces.argmax()) and np.ptp(pips.face_log_likelihoods) > MIN_PATTERN_RANGE:
        faces += np.log1p(-MIN_PATTERN_FACE_P)
        faces[favourite] = np.logaddexp(faces[favourite], np.log(MIN_PATTERN_FACE_P))
    fused = replace(output, face_log_p=faces)
    face = int(faces.argmax())
    is_there = bool(pips.has_visible_pips[face])
    if is_there and fused.face_p >= FACE_P:
        is_there = _are_pips_consistent(pips, face)
    return fused if is_there else contradict_face(fused)


def contradict_face(output: ClassifierOutput) -> ClassifierOutput:
    """The output with a face that is not acceptable any more."""
    return replace(
        output, face_log_p=np.logaddexp(output.face_log_p + np.log1p(-CONTRADICTED_P), np.log(CONTRADICTED_P / FACES))
    )


@lru_cache(maxsize=4)
def _are_pips_consistent(pips: PipEvidence, number: int) -> bool:
    """True without a board. Cached: a second look asks again, and one answer takes as long as a small network."""
    return pips.face_lab is None or are_pips_consistent(pips.face_lab, number)


def _is_sure(output: ClassifierOutput) -> bool:
    """Whether class, face and lie are beyond doubt; of a cube the class."""
    probabilities = [output.class_log_p]
    if find_kind(output) is not ObjectClass.CUBE:
        probabilities += [output.face_log_p, output.lie_log_p]
    return all(float(np.exp(log_p.max())) >= SURE_P for log_p in probabilities)


def _look_until_centred(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> Classification:
    """Looks at a spot, and again from where the die is placed. A move after which a die is less probable is undone."""
    here = _look(pixels, spot, board)
    for _ in range(MAX_CENTRINGS - 1):
        is_there = here.spot.is_near(spot.centre_px, spot.size_px, CENTRED_EDGES)
        if is_there or find_kind(here.output) is ObjectClass.CUBE or objectness(here.output) < MIN_OBJECTNESS:
            break
        again = _look(pixels, here.spot, board)
        die_log_p, again_log_p = (one.output.class_log_p[ObjectClass.DIE.value] for one in (here, again))
        if again_log_p < min(die_log_p, np.log(SURE_P)):
            break
        spot, here = here.spot, again
    return here


def _look(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> Classification:
    place = place_window(spot, board)
    output = _run(place.make_planes(place.sample_views(pixels)))
    return Classification(place, output, refine_spot(spot, place, output.top, output.size))


def _run(planes: NDArray[np.float32]) -> ClassifierOutput:
    return decode_output(run_network_on_planes(NETWORK, planes, ("answers",))[0])


def _run_mirrored(pixels: NDArray[np.uint8], place: WindowPlace) -> ClassifierOutput:
    """The output for the mirrored window, in the directions of the original one."""
    x, y = MIRRORED
    mirrored = place.make_planes(place.sample_views(pixels))[:, ::y, ::x].copy()
    mirrored[SIGHT] *= np.array(MIRRORED, np.float32)[:, None, None]
    output, back = _run(mirrored), np.array(MIRRORED, np.float64)
    return replace(output, normal=back * output.normal, top=back * output.top, base=back * output.base)


def _is_cut_off(pixels: NDArray[np.uint8], spot: DieSpot) -> bool:
    """Whether a pip may lie beyond the edge of the picture, whatever the orientation of the face."""
    height_px, width_px = pixels.shape[:2]
    x_px, y_px = spot.centre_px
    return bool(min(x_px, y_px, width_px - x_px, height_px - y_px) < CORNER_PIP_EDGES * spot.size_px)


def _limit(pixels: NDArray[np.uint8], result: Classification, looks: Sequence[ClassifierOutput]) -> Classification:
    """The classification after what size and place say about its class."""
    board = result.place.board
    if board is None:
        return result
    class_log_p = result.output.class_log_p
    edge_points = result.edge / board.field.pitch_mm
    if edge_points < LEAST_CUBE_POINTS:
        class_log_p = _without_class(ObjectClass.CUBE, class_log_p)
    if edge_points > MOST_DIE_POINTS:
        class_log_p = _cap_probability(ObjectClass.DIE, class_log_p)
    elif edge_points < LEAST_DIE_POINTS:
        class_log_p = _without_class(ObjectClass.DIE, class_log_p)
    limited = replace(result, output=replace(result.output, class_log_p=class_log_p))
    kind = find_kind(limited.output)
    if kind is ObjectClass.NOTHING or not limited.is_off_field or _is_confirmed(pixels, limited, looks, kind):
        return limited
    return replace(limited, output=replace(limited.output, class_log_p=_cap_probability(kind, class_log_p)))


def _is_confirmed(
    pixels: NDArray[np.uint8], result: Classification, looks: Sequence[ClassifierOutput], kind: ObjectClass
) -> bool:
    """Off the field every look has to show the same die, and a cube its number."""
    if kind is ObjectClass.CUBE:
        return shows_a_number(pixels, result.spot, result.place.board)
    face = int(result.output.face_log_p.argmax())
    return all(look.class_p(ObjectClass.DIE) >= CONFIRM_P and int(look.face_log_p.argmax()) == face for look in looks)


def without_cube(result: Classification) -> Classification:
    """The classification of an object that is known to be no cube."""
    class_log_p = _without_class(ObjectClass.CUBE, result.output.class_log_p)
    return replace(result, output=replace(result.output, class_log_p=class_log_p))


def _cap_probability(object_class: ObjectClass, class_log_p: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3,) log-probabilities with at most REJECTED_P for this class; the excess goes to "nothing"."""
    chances = np.exp(class_log_p)
    excess = max(float(chances[object_class.value]) - REJECTED_P, 0.0)
    chances[object_class.value] -= excess
    chances[ObjectClass.NOTHING.value] += excess
    return np.asarray(np.log(np.maximum(chances, MIN_P)))


def _without_class(object_class: ObjectClass, class_log_p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-probabilities given that this class is excluded."""
    possible = class_log_p.copy()
    possible[object_class.value] = -np.inf
    return np.asarray(possible - np.logaddexp.reduce(possible))


def _geometric_mean(log_probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Normalised."""
    means = np.mean(log_probabilities, axis=0)
    return np.asarray(means - np.logaddexp.reduce(means))
