"""The configuration of a resumed match: from its log, and from the present settings for what the log does not hold."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match.event_values import BoardUsed
from controller.match.events import MatchStarted
from controller.match.seating import ALL_SEATINGS, Checkers, PictureEdge, Seating
from controller.match_log.event_json import event_text, parse_event
from controller.refereeing.match_config import GameStart, MatchConfig
from controller.refereeing.referee import begin_match
from controller.rules import RULESETS, Player, position_text, start_position
from controller.settings.resumed_match_config import describe_overridden_settings, restore_match_config
from tests.controller.refereeing.refereed_match import table_of

LATER = position_text(start_position(RULESETS["nackgammon"]))
TURNED = Seating(Checkers.DARK, PictureEdge.TOP)
BLACK_ON_TURN = BoardUsed(start=LATER, on_turn=Player.BLACK)
SAID = "the match goes on as its log says, and not as the settings do: "


def started(table: MatchConfig) -> MatchStarted:
    """The first event of its log, written and parsed again."""
    (event,) = begin_match(table, 0)[1]
    back = parse_event(event_text(event))
    assert isinstance(back, MatchStarted)
    return back


def older(table: MatchConfig) -> MatchStarted:
    """The event as an older log has it, without the board."""
    return replace(started(table), board=None)


def tables() -> st.SearchStrategy[MatchConfig]:
    return st.builds(
        lambda bar, seating, start, on_turn: table_of(
            "backgammon", has_bar=bar, seating=seating, start=start, on_turn=on_turn
        ),
        st.booleans(),
        st.none() | st.sampled_from([one for one in ALL_SEATINGS if one.white_head == 12]),
        st.none() | st.just(LATER),
        st.none() | st.sampled_from(Player),
    )


@given(tables(), tables())
def test_the_agreed_board_overrides_the_settings(then: MatchConfig, now: MatchConfig) -> None:
    """Whatever the settings say; only an unknown seating comes from them."""
    agreed = restore_match_config(started(then), now)
    assert agreed == replace(then, seating=then.seating or now.seating)


@given(tables(), tables(), st.sampled_from(ALL_SEATINGS))
def test_the_last_seating_of_the_log_overrides_the_agreed_one(
    then: MatchConfig, now: MatchConfig, known: Seating
) -> None:
    """The seating may change during a match; the game defines where White begins."""
    agreed = restore_match_config(started(then), now, known)
    assert agreed.seating == replace(known, white_head=12)


@given(tables(), tables())
def test_an_older_log_leaves_the_board_to_the_settings(then: MatchConfig, now: MatchConfig) -> None:
    """Then nothing is reported as overridden."""
    agreed = restore_match_config(older(then), now)
    assert agreed == now
    assert describe_overridden_settings(agreed, now, has_begun=False) is None


def test_a_match_is_resumed_in_its_own_game() -> None:
    """That game defines where White begins; a start position of another game does not count."""
    rules, other = RULESETS["long_nardy"], RULESETS["backgammon"]
    seating = Seating(white_head=36 - rules.white_head)
    now = MatchConfig(
        game="backgammon", rules=other, seating=seating, start=GameStart("x", Player.BLACK), has_bar=False
    )
    before = older(table_of("long_nardy", seating=None))
    table = restore_match_config(before, now)
    assert table.seating == replace(seating, white_head=rules.white_head)
    assert (table.game, table.rules) == ("long_nardy", rules)
    assert (table.start, table.has_bar) == (GameStart(), False)
    assert restore_match_config(before, replace(now, game="long_nardy")).start.position == "x"


@pytest.mark.parametrize(
    ("then", "now", "expected"),
    [
        (BoardUsed(has_bar=False), BoardUsed(), "the board has no bar"),
        (BoardUsed(), BoardUsed(has_bar=False), "the board has a bar"),
        (BoardUsed(seating=TURNED), BoardUsed(seating=Seating()), "the seating is white=dark,edge=top,mirrored=no"),
        (BoardUsed(start=LATER), BoardUsed(), f"it begins with {LATER}"),
        (BLACK_ON_TURN, replace(BLACK_ON_TURN, on_turn=Player.WHITE), f"it begins with {LATER} with Black on turn"),
        (BoardUsed(), BoardUsed(start=LATER), "it begins with the game's start"),
        (
            BoardUsed(has_bar=False, seating=TURNED),
            BoardUsed(seating=Seating()),
            "the board has no bar; the seating is white=dark,edge=top,mirrored=no",
        ),
    ],
)
def test_overridden_settings_are_reported(then: BoardUsed, now: BoardUsed, expected: str) -> None:
    today = _table(now)
    agreed = restore_match_config(started(_table(then)), today)
    assert describe_overridden_settings(agreed, today, has_begun=False) == SAID + expected


@pytest.mark.parametrize(
    ("then", "now", "has_begun"),
    [
        (BoardUsed(), BoardUsed(), False),
        (BoardUsed(seating=TURNED), BoardUsed(), False),  # the settings have no seating
        (BoardUsed(), BoardUsed(seating=TURNED), False),  # the log has no seating, so that of the settings holds
        (BoardUsed(start=LATER), BoardUsed(), True),  # the first game has begun
    ],
)
def test_nothing_is_reported_where_nothing_is_overridden(then: BoardUsed, now: BoardUsed, has_begun: bool) -> None:
    """A value that one side leaves open is not overridden."""
    today = _table(now)
    agreed = restore_match_config(started(_table(then)), today)
    assert describe_overridden_settings(agreed, today, has_begun=has_begun) is None


def _table(board: BoardUsed) -> MatchConfig:
    return table_of(
        "backgammon", has_bar=board.has_bar, seating=board.seating, start=board.start, on_turn=board.on_turn
    )
