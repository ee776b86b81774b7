"""Confirmed events that are lost with the write-ahead log are always noticed: by every reader, and before resuming."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.match_log import BrokenChain, IntactChain, MatchLog, create_match, read_match, verify
from controller.match_log.catalogue import read_listing
from controller.match_log.errors import DamagedLogError
from tests.controller.match_log.match_files import asked, numbered, spoil, written

WAL_LOST = "; the file that ends in -wal was lost or damaged"
UNKNOWN = (
    "the match was not closed, and the file that ends in -head, which tells how long it is, is gone, so this event and"
    " later ones may be missing"
)


def files_of(path: Path) -> list[str]:
    return sorted(file.name.removeprefix(path.name) for file in path.parent.iterdir() if file.is_file())


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """The files of a match as a kill leaves them: 3 events in the match file, 20 more in the write-ahead log."""
    path, left = tmp_path / "played" / "m.zmatch", tmp_path / "left" / "m.zmatch"
    left.parent.mkdir()
    with create_match(path, "tavla", numbered(1, 3)) as log:
        for number in range(4, 24):
            log.append(numbered(number, number))
        for suffix in ("", "-wal", "-head"):
            shutil.copyfile(f"{path}{suffix}", f"{left}{suffix}")
    return left


def remove(*suffixes: str) -> Callable[[Path], None]:
    def remove_files(path: Path) -> None:
        for suffix in suffixes:
            path.with_name(path.name + suffix).unlink()

    return remove_files


def cut_to(part: float) -> Callable[[Path], None]:
    def cut(path: Path) -> None:
        wal = path.with_name(f"{path.name}-wal")
        wal.write_bytes(wal.read_bytes()[: int(wal.stat().st_size * part)])

    return cut


def spoil_at(part: float, length: int, suffix: str = "-wal") -> Callable[[Path], None]:
    def change(path: Path) -> None:
        file = path.with_name(path.name + suffix)
        content = bytearray(file.read_bytes())
        start = int(len(content) * part)
        content[start : start + length] = bytes(byte ^ 255 for byte in content[start : start + length])
        file.write_bytes(content)

    return change


def test_without_damage_nothing_is_missing(killed: Path) -> None:
    """The match can be verified, listed, read and resumed; closing it leaves a single file."""
    for _ in range(2):  # a reader may put the write-ahead log into the match file
        verdict = verify(killed)
        assert isinstance(verdict, IntactChain)
        assert verdict.events == 23
    assert read_listing(killed).problem == ""
    with MatchLog(killed) as log:
        assert log.append(numbered(24, 24)) == 24
    assert files_of(killed) == [""]
    assert [event.at_ms for event in read_match(killed).events] == list(range(1, 25))


@pytest.mark.parametrize(
    ("damage", "first"),
    [
        (remove("-wal"), 4),
        (cut_to(0.0), 4),
        (cut_to(0.5), 14),
        (cut_to(0.98), 23),
        (spoil_at(0.0, 1), 4),
        (spoil_at(0.5, 1), 14),
        (spoil_at(0.7, 4096), 18),
    ],
)
def test_a_write_ahead_log_that_is_lost_or_damaged(killed: Path, damage: Callable[[Path], None], first: int) -> None:
    """Every reader names the first event that is missing and the last, and nothing more is written to the match."""
    damage(killed)
    missing = "it is missing" if first == 23 else "it and all after it, up to 23, are missing"
    assert verify(killed) == BrokenChain(first, missing + WAL_LOST)
    sentence = (
        f"{killed} is damaged at event {first}: {missing}{WAL_LOST};"
        " take a copy of it from before, or keep what is intact with zarbiter log salvage."
    )
    assert read_listing(killed).problem == sentence
    for opener in (read_match, MatchLog):
        with pytest.raises(DamagedLogError) as caught:
            opener(killed)
        assert str(caught.value) == sentence
    assert verify(killed) == BrokenChain(first, missing + WAL_LOST)


@pytest.mark.parametrize(
    "damage",
    [remove("-wal", "-head"), remove("-head"), spoil_at(0, 8192, "-head")],
    ids=["the match file alone", "no note", "an unreadable note"],
)
def test_a_match_without_its_note(killed: Path, damage: Callable[[Path], None]) -> None:
    """A match that was not closed, such as a copy of a running one, never counts as complete then."""
    damage(killed)
    verdict = verify(killed)
    assert isinstance(verdict, BrokenChain)
    assert verdict.problem == UNKNOWN
    assert UNKNOWN in read_listing(killed).problem
    with pytest.raises(DamagedLogError):
        MatchLog(killed)


def test_a_torn_note(killed: Path) -> None:
    """One of its two blocks is enough; it may be one event behind."""
    spoil_at(0.0, 200, "-head")(killed)
    remove("-wal")(killed)
    verdict = verify(killed)
    assert isinstance(verdict, BrokenChain)
    assert verdict.sequence == 4


def test_a_file_of_another_match(killed: Path, tmp_path: Path) -> None:
    """The note is that of one match."""
    with create_match(tmp_path / "other.zmatch", "tavla") as log:
        log.append(numbered(1, 40))
    shutil.copyfile(tmp_path / "other.zmatch", killed)
    remove("-wal")(killed)
    assert verify(killed) == BrokenChain(23, "the match is not the one that the file ending in -head notes")


def test_a_running_match(tmp_path: Path) -> None:
    """Readers beside the writer find nothing missing, whatever lies in the write-ahead log."""
    path = tmp_path / "m.zmatch"
    with create_match(path, "tavla") as log:
        for number in range(1, 30):
            log.append(numbered(number, number))
            verdict = verify(path)
            assert isinstance(verdict, IntactChain)
            assert verdict.events == number
        assert files_of(path) == sorted(["", "-wal", "-shm", "-head", f".{path.name}.lock"])
    assert files_of(path) == [""]


def test_a_match_that_a_reader_keeps_open(tmp_path: Path) -> None:
    """The writer cannot put everything into the match file then, so the note stays until the next one has."""
    path = tmp_path / "m.zmatch"
    log = create_match(path, "tavla")
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        log.append(numbered(1, 1))
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchone()
        log.append(numbered(2, 2))
        log.close()
        assert "-head" in files_of(path)
    assert isinstance(verify(path), IntactChain)
    MatchLog(path).close()
    assert files_of(path) == [""]
    assert len(read_match(path).events) == 2


def test_a_file_of_before(tmp_path: Path) -> None:
    """A match file without the mark is read, and gets one when it is continued."""
    path = tmp_path / "m.zmatch"
    events = written(path)
    spoil(path, "ALTER TABLE head DROP COLUMN is_open")
    assert read_match(path).events == events
    with MatchLog(path) as log:
        log.append(numbered(22, 22))
    assert isinstance(verify(path), IntactChain)
    assert asked(path, "SELECT n_events, is_open FROM head") == [(22, 0)]


def test_files_are_private(tmp_path: Path) -> None:
    """Files of a match hold names and pictures of people."""
    path = tmp_path / "data" / "matches" / "m.zmatch"
    with create_match(path, "tavla") as log:
        log.append(numbered(1, 1))
        files = list(path.parent.iterdir())
        assert len(files) == 5
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert {folder.stat().st_mode & 0o777 for folder in (path.parent, path.parent.parent)} == {0o700}


def test_a_folder_of_matches_that_others_could_read_becomes_private(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """That is said once; a folder that somebody named for a single match keeps its mode, and so does the data folder."""
    data, own = tmp_path / "data", tmp_path / "own"
    for folder in (data, data / "matches", own):
        folder.mkdir(mode=0o755)
    for name in ("one", "two"):
        create_match(data / "matches" / f"{name}.zmatch", "tavla").close()
    create_match(own / "m.zmatch", "tavla").close()
    assert [folder.stat().st_mode & 0o777 for folder in (data, data / "matches", own)] == [0o755, 0o700, 0o755]
    assert [record.getMessage() for record in caplog.records] == [
        f"others could read {data / 'matches'}, which holds names and pictures of people; now only you can"
    ]
