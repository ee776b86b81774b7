"""The proof that a field was fitted to a known position: each of its places shows what stands there.

A place agrees when as many faces as checkers lie on its slots in the right colour and none lies on the next slot, or when
the network reads exactly what is expected. Faces of neither colour of the checkers, such as ornaments of the board and
dice, are no checkers. A single place may disagree, because a play changes two; a stack without half of its faces may not.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.checkers import class_of
from vision.field.known_stacks import GATE, HEAP, Slots, locate_slots_mm
from vision.field.position_fit import PositionFit, lift_faces_mm
from vision.geometry.calibration import Refusal
from vision.places import POINTS, Colour, Place

LEAST_FOUND = 0.7  # of the checkers whose faces must be seen on their slots; oblique views show 0.75 and more
LEAST_IN_VIEW = 0.6  # of the checkers that must not be covered
LARGEST_OFFSET = 0.15  # points; rms from the middle of the column. On photographs 0.02 to 0.08
# An error of the corners over 1.5 % of the width is three standard deviations.
LARGEST_CORNER_SPREAD = 0.005
LEAST_VISIBLE = 0.5  # a place that a hand covers more than this says nothing
LEAST_LEAD = 1.0  # checkers that the best placement explains and the second does not
MOST_DISAGREEING = 1
MOST_NAMED = 6  # places in a sentence
OTHER_COLOUR_SHARE = 0.1  # largest share of a colour's faces that look like the other colour
COLOUR_REACH = 1.5  # in distances of the ninth of ten faces from the middle of their colour
LEAST_COLOUR_REACH = 8.0  # CIELAB; a uniform colour under uneven light
_REMEDY = "set the position up as told, take hands away, or tell the position that stands there."


def find_fault(
    fit: PositionFit,
    expected: Mapping[Place, tuple[Colour, int]],
    patterns: Sequence[Slots],
    *,
    corners_are_given: bool,
) -> Refusal | None:
    """The reason why a fit proves nothing; None for a proven fit. `patterns` are all placements of the position."""
    disagreeing, empty_handed = _compare_places(fit, expected)
    in_view = (fit.seen.reading.visible[fit.slots.points] >= LEAST_VISIBLE) | (fit.taken >= 0)
    found = float((fit.taken >= 0).sum() / max(1, in_view.sum()))
    if len(disagreeing) > MOST_DISAGREEING or empty_handed or found < LEAST_FOUND or in_view.mean() < LEAST_IN_VIEW:
        places = empty_handed + disagreeing or _unfound(fit)
        named = ", ".join(place.value for place in places[:MOST_NAMED]) + (" and others" * (len(places) > MOST_NAMED))
        return Refusal(f"The board does not show the position that was promised: {named} differ; {_REMEDY}")
    ranks = rank_placements(fit, patterns)
    rivals = [rank for option, rank in enumerate(ranks) if option != fit.option]
    if (rivals and ranks[fit.option] - max(rivals) < LEAST_LEAD) or not do_sides_agree(fit, expected):
        return Refusal("The orientation of the position is ambiguous; give more even light, or calibrate without it.")
    if _column_offset(fit) > LARGEST_OFFSET:
        return Refusal(
            "The checkers of the known position do not lie on the middles of their points; put them there, or give the"
            " four corners with --corners."
        )
    if not corners_are_given and fit.joint.corner_spread_share > LARGEST_CORNER_SPREAD:
        return Refusal(
            "The known position is seen, but neither it nor the edges of the field tell the corners surely"
            f" ({fit.joint.corner_spread_share:.1%} of the width); show the whole board with its rim, or give the four"
            " corners with --corners."
        )
    return None


def _unfound(fit: PositionFit) -> list[Place]:
    return [POINTS[index] for index in sorted(set(fit.slots.points[fit.taken < 0].tolist()))]


def _column_offset(fit: PositionFit) -> float:
    found = fit.taken >= 0
    faces_mm = fit.joint.projection.to_board(fit.seen.middles_px[fit.taken[found]], fit.joint.checker_thickness_mm)
    spots_mm = locate_slots_mm(fit.slots, fit.joint.field, fit.joint.checker_diameter_mm)[found]
    return float(np.sqrt(np.mean((faces_mm - spots_mm)[:, 0] ** 2)) / fit.joint.field.pitch_mm)


def _compare_places(fit: PositionFit, expected: Mapping[Place, tuple[Colour, int]]) -> tuple[list[Place], list[Place]]:
    """The places that disagree, and those among them without half of their faces, or in the other colour."""
    looks_dark, looks_like_checker = judge_colours(fit)
    extra = _find_extra_faces(fit, expected) & looks_like_checker
    disagreeing: list[Place] = []
    empty_handed: list[Place] = []
    for index, place in enumerate(POINTS):
        colour, count = expected.get(place, (Colour.NONE, 0))
        own = fit.taken[fit.slots.points == index]
        own = own[own >= 0]
        wanted = min(count, HEAP)
        right = int((looks_dark[own] == (colour is Colour.DARK)).sum())
        if fit.seen.reading.visible[index] < LEAST_VISIBLE or _reads_as(fit, index, colour, count):
            continue
        if 2 * right < wanted:
            empty_handed.append(place)
        elif len(own) != wanted or right != wanted or extra[index].any():
            disagreeing.append(place)
    return disagreeing, empty_handed


def _reads_as(fit: PositionFit, index: int, colour: Colour, count: int) -> bool:
    return int(fit.seen.reading.points[index].argmax()) == class_of(colour, count)


def judge_colours(fit: PositionFit) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(n faces,): whether each looks dark, and whether it has the colour of one of the two sides at all.

    The colours of the two sides are those of the faces on their slots.
    """
    lab, found = fit.seen.lab, fit.taken >= 0
    own, is_dark = fit.taken[found], fit.slots.is_dark[found]
    apart = np.full((2, len(lab)), np.inf)
    reach = np.full(2, np.inf)
    for side, members in enumerate((own[~is_dark], own[is_dark])):
        if len(members):
            apart[side] = np.linalg.norm(lab - np.median(lab[members], axis=0), axis=1)
            reach[side] = max(LEAST_COLOUR_REACH, COLOUR_REACH * float(np.quantile(apart[side][members], 0.9)))
    return apart[1] < apart[0], np.asarray((apart <= reach[:, None]).any(axis=0))


def _find_extra_faces(fit: PositionFit, expected: Mapping[Place, tuple[Colour, int]]) -> NDArray[np.bool_]:
    """(24, n faces): faces without a slot that lie where the next checker of a place would."""
    field = fit.joint.field
    next_slots = Slots(
        np.arange(len(POINTS)),
        np.array([expected.get(place, (Colour.NONE, 0))[1] for place in POINTS]),
        np.zeros(len(POINTS), bool),
        np.zeros(len(POINTS), bool),
    )
    faces_mm = lift_faces_mm(fit.seen, fit.joint.projection, field)
    spots_mm = locate_slots_mm(next_slots, field, fit.joint.checker_diameter_mm)
    near = np.linalg.norm(spots_mm[:, None] - faces_mm[None], axis=2) < GATE * field.pitch_mm
    is_free = np.ones(len(faces_mm), bool)
    is_free[fit.taken[fit.taken >= 0]] = False
    is_heap = next_slots.depths > HEAP
    return np.asarray(near & is_free[None] & ~is_heap[:, None])


def do_sides_agree(fit: PositionFit, expected: Mapping[Place, tuple[Colour, int]]) -> bool:
    """Whether the colours form two groups, the light one lighter, or the network reads the sides as expected."""
    found = fit.taken >= 0
    own, is_dark = fit.taken[found], fit.slots.is_dark[found]
    if is_dark.all() or not is_dark.any():
        return True
    looks_dark, _ = judge_colours(fit)
    lightness = fit.seen.lab[own, 0]
    wrong = max(float(looks_dark[own][~is_dark].mean()), float((~looks_dark[own][is_dark]).mean()))
    if wrong <= OTHER_COLOUR_SHARE and np.median(lightness[~is_dark]) > np.median(lightness[is_dark]):
        return True
    points = fit.seen.reading.points
    light, dark = points[:, 1:16].max(axis=1), points[:, 16:].max(axis=1)
    reads_dark = np.array([dark[POINTS.index(place)] > light[POINTS.index(place)] for place in expected])
    right = reads_dark == np.array([colour is Colour.DARK for colour, _ in expected.values()])
    return bool(right.mean() >= 1 - OTHER_COLOUR_SHARE)


def rank_placements(fit: PositionFit, patterns: Sequence[Slots]) -> list[float]:
    """For each pattern, how many checkers have a face of their colour on their slot."""
    joint = fit.joint
    looks_dark, _ = judge_colours(fit)
    faces_mm = lift_faces_mm(fit.seen, joint.projection, joint.field)
    ranks = []
    for slots in patterns:
        spots_mm = locate_slots_mm(slots, joint.field, joint.checker_diameter_mm)
        near = np.linalg.norm(spots_mm[:, None] - faces_mm[None], axis=2) < GATE * joint.field.pitch_mm
        ranks.append(float((near & (slots.is_dark[:, None] == looks_dark[None])).any(axis=1).sum()))
    return ranks
