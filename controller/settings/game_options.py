"""What can be agreed besides the game itself: options of its ruleset as a form shows them.

Those that people do agree on at the table are offered; whoever wants another cell of the table changed writes a house
variant (`house_rules.py`), which is what a match with options is kept as too.
"""

from collections.abc import Callable, Iterator
from dataclasses import Field, dataclass, fields
from enum import Enum
from types import NoneType
from typing import get_args, get_type_hints

from controller.rules import Contact, Doubles, Ruleset, Transfer
from controller.settings.form_fields import FieldType, TomlScalar


@dataclass(frozen=True, slots=True)
class GameOption:
    """One of them. `value` is the game's own; None there means no limit, and may be chosen where `may_be_none`."""

    name: str
    option_type: FieldType
    value: TomlScalar
    is_cube: bool
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None
    may_be_none: bool = False


_Condition = Callable[[Ruleset], bool]


def _is_any_game(_: Ruleset) -> bool:
    return True


def _is_blocking_game(rules: Ruleset) -> bool:
    return rules.contact is Contact.BLOCK


def _is_hitting_game(rules: Ruleset) -> bool:
    return rules.contact is Contact.HIT


def _has_head_limit(rules: Ruleset) -> bool:
    return rules.head_limit is not None


def _has_cascades(rules: Ruleset) -> bool:
    return rules.doubles is Doubles.CASCADE


def _has_transfer(rules: Ruleset) -> bool:
    return rules.transfer is not Transfer.NONE


_CUBE = ("cube", "jacoby", "beaver", "auto_limit", "cap", "raise_by", "drop_pays")
_CONDITIONS: dict[str, _Condition] = {
    **dict.fromkeys(_CUBE, _is_any_game),
    "scoring": _is_any_game,
    "winner_starts": _is_any_game,
    "opening": _is_any_game,
    "dice_half": _is_any_game,
    "dice_on_checker": _is_any_game,
    "dice_use": _is_any_game,
    "max_stack": _is_any_game,
    "home_hit": _is_hitting_game,
    "prime": _is_blocking_game,
    "prime_check": _is_blocking_game,
    "head_limit": _is_blocking_game,
    "head_exception": _has_head_limit,
    "cascade_count": _has_cascades,
    "ordinary_rolls": _has_cascades,
    "transfer": _has_transfer,
    "bonus_roll": _has_transfer,
}
_FIELDS: dict[str, Field[object]] = {one.name: one for one in fields(Ruleset)}
_TYPES = get_type_hints(Ruleset)


def game_options(rules: Ruleset | None) -> tuple[GameOption, ...]:
    """None for Grasshopper, which has no dice and no options."""
    return () if rules is None else tuple(_list_options(rules))


def _list_options(rules: Ruleset) -> Iterator[GameOption]:
    for name, has_sense in _CONDITIONS.items():
        if has_sense(rules):
            yield _make_option(name, getattr(rules, name))


def _make_option(name: str, value: object) -> GameOption:
    kind, metadata = _TYPES[name], _FIELDS[name].metadata
    own = _to_toml_scalar(value)
    is_cube = name in _CUBE
    if kind is bool:
        return GameOption(name, FieldType.SWITCH, own, is_cube)
    if "choices" in metadata:
        return GameOption(name, FieldType.CHOICE, own, is_cube, tuple(map(str, metadata["choices"])))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return GameOption(name, FieldType.CHOICE, own, is_cube, tuple(str(one.value) for one in kind))
    limits = (metadata["low"], metadata["high"])
    return GameOption(name, FieldType.WHOLE, own, is_cube, limits=limits, may_be_none=NoneType in get_args(kind))


def _to_toml_scalar(value: object) -> TomlScalar:
    if isinstance(value, Enum):
        return str(value.value)
    assert value is None or isinstance(value, str | int)  # noqa: S101 - what is offered has no other form
    return value
