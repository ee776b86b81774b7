"""The same golden match rewritten as other programs and other people write it: the same plays must come out."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.formats.importing.import_file import read_match_file, read_match_text
from tests.controller.formats.match_samples import SAMPLES, every_play

pytestmark = pytest.mark.broad

GOLDEN = (SAMPLES / "g2_std_5pt.mat").read_text(encoding="utf-8")
_WORD = re.compile(r"(\d+)/(\d+)(\*?)")


def plays_of(text: str) -> list[tuple[str, tuple[int, ...], str, str | None]]:
    read = read_match_text(text)
    assert not read.problems, [problem.sentence for problem in read.problems]
    return every_play(read.match.games)


def with_names_of_places(text: str) -> str:
    return re.sub(r"\b25/", "bar/", re.sub(r"/0\b", "/off", text))


def with_capital_names(text: str) -> str:
    return re.sub(r"\b25/", "Bar/", re.sub(r"/0\b", "/Off", text))


def without_stars(text: str) -> str:
    return text.replace("*", "")


def with_commas(text: str) -> str:
    return re.sub(r"(\d/\d+\*?) (?=\d+/)", r"\1, ", text)


def with_dashes(text: str) -> str:
    return _WORD.sub(r"\1-\2\3", text)


def with_low_die_first(text: str) -> str:
    return re.sub(r"\b([1-6])([1-6]):", r"\2\1:", text)


def with_dashed_dice(text: str) -> str:
    return re.sub(r"\b([1-6])([1-6]):", r"\1-\2:", text)


def with_windows_lines(text: str) -> str:
    return text.replace("\n", "\r\n")


def with_mark(text: str) -> str:
    return "\ufeff" + text


def without_leading_spaces(text: str) -> str:
    """Columns move to the left by up to three."""
    return "\n".join(line if line.startswith("      ") else line.lstrip() for line in text.split("\n"))


def without_space_before_the_colon(text: str) -> str:
    return re.sub(r"(\w) : (\d)", r"\1: \2", text)


def with_two_spaces_between(text: str) -> str:
    """Narrow columns; who stands on the right is told by the order of the turns."""
    lines = [re.sub(r"(?<=\S) {3,}(?=\S)", "  ", line) if ")" in line else line for line in text.split("\n")]
    return "\n".join(lines)


def with_wide_columns(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        is_row = re.match(r"\s*\d+\)", line) is not None
        lines.append(line[:33] + " " * 13 + line[33:] if is_row and len(line) > 33 else line)
    return "\n".join(lines)


def with_long_arrows(text: str) -> str:
    return text.replace("=>", "==>")


def with_the_match(text: str) -> str:
    head, _, tail = text.rpartition(" points")
    return f"{head} points and the match{tail}"


def with_cannot_move(text: str) -> str:
    return re.sub(r"(\b[1-6][1-6]:) (?=\s|$)", r"\1 Cannot Move", text)


def with_singular(text: str) -> str:
    return text.replace("points", "point")


def with_xg_header(text: str) -> str:
    """XG calls the left column Player 2; the score line decides."""
    tags = '; [Site "XG Mobile"]\n; [Match ID "7"]\n; [Player 1 "Dmitri"]\n; [Player 2 "Carla"]\n; [Player 1 Elo "1600.00/0"]\n'
    return tags + '; [CubeLimit "1024"]\n\n' + text[text.index(" 5 point") :]


def with_tabs(text: str) -> str:
    return re.sub(r" {8,}", "\t\t\t\t\t\t", text)


DIALECTS: tuple[Callable[[str], str], ...] = (
    with_names_of_places,
    with_capital_names,
    without_stars,
    with_commas,
    with_dashes,
    with_low_die_first,
    with_dashed_dice,
    with_windows_lines,
    with_mark,
    without_leading_spaces,
    without_space_before_the_colon,
    with_two_spaces_between,
    with_wide_columns,
    with_long_arrows,
    with_the_match,
    with_cannot_move,
    with_singular,
    with_xg_header,
    with_tabs,
)


class TestRewrittenMatches:
    @pytest.mark.parametrize("rewrite", DIALECTS, ids=lambda rewrite: str(rewrite.__name__))
    def test_the_same_plays(self, rewrite: Callable[[str], str]) -> None:
        """In every dialect by itself, with the same results."""
        rewritten = rewrite(GOLDEN)
        assert rewritten != GOLDEN
        assert plays_of(rewritten) == plays_of(GOLDEN)
        results = [game.result for game in read_match_text(rewritten).match.games]
        assert results == [game.result for game in read_match_text(GOLDEN).match.games]

    def test_all_that_go_together(self) -> None:
        """Several habits at once."""
        text = with_windows_lines(with_long_arrows(with_names_of_places(without_stars(with_dashed_dice(GOLDEN)))))
        assert plays_of(text) == plays_of(GOLDEN)

    def test_latin_1(self, tmp_path: Path) -> None:
        """A file that Windows wrote in western Europe."""
        file = tmp_path / "old.txt"
        file.write_bytes(GOLDEN.replace("Carla", "José").encode("latin-1"))
        read = read_match_file(file)
        assert (read.match.white, read.problems) == ("José", ())

    def test_utf_16(self, tmp_path: Path) -> None:
        """What a Windows editor calls Unicode."""
        file = tmp_path / "unicode.txt"
        file.write_bytes(GOLDEN.encode("utf-16"))
        assert read_match_file(file).match.black == "Dmitri"
