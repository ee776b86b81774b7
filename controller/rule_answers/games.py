"""The kind `games`: whole games, stage by stage, with their result."""

from dataclasses import dataclass

from controller.rule_answers import fields
from controller.rule_answers.plays import StageCase, read_stage
from controller.rule_answers.table_fields import make_position_reader, read_rules
from controller.rules import (
    GAME_OVER,
    OFF,
    SCHEMES,
    Play,
    Player,
    Position,
    ResultKind,
    Ruleset,
    Scheme,
    Stakes,
    find_caught_mothers,
    find_follow,
    get_scheme,
    legal_plays,
    points_for_win,
    win_kind,
    winner_when_off,
)

LONGEST_GAME = 2_000  # events; the longest games have a few hundred


@dataclass(frozen=True, slots=True)
class _Event:
    asked: StageCase
    after: Position


def answer(case: fields.Case, house: Ruleset | None = None) -> dict[str, object]:
    """For each event: the number of legal results, the unused numbers, what comes next, and whether the play is legal."""
    rules = read_rules(case, house)
    scheme = get_scheme(fields.read_optional(case, "scheme", fields.TextChoice(tuple(SCHEMES)), rules.scoring))
    fields.read_required(case, "opening", fields.ListOf(fields.read_pair_of_dice))
    listed = fields.read_required(case, "events", fields.ListOf(fields.read_mapping, longest=LONGEST_GAME))
    events = [_read_event(index, one, rules) for index, one in enumerate(listed)]
    return {
        "events": [_answer_event(event) for event in events],
        "result": _make_result(events[-1], scheme) if events else None,
    }


def _read_event(index: int, one: fields.Case, rules: Ruleset) -> _Event:
    try:
        return _Event(read_stage(one, rules, "before"), fields.read_required(one, "after", make_position_reader(rules)))
    except fields.CaseError as error:
        raise fields.CaseError(f"events[{index}]: {error}") from None


def _answer_event(event: _Event) -> dict[str, object]:
    asked = event.asked
    plays = legal_plays(asked.before, asked.player, asked.stage, asked.rules)
    played = next((play for play in plays if play.after == event.after), None)
    return {
        "legal": len(plays),
        "unused": None if played is None else list(played.unused),
        "next": _find_next(asked, played),
        "ok": played is not None,
    }


def _find_next(asked: StageCase, played: Play | None) -> str | None:
    """What comes after the stage; null for a hand-over, which belongs to no roll, and for an illegal play."""
    if asked.throw is None or played is None:
        return None
    if _is_off(played.after, asked.player, asked.rules):
        return str(GAME_OVER)
    return str(find_follow(asked.throw, asked.index, played.unused, asked.rules))


def _is_off(position: Position, player: Player, rules: Ruleset) -> bool:
    return position.counts(player)[OFF] == rules.checkers


def _make_result(last: _Event, scheme: Scheme) -> dict[str, object] | None:
    """The winner, the kind of win and the points; null while the game is not over."""
    rules, position = last.asked.rules, last.after
    for player in Player:
        if _is_off(position, player, rules):
            winner = winner_when_off(player, rules.goal)
            loser = position.counts(winner.opponent)
            kind = win_kind(scheme, rules.direction, loser)
            return {"winner": winner.value, "kind": kind.value, "points": points_for_win(kind, scheme, loser, Stakes())}
    caught = find_caught_mothers(position, rules)
    if len(caught) == 1:
        (loser_player,) = caught
        worth = points_for_win(ResultKind.MOTHER, scheme, position.counts(loser_player), Stakes())
        return {"winner": loser_player.opponent.value, "kind": ResultKind.MOTHER.value, "points": worth}
    return {"winner": None, "kind": ResultKind.DRAW.value, "points": 0} if caught else None
