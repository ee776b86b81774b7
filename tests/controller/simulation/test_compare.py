from dataclasses import replace

from controller.match.events import (
    BoardDiffers,
    DiceRolled,
    EndedBy,
    Evidence,
    OpeningThrown,
    PlayCondoned,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    ThrowRefused,
    ThrowUnclear,
)
from controller.rules import BadThrow, Player, Rule, Unclear
from controller.simulation.compare import Comparison, DifferenceKind, compare
from controller.simulation.staging.truth import TrueEvent, TruePlay, TrueThrow

START, AFTER, OTHER = "start", "after", "other"
OPENING = TrueThrow(1000, None, (2, 5), ())
COCKED = TrueThrow(5000, Player.WHITE, (3, 3), (BadThrow.COCKED,))
THROW = TrueThrow(9000, Player.WHITE, (4, 2), ())
PLAY = TruePlay(12000, Player.WHITE, (4, 2), START, AFTER, EndedBy.DICE_LIFTED)
WRONG = replace(PLAY, breaches=frozenset({Rule.HEAD}), after="illegal", corrected_to=AFTER)
MADE = PlayMade(12900, Player.WHITE, (4, 2), "8/4 6/4", START, AFTER, "end_turn")
REFUSED = PlayRefused(13500, Player.WHITE, (4, 2), START, "illegal", (Rule.HEAD, Rule.WRONG_NUMBERS), ("", ""))


def misses(truths: list[TrueEvent], *events: RefereeEvent) -> list[DifferenceKind]:
    return [one.kind for one in compare(truths, events).differences]


def test_a_referee_who_is_right_differs_in_nothing() -> None:
    """Opening, refused throw, roll and play agree: no difference, and the time to each roll is reported."""
    found = compare(
        [OPENING, COCKED, THROW, PLAY],
        [
            OpeningThrown(1500, 2, 5, Player.BLACK),
            DiceRolled(1500, Player.BLACK, (5, 2)),
            ThrowRefused(5600, Player.WHITE, (BadThrow.COCKED,), (3, 3)),
            DiceRolled(9550, Player.WHITE, (4, 2)),
            MADE,
        ],
    )
    assert found == Comparison(turns=1, throws=3, invalid_throws=1, invalid_refused=1, roll_latencies_ms=(500, 550))


def test_throws_that_are_ruled_wrongly_are_reported() -> None:
    """A wrong face, an invalid throw accepted, a valid one refused, one passed over, one asked about."""
    assert misses([THROW], DiceRolled(9500, Player.WHITE, (4, 3))) == [DifferenceKind.WRONG_ROLL]
    assert misses([OPENING], OpeningThrown(1500, 5, 2, Player.WHITE)) == [DifferenceKind.WRONG_ROLL]
    assert misses([COCKED], DiceRolled(5500, Player.WHITE, (3, 3))) == [DifferenceKind.INVALID_ACCEPTED]
    assert misses([THROW], ThrowRefused(9500, Player.WHITE, (BadThrow.SPLIT,), (4, 2))) == [
        DifferenceKind.VALID_REFUSED
    ]
    assert misses([COCKED], ThrowRefused(5500, Player.WHITE, (BadThrow.SPLIT,), (3, 3))) == [
        DifferenceKind.WRONG_REASON
    ]
    assert misses([THROW]) == [DifferenceKind.NO_ROLL]
    unclear = ThrowUnclear(9500, Player.WHITE, (Unclear.VALUE,), (4, None))
    assert misses([THROW], unclear, DiceRolled(9600, Player.WHITE, (4, 2))) == [DifferenceKind.UNSURE]
    assert misses([COCKED], ThrowUnclear(5500, Player.WHITE, (Unclear.LIE,), (3, 3))) == [DifferenceKind.UNSURE_OF_VOID]


def test_plays_that_are_ruled_wrongly_are_reported() -> None:
    """A false accusation, another play, nothing said, a question, a turn that begins elsewhere."""
    assert misses([PLAY], REFUSED, MADE) == [DifferenceKind.FALSE_ACCUSATION]
    assert misses([PLAY], replace(MADE, after=OTHER)) == [DifferenceKind.WRONG_PLAY]
    assert misses([PLAY]) == [DifferenceKind.NO_RULING]
    assert misses([PLAY], PlayUnclear(13000, Player.WHITE, (), (), "dark"), MADE) == [DifferenceKind.UNSURE]
    assert misses([PLAY], replace(MADE, before=OTHER)) == [DifferenceKind.WRONG_PLAY]


def test_a_turn_reported_from_another_board_is_only_excused_by_what_came_before() -> None:
    second = TruePlay(22000, Player.BLACK, (3, 1), AFTER, OTHER, EndedBy.DICE_LIFTED)
    elsewhere = PlayMade(22900, Player.BLACK, (3, 1), "6/5 6/3", START, "elsewhere", "end_turn")
    assert misses([PLAY, second], elsewhere) == [DifferenceKind.NO_RULING, DifferenceKind.OUT_OF_STEP]
    early = PlayMade(21000, Player.BLACK, (3, 1), "6/5 6/3", AFTER, OTHER, "end_turn")
    assert misses([PLAY, second], MADE, early)[0] is DifferenceKind.WRONG_PLAY


def test_an_accusation_is_excused_by_nothing_but_an_illegal_play() -> None:
    second = TruePlay(22000, Player.BLACK, (3, 1), AFTER, OTHER, EndedBy.DICE_LIFTED)
    late = replace(REFUSED, at_ms=22900)
    assert misses([PLAY, second], late) == [
        DifferenceKind.NO_RULING,
        DifferenceKind.OUT_OF_STEP,
        DifferenceKind.FALSE_ACCUSATION,
    ]
    assert DifferenceKind.FALSE_ACCUSATION not in misses([WRONG, second], late)


def test_an_answer_that_comes_after_the_others_pass_belongs_to_the_play_that_was_asked_about() -> None:
    passed = TruePlay(22000, Player.BLACK, (3, 1), AFTER, AFTER, EndedBy.DICE_LIFTED)
    asked = PlayUnclear(22100, Player.WHITE, (), (), "dark")
    answered = replace(MADE, at_ms=22100, evidence=Evidence.ENTERED)
    of_the_pass = PlayMade(22900, Player.BLACK, (3, 1), "pass", AFTER, AFTER, "end_turn")
    assert misses([PLAY, passed], asked, answered, of_the_pass) == [DifferenceKind.UNSURE]
    assert misses([PLAY, passed], asked, of_the_pass) == [DifferenceKind.NO_RULING, DifferenceKind.UNSURE]


def test_illegal_plays_must_be_found_and_named() -> None:
    """Refused under its name and then corrected is right; passed over, or called something else, is not."""
    assert misses([WRONG], REFUSED, replace(MADE, at_ms=16000)) == []
    assert misses([WRONG], replace(REFUSED, rules=(Rule.PRIME,)), replace(MADE, at_ms=16000)) == [
        DifferenceKind.WRONG_NAME
    ]
    assert misses([WRONG], replace(MADE, at_ms=16000)) == [DifferenceKind.ILLEGAL_MISSED]
    assert misses([WRONG], replace(MADE, after="illegal")) == [DifferenceKind.ILLEGAL_MISSED, DifferenceKind.WRONG_PLAY]
    found = compare([WRONG], [REFUSED, replace(MADE, at_ms=16000)])
    assert (found.illegal, found.illegal_found, found.illegal_named, found.wrong_rulings) == (1, 1, 1, 0)


def test_an_illegal_play_that_is_asked_about_is_not_found_and_not_passed_over() -> None:
    asked, mended = PlayUnclear(13000, Player.WHITE, (), (), "dark"), replace(MADE, at_ms=16000)
    unsure = compare([WRONG], [asked, mended])
    assert [one.kind for one in unsure.differences] == [DifferenceKind.UNSURE]
    assert (unsure.illegal, unsure.illegal_found, unsure.wrong_rulings, unsure.unsure_turns) == (1, 0, 0, 1)
    assert misses([WRONG], asked, replace(MADE, after="illegal")) == [DifferenceKind.UNSURE, DifferenceKind.WRONG_PLAY]
    assert misses([WRONG], asked, REFUSED, mended) == [DifferenceKind.UNSURE]


def test_a_turn_without_any_ruling_is_unsure() -> None:
    """A referee who keeps silent is no better than one who asks."""
    silent = compare([PLAY, replace(THROW, at_ms=15000)], [])
    assert {one.kind for one in silent.differences} == {DifferenceKind.NO_RULING, DifferenceKind.NO_ROLL}
    assert (silent.wrong_rulings, silent.unsure_turns) == (0, 2)


def test_a_play_that_was_condoned_must_stand() -> None:
    stands = replace(WRONG, corrected_to=None, is_condoned=True)
    condoned = PlayCondoned(16000, Player.WHITE, (4, 2), START, "illegal", (Rule.HEAD,), "clause")
    assert misses([stands], REFUSED, condoned) == []
    assert misses([stands], REFUSED) == []  # nobody throws any more
    assert misses([stands, replace(THROW, at_ms=15000)], REFUSED) == [DifferenceKind.NO_RULING, DifferenceKind.NO_ROLL]
    assert misses([stands], REFUSED, MADE) == [DifferenceKind.WRONG_PLAY]
    assert misses([WRONG], REFUSED, condoned) == [DifferenceKind.WRONG_PLAY]


def test_a_board_that_is_right_is_not_reported_to_be_wrong() -> None:
    differs = BoardDiffers(14000, ("T1",), ())
    assert misses([PLAY], MADE, differs) == [DifferenceKind.BOARD_DOUBTED]
    assert compare([PLAY], [MADE, differs]).unsure_turns == 1
    assert misses([PLAY, replace(THROW, at_ms=13500)], MADE, differs) == [DifferenceKind.NO_ROLL]
    assert misses([PLAY], replace(MADE, after=OTHER), differs) == [DifferenceKind.WRONG_PLAY]


def test_a_pass_that_is_reported_at_once_belongs_to_the_turn_that_is_passed() -> None:
    handed = TruePlay(22000, Player.BLACK, (6, 6), AFTER, AFTER, EndedBy.NEXT_THROW)
    passed = PlayMade(12900, Player.BLACK, (6, 6), "pass", AFTER, AFTER, "end_turn", Evidence.INFERRED)
    assert misses([PLAY, handed], MADE, passed) == []
    assert misses([PLAY, handed], MADE, replace(passed, player=Player.WHITE)) != []


def test_a_throw_that_is_made_again_and_falls_the_same_is_reported_once() -> None:
    """The first one did not count and was refused; the roll that a person enters belongs to the second one."""
    void = replace(COCKED, values=THROW.values)
    refused = ThrowRefused(5600, Player.WHITE, (BadThrow.COCKED,), (4, 2))
    reported = DiceRolled(9600, Player.WHITE, (4, 2), Evidence.ENTERED)
    assert misses([void, THROW], refused, reported) == []
