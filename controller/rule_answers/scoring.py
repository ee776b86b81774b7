"""The kinds `scoring`, `cube` and `match`: what a game is worth, a script of cube events, a series of results."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial

from controller.rule_answers.fields import (
    CaseError,
    EnumChoice,
    ListOf,
    OrNone,
    TextChoice,
    WholeNumber,
    check_known_names,
    make_case_error,
    read_flag,
    read_items,
    read_mapping,
    read_optional,
    read_required,
    read_text,
)
from controller.rules import (
    SCHEMES,
    Counts,
    CubeEvent,
    CubeRules,
    CubeState,
    CubeTurnEnded,
    Direction,
    DoubleBeavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    DropPays,
    Match,
    MatchRules,
    MatchUnit,
    OpeningDecided,
    Player,
    RaiseBy,
    Rolled,
    Stakes,
    StakeUnit,
    Tie,
    add_game,
    apply_cube_event,
    find_match_winner,
    get_scheme,
    is_crawford,
    points_for_win,
    win_kind,
)

_LARGEST = 1 << 62  # bounds stakes and values, so that no case makes the answer huge


def answer_scoring(case: Mapping[str, object]) -> dict[str, object]:
    """The kind of win and its points."""
    scheme = get_scheme(read_required(case, "scheme", TextChoice(tuple(SCHEMES))))
    loser = read_required(case, "loser", read_loser_counts)
    kind = win_kind(scheme, read_required(case, "direction", EnumChoice(Direction)), loser)
    stakes = Stakes(
        cube=read_optional(case, "cube", WholeNumber(1, _LARGEST), 1),
        cube_turned=read_optional(case, "cube_turned", read_flag, default=False),
        stake=read_optional(case, "stake", WholeNumber(1, _LARGEST), 1),
        jacoby=read_optional(case, "jacoby", read_flag, default=False),
        unit=read_optional(case, "unit", EnumChoice(StakeUnit), StakeUnit.GAME),
    )
    return {"kind": kind.value, "points": points_for_win(kind, scheme, loser, stakes)}


def read_loser_counts(value: object, name: str) -> Counts:
    """Reads one side of a position text, 26 or 27 hexadecimal digits, as 27 counts."""
    digits = read_text(value, name)
    if len(digits) not in (26, 27):
        raise make_case_error(name, value, f"has {len(digits)} digits", "give 26, or 27 with the reserve")
    if not all(digit in "0123456789abcdef" for digit in digits):
        raise make_case_error(name, value, "holds a character that is no digit", "use 0 to 9 and a to f")
    counts = tuple(int(digit, 16) for digit in digits.ljust(27, "0"))
    if not 1 <= sum(counts) <= 15:
        raise make_case_error(name, value, f"holds {sum(counts)} checkers", "give 1 to 15")
    return counts


_LONGEST_SCRIPT = 10_000  # events; a doubled value grows by one bit with each, and no game is that long
_BARE: Mapping[str, Callable[[], CubeEvent]] = {"tie": Tie, "roll": Rolled, "end_turn": CubeTurnEnded}
_BY_PLAYER: Mapping[str, Callable[[Player], CubeEvent]] = {
    "offer": DoubleOffered,
    "take": DoubleTaken,
    "drop": DoubleDropped,
    "beaver": DoubleBeavered,
}


def answer_cube(case: Mapping[str, object]) -> list[object]:
    """For each event `[allowed, state]`, with the state after it."""
    rules = read_required(case, "settings", _read_cube_rules)
    state, answers = CubeState(), list[object]()
    for event in read_required(case, "script", ListOf(_read_event, _LONGEST_SCRIPT)):
        ruling = apply_cube_event(state, event, rules)
        state = ruling.state
        answers.append([ruling.is_allowed, _describe_cube(state)])
    return answers


def _describe_cube(state: CubeState) -> dict[str, object]:
    return {
        "value": state.value,
        "owner": state.owner.value if state.owner else None,
        "turned": state.turned,
        "offer_by": state.offer_by.value if state.offer_by else None,
        "over": [state.over.winner.value, state.over.points] if state.over else None,
    }


def _read_cube_rules(value: object, name: str) -> CubeRules:
    given = read_mapping(value, name)
    check_known_names(given, name, (field.name for field in fields(CubeRules)))
    return CubeRules(
        use=read_optional(given, "use", read_flag, default=True),
        crawford_game=read_optional(given, "crawford_game", read_flag, default=False),
        beaver=read_optional(given, "beaver", read_flag, default=False),
        cap=read_optional(given, "cap", OrNone(WholeNumber(1, _LARGEST)), None),
        raise_by=read_optional(given, "raise_by", EnumChoice(RaiseBy), RaiseBy.DOUBLE),
        auto_limit=read_optional(given, "auto_limit", WholeNumber(0, 1000), 0),
        drop_pays=read_optional(given, "drop_pays", EnumChoice(DropPays), DropPays.PRESENT),
    )


def _read_event(value: object, name: str) -> CubeEvent:
    """Reads `["tie"]`, `["opening", starter, throws_again]`, `["offer", who]` and so on."""
    entries = read_items(value, name)
    word = read_text(entries[0], name) if entries else ""
    player = partial(EnumChoice(Player), name=name)
    if word in _BARE and len(entries) == 1:
        return _BARE[word]()
    if word in _BY_PLAYER and len(entries) == 2:
        return _BY_PLAYER[word](player(entries[1]))
    if word == "opening" and len(entries) == 3:
        return OpeningDecided(player(entries[1]), read_flag(entries[2], name))
    raise CaseError(
        f"field {name!r}: {word[:40]!r} with {len(entries)} entries is no event; give tie, roll, end_turn, "
        "or offer, take, drop, beaver with a player, or opening with the starter and whether he throws again"
    )


def answer_match(case: Mapping[str, object]) -> dict[str, object]:
    """The score before each game and the Crawford games; results after the end of the match are left out."""
    rules = MatchRules(
        target=read_required(case, "target", OrNone(WholeNumber(1, 1_000_000))),
        crawford=read_optional(case, "crawford", read_flag, default=True),
        unit=read_optional(case, "match_unit", EnumChoice(MatchUnit), MatchUnit.POINTS),
    )
    match, played = Match(), list[dict[str, object]]()
    for won_by, points in read_required(case, "games", ListOf(_read_result)):
        if find_match_winner(match, rules):
            break
        played.append({"crawford": is_crawford(match, rules), "before": list(match.score)})
        match = add_game(match, won_by, points, rules)
    victor = find_match_winner(match, rules)
    return {
        "games": played,
        "score": list(match.score),
        "winner": victor.value if victor else None,
        "next_game_crawford": None if victor else is_crawford(match, rules),
    }


def _read_result(value: object, name: str) -> tuple[Player | None, int]:
    """Reads `[winner, points]`; the winner of a drawn game is null and its points are 0."""
    entries = read_items(value, name)
    if len(entries) != 2:
        raise CaseError(f"field {name!r}: {len(entries)} entries are no result; give winner and points")
    won_by = OrNone(EnumChoice(Player))(entries[0], name)
    return won_by, WholeNumber(1, _LARGEST)(entries[1], name) if won_by else WholeNumber(0, 0)(entries[1], name)
