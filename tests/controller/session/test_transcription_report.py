"""What a transcription reports: counts, and the parts that it could not judge, with reason and remedy."""

from dataclasses import replace

from controller.match import Seating, events
from controller.match.event_values import Hindrance
from controller.match.events import Evidence, RefereeEvent
from controller.refereeing.perception import Perception, View
from controller.refereeing.state import Phase, RefereeState
from controller.rules import Player, ResultKind, Rule
from controller.session.transcription_report import Passage, UnrefereedThrows, report_transcription
from vision.dice.readings import BoardHalf, Contact, DieReading, DieState
from vision.dice_tracking.events import SettledDie

WHITE, BLACK = Player.WHITE, Player.BLACK
START = "00000050300005000000000020/00000050300005000000000020"
AFTER = "00000240200005000000000020/00000050300005000000000020"
MATCH: tuple[RefereeEvent, ...] = (
    events.MatchStarted(0, "backgammon", None, "casual", events.Mode.TEACH, "Ann", "Ben", None),
)
GAME = (*MATCH, events.SeatingKnown(500, Seating(), Evidence.SEEN), events.GameStarted(500, 1, START, WHITE))
ROLL = events.DiceRolled(1_000, WHITE, (3, 1))
PLAY = events.PlayMade(9_000, WHITE, (3, 1), "8/5 6/5", START, AFTER, "end_turn")
TURN = (ROLL, events.TurnEnded(9_000, WHITE, events.EndedBy.DICE_LIFTED), PLAY)
SPAN_MS = (0, 60_000)


def dark(at_ms: int, since_ms: int) -> RefereeEvent:
    return events.SightHindered(at_ms, Hindrance.TOO_DARK, since_ms)


def passages(*logged: RefereeEvent, throws_ms: tuple[int, ...] = ()) -> tuple[Passage, ...]:
    return report_transcription(logged, SPAN_MS, throws_ms).passages


def test_a_whole_recording_has_nothing_to_report() -> None:
    report = report_transcription((*GAME, *TURN), SPAN_MS)
    assert (report.turns, report.passages, report.is_complete) == (1, (), True)


def test_an_obstacle_lasts_from_its_beginning_to_its_end() -> None:
    """It is listed, and nothing was passed over, because play went on where it had stopped."""
    (passage,) = passages(*GAME, *TURN, dark(24_000, 20_000), events.SightClear(31_000))
    assert (passage.from_ms, passage.until_ms, passage.reason) == (20_000, 31_000, "too_dark")
    assert passage.sentence == "It is too dark to read the board; light it."
    assert not passage.is_passed_over


def test_a_short_obstacle_is_not_listed() -> None:
    assert passages(*GAME, *TURN, dark(24_000, 22_500), events.SightClear(26_000)) == ()


def test_an_obstacle_that_stays_passes_the_rest_over() -> None:
    """Nobody knows what was played there."""
    (passage,) = passages(*GAME, *TURN, dark(24_000, 20_000))
    assert (passage.from_ms, passage.until_ms, passage.is_passed_over) == (20_000, 60_000, True)


def test_the_reason_that_is_reported_is_the_last_one() -> None:
    """Places that change do not make a new passage; a board that was put right passes nothing over."""
    first, last = events.BoardDiffers(20_000, ("T3",), ()), events.BoardDiffers(22_000, ("T4",), ())
    (passage,) = passages(*GAME, *TURN, first, last, events.BoardAgrees(40_000))
    assert "Too many on T4" in passage.sentence
    assert (passage.from_ms, passage.until_ms, passage.is_passed_over) == (20_000, 40_000, False)
    assert passage.sentence.endswith("transcribe this part by itself with --from.")
    (taken,) = passages(*GAME, *TURN, first, events.BoardCorrected(40_000, START, BLACK))
    assert taken.is_passed_over


def test_between_games_only_throws_show_that_something_was_passed_over() -> None:
    """The checkers are put away after the last game; where dice are thrown meanwhile, a game was played."""
    won = events.GameWon(30_000, WHITE, ResultKind.SINGLE, 1, 1, 0)
    after = (*GAME, *TURN, won, events.SetUpBegun(31_000), events.BoardDiffers(33_000, (), ("T1",)))
    (passage,) = passages(*after)
    assert (passage.reason, passage.is_passed_over) == ("board_differs", False)
    assert [one.is_passed_over for one in passages(*after, throws_ms=(45_000,))] == [False]
    assert [one.is_passed_over for one in passages(*after, throws_ms=(45_000, 52_000))] == [True]


def test_a_game_whose_start_was_not_filmed() -> None:
    """After the last game people throw, and nothing hinders the referee: that part was passed over."""
    won = events.GameWon(30_000, WHITE, ResultKind.SINGLE, 1, 1, 0)
    assert passages(*GAME, *TURN, won, throws_ms=(45_000,)) == ()
    (passage,) = passages(*GAME, *TURN, won, throws_ms=(45_000, 52_000, 58_000))
    assert (passage.reason, passage.from_ms, passage.until_ms) == ("game_without_start", 45_000, 58_000)
    assert passage.is_passed_over


def test_a_turn_that_does_not_end_is_passed_over() -> None:
    (passage,) = passages(*GAME, ROLL)
    assert (passage.reason, passage.is_passed_over) == ("turn_unfinished", True)
    assert "within the turn of Ann" in passage.sentence


def test_turns_that_nobody_saw_or_could_tell() -> None:
    unseen = replace(PLAY, evidence=Evidence.INFERRED)
    unclear = events.PlayUnclear(20_000, BLACK, (), ("T1",), "It cannot be told.")
    theirs = (events.DiceRolled(15_000, BLACK, (2, 1)), unclear)
    report = report_transcription((*GAME, ROLL, unseen, *theirs), SPAN_MS)
    assert (report.turns, report.not_seen, report.unsure, report.is_complete) == (2, 1, 1, False)
    assert [(one.reason, one.from_ms) for one in report.passages] == [
        ("turn_not_seen", 9_000),
        ("play_unclear", 20_000),
    ]
    assert report.passages[1].sentence == (
        "I am not sure what Ben played. It cannot be told. Doubtful: T1. In a recording nobody can be asked; film without "
        "gaps, and so that no hand hides dice or board for long."
    )


def test_two_breaches_in_few_turns_put_the_game_in_doubt() -> None:
    """A single breach may happen to anybody, and so may two in many turns; a doubted game is not complete."""
    first = events.PlayRefused(9_000, WHITE, (3, 1), START, AFTER, (Rule.HEAD,), ("One checker.",))
    theirs = events.DiceRolled(15_000, BLACK, (2, 1))
    second = events.PlayRefused(20_000, BLACK, (2, 1), AFTER, START, (Rule.HEAD,), ("One checker.",))
    once = report_transcription((*GAME, ROLL, first), SPAN_MS)
    assert (once.illegal, once.doubt, once.is_complete) == (1, "", True)
    twice = (ROLL, first, theirs, second)
    report = report_transcription((*GAME, *twice), SPAN_MS)
    assert (report.illegal, report.passages, report.is_complete) == (2, (), False)
    assert report.doubt == (
        "2 of 2 turns break the rules of backgammon; if another game or variant is played, name it with --game or --rules."
    )
    before = [
        (events.DiceRolled(at_ms, side, (3, 1)), replace(PLAY, at_ms=at_ms, player=side))
        for at_ms, side in zip(range(600, 607), (WHITE, BLACK) * 4, strict=False)
    ]
    report = report_transcription((*GAME, *(event for turn in before for event in turn), *twice), SPAN_MS)
    assert (report.turns, report.illegal, report.doubt) == (9, 2, "")


def test_an_obstacle_passes_over_the_turns_that_were_lost_meanwhile() -> None:
    unseen = replace(PLAY, evidence=Evidence.INFERRED)
    obstacle, turn = passages(*GAME, dark(4_000, 600), ROLL, unseen, events.SightClear(10_000))
    assert (obstacle.reason, obstacle.is_passed_over, turn.reason) == ("too_dark", True, "turn_not_seen")


def test_a_recording_in_which_no_turn_is_refereed() -> None:
    """The reason is that no board rests, or that nobody plays; without any usable picture the faults of these say more."""
    assert [one.reason for one in passages(*MATCH)] == ["nothing_at_rest"]
    assert [one.reason for one in passages(*GAME)] == ["no_turn"]
    report = report_transcription(MATCH, None)
    assert (report.passages, report.is_complete) == ((), False)


def test_throws_outside_games_are_noted_once() -> None:
    """Two dice that lie there for a while are one throw; a single die, or dice of a game, are none."""
    flat = DieReading(
        (0.0,) + (-9.0,) * 5, DieState.FLAT, 1.0, (9, 9), 20, None, BoardHalf.RIGHT, Contact.NOTHING, 0, 1
    )
    dice = tuple(SettledDie(number, 1, flat, 0) for number in (1, 2))
    thrown = RefereeState(seen=Perception(view=View(dice=dice)))
    single = RefereeState(seen=Perception(view=View(dice=dice[:1])))
    throws = UnrefereedThrows()
    for now_ms, state in enumerate((single, thrown, thrown, replace(thrown, phase=Phase.PLAYING))):
        throws.publish(state, (), now_ms)
    assert throws.times_ms == [1]
