import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.rules.bounded_toml import KeyPath
from controller.settings.toml_edit import TomlScalar, format_toml_value, with_values

CLUB = """\
# The club's table
game = "tavla"   # as always on Mondays
mode = "teach"

# the strip
[leds]
# bought in May
port = "auto" # by its name
brightness = 20
"""
VALUES: st.SearchStrategy[TomlScalar] = st.one_of(
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
KEYS = st.sampled_from(
    [("game",), ("mode",), ("rules",), ("leds", "port"), ("leds", "brightness"), ("web", "port"), ("players", "white")]
)
CHANGES = st.dictionaries(KEYS, VALUES | st.none(), max_size=5)
TEXTS = st.sampled_from(
    [
        "",
        CLUB,
        'leds.port = "x"\n',
        'leds = {port = "x", brightness = 3}\n# kept\n',
        "[web]\nport = 1\n\n[leds]\n# nothing yet\n",
        'rules = """\n[leds]\nport = 3\n"""\n[leds]\nport = "y"\n',
        "mode = 'it # is'# no comment\n[players]\n[leds]\nport='#'\n",
    ]
)


def flat(values: dict[str, object]) -> dict[KeyPath, object]:
    found: dict[KeyPath, object] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found |= {(name, *key): inner for key, inner in flat(value).items()}
        else:
            found[name,] = value
    return found


def test_comments_and_order_stay() -> None:
    """Only changed lines differ; a new section comes last."""
    changes = {("mode",): None, ("game",): "fevga", ("leds", "brightness"): 200, ("players", "white"): "Zoë"}
    expected = CLUB.replace('mode = "teach"\n', "").replace('"tavla"', '"fevga"').replace("20", "200")
    assert with_values(CLUB, changes) == f'{expected}\n[players]\nwhite = "Zoë"\n'


def test_a_new_key_is_added_to_its_section() -> None:
    """A key without a section comes above the first heading and its comment."""
    changed = with_values(CLUB, {("clock",): "us", ("leds", "count"): 72})
    assert changed == CLUB.replace('"teach"\n', '"teach"\nclock = "us"\n') + "count = 72\n"


def test_a_section_on_one_line_is_written_anew_with_its_comments() -> None:
    """A change line by line is impossible there."""
    changed = with_values('# ours\nleds = {port = "x", brightness = 3}\n', {("leds", "brightness"): 5})
    assert changed == '# ours\n\n[leds]\nport = "x"\nbrightness = 5\n'


@given(text=TEXTS, changes=CHANGES)
@example(text="[web]\nport = 1\n", changes={("web", "port"): True})  # equal in Python, not in TOML
def test_only_the_wanted_values_change(text: str, changes: dict[KeyPath, TomlScalar]) -> None:
    before, after = flat(tomllib.loads(text)), flat(tomllib.loads(with_values(text, changes)))
    wanted = {key: value for key, value in {**before, **changes}.items() if value is not None}
    assert after == wanted
    assert {key: type(value) for key, value in after.items()} == {key: type(value) for key, value in wanted.items()}


@given(text=TEXTS, changes=CHANGES)
def test_a_second_change_to_the_same_values_changes_nothing(text: str, changes: dict[KeyPath, TomlScalar]) -> None:
    once = with_values(text, changes)
    assert with_values(once, changes) == once


def test_none_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="nothing"):
        format_toml_value(None)
