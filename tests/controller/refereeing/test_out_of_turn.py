"""A turn that nobody saw: the next roll seems to be the wrong player's until it is played."""

import pytest

from controller.match.commands import ChoosePlay
from controller.match.events import DiceRolled, Evidence, PlayMade, PlayRefused, PlayUnclear, RollWithdrawn
from controller.rules import Player
from controller.web.match.alternatives import play_options
from tests.controller.refereeing.refereed_match import RefereedMatch, table_of

pytestmark = pytest.mark.broad

START = "00000050300005000000000020/00000050300005000000000020"
FIVE_POINT = "00000050300005000000000020/00000240200005000000000020"


def overlooked_turn(board: str = FIVE_POINT) -> RefereedMatch:
    """White is on turn for the referee; it is Black who throws 3-1, plays and lifts the dice."""
    match = RefereedMatch.begun(table_of("backgammon", start=START, on_turn=Player.WHITE))
    match.throw(3, 1)
    match.put(board)
    match.lift(rest_ms=10_000)
    return match


def played(match: RefereedMatch) -> list[tuple[Player, str, Evidence]]:
    return [(event.player, event.play, event.evidence) for event in match.emitted(PlayMade)]


class TestAPlayOfTheWrongSide:
    def test_is_asked_about(self) -> None:
        """Black made a legal play of this roll: a turn was missed, or Black played out of turn."""
        match = overlooked_turn()
        assert not match.emitted(PlayRefused)
        assert not played(match)
        assert match.only(PlayUnclear).options == ("8/5 6/5",)

    def test_stands_when_somebody_says_so(self) -> None:
        """One answer is offered, and after it the referee is in step again."""
        match = overlooked_turn()
        asked = match.only(PlayUnclear)
        first, *_ = play_options(match.state, match.table)  # what is asked about comes before plays of White's
        assert (first.play, first.after) == (asked.options[0], FIVE_POINT)
        match.give(ChoosePlay(first.after))
        assert played(match) == [(Player.BLACK, "8/5 6/5", Evidence.ENTERED)]
        assert [event.player for event in match.emitted(RollWithdrawn)] == [Player.WHITE]
        assert [event.player for event in match.emitted(DiceRolled)] == [Player.WHITE, Player.BLACK]
        assert match.state.on_turn is Player.WHITE

    def test_stands_with_the_next_throw(self) -> None:
        """Nobody objected before White threw; the log says that Black's turn was inferred."""
        match = overlooked_turn()
        match.throw(6, 2, rest_ms=3000)
        assert not match.emitted(PlayRefused)
        assert played(match) == [(Player.BLACK, "8/5 6/5", Evidence.INFERRED)]
        assert match.state.on_turn is Player.WHITE
        assert match.roll == (6, 2)

    def test_put_back_is_forgotten(self) -> None:
        """The checkers lie as before, and White plays his throw."""
        match = overlooked_turn()
        match.put("00000240200005000000000020/00000050300005000000000020", rest_ms=3000)
        assert not match.emitted(PlayRefused)
        assert played(match) == [(Player.WHITE, "8/5 6/5", Evidence.SEEN)]

    def test_is_refused_where_it_is_no_legal_play(self) -> None:
        """Somebody moved one of Black's checkers by a single point."""
        assert overlooked_turn("00000050300005000000000020/00000140300005000000000020").emitted(PlayRefused)
