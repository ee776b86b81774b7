"""The match configuration from checked settings: the game with its options, the players, the length of the match."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from controller.match import ALL_SEATINGS, PROFILES, Seating
from controller.refereeing.match_config import GameStart, MatchConfig, MatchPlayers
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
    read_toml,
)
from controller.rules.grasshopper import game as grasshopper
from controller.settings.settings import Settings
from controller.settings.toml_edit import TomlScalar, format_toml_value
from controller.wording.rules_pages import list_games

DEFAULT_GAME = "backgammon"
_HOUSE = "_house"


@dataclass(frozen=True, slots=True)
class HouseVariant:
    """A house variant and its TOML text, which the log keeps."""

    rules: Ruleset
    text: str


class StartPositionError(ValueError):
    """One sentence without a full stop: why the text is no position of this game."""


def build_match_config(
    settings: Settings, house: HouseVariant | None, on_turn: Player | None = None, *, game: str | None = None
) -> MatchConfig:
    """The configuration of a match. Raises StartPositionError.

    `game` overrides the settings; where neither names a game, the house variant is played, else backgammon.
    """
    game = game or str(settings.game or (DEFAULT_GAME if house is None else house.rules.name))
    rules = list_games(None if house is None else house.rules)[game]
    seatings = settings.seating.seatings
    is_whole = len({(one.white_plays, one.edge, one.mirrored) for one in seatings}) == 1
    return MatchConfig(
        game=game,
        rules=grasshopper.STANDARD if rules is None else rules,
        rules_toml=None if house is None or house.rules.name != game else house.text,
        profile=replace(PROFILES[settings.profile], disputes=settings.disputes),
        mode=settings.mode,
        seating=with_head_of(rules, seatings[0]) if is_whole else None,
        seatings=seatings or ALL_SEATINGS,
        match=MatchRules.of(rules, settings.match.length, crawford=settings.match.crawford),
        players=MatchPlayers(
            settings.players.white, settings.players.black, settings.match.score.white, settings.match.score.black
        ),
        start=GameStart(_normalise_position(settings.position, rules), on_turn),
        clock=settings.clock,
        monitor_appointed=settings.monitor,
        has_bar=settings.bar,
    )


def with_game_options(game: str, house: HouseVariant | None, options: Mapping[str, TomlScalar]) -> HouseVariant:
    """The game with these options as a house variant of its own. RulesetError with every mistake."""
    variant = read_toml(house.text) if house is not None and house.rules.name == game else {}
    base = str(variant.get("base", game))
    if base not in RULESETS:
        raise RulesetError((f"{base} has no options",))
    parameters = {
        **variant.get("parameters", {}),
        **{name: "none" if value is None else value for name, value in options.items()},
    }
    lines = [f"name = {format_toml_value(f'{base}{_HOUSE}')}", f"base = {format_toml_value(base)}", "", "[parameters]"]
    lines += [f"{name} = {format_toml_value(value)}" for name, value in parameters.items()]
    text = "".join(f"{line}\n" for line in lines)
    return HouseVariant(parse_house_variant(text), text)


def title_of(game: str) -> str:
    """The title of a game; with a star where options were agreed for one match."""
    base = game.removesuffix(_HOUSE)
    if base not in NAMES:
        return game
    return NAMES[base].display if base == game else f"{NAMES[base].display} *"


def with_head_of(rules: Ruleset | None, seating: Seating) -> Seating:
    """In games on parallel paths the rules define where White begins."""
    return seating if rules is None else replace(seating, white_head=rules.white_head)


def _normalise_position(text: str | None, rules: Ruleset | None) -> str | None:
    """The position in the notation of the rules. Raises StartPositionError."""
    if text is None:
        return None
    try:
        if rules is None:
            return grasshopper.to_text(grasshopper.from_text(text))
        return position_text(Position.of(parse_setup(text), rules))
    except (PositionTextError, ImpossibleSetupError) as error:
        raise StartPositionError(str(error)) from None
