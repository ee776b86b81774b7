"""Adds the hand at any moment of the exposure to the description."""

import numpy as np

from vision.training.rendered.layout.hand import RenderedHand
from vision.training.rendered.layout.palette import Material, Surface
from vision.training.rendered.layout.rotations import about, about_z
from vision.training.rendered.layout.textures import Swatch, noise
from vision.training.rendered.tracing.arrays import Floats
from vision.training.rendered.tracing.hand_mesh import build_hand_mesh
from vision.training.rendered.tracing.meshes import Mesh
from vision.training.rendered.tracing.scene_description import Node, SceneDescription, make_textured_material

_SKIN_PX = 256
_SKIN_TINT = (0.6, 1.1, 1.2)  # blotches are red: they absorb more green and blue


def make_hand(stage: SceneDescription, hand: RenderedHand) -> list[tuple[Mesh, Node]]:
    """Meshes and materials of one hand, at its middle moment."""
    rng = np.random.default_rng(hand.seed)
    skin, sleeve = build_hand_mesh(rng, hand.pose)
    skin_material = make_textured_material(_make_skin(rng, hand), 0.48, Surface.LEATHER)
    cloth = stage.make_material(rng, Material(Surface.CLOTH, hand.sleeve), 0.9, piece_mm=200)
    return [(_place(skin, hand), skin_material), (_place(sleeve, hand), cloth)]


def travel_direction(hand: RenderedHand) -> Floats:
    """(3,) direction of a moving hand: sideways and slightly up."""
    angle = hand.angle_rad + 1.9
    return np.array([np.cos(angle), np.sin(angle), 0.2])


def _place(mesh: Mesh, hand: RenderedHand) -> Mesh:
    mirror = np.array([1, -1 if hand.is_left else 1, 1.0])
    rotation = about_z(hand.angle_rad) @ about((0, 1, 0), hand.pitch_rad)
    faces = mesh.faces[:, ::-1] if hand.is_left else mesh.faces
    turned = Mesh(mesh.corners * mirror * hand.scale, mesh.normals * mirror, mesh.texture, faces)
    return turned.move(rotation, np.array(hand.target_mm) + np.array([0, 0, hand.lift_mm]))


def _make_skin(rng: np.random.Generator, hand: RenderedHand) -> Swatch:
    shape = (_SKIN_PX, _SKIN_PX)
    blotches = noise(rng, shape, (26, 26), octaves=4)[..., None]
    pores = noise(rng, shape, (2.5, 2.5), octaves=2)[..., None]
    albedo = np.array(hand.skin) * (1 + 0.10 * blotches * _SKIN_TINT + 0.05 * pores)
    relief = noise(rng, shape, (3, 4), octaves=2)
    return Swatch(np.clip(albedo, 0.01, 0.9).astype(np.float32), 2 * relief)
