"""`Perception`: what the camera showed and what the referee concludes from it, as one value of typed parts.

The log holds none of it. An empty `Perception` is always a valid beginning; a restarted program starts with one.
"""

from dataclasses import dataclass, field, replace

from controller.match import Reserves
from controller.observing import Observation
from controller.refereeing.perception.board_findings import BoardFindings
from controller.refereeing.perception.dice_ledger import DiceLedger
from controller.refereeing.perception.outages import LEAST_TURN_MS, Outages
from controller.refereeing.perception.pending_throws import PendingThrows
from controller.refereeing.perception.turn_memory import TurnMemory
from controller.refereeing.perception.turn_timing import TurnTiming
from controller.refereeing.perception.view import View


@dataclass(frozen=True, slots=True)
class PendingCondition:
    """A condition that is reported if it stays as it is. `what` is compared with `==`; times in ms.

    `had_hand`: a hand was over the board since `since_ms`.
    """

    what: object
    since_ms: int
    had_hand: bool = False

    def mark_hand(self) -> "PendingCondition":
        return self if self.had_hand else replace(self, had_hand=True)


@dataclass(frozen=True, slots=True)
class Perception:
    """Everything about a match that is not in the log.

    `logged_reserves`: what the log knows of the clock. `before_answer`: as it was before the last answer.
    """

    now_ms: int = 0
    view: View = field(default_factory=View)
    dice: DiceLedger = field(default_factory=DiceLedger)
    throws: PendingThrows = field(default_factory=PendingThrows)
    findings: BoardFindings = field(default_factory=BoardFindings)
    timing: TurnTiming = field(default_factory=TurnTiming)
    outages: Outages = field(default_factory=Outages)
    memory: TurnMemory = field(default_factory=TurnMemory)
    pending: PendingCondition | None = None
    logged_reserves: Reserves | None = None
    before_answer: "Perception | None" = None

    def observe(self, seen: Observation) -> "Perception":
        """After one frame; nothing is decided yet. Since the frame before a whole turn may have passed."""
        outages = self.outages.observe(seen)
        if seen.taken_ms - self.now_ms >= LEAST_TURN_MS:
            outages = outages.miss_turn(is_missed=True)
        return replace(
            self.advance(seen.taken_ms),
            view=self.view.observe(seen),
            dice=self.dice.observe(seen),
            outages=outages,
            memory=self.memory.observe(seen),
        )

    def advance(self, now_ms: int) -> "Perception":
        """Time passed; it never runs backwards."""
        return replace(self, now_ms=max(self.now_ms, now_ms))

    def answer(self, before: "Perception") -> "Perception":
        """A question was answered; `before` may come back."""
        return replace(self, before_answer=replace(before, before_answer=None))

    def take_answer_back(self) -> "Perception":
        """Conclusions as they were before the last answer, from the table as it is seen now; what happened since was unwatched."""
        if self.before_answer is None:
            return self.lose_sight()
        before = replace(self.before_answer, now_ms=self.now_ms, view=self.view, logged_reserves=self.logged_reserves)
        return replace(before, outages=self.outages.mark_blind(), pending=None)

    def lose_sight(self) -> "Perception":
        """Nobody watched for a while: dice that lie there may be others, and what was pending is observed anew."""
        return replace(
            self,
            dice=self.dice.lose_sight(),
            throws=self.throws.lose_sight(),
            findings=self.findings.inspect(0),
            outages=self.outages.watch_again(self.now_ms),
            pending=None,
            before_answer=None,
        )

    def start_game(self) -> "Perception":
        return replace(
            self,
            dice=self.dice.start_game(),
            throws=self.throws.start_game(),
            findings=self.findings.overrule(None),
            timing=self.timing.forget_end(),
            outages=self.outages.begin_turn(),
            memory=self.memory.forget(frozenset()),
            pending=None,
        )

    def continue_game(self) -> "Perception":
        """A turn is judged, and the next one begins. Dice that settled since the turn ended stay loose."""
        ended_ms = self.timing.ended_ms
        keeps_loose = ended_ms is not None and self.throws.loose.since_ms >= ended_ms
        coming = frozenset() if self.throws.waiting is None else {die.number for die in self.throws.waiting.dice}
        return replace(
            self,
            dice=self.dice.forget_lifted(),
            throws=self.throws.continue_game(keeps_loose=keeps_loose),
            findings=self.findings.continue_game(),
            timing=self.timing.forget_end(),
            outages=self.outages.begin_turn(),
            memory=self.memory.forget(coming),
            pending=None,
        )
