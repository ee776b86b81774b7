"""Which calls are of an archive, which films it has, and what their matches are called."""

from pathlib import Path

import pytest

from controller.subcommands.transcribing.films import Film, find_films, name_match, pair_twins
from tests.controller.subcommands.called import Program

DIGEST = "0123456789abcdef"


@pytest.fixture
def films(tmp_path: Path) -> Path:
    """A folder with two videos, hidden ones, a film of pictures with times, stills, and a text."""
    folder = tmp_path / "films"
    for name in (
        *("b.MP4", "2025/a.mkv", ".hidden.mp4", ".cache/c.mp4", "notes.txt"),
        *("camera/timestamps.csv", "camera/1.png", "photos/1.jpg"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x")
    return folder


def test_what_a_film_is(films: Path) -> None:
    found = find_films(films)
    assert [film.relative_to(films).as_posix() for film in found.films] == ["2025/a.mkv", "b.MP4", "camera"]
    assert found.left_out == (films / "photos",)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("{films} -o a", "-o: {films} is a folder of films; leave it out, or name one film"),
        ("{films} --stills", "--stills: {films} is a folder of films; leave it out, or name one film"),
        ("{films} --from 1 --until 2", "--from, --until: {films} is a folder of films; leave it out, or name one film"),
        (
            "{films} {films}",
            "a folder of films stands alone; name it by itself, or name its films in the order of time",
        ),
        ("{films} --jobs 2 --cluster x", "--jobs is for processes of this machine, --cluster for workers elsewhere"),
        ("{films} --jobs 0", "0 is no number of films; give 1 to 64"),
        ("{films}/photos --jobs 2", "photos; name a folder with videos, such as .mp4, in it or below it"),
        ("{films}/b.MP4 --jobs 2", "--jobs and --cluster are for a folder of films, which {films}/b.MP4 is not"),
        ("{films}/c --jobs 2", "{films}/c is not there; name a folder with films"),
        ("{films}/b.MP4", "give -o MATCH, the match log: a name or a file; only a folder of films needs none"),
        ("{films} --game halma", "there is no game 'halma'"),
    ],
)
def test_wrong_calls(call: str, sentence: str, films: Path, zarbiter: Program) -> None:
    said = zarbiter(f"transcribe {call.format(films=films)} --data {films.parent / 'data'}", status=2).err
    assert sentence.format(films=films) in said
    assert not (films.parent / "data").exists()


def test_pictures_beside_films(films: Path, zarbiter: Program) -> None:
    """Pictures make one recording, as ever; that films lie beside them is said."""
    (films / "1.png").write_bytes(b"x")
    said = zarbiter("transcribe", films, status=2).err
    assert f"the pictures in {films} are one recording and its films are left out; give --jobs 1 for them" in said
    assert "give -o MATCH" in said


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("2025/final.mp4", "final-01234567"),
        ("Zürich 5. März.mp4", "Z-rich-5-M-rz-01234567"),
        ("ნარდი.mp4", "film-01234567"),
        (f"{'x' * 90}.mp4", f"{'x' * 40}-01234567"),
    ],
)
def test_the_name_of_a_match(name: str, match: str) -> None:
    assert name_match(Film(Path(name), name, DIGEST)) == match


def test_twins() -> None:
    first, twin, other = (Film(Path(name), name, name[0]) for name in ("a1", "a2", "b1"))
    assert list(pair_twins([first, other, twin])) == [(twin, first)]
