"""What a match teaches: the boards of turns that were confirmed, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from controller.adjudication import view_of
from controller.match import Evidence, Seating, events
from controller.observing import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import replay_events
from controller.refereeing.verdicts.due_throw import position_of
from controller.rules import RULESETS, Player, position_text, start_position
from controller.session.board_lessons import BoardLessons, restore_appearance, take_lesson
from tests.controller.board_sights import reading_of, sight_of
from tests.vision.checkers.test_appearance import CONTENTS, reading
from vision.board.board_reading import BoardReading
from vision.checkers import KnownPlaces, learn_appearance

RULES = RULESETS["backgammon"]
TABLE = MatchConfig(game="backgammon", rules=RULES, seating=Seating())
START = position_text(start_position(RULES))
BEGUN = (
    events.MatchStarted(0, "backgammon", None, "casual", events.Mode.TEACH, "A", "B", None),
    events.SeatingKnown(1, Seating(), Evidence.ENTERED),
    events.GameStarted(2, 1, START, None),
    events.OpeningThrown(3, 6, 5, Player.WHITE),
)
THROWN = events.DiceRolled(3, Player.WHITE, (6, 5))
AFTER = "00000050300006000000000010/00000050300005000000000020"
PLAYED = events.PlayMade(900, Player.WHITE, (6, 5), "24/13", START, AFTER, "opponent")


def board_at(taken_ms: int, *, disturbed: frozenset[int] = frozenset()) -> BoardReading:
    seen = reading_of(view_of(start_position(RULES), Seating(), RULES), taken_ms)
    return replace(seen, of_network=reading(CONTENTS), disturbed=disturbed)


def at_rest(seen: BoardReading, *, hand: bool = False) -> Observation:
    evidence = replace(sight_of(view_of(start_position(RULES), Seating(), RULES)), taken_ms=seen.taken_ms)
    return Observation(seen.taken_ms, evidence, evidence, hand_in_view=hand)


def follow(
    *after_throw: events.RefereeEvent, seen: BoardReading | None = None, hand: bool = False
) -> KnownPlaces | None:
    """The lesson of the turn after the opening throw."""
    board = board_at(3) if seen is None else seen
    state = replay_events((*BEGUN, THROWN))
    lessons, lesson = BoardLessons(TABLE).follow(state, (THROWN,), at_rest(board, hand=hand), board)
    assert lesson is None
    for event in after_throw:
        lessons, lesson = lessons.follow(state, (event,), at_rest(board_at(event.at_ms)), board_at(event.at_ms))
    return lesson


def test_a_legal_play_confirms_the_board_of_its_throw() -> None:
    lesson = follow(events.TurnEnded(800, Player.WHITE, events.EndedBy.DICE_LIFTED), PLAYED)
    assert lesson is not None
    assert sum(content > 0 for content in lesson.contents.values()) == 6


def test_the_points_of_the_play_teach_nothing() -> None:
    """A throw may be read only when its play stands on the board already: the two points would be taught wrongly."""
    lesson = follow(PLAYED)
    assert lesson is not None
    left_out = set(range(24)) - set(lesson.contents)
    start, after = (view_of(position_of(text, RULES), Seating(), RULES).points for text in (START, AFTER))
    assert left_out == {place for place in range(24) if start[place] != after[place]}
    assert len(left_out) == 2


@pytest.mark.parametrize(
    "between",
    [
        events.PlayRefused(700, Player.WHITE, (6, 5), START, START, (), ()),
        events.PlayUnclear(700, Player.WHITE, (), (), "It cannot be seen."),
        events.PlayCondoned(700, Player.WHITE, (6, 5), START, START, (), ""),
        events.DisputeOpened(700),
        events.BoardCorrected(700, START),
        events.BoardMoved(700, 9.0),
        events.CameraLost(700, "It was unplugged."),
        events.RollWithdrawn(700, Player.WHITE, (6, 5)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_turn_with_anything_else_teaches_nothing(between: events.RefereeEvent) -> None:
    assert follow(between, PLAYED) is None


@pytest.mark.parametrize("evidence", [Evidence.ENTERED, Evidence.INFERRED])
def test_a_play_that_was_not_seen_teaches_nothing(evidence: Evidence) -> None:
    assert follow(replace(PLAYED, evidence=evidence)) is None


def test_points_whose_contents_were_inferred_teach_nothing() -> None:
    """The height of a heap is never seen: the other points teach all the same."""
    seen, guessed = follow(PLAYED), follow(replace(PLAYED, inferred=("T2", "tray")))
    assert seen is not None
    assert guessed is not None
    assert set(seen.contents) - set(guessed.contents) == {1}


def test_a_hand_over_the_board_teaches_nothing() -> None:
    assert follow(PLAYED, hand=True) is None


def test_dice_on_points_teach_nothing_there() -> None:
    lesson = follow(PLAYED, seen=board_at(3, disturbed=frozenset({5, 6})))
    assert lesson is not None
    assert {5, 6} <= set(range(24)) - set(lesson.contents)


def test_an_older_reading_is_no_evidence() -> None:
    state = replay_events((*BEGUN, THROWN))
    lessons, _ = BoardLessons(TABLE).follow(state, (THROWN,), at_rest(board_at(3)), board_at(2))
    assert lessons.candidate is None


def test_a_resumed_match_knows_the_board_as_before() -> None:
    """The events lead to the appearance that was in use, with and without one in the calibration."""
    lesson = KnownPlaces(reading(CONTENTS, wrong={3: 1}), CONTENTS)
    calibrated = learn_appearance(KnownPlaces(reading(CONTENTS, seed=5), CONTENTS))
    for begun in (None, calibrated):
        known, logged = begun, []
        for at_ms in range(3):
            learned = take_lesson(known, lesson, at_ms)
            assert learned is not None
            known, event = learned
            logged.append(event)
        assert restore_appearance(begun, [*BEGUN, *logged]) == known
    assert restore_appearance(calibrated, BEGUN) == calibrated


def test_an_older_log_does_not_override_a_newer_calibration() -> None:
    """Nor does an event whose change is no change, or one of another network."""
    lesson = KnownPlaces(reading(CONTENTS, wrong={3: 1}), CONTENTS)
    older, newer = (learn_appearance(KnownPlaces(reading(CONTENTS, seed=seed), CONTENTS)) for seed in (5, 6))
    learned = take_lesson(older, lesson, 7)
    assert learned is not None
    event = learned[1]
    assert restore_appearance(newer, [event]) == newer
    assert restore_appearance(None, [event]) is None
    for wrong in ("§", "AAAA", "////" * 247):
        assert restore_appearance(older, [replace(event, change=wrong)]) == older
    assert restore_appearance(older, [replace(event, network="0" * 12)]) == older


def test_a_lesson_without_a_visible_place_is_none() -> None:
    hidden = replace(reading(CONTENTS), visible=np.zeros(25, np.float32))
    assert take_lesson(None, KnownPlaces(hidden, CONTENTS), 5) is None
