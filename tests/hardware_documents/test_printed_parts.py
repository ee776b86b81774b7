"""What OpenSCAD makes of the printed parts: closed, one piece, on the bed. The check itself is tested on boxes."""

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.cad.solids import PARTS, Point, Printed, Solid, made
from tests.hardware_documents.document_tools import require

pytestmark = pytest.mark.broad

# The corners of a box by the bits of their number, and its twelve triangles as seen from outside.
_SIDES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def box(x_mm: float, y_mm: float, z_mm: float, *, at_mm: float = 0.0) -> Solid:
    corners: list[Point] = [
        (at_mm + x_mm * (number & 1), y_mm * (number >> 1 & 1), z_mm * (number >> 2)) for number in range(8)
    ]
    return Solid(
        tuple(
            (corners[side[0]], corners[second], corners[third])
            for side in _SIDES
            for second, third in pairwise(side[1:])
        )
    )


def stl(solid: Solid) -> str:
    vertices = ["".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle) for triangle in solid.triangles]
    return "".join(f"facet normal 0 0 0\nouter loop\n{three}endloop\nendfacet\n" for three in vertices)


def test_a_box_is_a_box() -> None:
    """Extent and volume of 10 x 20 x 30 mm; nothing to complain of; the same after it was written and read."""
    solid = box(10, 20, 30)
    assert solid.extent_mm == pytest.approx((10, 20, 30))
    assert solid.volume_mm3 == pytest.approx(6000)
    assert solid.faults() == ()
    assert Solid.of_stl(stl(solid)) == solid


def test_what_cannot_be_printed_is_reported() -> None:
    whole = box(10, 20, 30)
    assert Solid(whole.triangles[1:]).faults() == ("3 open edges",)
    assert Solid(whole.triangles + box(1, 1, 1, at_mm=50).triangles).faults() == ("2 pieces",)
    assert Solid(tuple((a, c, b) for a, b, c in whole.triangles)).faults() == ("inside out",)
    assert box(221, 20, 30).faults() == ("221.0 x 20.0 x 30.0 mm fits no bed",)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_it_can_be_printed(part: Printed, tmp_path: Path) -> None:
    require(packages=("openscad",))
    assert made(part, tmp_path).faults() == ()


def test_a_rail_has_its_cells(tmp_path: Path) -> None:
    """Three points of 40 mm, a wall of 1.6 mm at either end of each, and the hook of 3 mm for the next piece."""
    require(packages=("openscad",))
    solid = made(Printed("rail", "rail.scad"), tmp_path, "pitch_mm=40", "cells_per_piece=3")
    assert solid.extent_mm[0] == pytest.approx(123)
    faces_mm = {round(x, 3) for triangle in solid.triangles for x, _, z in triangle if z == pytest.approx(7.8)}
    assert faces_mm == {0, 1.6, 38.4, 41.6, 78.4, 81.6, 118.4, 120}
    assert solid.faults() == ()


@pytest.mark.parametrize("settings", [("pitch_mm=40",), ("cells_per_piece=4",), ("bed_mm=200",)])
def test_a_piece_that_is_too_long_is_refused(settings: tuple[str, ...], tmp_path: Path) -> None:
    """OpenSCAD stops with the reason; nothing is written that no printer takes."""
    require(packages=("openscad",))
    with pytest.raises(subprocess.CalledProcessError) as refused:
        made(Printed("rail", "rail.scad"), tmp_path, *settings)
    assert "cells_per_piece" in refused.value.stderr
