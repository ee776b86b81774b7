"""Selects the part of a recorded game that can be played at the table, and says why the rest cannot."""

from dataclasses import dataclass, replace

from controller.formats import Attempt, BoardPut, GameAction, GameEnding, GameHistory, PlayedTurn
from controller.match_log import TurnRuling
from controller.rules import Position, RulesError, Ruleset, parse_setup, position_text, start_position
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import GrasshopperRules

_NOT_IN_GAME = "this game does not have"


@dataclass(frozen=True, slots=True)
class PlayablePart:
    """`remarks` explain what is not shown as it was recorded; empty if everything is."""

    game: GameHistory
    remarks: tuple[str, ...] = ()


def select_playable_part(game: GameHistory, rules: Ruleset | GrasshopperRules, max_turns: int) -> PlayablePart:
    """The turns up to the first one that the record does not determine, at most `max_turns` throws."""
    shown: list[GameAction] = []
    played = 0
    if not _is_board(game.start, rules):
        empty = replace(game, start=_usual_start(rules), thrown=None, result=None)
        return _make_part(empty, shown, f"it begins with a board that {_NOT_IN_GAME}; it is not shown")
    for turn in game.turns:
        if isinstance(turn, PlayedTurn):
            reason = "" if played == max_turns else _explain_unplayable(turn, game, rules)
            if reason:
                reason = f"turn {turn.number}: {reason}; the rest of the game is not shown"
            if reason or played == max_turns:
                return _make_part(replace(game, thrown=None, result=None), shown, *filter(None, (reason,)))
            turn = replace(turn, taken_back=_drawable_attempts(turn, rules))
            played += 1
        elif isinstance(turn, BoardPut) and not _is_board(turn.position, rules):
            return _make_part(
                replace(game, thrown=None, result=None),
                shown,
                f"a board was put that {_NOT_IN_GAME}; the rest is not shown",
            )
        shown.append(turn)
    if game.result is not None and game.result.ending is GameEnding.REPORTED:
        return _make_part(game, shown, "the record does not show how it ended; the loser resigns")
    return _make_part(game, shown)


def _make_part(game: GameHistory, turns: list[GameAction], *remarks: str) -> PlayablePart:
    part = replace(game, turns=tuple(turns))
    if any(turn.bad_throws for turn in part.played_turns):
        remarks = ("throws that did not count are left out", *remarks)
    return PlayablePart(part, remarks)


def _explain_unplayable(turn: PlayedTurn, game: GameHistory, rules: Ruleset | GrasshopperRules) -> str:
    """The reason why a turn cannot be shown; empty if it can."""
    if turn.after is None or turn.ruling is TurnRuling.UNSURE:
        return "nobody could tell what was played"
    if not _is_board(turn.after, rules):
        return f"it ends with a board that {_NOT_IN_GAME}"
    if turn.ruling.is_within_rules:
        return ""
    if isinstance(rules, GrasshopperRules):
        return "an action against the rules stood"
    if not turn.clause and turn is game.played_turns[-1]:
        return "it was not legal and waits for its correction"
    return ""


def _drawable_attempts(turn: PlayedTurn, rules: Ruleset | GrasshopperRules) -> tuple[Attempt, ...]:
    """The plays that were taken back, as far as their boards are possible."""
    if not isinstance(rules, Ruleset) or turn.is_handed_over:
        return ()
    return tuple(one for one in turn.taken_back if _is_board(one.after, rules))


def _is_board(text: str, rules: Ruleset | GrasshopperRules) -> bool:
    try:
        if isinstance(rules, Ruleset):
            Position.of(parse_setup(text), rules)
        else:
            grasshopper.from_text(text)
    except (RulesError, ValueError):
        return False
    return True


def _usual_start(rules: Ruleset | GrasshopperRules) -> str:
    if isinstance(rules, Ruleset):
        return position_text(start_position(rules))
    return grasshopper.to_text(grasshopper.START)
