"""A folder of short films, as a club's archive has them, and what is read of them."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.match.events import RefereeEvent
from controller.match_log import read_match
from tests.controller.subcommands.test_recordings import film
from tests.controller.table_pictures import calibration_file
from tests.controller.trouble_pictures import game_pictures, picture_folder

HELD = 7  # pictures of each settled scene, ten a second
FPS = 10.0
TURNS = {"a.mp4": 2, "more/b.mp4": 1}
"""The films that can be read, and the turns in each."""


@dataclass(frozen=True)
class Archive:
    """`options`: those of each call."""

    folder: Path
    options: tuple[object, ...]


def short_film(file: Path, turns: int) -> Path:
    scenes = game_pictures(4)[: 1 + 2 * turns]
    return film(file, [scene for scene in scenes for _ in range(HELD)], FPS)


def make_archive(place: Path) -> Archive:
    """Two films, one of them twice, one that is broken, and pictures that are no film."""
    folder = place / "films"
    (folder / "more").mkdir(parents=True)
    for name, turns in TURNS.items():
        short_film(folder / name, turns)
    shutil.copy(folder / "a.mp4", folder / "copy.mp4")
    (folder / "broken.mp4").write_bytes(b"no film")
    picture_folder(folder / "stills", game_pictures(1)[:1], 10_000)
    (folder / "stills" / "timestamps.csv").unlink()
    return Archive(folder, ("--game backgammon --calibration", calibration_file(place)))


def events_of(match: Path) -> Sequence[RefereeEvent]:
    return read_match(match).events
