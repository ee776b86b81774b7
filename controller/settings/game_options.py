"""The options of a game that players may agree on, as a form shows them.

They are the fields of the ruleset that players commonly change. Any other field can be changed in a house variant
(`controller/rules/house_rules.py`). The log keeps a match with options as a house variant as well.
"""

from collections.abc import Callable
from dataclasses import Field, dataclass, fields
from enum import Enum
from types import NoneType
from typing import get_args, get_type_hints

from controller.rules import Contact, Doubles, Ruleset, Transfer
from controller.settings.form_fields import FieldType, to_toml_scalar
from controller.settings.toml_edit import TomlScalar


@dataclass(frozen=True, slots=True)
class GameOption:
    """One option. `value` is the game's own value; None means no limit, and may be chosen where `may_be_none`."""

    name: str
    option_type: FieldType
    value: TomlScalar
    is_cube: bool
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None
    may_be_none: bool = False


_Condition = Callable[[Ruleset], bool]
_CUBE = ("cube", "jacoby", "beaver", "auto_limit", "cap", "raise_by", "drop_pays")
_ANY_GAME = ("scoring", "winner_starts", "opening", "dice_half", "dice_on_checker", "dice_use", "max_stack")
_CONDITIONS: dict[str, _Condition] = {  # the games in which an option has a meaning
    **dict.fromkeys((*_CUBE, *_ANY_GAME), lambda _: True),
    "home_hit": lambda rules: rules.contact is Contact.HIT,
    **dict.fromkeys(("prime", "prime_check", "head_limit"), lambda rules: rules.contact is Contact.BLOCK),
    "head_exception": lambda rules: rules.head_limit is not None,
    **dict.fromkeys(("cascade_count", "ordinary_rolls"), lambda rules: rules.doubles is Doubles.CASCADE),
    **dict.fromkeys(("transfer", "bonus_roll"), lambda rules: rules.transfer is not Transfer.NONE),
}
_FIELDS: dict[str, Field[object]] = {one.name: one for one in fields(Ruleset)}
_TYPES = get_type_hints(Ruleset)


def game_options(rules: Ruleset | None) -> tuple[GameOption, ...]:
    """The options that have a meaning in the game. `rules` is None for Grasshopper, which has no options."""
    if rules is None:
        return ()
    return tuple(_make_option(name, getattr(rules, name)) for name, is_used in _CONDITIONS.items() if is_used(rules))


def _make_option(name: str, value: object) -> GameOption:
    kind, metadata = _TYPES[name], _FIELDS[name].metadata
    own = to_toml_scalar(value)
    is_cube = name in _CUBE
    if kind is bool:
        return GameOption(name, FieldType.SWITCH, own, is_cube)
    if "choices" in metadata:
        return GameOption(name, FieldType.CHOICE, own, is_cube, tuple(map(str, metadata["choices"])))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return GameOption(name, FieldType.CHOICE, own, is_cube, tuple(str(one.value) for one in kind))
    limits = (metadata["low"], metadata["high"])
    return GameOption(name, FieldType.WHOLE, own, is_cube, limits=limits, may_be_none=NoneType in get_args(kind))
