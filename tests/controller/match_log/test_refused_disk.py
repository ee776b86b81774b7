"""The disk refuses a batch: nothing of it counts, and appending it again succeeds once the disk works."""

import os
import resource
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.match_log import EvidencePicture, IntactChain, MatchLog, PictureKind, create_match, read_match, verify
from controller.match_log import store as store_module
from controller.match_log.connection import open_for_writing
from controller.match_log.errors import StorageError, UnreadableLogError
from tests.controller.match_log.match_files import GAME, MADE, ROLLED, STARTED, noise, numbered


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.zmatch"


@contextmanager
def no_file_grows(beyond: int) -> Iterator[None]:
    """No file of this process can grow beyond that many bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (beyond, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def mounted(folder: Path, *options: str) -> None:
    """Mounts a separate file system, which only root can do."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", *options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root can mount a small file system")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with room for 400 kB."""
    mounted(tmp_path / "small", "-o", "size=400k")
    yield tmp_path / "small"
    subprocess.run(["umount", str(tmp_path / "small")], check=True)


class LyingDisk:
    """A connection whose commits are stored, although some report an error."""

    def __init__(self, connection: sqlite3.Connection, ends: list[BaseException | None]) -> None:
        self._connection = connection
        self._ends = ends

    def execute(self, statement: str, *parameters: Any) -> Any:
        done = self._connection.execute(statement, *parameters)
        if statement == "COMMIT" and (error := self._ends.pop(0)):
            raise error
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def io_error() -> sqlite3.Error:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    return error


def append_until_full(log: MatchLog) -> None:
    while True:
        append_one(log)


def append_one(log: MatchLog) -> int:
    number = log.n_events + 1
    return log.append(numbered(number, number), [EvidencePicture(PictureKind.AFTER, noise(number, (80, 100)))])


class TestNoRoom:
    def test_a_file_that_may_not_grow(self, path: Path) -> None:
        """StorageError is an OSError; stored events stay, and the same batch is accepted later."""
        with create_match(path, "tavla") as log:
            log.append((STARTED, GAME))
            pictures = [EvidencePicture(PictureKind.AFTER, noise(1, (80, 100)))]
            with no_file_grows(path.with_name(f"{path.name}-wal").stat().st_size + 100):
                for _ in range(3):
                    with pytest.raises(StorageError) as caught:
                        log.append((ROLLED, MADE), pictures)
            assert isinstance(caught.value, OSError)
            assert str(path) in str(caught.value)
            assert log.n_events == 2
            assert read_match(path).events == (STARTED, GAME)
            assert log.append((ROLLED, MADE), pictures) == 4
        assert read_match(path).events == (STARTED, GAME, ROLLED, MADE)
        assert isinstance(verify(path), IntactChain)

    def test_a_full_disk(self, small_disk: Path) -> None:
        """With room again the same batch is accepted, and no event is missing or stored twice."""
        path, ballast = small_disk / "match.zmatch", small_disk / "ballast"
        with create_match(path, "tavla") as log:
            ballast.write_bytes(b"x" * 150_000)
            with pytest.raises(StorageError) as caught:
                append_until_full(log)
            assert str(caught.value) == f"{path}: not saved (the disk is full); see to the disk; saving is tried again."
            safe = log.n_events
            assert 1 <= safe < 40
            assert len(read_match(path).events) == safe
            ballast.unlink()
            assert append_one(log) == safe + 1
        assert [event.at_ms for event in read_match(path).events] == list(range(1, safe + 2))
        assert isinstance(verify(path), IntactChain)

    def test_no_room_for_a_new_match_leaves_nothing(self, small_disk: Path) -> None:
        (small_disk / "ballast").write_bytes(b"x" * 400_000)
        with pytest.raises(StorageError):
            create_match(small_disk / "match.zmatch", "tavla")
        assert [file.name for file in small_disk.iterdir()] == ["ballast"]


class TestUnconfirmed:
    @pytest.fixture
    def ends(self, monkeypatch: pytest.MonkeyPatch) -> list[BaseException | None]:
        """The result that each coming commit reports, although it is stored."""
        to_come: list[BaseException | None] = [None] * 9
        monkeypatch.setattr(store_module, "open_for_writing", lambda path: LyingDisk(open_for_writing(path), to_come))
        return to_come

    def test_the_same_batch_is_not_written_twice(self, path: Path, ends: list[BaseException | None]) -> None:
        """The commit failed and is stored all the same: appending the batch again finds it."""
        picture = EvidencePicture(PictureKind.DICE, noise())
        with create_match(path, "tavla") as log:
            log.append((STARTED,))
            ends[0] = io_error()
            with pytest.raises(StorageError):
                log.append((GAME, ROLLED), [picture])
            assert log.n_events == 1
            assert log.append((GAME, ROLLED), [picture]) == 3
            assert log.append((MADE,)) == 4
        assert read_match(path).events == (STARTED, GAME, ROLLED, MADE)
        assert isinstance(verify(path), IntactChain)

    def test_another_batch_is_refused(self, path: Path, ends: list[BaseException | None]) -> None:
        """The file contradicts the state of the program then."""
        with create_match(path, "tavla") as log:
            ends[0] = io_error()
            with pytest.raises(StorageError):
                log.append((STARTED,))
            for _ in range(2):
                with pytest.raises(StorageError) as caught:
                    log.append((GAME,))
                assert "start zarbiter anew" in str(caught.value)
            assert log.append((STARTED,)) == 1
            assert log.append((GAME,)) == 2

    def test_the_log_continues_after_ctrl_c_in_a_commit(self, path: Path, ends: list[BaseException | None]) -> None:
        with create_match(path, "tavla") as log:
            ends[0] = KeyboardInterrupt()
            with pytest.raises(KeyboardInterrupt):
                log.append((STARTED,))
            assert log.append((GAME,)) == 2
        assert read_match(path).events == (STARTED, GAME)


class TestGone:
    def test_a_file_that_was_removed(self, path: Path) -> None:
        """It is an error until the file is back."""
        with create_match(path, "tavla") as log:
            log.append((STARTED,))
            path.rename(path.with_name("elsewhere"))
            with pytest.raises(StorageError) as caught:
                log.append((GAME,))
            assert "No such file" in str(caught.value)
            path.with_name("elsewhere").rename(path)
            assert log.append((GAME,)) == 2

    def test_a_file_that_was_replaced(self, path: Path) -> None:
        with create_match(path, "tavla") as log:
            content = path.read_bytes()
            path.unlink()
            path.write_bytes(content)
            with pytest.raises(StorageError) as caught:
                log.append((STARTED,))
            assert "the file was replaced by another" in str(caught.value)


class TestWriteProtected:
    @pytest.fixture
    def disk(self, tmp_path: Path) -> Iterator[Path]:
        mounted(tmp_path / "disk")
        yield tmp_path / "disk"
        subprocess.run(["umount", str(tmp_path / "disk")], check=True)

    def protect(self, disk: Path) -> None:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)

    def test_a_closed_match_can_be_read(self, disk: Path) -> None:
        with create_match(disk / "m.zmatch", "tavla") as log:
            log.append((STARTED,))
        self.protect(disk)
        assert read_match(disk / "m.zmatch").events == (STARTED,)
        assert isinstance(verify(disk / "m.zmatch"), IntactChain)

    def test_neither_a_new_nor_an_old_match_can_be_written(self, disk: Path) -> None:
        create_match(disk / "m.zmatch", "tavla").close()
        self.protect(disk)
        with pytest.raises(StorageError) as made:
            create_match(disk / "n.zmatch", "tavla")
        with pytest.raises(StorageError) as opened:
            MatchLog(disk / "m.zmatch")
        for caught in (made, opened):
            assert "(Read-only file system); choose a folder that can be written." in str(caught.value)

    def test_a_match_that_was_not_closed(self, disk: Path) -> None:
        """Its last events are in the side file; the error names the remedy."""
        with create_match(disk / "m.zmatch", "tavla") as log:
            log.append((STARTED,))
            for suffix in ("", "-wal"):
                (disk / f"copy.zmatch{suffix}").write_bytes((disk / f"m.zmatch{suffix}").read_bytes())
        self.protect(disk)
        with pytest.raises(UnreadableLogError) as caught:
            read_match(disk / "copy.zmatch")
        assert str(caught.value).endswith(
            "(its folder is write-protected, and its last events are still in the file that ends in -wal); "
            "copy both into another folder."
        )
