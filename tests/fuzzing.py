"""Bounded fuzzing: the seeds of a corpus, changed at random, for as many seconds as a run allows.

The changes are drawn by a generator with a fixed seed, so each run tries the same inputs in the same order. An input that
fails becomes a seed of its corpus.
"""

import random
import time
from collections.abc import Iterator, Sequence

SHORT_S, LONG_S = 3.0, 300.0
"""Knobs: the duration of a run, and of one with --slow."""
_MOST_CHANGES = 4
_ODD = (
    b"\x00",
    b"\xff",
    b"\xc3\xa9",
    b"\xed\xa0\x80",
    b"\r\n",
    b"\n\n",
    b" ",
    b":",
    b",",
    b'"',
    b"\\",
    b"{",
    b"[" * 400,
)
_ODD_NUMBERS = (b"-1", b"0", b"4294967296", b"1e999", b"NaN", b"9" * 400, b"")


def fuzzed(seeds: Sequence[bytes], for_s: float) -> Iterator[bytes]:
    """Every seed as it is, then changed seeds until the time is up."""
    end_s = time.monotonic() + for_s
    yield from seeds
    drawn = random.Random(0)
    while time.monotonic() < end_s:
        content = drawn.choice(seeds)
        for _ in range(drawn.randint(1, _MOST_CHANGES)):
            content = drawn.choice(_CHANGES)(content, seeds, drawn)
        yield content


def _part_of(content: bytes, drawn: random.Random) -> tuple[int, int]:
    first = drawn.randint(0, len(content))
    return first, min(len(content), first + drawn.choice((1, 2, 8, 40)))


def _insert(content: bytes, _: Sequence[bytes], drawn: random.Random) -> bytes:
    at, _end = _part_of(content, drawn)
    return content[:at] + drawn.choice(_ODD) + content[at:]


def _overwrite(content: bytes, _: Sequence[bytes], drawn: random.Random) -> bytes:
    first, end = _part_of(content, drawn)
    return content[:first] + drawn.randbytes(end - first) + content[end:]


def _delete(content: bytes, _: Sequence[bytes], drawn: random.Random) -> bytes:
    first, end = _part_of(content, drawn)
    return content[:first] + content[end:]


def _repeat(content: bytes, _: Sequence[bytes], drawn: random.Random) -> bytes:
    first, end = _part_of(content, drawn)
    return content[:end] + content[first:end] * drawn.choice((1, 2, 50)) + content[end:]


def _cut_off(content: bytes, _: Sequence[bytes], drawn: random.Random) -> bytes:
    return content[: drawn.randint(0, len(content))]


def _join(content: bytes, seeds: Sequence[bytes], drawn: random.Random) -> bytes:
    other = drawn.choice(seeds)
    return content[: drawn.randint(0, len(content))] + other[drawn.randint(0, len(other)) :]


def _exchange_lines(content: bytes, _: Sequence[bytes], drawn: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    drawn.shuffle(lines)
    return b"".join(lines)


def _change_number(content: bytes, _: Sequence[bytes], drawn: random.Random) -> bytes:
    digits = [at for at, byte in enumerate(content) if 48 <= byte <= 57]
    if not digits:
        return content
    at = drawn.choice(digits)
    return content[:at] + drawn.choice(_ODD_NUMBERS) + content[at + 1 :]


_CHANGES = (_insert, _overwrite, _delete, _repeat, _cut_off, _join, _exchange_lines, _change_number)
