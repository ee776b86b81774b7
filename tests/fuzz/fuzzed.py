"""A kind of input: its seeds, the words it is made of, and what reads it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.fuzz.mutations import mutated

CORPUS = Path(__file__).parent / "corpus"
MOST_SENTENCE = 1_000  # characters; a sentence with all games or keys in it has 600

Reader = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """`open` gives the reader, which passes over refusals: whatever it raises is a fault."""

    name: str
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...]
    open: Callable[[Path], AbstractContextManager[Reader]]

    def draw(self, rng: Random) -> bytes:
        """One changed seed."""
        return mutated(rng.choice(self.seeds), self.seeds, self.words, rng)


def seeds_of(name: str) -> tuple[bytes, ...]:
    """The kept inputs of a kind: some as they should be, and each that once was a fault."""
    return tuple(file.read_bytes() for file in sorted((CORPUS / name).iterdir()))


@contextmanager
def refusing(*refusals: type[Exception]) -> Iterator[None]:
    """Passes over refusals, each of which must be one sentence of bounded length."""
    try:
        yield
    except refusals as error:
        for sentence in getattr(error, "problems", (str(error),)):
            if not 0 < len(sentence) <= MOST_SENTENCE:
                raise AssertionError(f"this is no sentence: {sentence[:200]!r}") from error
