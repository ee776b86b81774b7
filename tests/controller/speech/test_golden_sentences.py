"""The sentence of every event in every language, compared with the one that was read and found right.

`python -m tests.controller.speech.test_golden_sentences` writes the files anew; the difference is then to be read.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from controller.match import MatchStarted
from controller.refereeing.match_config import MatchPlayers
from controller.rules import NAMES
from controller.speech.event_phrases import phrase_event, phrase_margin
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.rendering import PhraseRenderer, make_speech_context
from tests.controller.refereeing.refereed_match import table_of
from tests.controller.speech.every_event import Sample, list_events
from tests.controller.speech.test_packs import SCRIPTS

FOLDER = Path(__file__).parent / "golden_sentences"
EVENTS = list_events()
FIRST = next(event for _, event in EVENTS if isinstance(event, MatchStarted))
STARTS: list[Sample] = [(f"MatchStarted game={game}", replace(FIRST, game=game)) for game in NAMES]
NOTATION = re.compile("GNU Backgammon|bar|off|Ann|Ben|Crawford|beaver| mm")
"""What is the same in all languages."""


def lines_of(language: Language, game: str, samples: list[Sample]) -> dict[str, str]:
    table = replace(table_of(game), players=MatchPlayers("Ann", "Ben"))
    words = PhraseRenderer(load_pack(language), make_speech_context(table, None), in_notation=True)
    return {name: words.render((*phrase_event(event), *phrase_margin(event))) for name, event in samples}


def file_text(language: Language) -> str:
    """One line for each event, and for each kind of it that has other words."""
    lines, kept = lines_of(language, "backgammon", [*STARTS, *EVENTS]), dict[str, str]()
    for name, line in lines.items():
        if line and line != kept.get(name.partition(" ")[0]):
            kept[name] = line
    return "".join(f"{name}: {line}\n" for name, line in kept.items())


@pytest.mark.parametrize("language", Language)
def test_every_event_has_its_sentence(language: Language) -> None:
    known = (FOLDER / f"{language.value}.txt").read_text(encoding="utf-8")
    assert file_text(language).splitlines() == known.splitlines()


@pytest.mark.parametrize("game", NAMES)
def test_no_value_is_left_open_in_any_game(game: str) -> None:
    """No `{placeholder}` and no key reaches a reader, and no language keeps English words."""
    for language in Language:
        for name, line in lines_of(language, game, EVENTS).items():
            assert "{" not in line, (language, name, line)
            assert not re.search(r"\b(?:event|doing|kind|rule|game|profile|mode)\.\w", line), (language, name, line)
            if language in SCRIPTS:
                assert not re.search(r"[A-Za-z]{2}", NOTATION.sub("", line)), (language, name, line)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in Language:
        (FOLDER / f"{each.value}.txt").write_text(file_text(each), encoding="utf-8")
