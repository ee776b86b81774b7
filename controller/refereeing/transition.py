"""One step of the referee in the making: the state so far, and what was told on the way to it."""

from dataclasses import dataclass, replace
from typing import Any

from controller.match.events import CommandRefused, RefereeEvent
from controller.observing.observation import Observation
from controller.observing.observe import DEFAULT_OBSERVE_LIMITS
from controller.refereeing.apply_events import apply_event
from controller.refereeing.state import Perception, Phase, RefereeState
from controller.rules import Player, ThrowKind
from vision.dice.readings import CubePlace, DieState
from vision.dice_tracking.events import DieMoved

# For so long a board rests until dice that lie there, or were taken away, are told.
REPORTED_WITHIN_MS = DEFAULT_OBSERVE_LIMITS.dice.one_lifted_ms + DEFAULT_OBSERVE_LIMITS.rest_ms
_SURELY_REPORTED_WITHIN_MS = 5000


@dataclass(frozen=True, slots=True)
class Transition:
    """Handlers take one and give one back, further on."""

    state: RefereeState
    events: tuple[RefereeEvent, ...] = ()

    @property
    def now_ms(self) -> int:
        return self.state.seen.now_ms

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
        """Whether somebody plays what he threw himself: meanwhile its dice are pushed about."""
        due = self.state.due
        return self.state.phase is Phase.PLAYING and due is not None and due.kind is ThrowKind.ROLL

    def emit(self, *events: RefereeEvent) -> "Transition":
        """With these events, which are carried out at once."""
        state = self.state
        for event in events:
            state = apply_event(state, event)
        return Transition(state, self.events + events)

    def with_perception(self, **changes: Any) -> "Transition":
        """With other awareness; the names are those of `Awareness`."""
        return replace(self, state=replace(self.state, seen=replace(self.state.seen, **changes)))

    def refuse(self, command: object, reason: str) -> "Transition":
        return self.emit(CommandRefused(self.now_ms, type(command).__name__, reason))


def update_perception(course: Transition, seen: Observation) -> Transition:
    """Aware of what a frame shows; nothing is decided yet."""
    return course.with_perception(
        now_ms=max(course.now_ms, seen.taken_ms),
        glimpse=seen.frame_evidence,
        board=seen.board if seen.board is not None else course.state.seen.board,
        camera_up=True,
        hand_in_view=seen.hand_in_view,
        is_moving=seen.is_moving,
        dice=seen.dice,
        laid_beside=_update_laid_beside(course.state.seen, seen),
        dice_before_blind=_keep_untouched(course.state.seen.dice_before_blind, seen),
        cube_path=_extend_cube_path(course.state.seen.cube_path, seen),
        lay_before_start=course.state.seen.lay_before_start and not _is_surely_bare(seen),
        bare_since_start=course.state.seen.bare_since_start or _is_bare(seen),
    )


def _update_laid_beside(known: Perception, seen: Observation) -> tuple[int, ...]:
    """One of the roll that is hidden there for a while stays one of them."""
    ways = {event.die.number: event.now for event in seen.dice_events if isinstance(event, DieMoved)}
    kept = {*known.own_dice, *(die.number for die in seen.dice)}.difference(ways).intersection(known.laid_beside)
    return (*sorted(kept), *(number for number, now in ways.items() if now.lies is DieState.OFF_BOARD))


def _keep_untouched(dice: tuple[int, ...], seen: Observation) -> tuple[int, ...]:
    """None where anything happened to any of them."""
    return dice if seen.has_unchanged_dice(set(dice)) else ()


def _is_bare(seen: Observation) -> bool:
    """Whether a settled board shows nothing that looks like a die."""
    return seen.board is not None and not seen.dice and not seen.perhaps_more_dice


def _is_surely_bare(seen: Observation) -> bool:
    """Whether no dice lie there: for as long as they need to be told, or for far longer where something always looks like one."""
    if seen.board is None or seen.dice:
        return False
    rested_ms = seen.taken_ms - seen.board.since_ms
    return rested_ms > (REPORTED_WITHIN_MS if _is_bare(seen) else _SURELY_REPORTED_WITHIN_MS)


def _extend_cube_path(path: tuple[CubePlace, ...], seen: Observation) -> tuple[CubePlace, ...]:
    """Two places are enough to tell that the cube was moved, and where to; in a hand it lies nowhere."""
    if seen.cube is None or seen.hand_in_view or (path and path[-1] is seen.cube.place):
        return path
    return (*path[-1:], seen.cube.place)
