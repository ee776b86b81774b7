"""Real textures as finishes: photographs of woods, cloths, stones, inlay and rooms, and line art, from a folder.

The folder holds `index.jsonl`, one object a picture with `file`, `kind`, `tier`, and `mask` for line art on white.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from vision.simulated.drawing.textures import mean_of_picture
from vision.simulated.scene import Colour, Finish
from vision.training.drawn_boards.finishes import draw_bool, draw_choice, draw_seed, vary_colour

FINE, BROAD = (0.5, 2.2), (1.0, 4.0)  # ranges of scale: of woods and cloths, of ornaments and rooms
LATTICES = ("inlay_checker", "inlay_diamonds", "inlay_tumbling", "inlay_khatam", "inlay_star", "inlay_octagon")


@dataclass(frozen=True, slots=True)
class TextureLibrary:
    """Paths of pictures by their use."""

    woods: tuple[str, ...]
    cloths: tuple[str, ...]
    stones: tuple[str, ...]
    patterns: tuple[str, ...]  # wallpapers, tiles, inlay: coloured ornament over a whole surface
    mosaics: tuple[str, ...]  # fine inlay for bands
    medallions: tuple[str, ...]  # coloured ornament that is round or stands alone
    art: tuple[str, ...]  # black line art on white
    rooms: tuple[str, ...]

    def draw(self, rng: np.random.Generator, pictures: Sequence[str], colour: Colour | None = None) -> Finish:
        """A finish of one of these pictures, in its own colours, or with the given mean colour."""
        path = draw_choice(rng, pictures)
        own = mean_of_picture(path)
        mean = vary_colour(rng, own, 0.12) if colour is None else colour
        low, high = FINE if path in self.woods or path in self.cloths or path in self.stones else BROAD
        return Finish(
            colour=mean,
            second=mean,
            contrast=float(rng.uniform(0.7, 1.3)),
            scale=float(np.exp(rng.uniform(np.log(low), np.log(high)))),
            angle_deg=float(draw_choice(rng, (0.0, 90.0)) + rng.normal(0, 2)),
            gloss=float(rng.uniform(0, 0.8) ** 2),
            seed=draw_seed(rng),
            picture=path,
        )

    def draw_surface(self, rng: np.random.Generator) -> Finish:
        """What boards, rims and tables are made of."""
        groups = (self.woods, self.cloths, self.stones, self.patterns)
        return self.draw(rng, draw_choice(rng, groups, (10, 5, 2, 2)))

    def draw_body(self, rng: np.random.Generator, colour: Colour) -> Finish:
        """What a checker is made of: stone, wood, metal; in its own colour or the given one."""
        kept = colour if draw_bool(rng, 0.7) else None
        finish = self.draw(rng, self.stones if draw_bool(rng, 0.6) else self.woods, kept)
        scale = float(rng.uniform(0.15, 0.6))
        return Finish(
            colour=finish.colour,
            second=finish.second,
            contrast=finish.contrast,
            scale=scale,
            gloss=float(rng.uniform(0, 1)),
            seed=finish.seed,
            picture=finish.picture,
        )


@lru_cache(maxsize=4)
def read_library(folder: Path, *, only_tier_a: bool = False) -> TextureLibrary:
    """Raises FileNotFoundError when the folder has no `index.jsonl`, ValueError when a use has no picture."""
    lines = (folder / "index.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if not only_tier_a or row["tier"] == "A"]
    found = {name: tuple(str(folder / row["file"]) for row in rows if _serves(name, row)) for name in USES}
    if missing := [name for name, paths in found.items() if not paths]:
        raise ValueError(f"{folder} holds no textures that serve as {', '.join(missing)}.")
    return TextureLibrary(**found)


USES = ("woods", "cloths", "stones", "patterns", "mosaics", "medallions", "art", "rooms")


def _serves(use: str, row: Mapping[str, Any]) -> bool:
    kind, name, is_art = row["kind"], Path(row["file"]).stem, bool(row.get("mask"))
    is_inlay = name.startswith(("inlay_", "inlaid_"))
    is_lattice = name.startswith(LATTICES) or "herringbone" in name or "fan_scales" in name or "pattern" in name
    match use:
        case "woods":
            return bool(kind == "wood")
        case "cloths":
            return bool(kind == "leather_fabric")
        case "stones":
            return bool(kind == "stone")
        case "patterns":
            return bool(kind == "ornament") and not is_art and (not is_inlay or is_lattice)
        case "mosaics":
            return is_inlay and (is_lattice or "border" in name or "divider" in name)
        case "medallions":
            return bool(kind == "ornament") and not is_art and is_inlay and not is_lattice
        case "art":
            return is_art
        case _:
            return bool(kind == "surroundings")
