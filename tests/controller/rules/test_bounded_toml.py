"""No TOML text takes long, and no value of one fills a screen."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import TomlTextError, read_toml

WITHIN_S = 1.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x=1\n" * 26_000, "it has more than 100 kB; make it shorter"),
        ("é = 1" * 17_000, "it has more than 100 kB; make it shorter"),
        ("a" + ".a" * 49_000 + " = 1", "its tables or lists lie more than 8 deep (at line 1); correct that place"),
        ("x = 1\ny = " + "[" * 90_000, "its tables or lists lie more than 8 deep (at line 2); correct that place"),
        ("x = " + "{a=" * 20_000, "its tables or lists lie more than 8 deep (at line 1); correct that place"),
        (
            "".join(f"k{number} = 1\n" for number in range(9_000)),
            "it has more than 250 keys and lists (at line 251); correct that place",
        ),
        ("[[a]]\n" * 15_000, "it has more than 250 keys and lists (at line 126); correct that place"),
        (
            "x = " + "9" * 5_000,
            "this is no TOML: a key or number has more than 100 characters (at line 1); correct that place",
        ),
        (
            "x = 0x" + "f" * 90_000,
            "this is no TOML: a key or number has more than 100 characters (at line 1); correct that place",
        ),
        ("\nx = '" + "y" * 5_000 + "'", "it has a text of more than 4,000 characters (at line 2); correct that place"),
        ('x = """' + '\\"""' * 20_000, "it has a text of more than 4,000 characters (at line 1); correct that place"),
        ("x = 1" + " " * 90_000, "line 1 has more than 5,000 characters; write several lines"),
        ("x = = 1", "this is no TOML: Invalid value (at line 1, column 5); correct that place"),
    ],
)
def test_beyond_the_limits(text: str, sentence: str) -> None:
    begun = time.process_time()
    with pytest.raises(TomlTextError) as refused:
        read_toml(text)
    assert str(refused.value) == sentence
    assert time.process_time() - begun < WITHIN_S


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("a.b.c = 1\n[d]\ne = [[1, 2], [3]]", {"a": {"b": {"c": 1}}, "d": {"e": [[1, 2], [3]]}}),
        ("# [[[[[[[[[[[\nx = '[[[[[[[[[[[.........'", {"x": "[[[[[[[[[[[........."}),
        ('x = """\n= = = [[[[[[[[[\n"""', {"x": "= = = [[[[[[[[[\n"}),
        ("x = 18446744073709551616", {"x": 2**64}),
    ],
)
def test_what_stands_in_texts_and_comments_counts_for_nothing(text: str, values: dict[str, object]) -> None:
    assert read_toml(text) == values


@given(st.text("[]{}=.,\"'#\\\n ab01_-+:xe", max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(TomlTextError):
        assert isinstance(read_toml(text), dict)
