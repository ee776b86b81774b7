from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match import clocks
from controller.rules import Player

WHITE, BLACK = Player.WHITE, Player.BLACK
MINUTE_MS = 60_000
RULES = st.sampled_from(list(clocks.CLOCKS.values()))
SPANS_MS = st.integers(0, 40_000)


def turn_of_white(rules_name: str, now_ms: int = 0) -> clocks.ClockState:
    return clocks.begin_turn(clocks.new_clock(clocks.CLOCKS[rules_name], 5), WHITE, now_ms)


@pytest.mark.parametrize(
    ("name", "length", "scored", "minutes"),
    [
        ("us", 7, 0, 14),
        ("us", 7, 5, 9),
        ("us-doubles", 4, 1, 9),
        ("wbgt", 7, 5, 14),
        ("ukbgf", 9, 0, 18),
        ("us", None, 0, 2),
    ],
)
def test_the_reserve_follows_from_the_length_of_the_match(
    name: str, length: int | None, scored: int, minutes: int
) -> None:
    """It is two minutes a point; the US rules take one off for each point already scored."""
    both_ms = minutes * MINUTE_MS
    assert clocks.new_clock(clocks.CLOCKS[name], length, scored=scored).banked == clocks.Reserves(both_ms, both_ms)


def test_the_clocks_are_those_of_the_federations() -> None:
    """A turn has 12 s, for teams of two 18 s; only the WBGT gives time back."""
    assert [(each.delay, each.delay_ms) for each in (clocks.US, clocks.US_DOUBLES, clocks.WBGT, clocks.UKBGF)] == [
        (clocks.Delay.SIMPLE, 12_000),
        (clocks.Delay.SIMPLE, 18_000),
        (clocks.Delay.BRONSTEIN, 12_000),
        (clocks.Delay.SIMPLE, 12_000),
    ]


def test_a_simple_delay_keeps_the_reserve_until_it_is_over() -> None:
    """12 s are free, then the reserve runs; the other's stands."""
    state = turn_of_white("us", 1_000)
    assert clocks.compute_banked(state, 13_000) == clocks.Reserves(600_000, 600_000)
    assert clocks.compute_banked(state, 16_000) == clocks.Reserves(597_000, 600_000)


def test_bronstein_gives_time_back() -> None:
    """A press after 5 s gives 5 s back; after 15 s it gives 12 s back."""
    state = turn_of_white("wbgt")
    assert clocks.begin_turn(state, BLACK, 5_000).banked.white_ms == 600_000
    assert clocks.begin_turn(state, BLACK, 15_000).banked.white_ms == 597_000


def test_the_flag_falls_later_under_a_simple_delay() -> None:
    """With 5 s left a player has 17 s under a simple delay and 5 s under Bronstein."""
    for name, lasts_ms in (("us", 17_000), ("wbgt", 5_000)):
        state = clocks.begin_turn(
            clocks.restore_reserves(clocks.new_clock(clocks.CLOCKS[name], 5), 5_000, 9_000), WHITE, 100
        )
        assert clocks.find_flagged_player(state, 100 + lasts_ms - 1) is None
        assert clocks.find_flagged_player(state, 100 + lasts_ms) is WHITE
        assert clocks.find_flagged_player(clocks.stop(state, 100 + lasts_ms), 10**9) is WHITE


def test_a_limit_per_move_leaves_nothing_for_the_next_turn() -> None:
    """The flag falls when the time of the turn is over, however little the turns before took."""
    rules = clocks.parse_clock("move:60")
    assert rules is not None
    state = clocks.begin_turn(clocks.begin_turn(clocks.new_clock(rules, 5), WHITE, 0), BLACK, 1_000)
    assert clocks.find_flagged_player(state, 60_999) is None
    assert clocks.find_flagged_player(state, 61_000) is BLACK
    stood = clocks.resume(clocks.stop(state, 31_000), 3_600_000)
    assert clocks.find_flagged_player(stood, 3_629_999) is None
    assert clocks.find_flagged_player(stood, 3_630_000) is BLACK


def test_in_an_hourglass_the_opponent_gains_what_a_player_uses() -> None:
    """Both halves together stay the same; the flag falls when one is empty."""
    rules = clocks.parse_clock("hourglass:5")
    assert rules is not None
    state = clocks.begin_turn(clocks.new_clock(rules, 7), WHITE, 0)
    assert clocks.compute_banked(state, 20_000) == clocks.Reserves(280_000, 320_000)
    black = clocks.begin_turn(state, BLACK, 20_000)
    assert clocks.compute_banked(black, 50_000) == clocks.Reserves(310_000, 290_000)
    assert clocks.find_flagged_player(black, 20_000 + 320_000) is BLACK
    assert clocks.compute_banked(black, 10**7) == clocks.Reserves(600_000, 0)


def test_a_clock_that_stands_costs_nothing_and_keeps_the_rest_of_the_delay() -> None:
    """A dispute of an hour begins in the fourth second of a turn."""
    stood = clocks.stop(turn_of_white("us"), 4_000)
    later = clocks.resume(stood, 3_604_000)
    assert clocks.compute_banked(stood, 3_000_000) == clocks.Reserves(600_000, 600_000)
    assert clocks.compute_banked(later, 3_604_000 + 8_000).white_ms == 600_000
    assert clocks.compute_banked(later, 3_604_000 + 8_001).white_ms == 599_999


def test_nothing_runs_before_the_first_turn_and_after_the_game() -> None:
    """Resuming does not start a clock that nobody's turn has begun for."""
    for state in (clocks.new_clock(clocks.US, 5), clocks.end_turn(clocks.stop(turn_of_white("us"), 9))):
        assert clocks.resume(state, 50) == state
        assert clocks.compute_banked(state, 10**6) == clocks.Reserves(600_000, 600_000)
        assert clocks.find_flagged_player(state, 10**9) is None


@given(rules=RULES, spans_ms=st.lists(SPANS_MS, min_size=1, max_size=6))
def test_standing_in_between_changes_nothing(rules: clocks.ClockRules, spans_ms: list[int]) -> None:
    """A turn in pieces costs what it costs in one; breaks between them are free."""
    whole = clocks.begin_turn(clocks.new_clock(rules, 1), WHITE, 0)
    pieces, now_ms = whole, 0
    for span_ms in spans_ms:
        now_ms += span_ms
        pieces = clocks.resume(clocks.stop(pieces, now_ms), now_ms + 777)
        now_ms += 777
    used_ms = sum(spans_ms)
    assert clocks.compute_banked(pieces, now_ms) == clocks.compute_banked(whole, used_ms)
    assert (clocks.find_flagged_player(pieces, now_ms) is None) == (clocks.find_flagged_player(whole, used_ms) is None)


@given(rules=RULES, turns_ms=st.lists(SPANS_MS, max_size=8))
def test_only_what_goes_beyond_the_delay_is_lost(rules: clocks.ClockRules, turns_ms: list[int]) -> None:
    """Both kinds of delay bank the same, and no reserve ever grows."""
    state = clocks.new_clock(rules, 50)
    player, now_ms, lost_ms = WHITE, 0, {WHITE: 0, BLACK: 0}
    for turn_ms in turns_ms:
        state = clocks.begin_turn(state, player, now_ms)
        now_ms += turn_ms
        lost_ms[player] += max(0, turn_ms - rules.delay_ms)
        player = player.opponent
    start_ms = rules.start_reserve_ms(50, 0)
    assert clocks.compute_banked(state, now_ms) == clocks.Reserves(start_ms - lost_ms[WHITE], start_ms - lost_ms[BLACK])


@given(rules=RULES, first_ms=SPANS_MS, then_ms=SPANS_MS)
def test_the_flag_falls_at_the_predicted_time(rules: clocks.ClockRules, first_ms: int, then_ms: int) -> None:
    """The reserve is used up then, after the delay if it is a simple one."""
    state = clocks.begin_turn(clocks.restore_reserves(clocks.new_clock(rules, 1), first_ms, 0), WHITE, then_ms)
    falls_ms = then_ms + first_ms + (rules.delay_ms if rules.delay is clocks.Delay.SIMPLE else 0)
    assert clocks.find_flagged_player(state, falls_ms) is WHITE
    if falls_ms > then_ms:
        assert clocks.find_flagged_player(state, falls_ms - 1) is None


@given(rules=RULES, looks_ms=st.lists(st.integers(1, 250), min_size=1, max_size=150))
def test_a_restart_loses_a_second_at_most(rules: clocks.ClockRules, looks_ms: list[int]) -> None:
    """The clock is checked four times a second and logged when due."""
    state = clocks.begin_turn(clocks.restore_reserves(clocks.new_clock(rules, 1), 30_000, 30_000), WHITE, 0)
    logged, now_ms = clocks.compute_banked(state, 0), 0
    for look_ms in looks_ms:
        now_ms += look_ms
        assert (
            abs(clocks.compute_banked(state, now_ms).white_ms - logged.white_ms)
            <= clocks.RESERVE_EVERY_MS + 250
            == 1_000
        )
        if not clocks.is_reserve_current(logged, state, now_ms):
            logged = clocks.compute_banked(state, now_ms)
    assert clocks.restore_reserves(state, logged.white_ms, logged.black_ms).banked == logged


def test_after_a_restart_the_clock_stands() -> None:
    """The machine's clock has begun anew; the time between does not count."""
    again = clocks.restore_reserves(turn_of_white("us", 5_000_000), 321_000, 400_000)
    assert not again.is_running
    assert clocks.compute_banked(again, 12) == clocks.Reserves(321_000, 400_000)
    assert clocks.compute_banked(clocks.resume(again, 1_000), 15_000) == clocks.Reserves(319_000, 400_000)


@pytest.mark.parametrize("name", clocks.CLOCKS)
def test_each_clock_stands_under_its_name(name: str) -> None:
    assert clocks.parse_clock(name) == clocks.CLOCKS[name]


def test_a_clock_of_ones_own() -> None:
    """Minutes per match or per point and seconds, with either delay."""
    ten = clocks.parse_clock("10+12")
    assert ten is not None
    assert (ten.delay, ten.delay_ms, ten.start_reserve_ms(7, 3)) == (clocks.Delay.SIMPLE, 12_000, 600_000)
    each = clocks.parse_clock("bronstein:1.5/point+8")
    assert each is not None
    assert (each.delay, each.delay_ms, each.start_reserve_ms(4, 0)) == (clocks.Delay.BRONSTEIN, 8_000, 360_000)


def test_what_else_stops_the_clock_is_an_option() -> None:
    """A die off the board or cocked dice may stop it; by default neither does."""
    both = clocks.Stop.OFF_BOARD | clocks.Stop.COCKED
    assert clocks.parse_clock("us,off-board") == replace(
        clocks.US, name="us,off-board", also_stops_for=clocks.Stop.OFF_BOARD
    )
    chosen = clocks.parse_clock("3+5,off-board,cocked")
    assert chosen is not None
    assert chosen.also_stops_for is both
    assert all(rules.also_stops_for is clocks.Stop(0) for rules in clocks.CLOCKS.values())


def test_no_clock() -> None:
    assert clocks.parse_clock("none") is None


@pytest.mark.parametrize(
    "text",
    ["", "10", "+12", "10+", "-1+5", "ten+12", "10+12s", "us,often", "none,cocked", "1000+1", "١+٢", "us,", "10+12\n"],
)
def test_what_is_no_clock_is_refused_with_what_may_be_given(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no clock; give us, us-doubles, wbgt, ukbgf, none, minutes\+seconds"):
        clocks.parse_clock(text)


def test_a_clock_without_reserve_is_refused() -> None:
    with pytest.raises(ValueError, match="leaves no reserve"):
        clocks.parse_clock("0+12")


@given(st.text(max_size=12))
def test_any_text_is_a_clock_or_refused(text: str) -> None:
    try:
        rules = clocks.parse_clock(text)
    except ValueError:
        return
    assert rules is None or rules.name == text
