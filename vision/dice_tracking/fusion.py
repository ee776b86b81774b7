"""Temporal fusion: several readings of one die at rest as one reading.

Readings of a still scene share their light, their blur and their networks, so a hundred are not a hundred times as
sure. Likelihoods are averaged and count as few (CORRELATION). Where readings disagree about the lie, the worse lie
is taken, with as little confidence as it has support. Fusion makes no die surer than its readings are, except that
independent errors of single readings are outvoted.
"""

from collections import Counter
from collections.abc import Sequence
from math import hypot
from statistics import fmean, median

from vision.dice.readings import STILL_LIES, BoardHalf, Contact, DieReading, DieState
from vision.errors import ImpossibleReadingError

# A throw that counts wants the first.
_LIES_BEST_TO_WORST = (
    DieState.FLAT,
    DieState.ON_CHECKER,
    DieState.ON_BAR,
    DieState.ON_RIM,
    DieState.COCKED,
    DieState.OFF_BOARD,
    DieState.MOVING,
)
_TO_DEVIATION = 1.4826  # standard deviation of a normal distribution by its median absolute deviation


# Weights of the fusion.
CORRELATION = 0.85  # between two readings of a still scene; at most 1 / CORRELATION of them count; knob
LEAST_LOG_LIKELIHOOD = -15.0  # floor against the best face, so that one reading alone excludes nothing
DISSENT = 0.1  # share of the support from which a worse lie is taken
OUTVOTED_BY = 6  # one in this many readings that agree on the lie may be less sure of it
AGREEMENT = 0.9  # share of readings that must name the same half


def fuse_readings(readings: Sequence[DieReading]) -> DieReading:
    """One reading from readings of the same die at the same place, in any order."""
    if not readings:
        raise ImpossibleReadingError("a die is fused from at least one reading")
    lies, confidence = _fuse_lies(readings)
    on_board_mm = [reading.base_mm for reading in readings if reading.base_mm is not None]
    bases_px = [reading.base_px for reading in readings if reading.base_px is not None]
    edges_mm = [reading.edge_mm for reading in readings if reading.edge_mm is not None]
    tilt_deg = median(reading.tilt_deg for reading in readings)
    spread_deg = _TO_DEVIATION * median(abs(reading.tilt_deg - tilt_deg) for reading in readings)
    return DieReading(
        face_log_likelihood=_fuse_faces(readings),
        lies=lies,
        lie_confidence=confidence,
        centre_px=compute_centre_px(readings),
        size_px=median(reading.size_px for reading in readings),
        base_mm=_compute_median(on_board_mm) if 2 * len(on_board_mm) > len(readings) else None,
        half=_vote_half(readings),
        touches=_vote_contact(readings),
        tilt_deg=tilt_deg,
        tilt_sigma_deg=max(median(reading.tilt_sigma_deg for reading in readings), spread_deg),
        lie_chances=_average_lie_chances(readings),
        die_chance=fmean(reading.die_chance for reading in readings),
        base_px=_compute_median(bases_px) if bases_px else None,
        edge_mm=median(edges_mm) if edges_mm else None,
    )


def compute_centre_px(readings: Sequence[DieReading]) -> tuple[float, float]:
    """The median middle of the upper face in the picture."""
    return _compute_median([reading.centre_px for reading in readings])


def measure_distance_edges(first: DieReading, place_px: tuple[float, float]) -> float:
    """Distance of a die from a place in edges of the die, independent of resolution."""
    away_px = hypot(first.centre_px[0] - place_px[0], first.centre_px[1] - place_px[1])
    return away_px / max(first.size_px, 1.0)


def _compute_median(places: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return median(x for x, _ in places), median(y for _, y in places)


def _fuse_faces(readings: Sequence[DieReading]) -> tuple[float, ...]:
    """Six log-likelihoods, the best at 0."""
    distinct = set(readings)  # a reading repeated for an unchanged picture counts once
    counts = len(distinct) / (1 + (len(distinct) - 1) * CORRELATION)
    bounded = [
        [max(value - max(reading.face_log_likelihood), LEAST_LOG_LIKELIHOOD) for value in reading.face_log_likelihood]
        for reading in readings
    ]
    sums = [counts * fmean(values) for values in zip(*bounded, strict=True)]
    return tuple(value - max(sums) for value in sums)


def _fuse_lies(readings: Sequence[DieReading]) -> tuple[DieState, float]:
    """The worst lie with support, and its share of the support, including that of readings that name another lie."""
    support = {
        state: sum(reading.lie_confidence for reading in readings if reading.lies is state)
        for state in {reading.lies for reading in readings}
    }
    least = DISSENT * sum(support.values())
    worst = max((state for state in support if support[state] >= least), key=_LIES_BEST_TO_WORST.index)
    sure = sorted(reading.lie_confidence for reading in readings if reading.lies is worst)
    heard = sure[len(sure) // OUTVOTED_BY :]
    beside = sum(_get_lie_chance(worst, reading) for reading in readings if reading.lies is not worst)
    return worst, min(1.0, (fmean(heard) * len(sure) + beside) / len(readings))


def _get_lie_chance(lie: DieState, reading: DieReading) -> float:
    """P(lie) by a reading that names another lie."""
    return reading.lie_chances[STILL_LIES.index(lie)] if reading.lie_chances and lie in STILL_LIES else 0.0


def _average_lie_chances(readings: Sequence[DieReading]) -> tuple[float, ...]:
    """Their means; () where a reading has none."""
    all_chances = [reading.lie_chances for reading in readings]
    return tuple(fmean(chances) for chances in zip(*all_chances, strict=True)) if all(all_chances) else ()


def _vote_half(readings: Sequence[DieReading]) -> BoardHalf | None:
    half, votes = Counter(reading.half for reading in readings).most_common(1)[0]
    return half if votes >= AGREEMENT * len(readings) else None


def _vote_contact(readings: Sequence[DieReading]) -> Contact:
    """The contact named by more than DISSENT of the readings, the most frequent first."""
    votes = Counter(reading.touches for reading in readings)
    touching = [contact for contact in Contact if contact is not Contact.NOTHING]
    most = max(touching, key=lambda contact: votes[contact])
    return most if votes[most] > DISSENT * len(readings) else Contact.NOTHING
