"""What a way of officiating is made of: the clauses in which federations differ, each with the text it goes by.

What all federations share is no parameter and is part of the referee: both dice count or neither, moves are tried
freely until the turn ends, and a throw that does not count closes no correction window.
"""

from dataclasses import dataclass
from enum import Enum, Flag, auto

from controller.match.clocks import ClockRules
from controller.match.events import EndedBy
from controller.rules import NO_RULES, DiceHalf, DiceOnChecker, EarlyThrow, Rule, Ruleset, ThrowRules


class Clause(Enum):
    """The clauses that vary between federations."""

    VALID_THROW = "valid throw"
    WRONG_HALF = "dice in the wrong half"
    EARLY_THROW = "early throw"
    ILLEGAL_PLAY = "illegal play"
    CORRECTION_WINDOW = "correction window"
    WHO_MAY_POINT_OUT = "who may point it out"
    MONITOR = "monitor"
    CLOCK_OFFENCE = "offence with a clock"
    TURN_END = "end of the turn"
    SET_UP_ERROR = "set-up error"


class IllegalPlay(Enum):
    """The consequence of an illegal play while it may be corrected; afterwards the play stands in every profile."""

    MUST_BE_CORRECTED = "must_be_corrected"  # nobody may let it stand
    MAY_BE_CONDONED = "may_be_condoned"  # the opponent demands another play or lets it stand, by word or by going on
    RESPONSIBLE_MOVES = "responsible_moves"  # the opponent need not point it out


class CorrectionWindow(Enum):
    """Until when an illegal play may be corrected; a throw that does not count never ends the window."""

    OPPONENT_VALID_ROLL = "opponent_valid_roll"
    OPPONENT_ROLL_OR_DOUBLE = "opponent_roll_or_double"
    OPPONENT_PLAY_DONE = "opponent_play_done"  # a correction after the opponent's roll withdraws that roll


class Objector(Flag):
    """Who may point out an illegal play."""

    OPPONENT = auto()
    MOVER = auto()
    OFFICIAL = auto()
    MONITOR = auto()
    BYSTANDER = auto()
    PLAYERS = OPPONENT | MOVER
    ANYBODY = PLAYERS | OFFICIAL | MONITOR | BYSTANDER


class MonitorSpeaks(Enum):
    """When the device may announce an illegal play; otherwise it only records it."""

    ALWAYS = "always"
    AGREED = "agreed"  # by both players' agreement or the director's appointment
    APPOINTED = "appointed"  # the director appointed it


class ClockOffence(Enum):
    """The cost of an illegal play where a clock runs."""

    NOTHING = "nothing"
    OFFENDER_RUNS = "offender_runs"  # the offender's time runs while he plays anew


class SetUpError(Enum):
    """Until when a wrong start position is set right."""

    BY_AGREEMENT = "by_agreement"
    STARTERS_SECOND_TURN = "starters_second_turn"  # it stands once the starter begins his second turn


@dataclass(frozen=True, slots=True)
class Article:
    """The source and wording of a clause. Not `verified`: known at second hand, or taken over from another text."""

    clause: Clause
    source: str
    text: str
    verified: bool = True


@dataclass(frozen=True, slots=True)
class Profile:
    """One way of officiating. None leaves a clause to the game; `articles` holds one article for each clause, in order."""

    name: str
    title: str
    articles: tuple[Article, ...]
    dice_on_checker: DiceOnChecker | None = None
    dice_half: DiceHalf | None = None
    early_throw: EarlyThrow = EarlyThrow.VOID
    illegal_play: IllegalPlay = IllegalPlay.MAY_BE_CONDONED
    correction_window: CorrectionWindow = CorrectionWindow.OPPONENT_VALID_ROLL
    never_condoned: frozenset[Rule] = NO_RULES  # plays against these rules never stand
    may_point_out: Objector = Objector.ANYBODY
    monitor: MonitorSpeaks = MonitorSpeaks.ALWAYS
    clock_offence: ClockOffence = ClockOffence.NOTHING
    ended_by: tuple[EndedBy, ...] = (EndedBy.DICE_LIFTED, EndedBy.BUTTON)  # where no clock is used
    ended_by_with_clock: tuple[EndedBy, ...] = (EndedBy.CLOCK, EndedBy.BUTTON)  # the button is the clock's lever
    set_up_error: SetUpError = SetUpError.BY_AGREEMENT
    disputes: int | None = None  # how many each player may lose, where the director limits them

    def throw_rules(self, rules: Ruleset) -> ThrowRules:
        """The rules that decide which throws count in this game."""
        on_checker = self.dice_on_checker or rules.dice_on_checker
        return ThrowRules(self.dice_half or rules.dice_half, on_checker, rules.dice_together, self.early_throw)

    @property
    def opponent_may_condone(self) -> bool:
        """Whether the opponent may let an illegal play stand before the correction window ends."""
        return self.illegal_play is not IllegalPlay.MUST_BE_CORRECTED

    def is_ended_by(self, how: EndedBy, clock: ClockRules | None) -> bool:
        """Whether a turn ends this way. The next valid throw always ends it, and so does a still board in games without dice."""
        if how in (EndedBy.NEXT_THROW, EndedBy.STILL):
            return True
        if clock is None:
            return how in self.ended_by
        return how in self.ended_by_with_clock or (how is EndedBy.DICE_LIFTED and clock.is_pressed_by_dice)

    def article(self, clause: Clause) -> Article:
        return next(article for article in self.articles if article.clause is clause)


def clause_text(profile: Profile, clause: Clause) -> str:
    """The citation of a ruling: the source, its words, and a note where they were not verified."""
    article = profile.article(clause)
    note = "" if article.verified else " (not verified against the original)"
    return f"{article.source}: {article.text}{note}"
