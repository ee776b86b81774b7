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
def store(tmp_path: Path) -> SettingsStore:
    file = tmp_path / "settings.toml"
    file.write_text('[players]\nwhite = "Ann"\n[match]\nlength = 9\n', encoding="utf-8")
    return SettingsStore(file)


def mistakes(store: SettingsStore, values: dict[str, TomlScalar], **options: TomlScalar) -> set[str]:
    with pytest.raises(SettingsError) as raised:
        make_agreed_match(MatchChoices(values, options), store)
    return {".".join(mistake.key) for mistake in raised.value.mistakes}


def rules_of(match: AgreedMatch) -> Ruleset:
    assert isinstance(match.table.rules, Ruleset)
    return match.table.rules


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played(store: SettingsStore, game: str) -> None:
    """Its name suffices; everything else comes from the settings."""
    table = make_agreed_match(MatchChoices({"game": game}, {}), store).table
    assert (table.game, table.players.white, table.match.target, table.rules_toml) == (game, "Ann", 9, None)


def test_choices_override_the_settings(store: SettingsStore) -> None:
    """An empty length means money games; an empty name leaves the name of the settings."""
    values: dict[str, TomlScalar] = {
        "game": "tavla",
        "profile": "wbgf",
        "mode": "tournament",
        "players.white": "",
        "players.black": "Ben",
        "match.length": None,
        "match.crawford": False,
        "clock": "us",
        "disputes": 2,
        "monitor": True,
        "bar": False,
        "seating": "white=dark,edge=top,mirrored=no",
    }
    table = make_agreed_match(MatchChoices(values, {}), store).table
    assert (table.players.white, table.players.black) == ("Ann", "Ben")
    assert (table.match.target, table.match.crawford) == (None, False)
    assert (table.profile.name, table.profile.disputes, table.mode) == ("wbgf", 2, Mode.TOURNAMENT)
    assert (table.monitor_appointed, table.has_bar) == (True, False)
    assert None not in (table.clock, table.seating)


def test_a_position_and_the_player_on_turn(store: SettingsStore) -> None:
    start = make_agreed_match(MatchChoices({"game": "backgammon"}, {}), store).table.start_text
    choices = MatchChoices({"game": "backgammon", "position": start, "on_turn": "black"}, {})
    table = make_agreed_match(choices, store).table
    assert (table.start.position, table.start.on_turn) == (start, Player.BLACK)


def test_options_make_a_house_variant_that_a_log_can_keep(store: SettingsStore) -> None:
    """Its text is parsed to the same rules."""
    choices = MatchChoices({"game": "backgammon"}, {"jacoby": True, "cap": 64, "max_stack": None})
    match = make_agreed_match(choices, store)
    rules = rules_of(match)
    assert (rules.jacoby, rules.cap, match.table.game) == (True, 64, "backgammon_house")
    assert match.table.rules_toml is not None
    assert parse_house_variant(match.table.rules_toml) == rules


def test_options_on_top_of_a_house_variant(store: SettingsStore, tmp_path: Path) -> None:
    """The changes of the house variant stay."""
    rules = tmp_path / "house.toml"
    rules.write_text('name = "club_nardy"\nbase = "long_nardy"\n[parameters]\nhead_limit = 2\n', encoding="utf-8")
    store.save({("rules",): "house.toml"}, store.read().seal)
    plain = make_agreed_match(MatchChoices({"game": "club_nardy"}, {}), store)
    assert (plain.table.game, rules_of(plain).head_limit) == ("club_nardy", 2)
    changed = rules_of(make_agreed_match(MatchChoices({"game": "club_nardy"}, {"prime": "none"}), store))
    assert (changed.head_limit, changed.prime.value) == (2, "none")


@pytest.mark.parametrize(
    ("values", "options", "expected"),
    [
        ({"game": "tafla"}, {"cube": True}, {"game"}),
        ({"game": "grasshopper"}, {"cube": True}, {"options.cube"}),
        ({"game": "backgammon"}, {"head_limit": 1}, {"options.head_limit"}),
        ({"game": "backgammon", "position": "nothing"}, {}, {"position"}),
        ({"match.length": 3, "match.score": "3-0"}, {}, {"match.score"}),
        (
            {"game": "long_nardy", "mode": "loud", "match.length": 0, "clock": "sand", "web.port": 1, "on_turn": 3},
            {"head_limit": 99, "prime": "x"},
            {"mode", "match.length", "clock", "web.port", "on_turn", "options.head_limit", "options.prime"},
        ),
    ],
)
def test_all_mistakes_are_reported_at_their_fields(
    store: SettingsStore, values: dict[str, TomlScalar], options: dict[str, TomlScalar], expected: set[str]
) -> None:
    assert mistakes(store, values, **options) == expected


def test_a_broken_settings_file_is_reported(store: SettingsStore) -> None:
    """It is not taken for an empty file."""
    store.file.write_text('profile = "wbgf"\n[leds\n', encoding="utf-8")
    with pytest.raises(SettingsError, match="this is no TOML"):
        make_agreed_match(MatchChoices({}, {}), store)


def test_each_offered_option_can_be_chosen_or_is_refused_by_the_rules() -> None:
    """No other exception occurs; few values are refused."""
    refused: list[str] = []
    for game, rules in RULESETS.items():
        for option in game_options(rules):
            for value in choices_of(option):
                refused += chosen(game, option.name, value)
    assert 0 < len(refused) < 60


def chosen(game: str, name: str, value: TomlScalar) -> tuple[str, ...]:
    """The problems of the rules with this value; where there are none, the rules have the value."""
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
    assert game_options(None) == ()


@pytest.mark.parametrize(
    ("game", "title"), [("tavla", "Tavla"), ("tavla_house", "Tavla *"), ("club_house", "club_house"), ("x", "x")]
)
def test_titles_of_games(game: str, title: str) -> None:
    """A game with agreed options has a star."""
    assert title_of(game) == title
