"""What the match log costs: `python -m tests.benchmarks.match_log [--turns N] [--folder DIR]`.

How long an append takes until the disk has confirmed it, with and without pictures, how large a match becomes, and how
long a program that starts anew needs for a log of 5,000 events. The disk is that of DIR (default: the temporary folder),
so the figures say something about this machine only.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.match.events import (
    DiceRolled,
    EndedBy,
    GameStarted,
    MatchStarted,
    Mode,
    PlayMade,
    RefereeEvent,
    TurnEnded,
)
from controller.match_log import EvidencePicture, IntactChain, MatchLog, PictureKind, create_match, read_match, verify
from controller.rules import Player

POSITION = "00000050300005000000000020/00000050300005000000000020"
BOARD = Path(__file__).parents[1] / "vision" / "pictures" / "start.jpg"
RESUME_EVENTS = 5_000
RESUME_BAR_S = 5.0


@dataclass(frozen=True, slots=True)
class Appends:
    """The times of all appends of one kind."""

    name: str
    milliseconds: tuple[float, ...]

    def row(self) -> str:
        ordered = sorted(self.milliseconds)
        p99 = ordered[int(len(ordered) * 0.99)]
        median = statistics.median(ordered)
        return f"{self.name:<34} {len(ordered):6}  {median:9.2f}  {p99:8.2f}  {ordered[-1]:8.2f}"


def crop() -> NDArray[np.uint8]:
    """A picture of a board in the size that the log keeps from a frame of 640 x 480."""
    picture = cv2.imread(str(BOARD))
    assert picture is not None, BOARD
    return np.asarray(cv2.resize(picture, (560, 440), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def turn(number: int) -> tuple[tuple[RefereeEvent, ...], ...]:
    """The batches of one turn."""
    player = Player.WHITE if number % 2 else Player.BLACK
    play = PlayMade(number, player, (6, 5), "24/18 13/8*", POSITION, POSITION, "end_turn")
    return (DiceRolled(number, player, (6, 5)),), (TurnEnded(number, player, EndedBy.DICE_LIFTED), play)


def begin(log: MatchLog) -> None:
    started = MatchStarted(0, "backgammon", None, "casual", Mode.TEACH, "White", "Black", 7)
    log.append((started, GameStarted(0, 1, POSITION, None)))


def measured(path: Path, turns: int, shots: Sequence[EvidencePicture]) -> tuple[list[float], list[float]]:
    """Milliseconds of each roll and each play."""
    rolls: list[float] = []
    plays: list[float] = []
    with create_match(path, "backgammon", most_picture_bytes=10**12) as log:
        begin(log)
        for number in range(1, turns + 1):
            for batch, took, pictures in zip(turn(number), (rolls, plays), (shots[:1], shots), strict=True):
                began = time.perf_counter()
                log.append(batch, pictures)
                took.append((time.perf_counter() - began) * 1_000)
    return rolls, plays


def resume_s(folder: Path) -> tuple[float, float]:
    """Seconds to open and read a log of 5,000 events, and to verify it."""
    path = folder / "long.zmatch"
    with create_match(path, "backgammon") as log:
        begin(log)
        batch = tuple(event for number in range(RESUME_EVENTS) for part in turn(number) for event in part)
        log.append(batch[: RESUME_EVENTS - log.n_events])
    began = time.perf_counter()
    with MatchLog(path) as log:
        assert len(log.read().events) == RESUME_EVENTS
    read = time.perf_counter()
    assert isinstance(verify(path), IntactChain)
    return read - began, time.perf_counter() - read


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the tables; 1 when resuming takes longer than promised."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=300, help="turns to append (default: 300)")
    options.add_argument(
        "--folder", type=Path, metavar="DIR", help="where the logs are written (default: the temporary folder)"
    )
    given = options.parse_args(argv)
    shots = [EvidencePicture(kind, crop()) for kind in PictureKind]
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        plain, pictured = folder / "plain.zmatch", folder / "pictured.zmatch"
        bare_rolls, bare_plays = measured(plain, given.turns, ())
        rolls, plays = measured(pictured, given.turns, shots)
        print(f"{'append, until the disk confirms':<34} {'n':>6}  median ms   99 % ms  worst ms")
        for appends in (
            Appends("roll (1 event)", tuple(bare_rolls)),
            Appends("play (2 events)", tuple(bare_plays)),
            Appends("roll with a picture", tuple(rolls)),
            Appends("play with three pictures", tuple(plays)),
        ):
            print(appends.row())
        sizes = [seal.digest.n_bytes for one in read_match(pictured).logged for seal in one.pictures]
        per_100 = 100 / given.turns / 1_000
        print(f"\n100 turns without pictures: {plain.stat().st_size * per_100:,.0f} kB")
        print(
            f"100 turns with four pictures each: {pictured.stat().st_size * per_100:,.0f} kB "
            f"({statistics.mean(sizes) / 1_000:.0f} kB a picture)"
        )
        opened_s, verified_s = resume_s(folder)
        print(f"\n{RESUME_EVENTS:,} events: opened and read in {opened_s:.2f} s (bar: {RESUME_BAR_S} s)")
        print(f"{RESUME_EVENTS:,} events: verified in {verified_s:.2f} s")
    return int(opened_s > RESUME_BAR_S)


if __name__ == "__main__":
    sys.exit(main())
