import json
import re

import pytest

from controller.lights.vocabulary import LIGHT_STYLES, Meaning
from controller.match.events import Mode
from controller.refereeing.state import Phase
from controller.rules import ResultKind
from controller.web.static_files import static_files

FIXED = re.compile(r'\bt\("([a-zA-Z][\w.-]+)"')
TEMPLATES = re.compile(r"\bt\(`([^`]+)`")


def texts() -> dict[str, str]:
    return dict(json.loads(static_files()["texts/en.json"].content))


def scripts() -> dict[str, str]:
    return {name: file.content.decode() for name, file in static_files().items() if name.endswith(".js")}


def test_every_word_of_the_scripts_is_there() -> None:
    """No page shows a key instead of a word."""
    asked = {key for text in scripts().values() for key in FIXED.findall(text)}
    assert len(asked) > 40
    assert asked - set(texts()) == set()


def test_every_family_of_words_is_there() -> None:
    """Keys that are put together begin like some that exist."""
    known = set(texts())
    for text in scripts().values():
        for template in TEMPLATES.findall(text):
            prefix = template.partition("${")[0]
            assert any(key.startswith(prefix) for key in known), template


def test_no_word_is_left_over() -> None:
    """A pack in another language translates nothing for nobody: each key stands in a script, or begins as one there."""
    everything = "\n".join(scripts().values())
    prefixes = tuple(filter(None, (one.partition("${")[0] for one in TEMPLATES.findall(everything))))
    keys = {"doing.", "order.", "language."}  # put together in two steps; what a pack says of itself
    keys |= {
        "told.",
        "profile.",
        "unclear.",
        "bad.",
        "rule.",
        "fault.",
        "cannot.",
        "refused.",
        "cube.",
        "hop.",
        "mistake.",
        "refusal.",
    }  # the server says them
    left = [key for key in texts() if f'"{key}"' not in everything and not key.startswith((*prefixes, *keys))]
    assert left == []


@pytest.mark.parametrize(
    "key",
    [
        *(f"doing.{phase.value}" for phase in Phase),
        *(f"mode.{mode.value}" for mode in Mode),
        *(f"mode.{mode.value}.means" for mode in Mode),
        *(f"kind.{kind.value}" for kind in ResultKind),
        *(f"lights.{meaning.name.lower()}" for meaning in Meaning),
        *(f"lights.colour.{look.colour}" for look in LIGHT_STYLES.values()),
        *(f"lights.rhythm.{look.rhythm.value}" for look in LIGHT_STYLES.values()),
    ],
)
def test_what_the_referee_may_say_has_its_word(key: str) -> None:
    """Each phase, mode, kind of win and light."""
    assert texts()[key]


def pages() -> dict[str, str]:
    return {name: file.content.decode() for name, file in static_files().items() if name.endswith(".html")}


def modules_behind(page: str) -> set[str]:
    """Everything that its scripts import, and what these do."""
    waiting = re.findall(r'<script type="module" src="/static/([\w.]+)"', page)
    found: set[str] = set()
    while waiting:
        imported = set(re.findall(r'from "\./([\w.]+)"', scripts()[waiting.pop()]))
        waiting += imported - found
        found |= imported
    return found


def test_the_pages_name_only_files_there_are() -> None:
    """Links, scripts and what these import."""
    named = {name for page in pages().values() for name in re.findall(r'"/static/([^"]+)"', page)}
    imported = {name for text in scripts().values() for name in re.findall(r'from "\./([\w.]+)"', text)}
    assert named | imported <= set(static_files())


@pytest.mark.parametrize("name", sorted(set(pages()) - {"overlay.html"}))
def test_every_module_is_announced(name: str) -> None:
    """So that none is waited for in turn; the overlay may take its time."""
    page = pages()[name]
    assert modules_behind(page)
    assert modules_behind(page) <= set(re.findall(r'modulepreload" href="/static/([\w.]+)"', page))
