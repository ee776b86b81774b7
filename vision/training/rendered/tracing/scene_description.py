"""The description that Mitsuba loads: shapes with their materials, collected part by part.

Mitsuba takes nested dictionaries; a `Node` is one of them, and only the files of this room know its content.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import mitsuba as mi
import numpy as np

from vision.training.rendered.layout.palette import Material, Surface
from vision.training.rendered.layout.textures import Swatch, make_swatch
from vision.training.rendered.tracing.arrays import Colour, Floats
from vision.training.rendered.tracing.meshes import Mesh

Node = dict[str, object]

# Scale of the height map of each surface.
_RELIEF = {
    Surface.WOOD: 0.05,
    Surface.STAIN: 0.04,
    Surface.FELT: 0.14,
    Surface.CLOTH: 0.16,
    Surface.LEATHER: 0.10,
    Surface.CORK: 0.10,
    Surface.SLATE: 0.08,
    Surface.CHECKED: 0.12,
}
SOFT = (Surface.FELT, Surface.CLOTH, Surface.CHECKED)
_RAM_FOLDER = Path("/dev/shm")  # noqa: S108
_VARNISHED = 0.25  # a lower roughness has a clear coat


def make_mesh_folder() -> TemporaryDirectory[str]:
    """For the meshes of one scene; in memory where there is such a folder."""
    return TemporaryDirectory(dir=_RAM_FOLDER if _RAM_FOLDER.is_dir() else None)


class SceneDescription:
    """Shapes so far; meshes go through files in `folder`, which must outlive the loading."""

    def __init__(self, folder: Path, px_per_mm: float) -> None:
        self.nodes: Node = {"type": "scene"}
        self.px_per_mm = px_per_mm
        self._folder = folder

    def add(self, mesh: Mesh, material: Node, emitter: Node | None = None) -> None:
        name = f"shape{len(self.nodes)}"
        path = self._folder / f"{name}.ply"
        mesh.write_ply(path)
        node: Node = {"type": "ply", "filename": str(path), "bsdf": material}
        self.nodes[name] = node if emitter is None else {**node, "emitter": emitter}

    def copy(self) -> "SceneDescription":
        """An independent description with this one's shapes and folder."""
        other = SceneDescription(self._folder, self.px_per_mm)
        other.nodes = dict(self.nodes)
        return other

    def make_material(self, rng: np.random.Generator, material: Material, roughness: float, *, piece_mm: float) -> Node:
        """A material as a texture that repeats, mirrored, every `piece_mm`."""
        piece = make_swatch(rng, material, width_mm=piece_mm, height_mm=piece_mm, px_per_mm=self.px_per_mm)
        return make_textured_material(piece, roughness, material.surface)


def rgb(colour: Sequence[float] | Floats) -> Node:
    return {"type": "rgb", "value": [float(value) for value in colour]}


def make_emitter(radiance: Sequence[float] | Floats, **settings: object) -> Node:
    return {"type": "area", "radiance": rgb(radiance), **settings}


def make_image(pixels: Floats, wrap: str) -> Node:
    """A texture from linear values, (h, w, 3) or (h, w, 1)."""
    bitmap = mi.Bitmap(np.ascontiguousarray(pixels, np.float32))
    return {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": wrap, "filter_type": "bilinear"}


def make_coloured_material(
    colour: Colour | Node, roughness: float, specular: float = 0.5, *, coat: float = 0.0, metallic: float = 0.0
) -> Node:
    """Paint, plastic or metal in one colour or texture; `coat` is clear varnish, 0..1."""
    node: Node = {
        "type": "principled",
        "base_color": colour if isinstance(colour, dict) else rgb(colour),
        "roughness": roughness,
        "specular": specular,
        "metallic": metallic,
    }
    if coat > 0:
        node |= {"clearcoat": coat, "clearcoat_gloss": 0.92}
    return {"type": "twosided", "bsdf": node}


def make_textured_material(piece: Swatch, roughness: float, surface: Surface, *, wrap: str = "mirror") -> Node:
    """A swatch as a material, with its relief; varnished when smooth."""
    is_dull = surface in (*SOFT, Surface.LEATHER, Surface.CORK)
    coat = 0.0 if is_dull or roughness >= _VARNISHED else 0.8
    node = make_coloured_material(make_image(piece.albedo, wrap), roughness, 0.15 if is_dull else 0.5, coat=coat)
    relief = _RELIEF.get(surface, 0.0)
    if not relief:
        return node
    bump = {"type": "bumpmap", "bump": make_image(piece.height[..., None], wrap), "scale": relief, "bsdf": node["bsdf"]}
    return {"type": "twosided", "bsdf": bump}


def make_clear_material(colour: Colour) -> Node:
    """Tinted transparent resin."""
    return {"type": "principled", "base_color": rgb(colour), "roughness": 0.08, "spec_trans": 0.62, "eta": 1.49}
