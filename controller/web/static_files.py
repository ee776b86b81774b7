"""The page's files: read once, served from memory by their exact names. No name from outside becomes a path."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """`tag` changes when the content does."""

    content: bytes
    gzipped: bytes
    media_type: str
    tag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """By their place below `static/`, as `texts/en.json`."""
    return dict(_collect_files(files("controller.web") / "static", ""))


def _collect_files(folder: Traversable, prefix: str) -> list[tuple[str, StaticFile]]:
    found: list[tuple[str, StaticFile]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _collect_files(entry, f"{prefix}{entry.name}/")
            continue
        media_type = _TYPES.get(entry.name.rpartition(".")[2])
        if media_type is not None:
            content = entry.read_bytes()
            tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            found.append(
                (f"{prefix}{entry.name}", StaticFile(content, gzip.compress(content, 6, mtime=0), media_type, tag))
            )
    return found
