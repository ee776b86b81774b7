"""Camera and storage, lost and back, the restart of the program, and what nobody can know because of them."""

from dataclasses import dataclass, replace

from controller.match import PeripheralEvent
from controller.observing import DEFAULT_OBSERVE_LIMITS, Observation

LEAST_TURN_MS = 3000
"""Time in ms in which nobody throws, plays and lifts his dice before the next throw comes to rest. Physical: dice roll for
most of a second, twice, and two checkers are carried. A higher value overlooks missed turns, a lower one asks more."""
# How long a board rests, in ms, until the tracker has reported dice that lie there or were taken away.
REPORTED_WITHIN_MS = DEFAULT_OBSERVE_LIMITS.dice.one_lifted_ms + DEFAULT_OBSERVE_LIMITS.rest_ms
# The same time in ms where something in view always resembles a die. Knob: a longer time asks about more throws.
_SURELY_REPORTED_WITHIN_MS = 5000


@dataclass(frozen=True, slots=True)
class Outages:
    """What was interrupted, and what may have happened unseen.

    `storage_up`: events can be saved; otherwise nothing is decided. `missed`: the last event of each peripheral while
    nothing could be saved. `was_blind`: in the turn that is played or judged there was a time that nobody watched.
    `perhaps_missed_turn`: a whole turn might have been played since the board was last seen as the log has it, before the
    roll of the present turn or since then. `seen_again_ms`: when watching began again. `lay_before_start`: dice that settle may have lain there before the
    program was restarted. `bare_since_start`: since then a settled board showed nothing that looked like a die.
    """

    storage_up: bool = True
    camera_up: bool = True
    missed: tuple[PeripheralEvent, ...] = ()
    was_blind: bool = False
    perhaps_missed_turn: bool = False
    seen_again_ms: int = 0
    lay_before_start: bool = False
    bare_since_start: bool = False

    def observe(self, seen: Observation) -> "Outages":
        """A frame came, so the camera is up; a bare board ends the doubts of the restart."""
        return replace(
            self,
            camera_up=True,
            lay_before_start=self.lay_before_start and not _is_surely_bare(seen),
            bare_since_start=self.bare_since_start or _is_bare(seen),
        )

    def mark_blind(self) -> "Outages":
        return replace(self, was_blind=True)

    def restore_trust(self) -> "Outages":
        return replace(self, was_blind=False)

    def miss_turn(self, *, is_missed: bool) -> "Outages":
        """A roll was made, or the board was seen as the log has it although a turn seemed to be missed."""
        return replace(self, perhaps_missed_turn=is_missed)

    def begin_turn(self) -> "Outages":
        """The turn is judged, or a game begins: nothing of it is in doubt."""
        return replace(self, was_blind=False, perhaps_missed_turn=False)

    def watch_again(self, now_ms: int) -> "Outages":
        """After an interruption: dice that lie there may be the same or others."""
        return replace(self, was_blind=True, seen_again_ms=now_ms)

    def settle_start(self) -> "Outages":
        """A throw was made since the restart."""
        return replace(self, lay_before_start=False)

    def with_camera(self, *, is_up: bool) -> "Outages":
        return replace(self, camera_up=is_up)

    def with_storage(self, *, is_up: bool) -> "Outages":
        return replace(self, storage_up=is_up)

    def miss(self, event: PeripheralEvent) -> "Outages":
        """An event that cannot be saved; only the last one of each peripheral is kept."""
        others = tuple(known for known in self.missed if known.peripheral is not event.peripheral)
        return replace(self, missed=(*others, event))

    def report_missed(self) -> "Outages":
        return replace(self, missed=())


def _is_bare(seen: Observation) -> bool:
    """Whether a settled board shows nothing that looks like a die."""
    return seen.board is not None and not seen.dice and not seen.perhaps_more_dice


def _is_surely_bare(seen: Observation) -> bool:
    """Whether no dice lie there: the board has rested for long enough that the tracker would have reported them."""
    if seen.board is None or seen.dice:
        return False
    rested_ms = seen.taken_ms - seen.board.since_ms
    return rested_ms > (REPORTED_WITHIN_MS if _is_bare(seen) else _SURELY_REPORTED_WITHIN_MS)
