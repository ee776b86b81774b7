"""No regular expression takes a time that doubles with each letter of a stranger's text: `(a+)+` and its like are found."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
parser: Any = import_module("re._parser")  # the parsed form of a pattern has no public name
kinds: Any = import_module("re._constants")
_REPEATS = (kinds.MAX_REPEAT, kinds.MIN_REPEAT)


def patterns() -> Iterator[tuple[str, str | bytes]]:
    """The place and the text of each pattern that stands in the code as one text."""
    for package in ("controller", "vision", "firmware_bridge"):
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(
                        func=ast.Attribute(value=ast.Name("re")), args=[ast.Constant(str() | bytes() as text), *_]
                    ):
                        yield f"{file.relative_to(ROOT)}:{node.lineno}", text
                    case _:
                        pass


def nested_repeats(parts: Any) -> Iterator[str]:
    """Repeats without an end of something that is nothing but such a repeat."""
    for kind, given in parts:
        if kind in _REPEATS:
            _, most, body = given
            if most is kinds.MAXREPEAT and any(is_endless(way) for way in ways_of(body)):
                yield str(body)
        for inner in inner_parts(kind, given):
            yield from nested_repeats(inner)


def ways_of(body: Any) -> Iterator[Any]:
    """The alternatives of a part, inside of groups too."""
    match list(body):
        case [(kinds.SUBPATTERN, (*_, inner))]:
            yield from ways_of(inner)
        case [(kinds.BRANCH, (_, ways))]:
            for way in ways:
                yield from ways_of(way)
        case one:
            yield one


def is_endless(way: Any) -> bool:
    return len(way) == 1 and way[0][0] in _REPEATS and way[0][1][1] is kinds.MAXREPEAT


def inner_parts(kind: Any, given: Any) -> Iterator[Any]:
    if kind in (*_REPEATS, kinds.SUBPATTERN, kinds.POSSESSIVE_REPEAT):
        yield given[-1]
    elif kind is kinds.ATOMIC_GROUP:
        yield given
    elif kind is kinds.BRANCH:
        yield from given[1]


@pytest.mark.parametrize("text", [r"(a+)+", rb"P(?:\s+|#[^\n]*\n)+\d", r"x(?:(?:b*)|c)*"])
def test_what_is_found(text: str | bytes) -> None:
    assert list(nested_repeats(parser.parse(text)))


@pytest.mark.parametrize("text", [r"(?:\s|#[^\n]*\n)+", r"(ab+c)+", r"a+b+", r"(?:a+){1,3}"])
def test_what_is_harmless(text: str) -> None:
    assert not list(nested_repeats(parser.parse(text)))


def test_no_pattern_repeats_a_repeat() -> None:
    found = dict(patterns())
    assert len(found) > 30
    assert [place for place, text in found.items() if list(nested_repeats(parser.parse(text)))] == []
