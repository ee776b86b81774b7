"""A golden match, rewritten as other programs and people write it, gives the same plays."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.formats.importing.import_file import read_match_file, read_match_text
from tests.controller.formats.match_samples import SAMPLES, every_play

pytestmark = pytest.mark.broad

GOLDEN = (SAMPLES / "g2_std_5pt.mat").read_text(encoding="utf-8")


def plays_of(text: str) -> list[tuple[str, tuple[int, ...], str, str | None]]:
    read = read_match_text(text)
    assert not read.problems, [problem.sentence for problem in read.problems]
    return every_play(read.match.games)


def with_wide_columns(text: str) -> str:
    rows = re.compile(r"\s*\d+\)")
    lines = (
        f"{line[:33]}{' ' * 13}{line[33:]}" if rows.match(line) and len(line) > 33 else line
        for line in text.split("\n")
    )
    return "\n".join(lines)


def with_xg_header(text: str) -> str:
    """XG calls the left column Player 2; the score line decides."""
    tags = '; [Site "XG Mobile"]\n; [Match ID "7"]\n; [Player 1 "Dmitri"]\n; [Player 2 "Carla"]\n; [Player 1 Elo "1600.00/0"]\n'
    return tags + '; [CubeLimit "1024"]\n\n' + text[text.index(" 5 point") :]


def with_narrow_columns(text: str) -> str:
    """The order of the turns decides who stands on the right."""
    return "\n".join(re.sub(r"(?<=\S) {3,}(?=\S)", "  ", line) if ")" in line else line for line in text.split("\n"))


def without_indentation(text: str) -> str:
    """Columns move to the left by up to three."""
    return "\n".join(line if line.startswith("      ") else line.lstrip() for line in text.split("\n"))


DIALECTS: dict[str, Callable[[str], str]] = {
    "bar and off": lambda text: re.sub(r"\b25/", "bar/", re.sub(r"/0\b", "/off", text)),
    "Bar and Off": lambda text: re.sub(r"\b25/", "Bar/", re.sub(r"/0\b", "/Off", text)),
    "no stars": lambda text: text.replace("*", ""),
    "commas": lambda text: re.sub(r"(\d/\d+\*?) (?=\d+/)", r"\1, ", text),
    "dashes": lambda text: re.sub(r"(\d+)/(\d+)(\*?)", r"\1-\2\3", text),
    "low die first": lambda text: re.sub(r"\b([1-6])([1-6]):", r"\2\1:", text),
    "dashed dice": lambda text: re.sub(r"\b([1-6])([1-6]):", r"\1-\2:", text),
    "Windows lines": lambda text: text.replace("\n", "\r\n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "no indentation": without_indentation,
    "no space before the colon": lambda text: re.sub(r"(\w) : (\d)", r"\1: \2", text),
    "narrow columns": with_narrow_columns,
    "wide columns": with_wide_columns,
    "long arrows": lambda text: text.replace("=>", "==>"),
    "and the match": lambda text: " points and the match".join(text.rsplit(" points", 1)),
    "Cannot Move": lambda text: re.sub(r"(\b[1-6][1-6]:) (?=\s|$)", r"\1 Cannot Move", text),
    "singular": lambda text: text.replace("points", "point"),
    "XG header": with_xg_header,
    "tabs": lambda text: re.sub(r" {8,}", "\t\t\t\t\t\t", text),
}


class TestRewrittenMatches:
    @pytest.mark.parametrize("dialect", DIALECTS)
    def test_each_dialect_has_the_same_plays_and_results(self, dialect: str) -> None:
        rewritten = DIALECTS[dialect](GOLDEN)
        assert rewritten != GOLDEN
        assert plays_of(rewritten) == plays_of(GOLDEN)
        results = [game.result for game in read_match_text(rewritten).match.games]
        assert results == [game.result for game in read_match_text(GOLDEN).match.games]

    def test_several_dialects_at_once(self) -> None:
        text = GOLDEN
        for dialect in ("dashed dice", "no stars", "bar and off", "long arrows", "Windows lines"):
            text = DIALECTS[dialect](text)
        assert plays_of(text) == plays_of(GOLDEN)

    def test_latin_1(self, tmp_path: Path) -> None:
        file = tmp_path / "old.txt"
        file.write_bytes(GOLDEN.replace("Carla", "José").encode("latin-1"))
        read = read_match_file(file)
        assert (read.match.white, read.problems) == ("José", ())

    def test_utf_16(self, tmp_path: Path) -> None:
        file = tmp_path / "unicode.txt"
        file.write_bytes(GOLDEN.encode("utf-16"))
        assert read_match_file(file).match.black == "Dmitri"
