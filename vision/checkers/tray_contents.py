"""How many checkers lie at one end of a tray, as likelihoods, told from a line along the tray's middle.

People lay borne-off checkers against the ends of a tray: in a roll on their edges, or flat and side by side, in layers
when the row is full. Between them the floor shows. Whatever differs from it, from an end inward, may be checkers.
A roll shows its grooves: their distance is one thickness, and as far as they go checkers lie. Of flat ones the row
shows, not what lies under its upper layer, so every larger number stays possible. What has neither grooves nor a side's
colour may be a shadow. All this stands in the likelihoods: only a bare end and a clear roll make them sure.
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
FLOOR_ROWS = slice(MIDDLE_PX - 23, MIDDLE_PX + 23)  # a full row of flat checkers ends before it, more or less
END_FROM_PX, END_PX = MARGIN_PX + 2, 150  # rows of an end; in the first two the end wall shows
MAX_FLOOR_SPREAD = 3.5  # 19 of 20 floors vary less; a hand and checkers that reach the middle make it more
OTHER_COLOUR, TIMES_UNEVEN = 5.0, 1.8  # weighted CIELAB, and against how uneven the floor is
CHANGING, TIMES_CHANGING = 1.0, 1.6  # weighted CIELAB from row to row, and against the floor's own
SMOOTHED_PX = 9  # a little more than a thickness, less than the gap from a checker to a shadow's end
MAX_START_PX = 8  # what begins later does not lie against the end
BARE_PX, DIRTY_PX = 6, 14  # a bare end's wall may look this long; the thinnest checker on its edge reaches further
# A thickness is 0.2 to 0.29 of a diameter, that 0.75 to 1 of a point's width, and what lies higher looks larger.
THICKNESS_PX = np.arange(0.15, 0.32, 0.003) * PITCH_PX
MEAN_THICKNESS_PX = 0.235 * PITCH_PX
PHASES = 2 * np.pi * np.arange(END_PX) / THICKNESS_PX[:, None]
COSINES, SINES = np.cos(PHASES), np.sin(PHASES)
NUMBER = np.arange(COUNTS, dtype=np.float64)
DIAMETER_PX, DIAMETER_SIGMA = 0.91 * PITCH_PX, 0.08
# Share of the changes along a line that one distance between grooves explains: of rolls 0.41 and up, flat ones to 0.41.
LEAST_GROOVED, CLEARLY_GROOVED = 0.35, 0.55
SHORT_ROLL_PX = 30  # two or three grooves prove nothing
OVERSHOOT, ROLL_SIGMA = 0.55, 0.55  # checkers; measured: the last one's inner face shows as well
GROOVES_END = 0.5  # of their usual strength
# Likelihoods beside that of the best count: one checker on its edge that is taken for a bare end's wall, alike but of
# a colour unlike the floor's, and whatever else went wrong.
ONE_UNSEEN, ONE_LIKE_A_WALL, ANYTHING = 0.01, 0.3, 0.002
WALL_COLOUR = 9.0
SHADOW, LAYERED = 0.5, 0.2  # what has no grooves may be none; more may lie upon flat ones that show
MAX_SIDE_COLOUR_DISTANCE = 14.0  # weighted CIELAB; a side's edges in a tray differ less from its faces on the field
MAX_ODDS_ONE_SIDE, MAX_ODDS_BOTH_SIDES = 2.0, 5.0


@dataclass(frozen=True, slots=True, eq=False)
class SideAppearance:
    """Weighted CIELAB of the upper faces on the field; None where a side shows none."""

    light: NDArray[np.float64] | None
    dark: NDArray[np.float64] | None

    def compute_light_odds(self, colour: NDArray[np.float32]) -> float:
        """Log-odds that a checker of this colour is a light one; 0 where no colours are known."""
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
    """How far from where it lies a thing as high as a checker's diameter appears: outward from below the camera."""

    nadir_px: float  # row below the camera
    share: float  # true distance from there by seen distance

    def correct_row_px(self, row_px: float) -> float:
        return self.nadir_px + (row_px - self.nadir_px) * self.share


@dataclass(frozen=True, slots=True, eq=False)
class Floor:
    """What the free middle of a line shows."""

    colour: NDArray[np.float32]
    uneven: float  # nine of ten rows differ less from that colour
    restless: float  # mean change from row to row, over two rows

    @classmethod
    def of(cls, line: TrayLine) -> Self:
        rows = line[FLOOR_ROWS]
        colour = np.asarray(np.median(rows, axis=0), np.float32)
        return cls(
            colour,
            float(np.percentile(_compute_norms(rows - colour), 90)),
            float(_compute_norms(rows[2:] - rows[:-2]).mean()),
        )


def read_tray_line(line: TrayLine, looks: SideAppearance, height: HeightParallax) -> CountLikelihoods | None:
    """Of a whole tray, both its ends; None where the line is covered or what lies there is nowhere near an end."""
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
        table = _split_by_colour(counts, looks.compute_light_odds(_estimate_face_colour(end)))
        total = table if total is None else add_counts(total, table)
    return total


def _compute_norms(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(vectors, axis=1), np.float64)


def add_counts(first: CountLikelihoods, second: CountLikelihoods) -> CountLikelihoods:
    """Of the sum of two; more than fifteen of a side cannot be."""
    total = np.zeros((COUNTS, COUNTS))
    for light, dark in np.argwhere(first > 0):
        total[light:, dark:] += first[light, dark] * second[: COUNTS - light, : COUNTS - dark]
    return total


def _split_by_colour(counts: NDArray[np.float64], odds: float) -> CountLikelihoods:
    """(16,) likelihoods of so many of one side -> light or dark ones."""
    share = 1 / (1 + np.exp(-odds))
    table = np.zeros((COUNTS, COUNTS))
    table[1:, 0], table[0, 1:] = counts[1:] * share, counts[1:] * (1 - share)
    table[0, 0] = counts[0]
    return table


def _measure_covered_px(line: TrayLine, floor: Floor) -> int | None:
    """How far from the end something else than the floor shows; 0 where nothing does, None where it begins later."""
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
    """(16,) likelihoods of so many checkers, of whatever side, where something else than the floor shows."""
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
    """(16,) likelihoods of so many on their edges."""
    edge_px = height.correct_row_px(END_FROM_PX + _measure_grooved_px(end[:, 0], thickness_px))
    seen = (edge_px - MARGIN_PX) / (thickness_px * height.share) - OVERSHOOT
    return _gaussian(NUMBER - seen, ROLL_SIGMA)


def _score_without_grooves(length_px: int) -> NDArray[np.float64]:
    """(16,) likelihoods: flat ones, a roll out of focus, or a shadow."""
    row = length_px / DIAMETER_PX
    flat = _gaussian(NUMBER - row, 0.3 + DIAMETER_SIGMA * row)
    roll = _gaussian((NUMBER - length_px / MEAN_THICKNESS_PX) / (1.0 + 0.2 * NUMBER), 1.0)
    likely = np.maximum.reduce([flat, np.where(row < NUMBER, LAYERED, 0.0), roll / 2])
    likely[0] = SHADOW
    return np.asarray(likely, np.float64)


def _gaussian(off: NDArray[np.float64], sigma: float) -> NDArray[np.float64]:
    return np.asarray(np.exp(-0.5 * (off / sigma) ** 2), np.float64)


def _high_pass(lightness: NDArray[np.float32]) -> NDArray[np.float64]:
    """Without what changes slowly."""
    slow = cv2.blur(lightness.astype(np.float64).reshape(1, -1), (11, 1), borderType=cv2.BORDER_REPLICATE).ravel()
    changes = lightness - slow
    return np.asarray(changes - changes.mean(), np.float64)


def _find_groove_period(lightness: NDArray[np.float32]) -> tuple[float, float]:
    """The distance between grooves that explains most of the changes, and which share."""
    changes = _high_pass(lightness)
    strength = (COSINES[:, : len(changes)] @ changes) ** 2 + (SINES[:, : len(changes)] @ changes) ** 2
    explained = 2 * strength / len(changes) / max(float((changes**2).sum()), 1e-6)
    best = int(explained.argmax())
    return float(THICKNESS_PX[best]), float(explained[best])


def _measure_grooved_px(lightness: NDArray[np.float32], thickness_px: float) -> float:
    """How far the grooves go: a shadow behind the last checker has none."""
    turning = _high_pass(lightness) * np.exp(-2j * np.pi * np.arange(len(lightness)) / thickness_px)
    window = round(2 * thickness_px)
    strength = np.abs(np.convolve(turning, np.ones(window) / window, "same"))
    usual = float(np.median(strength[: max(window, len(strength) // 2)]))
    ended = np.flatnonzero(strength[window:] < GROOVES_END * usual)
    return float(window + ended[0]) if len(ended) else float(len(strength))
