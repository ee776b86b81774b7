"""The solid parts of a board: the boxes that light and dice meet."""

from dataclasses import dataclass

from vision.training.rendered.layout.board_size import Bar, BoardSize, Trays
from vision.training.rendered.tracing.arrays import Vector


@dataclass(frozen=True, slots=True)
class Box:
    """Edges along the axes of the world frame. The name begins with the kind: rim, bar, floor or cube."""

    name: str
    low: Vector
    high: Vector


@dataclass(frozen=True, slots=True)
class BoardShape:
    """The boxes and outlines of one board, in the world frame."""

    boxes: tuple[Box, ...]
    left_mm: float  # outer edges of the rim
    right_mm: float
    near_mm: float
    far_mm: float
    trays_mm: tuple[tuple[float, float], ...]  # from x to x
    table_z_mm: float

    def corners(self, z: float) -> tuple[Vector, Vector, Vector, Vector]:
        """Outer corners: far left, far right, near right, near left."""
        return (
            (self.left_mm, self.far_mm, z),
            (self.right_mm, self.far_mm, z),
            (self.right_mm, self.near_mm, z),
            (self.left_mm, self.near_mm, z),
        )

    def is_within(self, x: float, y: float) -> bool:
        return self.left_mm < x < self.right_mm and self.near_mm < y < self.far_mm


def field_corners(size: BoardSize) -> tuple[Vector, Vector, Vector, Vector]:
    """Top-left, top-right, bottom-right, bottom-left of the field, on its surface."""
    x, y = size.field_width_mm / 2, size.field_height_mm / 2
    return ((-x, y, 0.0), (x, y, 0.0), (x, -y, 0.0), (-x, -y, 0.0))


def build_board_shape(size: BoardSize) -> BoardShape:
    x, y = size.field_width_mm / 2, size.field_height_mm / 2
    rim, top, base = size.rim_width_mm, size.rim_height_mm, -size.base_mm
    beside = size.tray_wall_mm + size.tray_width_mm
    left, right = -x - rim, x + rim
    boxes: list[Box] = []
    trays: list[tuple[float, float]] = []
    if size.trays.has(Trays.LEFT):
        left -= beside
        trays.append((-x - beside, -x - size.tray_wall_mm))
        boxes.append(Box("rim_tray_left", (-x - size.tray_wall_mm, -y, 0), (-x, y, top)))
    if size.trays.has(Trays.RIGHT):
        right += beside
        trays.append((x + size.tray_wall_mm, x + beside))
        boxes.append(Box("rim_tray_right", (x, -y, 0), (x + size.tray_wall_mm, y, top)))
    boxes += [
        Box("rim_far", (left, y, base), (right, y + rim, top)),
        Box("rim_near", (left, -y - rim, base), (right, -y, top)),
        Box("rim_left", (left, -y, base), (left + rim, y, top)),
        Box("rim_right", (right - rim, -y, base), (right, y, top)),
        Box("floor", (left + rim, -y, base), (right - rim, y, 0)),
        *_bar_boxes(size),
    ]
    return BoardShape(tuple(boxes), left, right, -y - rim, y + rim, tuple(trays), base)


def _bar_boxes(size: BoardSize) -> tuple[Box, ...]:
    """Sunk by 2 mm into the floor, so that a printed bar is thick enough for the dynamics."""
    x, y, top = size.bar_width_mm / 2, size.field_height_mm / 2, size.bar_height_mm
    match size.bar:
        case Bar.NONE:
            return ()
        case Bar.SOLID:
            return (Box("bar", (-x, -y, -2), (x, y, top)),)
        case Bar.HINGED:
            return (Box("bar_left", (-x, -y, -2), (-0.5, y, top)), Box("bar_right", (0.5, -y, -2), (x, y, top)))
