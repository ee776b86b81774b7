"""One step of the referee in the making: the state so far, and the events emitted on the way to it."""

from dataclasses import dataclass, replace

from controller.match import CommandRefused, RefereeEvent
from controller.observing import BoardEvidence, Observation
from controller.refereeing.apply_events import apply_event
from controller.refereeing.perception import (
    BoardFindings,
    DiceLedger,
    Outages,
    PendingCondition,
    PendingThrow,
    PendingThrows,
    Perception,
    TurnTiming,
)
from controller.refereeing.state import Phase, RefereeState
from controller.rules import Player, ThrowKind


@dataclass(frozen=True, slots=True)
class Transition:
    """Handlers take a transition and return one that is further on. Each `with_…` replaces one part of `Perception`."""

    state: RefereeState
    events: tuple[RefereeEvent, ...] = ()

    @property
    def seen(self) -> Perception:
        return self.state.seen

    @property
    def now_ms(self) -> int:
        return self.state.seen.now_ms

    @property
    def board(self) -> BoardEvidence | None:
        """The last settled board."""
        return self.state.seen.view.board

    @property
    def waiting_throw(self) -> PendingThrow | None:
        """The throw that waits for the verdict on the turn before it."""
        return self.state.seen.throws.waiting

    @property
    def mover(self) -> Player:
        """The player on turn. RuntimeError before anybody is: such a phase must not ask."""
        if self.state.on_turn is None:
            raise RuntimeError(
                f"nobody is on turn in {self.state.phase.value}; GameStarted or OpeningThrown is missing"
            )
        return self.state.on_turn

    @property
    def is_playing_roll(self) -> bool:
        """Whether somebody plays his own roll: meanwhile its dice are pushed about."""
        due = self.state.due
        return self.state.phase is Phase.PLAYING and due is not None and due.kind is ThrowKind.ROLL

    def emit(self, *events: RefereeEvent) -> "Transition":
        """Appends the events and applies them to the state."""
        state = self.state
        for event in events:
            state = apply_event(state, event)
        return Transition(state, self.events + events)

    def refuse(self, command: object, reason: str) -> "Transition":
        return self.emit(CommandRefused(self.now_ms, type(command).__name__, reason))

    def with_seen(self, seen: Perception) -> "Transition":
        return replace(self, state=replace(self.state, seen=seen))

    def with_dice(self, dice: DiceLedger) -> "Transition":
        return self.with_seen(replace(self.seen, dice=dice))

    def with_throws(self, throws: PendingThrows) -> "Transition":
        return self.with_seen(replace(self.seen, throws=throws))

    def with_waiting_throw(self, throw: PendingThrow | None) -> "Transition":
        return self.with_throws(self.seen.throws.wait(throw))

    def with_findings(self, findings: BoardFindings) -> "Transition":
        return self.with_seen(replace(self.seen, findings=findings))

    def with_timing(self, timing: TurnTiming) -> "Transition":
        return self.with_seen(replace(self.seen, timing=timing))

    def with_outages(self, outages: Outages) -> "Transition":
        return self.with_seen(replace(self.seen, outages=outages))

    def with_pending(self, pending: PendingCondition | None) -> "Transition":
        return self.with_seen(replace(self.seen, pending=pending))

    def mark_blind(self) -> "Transition":
        """In this turn something may have been done that nobody saw."""
        return self.with_outages(self.seen.outages.mark_blind())

    def mark_inspected(self) -> "Transition":
        return self.with_findings(self.seen.findings.inspect(self.now_ms))


def update_perception(transition: Transition, seen: Observation) -> Transition:
    """Takes in what a frame shows; nothing is decided yet."""
    return transition.with_seen(transition.seen.observe(seen))
