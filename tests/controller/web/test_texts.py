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


def test_every_text_key_of_the_scripts_exists() -> None:
    """No page shows a key instead of a text."""
    asked = {key for text in scripts().values() for key in FIXED.findall(text)}
    assert len(asked) > 40
    assert asked - set(texts()) == set()


def test_every_composed_key_has_a_text() -> None:
    """The fixed beginning of a composed key is that of an existing key."""
    known = set(texts())
    for text in scripts().values():
        for template in TEMPLATES.findall(text):
            prefix = template.partition("${")[0]
            assert any(key.startswith(prefix) for key in known), template


def test_no_text_is_unused() -> None:
    """Each key, or the beginning of a composed key, occurs in a script, unless the server sends it."""
    everything = "\n".join(scripts().values())
    prefixes = tuple(filter(None, (one.partition("${")[0] for one in TEMPLATES.findall(everything))))
    keys = {"doing.", "order.", "language."}  # composed in two steps; facts about the language
    keys |= {"event.", "profile.", "unclear.", "bad.", "rule.", "fault.", "cannot.", "refused."}
    keys |= {"question.", "answer."}  # sent by the server
    keys |= {"cube.", "hop.", "mistake.", "refusal.", "clock.rules."}
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
        *(f"lights.colour.{style.colour}" for style in LIGHT_STYLES.values()),
        *(f"lights.rhythm.{style.rhythm.value}" for style in LIGHT_STYLES.values()),
    ],
)
def test_every_phase_mode_win_and_light_has_a_text(key: str) -> None:
    """Their keys are composed from values of the referee."""
    assert texts()[key]


def pages() -> dict[str, str]:
    return {name: file.content.decode() for name, file in static_files().items() if name.endswith(".html")}


def test_pages_and_scripts_name_only_existing_files() -> None:
    named = {name for page in pages().values() for name in re.findall(r'"/static/([^"]+)"', page)}
    imported = {name for text in scripts().values() for name in re.findall(r'from "\./([\w.]+)"', text)}
    assert named | imported <= set(static_files())


@pytest.mark.parametrize("name", pages())
def test_modules_are_preloaded(name: str) -> None:
    """Also those that only another module imports, so that all are loaded in parallel."""
    assert {"dom.js", "texts.js"} <= set(re.findall(r'modulepreload" href="/static/([\w.]+)"', pages()[name]))
