"""Which die plays which part: a state machine over the numbers that the dice tracker gives to dice.

A die is tracked by its number for as long as it is in view. The referee has to know which dice show the roll that is
played, because their lifting ends the turn and other dice are a new throw. Each transition below is one thing that
happens to those dice; the fields are written nowhere else.

    own ──lift_at_turn_end──▶ ended      dice found again before the verdict: the turn goes on
    own ──lift_while_waiting─▶ lifted    taken up while the throw waited for a verdict
    lifted ──find_again──────▶ own
    early ──play_early_roll──▶ own       the roll that stood although it came early
    own ──lose_sight─────────▶ before_blind ──find_untouched──▶ own
"""

from dataclasses import dataclass, replace

from controller.observing import Observation
from vision.dice.readings import DieState
from vision.dice_tracking.events import DieMoved

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiceLedger:
    """Tracker numbers of dice, by the part they play.

    `own`: of the roll that is being played. `early`: of a roll that stands although it came early. `ended`: of the roll
    whose turn ended by their lifting. `lifted`: of a roll whose dice were taken up while it waited for a verdict.
    `beside`: moved beside the board. `unread_lifted`: of the unread throw, if its dice were lifted or hidden with
    nothing played. `before_blind`: `own` as it was before the camera or the storage failed; nothing has happened to
    those dice since.
    """

    own: Numbers = ()
    early: Numbers = ()
    ended: Numbers = ()
    lifted: Numbers = ()
    beside: Numbers = ()
    unread_lifted: Numbers = ()
    before_blind: Numbers = ()

    def observe(self, seen: Observation) -> "DiceLedger":
        """Follows dice that are moved beside the board, and drops `before_blind` once one of those dice was touched."""
        untouched = seen.has_unchanged_dice(set(self.before_blind))
        return replace(self, beside=self._follow_beside(seen), before_blind=self.before_blind if untouched else ())

    def take_roll(self, numbers: Numbers) -> "DiceLedger":
        """A throw of the player on turn was made with these dice."""
        return replace(self, own=numbers, ended=(), lifted=())

    def identify(self, numbers: Numbers) -> "DiceLedger":
        """These dice are found to show the roll that is played; an empty tuple: nobody knows which do."""
        return replace(self, own=numbers)

    def find_untouched(self) -> "DiceLedger":
        """The dice of the roll lie as they lay before the referee was blind."""
        return replace(self, own=self.before_blind)

    def find_again(self) -> "DiceLedger":
        """Dice that were taken up while their roll waited lie there again."""
        return replace(self, own=self.lifted, lifted=())

    def lift_at_turn_end(self) -> "DiceLedger":
        """The turn ends because its dice are lifted."""
        return replace(self, ended=self.own)

    def end_otherwise(self) -> "DiceLedger":
        """The turn ends, and not by the lifting of its dice."""
        return replace(self, ended=())

    def lift_while_waiting(self) -> "DiceLedger":
        """The dice of a roll were taken up while it waited for a verdict, so that their absence ends no turn."""
        return replace(self, own=(), lifted=self.own)

    def forget_lifted(self) -> "DiceLedger":
        return replace(self, lifted=())

    def forget_roll(self) -> "DiceLedger":
        """The roll is taken back, or the turn is over without its dice being seen."""
        return replace(self, own=(), lifted=())

    def hand_over(self) -> "DiceLedger":
        """Numbers are handed over: they are played without dice."""
        return replace(self, own=(), ended=())

    def throw_early(self, numbers: Numbers) -> "DiceLedger":
        return replace(self, early=numbers)

    def play_early_roll(self) -> "DiceLedger":
        return replace(self, own=self.early, early=())

    def lift_unread(self, numbers: Numbers) -> "DiceLedger":
        return replace(self, unread_lifted=numbers)

    def lose_sight(self) -> "DiceLedger":
        """Nobody watches for a while: dice that lie there afterwards may be others."""
        before = self.own or self.before_blind
        return replace(self, own=(), lifted=(), early=(), ended=(), before_blind=before)

    def settle_blindness(self) -> "DiceLedger":
        """It is known again which dice show the roll."""
        return replace(self, before_blind=())

    def start_game(self) -> "DiceLedger":
        return replace(self, own=(), ended=(), lifted=())

    def _follow_beside(self, seen: Observation) -> Numbers:
        """A die of the roll that is hidden beside the board for a while stays one of `beside`."""
        ways = {event.die.number: event.now for event in seen.dice_events if isinstance(event, DieMoved)}
        kept = {*self.own, *(die.number for die in seen.dice)}.difference(ways).intersection(self.beside)
        return (*sorted(kept), *(number for number, now in ways.items() if now.lies is DieState.OFF_BOARD))
