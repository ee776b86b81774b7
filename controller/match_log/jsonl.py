"""A match as JSON lines: nothing is lost but the pictures themselves, and whoever reads it can walk the chain again.

The first line says what the match is, each further line is an event with its number, when it was written, what is known
of its pictures, and its hash (`chain.py` says of what).
"""

import json
from collections.abc import Iterator

from controller.match_log.replay import LoggedEvent, MatchRecord
from controller.match_log.schema import SCHEMA_VERSION


def jsonl_lines(match: MatchRecord) -> Iterator[str]:
    """Without line ends. Text is as it is; only what is no Unicode would need a file that writes escapes for it."""
    facts = match.facts
    head = {"zarbiter_match": SCHEMA_VERSION, "match": facts.match_id, "game": facts.game, "created": facts.created_utc}
    yield json.dumps(head, ensure_ascii=False)
    for logged in match.logged:
        yield json.dumps(_record(logged), ensure_ascii=False)


def _record(logged: LoggedEvent) -> dict[str, object]:
    pictures = [
        {
            "kind": one.digest.kind,
            "width_px": one.digest.width_px,
            "height_px": one.digest.height_px,
            "bytes": one.digest.n_bytes,
            "sha256": one.digest.sha256.hex(),
            "pruned": one.is_pruned,
        }
        for one in logged.pictures
    ]
    return {
        "sequence": logged.sequence,
        "written": logged.written_utc,
        "event": json.loads(logged.text),
        "pictures": pictures,
        "hash": logged.hash.hex(),
    }
