"""The hash chain: the hash of each event includes the hash of the event before it.

    hash of event n = SHA-256 of the JSON list [hash of event n - 1, n, written_utc, at_ms, text, pictures]

`pictures` is a list of [kind, width, height, bytes, SHA-256]. The predecessor of the first event is the hash of the
facts of the match. Pictures enter by their hashes, so the chain still holds when a picture is pruned to save space. The
chain detects accidents and simple manipulation. It cannot detect a chain that was rewritten completely, unless the last
hash was noted elsewhere.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from controller.match_log.errors import EventTextError

_MOST_MS = 2**63 - 1  # an integer of SQLite


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """The facts of a match that never change. `created_utc` is ISO 8601."""

    match_id: str
    game: str
    created_utc: str


@dataclass(frozen=True, slots=True)
class PictureDigest:
    """The part of a picture that the chain covers."""

    kind: str
    width_px: int
    height_px: int
    n_bytes: int
    sha256: bytes


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A stored event without its hash. `sequence` counts from 1, `written_utc` is ISO 8601.

    Raises EventTextError for a time that no file can hold.
    """

    sequence: int
    written_utc: str
    at_ms: int
    text: str
    pictures: tuple[PictureDigest, ...]

    def __post_init__(self) -> None:
        if not -_MOST_MS <= self.at_ms <= _MOST_MS:
            raise EventTextError(str(self.sequence)[:20], "at_ms", "this time is beyond what a match can last")


def first_link(facts: MatchFacts, schema_version: int) -> bytes:
    """The hash that takes the place of a predecessor for the first event."""
    return _hash_values([schema_version, facts.match_id, facts.game, facts.created_utc])


def next_link(previous: bytes, row: ChainRow) -> bytes:
    """The hash of an event whose predecessor has the hash `previous`."""
    pictures = [[one.kind, one.width_px, one.height_px, one.n_bytes, one.sha256.hex()] for one in row.pictures]
    return _hash_values([previous.hex(), row.sequence, row.written_utc, row.at_ms, row.text, pictures])


def _hash_values(values: Sequence[object]) -> bytes:
    return hashlib.sha256(json.dumps(values, separators=(",", ":")).encode("ascii")).digest()
