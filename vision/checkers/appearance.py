"""Learns what one board looks like, from places whose contents are known, and applies it to later readings.

The checker network reads a place by its last layer: logits = W h + b, with the features h of the place. On a board that
training never saw, h is often clear enough while W is slightly wrong: a painted arch resembles a checker. The model
learned here is a change of that last layer for this one board, with few degrees of freedom: how much more likely a
place is empty, which side is the light one, and whether rows look longer or shorter than they are, each as a linear
function of the features. One scale of all logits makes the reader as sure on this board as it is right: it is fitted to
the known places, each read as if it had not been taught. Besides, a bar that looks hidden while all points around it are in full view (felt on it) becomes
more visible: else a hand seems to lie there for ever. A hidden point teaches nothing, because a hand may cover it.

The fit is a maximum-posterior fit of a multinomial logistic regression with a Gaussian prior (Bishop, "Pattern
Recognition and Machine Learning", 2006, section 4.5) by Newton's method. Without evidence it changes nothing. A later
fit starts from the change so far and is held by two springs: to the change so far, so that one picture moves it little,
and to the first fit, so that it cannot drift away.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.checkers.colour_classes import fuse_face_counts
from vision.checkers.network import CLASSES, COUNTS, FEATURES, PLACES, ViewReading
from vision.geometry.calibration import Appearance
from vision.pixels.inference import identify_network
from vision.places import POINTS, Colour, Place

Floats = NDArray[np.float64]

NETWORK = "checkers"
# Rows of the change: what the logits of the classes gain for each unit of a row's linear function.
EMPTY, SIDE, COUNT = range(3)
ROWS = 3
MEAN_COUNT, COUNT_SCALE = 3, 3  # a row of three gains nothing by COUNT, one of six a whole unit
LARGEST_COUNT_STEP = 3.0
# Columns of the linear functions: the features of the network with norm 1, then what is known of a place without them.
CLASS_OF_POINT, NEAR_ROW, FIRST_PLACE = (FEATURES + number for number in (1, 2, 3))  # after a constant
INPUTS = FIRST_PLACE + PLACES

# Standard deviations of the prior, in logits: of each row for a place without other evidence, and of each group of
# columns. Knobs, chosen on the development set of photographs; the result changes little within a factor of two. The sides
# are held closer than emptiness: how light a checker looks belongs to one picture more than to the board.
ROW_SPREAD = np.array((1.5, 0.75, 0.5))
FEATURE_SPREAD, PLACE_SPREAD = 5.5, 1.0
VISIBLE_SPREAD = 4.0  # of the log-odds that the bar is visible; knob, more makes more bars visible
# Weight of the change so far and of the first fit against one further picture, in units of the prior's precision.
HOLD_LAST, HOLD_FIRST = 8.0, 1.0
SCALE_SPREAD = 0.3  # of the logarithm of the scale of the logits; knob, more trusts the known places more
MOST_LOG_SCALE = 4 * SCALE_SPREAD  # a bound of the search, which the prior keeps the result far from
NEWTON_STEPS, SMALLEST_STEP, SMALLEST_P = 20, 1e-3, 1e-6
LEAST_VISIBLE = 0.8  # of the network; a hand may cover a place below it


@dataclass(frozen=True, slots=True, eq=False)
class KnownPlaces:
    """Places of one picture whose contents are known, as the network saw them."""

    reading: ViewReading  # as `read_view` returns it
    contents: Mapping[int, int]  # place 0 to 23 -> class: 0 none, light 1 to 15, dark 16 to 30


def class_of(colour: Colour, count: int) -> int:
    """The class of the network for the contents of a point."""
    return 0 if count == 0 else count + (COUNTS - 1 if colour is Colour.DARK else 0)


def list_contents(occupancy: Mapping[Place, tuple[Colour, int]]) -> dict[int, int]:
    """The classes of the points; one that `occupancy` lacks is empty, one with both colours has no class and is left out."""
    stacks = {index: occupancy.get(place, (Colour.NONE, 0)) for index, place in enumerate(POINTS)}
    return {index: class_of(*stack) for index, stack in stacks.items() if stack[0] is not Colour.BOTH}


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    """The numbers of an appearance."""

    points: Floats  # (ROWS, INPUTS), of the last layer for points
    bar_visible: float  # of the log-odds that the bar is visible
    log_scale: float  # of all corrected logits

    def encode(self) -> bytes:
        return bytes(np.append(self.points.ravel(), (self.bar_visible, self.log_scale)).astype("<f2").tobytes())


NUMBERS = ROWS * INPUTS + 2


def apply_appearance(reading: ViewReading, appearance: Appearance | None) -> ViewReading:
    """The reading with the changed last layer; unchanged without an appearance, or if another network learned it."""
    if appearance is None or reading.features is None or not is_of_this_network(appearance):
        return reading
    change = _decode_change(appearance.change)
    points = reading.points + _make_inputs(reading) @ change.points.T @ _class_steps()
    points = points - np.logaddexp.reduce(points, axis=1, keepdims=True)
    visible = reading.visible.copy()
    visible[PLACES] = 1 / (1 + np.exp(-_log_odds(float(visible[PLACES])) - change.bar_visible))
    return replace(reading, points=points.astype(np.float32), visible=visible)


def scale_confidence(reading: ViewReading, appearance: Appearance | None) -> ViewReading:
    """The reading with the confidence of this board; no place changes its likeliest content.

    It comes after all corrections of a reading, whose weights count on the network's own confidence.
    """
    if appearance is None or not is_of_this_network(appearance):
        return reading
    points = reading.points * math.exp(_decode_change(appearance.change).log_scale)
    return replace(reading, points=(points - np.logaddexp.reduce(points, axis=1, keepdims=True)).astype(np.float32))


def learn_appearance(*known: KnownPlaces) -> Appearance:
    """The first fit, from the known places that are in full view.

    Several pictures are of one still camera and repeat one another: a place weighs as much as in one picture.
    """
    fitted = _fit([_leave_out_hidden(each) for each in known], ((1.0, _Change(np.zeros((ROWS, INPUTS)), 0.0, 0.0)),))
    coded = replace(fitted, bar_visible=_fit_bar_visibility([each.reading.visible for each in known])).encode()
    return Appearance(identify_network(NETWORK), coded, coded, pictures=len(known))


def update_appearance(appearance: Appearance | None, known: KnownPlaces) -> Appearance | None:
    """The appearance after one more picture.

    Without an appearance, or with one of another network, this is the first fit. A picture without a known place in full
    view changes nothing.
    """
    seen = _leave_out_hidden(known)
    if not seen.contents:
        return appearance
    if appearance is None or not is_of_this_network(appearance):
        return learn_appearance(seen)
    last, first = _decode_change(appearance.change), _decode_change(appearance.first)
    fitted = _fit([seen], ((HOLD_LAST, last), (HOLD_FIRST, first)))
    return replace(appearance, change=fitted.encode(), pictures=appearance.pictures + 1)


def _leave_out_hidden(known: KnownPlaces) -> KnownPlaces:
    visible = known.reading.visible
    seen = {place: content for place, content in known.contents.items() if visible[place] >= LEAST_VISIBLE}
    return replace(known, contents=seen)


def rotate_appearance(appearance: Appearance) -> Appearance:
    """The appearance of the same board after half a turn of its coordinates: T1 becomes B12."""
    if not is_of_this_network(appearance):
        return appearance
    turned = []
    for coded in (appearance.change, appearance.first):
        change = _decode_change(coded)
        points = change.points.copy()
        points[:, NEAR_ROW] *= -1
        points[:, FIRST_PLACE:] = points[:, : FIRST_PLACE - 1 : -1]
        turned.append(replace(change, points=points).encode())
    return replace(appearance, change=turned[0], first=turned[1])


def is_of_this_network(appearance: Appearance) -> bool:
    """False for an appearance that was learned with other weights, whose features mean something else."""
    return appearance.network == identify_network(NETWORK)


def is_valid_change(change: bytes) -> bool:
    """Whether the bytes are finite numbers of the right count."""
    return len(change) == 2 * NUMBERS and bool(np.isfinite(np.frombuffer(change, "<f2")).all())


@lru_cache(maxsize=4)
def _decode_change(change: bytes) -> _Change:
    """The change, read-only."""
    values = np.frombuffer(change, "<f2").astype(np.float64)
    values.flags.writeable = False
    return _Change(values[:-2].reshape(ROWS, INPUTS), *values[-2:].tolist())


@lru_cache(maxsize=1)
def _class_steps() -> Floats:
    """(3, CLASSES): what each class gains for a unit of EMPTY, SIDE and COUNT."""
    sides = np.repeat((0, 1, -1), (1, COUNTS - 1, COUNTS - 1))
    counts = np.concatenate([[MEAN_COUNT], np.tile(np.arange(1, COUNTS), 2)])
    longer = np.minimum((counts - MEAN_COUNT) / COUNT_SCALE, LARGEST_COUNT_STEP)
    return np.asarray(np.stack([np.eye(CLASSES)[0], sides / 2, longer]), np.float64)


@lru_cache(maxsize=1)
def _prior_spreads() -> Floats:
    """(ROWS, INPUTS): standard deviations of the change; 0 where a row does not use an input."""
    columns = np.full(INPUTS, PLACE_SPREAD)
    columns[:FEATURES] = FEATURE_SPREAD
    spreads: Floats = ROW_SPREAD[:, None] * columns
    spreads[SIDE, CLASS_OF_POINT:] = 0  # the sides of checkers do not depend on the place
    spreads[COUNT, FIRST_PLACE:] = 0
    return spreads


def _make_inputs(reading: ViewReading) -> Floats:
    """(24, INPUTS). ValueError for a reading that lacks the features of the network."""
    features = reading.features
    if features is None:
        raise ValueError("the reading does not come from the network, so nothing can be learned from it")
    lengths = np.linalg.norm(features, axis=1, keepdims=True)
    return np.hstack([features / np.maximum(lengths, 1e-6), _inputs_of_places()])


@lru_cache(maxsize=1)
def _inputs_of_places() -> Floats:
    """(24, INPUTS - FEATURES): the constant, the class of a point, its row, and the place itself."""
    column, row = np.arange(PLACES) % 12, np.arange(PLACES) // 12
    return np.column_stack([np.ones(PLACES), 1 - 2.0 * ((column + row) % 2), 1 - 2.0 * row, np.eye(PLACES)])


def _log_odds(visible: float) -> float:
    chance = min(max(visible, SMALLEST_P), 1 - SMALLEST_P)
    return math.log(chance / (1 - chance))


def _fit_bar_visibility(visible: Sequence[NDArray[np.float32]]) -> float:
    """The maximum-posterior change of the bar's log-odds, by bisection of the slope; 0 unless all points are in view."""
    bar = [float(each[PLACES]) for each in visible if each[:PLACES].min() >= LEAST_VISIBLE]
    if not bar:
        return 0.0
    odds, low, high = _log_odds(sum(bar) / len(bar)), 0.0, VISIBLE_SPREAD**2
    for _ in range(30):
        middle = (low + high) / 2
        is_short = VISIBLE_SPREAD**2 / (1 + math.exp(odds + middle)) > middle
        low, high = (middle, high) if is_short else (low, middle)
    return low


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """The regression for n places, with the change in units of its prior's standard deviations."""

    inputs: Floats  # (n, INPUTS)
    logits: Floats  # (n, CLASSES), of the network and the faces that it sees
    places: NDArray[np.int64]  # (n,), 0 to 23; several pictures show a place several times
    classes: NDArray[np.int64]  # (n,)
    weights: Floats  # (n,), of the evidence of each place
    springs: tuple[tuple[float, Floats], ...]  # a precision, and the change (in standard deviations) it pulls to

    def evaluate(self, change: Floats) -> tuple[float, Floats]:
        """The negative log-posterior, and the probabilities (n, CLASSES)."""
        logits = self.logits + self.inputs @ (change * _prior_spreads()).T @ _class_steps()
        total = np.logaddexp.reduce(logits, axis=1)
        misfit = float(self.weights @ (total - logits[np.arange(len(logits)), self.classes]))
        misfit += sum(weight / 2 * float(np.square(change - goal).sum()) for weight, goal in self.springs)
        return misfit, np.exp(logits - total[:, None])

    def compute_step(self, change: Floats, chance: Floats) -> Floats:
        """Newton's step (ROWS, INPUTS). The curvature has the rank of the evidence, so that the matrix identity of
        Woodbury leaves a system of ROWS equations for each place.
        """
        slopes, curves = self._derive(chance)
        gradient = (_prior_spreads() * (slopes.T @ self.inputs)).ravel()
        gradient += sum(weight * (change - goal).ravel() for weight, goal in self.springs)
        low_rank = self._spread(_roots(curves))
        system = self._stiffness * np.eye(len(low_rank)) + low_rank @ low_rank.T
        step = low_rank.T @ np.linalg.solve(system, low_rank @ gradient) - gradient
        return np.asarray(step / self._stiffness).reshape(ROWS, INPUTS)

    def leave_each_out(self, change: Floats, chance: Floats) -> Floats:
        """(n, CLASSES): the logits of each place without its own evidence, by a Newton step from the fit of all.

        Approximate leave-one-out cross-validation, after Rad and Maleki, "A scalable estimate of the out-of-sample
        prediction error via approximate leave-one-out cross-validation", 2020.
        """
        slopes, curves = self._derive(chance)
        low_rank, rows = self._spread(_roots(curves)), self._spread(np.tile(np.eye(ROWS), (len(slopes), 1, 1)))
        system = self._stiffness * np.eye(len(low_rank)) + low_rank @ low_rank.T
        between = low_rank @ rows.T
        covariance = (rows @ rows.T - between.T @ np.linalg.solve(system, between)) / self._stiffness
        functions = self.inputs @ (change * _prior_spreads()).T
        bent = np.zeros_like(covariance)  # the curvature of each place's evidence as a block
        for number, curve in enumerate(curves):
            block = slice(number * ROWS, (number + 1) * ROWS)
            bent[block, block] = curve
        for place in np.unique(self.places):
            own = np.repeat(self.places == place, ROWS)
            here = covariance[np.ix_(own, own)]
            left = np.eye(len(here)) - here @ bent[np.ix_(own, own)]
            functions.reshape(-1)[own] += np.linalg.solve(left, here @ slopes.reshape(-1)[own])
        return np.asarray(self.logits + functions @ _class_steps())

    @property
    def _stiffness(self) -> float:
        return sum(weight for weight, _ in self.springs)

    def _derive(self, chance: Floats) -> tuple[Floats, Floats]:
        """The slope (n, ROWS) and curvature (n, ROWS, ROWS) of each place's misfit by its linear functions."""
        steps, weights = _class_steps(), self.weights[:, None]
        mean = chance @ steps.T
        curves = (chance[:, None] * steps) @ steps.T - mean[:, :, None] * mean[:, None]
        return weights * (mean - steps[:, self.classes].T), weights[..., None] * curves

    def _spread(self, rows: Floats) -> Floats:
        """(n * ROWS, ROWS * INPUTS): rows (n, ROWS, ROWS) of linear functions as rows of the change."""
        scaled = _prior_spreads() * self.inputs[:, None]  # (n, ROWS, INPUTS)
        return np.asarray((rows[..., None] * scaled[:, None]).reshape(-1, ROWS * INPUTS))


def _roots(curves: Floats) -> Floats:
    """(n, ROWS, ROWS): R with R^T R = curves, which are positive semidefinite."""
    values, vectors = np.linalg.eigh(curves)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0))[:, None]).transpose(0, 2, 1))


def _fit(known: Sequence[KnownPlaces], springs: tuple[tuple[float, _Change], ...]) -> _Change:
    """The maximum-posterior change. Each spring is a precision, in units of the prior's, and a change to be held by.

    The visibility of the bar is that of the first spring.
    """
    spreads = _prior_spreads()
    scale = np.where(spreads > 0, spreads, 1.0)
    places = [np.array(sorted(each.contents), np.int64) for each in known]
    classes = [content for each in known for _, content in sorted(each.contents.items())]
    times_seen = np.bincount(np.concatenate(places), minlength=PLACES)
    problem = _Problem(
        inputs=np.vstack([_make_inputs(each.reading)[own] for each, own in zip(known, places, strict=True)]),
        logits=np.vstack(
            [fuse_face_counts(each.reading).points[own] for each, own in zip(known, places, strict=True)]
        ).astype(float),
        places=np.concatenate(places),
        classes=np.array(classes, np.int64),
        weights=1 / times_seen[np.concatenate(places)],
        springs=tuple((weight, goal.points / scale) for weight, goal in springs),
    )
    change = problem.springs[0][1]
    misfit, chance = problem.evaluate(change)
    for _ in range(NEWTON_STEPS):
        step = problem.compute_step(change, chance)
        while True:  # the misfit is convex, so that a short enough step reduces it
            tried, tried_chance = problem.evaluate(change + step)
            if tried <= misfit or np.abs(step).max() < SMALLEST_STEP:
                break
            step = step / 2
        change, misfit, chance = change + step, tried, tried_chance
        if np.abs(step).max() < SMALLEST_STEP:
            break
    return _Change(change * spreads, springs[0][1].bar_visible, _fit_log_scale(problem, change, chance, springs))


def _fit_log_scale(
    problem: _Problem, change: Floats, chance: Floats, springs: tuple[tuple[float, _Change], ...]
) -> float:
    """The maximum-posterior logarithm of the scale of the held-out logits, by bisection of the slope."""
    logits = problem.leave_each_out(change, chance)
    own = logits[np.arange(len(logits)), problem.classes]

    def slope(log_scale: float) -> float:
        scaled = math.exp(log_scale) * logits
        mean = (np.exp(scaled - np.logaddexp.reduce(scaled, axis=1, keepdims=True)) * logits).sum(axis=1)
        evidence = math.exp(log_scale) * float(problem.weights @ (own - mean))
        return evidence - sum(weight * (log_scale - goal.log_scale) for weight, goal in springs) / SCALE_SPREAD**2

    low, high = -MOST_LOG_SCALE, MOST_LOG_SCALE
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return low
