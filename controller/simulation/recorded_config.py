"""The rules and the match configuration under which a recorded game is refereed again."""

from dataclasses import replace

from controller.formats import CubeAction, GameHistory, MatchHistory, uses_jacoby
from controller.match import CubeAct, Mode, Seating
from controller.refereeing.match_config import GameStart, MatchConfig, MatchPlayers
from controller.rules import MatchRules, Ruleset
from controller.rules.grasshopper.game import STANDARD, GrasshopperRules
from controller.simulation.scripts import openings_of


def make_table(match: MatchHistory, game: GameHistory) -> MatchConfig:
    """What was agreed for this game. The starter is stated if the record has no opening throw to film."""
    rules = make_rules(match, game)
    plain = MatchConfig(game=match.game, rules=rules, rules_toml=match.rules_toml)
    is_stated = game.start != plain.start_text or not openings_of(game, rules)
    return replace(
        plain,
        mode=Mode.REFEREE,
        seating=Seating(white_head=rules.white_head if isinstance(rules, Ruleset) else 12),
        match=MatchRules(target=match.length, crawford=game.is_crawford),
        players=MatchPlayers(match.white, match.black, *game.score),
        start=GameStart(
            game.start if is_stated and isinstance(rules, Ruleset) else None, game.starter if is_stated else None
        ),
    )


def make_rules(match: MatchHistory, game: GameHistory) -> Ruleset | GrasshopperRules:
    """The rules of the game with the Jacoby rule and beavers, as far as the record shows them."""
    if match.rules is None:
        return STANDARD
    beavers = any(isinstance(turn, CubeAction) and turn.act is CubeAct.BEAVERED for turn in game.turns)
    return replace(match.rules, jacoby=uses_jacoby(match), beaver=match.rules.beaver or beavers)
