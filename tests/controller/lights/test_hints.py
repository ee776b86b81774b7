from dataclasses import replace

import pytest

from controller.adjudication.board_view import view_of
from controller.adjudication.grasshopper import view_of_state
from controller.lights.hints import PlayHints, compute_hints
from controller.match.seating import Seating, place_number
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.perception import Perception, View
from controller.refereeing.state import Due, Phase, RefereeState, with_position
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
from tests.controller.refereeing.states import changed_state, state_at
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
    """White on turn at the start position; `board` is the last settled board, `glimpse` the latest frame."""
    rested, now = (None if setup is None else sight_of(view_of(setup, SEATING, RULES)) for setup in (board, glimpse))
    due, seen = Due(ThrowKind.ROLL, numbers), Perception(view=View(board=rested, glimpse=now))
    return state_at(Phase.PLAYING, seating=SEATING, position=START, on_turn=WHITE, due=due, seen=seen)


def places(*names: str) -> set[Place]:
    return {Place(name) for name in names}


def hinted(state: RefereeState, table: MatchConfig = TABLE) -> tuple[set[Place], set[Place]]:
    found = compute_hints(state, table)
    return set(found.sources), set(found.destinations)


def test_without_a_look_at_the_board_the_hints_are_those_of_the_start() -> None:
    """6-5: from 24, 13 and 8."""
    assert hinted(playing((6, 5))) == (places("T12", "T1", "B5"), set())


@pytest.mark.parametrize(
    ("roll", "played", "lifted", "sources", "destinations"),
    [
        pytest.param((6, 5), (), None, "T12 T1 B5", "", id="nothing played: from 24, 13 and 8"),
        pytest.param((6, 5), (), 13, "", "B6 B5", id="lifted from 13: to 7 and 8"),
        pytest.param((6, 5), (), 24, "", "T6", id="lifted from 24: to 18 only, because Black holds 19"),
        pytest.param((6, 5), (), 6, "", "", id="lifted from 6: 1 is held, and bearing off is not open"),
        pytest.param((6, 5), ((24, 18),), None, "T6 T1 B5", "", id="24/18 played: the 5 from 18, 13 and 8"),
        pytest.param((6, 5), ((24, 18),), 18, "", "T1", id="24/18 played, lifted again: with the 5 to 13"),
        pytest.param((6, 5), ((24, 18), (18, 13)), None, "", "", id="a finished play"),
        pytest.param((6, 5), ((24, 20),), None, "", "", id="a board that no legal play passes through"),
        pytest.param((1, 1), ((8, 7), (6, 5)), None, "T12 B5 B6 B7 B8", "", id="a double with two steps left"),
    ],
)
def test_hints_follow_the_board_and_the_hand(
    roll: tuple[int, int], played: tuple[tuple[int, int], ...], lifted: int | None, sources: str, destinations: str
) -> None:
    board = changed(START, WHITE, *played)
    glimpse = board if lifted is None else changed(START, WHITE, *played, (lifted, 99))
    assert hinted(playing(roll, board, glimpse)) == (places(*sources.split()), places(*destinations.split()))


@pytest.mark.parametrize("missing", ["seating", "on_turn", "due"])
def test_an_unknown_seating_player_or_throw_gives_no_hints(missing: str) -> None:
    state = changed_state(playing((6, 5)), **{missing: None})
    assert compute_hints(state, TABLE) == PlayHints()


def test_a_cascade_begins_with_its_first_rank() -> None:
    """Gul bara, 3-3 after the ordinary rolls: 3-3-3-3 first, then 4-4-4-4 from where the threes lead."""
    rules = get_ruleset("gul_bara")
    table = MatchConfig(game="gul_bara", rules=rules)
    text = f"{'0' * 20}f00000/{'0' * 24}f0"
    due = Due(ThrowKind.ROLL, (3, 3), RollCounters(game=9, player=5))
    state = state_at(Phase.PLAYING, seating=SEATING, position=text, on_turn=WHITE, due=due)
    first = compute_hints(state, table)
    assert first.sources == (SEATING.place_of(20, WHITE, rules.direction),)
    played = changed(text, WHITE, *((20, 17),) * 4)
    board = sight_of(view_of(played, SEATING, rules))
    then = compute_hints(replace(state, seen=Perception(view=View(board=board))), table)
    assert SEATING.place_of(17, WHITE, rules.direction) in then.sources


def test_without_a_bar_a_hit_checker_waits_beside_the_board() -> None:
    """Nothing is lit at the bar; the entry points 24 and 22 of 3-1 are shown at once."""
    text = "00000050300005000000000011/00000050300005000000000020"
    state = with_position(playing((3, 1)), text)
    table = replace(TABLE, has_bar=False)
    assert hinted(state, table) == (set(), places("T12", "T10"))
    board = view_of(parse_setup(text), SEATING, RULES)
    seen = sight_of(replace(board, bar=(0, 0)))
    assert hinted(replace(state, seen=Perception(view=View(board=seen, glimpse=seen))), table) == (
        set(),
        places("T12", "T10"),
    )


def test_a_held_piece_of_grasshopper_lights_its_destinations() -> None:
    """All targets that the rules give from its point, and no sources while it is held."""
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
    state = state_at(Phase.PLAYING, seating=SEATING, position=grasshopper_text(before), on_turn=before.to_act)
    targets = {SEATING.place_of(one.target, WHITE, Direction.CONTRARY) for one in allowed if one.source == source}
    assert hinted(replace(state, seen=Perception(view=View(glimpse=glimpse))), table) == (set(), targets)
    lying = compute_hints(replace(state, seen=Perception(view=View(glimpse=sight_of(standing)))), table)
    assert lying == compute_hints(state, table)


def less_one(pair: tuple[int, int]) -> tuple[int, int]:

    light, dark = pair
    return (light - 1, dark) if light else (light, dark - 1)
