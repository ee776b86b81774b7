"""Labels of dice on whole rendered boards, in rendered crops ("windows") around dice and in photographs.

Whether a throw counts follows from the labels of its dice, the first reason of `_REASONS` deciding; a die that leans by
3 to 5 degrees counts neither way.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from controller.rules import BadThrow
from vision.dice.readings import BoardHalf, DieState
from vision.geometry.projection import KnownBoard
from vision.training.rendered.dice_windows.styles import hue_deg, saturation
from vision.training.rendered.layout.palette import luma
from vision.training.rendered.tracing.arrays import vector
from vision.training.samples.rendered_crops import make_known_board, shift_board
from vision.training.samples.rendered_labels import read_truth

PointPx = tuple[float, float]
Json = Mapping[str, Any]

# The proposal network expects pictures larger than a crop, with dice away from their edges.
WINDOW_BORDER_PX = 96
SEEN_FROM = 0.6  # share of the upper face in view: a die that shows less is not scored
COCKED_FROM_DEG, SURELY_COCKED_DEG = 3.0, 5.0  # between these tilts a die counts neither way
SIDES_FROM_DEG = 10.0  # of tilt; from here on a side face shows as much as the upper face
CUBE_MM = 27.0  # when a label gives no size
DICE_OF_A_THROW = 2
NO_HAND, A_HAND = "hand: none", "hand: in view"  # groups; no throw is ruled on with a hand in view
TOUCHING_EDGES = 1.5  # between the middles of two dice; corner to corner they are 1.41 apart
_BRIGHTNESS = {"light": 0.45, "middle": 0.12, "dark": 0.0}  # least luma
_HUES_DEG = {"red": 20.0, "yellow": 75.0, "green": 175.0, "blue": 260.0, "violet": 340.0}  # largest hue
_COLOURED_FROM = 0.35  # least saturation
# The first reason that applies to any die is the reason of the throw.
_REASONS = {
    DieState.OFF_BOARD: BadThrow.OFF_BOARD,
    DieState.COCKED: BadThrow.COCKED,
    DieState.ON_CHECKER: BadThrow.ON_CHECKER,
    DieState.ON_BAR: BadThrow.ON_BAR,
    DieState.ON_RIM: BadThrow.ON_RIM,
}


class BadLabelError(ValueError):
    """A label that cannot be read. The text is one sentence: where it stands, and what to do."""


@dataclass(frozen=True, slots=True)
class DieLabel:
    """One die. `face` is the face nearest to upward. `places_px` are the middles of that face, of the die and, if it leans, of
    the visible sides: a reading near any of them belongs to this die.
    """

    face: int | None
    state: DieState
    places_px: tuple[PointPx, ...]
    size_px: float  # of an edge of the upper face
    tilt_deg: float = 0.0
    half: BoardHalf | None = None
    style: str = ""
    visible: float = 1.0  # of the upper face
    is_asked: bool = True  # plainly in view, so that it is scored
    quad_px: tuple[PointPx, ...] = ()  # corners of the upper face in order; empty when unlabelled

    @property
    def is_flat(self) -> bool:
        return self.state is DieState.FLAT

    @property
    def edge_px(self) -> float:
        """Approximate edge of the die: tilt shortens one edge of the upper face by its cosine and the other not at all."""
        return self.size_px / float(np.sqrt(np.cos(np.radians(self.tilt_deg))))

    @property
    def is_borderline(self) -> bool:
        """Whether the die is labelled cocked but leans so little that it counts neither way."""
        return self.state is DieState.COCKED and COCKED_FROM_DEG <= self.tilt_deg < SURELY_COCKED_DEG


@dataclass(frozen=True, slots=True)
class CubeLabel:
    """The doubling cube: its number, the middles of its upper face and of the cube, and its edge."""

    value: int
    places_px: tuple[PointPx, ...]
    size_px: float
    is_asked: bool = True


@dataclass(frozen=True, slots=True)
class ThrowLabel:
    """A throw of `expected` dice: its values, the higher first, or why it does not count."""

    expected: int
    values: tuple[int, ...] = ()
    reason: BadThrow | None = None
    touching: bool = False  # whether two dice of a valid throw touch
    least_px: float = float("inf")  # edge of the smallest die of a valid throw


@dataclass(frozen=True, slots=True, eq=False)
class DiceLabel:
    """The true dice of one picture. `groups` name the rows of the tables that count them; without `throw` none is judged."""

    image: Path
    board: KnownBoard | None
    dice: tuple[DieLabel, ...]
    cube: CubeLabel | None = None
    throw: ThrowLabel | None = None
    groups: tuple[str, ...] = ()
    border_px: int = 0  # the picture is extended by this on all sides, repeating its edge, before it is read


def throw_of(dice: Sequence[DieLabel], expected: int = DICE_OF_A_THROW) -> ThrowLabel | None:
    """The throw that these dice are; None when only borderline dice speak against it."""
    if len(dice) != expected:
        return ThrowLabel(expected, reason=BadThrow.MISSING_DIE if len(dice) < expected else BadThrow.EXTRA_DIE)
    states = {die.state for die in dice if not die.is_borderline}
    for state, reason in _REASONS.items():
        if state in states:
            return ThrowLabel(expected, reason=reason)
    if {BoardHalf.LEFT, BoardHalf.RIGHT} <= {die.half for die in dice}:
        return ThrowLabel(expected, reason=BadThrow.SPLIT)
    if any(die.is_borderline for die in dice):
        return None
    return ThrowLabel(
        expected,
        tuple(sorted((die.face or 0 for die in dice), reverse=True)),
        touching=any(_are_touching(one, other) for one, other in combinations(dice, 2)),
        least_px=min(die.size_px for die in dice),
    )


def _are_touching(one: DieLabel, other: DieLabel) -> bool:
    away_px = float(np.hypot(*np.subtract(one.places_px[0], other.places_px[0])))
    return away_px < TOUCHING_EDGES * max(one.size_px, other.size_px)


def rendered_labels(folder: Path) -> Iterator[DiceLabel]:
    """Labels of a folder's JSON files in order of name: whole boards, and each window of a file that has windows."""
    for file in sorted(folder.glob("*.json")):
        with label_in(str(file)):
            labels = list(_of_file(file))
        yield from labels


@contextmanager
def label_in(place: str) -> Iterator[None]:
    """Raises BadLabelError, which names the place, when the label inside cannot be read."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise BadLabelError(f"{place}: this is no label ({error!r}); correct it, or take it away") from error


def _of_file(file: Path) -> Iterator[DiceLabel]:
    content = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or "dice" not in content:
        return
    board = make_known_board(read_truth(file))
    if "windows" in content:
        yield from (_of_window(file, content, window, board) for window in content["windows"])
    else:
        yield _of_board(file, content, board)


def _of_board(file: Path, content: Json, board: KnownBoard) -> DiceLabel:
    piece = _Piece(0, 0, content["width"], content["height"])
    dice = [_die(die, piece) for die in content["dice"]]
    is_still = content["still"]
    return DiceLabel(
        image=file.with_name(content["image"]),
        board=board,
        dice=tuple(die for die in dice if piece.shows(np.array(die.quad_px))),
        cube=_cube(content["cube"], piece, board, is_asked=is_still),
        throw=throw_of(dice) if is_still else None,
        groups=_groups(content),
    )


def _of_window(file: Path, content: Json, window: Json, board: KnownBoard) -> DiceLabel:
    """Only the die that the window was cut for is scored, as others may be in several windows. All dice in it are its throw."""
    piece = _Piece(window["x"], window["y"], window["width"], window["height"], border_px=WINDOW_BORDER_PX)
    dice = {order: _die(content["dice"][order], piece) for order in window["dice"]}
    is_throw = bool(dice) and all(die.is_asked for die in dice.values())
    return DiceLabel(
        image=file.with_name(window["image"]),
        board=shift_board(board, piece.left_px - piece.border_px, piece.top_px - piece.border_px),
        dice=tuple(replace(die, is_asked=die.is_asked and order == window["die"]) for order, die in dice.items()),
        cube=_cube(content["cube"], piece, board, is_asked=window["about"] == "cube") if window["cube"] else None,
        throw=throw_of(list(dice.values()), len(dice)) if is_throw else None,
        groups=_groups(content),
        border_px=piece.border_px,
    )


def photograph_labels(folder: Path) -> Iterator[DiceLabel]:
    """Labels of `labels.jsonl`: dice without a board. A die of value 0 cannot be read and is not scored."""
    yield from labels_of_lines(folder, _of_photograph)


def labels_of_lines(folder: Path, label_of: Callable[[Path, Json], DiceLabel | None]) -> Iterator[DiceLabel]:
    """The labels that `label_of` makes from the lines of the folder's `labels.jsonl`, without None."""
    file = folder / "labels.jsonl"
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines() if file.is_file() else (), start=1):
        with label_in(f"{file}, line {number}"):
            label = label_of(folder, json.loads(line))
        if label is not None:
            yield label


def _of_photograph(folder: Path, content: Json) -> DiceLabel:
    dice = [
        DieLabel(
            face=die["value"] or None,
            state=DieState(die["state"]),
            places_px=((die["x"], die["y"]),),
            size_px=die["size"],
            style=f"{die['die']}, {die['pip']} pips",
            is_asked=die["value"] > 0,
        )
        for die in content["dice"]
    ]
    return DiceLabel(folder / content["image"], None, tuple(dice), groups=(f"view: {content['view']}",))


@dataclass(frozen=True, slots=True)
class _Piece:
    """The part of a labelled picture that is read."""

    left_px: int
    top_px: int
    width_px: int
    height_px: int
    border_px: int = 0

    def of_picture(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """(n, 2) of the picture -> (n, 2) of the piece."""
        return np.asarray(points_px, np.float64).reshape(-1, 2) - (self.left_px, self.top_px) + self.border_px

    def holds(self, points_px: NDArray[np.float64]) -> bool:
        """Whether all points (n, 2) lie inside."""
        return bool(self._held(points_px).all())

    def shows(self, points_px: NDArray[np.float64]) -> bool:
        """Whether any point (n, 2) lies inside: a die that is cut off by the edge can be seen but is not scored."""
        return bool(self._held(points_px).any())

    def _held(self, points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        inside = points_px - self.border_px
        return np.asarray(((inside >= 0) & (inside <= (self.width_px - 1, self.height_px - 1))).all(axis=1))


def _groups(content: Json) -> tuple[str, ...]:
    tags = content.get("tags", {})
    names = {"lamp": "light", "field": "field"}
    found = (f"{name}: {tags[key]}" for name, key in names.items() if key in tags)
    if "still" not in content:  # a window has no label for hands
        return tuple(found)
    return (*found, NO_HAND if content["still"] else A_HAND)


def _die(entry: Json, piece: _Piece) -> DieLabel:
    quad = piece.of_picture(entry["quad_px"])
    return DieLabel(
        face=entry["up_face"],
        state=DieState(entry["state"]),
        places_px=with_sides(_places(entry, piece), quad, entry["tilt_deg"]),
        size_px=mean_edge(quad),
        tilt_deg=entry["tilt_deg"],
        half=None if entry["half"] is None else BoardHalf(entry["half"]),
        style=_style(entry),
        visible=entry["visible"],
        is_asked=piece.holds(quad) and entry["visible"] >= SEEN_FROM,
        quad_px=tuple((float(x), float(y)) for x, y in quad),
    )


def _style(entry: Json) -> str:
    """The style; dice of windows have any colour, so it includes the colour."""
    if "look" not in entry:
        return str(entry["style"])
    colour = vector(entry["look"]["body"])
    brightness = next(word for word, least in _BRIGHTNESS.items() if luma(colour) >= least)
    hue = next((word for word, most in _HUES_DEG.items() if hue_deg(colour) <= most), "red")
    return f"{entry['style']}, {brightness} {hue if saturation(colour) >= _COLOURED_FROM else 'grey'}"


def _cube(entry: Json | None, piece: _Piece, board: KnownBoard, *, is_asked: bool) -> CubeLabel | None:
    """The cube; it is scored when all of it lies in the piece."""
    if entry is None:
        return None
    x, y = entry["centre_px"]
    beside = board.projection.to_board([(x, y), (x + 1, y)])
    edge_px = entry.get("size_mm", CUBE_MM) / float(np.linalg.norm(beside[1] - beside[0]))
    around = piece.of_picture([(x - edge_px / 2, y - edge_px / 2), (x + edge_px / 2, y + edge_px / 2)])
    return CubeLabel(entry["value"], _places(entry, piece), edge_px, is_asked=is_asked and piece.holds(around))


def _places(entry: Json, piece: _Piece) -> tuple[PointPx, ...]:
    """The middles of the upper face and of the whole; some labels of cubes have only the second."""
    points = piece.of_picture([entry[key] for key in ("top_centre_px", "centre_px") if key in entry])
    return tuple((float(x), float(y)) for x, y in points)


def with_sides(places_px: tuple[PointPx, ...], quad_px: NDArray[np.float64], tilt_deg: float) -> tuple[PointPx, ...]:
    """Adds the middles of the visible sides of a die that leans to those of its upper face and of the die.

    The view is taken as from far away: a side is as far from the middle of the die as the edge that it shares with the upper
    face is from the middle of that face. `quad_px` (4, 2) are the corners of the upper face in order.
    """
    if len(places_px) < 2 or tilt_deg < SIDES_FROM_DEG:
        return places_px
    upper, middle = np.asarray(places_px)
    upper_way = _way_round(quad_px)
    sides = [
        (middle + (one + other) / 2 - upper).tolist()
        for one, other in zip(quad_px, np.roll(quad_px, -1, axis=0), strict=True)
        if _way_round(np.array([other, one, one + 2 * (middle - upper)])) == upper_way
    ]
    return (*places_px, *((x, y) for x, y in sides))


def _way_round(corners_px: NDArray[np.float64]) -> float:
    """Orientation of the corners, 1 or -1; it is reversed for a face seen from behind, and 0 for a face seen edge on."""
    return float(np.sign(cv2.contourArea(corners_px.astype(np.float32), oriented=True)))


def mean_edge(quad: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())
