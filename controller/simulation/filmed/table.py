"""The simulated table as an input of the loop: frames, commands and peripheral events, in order of time.

Times are those of the film; nothing waits. The table collects the truth for the comparison. It also simulates an
operator who knows the truth and answers the referee's questions, as somebody at the page would.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Generic, TypeVar

from controller.match import (
    BoardDiffers,
    ChangeMode,
    ChoosePlay,
    Command,
    CommandRefused,
    CorrectBoard,
    CorrectRoll,
    PeripheralEvent,
    PlayUnclear,
    RefereeEvent,
    ThrowUnclear,
    Tick,
)
from controller.refereeing.state import RefereeState
from controller.rules import Player
from controller.simulation.filmed.snapshots import FrameRates, TableSnapshot, take_snapshots
from controller.simulation.staging import (
    BoardPlan,
    Cue,
    Happening,
    Hearing,
    TrueContinuation,
    TrueEvent,
    TrueOrder,
    TruePlay,
    TrueThrow,
)

Sample = TypeVar("Sample")


@dataclass(slots=True)
class SimulatedTable(Generic[Sample]):
    """`render` turns a snapshot into a frame or, for quick tests, an observation. The table is also a sink of the loop.

    `orders` gives the orders of an operator that wait. The players follow them where `hearing` is that of the film.
    """

    happenings: Iterable[Happening]
    plan: BoardPlan
    render: Callable[[TableSnapshot], Sample]
    frame_rates: FrameRates = field(default_factory=FrameRates)
    hearing: Hearing = field(default_factory=Hearing)
    orders: Callable[[], Iterable[Command]] = tuple
    truths: list[TrueEvent] = field(default_factory=list)
    _answers: deque[Command] = field(default_factory=deque)
    _order: Command | None = None  # of the operator, while it is handled

    @property
    def link(self) -> None:
        """The referee need not know when this sink fails."""
        return

    def inputs(self) -> Iterator[Sample | Command | Tick | PeripheralEvent]:
        """The inputs until the film ends; truths are collected on the way."""
        for coming in take_snapshots(self.happenings, self.plan, self.frame_rates):
            for order in self.orders():
                self._order = order
                yield order
            self._order = None
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
        """Hears the referee, and answers his questions with the next input, unless an operator has taken over."""
        self.hearing.state = state
        refused = any(isinstance(event, CommandRefused) for event in events)
        if self._order is not None and not isinstance(self._order, ChangeMode) and not refused:
            self._answers.clear()
            self.hearing.take_order()
            self.truths.append(TrueOrder(now_ms))
        if self.hearing.is_disturbed:
            return
        for event in events:
            answer = self._answer(event, state)
            if answer is not None:
                self._answers.append(answer)

    def _answer(self, event: RefereeEvent, state: RefereeState) -> Command | None:
        """The true throw if it counts, or the true board if it is possible; anything else is settled at the table.

        If the referee has no roll to judge a play by, the answer is the roll.
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
                if state.due is not None and sorted(state.due.numbers) != sorted(play.numbers):
                    return self._restart_from_last_play()  # an earlier turn was not seen
                has_thrown = throw is not None and throw.at_ms > play.at_ms  # a throw accepts the board as it stands
                is_possible = bool(play.after)  # an impossible board is corrected, and the correction is the answer
                after = play.after if is_possible and not has_thrown else play.stood
                return ChoosePlay(after) if after else None
            case _:
                pass
        return None

    def _correct_board(self, state: RefereeState) -> Command | None:
        """The true board; and who throws next, if play went on after the play that was refused."""
        play = self._find_last(TruePlay)
        if play is None or not play.stood:
            return None
        went_on = state.questions.refused is not None and play.before != state.position
        is_double = len(set(play.numbers)) == 1  # some games throw again after a double
        return CorrectBoard(play.stood, play.player.opponent if went_on and not is_double else None)

    def _restart_from_last_play(self) -> Command | None:
        """The true board after the last play, and who throws next."""
        play = self._find_last(TruePlay)
        if play is None or not play.stood:
            return None
        is_double = len(set(play.numbers)) == 1  # some games throw again after a double
        return CorrectBoard(play.stood, None if is_double else play.player.opponent)

    def _find_throw(self, player: Player) -> TrueThrow | None:
        """The player's last valid throw."""
        own = (one for one in self._latest() if isinstance(one, TrueThrow) and one.player is player)
        return next((one for one in own if one.is_valid and len(one.values) == 2), None)

    def _find_play(self, position: str) -> TruePlay | None:
        """The last play from that position, as a later play may have been made already; else the last play of all."""
        plays = [one for one in self._latest() if isinstance(one, TruePlay)]
        return next((one for one in plays if one.before == position), plays[0] if plays else None)

    def _find_last(self, kind: type["TrueAction"]) -> "TrueAction | None":
        return next((one for one in self._latest() if isinstance(one, kind)), None)

    def _latest(self) -> Iterator[TrueEvent]:
        """The true events since the players last followed an operator, the last first."""
        return takewhile(lambda one: not isinstance(one, TrueOrder | TrueContinuation), reversed(self.truths))


TrueAction = TypeVar("TrueAction", TrueThrow, TruePlay)
