"""The flight of a thrown die: fast and high at first, then slower and lower, end over end, to its final pose."""

from dataclasses import replace

import numpy as np

from vision.simulated.scene import PointMm
from vision.simulated.tabletop import DiePose

ROLLED = 0.86  # share of the flight; in the rest a die tips against its support, or lies still
EXPOSURE_MS = 8.0
HOP_MM, HOPS = 26.0, 3.5
SLOWING = 2.2  # exponent of the remaining way: the larger, the faster at first
SLIDING = 0.6  # share of the way that is rolled; the rest is slid and flown
SPIN_DEG = 140.0


def die_in_flight(die: DiePose, start_mm: PointMm, size_mm: float, *, t_ms: float, takes_ms: float) -> DiePose:
    """The pose after `t_ms` of a die that left the hand at `start_mm` and comes to rest as `die` after `takes_ms`."""
    share = min(max(t_ms / takes_ms, 0.0), 1.0)
    rolled = min(share / ROLLED, 1.0)
    rng = np.random.default_rng([die.number, round(die.centre_mm[0] * 16) & 0xFFFF, round(die.yaw_deg * 16) & 0xFFFF])
    aside = float(rng.uniform(-14, 14)) + (die.number % 2 - 0.5) * 1.4 * size_mm
    start = np.array([start_mm[0] + aside, start_mm[1]])
    way = np.array(die.centre_mm) - start
    far = max(float(np.linalg.norm(way)), 1.0)
    left = (1 - rolled) ** SLOWING
    place = np.array(die.centre_mm) - left * way
    if rolled >= 1:
        tipped = (share - ROLLED) / (1 - ROLLED)
        return replace(die, tilt_deg=die.tilt_deg * min(1.0, 1.6 * tipped))
    quick = SLOWING * (1 - rolled) ** (SLOWING - 1) * far / (ROLLED * takes_ms)
    smear = way / far * quick * EXPOSURE_MS
    # The die still rolls forward by this angle, so its pose is the final one turned back.
    back_deg = SLIDING * left * far / size_mm * 90
    hop = HOP_MM * (1 - rolled) ** 1.7 * abs(float(np.cos(np.pi * HOPS * rolled)))
    return replace(
        die,
        centre_mm=(float(place[0]), float(place[1])),
        yaw_deg=die.yaw_deg + SPIN_DEG * float(rng.uniform(0.4, 1)) * (1 - rolled) ** 2,
        tilt_deg=-float(back_deg),
        way_deg=float(np.degrees(np.arctan2(way[1], way[0]))),
        height_mm=die.height_mm * rolled**3 + hop,
        smear_mm=(float(smear[0]), float(smear[1])),
    )
