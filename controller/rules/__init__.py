"""The rules of every game of the family, as pure functions of values; README.md is their specification.

Points are counted along each player's own path (`player.py`). A game is a row of data (`ruleset.py`, `variants.py`).
`legal_plays` lists what may be played; `judge` decides whether the board after a turn is legal, or names the rules that
it breaks. Other rooms import from this face; only the modules of `grasshopper` are imported by themselves.
"""

from controller.rules.bounded_toml import MOST_TOML_BYTES, TomlTextError, read_toml
from controller.rules.errors import (
    NumbersError,
    PositionTextError,
    RulesError,
    RulesetError,
    UnknownGameError,
    quote_value,
)
from controller.rules.house_rules import parse_house_variant, with_options
from controller.rules.judging.judge import is_reachable, judge, judge_stage
from controller.rules.judging.query import TO_DECIDE, Effort, EffortSpentError
from controller.rules.names import NAMES, GameNames, Words
from controller.rules.notation import parse_setup, play_text, position_text
from controller.rules.player import BAR, HOME, OFF, POINTS, RESERVE, Direction, Player, physical_point
from controller.rules.plays.head import HEAD
from controller.rules.plays.legal_plays import (
    Continuations,
    Play,
    continuations,
    first_steps,
    legal_plays,
    list_endings,
    list_results,
)
from controller.rules.plays.mother import find_caught_mothers
from controller.rules.position import SIDE_BITS, Position, pack_counts, start_position
from controller.rules.ruleset import (
    Contact,
    DiceHalf,
    DiceOnChecker,
    DiceUse,
    Doubles,
    Goal,
    Opening,
    Ruleset,
    Transfer,
)
from controller.rules.rulings import NO_RULES, Breach, Illegal, Legal, Rule, Ruling, Undecided
from controller.rules.scoring.cube import (
    CubeEvent,
    CubePhase,
    CubeRefusal,
    CubeRules,
    CubeState,
    CubeTurnEnded,
    DoubleBeavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Drop,
    DropPays,
    OpeningDecided,
    RaiseBy,
    Rolled,
    Tie,
    apply_cube_event,
)
from controller.rules.scoring.match import (
    Match,
    MatchRules,
    MatchUnit,
    add_game,
    cube_rules,
    find_match_winner,
    is_crawford,
    is_jacoby_in_force,
    next_starter,
)
from controller.rules.scoring.points import (
    SCHEMES,
    Counts,
    ResultKind,
    Scheme,
    Stakes,
    StakeUnit,
    get_scheme,
    is_anti_draw,
    points_for_drop,
    points_for_win,
    win_kind,
    winner_when_off,
)
from controller.rules.setup import Fault, ImpossibleSetupError, Setup, Side
from controller.rules.stages import (
    ALL_ROLLS,
    END_TURN,
    GAME_OVER,
    Follow,
    FollowKind,
    Roll,
    RollCounters,
    Stage,
    Throw,
    ThrowKind,
    Turn,
    find_follow,
    is_cascade,
    make_own_throw,
    make_stage,
    make_transfer_throw,
    split_into_stages,
)
from controller.rules.steps import Step
from controller.rules.throws import (
    BadThrow,
    EarlyThrow,
    Half,
    Lie,
    ThrowContext,
    ThrownDie,
    ThrowRules,
    ThrowRuling,
    Unclear,
    judge_throw,
)
from controller.rules.variants import GAMES, GRASSHOPPER, RULESETS, get_ruleset

__all__ = [
    "ALL_ROLLS", "BAR", "END_TURN", "GAMES", "GAME_OVER", "GRASSHOPPER", "HEAD", "HOME", "MOST_TOML_BYTES", "NAMES", "NO_RULES", "OFF",
    "POINTS", "RESERVE", "RULESETS", "SCHEMES", "SIDE_BITS", "TO_DECIDE", "BadThrow", "Breach", "Contact",
    "Continuations", "Counts", "CubeEvent", "CubePhase", "CubeRefusal", "CubeRules", "CubeState", "CubeTurnEnded",
    "DiceHalf", "DiceOnChecker", "DiceUse", "Direction", "DoubleBeavered", "DoubleDropped", "DoubleOffered",
    "DoubleTaken", "Doubles", "Drop", "DropPays", "EarlyThrow", "Effort", "EffortSpentError", "Fault", "Follow",
    "FollowKind", "GameNames", "Goal", "Half", "Illegal", "ImpossibleSetupError", "Legal", "Lie", "Match", "MatchRules",
    "MatchUnit", "NumbersError", "Opening", "OpeningDecided", "Play", "Player", "Position", "PositionTextError",
    "RaiseBy", "ResultKind", "Roll", "RollCounters", "Rolled", "Rule", "RulesError", "Ruleset", "RulesetError",
    "Ruling", "Scheme", "Setup", "Side", "Stage", "StakeUnit", "Stakes", "Step", "Throw", "ThrowContext", "ThrowKind",
    "ThrowRules", "ThrowRuling", "ThrownDie", "Tie", "TomlTextError", "Transfer", "Turn", "Unclear", "Undecided", "UnknownGameError",
    "Words", "add_game", "apply_cube_event", "continuations", "cube_rules", "find_caught_mothers", "find_follow",
    "find_match_winner", "first_steps", "get_ruleset", "get_scheme", "is_anti_draw", "is_cascade", "is_crawford",
    "is_jacoby_in_force", "is_reachable", "judge", "judge_stage", "judge_throw", "legal_plays", "list_endings",
    "list_results", "make_own_throw", "make_stage", "make_transfer_throw", "next_starter", "pack_counts",
    "parse_house_variant", "parse_setup", "physical_point", "play_text", "points_for_drop", "points_for_win",
    "position_text", "quote_value", "read_toml", "split_into_stages", "start_position", "win_kind", "winner_when_off", "with_options",
]  # fmt: skip
