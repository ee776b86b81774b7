"""Records as Delphi lays them out: each field begins at a multiple of its own size, and gaps are filled with zeros.

So a record is given by the order of its fields alone, and the same table reads and writes it. Numbers are little-endian.
"""

import math
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from controller.formats.variations import NotForThisGameError

Value = float | str | bytes | tuple[float, ...]
_DAY_ZERO = datetime(1899, 12, 30, tzinfo=UTC)  # Delphi counts days from here
_MOST_DAYS = 73_050.0  # 200 years


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a field: `code` as `struct` knows it, `size` and `alignment` in bytes."""

    code: str
    size: int
    alignment: int


BOOLEAN = BYTE = Kind("B", 1, 1)
INTEGER = Kind("i", 4, 4)
UNSIGNED = Kind("I", 4, 4)
SINGLE = Kind("f", 4, 4)
DOUBLE = Kind("d", 8, 8)
SMALL = Kind("h", 2, 2)
SHORT = Kind("b", 1, 1)


def short_text(most: int) -> Kind:
    """`string[most]`: a byte with the length, then as many characters of Windows-1252."""
    return Kind("ansi", most + 1, 1)


def wide_text(characters: int) -> Kind:
    """UTF-16 up to a zero, in a field of `characters` code units."""
    return Kind("wide", 2 * characters, 2)


def array_of(kind: Kind, count: int) -> Kind:
    return Kind(f"{count}{kind.code}", count * kind.size, kind.alignment)


def opaque(size: int, alignment: int) -> Kind:
    """Bytes that are passed on as they are."""
    return Kind(f"{size}s", size, alignment)


class RecordLayout:
    """Named fields in the order of the record; the first begins at or after byte `start`."""

    def __init__(self, fields: tuple[tuple[str, Kind], ...], *, start: int = 0, size: int | None = None) -> None:
        self._places: dict[str, tuple[int, Kind]] = {}
        at = start
        for name, kind in fields:
            at += -at % kind.alignment
            self._places[name] = at, kind
            at += kind.size
        self.size = at if size is None else size

    def number(self, record: bytes, name: str) -> int:
        """A whole number. A record that is too short raises `struct.error`, here and below."""
        return int(self._unpack(record, name)[0])

    def numbers(self, record: bytes, name: str) -> tuple[int, ...]:
        return tuple(map(int, self._unpack(record, name)))

    def real(self, record: bytes, name: str) -> float:
        return float(self._unpack(record, name)[0])

    def reals(self, record: bytes, name: str) -> tuple[float, ...]:
        return self._unpack(record, name)

    def part(self, record: bytes, name: str) -> bytes:
        """The bytes of a field, for a layout of its own."""
        at, kind = self._places[name]
        return record[at : at + kind.size]

    def text(self, record: bytes, name: str) -> str:
        at, kind = self._places[name]
        if kind.code == "wide":
            return record[at : at + kind.size].decode("utf-16-le", errors="replace").partition("\0")[0]
        (length,) = struct.unpack_from("<B", record, at)
        return record[at + 1 : at + 1 + min(length, kind.size - 1)].decode("cp1252", errors="replace")

    def _unpack(self, record: bytes, name: str) -> tuple[int | float, ...]:
        at, kind = self._places[name]
        return struct.unpack_from(f"<{kind.code}", record, at)

    def write(self, values: dict[str, Value]) -> bytes:
        """The record; fields without a value are zero. Text that is too long is cut. Raises NotForThisGameError."""
        record = bytearray(self.size)
        for name, value in values.items():
            at, kind = self._places[name]
            try:
                record[at : at + kind.size] = _encode(kind, value)
            except struct.error:
                raise NotForThisGameError(f"{name}: the format has no place for {str(value)[:40]}") from None
        return bytes(record)


def to_days(at: datetime) -> float:
    """The time as Delphi stores it: days and their fractions."""
    return (at.replace(tzinfo=UTC) - _DAY_ZERO) / timedelta(days=1)


def from_days(days: float) -> datetime | None:
    """None where no time was stored."""
    if not math.isfinite(days) or not 1 <= days <= _MOST_DAYS:
        return None
    return _DAY_ZERO + timedelta(seconds=round(days * 86_400))


def _encode(kind: Kind, value: Value) -> bytes:
    if isinstance(value, str):
        if kind.code == "wide":
            return _encode_wide(value, kind.size)
        text = value.encode("cp1252", errors="replace")[: kind.size - 1]
        return (bytes([len(text)]) + text).ljust(kind.size, b"\0")
    return struct.pack(f"<{kind.code}", *(value if isinstance(value, tuple) else (value,)))


def _encode_wide(text: str, size: int) -> bytes:
    """The text without half a character at its end, and at least one zero after it."""
    units = text.encode("utf-16-le", errors="replace")[: size - 2]
    return units.decode("utf-16-le", errors="ignore").encode("utf-16-le").ljust(size, b"\0")
