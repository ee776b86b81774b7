"""Grasshopper: states, actions, reasons and text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import Player
from controller.rules.grasshopper.game import (
    PASS,
    START,
    Action,
    ActionKind,
    GrasshopperRules,
    GrasshopperTextError,
    IllegalActionError,
    Stack,
    State,
    actions,
    apply_action,
    find_objections,
    from_text,
    is_draw,
    must_pass,
    to_text,
)

SEED = ".w....bW................ 11 13 W -"
DRAWN = "......wbbwwbbwwWbBwbbbww 0 0 B B"
NO_ACTION = "bbbbbb.............w.... 13 8 W -"
WALLS_BLOCK_ENTRY = GrasshopperRules(entry_blocked_by_walls=True)


def shown(state: State, rules: GrasshopperRules = GrasshopperRules()) -> list[str]:  # noqa: B008 - it is frozen
    return [f"{action.kind.value} {action.source} {action.target}" for action in actions(state, rules)]


def reasons(text: str, claim: str, rules: GrasshopperRules = GrasshopperRules()) -> list[str]:  # noqa: B008 - the same
    kind, source, target = claim.split()
    objections = find_objections(from_text(text), ActionKind(kind), int(source), int(target), rules)
    return [objection.reason.value for objection in objections]


def sentences(text: str, kind: ActionKind, source: int, target: int) -> list[str]:
    return [objection.sentence for objection in find_objections(from_text(text), kind, source, target)]


def test_the_first_turn_enters_on_six_points() -> None:
    """With all pieces off the board White may only enter, on any point of quadrant A."""
    assert shown(START) == [f"enter 0 {point}" for point in range(1, 7)]
    assert to_text(START) == "........................ 14 14 W -"


def test_the_seed_example() -> None:
    """The single on 2 is shut in by the wall on 8; the top of that wall goes anywhere in 13 to 18."""
    assert shown(from_text(SEED)) == [
        *(f"enter 0 {point}" for point in (1, 3, 4, 5, 6)),
        *(f"move 8 {point}" for point in range(13, 19)),
    ]


def test_walls_are_built_six_points_ahead() -> None:
    """From 2 a piece joins the own single on 8; the order is by source, then by target."""
    assert shown(from_text(".w.....w................ 0 14 W -"))[:3] == ["move 2 7", "wall 2 8", "move 2 9"]


@pytest.mark.parametrize(
    ("text", "action", "expected"),
    [
        (SEED, Action(ActionKind.ENTER, 0, 6), ".w...wbW................ 10 13 B -"),
        (SEED, Action(ActionKind.MOVE, 8, 13), ".w....bw....w........... 11 13 B -"),
        (".b.....................w 13 13 B W", Action(ActionKind.MOVE, 2, 7), "......b................w 13 13 W W"),
        (".w.....w................ 12 14 W -", Action(ActionKind.WALL, 2, 8), ".......W................ 12 14 B -"),
        (".b.....b................ 14 12 B -", Action(ActionKind.WALL, 2, 8), ".......B................ 14 12 W -"),
        (".W.....w................ 11 14 W -", Action(ActionKind.WALL, 2, 8), ".w.....W................ 11 14 B -"),
        (".........b.........B.... 14 11 B W", Action(ActionKind.BEAROFF, 20, 25), ".........b.............. 14 11 W B"),
        (NO_ACTION, PASS, "bbbbbb.............w.... 13 8 B -"),
    ],
)  # fmt: skip
def test_what_an_action_does(text: str, action: Action, expected: str) -> None:
    """Each kind of action changes its points and hand, and the other side is to act."""
    result = apply_action(from_text(text), action)
    assert to_text(result) == expected
    assert result.winner is None


def test_walls_leave_from_the_whole_last_quadrant() -> None:
    """The actions offer 19 and 24 alike."""
    offered = shown(from_text("..................W....W 0 14 W -"))
    assert offered == ["bearoff 19 25", "bearoff 24 25"]


def test_black_enters_from_his_own_hand() -> None:
    """Only the hand of the side that acts gets smaller."""
    assert to_text(
        apply_action(apply_action(START, Action(ActionKind.ENTER, 0, 3)), Action(ActionKind.ENTER, 0, 1))
    ) == ("b.w..................... 13 13 W -")


def test_two_scores_running_win() -> None:
    """A player who scores twice running wins, and then no action is left."""
    won = apply_action(from_text("...................W.... 12 14 W W"), Action(ActionKind.BEAROFF, 20, 25))
    assert won.winner is Player.WHITE
    assert won.last_scorer is Player.WHITE
    assert actions(won) == ()
    assert not must_pass(won)
    assert not is_draw(won)
    (objection,) = find_objections(won, ActionKind.ENTER, 0, 1)
    assert objection.reason.value == "game_over"
    assert objection.sentence == "The game is over; set up the next one."


def test_a_score_after_the_opponents_does_not_win() -> None:
    scored = apply_action(from_text("...................W.... 12 12 W B"), Action(ActionKind.BEAROFF, 20, 25))
    assert scored.winner is None
    assert scored.last_scorer is Player.WHITE


def test_a_won_game_is_no_draw_even_if_nobody_could_act() -> None:
    """The winner decides before the question of a draw comes up."""
    blocked = from_text(DRAWN)
    won = State(blocked.points, 0, 0, Player.BLACK, Player.BLACK, winner=Player.BLACK)
    assert is_draw(blocked)
    assert not is_draw(won)
    assert not must_pass(won)


def test_passing_is_compulsory_without_an_action_and_forbidden_with_one() -> None:
    """A pass is legal exactly when nothing else is and the game is not drawn."""
    assert must_pass(from_text(NO_ACTION))
    assert not is_draw(from_text(NO_ACTION))
    assert reasons(NO_ACTION, "pass 0 0") == []
    assert not must_pass(START)
    assert reasons(SEED, "pass 0 0") == ["can_act"]
    assert reasons(DRAWN, "pass 0 0") == ["game_over"]
    assert must_pass(from_text(DRAWN))


def test_a_draw_needs_both_sides_blocked() -> None:
    """One side that can act is enough to go on, whichever is to act."""
    text = ".....bwbwBwwbwW.bwbwbbwb 0 0 {} B"
    assert must_pass(from_text(text.format("W")))
    assert not must_pass(from_text(text.format("B")))
    assert not is_draw(from_text(text.format("W")))
    assert not is_draw(from_text(text.format("B")))


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        (SEED, "wall 2 7", ["occupied"]),
        (SEED, "move 2 7", ["occupied"]),
        (SEED, "wall 2 8", ["wall_full"]),
        (SEED, "move 2 9", ["wall_in_the_way"]),
        (SEED, "wall 2 9", ["nothing_to_join", "wall_in_the_way"]),
        (SEED, "move 2 3", ["wrong_quadrant"]),
        (SEED, "move 2 13", ["wrong_quadrant", "wall_in_the_way"]),
        (SEED, "move 8 2", ["wrong_quadrant", "occupied"]),
        (SEED, "move 3 8", ["no_piece_there"]),
        (SEED, "move 7 13", ["not_own_piece"]),
        (SEED, "bearoff 7 25", ["not_own_piece"]),
        (SEED, "bearoff 9 25", ["no_piece_there"]),
        (SEED, "bearoff 2 25", ["single", "not_in_last_quadrant"]),
        (SEED, "bearoff 8 25", ["not_in_last_quadrant"]),
        (SEED, "bearoff 0 25", ["no_such_point"]),
        (SEED, "bearoff 8 24", ["no_such_point"]),
        (SEED, "enter 0 2", ["occupied"]),
        (SEED, "enter 0 7", ["wrong_quadrant", "occupied"]),
        (SEED, "enter 0 8", ["wrong_quadrant", "wall_full"]),
        (SEED, "enter 0 25", ["no_such_point"]),
        (SEED, "enter 1 3", ["no_such_point"]),
        (SEED, "move 0 3", ["no_such_point"]),
        (SEED, "move 8 25", ["no_such_point"]),
        ("bbbbb..............ww... 0 9 W -", "enter 0 6", ["hand_empty"]),
        (".............w.....w.... 12 14 W -", "move 20 21", ["last_quadrant"]),
        (".............w.....w.... 12 14 W -", "bearoff 20 25", ["single"]),
        ("...................wBw.. 12 12 W -", "wall 20 22", ["last_quadrant", "occupied", "wall_in_the_way"]),
        (".w.....wwW.............. 9 14 W -", "wall 2 9", ["occupied"]),
        (".w.....w................ 12 14 W -", "move 2 8", ["occupied"]),
        (".......w..B..w.......... 12 12 W -", "wall 8 14", ["wall_in_the_way"]),
        (".......W..B..w.......... 11 12 W -", "wall 8 14", []),
        (".......w..b..w.......... 12 13 W -", "wall 8 14", []),
        (".......B.....w.......... 13 12 B -", "move 8 13", []),
        (".......w.....B.......... 13 12 W -", "move 8 13", []),
        (".W..b................... 12 13 B -", "enter 0 3", []),
        ("Bw...................... 13 12 W -", "move 2 7", []),
        ("..................W..... 12 14 W -", "bearoff 19 25", []),
    ],
)
def test_why_not(text: str, claim: str, expected: list[str]) -> None:
    """All reasons together, the decisive one first; none for a legal action."""
    assert reasons(text, claim) == expected


def test_the_option_stops_entries_behind_a_wall() -> None:
    """With `entry_blocked_by_walls` Black enters before White's wall on 2 only."""
    text = ".W..b................... 12 13 B -"
    assert [line for line in shown(from_text(text), WALLS_BLOCK_ENTRY) if "enter" in line] == ["enter 0 1"]
    assert reasons(text, "enter 0 3", WALLS_BLOCK_ENTRY) == ["wall_in_the_way"]
    assert reasons(text, "enter 0 2", WALLS_BLOCK_ENTRY) == ["wall_full"]
    everything_behind = "W.b..................... 0 1 B -"
    assert shown(from_text(everything_behind), WALLS_BLOCK_ENTRY)[0] == "move 3 7"


def test_the_option_reaches_pass_draw_and_result() -> None:
    """A wall on 1 shuts the hand out: with the option Black must pass, and may; without it he enters."""
    state = from_text("W....................... 0 14 B -")
    assert must_pass(state, WALLS_BLOCK_ENTRY)
    assert not is_draw(state, WALLS_BLOCK_ENTRY)
    assert apply_action(state, PASS, WALLS_BLOCK_ENTRY).to_act is Player.WHITE
    with pytest.raises(IllegalActionError):
        apply_action(state, PASS)
    with pytest.raises(IllegalActionError):
        apply_action(state, Action(ActionKind.ENTER, 0, 2), WALLS_BLOCK_ENTRY)


def test_a_draw_under_the_option() -> None:
    """Pieces in the hand that a wall shuts out are no action: without the option the same state goes on."""
    state = from_text("B.....wbbbbbbwwwwwwbbbbb 7 1 W -")
    assert is_draw(state, WALLS_BLOCK_ENTRY)
    assert not is_draw(state)
    assert find_objections(state, PASS.kind, 0, 0, WALLS_BLOCK_ENTRY)[0].reason.value == "game_over"
    assert find_objections(state, PASS.kind, 0, 0)[0].reason.value == "can_act"


def test_sentences_name_the_points() -> None:
    """A player reads which point and which wall is meant."""
    assert sentences(SEED, ActionKind.MOVE, 2, 13) == [
        "13 is not in the quadrant where a piece from 2 has to go.",
        "A piece on its way from 2 to 13 may not cross the wall on 8.",
    ]
    assert sentences(SEED, ActionKind.ENTER, 0, 9) == [
        "9 is not in the quadrant where a piece from the hand has to go."
    ]
    assert sentences("w.WB.................... 11 12 W -", ActionKind.MOVE, 1, 7) == [
        "A piece on its way from 1 to 7 may not cross the wall on 3, 4."
    ]


def test_an_illegal_action_is_not_carried_out() -> None:
    """`after` raises for a caller that did not ask."""
    with pytest.raises(IllegalActionError) as caught:
        apply_action(START, Action(ActionKind.MOVE, 2, 8))
    assert str(caught.value) == "No piece stands on 2. Call find_objections() before the action is carried out."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "state: 1 fields; give points, White's hand, Black's hand, side to act and last scorer, with one space between"),
        ("........................ 14 14 W", "state: 4 fields; give points, White's hand, Black's hand, side to act and last scorer, with one space between"),
        ("........................  14 14 W -", "state: 6 fields; give points, White's hand, Black's hand, side to act and last scorer, with one space between"),
        ("....................... 14 14 W -", "points: 23 characters; give 24, one for each point"),
        ("...x.................... 14 14 W -", "points: 'x' on point 4 is no piece; use . w W b or B"),
        ("...X.................... 14 14 W -", "points: 'X' on point 4 is no piece; use . w W b or B"),
        ("........................ -1 14 W -", "White's hand: '-1' is no count; give a number from 0 to 14"),
        ("........................ 15 14 W -", "White's hand: '15' is no count; give a number from 0 to 14"),
        ("........................ 014 14 W -", "White's hand: '014' is no count; give a number from 0 to 14"),
        ("........................ 14 ١٤ W -", "Black's hand: '١٤' is no count; give a number from 0 to 14"),
        (f"{'.' * 24} 14 {'9' * 30} W -", f"Black's hand: '{'9' * 20}' is no count; give a number from 0 to 14"),
        ("........................ 14  W -", "Black's hand: '' is no count; give a number from 0 to 14"),
        ("........................ 14 14 w -", "side to act: 'w' is no player; give W or B"),
        (f"{'.' * 24} 14 14 {'Z' * 30} -", f"side to act: '{'Z' * 20}' is no player; give W or B"),
        ("........................ 14 14 W x", "last scorer: 'x' is no player; give W, B or -"),
        ("ww...................... 13 14 W -", "state: White has 15 pieces in hand and on points; take away 1"),
        ("B....................... 14 14 W -", "state: Black has 16 pieces in hand and on points; take away 2"),
        ("ww...................... 9 14 W -", "state: White has 11 pieces in hand and on points, but pieces are borne off in pairs; correct the hand or a point by one"),
    ],
)  # fmt: skip
def test_text_that_is_no_state(text: str, sentence: str) -> None:
    with pytest.raises(GrasshopperTextError) as caught:
        from_text(text)
    assert str(caught.value) == sentence


def test_an_empty_board_can_be_read() -> None:
    """Nothing in hand and nothing on the board is possible text, and drawn."""
    assert is_draw(from_text("........................ 0 0 W B"))


def test_counts_and_hands_by_player() -> None:
    state = from_text("wWbB.................... 5 7 W B")
    assert [state.at(point) for point in (1, 2, 3, 4, 5)] == [
        Stack.WHITE,
        Stack.WHITE_WALL,
        Stack.BLACK,
        Stack.BLACK_WALL,
        Stack.EMPTY,
    ]
    assert (state.pieces(Player.WHITE), state.pieces(Player.BLACK)) == (8, 10)
    assert (state.hand(Player.WHITE), state.hand(Player.BLACK)) == (5, 7)
    assert state.last_scorer is Player.BLACK


@given(choices=st.lists(st.integers(0, 10_000), max_size=120), entry_blocked=st.booleans())
def test_a_random_game_keeps_its_pieces(choices: list[int], entry_blocked: bool) -> None:
    """After any play both sides' pieces are even and at most fourteen, the text reads back, and hashes agree."""
    rules, state = GrasshopperRules(entry_blocked), START
    for choice in choices:
        if state.winner or is_draw(state, rules):
            break
        possible = actions(state, rules) or (PASS,)
        state = apply_action(state, possible[choice % len(possible)], rules)
        for player in Player:
            assert state.pieces(player) in range(0, 15, 2)
        again = from_text(to_text(state))
        assert to_text(again) == to_text(state)
        assert hash(again) == hash(
            State(again.points, again.white_hand, again.black_hand, again.to_act, again.last_scorer)
        )
