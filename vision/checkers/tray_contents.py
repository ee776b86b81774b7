"""Number of checkers in a tray, as likelihoods, from a line along its middle.

Players lay borne-off checkers against the ends of a tray: in a roll on their edges, or flat and side by side, in
layers when the row is full. Between them the floor shows. Whatever differs from the floor, from an end inward, may be
checkers. A roll shows grooves at the distance of one thickness, as far as it goes. Of flat checkers the row shows but
not what lies under its upper layer, so every larger number stays possible. What has neither grooves nor a side's
colour may be a shadow. The likelihoods reflect this: only a bare end and a clear roll are certain.
"""

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers.colour_classes import compute_distance_odds
from vision.checkers.network import COUNTS
from vision.geometry.top_view import FIELD_ROWS_PX, MARGIN_PX, PITCH_PX

TrayLine = NDArray[np.float32]  # (VIEW_HEIGHT_PX, 3): the view's rows, weighted CIELAB
CountLikelihoods = NDArray[np.float64]  # (16, 16) likelihoods: light x dark

MIDDLE_PX = MARGIN_PX + FIELD_ROWS_PX // 2
FLOOR_ROWS = slice(MIDDLE_PX - 23, MIDDLE_PX + 23)  # free floor: a full row of flat checkers ends about there
END_FROM_PX, END_PX = MARGIN_PX + 2, 150  # rows of an end; the end wall shows in the first two
# Statistical: 19 of 20 floors vary less; a hand or checkers in the middle vary more. Weighted CIELAB.
MAX_FLOOR_SPREAD = 3.5
# Difference from the floor's colour, in weighted CIELAB and against its own unevenness.
OTHER_COLOUR, TIMES_UNEVEN = 5.0, 1.8
CHANGING, TIMES_CHANGING = 1.0, 1.6  # change from row to row, in weighted CIELAB and against the floor's own
SMOOTHED_PX = 9  # a little more than a thickness, less than the gap from a checker to a shadow's end
MAX_START_PX = 8  # what begins later does not lie against the end
# Length up to which an end is bare (its wall shows), and from which it is not: the thinnest checker reaches farther.
BARE_PX, DIRTY_PX = 6, 14
# Physical: a thickness is 0.2 to 0.29 of a diameter, that 0.75 to 1 of a point's width; higher objects look larger.
THICKNESS_PX = np.arange(0.15, 0.32, 0.003) * PITCH_PX
MEAN_THICKNESS_PX = 0.235 * PITCH_PX
PHASES = 2 * np.pi * np.arange(END_PX) / THICKNESS_PX[:, None]
COSINES, SINES = np.cos(PHASES), np.sin(PHASES)
NUMBER = np.arange(COUNTS, dtype=np.float64)
DIAMETER_PX, DIAMETER_SIGMA = 0.91 * PITCH_PX, 0.08
# Share of the changes along a line that one period explains: possibly and clearly grooved. Statistical: rolls have
# more than the first, flat checkers less than 0.41.
LEAST_GROOVED, CLEARLY_GROOVED = 0.35, 0.55
SHORT_ROLL_PX = 30  # two or three grooves prove nothing
OVERSHOOT, ROLL_SIGMA = 0.55, 0.55  # checkers; statistical: the inner face of the last one shows as well
GROOVES_END = 0.5  # share of their usual strength
# Likelihoods against the best count: one checker on its edge taken for the wall of a bare end; the same in a colour
# unlike the floor; any other error. Knobs.
ONE_UNSEEN, ONE_LIKE_A_WALL, ANYTHING = 0.01, 0.3, 0.002
WALL_COLOUR = 9.0
# Likelihoods against the best count: an end without grooves is a shadow; more checkers lie upon flat ones.
SHADOW, LAYERED = 0.5, 0.2
MAX_SIDE_COLOUR_DISTANCE = 14.0  # weighted CIELAB: a side's edges in a tray differ less from its faces on the field
MAX_ODDS_ONE_SIDE, MAX_ODDS_BOTH_SIDES = 2.0, 5.0


@dataclass(frozen=True, slots=True, eq=False)
class SideAppearance:
    """Weighted CIELAB of the upper faces on the field; None for a side without any."""

    light: NDArray[np.float64] | None
    dark: NDArray[np.float64] | None

    def compute_light_odds(self, colour: NDArray[np.float32]) -> float:
        """Log-odds that a checker of this colour is light; 0 without known colours."""
        if self.light is None or self.dark is None:
            known = self.light if self.dark is None else self.dark
            if known is None:
                return 0.0
            alike = float(
                np.clip(
                    (MAX_SIDE_COLOUR_DISTANCE - np.linalg.norm(colour - known)) / 4,
                    -MAX_ODDS_ONE_SIDE,
                    MAX_ODDS_ONE_SIDE,
                )
            )
            return alike if self.dark is None else -alike
        spread = max(float(np.linalg.norm(self.light - self.dark)) / 4, 1.0)
        off_light, off_dark = float(np.linalg.norm(colour - self.light)), float(np.linalg.norm(colour - self.dark))
        return float(compute_distance_odds(off_light, off_dark, spread, MAX_ODDS_BOTH_SIDES))


@dataclass(frozen=True, slots=True)
class HeightParallax:
    """Outward shift of an object as high as a checker's diameter, away from the point below the camera."""

    nadir_px: float  # row below the camera
    share: float  # true distance from there against the seen distance

    def correct_row_px(self, row_px: float) -> float:
        return self.nadir_px + (row_px - self.nadir_px) * self.share


@dataclass(frozen=True, slots=True, eq=False)
class Floor:
    """The free middle of a line."""

    colour: NDArray[np.float32]
    uneven: float  # nine of ten rows differ less from that colour
    restless: float  # mean change over two rows

    @classmethod
    def of(cls, line: TrayLine) -> Self:
        rows = line[FLOOR_ROWS]
        colour = np.asarray(np.median(rows, axis=0), np.float32)
        return cls(
            colour,
            float(np.percentile(_compute_norms(rows - colour), 90)),
            float(_compute_norms(rows[2:] - rows[:-2]).mean()),
        )


def read_tray_line(line: TrayLine, sides: SideAppearance, height: HeightParallax) -> CountLikelihoods | None:
    """Counts of a whole tray; None where the line is covered or an object lies against no end."""
    floor = Floor.of(line)
    if floor.uneven > MAX_FLOOR_SPREAD:
        return None
    turned = HeightParallax(len(line) - 1 - height.nadir_px, height.share)
    total = None
    for way, seen_from in ((line, height), (line[::-1], turned)):
        length_px = _measure_covered_px(way, floor)
        if length_px is None:
            return None
        end = way[END_FROM_PX : END_FROM_PX + max(length_px, 1)]
        strayed = float(np.linalg.norm(np.median(end, axis=0) - floor.colour))
        counts = _score_counts(end, seen_from, strayed=strayed)
        table = _split_by_colour(counts, sides.compute_light_odds(_estimate_face_colour(end)))
        total = table if total is None else add_counts(total, table)
    return total


def _compute_norms(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(vectors, axis=1), np.float64)


def add_counts(first: CountLikelihoods, second: CountLikelihoods) -> CountLikelihoods:
    """Likelihoods of the sum of two; more than fifteen of a side are impossible."""
    total = np.zeros((COUNTS, COUNTS))
    for light, dark in np.argwhere(first > 0):
        total[light:, dark:] += first[light, dark] * second[: COUNTS - light, : COUNTS - dark]
    return total


def _split_by_colour(counts: NDArray[np.float64], odds: float) -> CountLikelihoods:
    """Counts (16,) of one side, distributed to light and dark by the log-odds."""
    share = 1 / (1 + np.exp(-odds))
    table = np.zeros((COUNTS, COUNTS))
    table[1:, 0], table[0, 1:] = counts[1:] * share, counts[1:] * (1 - share)
    table[0, 0] = counts[0]
    return table


def _measure_covered_px(line: TrayLine, floor: Floor) -> int | None:
    """Length from the end that differs from the floor; 0 if none does, None where it begins later."""
    rows = slice(END_FROM_PX, END_FROM_PX + END_PX)
    coloured = _compute_norms(line[rows] - floor.colour) > max(OTHER_COLOUR, TIMES_UNEVEN * floor.uneven)
    changes = _compute_norms(line[rows.start + 1 : rows.stop + 1] - line[rows.start - 1 : rows.stop - 1]).reshape(1, -1)
    restless = cv2.blur(changes, (SMOOTHED_PX, 1)).ravel() > CHANGING + TIMES_CHANGING * floor.restless
    other = (coloured | restless).astype(np.uint8).reshape(1, -1)
    closed = cv2.morphologyEx(other, cv2.MORPH_CLOSE, np.ones((1, SMOOTHED_PX), np.uint8)).ravel() > 0
    if not closed.any():
        return 0
    start = int(closed.argmax())
    free = np.flatnonzero(~closed[start:])
    stop = start + int(free[0]) if len(free) else len(closed)
    if start > MAX_START_PX or closed[stop:].any():
        return None
    return stop


def _estimate_face_colour(end: TrayLine) -> NDArray[np.float32]:
    """The median of the brighter half: between checkers on their edges it is dark."""
    brighter = end[:, 0] >= np.median(end[:, 0])
    return np.asarray(np.median(end[brighter], axis=0), np.float32)


def _score_counts(end: TrayLine, height: HeightParallax, *, strayed: float) -> NDArray[np.float64]:
    """(16,) likelihoods of counts for the part that differs from the floor."""
    counts = np.full(COUNTS, ANYTHING)
    if len(end) < DIRTY_PX:
        counts[0] = 1
        counts[1] = ONE_UNSEEN if len(end) <= BARE_PX or strayed < WALL_COLOUR else ONE_LIKE_A_WALL
        return counts
    thickness_px, explained = _find_groove_period(end[:, 0])
    clear = float(np.clip((explained - LEAST_GROOVED) / (CLEARLY_GROOVED - LEAST_GROOVED), 0, 1))
    if len(end) < SHORT_ROLL_PX:
        clear = 0.0
    roll = clear * _score_roll(end, thickness_px, height) if clear > 0 else np.zeros(COUNTS)
    return np.asarray(np.maximum.reduce([counts, roll, (1 - clear) * _score_without_grooves(len(end))]), np.float64)


def _score_roll(end: TrayLine, thickness_px: float, height: HeightParallax) -> NDArray[np.float64]:
    """(16,) likelihoods of counts on their edges."""
    edge_px = height.correct_row_px(END_FROM_PX + _measure_grooved_px(end[:, 0], thickness_px))
    rows_seen = (edge_px - MARGIN_PX) / (thickness_px * height.share) - OVERSHOOT
    return _gaussian(NUMBER - rows_seen, ROLL_SIGMA)


def _score_without_grooves(length_px: int) -> NDArray[np.float64]:
    """(16,) likelihoods of counts: flat ones, a roll out of focus, or a shadow."""
    row = length_px / DIAMETER_PX
    flat = _gaussian(NUMBER - row, 0.3 + DIAMETER_SIGMA * row)
    roll = _gaussian((NUMBER - length_px / MEAN_THICKNESS_PX) / (1.0 + 0.2 * NUMBER), 1.0)
    likely = np.maximum.reduce([flat, np.where(row < NUMBER, LAYERED, 0.0), roll / 2])
    likely[0] = SHADOW
    return np.asarray(likely, np.float64)


def _gaussian(off: NDArray[np.float64], sigma: float) -> NDArray[np.float64]:
    return np.asarray(np.exp(-0.5 * (off / sigma) ** 2), np.float64)


def _high_pass(lightness: NDArray[np.float32]) -> NDArray[np.float64]:
    """Without slow changes."""
    slow = cv2.blur(lightness.astype(np.float64).reshape(1, -1), (11, 1), borderType=cv2.BORDER_REPLICATE).ravel()
    changes = lightness - slow
    return np.asarray(changes - changes.mean(), np.float64)


def _find_groove_period(lightness: NDArray[np.float32]) -> tuple[float, float]:
    """The period that explains most of the changes, and the share that it explains."""
    changes = _high_pass(lightness)
    strength = (COSINES[:, : len(changes)] @ changes) ** 2 + (SINES[:, : len(changes)] @ changes) ** 2
    explained = 2 * strength / len(changes) / max(float((changes**2).sum()), 1e-6)
    best = int(explained.argmax())
    return float(THICKNESS_PX[best]), float(explained[best])


def _measure_grooved_px(lightness: NDArray[np.float32], thickness_px: float) -> float:
    """Length of the grooves: a shadow behind the last checker has none."""
    turning = _high_pass(lightness) * np.exp(-2j * np.pi * np.arange(len(lightness)) / thickness_px)
    window = round(2 * thickness_px)
    strength = np.abs(np.convolve(turning, np.ones(window) / window, "same"))
    usual = float(np.median(strength[: max(window, len(strength) // 2)]))
    ended = np.flatnonzero(strength[window:] < GROOVES_END * usual)
    return float(window + ended[0]) if len(ended) else float(len(strength))
