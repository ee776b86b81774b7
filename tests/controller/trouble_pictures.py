"""Pictures of a short drawn game, and what can be wrong with pictures: dark, blurred, a hand, half a board."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.match import Seating
from controller.rules import RULESETS
from controller.simulation.filmed.arrangements import arrangement_of, plan_of
from controller.simulation.filmed.snapshots import FrameRates, TableSnapshot
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts import GamePlan
from controller.simulation.staging import TruePlay, TrueThrow
from tests.controller.table_pictures import SEED, SIZE_PX
from tests.vision.simulated.played_tables import style
from vision.simulated.painter import Painter
from vision.simulated.scene_building import with_hand
from vision.simulated.tabletop import Arrangement, TableEdge

Picture = NDArray[np.uint8]

WALL: Picture = np.full((SIZE_PX[1], SIZE_PX[0], 3), 90, np.uint8)


@dataclass(frozen=True)
class PlayedScenes:
    """The table before the game, after each throw, and after each turn, with no hand in view."""

    start: Arrangement
    throws: tuple[Arrangement, ...]
    turns: tuple[Arrangement, ...]

    def first(self, turns: int) -> list[Arrangement]:
        """The settled scenes of the first turns: a throw, then the play with its dice lifted."""
        pairs = zip(self.throws[:turns], self.turns[:turns], strict=True)
        return [self.start, *(scene for pair in pairs for scene in pair)]


@cache
def played_scenes(turns: int = 4) -> PlayedScenes:
    """A game of backgammon without mishaps; the opening throw is the first throw."""
    rules, table = RULESETS["backgammon"], style(SEED, SIZE_PX)
    plan = GamePlan(seed=SEED, seating=Seating(white_head=rules.white_head), max_turns=turns, board=plan_of(table))
    film = SimulatedTable[TableSnapshot](film_game(rules, plan), plan.board, lambda moment: moment, FrameRates())
    moments = [one for one in film.inputs() if isinstance(one, TableSnapshot)]
    free = [one for one in moments if one.hand is None]
    throws = [one.at_ms for one in film.truths if isinstance(one, TrueThrow)]
    plays = [one.at_ms for one in film.truths if isinstance(one, TruePlay)]
    thrown = [next(one for one in free if one.taken_ms >= at_ms and one.dice) for at_ms in throws]
    played = [next(one for one in free if one.taken_ms >= at_ms and not one.dice) for at_ms in plays]
    return PlayedScenes(
        arrangement_of(moments[0], table),
        tuple(arrangement_of(one, table) for one in thrown),
        tuple(arrangement_of(one, table) for one in played),
    )


@cache
def _painter() -> Painter:
    return Painter(style(SEED, SIZE_PX))


def painted(scenes: Iterable[Arrangement]) -> list[Picture]:
    return [_painter().paint_frame(scene, number) for number, scene in enumerate(scenes)]


@cache
def game_pictures(turns: int = 2) -> tuple[Picture, ...]:
    """The settled scenes of the first turns, painted."""
    return tuple(painted(played_scenes().first(turns)))


def with_hands(scene: Arrangement, shift_mm: float = 0.0) -> Arrangement:
    """Both players reach over the board."""
    table = style(SEED, SIZE_PX)
    reached = with_hand(table, scene, TableEdge.BOTTOM, (150.0 + shift_mm, 150.0), 8.0)
    return with_hand(table, reached, TableEdge.TOP, (300.0 - shift_mm, 200.0), 8.0)


def exposed(picture: Picture, factor: float) -> Picture:
    """Brighter or darker by this factor, clipped as a camera does."""
    return np.asarray(np.clip(picture.astype(np.float32) * factor, 0, 255), np.uint8)


def blurred(picture: Picture) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 7), np.uint8)


def resized(picture: Picture) -> Picture:
    """Another cut-out: 16 to 9 instead of 4 to 3."""
    return np.asarray(cv2.resize(picture, (640, 360)), np.uint8)


def picture_folder(folder: Path, pictures: Sequence[Picture], apart_ms: int) -> Path:
    """The pictures in a folder with their timestamps."""
    folder.mkdir(parents=True)
    for number, pixels in enumerate(pictures):
        (folder / f"{number:04}.png").write_bytes(cv2.imencode(".png", pixels)[1].tobytes())
    lines = (f"{number:04}.png,{number * apart_ms}" for number in range(len(pictures)))
    (folder / "timestamps.csv").write_text("\n".join(lines), encoding="utf-8")
    return folder
