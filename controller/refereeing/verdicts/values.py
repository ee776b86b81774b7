"""What the referee concludes about a finished turn: a legal play, an illegal board, or a question."""

from dataclasses import dataclass, field

from controller.rules import Rule

AMBIGUOUS_PLAYS = "Several plays look alike to the camera; say which one it was, or show the doubtful points."


@dataclass(frozen=True, slots=True)
class LegalVerdict:
    """A legal play; the texts are those of `PlayMade`. `inferred`: places that were not seen; `next_best`: the play that
    comes next, `odds` times less likely, or "".
    """

    play: str
    after: str
    follow: str
    inferred: tuple[str, ...] = ()
    next_best: str = ""
    odds: int = 0


@dataclass(frozen=True, slots=True)
class IllegalVerdict:
    """A board that no legal play explains.

    `after` is "" where the board has no position text. `take_back`, `belongs`: places with a checker too many, and
    places that lack one. `is_unchanged`: nothing was played yet, although a play is possible. `is_sure`: what stands on
    the board is certain; that it is illegal is certain in any case.
    """

    after: str
    rules: tuple[Rule, ...]
    sentences: tuple[str, ...]
    take_back: tuple[str, ...] = ()
    belongs: tuple[str, ...] = ()
    is_unchanged: bool = False
    is_sure: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class UnclearVerdict:
    """A question. `options`: the possible plays; `afters`: the boards they lead to; `places`: what is in doubt."""

    options: tuple[str, ...]
    afters: tuple[str, ...]
    places: tuple[str, ...]
    sentence: str


PlayVerdict = LegalVerdict | IllegalVerdict | UnclearVerdict
