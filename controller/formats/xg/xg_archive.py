"""The container of eXtreme Gammon's files: a header, a small picture of the board, then an archive of zlib streams.

The archive ends with a record of 36 bytes that says how many bytes its index and its files have; the index names the
files. `temp.xg` holds the match and `temp.xgc` the comments; rollouts and the picture are never unpacked.
"""

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from controller.formats.limits import MOST_UNPACKED_XG_BYTES
from controller.formats.transcript import UnreadableFileError
from controller.formats.xg.delphi_records import (
    BYTE,
    INTEGER,
    UNSIGNED,
    RecordLayout,
    opaque,
    short_text,
    wide_text,
)

XG_BEGINNING = b"RGMH"
MATCH_FILE, INDEX_FILE, COMMENTS_FILE = "temp.xg", "temp.xgi", "temp.xgc"
_BYTES = opaque  # the header is packed: its fields have no gaps
_HEADER = RecordLayout(
    (
        ("magic", _BYTES(4, 1)),
        ("version", _BYTES(4, 1)),
        ("size", _BYTES(4, 1)),
        ("picture_at", _BYTES(8, 1)),
        ("picture_bytes", _BYTES(4, 1)),
        ("id", _BYTES(16, 1)),
        ("game", wide_text(1024)),
        ("saved", wide_text(1024)),
        ("level", wide_text(1024)),
        ("comments", wide_text(1024)),
    )
)
_TRAILER = RecordLayout(
    (
        ("crc", UNSIGNED),
        ("files", INTEGER),
        ("version", INTEGER),
        ("index_bytes", INTEGER),
        ("files_bytes", INTEGER),
        ("is_index_packed", INTEGER),
        ("reserved", opaque(12, 1)),
    )
)
_ENTRY = RecordLayout(
    (
        ("name", short_text(255)),
        ("path", short_text(255)),
        ("bytes", INTEGER),
        ("packed_bytes", INTEGER),
        ("begin", INTEGER),
        ("crc", UNSIGNED),
        ("is_stored", BYTE),
        ("compression", BYTE),
        ("padding", opaque(2, 1)),
    )
)
_MOST_FILES = 16  # programs write four
_DAMAGED = (
    "it is an eXtreme Gammon file that is damaged or cut off: {}; copy it anew, or export match text (.mat) there"
)


@dataclass(frozen=True, slots=True)
class _ArchiveSpan:
    """Where the files of an archive begin, and the unpacked index."""

    begin: int
    index: bytes
    n_files: int


def unpack_archive(content: bytes) -> Mapping[str, bytes]:
    """The match and the comments of a file, by their names. Raises UnreadableFileError with the remedy."""
    try:
        span = _find_span(content)
        entries = [span.index[at : at + _ENTRY.size] for at in range(0, span.n_files * _ENTRY.size, _ENTRY.size)]
        wanted = {_ENTRY.text(entry, "name").lower(): entry for entry in entries}
        files = {
            name: _unpack_file(content, span.begin, wanted[name])
            for name in (MATCH_FILE, COMMENTS_FILE)
            if name in wanted
        }
    except (struct.error, zlib.error) as error:
        raise UnreadableFileError(_DAMAGED.format(f"its archive cannot be unpacked ({error})")) from None
    if MATCH_FILE not in files:
        raise UnreadableFileError(_DAMAGED.format("its archive has no match"))
    return files


def pack_archive(files: Mapping[str, bytes], *, match_id: bytes, name: str) -> bytes:
    """A whole file of these parts, without a picture. `match_id` has 16 bytes."""
    entries, parts, begin = [], [], 0
    for part_name, part in files.items():
        packed = zlib.compress(part)
        entries.append(
            _ENTRY.write(
                {
                    "name": part_name,
                    "bytes": len(part),
                    "packed_bytes": len(packed),
                    "begin": begin,
                    "crc": zlib.crc32(part),
                    "compression": 6,
                }
            )
        )
        parts.append(packed)
        begin += len(packed)
    index = zlib.compress(b"".join(entries))
    archive = b"".join((*parts, index))
    trailer = _TRAILER.write(
        {
            "crc": zlib.crc32(archive),
            "files": len(entries),
            "version": 1,
            "index_bytes": len(index),
            "files_bytes": begin,
            "is_index_packed": 1,
        }
    )
    header = _HEADER.write(
        {
            "magic": XG_BEGINNING,
            "version": struct.pack("<I", 1),
            "size": struct.pack("<I", _HEADER.size),
            "id": match_id,
            "game": "eXtreme Gammon",
            "saved": name,
        }
    )
    return header + archive + trailer


def _find_span(content: bytes) -> _ArchiveSpan:
    if len(content) < _HEADER.size + _TRAILER.size:
        raise UnreadableFileError(_DAMAGED.format(f"it has only {len(content):,} bytes"))
    end = len(content) - _TRAILER.size
    trailer = content[end:]
    n_files, index_bytes, files_bytes, is_packed = (
        _TRAILER.number(trailer, name) for name in ("files", "index_bytes", "files_bytes", "is_index_packed")
    )
    index_at = end - index_bytes
    begin = index_at - files_bytes
    if not (0 < n_files <= _MOST_FILES and _HEADER.size <= begin <= index_at <= end):
        raise UnreadableFileError(_DAMAGED.format("its archive does not fit into it"))
    if zlib.crc32(content[begin:end]) != _TRAILER.number(trailer, "crc"):
        raise UnreadableFileError(_DAMAGED.format("its checksum is wrong"))
    index = content[index_at:end]
    return _ArchiveSpan(begin, _unpack(index, n_files * _ENTRY.size) if is_packed else index, n_files)


def _unpack_file(content: bytes, begin: int, entry: bytes) -> bytes:
    size, packed_size, at = (_ENTRY.number(entry, name) for name in ("bytes", "packed_bytes", "begin"))
    if min(size, packed_size, at) < 0 or begin + at + packed_size > len(content):
        raise UnreadableFileError(_DAMAGED.format("a file of its archive does not fit into it"))
    if size > MOST_UNPACKED_XG_BYTES:
        raise UnreadableFileError(
            f"its match has {size // 1_000_000} MB unpacked, more than {MOST_UNPACKED_XG_BYTES // 1_000_000} MB; no match is so long"
        )
    packed = content[begin + at : begin + at + packed_size]
    part = packed if _ENTRY.number(entry, "is_stored") else _unpack(packed, size)
    if len(part) != size or zlib.crc32(part) != _ENTRY.number(entry, "crc"):
        raise UnreadableFileError(_DAMAGED.format("the checksum of its match is wrong"))
    return part


def _unpack(packed: bytes, size: int) -> bytes:
    """At most `size` bytes, so that a small file cannot fill the memory. Raises `zlib.error`."""
    return zlib.decompressobj().decompress(packed, size) if size else b""
