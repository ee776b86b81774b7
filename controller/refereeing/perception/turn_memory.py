"""What the camera showed since the position was last certain, for a belief that is needed only when a turn stays open."""

from collections.abc import Set
from dataclasses import dataclass, field, replace

from controller.adjudication import Belief
from controller.observing import BoardEvidence, Observation, SeenThrow, TurnWatch

MOST_NEWS = 64
"""Throws and boards that are kept, some kilobytes each; a turn that stays open for longer is not explained any more."""


@dataclass(frozen=True, slots=True)
class TurnMemory:
    """Throws and boards between turns in order of time; a board holds since when its places are read as they are. `belief`: what follows from those before `news`, if it was asked."""

    watch: TurnWatch = field(default_factory=TurnWatch)
    news: tuple[SeenThrow | BoardEvidence, ...] = ()
    belief: Belief | None = None

    @property
    def has_throw(self) -> bool:
        """Whether there is news to weigh, with a throw in it or before it."""
        return bool(self.news) and (self.belief is not None or any(isinstance(one, SeenThrow) for one in self.news))

    def observe(self, seen: Observation) -> "TurnMemory":
        watch, found = self.watch.with_observation(seen)
        if not found:
            return self if watch is self.watch else replace(self, watch=watch)
        news = self.news
        for one in found:
            if isinstance(one, SeenThrow):
                news = (*news, one)
                continue
            has_throw = any(isinstance(each, SeenThrow) for each in news)
            last = news[-1] if news else one
            is_alike = _read_alike(last, one)
            since_ms = last.since_ms if isinstance(last, BoardEvidence) and is_alike else one.taken_ms
            is_new = has_throw and not is_alike
            news = (*(news if is_new else news[:-1]), replace(one, picture=None, since_ms=since_ms))
        if len(news) > MOST_NEWS:
            return TurnMemory(watch)
        return TurnMemory(watch, news, self.belief)

    def weigh(self, belief: Belief) -> "TurnMemory":
        """The memory with the belief after all news."""
        return TurnMemory(self.watch, (), belief)

    def forget(self, numbers: Set[int]) -> "TurnMemory":
        """A turn is judged: only the throw with these dice and what followed it are of the next one."""
        later = (
            number for number, one in enumerate(self.news) if isinstance(one, SeenThrow) and one.numbers & set(numbers)
        )
        first = next(later, len(self.news))
        return TurnMemory(self.watch, self.news[first:])


def _read_alike(one: SeenThrow | BoardEvidence, other: BoardEvidence) -> bool:
    """Whether both are boards whose places are read alike."""
    if isinstance(one, SeenThrow):
        return False
    first, second = (board.points.reshape(len(board.points), -1).argmax(axis=1) for board in (one, other))
    return bool((first == second).all()) and one.bar.argmax() == other.bar.argmax()
