"""The hash chain: each event is sealed together with the one before, so that nothing can be changed, moved or taken out.

    hash of event n = SHA-256 of the JSON list [hash of event n - 1, n, written_utc, at_ms, text, pictures]

where pictures is a list of [kind, width, height, bytes, SHA-256]. Before the first event stands the hash of what the
match is. Pictures enter with their hashes: one may be thrown away to save room, and the chain still holds. The chain
finds mishaps and clumsy hands; whoever writes all of it anew is not found, unless the last hash was noted elsewhere.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What a match is from its first moment; `created_utc` in ISO 8601."""

    match_id: str
    game: str
    created_utc: str


@dataclass(frozen=True, slots=True)
class PictureDigest:
    """What of a picture the chain covers."""

    kind: str
    width_px: int
    height_px: int
    n_bytes: int
    sha256: bytes


@dataclass(frozen=True, slots=True)
class ChainRow:
    """An event as it is kept, without its hash; `sequence` counts from 1, `written_utc` in ISO 8601."""

    sequence: int
    written_utc: str
    at_ms: int
    text: str
    pictures: tuple[PictureDigest, ...]


def first_link(facts: MatchFacts, schema_version: int) -> bytes:
    """Stands where the first event has no other before it."""
    return _hash_values([schema_version, facts.match_id, facts.game, facts.created_utc])


def next_link(previous: bytes, row: ChainRow) -> bytes:
    """The hash of the event that follows the one of hash `previous`."""
    pictures = [[one.kind, one.width_px, one.height_px, one.n_bytes, one.sha256.hex()] for one in row.pictures]
    return _hash_values([previous.hex(), row.sequence, row.written_utc, row.at_ms, row.text, pictures])


def _hash_values(values: Sequence[object]) -> bytes:
    return hashlib.sha256(json.dumps(values, separators=(",", ":")).encode("ascii")).digest()
