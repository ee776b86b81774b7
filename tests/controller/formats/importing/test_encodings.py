"""The bytes of names in the encodings that old match files have."""

import pytest

from controller.formats.importing.file_text import decode_text
from controller.formats.importing.import_file import read_matches
from controller.formats.transcript import ProblemKind, UnreadableFileError

TEXT = (
    " 5 point match\n\n Game 1\n {} : 0                        Ben : 0\n  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
)
CERTAIN = [("cp1252", "José"), ("cp1252", "Müller"), ("cp1252", "Françoise"), ("latin-1", "Zoë"), ("cp1250", "Šárka")]
OPEN = [("latin-1", "Peña"), ("cp1252", "Søren"), ("cp1250", "Dvořák"), ("cp1250", "Jovanović"), ("cp1250", "Petőfi")]
GUESSED = [
    *(("cp1251", name) for name in ("Борис Иванов", "Анна", "ЮРИЙ", "Щукин")),
    *(("cp1253", name) for name in ("Νίκος", "Γιώργος Παπαδόπουλος", "ΑΝΝΑ")),
    *(("cp1254", name) for name in ("Şükrü", "Özgür Yılmaz", "Çağdaş", "İbrahim")),
    *(("cp1250", name) for name in ("Łukasz", "Zażółć", "Čapek")),
    *(("koi8_r", "Борис"), ("cp866", "Борис"), ("iso8859_5", "Борис"), ("cp1256", "محمد علي")),
]


@pytest.mark.parametrize(("encoding", "name"), CERTAIN)
def test_western_names_are_certain(encoding: str, name: str) -> None:
    (read,) = read_matches(TEXT.format(name).encode(encoding))
    assert (read.match.white, read.problems) == (name, ())


@pytest.mark.parametrize(("encoding", "name"), OPEN)
def test_names_that_read_as_well_in_two_encodings_are_reported(encoding: str, name: str) -> None:
    """The bytes of `ř` are those of `ø`: nobody can tell without knowing the player."""
    (read,) = read_matches(TEXT.format(name).encode(encoding))
    assert [problem.kind for problem in read.problems] == [ProblemKind.ENCODING]
    assert read.is_whole


@pytest.mark.parametrize(("encoding", "name"), GUESSED)
def test_other_names_are_guessed_and_the_guess_is_reported(encoding: str, name: str) -> None:
    (read,) = read_matches(TEXT.format(name).encode(encoding))
    assert read.match.white == name
    assert [problem.kind for problem in read.problems] == [ProblemKind.ENCODING]
    assert read.is_whole


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-8-sig"])
def test_unicode_with_and_without_a_mark(encoding: str) -> None:
    (read,) = read_matches(TEXT.format("Борис").encode(encoding))
    assert (read.match.white, read.problems) == ("Борис", ())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"version":"0.1","compression":"gzip","encoding":"smile"}\n\x1f\x8b\x08', "BGBlitz"),
        (b"PK\x03\x04rest", "zip archive"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n", "picture"),
        (b"%YAML 1.1\nMaterial:\n", "Unity"),
        (b"SQLite format 3\0", "database"),
        (bytes(range(256)), "write match text"),
    ],
)
def test_other_files_are_called_by_name(content: bytes, words: str) -> None:
    with pytest.raises(UnreadableFileError, match=words):
        decode_text(content)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Black (3,1) 8-5 6-5\nWhite (6,5) 1-12\n", "Hans Berliner's BKG"),
        (" GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n", "GNU Backgammon for people"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n\nX:Ann   O:Ben\n", "position for people"),
    ],
)
def test_texts_without_a_match_are_called_by_name(text: str, words: str) -> None:
    with pytest.raises(UnreadableFileError, match=words):
        read_matches(text.encode())
