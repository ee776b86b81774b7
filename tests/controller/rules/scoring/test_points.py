"""Kinds of win and points."""

import pytest

from controller.rules import (
    SCHEMES,
    Counts,
    Direction,
    Drop,
    Goal,
    Player,
    ResultKind,
    RulesetError,
    Stakes,
    StakeUnit,
    get_scheme,
    is_anti_draw,
    points_for_drop,
    points_for_win,
    win_kind,
    winner_when_off,
)

CONTRARY, PARALLEL = Direction.CONTRARY, Direction.PARALLEL
NAMES = ("usbgf", "lithuanian", "stakes002", "long", "fsnr", "two", "one", "article000")


def checkers(**places: int) -> Counts:
    """`checkers(off=1, p6=14)`: 27 counts."""
    numbers = {"off": 0, "bar": 25, "reserve": 26} | {f"p{point}": point for point in range(1, 25)}
    counts = [0] * 27
    for place, count in places.items():
        counts[numbers[place]] = count
    return tuple(counts)


def kinds(loser: Counts, direction: Direction) -> str:
    """The kind under each scheme, in the order of NAMES."""
    return " ".join(win_kind(get_scheme(name), direction, loser).value for name in NAMES)


@pytest.mark.parametrize(
    ("loser", "direction", "expected"),
    [
        (checkers(off=1, p6=14), CONTRARY, "single single single single single single single single"),
        (checkers(off=1, bar=14), CONTRARY, "single single single single single single single single"),
        (checkers(off=1, p24=14), PARALLEL, "single single single single single single single single"),
        (checkers(p7=1, p1=14), CONTRARY, "mars mars mars mars mars mars single mars"),
        (checkers(p18=1, p1=14), CONTRARY, "mars mars mars mars mars mars single mars"),
        (checkers(p19=1, p1=14), CONTRARY, "koks koks koks mars mars mars single mars"),
        (checkers(bar=1, p1=14), CONTRARY, "koks koks koks mars mars mars single mars"),
        (checkers(p24=1, p1=14), CONTRARY, "koks koks koks mars mars mars single koks_unmoved"),
        (checkers(p24=1, p1=14), PARALLEL, "mars mars mars mars mars mars single koks_unmoved"),
        (checkers(p13=1, p1=14), PARALLEL, "koks koks koks mars mars mars single mars"),
        (checkers(p18=1, p1=14), PARALLEL, "koks koks koks mars mars mars single mars"),
        (checkers(p12=1, p1=14), PARALLEL, "mars mars mars mars mars mars single mars"),
        (checkers(p19=1, p1=14), PARALLEL, "mars mars mars mars mars mars single mars"),
        (checkers(p6=1, p1=14), PARALLEL, "mars mars home_mars home_mars mars mars single home_mars"),
        (checkers(p6=15), CONTRARY, "mars mars home_mars home_mars mars mars single home_mars"),
        (checkers(p6=14, reserve=1), CONTRARY, "mars mars mars mars mars mars single mars"),
        (checkers(p6=3), CONTRARY, "mars mars home_mars home_mars mars mars single home_mars"),
    ],
)
def test_the_kind_of_win(loser: Counts, direction: Direction, expected: str) -> None:
    """The first kind that fits, among those the scheme knows; one checker borne off makes every win single."""
    assert kinds(loser, direction) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("usbgf", (1, 2, 3, None, None)),
        ("lithuanian", (1, 2, 4, None, None)),
        ("stakes002", (1, 2, 3, 4, None)),
        ("long", (1, 2, None, 3, None)),
        ("fsnr", (1, 2, None, None, None)),
        ("two", (1, 2, None, None, None)),
        ("one", (1, None, None, None, None)),
        ("article000", (1, 2, None, 3, 3)),
    ],
)
def test_the_table_of_schemes(name: str, expected: tuple[int | None, ...]) -> None:
    """Single, mars, koks, home mars, koks unmoved; mother and draw are the same everywhere."""
    scheme = SCHEMES[name]
    order = (ResultKind.SINGLE, ResultKind.MARS, ResultKind.KOKS, ResultKind.HOME_MARS, ResultKind.KOKS_UNMOVED)
    assert tuple(scheme.multiplier(kind) for kind in order) == expected
    assert (scheme.name, scheme.multiplier(ResultKind.MOTHER), scheme.multiplier(ResultKind.DRAW)) == (name, 2, 0)


def test_the_schemes_are_eight() -> None:
    """No other names are known, and an unknown one is refused with the list."""
    assert tuple(SCHEMES) == NAMES
    with pytest.raises(RulesetError) as caught:
        get_scheme("long_nardy")
    assert str(caught.value) == (
        "scoring: unknown scheme 'long_nardy'; choose one of "
        "usbgf, lithuanian, stakes002, long, fsnr, two, one, article000"
    )


LOSER = checkers(p24=1, p6=3, p3=2, p1=1, p8=8)


@pytest.mark.parametrize(
    ("kind", "loser", "stakes", "expected"),
    [
        (ResultKind.KOKS, LOSER, Stakes(), 3),
        (ResultKind.KOKS, LOSER, Stakes(cube=4, cube_turned=True, stake=5), 60),
        (ResultKind.MARS, LOSER, Stakes(jacoby=True), 1),
        (ResultKind.MARS, LOSER, Stakes(jacoby=True, cube=2), 2),
        (ResultKind.MARS, LOSER, Stakes(jacoby=True, cube=2, cube_turned=True), 4),
        (ResultKind.MARS, LOSER, Stakes(cube=2, cube_turned=True), 4),
        (ResultKind.MARS, LOSER, Stakes(unit=StakeUnit.CHECKER), 15),
        (ResultKind.MARS, LOSER, Stakes(unit=StakeUnit.CHECKER, jacoby=True, cube=2, stake=5), 150),
        (ResultKind.MARS, LOSER, Stakes(unit=StakeUnit.CHECKER_HOME), 6),
        (ResultKind.MARS, LOSER, Stakes(unit=StakeUnit.CHECKER_HOME, cube=2, stake=10), 120),
        (ResultKind.SINGLE, checkers(off=9, p7=1, p6=5), Stakes(unit=StakeUnit.CHECKER), 6),
        (ResultKind.SINGLE, checkers(off=9, p7=1, p6=5), Stakes(unit=StakeUnit.CHECKER_HOME), 5),
        (ResultKind.MOTHER, LOSER, Stakes(), 2),
        (ResultKind.MOTHER, LOSER, Stakes(cube=2, cube_turned=True, stake=3), 12),
        (ResultKind.DRAW, LOSER, Stakes(cube=8, stake=10), 0),
        (ResultKind.DRAW, LOSER, Stakes(unit=StakeUnit.CHECKER), 0),
        (ResultKind.DRAW, LOSER, Stakes(jacoby=True), 0),
    ],
)
def test_points(kind: ResultKind, loser: Counts, stakes: Stakes, expected: int) -> None:
    """Multiplier times cube times stake; checkers instead of the multiplier; Jacoby needs a turned cube."""
    assert points_for_win(kind, SCHEMES["usbgf"], loser, stakes) == expected


def test_a_kind_unknown_to_the_scheme_has_no_price() -> None:
    with pytest.raises(RulesetError) as caught:
        points_for_win(ResultKind.KOKS, SCHEMES["long"], LOSER, Stakes())
    assert str(caught.value) == "scoring: scheme 'long' has no koks; ask win_kind() for the kind"


def test_a_refused_raise_pays_its_value_and_the_stake() -> None:
    assert points_for_drop(Drop(Player.WHITE, 4), stake=5) == 20
    assert points_for_drop(Drop(Player.WHITE, 4)) == 4


def test_the_first_off_wins_except_in_anti_backgammon() -> None:
    assert winner_when_off(Player.WHITE, Goal.FIRST_OFF_WINS) is Player.WHITE
    assert winner_when_off(Player.WHITE, Goal.FIRST_OFF_LOSES) is Player.BLACK


@pytest.mark.parametrize(
    ("goal", "white", "black", "expected"),
    [
        (Goal.FIRST_OFF_LOSES, 500, 500, True),
        (Goal.FIRST_OFF_LOSES, 501, 500, True),
        (Goal.FIRST_OFF_LOSES, 500, 499, False),
        (Goal.FIRST_OFF_LOSES, 499, 500, False),
        (Goal.FIRST_OFF_WINS, 500, 500, False),
    ],
)
def test_anti_backgammon_is_drawn_after_500_turns_each(goal: Goal, white: int, black: int, expected: bool) -> None:
    """Both must have had them, and no other game knows this draw."""
    assert is_anti_draw(goal, white, black) is expected
