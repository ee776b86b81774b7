"""The rules around the rules: what differs from federation to federation, as data (a profile each).

Sources: US tournament rules 2008; USBGF Legal Moves policy 2014 and rules 2017 and 2024; WBGF rules 2.1 (2023) and WBGT
1.1 (2010); UKBGF event rules 2019; Turkish tavla tournament pages; Georgian and Russian nardy rules 2024/2025; US clock
rules 2013; Tom Keith 2013 on impossible plays; Neil Kazaross 2013 on the correction window. A clause known at second
hand, or whose text could not be read, is not `verified`; its value is that of the nearest readable text or of the casual
profile. The README of this room compares the profiles.
"""

from dataclasses import replace
from types import MappingProxyType

from controller.match.events import Mode
from controller.match.profile import (
    Article,
    Clause,
    ClockOffence,
    CorrectionWindow,
    IllegalPlay,
    MonitorSpeaks,
    Objector,
    Profile,
    SetUpError,
    clause_text,
)
from controller.rules import DiceHalf, DiceOnChecker, EarlyThrow, Rule

__all__ = ["CASUAL", "PROFILES", "USBGF", "Clause", "Profile", "clause_text", "may_speak_up"]

_HOUSE, _US = "Casual play", "US tournament rules 2008"
_USBGF, _WBGF, _UKBGF = (
    "USBGF Legal Moves policy 2014, rules 2017 and 2024",
    "WBGF 2.1 (2023)",
    "UKBGF event rules 2019",
)
_TAVLA, _NARDY, _KAZAROSS = (
    "Turkish tavla tournament pages",
    "Georgian and Russian nardy rules",
    "Kazaross 2013 (draft)",
)


def _make_unreadable_articles(source: str, *clauses: Clause) -> tuple[Article, ...]:
    return tuple(Article(clause, source, "not readable; taken as in casual play", verified=False) for clause in clauses)


def _sort_articles(*articles: Article) -> tuple[Article, ...]:
    order = tuple(Clause)
    return tuple(sorted(articles, key=lambda article: order.index(article.clause)))


CASUAL = Profile(
    "casual",
    "casual play",
    _sort_articles(
        Article(Clause.VALID_THROW, _HOUSE, "both dice lie flat on the playing surface of one half, on no checker"),
        Article(Clause.WRONG_HALF, _HOUSE, "left to the game"),
        Article(Clause.EARLY_THROW, _HOUSE, "a throw before the opponent lifted his dice does not count"),
        Article(
            Clause.ILLEGAL_PLAY, _HOUSE, "an illegal play may be corrected, and stands if nobody wants it corrected"
        ),
        Article(Clause.CORRECTION_WINDOW, _HOUSE, "it may be corrected until the opponent's valid throw"),
        Article(Clause.WHO_MAY_POINT_OUT, _HOUSE, "anybody may point it out"),
        Article(Clause.MONITOR, _HOUSE, "the referee says what it sees"),
        Article(Clause.CLOCK_OFFENCE, _HOUSE, "nothing"),
        Article(Clause.TURN_END, _HOUSE, "a turn ends when the dice are lifted or a button is pressed"),
        Article(Clause.SET_UP_ERROR, _HOUSE, "a wrong start position is set right as the players agree"),
    ),
)

US2008 = Profile(
    "us2008",
    "US tournament rules 2008",
    _sort_articles(
        Article(Clause.VALID_THROW, _US, "both dice leave the cup first and lie flat on the surface right of the bar"),
        Article(Clause.WRONG_HALF, _US, "both dice are thrown again"),
        Article(Clause.EARLY_THROW, _US, "a premature roll stands; the opponent finishes his play knowing it"),
        Article(Clause.ILLEGAL_PLAY, _US, "the opponent condones it or demands that the whole roll is played again"),
        Article(Clause.CORRECTION_WINDOW, _US, "it is condoned once the opponent rolls or turns the cube"),
        Article(Clause.WHO_MAY_POINT_OUT, _US, "the players; a monitor that the director appointed (2.5)"),
        Article(Clause.MONITOR, _US, "the director may appoint a monitor (2.5)"),
        Article(Clause.TURN_END, _US, "lifting either die; pressing the clock where one is used"),
        *_make_unreadable_articles(_US, Clause.CLOCK_OFFENCE, Clause.SET_UP_ERROR),
    ),
    dice_on_checker=DiceOnChecker.RETHROW,
    dice_half=DiceHalf.RIGHT,
    early_throw=EarlyThrow.STANDS,
    correction_window=CorrectionWindow.OPPONENT_ROLL_OR_DOUBLE,
    may_point_out=Objector.PLAYERS | Objector.MONITOR,
    monitor=MonitorSpeaks.APPOINTED,
)

USBGF = Profile(
    "usbgf",
    "US Backgammon Federation",
    _sort_articles(
        Article(
            Clause.VALID_THROW, _USBGF, "a die that lies flat on a checker is valid unless the event says otherwise"
        ),
        Article(Clause.WRONG_HALF, _USBGF, "likely thrown again; left to the game", verified=False),
        Article(Clause.EARLY_THROW, _USBGF, "after a fast roll the opponent chooses whether it stands or is redone"),
        Article(Clause.ILLEGAL_PLAY, _USBGF, "Legal Moves: an illegal play must be corrected"),
        Article(Clause.CORRECTION_WINDOW, _USBGF, "before the opponent's valid roll; a cocked one does not count"),
        Article(Clause.WHO_MAY_POINT_OUT, _USBGF, "the players, an official, a monitor"),
        Article(Clause.MONITOR, _USBGF, "a monitor is appointed by the director or agreed by both players"),
        Article(Clause.TURN_END, _USBGF, "pressing the clock where one is used"),
        *_make_unreadable_articles(_USBGF, Clause.CLOCK_OFFENCE, Clause.SET_UP_ERROR),
    ),
    dice_on_checker=DiceOnChecker.VALID,
    early_throw=EarlyThrow.OPPONENT_CHOOSES,
    illegal_play=IllegalPlay.MUST_BE_CORRECTED,
    may_point_out=Objector.PLAYERS | Objector.OFFICIAL | Objector.MONITOR,
    monitor=MonitorSpeaks.AGREED,
)

# Where the WBGF's text could not be read, WBGT 1.1 is followed: both are by the same people.
_WBGT = "WBGT 1.1 (2010)"
WBGF = Profile(
    "wbgf",
    "World Backgammon Federation",
    _sort_articles(
        Article(Clause.VALID_THROW, _WBGF, "dice lie on the playing surface; on checkers by option", verified=False),
        *_make_unreadable_articles(_WBGF, Clause.WRONG_HALF, Clause.WHO_MAY_POINT_OUT, Clause.MONITOR),
        Article(Clause.EARLY_THROW, _WBGT, "it is redone only if the opponent asks for it", verified=False),
        Article(Clause.ILLEGAL_PLAY, _WBGF, "Legal Moves 4.2(iii), unless the director chose otherwise"),
        Article(Clause.CORRECTION_WINDOW, _WBGT, "if noticed before the opponent has rolled", verified=False),
        Article(Clause.CLOCK_OFFENCE, _WBGT, "put the dice back; the offender's time runs again", verified=False),
        Article(Clause.TURN_END, _WBGT, "likely pressing the clock where one is used", verified=False),
        Article(Clause.SET_UP_ERROR, _WBGT, "it stands once the starter begins his second turn", verified=False),
    ),
    early_throw=EarlyThrow.OPPONENT_CHOOSES,
    illegal_play=IllegalPlay.MUST_BE_CORRECTED,
    clock_offence=ClockOffence.OFFENDER_RUNS,
    set_up_error=SetUpError.STARTERS_SECOND_TURN,
)

_RESPONSIBLE = Article(
    Clause.ILLEGAL_PLAY,
    _WBGF,
    "Responsible Moves 4.2(iv): each answers for his own plays, and the opponent may let them be",
    verified=False,
)
WBGF_RESPONSIBLE = replace(
    WBGF,
    name="wbgf_responsible",
    title="World Backgammon Federation, Responsible Moves",
    articles=tuple(_RESPONSIBLE if each.clause is Clause.ILLEGAL_PLAY else each for each in WBGF.articles),
    illegal_play=IllegalPlay.RESPONSIBLE_MOVES,
)

UKBGF = Profile(
    "ukbgf",
    "UK Backgammon Federation",
    _sort_articles(
        Article(Clause.VALID_THROW, _UKBGF, "both dice lie flat right of the bar"),
        Article(Clause.WRONG_HALF, "A club's rules", "void unless it was asked for first", verified=False),
        Article(Clause.EARLY_THROW, _UKBGF, "an early roll stands"),
        Article(Clause.ILLEGAL_PLAY, _UKBGF, "an illegal play must be corrected"),
        Article(Clause.CORRECTION_WINDOW, _UKBGF, "until the opponent's valid roll or valid double"),
        Article(Clause.WHO_MAY_POINT_OUT, _UKBGF, "the players, the director, official monitors"),
        Article(Clause.MONITOR, _UKBGF, "monitors are official"),
        *_make_unreadable_articles(_UKBGF, Clause.CLOCK_OFFENCE, Clause.TURN_END, Clause.SET_UP_ERROR),
    ),
    dice_on_checker=DiceOnChecker.RETHROW,
    dice_half=DiceHalf.RIGHT,
    early_throw=EarlyThrow.STANDS,
    illegal_play=IllegalPlay.MUST_BE_CORRECTED,
    correction_window=CorrectionWindow.OPPONENT_ROLL_OR_DOUBLE,
    may_point_out=Objector.PLAYERS | Objector.OFFICIAL | Objector.MONITOR,
    monitor=MonitorSpeaks.APPOINTED,
)

TAVLA_TR = Profile(
    "tavla_tr",
    "Turkish tavla tournaments",
    _sort_articles(
        Article(Clause.VALID_THROW, _TAVLA, "off the board, on a checker or on the bar: both dice are thrown again"),
        Article(Clause.WRONG_HALF, _TAVLA, "left to the house"),
        Article(Clause.EARLY_THROW, "Casual rule pages", "an early throw is void", verified=False),
        Article(Clause.ILLEGAL_PLAY, _TAVLA, "the opponent may demand that it is corrected"),
        Article(Clause.CORRECTION_WINDOW, _TAVLA, "it stands once the opponent has rolled"),
        Article(Clause.WHO_MAY_POINT_OUT, _TAVLA, "the opponent"),
        Article(Clause.TURN_END, _TAVLA, "lifting the dice"),
        *_make_unreadable_articles(_TAVLA, Clause.MONITOR, Clause.CLOCK_OFFENCE, Clause.SET_UP_ERROR),
    ),
    dice_on_checker=DiceOnChecker.RETHROW,
    may_point_out=Objector.OPPONENT,
)

NARDY = Profile(
    "nardy",
    "long nardy, Georgia and Russia",
    _sort_articles(
        Article(
            Clause.VALID_THROW, _NARDY, "a baffle box is preferred to a cup; else as in casual play", verified=False
        ),
        *_make_unreadable_articles(_NARDY, *(clause for clause in Clause if clause is not Clause.VALID_THROW)),
    ),
)

# Plays that nobody should let stand (Tom Keith 2013).
IMPOSSIBLE_PLAYS = frozenset(
    {Rule.MOVED_BACKWARDS, Rule.BEAROFF_EARLY, Rule.OPPONENT_MOVED, Rule.HIT_NOT_ON_BAR, Rule.CHECKER_MISSING}
)
KAZAROSS = Profile(
    "kazaross",
    "Neil Kazaross' draft of 2013",
    _sort_articles(
        Article(
            Clause.ILLEGAL_PLAY, _KAZAROSS, "an illegal play must be corrected; an impossible one always (Keith 2013)"
        ),
        Article(
            Clause.CORRECTION_WINDOW, _KAZAROSS, "until the opponent's next play is done; a roll made is withdrawn"
        ),
        *_make_unreadable_articles(
            _KAZAROSS, *(each for each in Clause if each not in (Clause.ILLEGAL_PLAY, Clause.CORRECTION_WINDOW))
        ),
    ),
    illegal_play=IllegalPlay.MUST_BE_CORRECTED,
    correction_window=CorrectionWindow.OPPONENT_PLAY_DONE,
    never_condoned=IMPOSSIBLE_PLAYS,
)

PROFILES = MappingProxyType(
    {each.name: each for each in (CASUAL, WBGF, WBGF_RESPONSIBLE, USBGF, UKBGF, US2008, TAVLA_TR, NARDY, KAZAROSS)}
)


def may_speak_up(profile: Profile, mode: Mode, *, is_appointed: bool) -> bool:
    """Whether the device may announce an illegal play; otherwise it only records it.

    Mode `teach` asks for announcements. Mode `referee` means that both players agreed to a monitor, which does not
    suffice where the profile wants an appointed one. In a tournament only the director appoints it.
    """
    match mode:
        case Mode.TEACH:
            return True
        case Mode.REFEREE:
            return is_appointed or profile.monitor is not MonitorSpeaks.APPOINTED
        case Mode.TOURNAMENT:
            return is_appointed
        case Mode.SILENT:
            return False
