"""Throws that do not count yet: dice that wait for a second one, a throw that waits for a verdict, an unread throw."""

from dataclasses import dataclass, field, replace

from vision.dice_tracking.events import SettledDie


@dataclass(frozen=True, slots=True)
class PendingThrow:
    """A throw that settled before the turn was judged; it counts once that is done.

    `lay_before`: dice that lay there before the throw. `entered_values`: what a person says was thrown, where the dice
    could not be read. `is_all`: nothing else in view may be a die of the throw. `perhaps_overlooked`: the die that
    settled last may have lain there before, unseen. `may_have_lain`: its dice may be other dice, or may have been
    lifted: they show what lifted dice showed before the program was restarted, or one of them was taken for a die of
    the player who was about to lift his own.
    """

    dice: tuple[SettledDie, ...]
    lay_before: tuple[SettledDie, ...] = ()
    entered_values: tuple[int, int] | None = None
    is_all: bool = False
    perhaps_overlooked: bool = False
    may_have_lain: bool = False


@dataclass(frozen=True, slots=True)
class LooseDice:
    """Settled dice of a throw that still lacks one.

    `missed`: tracker numbers of dice that waited and lie there no more. `since_ms`: when the first of them settled.
    `perhaps_more`: since then something else in view may have been a die. `lay_alone`: nothing else in view may have
    been a die, and then something moved.
    """

    dice: tuple[SettledDie, ...] = ()
    missed: tuple[int, ...] = ()
    since_ms: int = 0
    perhaps_more: bool = False
    lay_alone: bool = False


@dataclass(frozen=True, slots=True)
class PendingThrows:
    """The throws that the referee knows of and that are not in the log as rolls.

    `waiting`: of the next player, until the turn is judged. `was_hidden`: a hand came before a board was seen on which
    `waiting` was thrown. `unread`: the last throw that could not be read. `pass_roll`: what `unread` showed, if nothing
    can be played with it and its dice were lifted. `before_blind`: `waiting` as it was before the camera was lost.
    """

    loose: LooseDice = field(default_factory=LooseDice)
    waiting: PendingThrow | None = None
    was_hidden: bool = False
    unread: PendingThrow | None = None
    pass_roll: tuple[int, int] | None = None
    before_blind: PendingThrow | None = None

    def with_loose(self, loose: LooseDice) -> "PendingThrows":
        return replace(self, loose=loose)

    def without_loose_dice(self) -> "PendingThrows":
        """No die waits for another one; what is known of missed dice stays."""
        return replace(self, loose=replace(self.loose, dice=()))

    def complete(self) -> "PendingThrows":
        """The loose dice are a throw."""
        return replace(self, loose=replace(self.loose, dice=(), missed=()))

    def wait(self, throw: PendingThrow | None) -> "PendingThrows":
        """The throw waits for the verdict on the turn before it; None: no throw does."""
        return replace(self, waiting=throw)

    def hide(self, *, is_hidden: bool = True) -> "PendingThrows":
        return replace(self, was_hidden=is_hidden)

    def leave_unread(self, throw: PendingThrow) -> "PendingThrows":
        return replace(self, unread=throw)

    def forget_unread(self) -> "PendingThrows":
        return replace(self, unread=None)

    def lift_pass(self, values: tuple[int, int] | None) -> "PendingThrows":
        return replace(self, pass_roll=values)

    def keep_before_blind(self, throw: PendingThrow | None) -> "PendingThrows":
        return replace(self, before_blind=throw)

    def find_again(self) -> "PendingThrows":
        """The throw that waited before the camera was lost still lies there."""
        return replace(self, waiting=self.before_blind, before_blind=None)

    def accept_roll(self) -> "PendingThrows":
        """A roll counts: dice that came with it are no further throw."""
        return replace(self.without_loose_dice(), was_hidden=False)

    def end_turn(self) -> "PendingThrows":
        return replace(self, was_hidden=False, before_blind=None)

    def continue_game(self, *, keeps_loose: bool) -> "PendingThrows":
        """The turn is judged. A die that settled meanwhile is of the next throw, and nobody sees it settle again."""
        after = replace(self, was_hidden=False, pass_roll=None, before_blind=None)
        return after if keeps_loose else after.without_loose_dice()

    def lose_sight(self) -> "PendingThrows":
        """Nobody watches for a while: no throw that waits can be trusted."""
        return replace(self.without_loose_dice(), waiting=None, was_hidden=False, before_blind=None)

    def start_game(self) -> "PendingThrows":
        return replace(self.complete(), waiting=None, was_hidden=False)
