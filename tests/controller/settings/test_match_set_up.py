from pathlib import Path

import pytest

from controller.match.events import Mode
from controller.rules import GAMES, RULESETS, Player, Ruleset, RulesetError, parse_house_variant
from controller.settings.build_match_config import title_of, with_game_options
from controller.settings.form_fields import FieldType
from controller.settings.game_options import GameOption, game_options
from controller.settings.match_set_up import AgreedMatch, MatchChoices, make_agreed_match
from controller.settings.settings import SettingsError
from controller.settings.store import SettingsStore
from controller.settings.toml_edit import TomlScalar


@pytest.fixture
def keeper(tmp_path: Path) -> SettingsStore:
    file = tmp_path / "settings.toml"
    file.write_text('[players]\nwhite = "Ann"\n[match]\nlength = 9\n', encoding="utf-8")
    return SettingsStore(file)


def mistakes(keeper: SettingsStore, values: dict[str, TomlScalar], **options: TomlScalar) -> set[str]:
    with pytest.raises(SettingsError) as raised:
        make_agreed_match(MatchChoices(values, options), keeper)
    return {".".join(mistake.key) for mistake in raised.value.mistakes}


def rules_of(match: AgreedMatch) -> Ruleset:
    assert isinstance(match.table.rules, Ruleset)
    return match.table.rules


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played(keeper: SettingsStore, game: str) -> None:
    """By its name alone; the rest is as the settings have it."""
    table = make_agreed_match(MatchChoices({"game": game}, {}), keeper).table
    assert (table.game, table.players.white, table.match.target, table.rules_toml) == (game, "Ann", 9, None)


def test_everything_that_is_chosen_is_agreed(keeper: SettingsStore) -> None:
    """It counts more than the settings, and what is left empty can be nothing at all."""
    values: dict[str, TomlScalar] = {
        "game": "tavla",
        "profile": "wbgf",
        "mode": "tournament",
        "players.white": "",
        "players.black": "Ben",
        "match.length": None,
        "match.crawford": False,
        "clock": "us",
        "monitor": True,
        "bar": False,
        "seating": "white=dark,edge=top,mirrored=no",
    }
    table = make_agreed_match(MatchChoices(values, {}), keeper).table
    assert (table.players.white, table.players.black, table.match.target, table.match.crawford) == (
        "Ann",
        "Ben",
        None,
        False,
    )
    assert (table.profile.name, table.mode, table.monitor_appointed, table.has_bar) == (
        "wbgf",
        Mode.TOURNAMENT,
        True,
        False,
    )
    assert table.clock is not None
    assert table.seating is not None


def test_a_position_and_who_plays_there(keeper: SettingsStore) -> None:
    """They belong to this match."""
    start = make_agreed_match(MatchChoices({"game": "backgammon"}, {}), keeper).table.start_text
    table = make_agreed_match(
        MatchChoices({"game": "backgammon", "position": start, "on_turn": "black"}, {}), keeper
    ).table
    assert (table.start.position, table.start.on_turn) == (start, Player.BLACK)


def test_options_make_a_house_variant_that_a_log_can_keep(keeper: SettingsStore) -> None:
    """Its text gives the same rules again."""
    match = make_agreed_match(
        MatchChoices({"game": "backgammon"}, {"jacoby": True, "cap": 64, "max_stack": None}), keeper
    )
    rules = rules_of(match)
    assert (rules.jacoby, rules.cap, match.table.game) == (True, 64, "backgammon_house")
    assert match.table.rules_toml is not None
    assert parse_house_variant(match.table.rules_toml) == rules


def test_options_on_top_of_a_house_variant(keeper: SettingsStore, tmp_path: Path) -> None:
    """What the house has changed stays changed."""
    rules = tmp_path / "house.toml"
    rules.write_text('name = "club_nardy"\nbase = "long_nardy"\n[parameters]\nhead_limit = 2\n', encoding="utf-8")
    keeper.save({("rules",): "house.toml"}, keeper.read().seal)
    plain = make_agreed_match(MatchChoices({"game": "club_nardy"}, {}), keeper)
    assert (plain.table.game, rules_of(plain).head_limit) == ("club_nardy", 2)
    changed = rules_of(make_agreed_match(MatchChoices({"game": "club_nardy"}, {"prime": "none"}), keeper))
    assert (changed.head_limit, changed.prime.value) == (2, "none")


def test_all_mistakes_are_told_at_once(keeper: SettingsStore) -> None:
    """Of settings, of options, and of what is neither."""
    told = mistakes(
        keeper,
        {"game": "long_nardy", "mode": "loud", "match.length": 0, "clock": "sand", "web.port": 1, "on_turn": 3},
        head_limit=99,
        prime="x",
    )
    assert told == {
        *("mode", "match.length", "clock", "web.port", "on_turn"),
        *("options.head_limit", "options.prime"),
    }


@pytest.mark.parametrize(
    ("values", "options", "told"),
    [
        ({"game": "tafla"}, {"cube": True}, {"game"}),
        ({"game": "grasshopper"}, {"cube": True}, {"options.cube"}),
        ({"game": "backgammon"}, {"head_limit": 1}, {"options.head_limit"}),
        ({"game": "backgammon", "position": "nothing"}, {}, {"position"}),
        ({"match.length": 3, "match.score": "3-0"}, {}, {"match.score"}),
    ],
)
def test_each_mistake_is_about_its_field(
    keeper: SettingsStore, values: dict[str, TomlScalar], options: dict[str, TomlScalar], told: set[str]
) -> None:
    """Where the form shows it."""
    assert mistakes(keeper, values, **options) == told


def test_a_settings_file_that_is_broken_is_told(keeper: SettingsStore) -> None:
    """A match is not begun as if it said nothing."""
    keeper.file.write_text('profile = "wbgf"\n[leds\n', encoding="utf-8")
    with pytest.raises(SettingsError, match="this is no TOML"):
        make_agreed_match(MatchChoices({}, {}), keeper)


def test_each_option_that_is_offered_can_be_chosen() -> None:
    """Or the rules say why it does not go with this game; nothing else happens."""
    refused: list[str] = []
    for game, rules in RULESETS.items():
        for option in game_options(rules):
            for value in choices_of(option):
                refused += chosen(game, option.name, value)
    assert 0 < len(refused) < 60


def chosen(game: str, name: str, value: TomlScalar) -> tuple[str, ...]:
    """What is wrong with it; else it is what the rules say then."""
    try:
        changed = with_game_options(game, None, {name: value}).rules
    except RulesetError as error:
        return error.problems
    found = getattr(changed, name)
    assert getattr(found, "value", found) == value, (game, name, value)
    return ()


def choices_of(option: GameOption) -> tuple[TomlScalar, ...]:
    if option.option_type is FieldType.SWITCH:
        return True, False
    return option.choices or (*(option.limits or ()), *((None,) if option.may_be_none else ()))


def test_grasshopper_has_no_options() -> None:
    """It has no dice and no cube."""
    assert game_options(None) == ()


@pytest.mark.parametrize(
    ("game", "title"), [("tavla", "Tavla"), ("tavla_house", "Tavla *"), ("club_house", "club_house"), ("x", "x")]
)
def test_what_a_game_is_called(game: str, title: str) -> None:
    """Also where other rules were agreed."""
    assert title_of(game) == title
