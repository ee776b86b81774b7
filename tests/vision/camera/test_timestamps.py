from pathlib import Path

import pytest

from vision.camera.recorded import read_timestamps
from vision.errors import TimestampsError

PICTURES = {name: Path("frames") / name for name in ("a.jpg", "b.jpg", "c, d.jpg", "é.png")}


def read(folder: Path, text: str | bytes) -> list[tuple[str, int]]:
    file = folder / "timestamps.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [(path.name, ms) for path, ms in read_timestamps(file, PICTURES)]


def test_the_order_is_that_of_the_file(tmp_path: Path) -> None:
    """Not the names but the lines say what comes first, and what is not named is left out."""
    assert read(tmp_path, "b.jpg,0\na.jpg,40\n") == [("b.jpg", 0), ("a.jpg", 40)]


def test_what_programs_write_is_understood(tmp_path: Path) -> None:
    """A byte-order mark, a heading, Windows line ends, empty lines, spaces and a quoted comma."""
    text = '\ufefffile,ms\r\na.jpg, 5\r\n\r\n"c, d.jpg",120\r\n'
    assert read(tmp_path, text) == [("a.jpg", 5), ("c, d.jpg", 120)]


def test_names_are_the_same_however_they_are_composed(tmp_path: Path) -> None:
    """é as one character finds é as two, as macOS writes it, and the other way round."""
    assert read(tmp_path, "e\u0301.png,7\n") == [("é.png", 7)]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a.jpg,0\nb.jpg\n", 2, "1 values instead of two; write it as file,ms"),
        ("a.jpg,0,1\n", 1, "3 values instead of two; write it as file,ms"),
        ("a.jpg,0.5\n", 1, "'0.5' is no whole number of milliseconds; write it as file,ms"),
        ("a.jpg,-3\n", 1, "'-3' is no whole number of milliseconds; write it as file,ms"),
        ("a.jpg,\u0663\n", 1, "'\u0663' is no whole number of milliseconds; write it as file,ms"),
        (
            "a.jpg,0\n\nz.jpg,9\n",
            3,
            "there is no picture z.jpg in this folder; take the line out or put the picture in",
        ),
        ("../a.jpg,0\n", 1, "there is no picture ../a.jpg in this folder; take the line out or put the picture in"),
        ("a.jpg,0\na.jpg,9\n", 2, "a.jpg was named before; give each picture one line"),
        ("a.jpg,5\nb.jpg,5\n", 2, "5 ms is not after the 5 ms before it; put the lines in order of time"),
        ('a.jpg,1\n"b.jpg,2\n', 2, "unexpected end of data; write it as file,ms"),
        (b"a.jpg,0\n\xff.jpg,1\n", 2, "this is not UTF-8; save the file as UTF-8"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str | bytes, line: int, problem: str) -> None:
    """The error carries file and line, and its sentence says what to write."""
    with pytest.raises(TimestampsError) as caught:
        read(tmp_path, text)
    assert (caught.value.line, caught.value.problem) == (line, problem)
    assert str(caught.value) == f"{tmp_path / 'timestamps.csv'}, line {line}: {problem}."
    assert isinstance(caught.value, ValueError)
