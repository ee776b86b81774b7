"""The photographs that a log kept of a turn."""

from dataclasses import dataclass
from pathlib import Path

from controller.formats.match_model import PlayedTurn
from controller.match_log import MatchLogError, MatchRecord
from controller.match_log.replay import read_picture

_MOST_PICTURES_OF_TURN = 6


@dataclass(frozen=True, slots=True)
class EvidenceLoader:
    """Gives the JPEG files of a ruling; without those that were thrown away to save room."""

    record: MatchRecord
    path: Path

    def __call__(self, turn: PlayedTurn) -> tuple[bytes, ...]:
        if not 0 < turn.event <= len(self.record.logged):
            return ()
        pictures = self.record.logged[turn.event - 1].pictures
        found: list[bytes] = []
        for number in range(min(len(pictures), _MOST_PICTURES_OF_TURN)):
            try:
                content = read_picture(self.path, turn.event, number)
            except MatchLogError:
                continue
            if content is not None:
                found.append(content)
        return tuple(found)
