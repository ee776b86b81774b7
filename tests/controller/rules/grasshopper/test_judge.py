"""The Grasshopper action that a board shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import Player
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.judge import ActionAllowed, ActionRefused, PieceSetup, judge_action, make_piece_setup

pytestmark = pytest.mark.broad

SEED = ".w....bW................ 11 13 W -"
NO_ACTION = "bbbbbb.............w.... 13 8 W -"
DRAWN = "......wbbwwbbwwWbBwbbbww 0 0 B B"


def board(text: str, hands: tuple[int, int] | None) -> PieceSetup:
    """Points as in a state's text, and `3` for three white pieces; a point `x` holds one of each."""
    white = tuple({"w": 1, "W": 2, "3": 3, "x": 1}.get(letter, 0) for letter in text)
    black = tuple({"b": 1, "B": 2, "x": 1}.get(letter, 0) for letter in text)
    return PieceSetup(white, black, hands)


def refused(before: grasshopper.State, after: PieceSetup) -> ActionRefused:
    ruling = judge_action(before, after)
    assert isinstance(ruling, ActionRefused)
    return ruling


def reasons(before: grasshopper.State, after: PieceSetup) -> list[str]:
    return [objection.reason.value for objection in refused(before, after).objections]


@pytest.mark.parametrize(
    ("before", "points", "hands", "action"),
    [
        (SEED, ".w...wbW................", (10, 13), grasshopper.Action(grasshopper.ActionKind.ENTER, 0, 6)),
        (SEED, ".w...wbW................", None, grasshopper.Action(grasshopper.ActionKind.ENTER, 0, 6)),
        (SEED, ".w....bw....w...........", (11, 13), grasshopper.Action(grasshopper.ActionKind.MOVE, 8, 13)),
        (".w.....w................ 12 14 W -", ".......W................", None, grasshopper.Action(grasshopper.ActionKind.WALL, 2, 8)),
        ("...................W.... 12 14 W B", "........................", (12, 14), grasshopper.Action(grasshopper.ActionKind.BEAROFF, 20, 25)),
        ("...................B.... 14 12 B W", "........................", None, grasshopper.Action(grasshopper.ActionKind.BEAROFF, 20, 25)),
        (NO_ACTION, "bbbbbb.............w....", (13, 8), grasshopper.PASS),
    ],
)  # fmt: skip
def test_an_action_is_found(
    before: str, points: str, hands: tuple[int, int] | None, action: grasshopper.Action
) -> None:
    """One action explains the board, whether or not anybody looked at the hands."""
    ruling = judge_action(grasshopper.from_text(before), board(points, hands))
    assert ruling == ActionAllowed(action, grasshopper.apply_action(grasshopper.from_text(before), action))


@pytest.mark.parametrize(
    ("before", "points", "hands", "expected"),
    [
        (SEED, ".w....bW................", (11, 13), ["nothing_changed"]),
        (SEED, ".w....b.b...............", (11, 13), ["opponent_moved", "not_in_last_quadrant"]),
        (SEED, ".w....bW................", (11, 12), ["opponent_moved"]),
        (SEED, ".w......W...b...........", None, ["opponent_moved", "more_than_one_action"]),
        (SEED, ".w.....Wb...............", None, ["opponent_moved"]),
        (SEED, ".w.....w....wb..........", None, ["opponent_moved"]),
        (SEED, ".......Wb...............", None, ["opponent_moved", "piece_missing"]),
        (SEED, "......bW................", (11, 13), ["piece_missing"]),
        (SEED, ".w....bw................", (11, 13), ["piece_missing"]),
        (SEED, ".w....bW................", (10, 13), ["piece_missing"]),
        (SEED, ".w....b.................", (11, 13), ["not_in_last_quadrant"]),
        (SEED, "......bw................", (11, 13), ["piece_missing"]),
        (SEED, "......b.................", (11, 13), ["piece_missing"]),
        (SEED, "ww....bW................", (11, 13), ["piece_extra"]),
        (SEED, ".w....bW................", (12, 13), ["piece_extra"]),
        (SEED, "ww...wbW................", (10, 13), ["piece_extra"]),
        (SEED, "......bW................", (12, 13), ["back_to_hand"]),
        (SEED, "w.w...bW................", (10, 13), ["more_than_one_action"]),
        (SEED, "ww...wbW................", None, ["more_than_one_action"]),
        (SEED, ".w....b.....W...........", (11, 13), ["more_than_one_action"]),
        (SEED, "......bw.....w..........", (11, 13), ["piece_missing"]),
        (SEED, "......b3................", (11, 13), ["wall_full"]),
        (SEED, "......xW................", (11, 13), ["occupied"]),
        (SEED, ".w....xW................", None, ["wrong_quadrant", "occupied"]),
        (SEED, ".W....bw................", None, ["wrong_quadrant", "occupied"]),
        ("...................W.... 0 14 W -", "...................Ww...", None, ["hand_empty", "wrong_quadrant"]),
        (".............w.....w.... 12 14 W -", ".............w..........", None, ["single"]),
        (".............w.....w.... 12 14 W -", "...................w....", None, ["piece_missing"]),
        ("...................W.... 12 14 W -", "...................w....", None, ["piece_missing"]),
        ("w..................W.... 11 14 W -", "......w.................", None, ["more_than_one_action"]),
        ("w......W................ 11 14 W -", "......w.................", None, ["piece_missing"]),
        ("w..................WW... 9 14 W -", "......w.................", None, ["piece_missing"]),
        ("w..................ww... 11 14 W -", "......w.................", None, ["piece_missing"]),
        (DRAWN, "......wbbwwbbwwWbBwbbbww", (0, 0), ["game_over"]),
        (DRAWN, "......wbbwwbbwwWbBwbbbwb", (0, 0), ["opponent_moved", "piece_extra"]),
        (NO_ACTION, "bbbbbb.............w....", (13, 7), ["opponent_moved"]),
    ],
)
def test_a_board_is_refused(before: str, points: str, hands: tuple[int, int] | None, expected: list[str]) -> None:
    """Everything that stands against the board, the decisive reason first."""
    assert reasons(grasshopper.from_text(before), board(points, hands)) == expected


def test_a_won_game_goes_on_no_more() -> None:
    """After a win neither an action nor an unchanged board is a turn."""
    won = grasshopper.apply_action(
        grasshopper.from_text("w..................W.... 11 14 W W"),
        grasshopper.Action(grasshopper.ActionKind.BEAROFF, 20, 25),
    )
    for after_it in (
        make_piece_setup(won),
        board("......w.................", None),
        board("wb......................", None),
    ):
        assert reasons(won, after_it) == ["game_over"]


@pytest.mark.parametrize(
    ("points", "action"),
    [
        ("......b3................", grasshopper.Action(grasshopper.ActionKind.WALL, 2, 8)),
        ("w.w...bW................", None),
        (".w...w.Wb...............", grasshopper.Action(grasshopper.ActionKind.ENTER, 0, 6)),
    ],
)
def test_a_refused_action_is_named(points: str, action: grasshopper.Action | None) -> None:
    """None if the board shows no single action."""
    assert refused(grasshopper.from_text(SEED), board(points, None)).action == action


@pytest.mark.parametrize(
    ("points", "hands", "sentence"),
    [
        (".w.....Wb...............", None, "Only own pieces may be touched, but the opponent's changed (points 7, 9); put them back."),
        ("......bW................", (11, 13), "A piece is missing that was there before the turn (point 2); put it back."),
        (".w....bW................", (12, 13), "There is a piece too many; take it away."),
        (".w....bW................", None, "Nothing changed on the board, and there is an action; take it."),
    ],
)  # fmt: skip
def test_sentences_say_where(points: str, hands: tuple[int, int] | None, sentence: str) -> None:
    """The points are named in rising order; a change in the hands alone has no point to name."""
    (objection,) = refused(grasshopper.from_text(SEED), board(points, hands)).objections
    assert objection.sentence == sentence


@given(choices=st.lists(st.integers(0, 10_000), max_size=60), looked=st.booleans())
def test_every_legal_action_is_found_again(choices: list[int], looked: bool) -> None:
    """Judging the board after any legal action gives that action and its state."""
    rules, state = grasshopper.GrasshopperRules(), grasshopper.START
    for choice in choices:
        if state.winner or grasshopper.is_draw(state, rules):
            break
        possible = grasshopper.actions(state, rules) or (grasshopper.PASS,)
        for action in possible:
            result = grasshopper.apply_action(state, action, rules)
            shown = make_piece_setup(result)
            ruling = judge_action(state, shown if looked else PieceSetup(shown.white, shown.black), rules)
            assert ruling == ActionAllowed(action, result), grasshopper.to_text(state)
        state = grasshopper.apply_action(state, possible[choice % len(possible)], rules)


def test_the_option_is_obeyed() -> None:
    """An entry behind a wall is found legal or not as the rules say."""
    state = grasshopper.from_text(".W..b................... 12 13 B -")
    entered = board(".Wb.b...................", None)
    assert isinstance(judge_action(state, entered), ActionAllowed)
    assert isinstance(
        judge_action(state, entered, grasshopper.GrasshopperRules(entry_blocked_by_walls=True)), ActionRefused
    )
    shut_out = grasshopper.from_text("W....................... 0 14 B -")
    unchanged = make_piece_setup(shut_out)
    assert isinstance(judge_action(shut_out, unchanged), ActionRefused)
    ruling = judge_action(shut_out, unchanged, grasshopper.GrasshopperRules(entry_blocked_by_walls=True))
    assert isinstance(ruling, ActionAllowed)
    assert ruling.action == grasshopper.PASS
    assert unchanged.hands == (0, 14)
    assert unchanged.points_of(Player.WHITE) == (2, *[0] * 23)
