"""The evidence of a match as picture files."""

import hashlib
from pathlib import Path

from controller.match_log.errors import DamagedLogError, StorageError
from controller.match_log.picture import PictureKind
from controller.match_log.replay import MatchRecord, read_picture

_KINDS = frozenset(kind.value for kind in PictureKind)


def save_pictures(match: MatchRecord, path: Path, folder: Path) -> tuple[Path, ...]:
    """Every picture that is still there, named for its event: `000123-1-before.jpg`. The folder is made.

    Raises DamagedLogError for a picture that is not the one that was taken, and StorageError.
    """
    saved = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for logged in match.logged:
            for number, picture in enumerate(logged.pictures):
                content = None if picture.is_pruned else read_picture(path, logged.sequence, number)
                if content is None:  # thrown away, perhaps just now
                    continue
                # What the file calls a picture becomes a name on this disk only if we know it.
                if picture.digest.kind not in _KINDS or hashlib.sha256(content).digest() != picture.digest.sha256:
                    raise DamagedLogError(
                        path, logged.sequence, f"picture {number + 1} of it is not one that was taken"
                    )
                file = folder / f"{logged.sequence:06}-{number + 1}-{picture.digest.kind}.jpg"
                file.write_bytes(content)
                saved.append(file)
    except (DamagedLogError, StorageError):
        raise
    except OSError as error:
        raise StorageError(folder, error.strerror or str(error), "name another folder") from error
    return tuple(saved)
