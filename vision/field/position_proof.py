"""The proof that a field was fitted to a known position in one way only, and surely.

What stands on each place is proved by reading it (`position_lesson`). Reading alone does not tell a position from one with
both sides exchanged, nor where the corners are; the faces of the checkers do.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.field.known_stacks import GATE, Slots, locate_slots_mm
from vision.field.position_fit import PositionFit, lift_faces_mm
from vision.geometry.calibration import Refusal
from vision.places import POINTS, Colour, Place

# Physical: fewer than half of the checkers do not hold all four corners. A hand covers a fifth of a board at most.
LEAST_IN_VIEW = 0.5
LARGEST_OFFSET = 0.15  # points; rms from the middle of the column. On photographs 0.02 to 0.08
# An error of the corners over 1.5 % of the width is three standard deviations.
LARGEST_CORNER_SPREAD = 0.005
LEAST_VISIBLE = 0.5  # a place that a hand covers more than this says nothing
LEAST_LEAD = 1.0  # checkers that the best placement explains and the second does not
OTHER_COLOUR_SHARE = 0.1  # largest share of a colour's faces that look like the other colour


def find_fault(
    fit: PositionFit,
    expected: Mapping[Place, tuple[Colour, int]],
    patterns: Sequence[Slots],
    *,
    corners_are_given: bool,
) -> Refusal | None:
    """The reason why a fit that reads as expected proves nothing, or None. `patterns` are all placements of the position."""
    in_view = (fit.seen.reading.visible[fit.slots.points] >= LEAST_VISIBLE) | (fit.taken >= 0)
    if in_view.mean() < LEAST_IN_VIEW:
        hidden = [POINTS[index].value for index in sorted(set(fit.slots.points[~in_view].tolist()))]
        return Refusal(
            f"Too much of the known position is hidden: {', '.join(hidden)}; take hands away, and try again."
        )
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


def _column_offset(fit: PositionFit) -> float:
    found = fit.taken >= 0
    faces_mm = fit.joint.projection.to_board(fit.seen.middles_px[fit.taken[found]], fit.joint.checker_thickness_mm)
    spots_mm = locate_slots_mm(fit.slots, fit.joint.field, fit.joint.checker_diameter_mm)[found]
    return float(np.sqrt(np.mean((faces_mm - spots_mm)[:, 0] ** 2)) / fit.joint.field.pitch_mm)


def judge_colours(fit: PositionFit) -> NDArray[np.bool_]:
    """(n faces,): whether each looks dark, by the colours of the faces on the slots of both sides."""
    lab, found = fit.seen.lab, fit.taken >= 0
    own, is_dark = fit.taken[found], fit.slots.is_dark[found]
    apart = np.full((2, len(lab)), np.inf)
    for side, members in enumerate((own[~is_dark], own[is_dark])):
        if len(members):
            apart[side] = np.linalg.norm(lab - np.median(lab[members], axis=0), axis=1)
    return np.asarray(apart[1] < apart[0])


def do_sides_agree(fit: PositionFit, expected: Mapping[Place, tuple[Colour, int]]) -> bool:
    """Whether the colours form two groups, the light one lighter, or the network reads the sides as expected."""
    found = fit.taken >= 0
    own, is_dark = fit.taken[found], fit.slots.is_dark[found]
    if is_dark.all() or not is_dark.any():
        return True
    looks_dark = judge_colours(fit)
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
    looks_dark = judge_colours(fit)
    faces_mm = lift_faces_mm(fit.seen, joint.projection, joint.field)
    ranks = []
    for slots in patterns:
        spots_mm = locate_slots_mm(slots, joint.field, joint.checker_diameter_mm)
        near = np.linalg.norm(spots_mm[:, None] - faces_mm[None], axis=2) < GATE * joint.field.pitch_mm
        ranks.append(float((near & (slots.is_dark[:, None] == looks_dark[None])).any(axis=1).sum()))
    return ranks
