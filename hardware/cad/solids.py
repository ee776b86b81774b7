"""Makes the printed parts with OpenSCAD and checks that they can be printed.

    python -m hardware.cad.solids FOLDER

writes one STL for each part and says how large it is; ends with 1 when one has a hole in its skin, falls into pieces or
does not fit the bed. The check is our own, some forty lines: a mesh library would be larger than all of this project
for one count of edges.
"""

import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

HERE = Path(__file__).parent
BED_MM = (220.0, 220.0)
HIGHEST_MM = 200.0

Point: TypeAlias = tuple[float, float, float]
Edge: TypeAlias = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Printed:
    """One part: an OpenSCAD file and its parameters; strings with their quotes."""

    name: str
    source: str
    settings: tuple[str, ...] = ()


PARTS = (
    Printed("rail_cells", "rail.scad"),
    Printed("rail_bar", "rail.scad", ('part="bar"',)),
    Printed("camera_clamp", "camera_clamp.scad"),
    Printed("camera_clamp_tripod", "camera_clamp.scad", ('camera="tripod"',)),
)


@dataclass(frozen=True, slots=True)
class Solid:
    """Triangles in mm, their corners counter-clockwise as seen from outside."""

    triangles: tuple[tuple[Point, Point, Point], ...]

    @classmethod
    def of_stl(cls, text: str) -> "Solid":
        """Parses text STL, as OpenSCAD writes it."""
        corners = [(float(x), float(y), float(z)) for x, y, z in re.findall(r"vertex\s+(\S+)\s+(\S+)\s+(\S+)", text)]
        return cls(tuple(zip(corners[0::3], corners[1::3], corners[2::3], strict=True)))

    @property
    def extent_mm(self) -> Point:
        axes = tuple(zip(*(corner for triangle in self.triangles for corner in triangle), strict=True))
        x, y, z = (max(axis) - min(axis) for axis in axes)
        return x, y, z

    @property
    def volume_mm3(self) -> float:
        """The volume; negative if inside and outside are exchanged."""
        return sum(_determinant(*triangle) for triangle in self.triangles) / 6

    def open_edges(self) -> tuple[Edge, ...]:
        """Edges that are not used exactly once in each direction: holes or self-contacts of the surface."""
        passed = Counter(edge for triangle in self.triangles for edge in _edges(triangle))
        return tuple(edge for edge, times in passed.items() if times != 1 or passed[edge[::-1]] != 1)

    def bodies(self) -> int:
        """The number of connected pieces."""
        group: dict[Point, Point] = {}
        for triangle in self.triangles:
            first, *others = (_leader(group, corner) for corner in triangle)
            group.update(dict.fromkeys(others, first))
        return len({_leader(group, corner) for triangle in self.triangles for corner in triangle})

    def faults(self) -> tuple[str, ...]:
        """The reasons not to print it."""
        x, y, z = self.extent_mm
        looked_at = {
            f"{len(self.open_edges())} open edges": bool(self.open_edges()),
            "inside out": self.volume_mm3 <= 0,
            f"{self.bodies()} pieces": self.bodies() != 1,
            f"{x:.1f} x {y:.1f} x {z:.1f} mm fits no bed": x > BED_MM[0] or y > BED_MM[1] or z > HIGHEST_MM,
        }
        return tuple(fault for fault, is_found in looked_at.items() if is_found)


def _edges(triangle: tuple[Point, Point, Point]) -> tuple[Edge, Edge, Edge]:
    a, b, c = triangle
    return (a, b), (b, c), (c, a)


def _determinant(a: Point, b: Point, c: Point) -> float:
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])


def _leader(group: dict[Point, Point], corner: Point) -> Point:
    while (next_one := group.get(corner, corner)) != corner:
        corner = next_one
    return corner


def made(part: Printed, folder: Path, *more_settings: str) -> Solid:
    """Makes the part and writes it to `folder`. CalledProcessError with OpenSCAD's message, as for a piece too long."""
    settings = [word for setting in (*part.settings, *more_settings) for word in ("-D", setting)]
    target = folder / f"{part.name}.stl"
    command = ["openscad", "--hardwarnings", *settings, "-o", str(target), str(HERE / part.source)]
    subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  (words of our own)
    return Solid.of_stl(target.read_text(encoding="ascii"))


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    has_fault = False
    for part in PARTS:
        solid = made(part, folder)
        x, y, z = solid.extent_mm
        verdict = ", ".join(solid.faults()) or f"{solid.volume_mm3 / 1000:.1f} cm³, closed, one piece"
        sys.stdout.write(f"{part.name}: {x:.1f} x {y:.1f} x {z:.1f} mm, {verdict}\n")
        has_fault |= bool(solid.faults())
    return int(has_fault)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
