"""Writes matches until it is killed: `python -m tests.controller.match_log.appender`.

For each line `PATH SEED` on standard input a child continues that match. Standard output carries big-endian numbers of
four bytes: the child's process id, then the number of the last event after each append that returned, and 0 when the
child is dead.
"""

import os
import random
import struct
import sys
from itertools import count
from pathlib import Path

from controller.match_log import EvidencePicture, MatchLog, PictureKind, create_match
from controller.match_log.picture import encode_jpeg
from tests.controller.match_log.match_files import noise, numbered

MOST_PICTURE_BYTES = 150_000  # soon reached, so that kills also hit the pruning of pictures


def acknowledge(number: int) -> None:
    os.write(1, struct.pack(">I", number))


def go_on(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    shots = [noise(one, (60, 80)) for one in range(3)]
    if path.exists():
        log = MatchLog(path, most_picture_bytes=MOST_PICTURE_BYTES)
    else:
        log = create_match(path, "tavla", most_picture_bytes=MOST_PICTURE_BYTES)
    for _ in count():
        first, size = log.n_events + 1, chance.randint(1, 4)
        taken = [
            EvidencePicture(kind, shot, chance.randrange(size))
            for kind, shot in zip(PictureKind, shots, strict=True)
            if chance.random() < 0.3
        ]
        acknowledge(log.append(numbered(first, first + size - 1), taken))


def main() -> None:
    encode_jpeg(EvidencePicture(PictureKind.DICE, noise()))  # initialises OpenCV before the first fork
    for line in sys.stdin:
        path, seed = line.rsplit(maxsplit=1)
        child = os.fork()
        if child == 0:
            acknowledge(os.getpid())
            go_on(Path(path), int(seed))
        os.waitpid(child, 0)
        acknowledge(0)


if __name__ == "__main__":
    main()
