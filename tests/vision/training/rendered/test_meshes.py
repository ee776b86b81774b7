from pathlib import Path

import numpy as np
import pytest

from vision.training.rendered.layout.board_style import TurnedProfile
from vision.training.rendered.layout.hand import HandGesture
from vision.training.rendered.tracing.meshes import Mesh, disc, merge_meshes, rectangle, rounded_box
from vision.training.rendered.tracing.piece_meshes import (
    build_checker_mesh,
    build_die_body,
    build_die_pips,
    checker_outline,
)


def volume(mesh: Mesh) -> float:
    """The volume of a closed mesh whose faces look outwards; negative when they look inwards."""
    a, b, c = (mesh.corners[mesh.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def agreement(mesh: Mesh) -> float:
    """The share of faces on the side of their normals; others would be rendered black."""
    a, b, c = (mesh.corners[mesh.faces[:, k]] for k in range(3))
    facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.faces].mean(axis=1))
    return float((facing > -1e-9).mean())


def test_faces_agree_with_their_normals() -> None:
    kinds = [rounded_box((20, 30, 40), 3), build_die_body(14, 2), build_die_pips(14, 1.3, 3.5)]
    kinds += [build_checker_mesh(40, 9, profile) for profile in TurnedProfile]
    assert [agreement(mesh) for mesh in kinds] == [1.0] * len(kinds)


def test_a_box_with_hardly_rounded_edges_has_the_volume_of_a_box() -> None:
    box = rounded_box((20, 30, 40), 0.01, centre=(100, -50, 7))
    assert volume(box) == pytest.approx(24000, rel=1e-3)
    assert box.corners.max(axis=0).tolist() == pytest.approx([110, -35, 27])


def test_rounding_takes_volume_off() -> None:
    """A die rounded as far as it goes is a ball."""
    assert volume(build_die_body(14, 7)) == pytest.approx(4 / 3 * np.pi * 7**3, rel=0.03)


@pytest.mark.parametrize("profile", TurnedProfile)
def test_a_checker_keeps_its_size(profile: TurnedProfile) -> None:
    mesh = build_checker_mesh(40, 9, profile)
    assert np.linalg.norm(mesh.corners[:, :2], axis=1).max() == pytest.approx(20)
    assert mesh.corners[:, 2].min() == 0
    assert mesh.corners[:, 2].max() == pytest.approx(9, abs=1.31)
    assert volume(mesh) == pytest.approx(np.pi * 20**2 * 9, rel=0.2)
    assert checker_outline(40, 9, profile)[-1][0] == 0


def test_a_die_has_21_pips() -> None:
    pips = build_die_pips(14, 1.3, 3.5)
    assert len(pips.corners) == 21 * 21
    assert np.abs(pips.corners).max() == pytest.approx(7.03)


def test_the_rows_of_a_six_may_lie_nearer_to_each_other() -> None:
    """Its pips move towards the middle of their face by a quarter of the gap; all others stay."""
    plain, near = (build_die_pips(14, 1.3, 3.5, six_rows).corners for six_rows in (1.0, 0.75))
    moved = np.abs(near - plain).max(axis=1)
    assert np.count_nonzero(moved) == 6 * 21
    assert moved[moved > 0] == pytest.approx(np.full(6 * 21, 0.25 * 3.5))


@pytest.mark.parametrize("normal", [(0, 0, 1), (0, 0, -1)])
def test_flat_pieces_face_their_normal(normal: tuple[int, int, int]) -> None:
    for mesh in (rectangle((1, 2, 3), (4, 0, 0), (0, 5, 0), normal), disc((1, 2, 3), (4, 0, 0), (0, 4, 0), normal)):
        a, b, c = mesh.corners[mesh.faces[0]]
        assert np.cross(b - a, c - a) @ normal > 0


def test_merged_meshes_keep_their_faces() -> None:
    box = rounded_box((10, 10, 10), 0.01)
    assert volume(merge_meshes([box, box.move(shift=(30, 0, 0))])) == pytest.approx(2000, rel=1e-3)


def test_a_file_holds_every_corner_and_face(tmp_path: Path) -> None:
    mesh = rectangle((0, 0, 0), (1, 0, 0), (0, 1, 0))
    mesh.write_ply(tmp_path / "mesh.ply")
    header, _, rest = (tmp_path / "mesh.ply").read_bytes().partition(b"end_header\n")
    assert b"element vertex 4\n" in header
    assert b"element face 2\n" in header
    assert len(rest) == 4 * 32 + 2 * 13


@pytest.mark.slow
@pytest.mark.parametrize("pose", HandGesture)
def test_a_hand_has_skin_and_sleeve(pose: HandGesture) -> None:
    pytest.importorskip("skimage", reason="the renderer has an environment of its own; see vision/training/README.md")
    from vision.training.rendered.tracing.hand_mesh import build_hand_mesh

    skin, sleeve = build_hand_mesh(np.random.default_rng(1), pose)
    assert -15 < skin.corners[:, 0].max() < 40
    assert sleeve.corners[:, 0].min() == -900
    assert agreement(skin) > 0.98
    assert agreement(sleeve) > 0.98
