"""Answers questions of the kind `match`: Crawford games and score over a series of results."""

from collections.abc import Mapping

from controller.rule_answers.fields import (
    CaseError,
    Choice,
    ListOf,
    OrNone,
    Whole,
    flag,
    items,
    optional,
    required,
)
from controller.rules.player import Player
from controller.rules.scoring.match import Match, MatchRules, MatchUnit, after_game, is_crawford, winner

_LARGEST = 1 << 62


def answer(case: Mapping[str, object]) -> dict[str, object]:
    """The shape of `expect`; results after the match was won are left out."""
    rules = MatchRules(
        target=required(case, "target", OrNone(Whole(1, 1_000_000))),
        crawford=optional(case, "crawford", flag, default=True),
        unit=optional(case, "match_unit", Choice(MatchUnit), MatchUnit.POINTS),
    )
    match, played = Match(), list[dict[str, object]]()
    for won_by, points in required(case, "games", ListOf(_result)):
        if winner(match, rules):
            break
        played.append({"crawford": is_crawford(match, rules), "before": list(match.score)})
        match = after_game(match, won_by, points, rules)
    victor = winner(match, rules)
    return {
        "games": played,
        "score": list(match.score),
        "winner": victor.value if victor else None,
        "next_game_crawford": None if victor else is_crawford(match, rules),
    }


def _result(value: object, name: str) -> tuple[Player | None, int]:
    """`[winner, points]`; the winner of a drawn game is null and its points are 0."""
    entries = items(value, name)
    if len(entries) != 2:
        raise CaseError(f"field {name!r}: {len(entries)} entries are no result; give winner and points")
    won_by = OrNone(Choice(Player))(entries[0], name)
    return won_by, Whole(1, _LARGEST)(entries[1], name) if won_by else Whole(0, 0)(entries[1], name)
