import json
import shutil
import subprocess

import pytest

from controller.speech.language import Language, list_plural_categories, plural_category

NODE = shutil.which("node")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (Language.ENGLISH, {"one", "other"}),
        (Language.FRENCH, {"one", "other"}),
        (Language.RUSSIAN, {"one", "few", "many", "other"}),
        (Language.LITHUANIAN, {"one", "few", "other"}),
        (Language.ARABIC, {"zero", "one", "two", "few", "many", "other"}),
    ],
)
def test_the_plural_categories_of_unicode_cldr(language: Language, expected: set[str]) -> None:
    assert list_plural_categories(language) == expected


@pytest.mark.broad
@pytest.mark.skipif(NODE is None, reason="needs node, whose Intl is the browser's")
@pytest.mark.parametrize("language", Language)
def test_numbers_have_the_form_that_a_browser_gives_them(language: Language) -> None:
    script = f"const rules = new Intl.PluralRules('{language.value}');"
    script += "console.log(JSON.stringify([...Array(301).keys()].map((number) => rules.select(number))))"
    answer = subprocess.run((NODE or "", "-e", script), capture_output=True, check=True, timeout=30)
    assert json.loads(answer.stdout) == [plural_category(language, number) for number in range(301)]
