"""The language packs of the page, for whoever speaks without a page: one JSON file for each language."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from controller.speech.language import Language
from controller.speech.plural_rules import plural_category

Text = str | bool | dict[str, str]
"""A text, the mark of the head, or forms by plural category with `by`, the name of the value that counts."""


@dataclass(frozen=True, slots=True)
class Pack:
    """`persian` are names of rolls, as `6-5`."""

    language: Language
    texts: Mapping[str, Text]
    persian: Mapping[str, str]

    def text(self, key: str, values: Mapping[str, str]) -> str:
        """Filled; one that is missing is its key."""
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
