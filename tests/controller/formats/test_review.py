"""A recorded match that is put right: one turn, what follows from it, and what stays out of step."""

from dataclasses import replace

import pytest

from controller.formats.review import ReviewedTurn, ReviewError, find_choices, list_reviewed_turns, put_right
from controller.match.events import (
    AnswerTakenBack,
    BoardAgrees,
    BoardCorrected,
    DiceRolled,
    EventRevised,
    Evidence,
    PlayMade,
    PlayUnclear,
    QuestionAnswered,
    RefereeEvent,
)
from controller.match_log import TurnRuling, revise, turn_lines
from controller.match_log.errors import EventTextError
from controller.match_log.turns import parse_revision
from controller.refereeing.referee import replay_events
from controller.rules import RULESETS, Player
from tests.controller.formats.simulated_matches import simulated_match

RULES = RULESETS["backgammon"]
Events = tuple[RefereeEvent, ...]


def turns_of(logged: Events) -> tuple[ReviewedTurn, ...]:
    return list_reviewed_turns("backgammon", logged)


def boards_of(logged: Events) -> list[tuple[object, ...]]:
    return [(line.player, line.roll, line.before, line.after) for line in turn_lines(logged)]


def with_unclear(logged: Events, turn: ReviewedTurn) -> Events:
    """The record as if nobody could tell the play of a turn, and play had gone on from the board that was seen."""
    played = logged[turn.event - 1]
    assert isinstance(played, PlayMade)
    unclear = PlayUnclear(played.at_ms, played.player, (), (), "")
    went_on = BoardCorrected(played.at_ms, played.after, played.player.opponent, Evidence.SEEN)
    return (*logged[: turn.event - 1], unclear, went_on, *logged[turn.event :])


def test_nothing_is_open_in_a_match_that_was_seen() -> None:
    logged = simulated_match(1)
    turns = turns_of(logged)
    assert len(turns) == len(turn_lines(logged)) > 40
    assert not any(turn.is_open for turn in turns)


def test_a_turn_that_nobody_could_tell() -> None:
    """Choosing what was played leaves the record of a match in which it was seen."""
    whole = simulated_match(1)
    turn = turns_of(whole)[6]
    logged = with_unclear(whole, turn)
    (unsure,) = [one for one in turns_of(logged) if one.is_open]
    assert (unsure.number, unsure.ruling) == (7, TurnRuling.UNSURE)
    played = whole[turn.event - 1]
    assert isinstance(played, PlayMade)
    choices = find_choices(unsure, logged, RULES)
    assert (choices.player, choices.roll, choices.before) == (turn.player, turn.roll, played.before)
    assert played.after in [choice.after for choice in choices.plays]
    revised = (*logged, *put_right(unsure, logged, RULES, played.after))
    assert boards_of(revised) == boards_of(whole)
    assert not any(one.is_open for one in turns_of(revised))
    assert [one.number for one in turns_of(revised) if one.is_revised] == [7]
    assert isinstance(revise(revised)[unsure.event], BoardAgrees)
    assert replay_events(revise(revised)).position == replay_events(whole).position


@pytest.mark.parametrize("number", [1, 2, 5, 11, 20])
def test_another_play_there_and_back(number: int) -> None:
    """Later turns follow the board that was put right; put back, the record is as it was."""
    whole = simulated_match(2)
    turn = turns_of(whole)[number - 1]
    played = whole[turn.event - 1]
    assert isinstance(played, PlayMade)
    others = [one for one in find_choices(turn, whole, RULES).plays if one.after != played.after]
    for other in others[:5]:
        wrong = (*whole, *put_right(turn, whole, RULES, other.after))
        assert turn_lines(wrong)[number - 1].after == other.after
        changed = turns_of(wrong)
        assert changed[number - 1].play == other.play
        out_of_step = [one.number for one in changed if not one.is_in_step]
        assert len(out_of_step) <= 1
        assert all(one.is_open for one in changed if one.number in out_of_step)
        back = (*wrong, *put_right(changed[number - 1], wrong, RULES, played.after))
        assert turn_lines(back)[number - 1].after == played.after
        if not out_of_step:
            assert boards_of(back) == boards_of(whole)


def test_an_answer_that_was_taken_back_does_not_end_what_follows() -> None:
    """Boards that stood only until the answer was taken back tell nothing about the turns after it."""
    whole = simulated_match(2)
    turn = turns_of(whole)[4]
    played = whole[turn.event - 1]
    assert isinstance(played, PlayMade)
    later = whole[turn.event :]
    wrong = (QuestionAnswered(played.at_ms, played.at_ms), BoardCorrected(played.at_ms, played.before))
    logged = (*whole[: turn.event], *wrong, AnswerTakenBack(played.at_ms, played.player), *later)
    others = find_choices(turn, whole, RULES).plays
    other = max(others, key=lambda one: len(put_right(turn, whole, RULES, one.after)))
    expected = (*whole, *put_right(turn, whole, RULES, other.after))
    found = (*logged, *put_right(turn, logged, RULES, other.after))
    assert boards_of(found) == boards_of(expected)
    assert boards_of(found) != boards_of(whole)


def test_another_roll() -> None:
    """The opening throw shows the same numbers, and the plays are those of the new roll."""
    whole = simulated_match(1)
    first, second = turns_of(whole)[:2]
    for turn in (first, second):
        roll = (6, 2) if turn.roll != (6, 2) else (5, 1)
        play = find_choices(turn, whole, RULES, roll).plays[0]
        revised = (*whole, *put_right(turn, whole, RULES, play.after, roll))
        line = turn_lines(revised)[turn.number - 1]
        assert (line.roll, line.play, line.after) == (roll, play.play, play.after)
    with pytest.raises(ReviewError, match="An opening throw that begins the game has two different numbers"):
        find_choices(first, whole, RULES, (3, 3))


def test_what_is_refused() -> None:
    whole = simulated_match(2)
    turns = turns_of(whole)
    last, played = next(
        (turn, event)
        for turn in turns
        if isinstance(event := whole[turn.event - 1], PlayMade)
        and event.follow == "game_over"
        and not find_choices(turn, whole, RULES, (2, 1)).plays[0].after.startswith("f")
        and "/f" not in find_choices(turn, whole, RULES, (2, 1)).plays[0].after
    )
    with pytest.raises(ReviewError, match="This is no legal play of this roll"):
        put_right(turns[0], whole, RULES, played.after)
    with pytest.raises(ReviewError, match="This is no legal play of this roll"):
        put_right(turns[0], whole, RULES, "no board")
    with pytest.raises(ReviewError, match="The game ended with this turn; choose a play that ends it"):
        put_right(last, whole, RULES, find_choices(last, whole, RULES, (2, 1)).plays[0].after, (2, 1))


def test_the_last_turn_of_a_recording() -> None:
    """It may end the game if nothing follows, and may not if the players went on."""
    whole = simulated_match(1)
    turn, played = next(
        (turn, event)
        for turn in turns_of(whole)
        if isinstance(event := whole[turn.event - 1], PlayMade) and event.follow == "game_over"
    )
    unclear = PlayUnclear(played.at_ms, played.player, (), (), "")
    ended = (*whole[: turn.event - 1], unclear)
    (unsure,) = [one for one in turns_of(ended) if one.is_open]
    revised = (*ended, *put_right(unsure, ended, RULES, played.after))
    assert turn_lines(revised)[-1].after == played.after
    went_on = (*ended, DiceRolled(played.at_ms, played.player.opponent, (2, 1)))
    with pytest.raises(ReviewError, match="This play would end the game, which went on"):
        put_right(unsure, went_on, RULES, played.after)


def test_a_turn_of_which_not_even_the_roll_was_seen() -> None:
    """It is said first, then the play is chosen; the turn is then no longer among those to be looked at."""
    whole = simulated_match(1)
    turn = turns_of(whole)[7]
    played = whole[turn.event - 1]
    assert isinstance(played, PlayMade)
    rolled = max(number for number in range(1, turn.event) if isinstance(whole[number - 1], DiceRolled))
    passed_over = BoardCorrected(played.at_ms, played.after, played.player.opponent, Evidence.INFERRED)
    logged = (*whole[: rolled - 1], passed_over, *whole[turn.event :])
    (unseen,) = [one for one in turns_of(logged) if one.is_open]
    assert (unseen.roll, unseen.ruling) == ((), TurnRuling.NOT_SEEN)
    assert find_choices(unseen, logged, RULES).plays == ()
    with pytest.raises(ReviewError, match="Say first what was thrown"):
        put_right(unseen, logged, RULES, played.after)
    roll = (turn.roll[0], turn.roll[1])
    assert played.after in [one.after for one in find_choices(unseen, logged, RULES, roll).plays]
    revised = (*logged, *put_right(unseen, logged, RULES, played.after, roll))
    assert [line.after for line in turn_lines(revised)] == [line.after for line in turn_lines(whole)]
    assert not any(one.is_open for one in turns_of(revised))


def test_false_revisions_are_no_events() -> None:
    whole = simulated_match(1)
    (revision, *_) = put_right(
        turns_of(whole)[0], whole, RULES, find_choices(turns_of(whole)[0], whole, RULES).plays[0].after
    )
    false = (
        replace(revision, number=0),
        replace(revision, number=len(whole) + 1),
        replace(revision, number=1),
        replace(revision, text="{}"),
        EventRevised(1, revision.number, revision.text.replace('"at_ms":', '"at_ms":9')),
    )
    for one in false:
        with pytest.raises(EventTextError):
            parse_revision(one, whole)
        assert revise((*whole, one)) == (*whole, one)
    assert revise((*whole, revision))[revision.number - 1] != whole[revision.number - 1]
    assert Player.WHITE in {turn.player for turn in turns_of(whole)}
