"""Compares readings of boards with their labels and counts."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.board_labels import BoardLabel, PlaceLabel, turned_names
from vision.board.board_reading import BoardReading, PairGuess
from vision.places import Colour

SURE, HIGH = 0.99, 0.9
# Lower ends of the bins of confidence.
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
FOUND_SHARE = 0.03  # of the width: corners further off do not count as found


@dataclass(frozen=True, slots=True)
class PlaceScore:
    """The reading of one point in one picture, beside its label."""

    name: str
    label: PlaceLabel
    answer: tuple[str, int]
    confidence: float

    @property
    def is_right(self) -> bool:
        return self.answer == self.label.answer

    @property
    def is_colour_right(self) -> bool:
        return self.answer[0] == self.label.answer[0]


@dataclass(frozen=True, slots=True)
class PictureScore:
    """The reading of one picture; `places` holds only the points that its label gives."""

    name: str
    groups: tuple[str, ...]
    places: tuple[PlaceScore, ...] = ()
    bar_is_right: bool | None = None  # None: not to be scored
    bar_confidence: float = 0.0
    error: str = ""  # why it was not read

    @property
    def scored(self) -> list[PlaceScore]:
        """The places that are not hidden and hold a single layer."""
        return [place for place in self.places if place.label.is_seen and place.label.is_single_layer]

    @property
    def wrong(self) -> list[str]:
        """A phrase for each scored place that is wrong."""
        wrong = [
            f"{place.name} {_shown(place.answer)} for {_shown(place.label.answer)} ({place.confidence:.2f})"
            for place in self.scored
            if not place.is_right
        ]
        return [*wrong, "bar"] if self.bar_is_right is False else wrong

    @property
    def is_whole_right(self) -> bool:
        return not self.error and not self.wrong


def _shown(answer: tuple[str, int]) -> str:
    return answer[0] if answer[0] in ("none", "unknown") else f"{answer[0][0].upper()}{answer[1]}"


def picture_score(label: BoardLabel, reading: BoardReading, *, half_turned: bool = False) -> PictureScore:
    points = turned_names(label.points) if half_turned else label.points
    places = []
    for place, seen in reading.points():
        if place.value in points:
            guess = seen.best()
            answer = (guess.colour.value, guess.count)
            places.append(PlaceScore(place.value, points[place.value], answer, guess.confidence))
    bar = PairGuess(0, 0, 1.0) if reading.bar is None else reading.bar.best()
    is_right = None if label.bar is None else (bar.light, bar.dark) == label.bar
    return PictureScore(label.image.name, label.groups, tuple(places), is_right, bar.confidence)


def unread(label: BoardLabel, error: str) -> PictureScore:
    """The score of a picture that could not be read: every labelled place is wrong."""
    places = tuple(PlaceScore(name, place, ("unread", 0), 0.0) for name, place in label.points.items())
    return PictureScore(label.image.name, label.groups, places, None if label.bar is None else False, 0.0, error)


@dataclass(frozen=True, slots=True)
class CornerScore:
    """Errors of the corners that were found, as shares of the field's width; None where none were found."""

    name: str
    groups: tuple[str, ...]
    mean_share: float | None
    worst_share: float | None
    way: str = ""
    half_turned: bool = False
    reason: str = ""

    @property
    def is_found(self) -> bool:
        return self.mean_share is not None and self.mean_share <= FOUND_SHARE


def corner_score(label: BoardLabel, corners_px: NDArray[np.float64], way: str) -> CornerScore:
    """Compares the corners with the label. Both orders with the bar upright are right; the better one counts."""
    errors = [np.linalg.norm(np.roll(label.corners_px, turn, axis=0) - corners_px, axis=1) for turn in (0, 2)]
    half_turned = bool(errors[1].mean() < errors[0].mean())
    shares = errors[half_turned] / label.width_px
    return CornerScore(label.image.name, label.groups, float(shares.mean()), float(shares.max()), way, half_turned)


@dataclass(slots=True)
class Reliability:
    """Counts of places and of right places by bin of confidence: a confidence should equal the share that is right."""

    count: list[int] = field(default_factory=lambda: [0] * len(BINS))
    right: list[int] = field(default_factory=lambda: [0] * len(BINS))

    def add(self, places: Iterable[PlaceScore]) -> None:
        for place in places:
            index = int(np.searchsorted(BINS, place.confidence, side="right")) - 1
            self.count[index] += 1
            self.right[index] += place.is_right

    @property
    def rows(self) -> Iterator[list[str]]:
        for index, low in enumerate(BINS):
            high = BINS[index + 1] if index + 1 < len(BINS) else 1.0
            yield [f"{low:g} to {high:g}", str(self.count[index]), ratio(self.right[index], self.count[index])]


def by_group(scores: Iterable[PictureScore]) -> dict[str, list[PictureScore]]:
    groups: dict[str, list[PictureScore]] = {}
    for score in scores:
        for group in dict.fromkeys(score.groups):
            groups.setdefault(group, []).append(score)
    return dict(sorted(groups.items()))


def ratio(part: int, whole: int, digits: int = 2) -> str:
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"


def place_row(scores: list[PictureScore]) -> list[str]:
    """The cells under PLACE_COLUMNS."""
    places = [place for score in scores for place in score.scored]
    bars = [score.bar_is_right for score in scores if score.bar_is_right is not None]
    everything = [place for score in scores for place in score.places]
    flat = [score for score in scores if len(score.scored) == len(score.places)]
    return [
        str(len(scores)),
        str(len(places)),
        ratio(sum(place.is_right for place in places), len(places)),
        ratio(sum(place.is_colour_right for place in places), len(places)),
        ratio(sum(bars), len(bars)),
        ratio(sum(score.is_whole_right for score in scores), len(scores), 1),
        f"{ratio(sum(score.is_whole_right for score in flat), len(flat), 1)} of {len(flat)}",
        ratio(sum(place.is_right for place in everything), len(everything)),
    ]


PLACE_COLUMNS = ("pictures", "places", "right", "colour", "bar", "whole", "whole, simple ones", "all places")


def hidden_row(scores: Iterable[PictureScore]) -> list[str]:
    """Counts covered places, and how many of these were answered with high confidence all the same."""
    hidden = [place for score in scores for place in score.places if place.label.is_hidden]
    bold = [place for place in hidden if place.answer[0] != Colour.UNKNOWN.value and place.confidence > HIGH]
    unknown = sum(place.answer[0] == Colour.UNKNOWN.value for place in hidden)
    return [str(len(hidden)), f"{len(bold)} = {ratio(len(bold), len(hidden))}", ratio(unknown, len(hidden))]


def sure_row(scores: Iterable[PictureScore]) -> list[str]:
    """Counts visible places of any layer, the share that is sure, and how many of the sure ones are right."""
    seen = [place for score in scores for place in score.places if place.label.is_seen]
    sure = [place for place in seen if place.confidence >= SURE]
    called_unknown = sum(place.answer[0] == Colour.UNKNOWN.value for place in seen)
    right = sum(place.is_right for place in sure)
    return [
        str(len(seen)),
        ratio(len(sure), len(seen)),
        f"{ratio(right, len(sure), 3)} ({len(sure) - right} wrong)",
        ratio(called_unknown, len(seen)),
    ]


def corner_row(scores: list[CornerScore]) -> list[str]:
    """The cells under CORNER_COLUMNS; the quantiles are over pictures whose corners were found."""
    found = [score.mean_share for score in scores if score.is_found and score.mean_share is not None]
    worst = [score.worst_share for score in scores if score.is_found and score.worst_share is not None]
    false = sum(score.mean_share is not None and not score.is_found for score in scores)
    if not found:
        return [str(len(scores)), ratio(0, len(scores), 1), str(false), *["-"] * 6]
    return [
        str(len(scores)),
        ratio(len(found), len(scores), 1),
        str(false),
        *(f"{100 * np.quantile(found, share):.2f} %" for share in (0.5, 0.95)),
        *(f"{100 * np.quantile(worst, share):.2f} %" for share in (0.5, 0.95)),
        ratio(sum(share <= 0.005 for share in found), len(scores), 1),
        ratio(sum(share <= 0.01 for share in found), len(scores), 1),
    ]


CORNER_COLUMNS = (*("pictures", "found", "elsewhere", "median", "95 %", "worst corner", "95 %", "<= 0.5 %", "<= 1 %"),)


def table(title: str, columns: Iterable[str], rows: Mapping[str, list[str]] | Iterable[list[str]]) -> Iterator[str]:
    """The lines of a plain table; the keys of a mapping become its first column."""
    named = [[key, *row] for key, row in rows.items()] if isinstance(rows, Mapping) else [list(row) for row in rows]
    head = ["", *columns] if isinstance(rows, Mapping) else list(columns)
    widths = [max(len(line[index]) for line in (head, *named)) for index in range(len(head))]
    yield ""
    yield title
    for line in (head, *named):
        first, *others = (
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        yield "  ".join(("  " + first, *others)).rstrip()
