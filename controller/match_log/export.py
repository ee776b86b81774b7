"""A match out of its database: all events as JSON lines, and the evidence as picture files.

JSON lines lose nothing but the pictures, and a reader can verify the chain again. The first line describes the match.
Every other line is an event with its number, the time it was written, the facts of its pictures and its hash (see
`chain.py`).
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from controller.match_log.errors import DamagedLogError, StorageError
from controller.match_log.picture import PictureKind
from controller.match_log.replay import LoggedEvent, MatchRecord, read_picture
from controller.match_log.schema import SCHEMA_VERSION
from controller.private_files import make_private_folder, write_private

_KINDS = frozenset(kind.value for kind in PictureKind)


def jsonl_lines(match: MatchRecord) -> Iterator[str]:
    """Lines without line ends. Text is not escaped, so the file needs an error handler for lone surrogates."""
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


def save_pictures(match: MatchRecord, path: Path, folder: Path) -> tuple[Path, ...]:
    """Writes every picture that was not pruned, named for its event: `000123-1-before.jpg`. Creates the folder.

    Raises DamagedLogError for a picture whose hash does not match, and StorageError.
    """
    saved = []
    try:
        make_private_folder(folder)
        for logged in match.logged:
            for number, picture in enumerate(logged.pictures):
                content = None if picture.is_pruned else read_picture(path, logged.sequence, number)
                if content is None:  # pruned, possibly after `match` was read
                    continue
                # The kind comes from the file; only a known one becomes part of a file name.
                if picture.digest.kind not in _KINDS or hashlib.sha256(content).digest() != picture.digest.sha256:
                    problem = f"picture {number + 1} of it is not one that was taken"
                    raise DamagedLogError(path, logged.sequence, problem)
                file = folder / f"{logged.sequence:06}-{number + 1}-{picture.digest.kind}.jpg"
                write_private(file, content)
                saved.append(file)
    except (DamagedLogError, StorageError):
        raise
    except OSError as error:
        raise StorageError(folder, error.strerror or str(error), "name another folder") from error
    return tuple(saved)
