"""Sample matches, and ways to damage them."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from controller.match.events import (
    CommandRefused,
    DiceRolled,
    GameStarted,
    GameWon,
    MatchStarted,
    MatchWon,
    Mode,
    PlayMade,
    RefereeEvent,
)
from controller.match_log import EvidencePicture, PictureKind, create_match
from controller.rules import Player, ResultKind

START = "00000050300005000000000020/00000050300005000000000020"
WHITE, BLACK = Player.WHITE, Player.BLACK
BEGUN = datetime(2026, 3, 5, 14, 22, 33, 123_000, tzinfo=UTC)
TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger'"

STARTED = MatchStarted(1, "tavla", None, "casual", Mode.TEACH, "Anna", "Boris", 5)
GAME = GameStarted(2, 1, START, None)
ROLLED = DiceRolled(3, WHITE, (6, 5))
MADE = PlayMade(4, WHITE, (6, 5), "24/13", START, START, "end_turn")
WON = GameWon(5, BLACK, ResultKind.MARS, 2, 0, 2)
MATCH_WON = MatchWon(6, BLACK)


def clock() -> datetime:
    return BEGUN


def noise(seed: int = 0, size: tuple[int, int] = (24, 32)) -> NDArray[np.uint8]:
    """(height, width, 3); noise makes a large JPEG."""
    return np.random.default_rng(seed).integers(0, 256, (*size, 3), dtype=np.uint8)


def numbered(first: int, last: int) -> tuple[RefereeEvent, ...]:
    """Events that carry their own number and the number of the last event in their batch."""
    return tuple(CommandRefused(number, str(last), "x" * (number * 37 % 200)) for number in range(first, last + 1))


def written(path: Path, batches: int = 6, pictures: bool = True) -> tuple[RefereeEvent, ...]:
    """Writes a closed match of batches of 1, 2, 3... events, all but the first with pictures; returns its events."""
    events: tuple[RefereeEvent, ...] = ()
    with create_match(path, "tavla", clock=clock) as log:
        for batch in range(1, batches + 1):
            more = numbered(len(events) + 1, len(events) + batch)
            taken = [EvidencePicture(kind, noise(batch), at) for at, kind in enumerate(list(PictureKind)[: batch - 1])]
            log.append(more, taken if pictures else ())
            events += more
    return events


def spoil(path: Path, statement: str, parameters: Sequence[object] = ()) -> None:
    """Runs one statement without the triggers."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        for (name,) in connection.execute(TRIGGERS).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement, parameters)
        connection.execute("COMMIT")


def asked(path: Path, query: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query, parameters).fetchall()
