"""The exact places of a position's checkers: rows from the rim, layers above, leaning rows.

Within a point `across` runs sideways from its middle line and `along` from the rim towards the middle of the board.
"""

from dataclasses import dataclass, replace

import numpy as np

from vision.simulated.scene import CheckerSide
from vision.training.rendered.layout.board_size import BoardSize
from vision.training.rendered.layout.positions import CheckerPosition
from vision.training.rendered.random_draws import draw_bool, draw_normal, draw_uniform
from vision.training.rendered.tracing.arrays import Floats, Vector

UPRIGHT: Vector = (0.0, 0.0, 1.0)
_LONGEST_ROW = 6  # people start a second layer at the sixth or seventh checker
LEANING = 0.35  # share of the slightly longer rows that lean


@dataclass(frozen=True, slots=True)
class PlacedChecker:
    """A checker in the world frame."""

    side: CheckerSide
    place: str  # a point, "bar" or "off"
    layer: int  # 0 lies on the surface, 1 on top of another
    is_leaning: bool
    base_mm: Vector  # the middle of its underside
    axis: Vector  # from the underside to the upper face
    spin_rad: float = 0.0

    @property
    def is_on_point(self) -> bool:
        return self.place not in ("bar", "off")


@dataclass(frozen=True, slots=True)
class _RowSpot:
    across: float
    along: float
    height: float
    tilt_rad: float = 0.0
    layer: int = 0


@dataclass(frozen=True, slots=True)
class _Pitch:
    """How the checkers of one point may lie."""

    diameter: float
    thickness: float
    room: float  # from the rim to the middle of the board
    longest_row: int
    untidiness: float
    scatter: float
    drift: float

    def across(self, rng: np.random.Generator) -> float:
        limit = self.diameter * 0.12
        return float(np.clip(rng.normal(0, self.scatter) + self.drift, -limit, limit))


def lay_out_points(
    rng: np.random.Generator, size: BoardSize, position: CheckerPosition, untidiness: float, *, leaning: float
) -> list[PlacedChecker]:
    """All checkers on points; the bottom layer has no overlaps. `leaning` is the share of long rows that lean."""
    placed: list[PlacedChecker] = []
    for place in position.points:
        placed += _lay_on_point(rng, size, position, place, untidiness, leaning=leaning)
    return _push_apart(size, placed)


def _lay_on_point(
    rng: np.random.Generator,
    size: BoardSize,
    position: CheckerPosition,
    place: str,
    untidiness: float,
    *,
    leaning: float,
) -> list[PlacedChecker]:
    side, count = position.points[place]
    room, diameter = size.field_height_mm / 2 - 2, size.checker_mm
    pitch = _Pitch(
        diameter=diameter,
        thickness=size.checker_thick_mm,
        room=room,
        longest_row=min(int((room + 0.12 * diameter) // (diameter + 0.8)), _LONGEST_ROW),
        untidiness=untidiness,
        scatter=min(0.35 + untidiness * 2.2, (size.pitch_mm - diameter) * 0.5 + 0.3 + untidiness),
        drift=draw_normal(rng, 0.4 + untidiness),
    )
    is_leaning = pitch.longest_row < count <= pitch.longest_row + 3 and draw_bool(rng, leaning)
    spots = (_lay_leaning_row if is_leaning else _lay_layers)(rng, pitch, count)
    x = size.centres_mm[int(place[1:]) - 1] - size.field_width_mm / 2
    up = -1 if place[0] == "T" else 1
    rim = -up * size.field_height_mm / 2
    return [
        PlacedChecker(
            side=side,
            place=place,
            layer=spot.layer,
            is_leaning=spot.tilt_rad > 0,
            base_mm=(x + spot.across, rim + up * spot.along, spot.height),
            axis=(0.0, -up * float(np.sin(spot.tilt_rad)), float(np.cos(spot.tilt_rad))),
        )
        for spot in spots
    ]


def _lay_leaning_row(rng: np.random.Generator, pitch: _Pitch, count: int) -> list[_RowSpot]:
    """The first checker lies flat at the rim; each further one leans on its predecessor."""
    step = (pitch.room - pitch.diameter) / (count - 1)
    full_tilt = float(np.arcsin(min(pitch.thickness / step * 1.02, 0.5)))
    along = pitch.diameter / 2 + draw_uniform(rng, 0, 1)
    spots = []
    for order in range(count):
        tilt = (0.0, 0.8 * full_tilt)[order] if order < 2 else full_tilt
        spots.append(_RowSpot(pitch.across(rng) * 0.6, along, pitch.diameter / 2 * float(np.sin(tilt)), tilt))
        along += step if order else step + pitch.diameter * (1 - float(np.cos(full_tilt))) * 0.3
    return spots


def _lay_layers(rng: np.random.Generator, pitch: _Pitch, count: int) -> list[_RowSpot]:
    row = _lay_first_row(rng, pitch, min(count, pitch.longest_row))
    spots = list(row)
    while len(spots) < count:
        row = _lay_row_above(rng, pitch, row, min(count - len(spots), len(row)))
        spots += row
    return spots


def _lay_first_row(rng: np.random.Generator, pitch: _Pitch, count: int) -> list[_RowSpot]:
    """From the rim to the middle, each touching its predecessor or nearly so."""
    slack = max(0.0, pitch.room - count * pitch.diameter - 0.5)
    along = pitch.diameter / 2 + abs(draw_normal(rng, 0.3 + pitch.untidiness))
    spots: list[_RowSpot] = []
    for _ in range(count):
        across = pitch.across(rng)
        if spots:
            sideways = across - spots[-1].across
            gap = min(abs(draw_normal(rng, 0.25 + 1.2 * pitch.untidiness)), slack / count)
            along += float(np.sqrt(max(pitch.diameter**2 - sideways**2, 0))) + 0.05 + gap
        spots.append(_RowSpot(across, along, 0.0))
    return spots


def _lay_row_above(rng: np.random.Generator, pitch: _Pitch, below: list[_RowSpot], count: int) -> list[_RowSpot]:
    """On the row below, checker on checker or over the gaps; neither beyond the middle nor into the rim."""
    is_over_gaps = draw_bool(rng, 0.35) and count < len(below)
    row: list[_RowSpot] = []
    for spot in below[:count]:
        along = spot.along + (pitch.diameter * 0.5 if is_over_gaps else 0) + draw_normal(rng, 0.6 + pitch.untidiness)
        if row:
            along = row[-1].along + max(abs(along - row[-1].along), pitch.diameter + 0.3)
        across = spot.across + draw_normal(rng, 0.8 + pitch.untidiness)
        row.append(_RowSpot(across, along, (spot.layer + 1) * pitch.thickness, layer=spot.layer + 1))
    beyond = max(0.0, row[-1].along + pitch.diameter / 2 - (pitch.room + 6))
    into_rim = max(0.0, pitch.diameter / 2 - (row[0].along - beyond))
    return [replace(spot, along=spot.along - beyond + into_rim) for spot in row]


def _push_apart(size: BoardSize, placed: list[PlacedChecker]) -> list[PlacedChecker]:
    """Pushes flat checkers of the bottom layer sideways until none overlaps; walls and bar hold them."""
    moved = [index for index, one in enumerate(placed) if one.layer == 0 and not one.is_leaning]
    centres = np.array([placed[index].base_mm[:2] for index in moved]).reshape(-1, 2)
    reach = size.checker_mm / 2 + 0.02
    inner, outer = size.bar_width_mm / 2 + reach, size.field_width_mm / 2 - reach
    is_left = centres[:, 0] < 0
    low, high = np.where(is_left, -outer, inner), np.where(is_left, -inner, outer)
    far = size.field_height_mm / 2 - reach
    for _ in range(60):
        push = _compute_push(centres, size.checker_mm)
        centres[:, 0] = np.clip(centres[:, 0] + push[:, 0], low, high)
        centres[:, 1] = np.clip(centres[:, 1] + push[:, 1], -far, far)
        if not push.any():
            break
    result = list(placed)
    for index, centre in zip(moved, centres.tolist(), strict=True):
        result[index] = replace(placed[index], base_mm=(centre[0], centre[1], 0.0))
    return result


def _compute_push(centres: Floats, diameter: float) -> Floats:
    """(n, 2): half of each overlap, away from the neighbour, summed over the neighbours."""
    apart = centres[:, None] - centres[None]
    distance = np.linalg.norm(apart, axis=-1)
    np.fill_diagonal(distance, np.inf)
    overlap = np.where(distance < diameter + 0.02, diameter + 0.05 - distance, 0.0)
    return np.asarray((apart * (overlap / 2 / np.maximum(distance, 1e-6))[..., None]).sum(axis=1))
