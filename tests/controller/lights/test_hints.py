from dataclasses import replace

import pytest

from controller.adjudication.board_view import view_of
from controller.adjudication.grasshopper import view_of_state
from controller.lights.hints import PlayHints, compute_hints
from controller.match.seating import Seating, place_number
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Due, Perception, Phase, RefereeState
from controller.rules import (
    Direction,
    Player,
    RollCounters,
    Setup,
    Side,
    ThrowKind,
    get_ruleset,
    parse_setup,
    position_text,
    start_position,
)
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import STANDARD, ActionKind
from controller.rules.grasshopper.game import START as GRASSHOPPER_START
from controller.rules.grasshopper.game import to_text as grasshopper_text
from tests.controller.board_sights import sight_of, with_points
from vision.places import Place

WHITE, BLACK = Player.WHITE, Player.BLACK
RULES = get_ruleset("backgammon")
TABLE = MatchConfig(game="backgammon", rules=RULES)
START = position_text(start_position(RULES))
SEATING = Seating()


def changed(text: str, player: Player, *moves: tuple[int, int]) -> Setup:
    """The board with checkers set from one own coordinate to another; 99 is the hand."""
    setup = parse_setup(text)
    counts = list(setup.side(player).counts)
    for source, target in moves:
        counts[source] -= 1
        if target != 99:
            counts[target] += 1
    side = Side.of_counts(tuple(counts))
    return replace(setup, white=side) if player is WHITE else replace(setup, black=side)


def playing(numbers: tuple[int, ...], board: Setup | None = None, glimpse: Setup | None = None) -> RefereeState:
    """White from the start position; `board` as it last rested, `glimpse` as it is seen now."""
    rested, now = (None if setup is None else sight_of(view_of(setup, SEATING, RULES)) for setup in (board, glimpse))
    state = RefereeState(phase=Phase.PLAYING, seating=SEATING, position=START, on_turn=WHITE, game_number=1)
    return replace(state, due=Due(ThrowKind.ROLL, numbers), seen=Perception(board=rested, glimpse=now))


def places(*names: str) -> set[Place]:
    return {Place(name) for name in names}


def told(found: PlayHints) -> tuple[set[Place], set[Place]]:
    return set(found.sources), set(found.destinations)


def test_before_anything_is_played() -> None:
    """6-5: from 24, 13 and 8, whether the board was seen since or not."""
    for state in (playing((6, 5)), playing((6, 5), parse_setup(START), parse_setup(START))):
        assert told(compute_hints(state, TABLE)) == (places("T12", "T1", "B5"), set())


def test_a_lifted_checker_lights_where_it_may_go() -> None:
    """From 13 with 6-5 to 7 and 8; from 24 with 6 to 18 only, for Black holds 19."""
    start = parse_setup(START)
    from_13 = compute_hints(playing((6, 5), start, changed(START, WHITE, (13, 99))), TABLE)
    assert told(from_13) == (set(), places("B6", "B5"))
    from_24 = compute_hints(playing((6, 5), start, changed(START, WHITE, (24, 99))), TABLE)
    assert told(from_24) == (set(), places("T6"))


def test_a_checker_that_cannot_move_lights_nothing() -> None:
    """From 6 neither 6 nor 5 can be played: 1 is held, and bearing off is not open."""
    held = compute_hints(playing((6, 5), parse_setup(START), changed(START, WHITE, (6, 99))), TABLE)
    assert held == PlayHints()


def test_after_the_first_step_the_next_ones_are_lit() -> None:
    """24/18 is played, a 5 is left: from 18, 13 and 8."""
    board = changed(START, WHITE, (24, 18))
    found = compute_hints(playing((6, 5), board, board), TABLE)
    assert told(found) == (places("T6", "T1", "B5"), set())


def test_in_the_middle_of_a_play_the_hand_is_seen_too() -> None:
    """24/18 is played and the checker from 18 lifted again: with 5 to 13."""
    board, glimpse = changed(START, WHITE, (24, 18)), changed(START, WHITE, (24, 99))
    assert told(compute_hints(playing((6, 5), board, glimpse), TABLE)) == (set(), places("T1"))


def test_a_finished_play_lights_nothing() -> None:
    """The dice may be lifted."""
    board = changed(START, WHITE, (24, 18), (18, 13))
    assert compute_hints(playing((6, 5), board, board), TABLE) == PlayHints()


def test_a_board_that_no_legal_play_comes_past_lights_nothing() -> None:
    """In the middle of a turn it is nobody's business."""
    board = changed(START, WHITE, (24, 20))
    assert compute_hints(playing((6, 5), board, board), TABLE) == PlayHints()


def test_doubles_go_on_step_by_step() -> None:
    """1-1 with 8/7 and 6/5 played: two steps are left; 13 is blocked."""
    board = changed(START, WHITE, (8, 7), (6, 5))
    found = compute_hints(playing((1, 1), board, board), TABLE)
    assert told(found) == (places("T12", "B5", "B6", "B7", "B8"), set())


@pytest.mark.parametrize("missing", ["seating", "on_turn", "due"])
def test_what_is_not_known_helps_nobody(missing: str) -> None:
    """Nor does it fall over."""
    state = replace(playing((6, 5)), **{missing: None})  # type: ignore[arg-type]
    assert compute_hints(state, TABLE) == PlayHints()


def test_a_cascade_begins_with_its_first_rank() -> None:
    """Gul bara, 3-3 after the ordinary rolls: 3-3-3-3 first, then 4-4-4-4 where the threes are played."""
    rules = get_ruleset("gul_bara")
    table = MatchConfig(game="gul_bara", rules=rules)
    own = [0] * 26
    own[20] = 15
    other = [0] * 26
    other[24] = 15
    text = "".join(f"{count:x}" for count in own) + "/" + "".join(f"{count:x}" for count in other)
    due = Due(ThrowKind.ROLL, (3, 3), RollCounters(game=9, player=5))
    state = RefereeState(phase=Phase.PLAYING, seating=SEATING, position=text, on_turn=WHITE, due=due)
    first = compute_hints(state, table)
    assert first.sources == (SEATING.place_of(20, WHITE, rules.direction),)
    played = changed(text, WHITE, *((20, 17),) * 4)
    board = sight_of(view_of(played, SEATING, rules))
    then = compute_hints(replace(state, seen=Perception(board=board)), table)
    assert SEATING.place_of(17, WHITE, rules.direction) in then.sources


def test_without_a_bar_a_hit_checker_waits_beside_the_board() -> None:
    """Nothing is lit at the bar, whatever lies there, and its way in is shown at once: 3-1 on 24 and 22."""
    text = "00000050300005000000000011/00000050300005000000000020"
    state = replace(playing((3, 1)), position=text)
    table = replace(TABLE, has_bar=False)
    assert told(compute_hints(state, table)) == (set(), places("T12", "T10"))
    board = view_of(parse_setup(text), SEATING, RULES)
    seen = sight_of(replace(board, bar=(0, 0)))
    seen_there = replace(state, seen=Perception(board=seen, glimpse=seen))
    assert told(compute_hints(seen_there, table)) == (set(), places("T12", "T10"))


def test_a_piece_of_grasshopper_in_the_hand_lights_where_it_may_go() -> None:
    """As many targets as the rules have from that point, and no sources while it is held."""
    before = grasshopper.from_text(grasshopper_text(GRASSHOPPER_START))
    for _ in range(4):  # both sides enter twice
        action = next(one for one in grasshopper.actions(before, STANDARD) if one.kind is ActionKind.ENTER)
        before = grasshopper.apply_action(before, action, STANDARD)
    allowed = grasshopper.actions(before, STANDARD)
    source = next(one.source for one in allowed if one.kind is not ActionKind.ENTER)
    standing = view_of_state(before, SEATING)
    place = SEATING.place_of(source, WHITE, Direction.CONTRARY)
    glimpse = sight_of(with_points(standing, **{place.value: less_one(standing.points[place_number(place)])}))
    table = MatchConfig(game="grasshopper", rules=STANDARD)
    state = RefereeState(phase=Phase.PLAYING, seating=SEATING, position=grasshopper_text(before), on_turn=before.to_act)
    lifted = compute_hints(replace(state, seen=Perception(glimpse=glimpse)), table)
    targets = {one.target for one in allowed if one.source == source}
    assert told(lifted) == (set(), {SEATING.place_of(at, WHITE, Direction.CONTRARY) for at in targets})
    lying = compute_hints(replace(state, seen=Perception(glimpse=sight_of(standing))), table)
    assert lying == compute_hints(state, table)


def less_one(pair: tuple[int, int]) -> tuple[int, int]:
    """Of whichever colour there is."""
    light, dark = pair
    return (light - 1, dark) if light else (light, dark - 1)
