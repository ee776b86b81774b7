from dataclasses import replace

import pytest

from controller.match.clocks import US, parse_clock
from controller.match.events import EndedBy, Mode
from controller.match.officiating import (
    CASUAL,
    KAZAROSS,
    NARDY,
    PROFILES,
    TAVLA_TR,
    UKBGF,
    US2008,
    USBGF,
    WBGF,
    may_speak_up,
)
from controller.match.profile import (
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
from controller.rules import (
    BadThrow,
    DiceHalf,
    DiceOnChecker,
    EarlyThrow,
    Half,
    Rule,
    Ruleset,
    ThrowContext,
    ThrownDie,
    ThrowRules,
    judge_throw,
)

BACKGAMMON = Ruleset("backgammon")
HOUSE = Ruleset("house", dice_half=DiceHalf.RIGHT, dice_on_checker=DiceOnChecker.VALID, dice_together=True)
ALL = tuple(PROFILES.values())


def test_each_profile_stands_under_its_name() -> None:
    """The option `--profile` takes these words; the first is the default."""
    names = ["casual", "wbgf", "wbgf_responsible", "usbgf", "ukbgf", "us2008", "tavla_tr", "nardy", "kazaross"]
    assert list(PROFILES) == names
    assert [profile.name for profile in ALL] == names


def test_casual_leaves_the_dice_to_the_game() -> None:
    """Only an early throw is the profile's own matter: it does not count."""
    assert CASUAL.throw_rules(BACKGAMMON) == ThrowRules()
    expected = ThrowRules(DiceHalf.RIGHT, DiceOnChecker.VALID, dice_together=True, early_throw=EarlyThrow.VOID)
    assert CASUAL.throw_rules(HOUSE) == expected


def test_the_usbgf_takes_dice_on_checkers() -> None:
    """Its other dice clauses are the game's; after a fast roll the opponent chooses."""
    expected = ThrowRules(
        DiceHalf.ANY, DiceOnChecker.VALID, dice_together=False, early_throw=EarlyThrow.OPPONENT_CHOOSES
    )
    assert USBGF.throw_rules(BACKGAMMON) == expected
    assert USBGF.throw_rules(HOUSE).dice_half is DiceHalf.RIGHT


@pytest.mark.parametrize("profile", [US2008, UKBGF])
def test_some_want_the_dice_right_of_the_bar(profile: Profile) -> None:
    """A throw left of the bar is thrown again, whatever the game says."""
    dice = (ThrownDie(3, half=Half.LEFT), ThrownDie(4, half=Half.LEFT))
    ruling = judge_throw(dice, ThrowContext(right_half=Half.RIGHT), profile.throw_rules(BACKGAMMON))
    assert ruling.reasons == (BadThrow.WRONG_HALF,)


CONDONED, CORRECTED = IllegalPlay.MAY_BE_CONDONED, IllegalPlay.MUST_BE_CORRECTED
ROLL, ROLL_OR_DOUBLE = CorrectionWindow.OPPONENT_VALID_ROLL, CorrectionWindow.OPPONENT_ROLL_OR_DOUBLE
WITH_MONITOR = Objector.PLAYERS | Objector.MONITOR


@pytest.mark.parametrize(
    ("profile", "early", "play", "window", "voices"),
    [
        (CASUAL, EarlyThrow.VOID, CONDONED, ROLL, Objector.ANYBODY),
        (US2008, EarlyThrow.STANDS, CONDONED, ROLL_OR_DOUBLE, WITH_MONITOR),
        (USBGF, EarlyThrow.OPPONENT_CHOOSES, CORRECTED, ROLL, WITH_MONITOR | Objector.OFFICIAL),
        (UKBGF, EarlyThrow.STANDS, CORRECTED, ROLL_OR_DOUBLE, WITH_MONITOR | Objector.OFFICIAL),
        (TAVLA_TR, EarlyThrow.VOID, CONDONED, ROLL, Objector.OPPONENT),
    ],
)
def test_the_clauses_of_the_table(
    profile: Profile, early: EarlyThrow, play: IllegalPlay, window: CorrectionWindow, voices: Objector
) -> None:
    """The README of controller/match has this table."""
    assert (profile.early_throw, profile.illegal_play) == (early, play)
    assert (profile.correction_window, profile.may_point_out) == (window, voices)
    assert profile.opponent_may_condone == (play is CONDONED)


def test_the_wbgf_lets_the_event_choose_between_legal_and_responsible_moves() -> None:
    """Clause 4.2(iii) is the default; 4.2(iv) is a profile of its own that differs in nothing else."""
    assert not WBGF.opponent_may_condone
    responsible = PROFILES["wbgf_responsible"]
    assert responsible.opponent_may_condone
    assert "4.2(iv)" in responsible.article(Clause.ILLEGAL_PLAY).text
    same = replace(
        responsible, illegal_play=WBGF.illegal_play, name=WBGF.name, title=WBGF.title, articles=WBGF.articles
    )
    assert same == WBGF


def test_the_wbgf_follows_the_wbgt_in_clock_and_set_up() -> None:
    """The offender's time runs again, and a wrong start stands from the starter's second turn on."""
    assert WBGF.clock_offence is ClockOffence.OFFENDER_RUNS
    assert WBGF.set_up_error is SetUpError.STARTERS_SECOND_TURN


def test_one_text_corrects_until_the_opponents_play_is_done() -> None:
    """So the end of the window is no constant; and impossible plays never stand."""
    assert KAZAROSS.correction_window is CorrectionWindow.OPPONENT_PLAY_DONE
    assert Rule.MOVED_BACKWARDS in KAZAROSS.never_condoned
    assert Rule.LARGER_DIE not in KAZAROSS.never_condoned
    assert not CASUAL.never_condoned


@pytest.mark.parametrize("profile", ALL, ids=lambda each: each.name)
def test_every_clause_has_its_article(profile: Profile) -> None:
    """The articles are in the order of the table, and each has a text."""
    assert [article.clause for article in profile.articles] == list(Clause)
    assert all(article.source and article.text for article in profile.articles)


@pytest.mark.parametrize("profile", ALL, ids=lambda each: each.name)
def test_an_unread_clause_has_the_value_of_casual_play(profile: Profile) -> None:
    """No value is invented, and the citation says that the clause was not readable."""
    values = {
        Clause.WRONG_HALF: ("dice_half",),
        Clause.EARLY_THROW: ("early_throw",),
        Clause.ILLEGAL_PLAY: ("illegal_play",),
        Clause.CORRECTION_WINDOW: ("correction_window",),
        Clause.WHO_MAY_POINT_OUT: ("may_point_out",),
        Clause.MONITOR: ("monitor",),
        Clause.CLOCK_OFFENCE: ("clock_offence",),
        Clause.TURN_END: ("ended_by", "ended_by_with_clock"),
        Clause.SET_UP_ERROR: ("set_up_error",),
    }
    for article in profile.articles:
        if "not readable" in article.text:
            assert not article.verified
            for name in values.get(article.clause, ()):
                assert getattr(profile, name) == getattr(CASUAL, name), (article.clause, name)


def test_a_citation_says_when_nobody_checked_it() -> None:
    """One sentence has the source and the ruling."""
    assert clause_text(UKBGF, Clause.EARLY_THROW) == "UKBGF event rules 2019: an early roll stands"
    text = clause_text(NARDY, Clause.ILLEGAL_PLAY)
    assert text == (
        "Georgian and Russian nardy rules: not readable; taken as in casual play (not verified against the original)"
    )


def test_only_casual_is_verified_throughout() -> None:
    """It is our own; each federation has a clause that could not be read."""
    assert [each.name for each in ALL if all(article.verified for article in each.articles)] == ["casual"]


def test_a_turn_ends_by_dice_or_button_and_with_a_clock_by_the_clock() -> None:
    """Lifted dice end no turn where a clock runs; the next valid throw always does."""
    for profile in ALL:
        assert profile.is_ended_by(EndedBy.DICE_LIFTED, None)
        assert profile.is_ended_by(EndedBy.BUTTON, None)
        assert not profile.is_ended_by(EndedBy.CLOCK, None)
        assert not profile.is_ended_by(EndedBy.DICE_LIFTED, US)
        assert profile.is_ended_by(EndedBy.DICE_LIFTED, parse_clock("us,dice"))
        assert profile.is_ended_by(EndedBy.CLOCK, US)
        for clock in (None, US):
            assert profile.is_ended_by(EndedBy.NEXT_THROW, clock)
            assert profile.is_ended_by(EndedBy.STILL, clock)


def test_when_the_device_may_say_that_a_play_was_illegal() -> None:
    """In the mode teach always, in silent never, in a tournament if appointed; two profiles ask for that in the mode referee too."""
    for profile in ALL:
        assert may_speak_up(profile, Mode.TEACH, is_appointed=False)
        assert not may_speak_up(profile, Mode.SILENT, is_appointed=True)
        assert not may_speak_up(profile, Mode.TOURNAMENT, is_appointed=False)
        assert may_speak_up(profile, Mode.TOURNAMENT, is_appointed=True)
        assert may_speak_up(profile, Mode.REFEREE, is_appointed=True)
    silent = {each.name for each in ALL if not may_speak_up(each, Mode.REFEREE, is_appointed=False)}
    assert silent == {"us2008", "ukbgf"}
    assert US2008.monitor is MonitorSpeaks.APPOINTED
