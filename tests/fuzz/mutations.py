"""Changes of an input: bytes flipped, cut, repeated, replaced by words of its kind, or taken from another seed."""

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

SHORT_S, LONG_S = 3.0, 300.0
"""Knobs: the duration of a run, and of one with --slow."""
MOST_BYTES = 20_000
_EDGES = (
    b"\0",
    b"\xff",
    b"\x1b[31m",
    b"\xe2\x80\xae",
    b"\n",
    b"\r",
    b'"',
    b"'",
    b"\\",
    b"9" * 400,
    b"-1",
    b"1e999",
    b"\xed\xa0\x80",
)


def draw_inputs(seeds: Sequence[bytes], words: Sequence[bytes], for_s: float) -> Iterator[bytes]:
    """Every seed as it is, then changed seeds until the time is up: in each run the same ones in one order."""
    end_s = time.monotonic() + for_s
    yield from seeds
    rng = Random(0)
    while time.monotonic() < end_s:
        yield mutated(rng.choice(seeds), seeds, words, rng)


def mutated(seed: bytes, others: Sequence[bytes], words: Sequence[bytes], rng: Random) -> bytes:
    """One to six changes; at most MOST_BYTES long."""
    content = bytearray(seed)
    for _ in range(rng.randint(1, 6)):
        rng.choice(_CHANGES)(content, others, words, rng)
    return bytes(content[:MOST_BYTES])


def _flip(content: bytearray, _others: Sequence[bytes], _words: Sequence[bytes], rng: Random) -> None:
    if content:
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def _cut(content: bytearray, _others: Sequence[bytes], _words: Sequence[bytes], rng: Random) -> None:
    at = rng.randint(0, len(content))
    del content[at : at + rng.choice((1, 2, 8, 60, len(content)))]


def _repeat(content: bytearray, _others: Sequence[bytes], _words: Sequence[bytes], rng: Random) -> None:
    at = rng.randint(0, len(content))
    part = bytes(content[at : at + rng.choice((1, 5, 40))])
    content[at:at] = part * rng.choice((1, 2, 30))


def _insert_word(content: bytearray, _others: Sequence[bytes], words: Sequence[bytes], rng: Random) -> None:
    at = rng.randint(0, len(content))
    content[at : at + rng.choice((0, 0, 1, 4))] = rng.choice((*words, *_EDGES))


def _insert_part_of_another(content: bytearray, others: Sequence[bytes], _words: Sequence[bytes], rng: Random) -> None:
    other = rng.choice(others)
    start, at = rng.randint(0, len(other)), rng.randint(0, len(content))
    content[at:at] = other[start : start + rng.choice((4, 40, 400))]


_Change = Callable[[bytearray, Sequence[bytes], Sequence[bytes], Random], None]
_CHANGES: tuple[_Change, ...] = (_flip, _flip, _cut, _repeat, _insert_word, _insert_word, _insert_part_of_another)
