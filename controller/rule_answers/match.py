"""The kind `match`: Crawford games and score over a series of results."""

from collections.abc import Mapping

from controller.rule_answers.fields import (
    CaseError,
    EnumChoice,
    ListOf,
    OrNone,
    WholeNumber,
    read_flag,
    read_items,
    read_optional,
    read_required,
)
from controller.rules import Match, MatchRules, MatchUnit, Player, add_game, find_match_winner, is_crawford

_LARGEST = 1 << 62


def answer(case: Mapping[str, object]) -> dict[str, object]:
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
