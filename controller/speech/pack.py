"""The language packs of the web page, read for the voice of this machine: one JSON file for each language."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from controller.speech.language import Language, plural_category

# A text; a flag of the head; or the forms of a text by plural category, where `by` names the value that is counted.
Text = str | bool | dict[str, str]


@dataclass(frozen=True, slots=True)
class Pack:
    """The texts of one language by key. `persian` has the Persian names of rolls by `6-5`, the higher number first."""

    language: Language
    texts: Mapping[str, Text]
    persian: Mapping[str, str]

    def text(self, key: str, values: Mapping[str, str]) -> str:
        """The text with its `{values}` filled in; the key itself where the pack lacks the text."""
        found = self.texts.get(key, key)
        if isinstance(found, dict):
            category = plural_category(self.language, int(values[found["by"]]))
            found = found.get(category, found["other"])
        return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), str(found))

    def has(self, key: str) -> bool:
        return key in self.texts


@cache
def load_pack(language: Language) -> Pack:
    static = files("controller") / "web" / "static"
    texts = json.loads((static / "texts" / f"{language.value}.json").read_text(encoding="utf-8"))
    rolls = json.loads((static / "persian_rolls.json").read_text(encoding="utf-8"))
    return Pack(language, texts, rolls[language.value])
