"""The table of a match, from settings that were checked: the game with its options, who plays, how long."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from controller.match.officiating import PROFILES
from controller.match.seating import ALL_SEATINGS, Seating
from controller.refereeing.match_config import MatchConfig
from controller.rules import (
    NAMES,
    RULESETS,
    ImpossibleSetupError,
    MatchRules,
    Player,
    Position,
    PositionTextError,
    Ruleset,
    RulesetError,
    parse_house_variant,
    parse_setup,
    position_text,
)
from controller.rules.grasshopper import game as grasshopper
from controller.settings.form_fields import TomlScalar
from controller.settings.settings import Settings
from controller.settings.toml_edit import format_toml_value
from controller.wording.rules_pages import list_games

DEFAULT_GAME = "backgammon"
_HOUSE = "_house"


@dataclass(frozen=True, slots=True)
class HouseVariant:
    """A house variant, and the text that a log keeps of it."""

    rules: Ruleset
    text: str


class StartPositionError(ValueError):
    """A position that is none, or not of this game; one sentence without a full stop."""


def build_match_config(
    settings: Settings, house: HouseVariant | None, on_turn: Player | None = None, *, game: str | None = None
) -> MatchConfig:
    """PositionTellsNothingError. The game of the house is played where no other is named; `game` counts more than all."""
    game = game or str(settings.game or (DEFAULT_GAME if house is None else house.rules.name))
    rules = list_games(None if house is None else house.rules)[game]
    seatings = settings.seating.seatings
    is_whole = len({(one.white_plays, one.edge, one.mirrored) for one in seatings}) == 1
    return MatchConfig(
        game=game,
        rules=grasshopper.STANDARD if rules is None else rules,
        rules_toml=None if house is None or house.rules.name != game else house.text,
        profile=PROFILES[settings.profile],
        mode=settings.mode,
        seating=with_head_of(rules, seatings[0]) if is_whole else None,
        seatings=seatings or ALL_SEATINGS,
        match=MatchRules.of(rules, settings.match.length, crawford=settings.match.crawford),
        white=settings.players.white,
        black=settings.players.black,
        white_score=settings.match.score.white,
        black_score=settings.match.score.black,
        start=_normalise_position(settings.position, rules),
        on_turn=on_turn,
        clock=settings.clock,
        monitor_appointed=settings.monitor,
        has_bar=settings.bar,
    )


def with_game_options(game: str, house: HouseVariant | None, options: Mapping[str, TomlScalar]) -> HouseVariant:
    """The game with other rules, as a variant of its own that a log can keep. RulesetError tells every mistake."""
    told = {} if house is None or house.rules.name != game else house_parameters(house.text)
    base = game if house is None or house.rules.name != game else house_base(house.text)
    if base not in RULESETS:
        raise RulesetError((f"{base} has no options",))
    parameters = {**told, **{name: "none" if value is None else value for name, value in options.items()}}
    lines = [f"name = {format_toml_value(f'{base}{_HOUSE}')}", f"base = {format_toml_value(base)}", "", "[parameters]"]
    lines += [f"{name} = {format_toml_value(value)}" for name, value in parameters.items()]
    text = "".join(f"{line}\n" for line in lines)
    return HouseVariant(parse_house_variant(text), text)


def house_parameters(text: str) -> dict[str, TomlScalar]:
    """Of the text of a variant that was read before."""
    return dict(tomllib.loads(text).get("parameters", {}))


def house_base(text: str) -> str:
    return str(tomllib.loads(text)["base"])


def title_of(game: str) -> str:
    """What people call it; with other rules that were agreed for one match, the game and that."""
    base = game.removesuffix(_HOUSE)
    if base not in NAMES:
        return game
    return NAMES[base].display if base == game else f"{NAMES[base].display} *"


def with_head_of(rules: Ruleset | None, seating: Seating) -> Seating:
    """Games on parallel paths say themselves where White begins."""
    return seating if rules is None else replace(seating, white_head=rules.white_head)


def _normalise_position(text: str | None, rules: Ruleset | None) -> str | None:
    """As the rules write it."""
    if text is None:
        return None
    try:
        if rules is None:
            return grasshopper.to_text(grasshopper.from_text(text))
        return position_text(Position.of(parse_setup(text), rules))
    except (PositionTextError, ImpossibleSetupError) as error:
        raise StartPositionError(str(error)) from None
