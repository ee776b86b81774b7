"""The rules of every game of the family: values in, values out, nothing but the standard library.

Positions are counted along each player's own path (`player.py`); a game is a row of data (`ruleset.py`, `variants.py`);
`legal_plays` says what may be played and `judge` whether a board after a turn is right, or why not.
"""

from controller.rules.breach import Breach, Rule
from controller.rules.errors import (
    NumbersError,
    PositionTextError,
    RulesError,
    RulesetError,
    UnknownGameError,
)
from controller.rules.house_rules import parse_house_variant, with_options
from controller.rules.judging.judge import judge, judge_stage
from controller.rules.notation import parse_setup, position_text
from controller.rules.play_text import play_text
from controller.rules.player import Direction, Player
from controller.rules.plays.legal_plays import Continuations, Play, continuations, first_steps, legal_plays
from controller.rules.position import Position, start_position
from controller.rules.roll import Roll
from controller.rules.ruleset import Ruleset
from controller.rules.rulings import Illegal, Legal, Ruling
from controller.rules.setup import Fault, ImpossibleSetupError, Setup, Side
from controller.rules.stages import (
    Follow,
    FollowKind,
    RollCounters,
    Stage,
    Throw,
    Turn,
    make_own_throw,
    make_transfer_throw,
)
from controller.rules.steps import Step
from controller.rules.variants import GAMES, get_ruleset

__all__ = [
    "GAMES",
    "Breach",
    "Continuations",
    "Direction",
    "Fault",
    "Follow",
    "FollowKind",
    "Illegal",
    "ImpossibleSetupError",
    "Legal",
    "NumbersError",
    "Play",
    "Player",
    "Position",
    "PositionTextError",
    "Roll",
    "RollCounters",
    "Rule",
    "RulesError",
    "Ruleset",
    "RulesetError",
    "Ruling",
    "Setup",
    "Side",
    "Stage",
    "Step",
    "Throw",
    "Turn",
    "UnknownGameError",
    "continuations",
    "first_steps",
    "get_ruleset",
    "judge",
    "judge_stage",
    "legal_plays",
    "make_own_throw",
    "make_transfer_throw",
    "parse_house_variant",
    "parse_setup",
    "play_text",
    "position_text",
    "start_position",
    "with_options",
]
