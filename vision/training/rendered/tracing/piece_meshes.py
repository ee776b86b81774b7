"""The shapes of checkers and dice."""

import numpy as np

from vision.training.rendered.layout.board_style import TurnedProfile
from vision.training.rendered.layout.dice_state import FACE_AXES
from vision.training.rendered.tracing.arrays import Floats
from vision.training.rendered.tracing.meshes import Mesh, fan_faces, merge_meshes, revolve, rounded_box

_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_SIX = 6
_PIP_SEGMENTS = 20
_PIP_LIFT_MM = 0.03  # above the face, so that the two surfaces do not coincide


def build_checker_mesh(diameter_mm: float, thickness_mm: float, profile: TurnedProfile) -> Mesh:
    """Underside at z = 0, axis along z."""
    outline = checker_outline(diameter_mm, thickness_mm, profile)
    return revolve(outline, segments=72, texture_mm=240.0)


def checker_outline(diameter_mm: float, thickness_mm: float, profile: TurnedProfile) -> list[tuple[float, float]]:
    """(radius, height) from the middle of the underside to the middle of the upper face."""
    radius, top, bend = diameter_mm / 2, thickness_mm, min(thickness_mm * 0.28, 2.6)
    arc = np.linspace(0, np.pi / 2, 5).tolist()
    inner = radius - bend
    rim = [(0.0, 0.0), (inner - 0.01, 0.0)]
    rim += [(inner + bend * np.sin(angle), bend - bend * np.cos(angle)) for angle in arc]
    rim += [(inner + bend * np.cos(angle), top - bend + bend * np.sin(angle)) for angle in arc]
    match profile:
        case TurnedProfile.PLAIN:
            face = [(0.0, top)]
        case TurnedProfile.GROOVE:
            out, into = radius * 0.70, radius * 0.62
            middle = (out + into) / 2
            face = [(out, top), (out - 0.2, top - 0.5), (middle, top - 1.1), (into + 0.2, top - 0.5)]
            face += [(into, top), (into - 0.1, top), (0.0, top)]
        case TurnedProfile.DISH:
            lip = radius * 0.76
            face = [(lip, top), (lip - 0.5, top - 0.3), (lip - 1.6, top - 1.6), (lip - 2.4, top - 1.9)]
            face += [(lip - 2.6, top - 1.9), (0.0, top - 1.9)]
        case TurnedProfile.RINGS:
            steps = ((0.9, 0.0), (0.6, 0.4), (0.0, 0.8), (-0.6, 0.4), (-0.9, 0.0))
            face = [(radius * 0.80, top)]
            face += [(radius * share + out, top - down) for share in (0.74, 0.56, 0.38) for out, down in steps]
            face += [(0.0, top)]
        case TurnedProfile.DOME:
            face = [(radius * share, top + 1.3 * (1 - share**2)) for share in (0.75, 0.55, 0.35, 0.15)]
            face += [(0.0, top + 1.3)]
    return [*rim, *face]


def build_die_body(edge_mm: float, rounding_mm: float) -> Mesh:
    return rounded_box((edge_mm, edge_mm, edge_mm), rounding_mm, steps=4, texture_mm=40.0)


def build_die_pips(edge_mm: float, pip_radius_mm: float, pip_gap_mm: float, six_rows: float = 1.0) -> Mesh:
    """Flat discs a hair above the faces, with the normals of shallow dishes.

    `six_rows` is the distance between the two rows of the six as a share of the grid's.
    """
    parts = []
    for value, axis in FACE_AXES.items():
        up = np.array(axis)
        right = np.array([1.0, 0, 0]) if abs(up[2]) > 0.5 else np.array([0, 0, 1.0])
        away = np.cross(up, right)
        row_gap_mm = pip_gap_mm * six_rows if value == _SIX else pip_gap_mm
        for a, b in _PIPS[value]:
            centre = up * (edge_mm / 2 + _PIP_LIFT_MM) + row_gap_mm * a * right + pip_gap_mm * b * away
            parts.append(_build_pip(centre, up, np.stack([right, away]) * pip_radius_mm))
    return merge_meshes(parts)


def _build_pip(centre: Floats, up: Floats, radii: Floats) -> Mesh:
    angles = np.linspace(0, 2 * np.pi, _PIP_SEGMENTS, endpoint=False)
    out = np.column_stack([np.cos(angles), np.sin(angles)]) @ radii
    corners = np.vstack([centre, centre + out])
    tilted = up - 0.55 * out / np.linalg.norm(out, axis=1, keepdims=True)
    normals = np.vstack([up, tilted / np.linalg.norm(tilted, axis=1, keepdims=True)])
    texture = np.zeros((_PIP_SEGMENTS + 1, 2))
    return Mesh(corners, normals, texture, fan_faces(_PIP_SEGMENTS)).face_towards(up)
