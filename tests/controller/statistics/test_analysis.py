"""The answer of GNU Backgammon, laid beside the match."""

import pytest

from controller.formats import gnubgid, xgid
from controller.formats.exporting.turn_states import find_match_state, parse_turn_reference
from controller.rules import Player
from controller.statistics.analysis import Mistake, PlayerErrors, make_analysis
from tests.controller.statistics.fake_gnubg import answer_for, short_match


def mistakes(loss: float) -> list[Mistake]:
    match = short_match()
    return list(make_analysis(match, answer_for(match, loss)).mistakes)


def test_every_play_has_its_turn_and_position() -> None:
    """The positions are those of the match itself."""
    match = short_match()
    plays = [one for one in mistakes(0.5) if one.decision == "play"]
    assert [(one.game, one.turn, one.player) for one in plays] == [
        (1, number, Player.WHITE if number % 2 else Player.BLACK) for number in range(1, 5)
    ]
    for one in plays:
        state = find_match_state(match, parse_turn_reference(str(one.turn)))
        assert (one.xgid, one.gnubgid) == (xgid(state), gnubgid(state))
        assert (one.cube, one.owner, one.score, one.length, one.loss) == (1, "", (0, 0), 3, 0.5)
    assert [one.roll for one in plays] == ["31", "42", "66", "55"]


def test_decisions_about_the_cube_have_no_roll() -> None:
    """A missed double loses what the drop would bring, a wrong one what waiting would; a take is compared with the drop."""
    cube = [one for one in mistakes(0.0) if one.decision == "cube"]
    assert [(one.turn, one.player, one.roll, one.made, one.best, one.loss) for one in cube] == [
        (4, Player.BLACK, "", "double", "no double", 0.2),
        (4, Player.WHITE, "", "take", "drop", 0.5),
        (4, Player.BLACK, "", "no double", "double", 0.5),
        (0, Player.WHITE, "", "drop", "take", 0.4),
    ]
    assert [one.xgid.split(":")[4] for one in cube] == ["00", "D", "00", "D"]


def test_small_losses_are_no_mistakes() -> None:
    assert [one.decision for one in mistakes(0.019)] == ["cube"] * 4
    assert len(mistakes(0.02)) == 8


def test_rates_are_of_all_decisions() -> None:
    """Two matches together are not the mean of their rates."""
    match = short_match()
    analysis = make_analysis(match, answer_for(match, 0.5))
    assert [(one.what, one.white, one.white_rating) for one in analysis.rates] == [
        ("checker play", 500.0, "Awful!"),
        ("cube", 500.0, ""),
        ("overall", 500.0, "Awful!"),
    ]
    together = PlayerErrors(1, 0.1) + PlayerErrors(9, 0.0, 10, 0.3)
    assert together.rate == pytest.approx(20.0)
    assert PlayerErrors().rate is None


@pytest.mark.parametrize("wrong", [{}, {"players": []}, {"players": [1, 2], "games": []}])
def test_another_answer_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises((KeyError, ValueError, TypeError)):
        make_analysis(short_match(), wrong)
