"""Several looks at one die that lies still, as one reading.

Looks of a still scene share their light, their blur and their reader: a second one tells little that the first did
not, and a hundred are not a hundred times as sure. Likelihoods are therefore averaged and counted as few
(`correlation`), and where looks disagree about how the die lies the worse lie is taken, with as little confidence as
it has support. Nothing here makes a die surer than its looks were, except that independent errors of a single look
are outvoted.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from statistics import fmean, median

from vision.dice.readings import STILL_LIES, BoardHalf, Contact, DieReading, DieState
from vision.errors import ImpossibleReadingError

# From the best to the worst: a throw that counts wants the first.
_LIES_BEST_TO_WORST = (
    DieState.FLAT,
    DieState.ON_CHECKER,
    DieState.ON_BAR,
    DieState.ON_RIM,
    DieState.COCKED,
    DieState.OFF_BOARD,
    DieState.MOVING,
)
_TO_DEVIATION = 1.4826  # times the median absolute deviation: the standard deviation of a normal spread


@dataclass(frozen=True, slots=True)
class FusionLimits:
    """How looks are weighed against each other."""

    correlation: float = 0.85  # between two looks of a still scene; of many looks at most 1 / correlation count
    least_log_likelihood: float = -15.0  # against the best face; one look alone rules nothing out for good
    dissent: float = 0.1  # share of the support from which a worse lie is believed
    outvoted_by: int = 6  # of so many looks that agree how the die lies, one may be less sure of it
    agreement: float = 0.9  # share of looks that must name the same half


def fuse_readings(looks: Sequence[DieReading], limits: FusionLimits | None = None) -> DieReading:
    """One reading of looks at the same die at the same place, in any order."""
    if not looks:
        raise ImpossibleReadingError("a die is read from at least one look")
    limits = limits or FusionLimits()
    lies, confidence = _fuse_lies(looks, limits)
    on_board_mm = [look.base_mm for look in looks if look.base_mm is not None]
    bases_px = [look.base_px for look in looks if look.base_px is not None]
    edges_mm = [look.edge_mm for look in looks if look.edge_mm is not None]
    tilt_deg = median(look.tilt_deg for look in looks)
    spread_deg = _TO_DEVIATION * median(abs(look.tilt_deg - tilt_deg) for look in looks)
    return DieReading(
        face_log_likelihood=_fuse_faces(looks, limits),
        lies=lies,
        lie_confidence=confidence,
        centre_px=compute_centre_px(looks),
        size_px=median(look.size_px for look in looks),
        base_mm=_compute_median(on_board_mm) if 2 * len(on_board_mm) > len(looks) else None,
        half=_vote_half(looks, limits),
        touches=_vote_contact(looks, limits),
        tilt_deg=tilt_deg,
        tilt_sigma_deg=max(median(look.tilt_sigma_deg for look in looks), spread_deg),
        lie_chances=_average_lie_chances(looks),
        die_chance=fmean(look.die_chance for look in looks),
        base_px=_compute_median(bases_px) if bases_px else None,
        edge_mm=median(edges_mm) if edges_mm else None,
    )


def compute_centre_px(looks: Sequence[DieReading]) -> tuple[float, float]:
    """The median place of the upper face in the picture."""
    return _compute_median([look.centre_px for look in looks])


def measure_distance_edges(first: DieReading, place_px: tuple[float, float]) -> float:
    """How far a die lies from a place, in edges of the die: the same at every resolution."""
    away_px = hypot(first.centre_px[0] - place_px[0], first.centre_px[1] - place_px[1])
    return away_px / max(first.size_px, 1.0)


def _compute_median(places: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return median(x for x, _ in places), median(y for _, y in places)


def _fuse_faces(looks: Sequence[DieReading], limits: FusionLimits) -> tuple[float, ...]:
    """Six log-likelihoods, the best at 0."""
    different = set(looks)  # the same reading handed on for an unchanged picture is one look
    counts = len(different) / (1 + (len(different) - 1) * limits.correlation)
    bounded = [
        [max(value - max(look.face_log_likelihood), limits.least_log_likelihood) for value in look.face_log_likelihood]
        for look in looks
    ]
    sums = [counts * fmean(values) for values in zip(*bounded, strict=True)]
    return tuple(value - max(sums) for value in sums)


def _fuse_lies(looks: Sequence[DieReading], limits: FusionLimits) -> tuple[DieState, float]:
    """The worst lie that has support, and how much of all it has, in looks that name another one too."""
    support = {
        state: sum(look.lie_confidence for look in looks if look.lies is state)
        for state in {look.lies for look in looks}
    }
    least = limits.dissent * sum(support.values())
    worst = max((state for state in support if support[state] >= least), key=_LIES_BEST_TO_WORST.index)
    sure = sorted(look.lie_confidence for look in looks if look.lies is worst)
    heard = sure[len(sure) // limits.outvoted_by :]
    beside = sum(_get_lie_chance(worst, look) for look in looks if look.lies is not worst)
    return worst, min(1.0, (fmean(heard) * len(sure) + beside) / len(looks))


def _get_lie_chance(lie: DieState, look: DieReading) -> float:
    """Of one that another lie is named for."""
    return look.lie_chances[STILL_LIES.index(lie)] if look.lie_chances and lie in STILL_LIES else 0.0


def _average_lie_chances(looks: Sequence[DieReading]) -> tuple[float, ...]:
    """Their means; none where a look tells none."""
    told = [look.lie_chances for look in looks]
    return tuple(fmean(chances) for chances in zip(*told, strict=True)) if all(told) else ()


def _vote_half(looks: Sequence[DieReading], limits: FusionLimits) -> BoardHalf | None:
    half, votes = Counter(look.half for look in looks).most_common(1)[0]
    return half if votes >= limits.agreement * len(looks) else None


def _vote_contact(looks: Sequence[DieReading], limits: FusionLimits) -> Contact:
    """What it touches in more than a few looks, the most named first."""
    votes = Counter(look.touches for look in looks)
    touching = [contact for contact in Contact if contact is not Contact.NOTHING]
    most = max(touching, key=lambda contact: votes[contact])
    return most if votes[most] > limits.dissent * len(looks) else Contact.NOTHING
