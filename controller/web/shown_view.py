"""What a viewer may see: the operator the present moment, a spectator the moment `delay_s` ago.

Everything that leaves over the page is taken from a `PageView`: the state, the events up to its number, their pictures, the stage
of the program and the match itself. So a spectator cannot learn from any answer what is shown to nobody yet, and a match that
ended or was followed by another one is still seen to its end.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.refereeing.match_config import MatchConfig
from controller.web.bodies import Record, RequestRefusedError, problem
from controller.web.match.live_match import LiveMatch, Snapshot
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.set_up.program_control import ProgramStage

_MOST_MOMENTS = 1_000  # of 12 kB each, twice as many at worst
_LEAST_SPACING_S = 0.1  # a viewer gets no more states than this

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True, eq=False)
class PageView:
    """One moment of the page. `newest` is the last state and the number of the last event that may be seen."""

    match: LiveMatch
    newest: Snapshot
    table: MatchConfig
    replay: ReplayedMatch | None
    stage: ProgramStage
    program: Record

    def with_whole_log(self) -> "PageView":
        """Of a recorded match every event may be seen, wherever the operator stands in it."""
        return self if self.replay is None else replace(self, newest=self.match.newest)


def refuse_early(wait_s: int) -> RequestRefusedError:
    """The refusal of a spectator's request before the first moment is old enough."""
    return problem(503, "Spectators see this page later; wait.", wait_s)


class DelayedViews:
    """The moments of the last `delay_s` seconds, at most `2 * _MOST_MOMENTS` of them and one for each change of the match.

    Nothing is known of the time before this object was made: after a restart the first moment is due after a whole delay.
    """

    def __init__(self, delay_s: float) -> None:
        self.delay_s = delay_s
        self._spacing_s = max(_LEAST_SPACING_S, delay_s / _MOST_MOMENTS)
        self._kept: deque[tuple[float, PageView]] = deque()

    def record(self, view: PageView, now_s: float) -> None:
        """Of moments that follow each other closely the last one is kept, with its own time; that of a match that is
        replaced by another stays.
        """
        self._drop_old(now_s)
        kept = self._kept
        is_close = len(kept) > 1 and now_s - kept[-2][0] < self._spacing_s
        if is_close and kept[-1][1].match is view.match:
            kept.pop()
        kept.append((now_s, view))

    def get_due(self, now_s: float) -> PageView | None:
        """The newest moment that is `delay_s` old; None where none is yet."""
        self._drop_old(now_s)
        return self._kept[0][1] if self._kept and self._is_due(0, now_s) else None

    def seconds_to_next(self, now_s: float) -> float | None:
        """The time until the next moment is due; None where no other one follows."""
        self._drop_old(now_s)
        following = 1 if self._kept and self._is_due(0, now_s) else 0
        return self._kept[following][0] + self.delay_s - now_s if len(self._kept) > following else None

    def __len__(self) -> int:
        return len(self._kept)

    def _is_due(self, index: int, now_s: float) -> bool:
        return self._kept[index][0] + self.delay_s <= now_s

    def _drop_old(self, now_s: float) -> None:
        while len(self._kept) > 1 and self._is_due(1, now_s):
            self._kept.popleft()
