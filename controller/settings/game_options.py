"""What can be agreed besides the game itself: options of its ruleset as a form shows them.

Those that people do agree on at the table are offered; whoever wants another cell of the table changed writes a house
variant (`house_rules.py`), which is what a match with options is kept as too.
"""

from collections.abc import Callable, Iterator
from dataclasses import Field, dataclass, fields
from enum import Enum
from types import NoneType
from typing import get_args, get_type_hints

from controller.rules.ruleset import Contact, Doubles, Ruleset, Transfer
from controller.settings.form_fields import Sort, Written


@dataclass(frozen=True, slots=True)
class GameOption:
    """One of them. `value` is the game's own; None there means no limit, and may be chosen where `may_be_none`."""

    name: str
    sort: Sort
    value: Written
    is_cube: bool
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None
    may_be_none: bool = False


_Holds = Callable[[Ruleset], bool]


def _always(_: Ruleset) -> bool:
    return True


def _blocks(rules: Ruleset) -> bool:
    return rules.contact is Contact.BLOCK


def _hits(rules: Ruleset) -> bool:
    return rules.contact is Contact.HIT


def _has_head(rules: Ruleset) -> bool:
    return rules.head_limit is not None


def _cascades(rules: Ruleset) -> bool:
    return rules.doubles is Doubles.CASCADE


def _hands_over(rules: Ruleset) -> bool:
    return rules.transfer is not Transfer.NONE


_CUBE = ("cube", "jacoby", "beaver", "auto_limit", "cap", "raise_by", "drop_pays")
_OFFERED: dict[str, _Holds] = {
    **dict.fromkeys(_CUBE, _always),
    "scoring": _always,
    "winner_starts": _always,
    "opening": _always,
    "dice_half": _always,
    "dice_on_checker": _always,
    "dice_use": _always,
    "max_stack": _always,
    "home_hit": _hits,
    "prime": _blocks,
    "prime_check": _blocks,
    "head_limit": _blocks,
    "head_exception": _has_head,
    "cascade_count": _cascades,
    "ordinary_rolls": _cascades,
    "transfer": _hands_over,
    "bonus_roll": _hands_over,
}
_FIELDS: dict[str, Field[object]] = {one.name: one for one in fields(Ruleset)}
_TYPES = get_type_hints(Ruleset)


def game_options(rules: Ruleset | None) -> tuple[GameOption, ...]:
    """None for Grasshopper, which has no dice and no options."""
    return () if rules is None else tuple(_offered(rules))


def _offered(rules: Ruleset) -> Iterator[GameOption]:
    for name, has_sense in _OFFERED.items():
        if has_sense(rules):
            yield _option(name, getattr(rules, name))


def _option(name: str, value: object) -> GameOption:
    kind, metadata = _TYPES[name], _FIELDS[name].metadata
    own = _written(value)
    is_cube = name in _CUBE
    if kind is bool:
        return GameOption(name, Sort.SWITCH, own, is_cube)
    if "choices" in metadata:
        return GameOption(name, Sort.CHOICE, own, is_cube, tuple(map(str, metadata["choices"])))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return GameOption(name, Sort.CHOICE, own, is_cube, tuple(str(one.value) for one in kind))
    limits = (metadata["low"], metadata["high"])
    return GameOption(name, Sort.WHOLE, own, is_cube, limits=limits, may_be_none=NoneType in get_args(kind))


def _written(value: object) -> Written:
    if isinstance(value, Enum):
        return str(value.value)
    assert value is None or isinstance(value, str | int)  # noqa: S101 - what is offered has no other form
    return value
