"""The dice games as rows of data (README, Parameters); a parameter that is not given has backgammon's value."""

from dataclasses import replace

from controller.rules import ruleset
from controller.rules.errors import UnknownGameError, quote_value, suggest
from controller.rules.player import RESERVE, Direction

GRASSHOPPER = "grasshopper"
_WHOLE_ARMY_ON_HEAD = ((24, 15),)

# fmt: off
_BACKGAMMON = ruleset.Ruleset("backgammon")
_LONG_NARDY = ruleset.Ruleset(
    "long_nardy", direction=Direction.PARALLEL, contact=ruleset.Contact.BLOCK, start=_WHOLE_ARMY_ON_HEAD, opening=ruleset.Opening.REROLL,
    head_limit=1, head_exception=ruleset.HeadException.HEAD_BLOCKED, prime=ruleset.Prime.NEED_CHECKER_AHEAD, scoring="long", cube=False,
)
_GULBAR = replace(_LONG_NARDY, name="gulbar", transfer=ruleset.Transfer.ALL, bonus_roll=True)
_GUL_BARA = ruleset.Ruleset(
    "gul_bara", direction=Direction.PARALLEL, contact=ruleset.Contact.BLOCK, start=_WHOLE_ARMY_ON_HEAD, opening=ruleset.Opening.REROLL,
    doubles=ruleset.Doubles.CASCADE, cascade_count=4, ordinary_rolls=3, transfer=ruleset.Transfer.CASCADE, scoring="two", cube=False,
    white_head=24,
)

_ROWS = (
    _BACKGAMMON,
    ruleset.Ruleset("backgammon_g", home_hit=ruleset.HomeHit.NO_BEAROFF),
    ruleset.Ruleset("caucasian", home_hit=ruleset.HomeHit.NO_HIDE),
    ruleset.Ruleset("nackgammon", start=((24, 2), (23, 2), (13, 4), (8, 3), (6, 4))),
    ruleset.Ruleset("hypergammon", checkers=3, start=((24, 1), (23, 1), (22, 1))),
    ruleset.Ruleset(
        "tavla", opening=ruleset.Opening.REROLL, home_hit=ruleset.HomeHit.NO_RUN, bearoff=ruleset.BearOff.FORCED, scoring="two", cube=False,
    ),
    ruleset.Ruleset("old_english", dice_use=ruleset.DiceUse.NONEMPTY, larger_die=False, max_stack=5, scoring="one", cube=False),
    _LONG_NARDY,
    replace(_LONG_NARDY, name="nardegammon", opening=ruleset.Opening.OPENING_DICE, cube=True),
    _GULBAR,
    replace(_GULBAR, name="crazy_gulbar", doubles=ruleset.Doubles.CASCADE, cascade_count=2, bonus_roll=False),
    _GUL_BARA,
    ruleset.Ruleset(
        "fevga", direction=Direction.PARALLEL, contact=ruleset.Contact.BLOCK, start=_WHOLE_ARMY_ON_HEAD, opening=ruleset.Opening.REROLL,
        first_checker_past=True, start_quarter_max=5, unblock_last_stack=True, winner_starts=True, scoring="two",
        cube=False, white_head=24,
    ),
    ruleset.Ruleset(
        "plakoto", contact=ruleset.Contact.PIN, start=_WHOLE_ARMY_ON_HEAD, opening=ruleset.Opening.REROLL, mother=True, scoring="two",
        cube=False,
    ),
    ruleset.Ruleset("backgammon_race", start=((RESERVE, 15),), cube=False),
    ruleset.Ruleset("anti_backgammon", goal=ruleset.Goal.FIRST_OFF_LOSES, scoring="one", cube=False),
    ruleset.Ruleset("long_gammon", start=_WHOLE_ARMY_ON_HEAD),
)
# fmt: on

RULESETS = {rules.name: rules for rules in _ROWS}
GAMES = (*RULESETS, GRASSHOPPER)


def get_ruleset(name: str) -> ruleset.Ruleset:
    """The ruleset of a dice game; raises UnknownGameError, which lists the names."""
    if name not in RULESETS:
        raise UnknownGameError(f"unknown game {quote_value(name)}; {suggest(name, RULESETS)}")
    return RULESETS[name]
