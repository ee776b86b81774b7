"""The simulated table as the loop sees it: frames, orders and what became of links, in the order of time.

Nobody waits: the times are those of the film. The table keeps what truly happened for the comparison, and a person who
knows the truth sits at it: when the referee asks, he answers, as somebody at the page would.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from controller.match.commands import ChoosePlay, Command, CorrectBoard, CorrectRoll
from controller.match.events import BoardDiffers, PlayUnclear, RefereeEvent, ThrowUnclear
from controller.match.inputs import PeripheralEvent, Tick
from controller.refereeing.state import RefereeState
from controller.rules import Player
from controller.simulation.filmed.snapshots import FrameRates, TableSnapshot, take_snapshots
from controller.simulation.staging.beats import Cue
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.script_context import Happening
from controller.simulation.staging.truth import TrueEvent, TruePlay, TrueThrow

Sample = TypeVar("Sample")


@dataclass(slots=True)
class SimulatedTable(Generic[Sample]):
    """`look` makes of a moment what is handed on: a frame, or for quick tests a reading. It is a sink of the loop too."""

    happenings: Iterable[Happening]
    plan: BoardPlan
    render: Callable[[TableSnapshot], Sample]
    frame_rates: FrameRates = field(default_factory=FrameRates)
    truths: list[TrueEvent] = field(default_factory=list)
    _answers: deque[Command] = field(default_factory=deque)

    @property
    def link(self) -> None:
        """Nothing that the referee misses when it fails."""
        return

    def inputs(self) -> Iterator[Sample | Command | Tick | PeripheralEvent]:
        """Until the film ends; what is true is noted on the way."""
        for coming in take_snapshots(self.happenings, self.plan, self.frame_rates):
            while self._answers:
                yield self._answers.popleft()
            match coming:
                case TableSnapshot():
                    yield self.render(coming)
                case Cue():
                    yield coming.order
                case Tick():
                    yield coming
                case _:
                    self.truths.append(coming)

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        """The person at the page reads along."""
        del now_ms
        for event in events:
            answer = self._answer(event, state)
            if answer is not None:
                self._answers.append(answer)

    def _answer(self, event: RefereeEvent, state: RefereeState) -> Command | None:
        """What is true, if that is a throw that counts or a board that can stand; the rest is settled at the table.

        A referee who does not know what is played is told that first.
        """
        match event:
            case ThrowUnclear():
                throw = self._find_last(TrueThrow)
                if throw is not None and throw.is_valid and len(throw.values) == 2:
                    return CorrectRoll((throw.values[0], throw.values[1]))
            case BoardDiffers():
                return self._correct_board(state)
            case PlayUnclear() if state.due is None and (overlooked := self._find_throw(event.player)) is not None:
                return CorrectRoll((overlooked.values[0], overlooked.values[1]))
            case PlayUnclear():
                play, throw = self._find_play(state.position), self._find_last(TrueThrow)
                if play is None:
                    return None
                has_thrown = throw is not None and throw.at_ms > play.at_ms  # who does so takes the board as it stands
                is_possible = bool(play.after)  # what is not is put right, and that is told
                after = play.after if is_possible and not has_thrown else play.stood
                return ChoosePlay(after) if after else None
            case _:
                pass
        return None

    def _correct_board(self, state: RefereeState) -> Command | None:
        """What stands there; and who throws next, where more was played than the play that was refused."""
        play = self._find_last(TruePlay)
        if play is None or not play.stood:
            return None
        went_on = state.questions.refused is not None and play.before != state.position
        is_double = len(set(play.numbers)) == 1  # after which some throw again
        return CorrectBoard(play.stood, play.player.opponent if went_on and not is_double else None)

    def _find_throw(self, player: Player) -> TrueThrow | None:
        """The last one of his that counts."""
        own = (one for one in reversed(self.truths) if isinstance(one, TrueThrow) and one.player is player)
        return next((one for one in own if one.is_valid and len(one.values) == 2), None)

    def _find_play(self, position: str) -> TruePlay | None:
        """The last play from there, for the next one may have been made already; the last of all where there is none."""
        plays = [one for one in reversed(self.truths) if isinstance(one, TruePlay)]
        return next((one for one in plays if one.before == position), plays[0] if plays else None)

    def _find_last(self, kind: type["TrueAction"]) -> "TrueAction | None":
        return next((one for one in reversed(self.truths) if isinstance(one, kind)), None)


TrueAction = TypeVar("TrueAction", TrueThrow, TruePlay)
