"""How much of a recorded game can be played again at the table, and in words why not the rest."""

from dataclasses import dataclass, replace

from controller.formats.match_model import Attempt, BoardPut, Ending, Game, Played, Turn
from controller.match_log.turns import Ruled
from controller.rules.errors import RulesError
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import GrasshopperRules
from controller.rules.notation import parse_setup, position_text
from controller.rules.position import Position, start_position
from controller.rules.ruleset import Ruleset

_NOT_OF_THE_GAME = "this game does not have"


@dataclass(frozen=True, slots=True)
class ShownPart:
    """`remarks` are for people; there are none where the whole game is shown as it was recorded."""

    game: Game
    remarks: tuple[str, ...] = ()


def shown_part(game: Game, rules: Ruleset | GrasshopperRules, most_turns: int) -> ShownPart:
    """Its turns up to the first that the record does not tell, `most_turns` throws at most."""
    shown: list[Turn] = []
    played = 0
    if not _is_board(game.start, rules):
        empty = replace(game, start=_usual_start(rules), thrown=None, result=None)
        return _part(empty, shown, f"it begins with a board that {_NOT_OF_THE_GAME}; it is not shown")
    for turn in game.turns:
        if isinstance(turn, Played):
            reason = "" if played == most_turns else _why_not(turn, game, rules)
            if reason:
                reason = f"turn {turn.number}: {reason}; the rest of the game is not shown"
            if reason or played == most_turns:
                return _part(replace(game, thrown=None, result=None), shown, *filter(None, (reason,)))
            turn = replace(turn, taken_back=_drawable(turn, rules))
            played += 1
        elif isinstance(turn, BoardPut) and not _is_board(turn.position, rules):
            return _part(
                replace(game, thrown=None, result=None),
                shown,
                f"a board was put that {_NOT_OF_THE_GAME}; the rest is not shown",
            )
        shown.append(turn)
    if game.result is not None and game.result.ending is Ending.TOLD:
        return _part(game, shown, "the record does not show how it ended; the loser resigns")
    return _part(game, shown)


def _part(game: Game, shown: list[Turn], *remarks: str) -> ShownPart:
    part = replace(game, turns=tuple(shown))
    if any(turn.bad_throws for turn in part.played):
        remarks = ("throws that did not count are left out", *remarks)
    return ShownPart(part, remarks)


def _why_not(turn: Played, game: Game, rules: Ruleset | GrasshopperRules) -> str:
    """Empty where it can be shown."""
    if turn.after is None or turn.ruling is Ruled.UNSURE:
        return "nobody could tell what was played"
    if not _is_board(turn.after, rules):
        return f"it ends with a board that {_NOT_OF_THE_GAME}"
    if turn.ruling is Ruled.LEGAL:
        return ""
    if isinstance(rules, GrasshopperRules):
        return "an action against the rules stood"
    if not turn.clause and turn is game.played[-1]:
        return "it was not legal and waits for its correction"
    return ""


def _drawable(turn: Played, rules: Ruleset | GrasshopperRules) -> tuple[Attempt, ...]:
    """What was tried and taken back, as far as so many checkers can be put so."""
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
