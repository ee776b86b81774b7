"""A copy of a running match is whole; of a damaged match everything before the damage can be kept, with its hashes."""

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from controller.match_log import EvidencePicture, IntactChain, MatchLog, PictureKind, create_match, read_match, verify
from controller.match_log.copies import Salvaged, copy_match, salvage_match
from controller.match_log.errors import (
    DamagedLogError,
    LogInUseError,
    MatchExistsError,
    NotAMatchLogError,
    StorageError,
)
from controller.match_log.replay import read_picture
from controller.match_log.signature import create_key, load_key, sign_match, signature_path, verify_signature
from tests.controller.match_log.match_files import asked, clock, noise, numbered, spoil, written

CHANGED = "its text, time, pictures or hash differ from what was written"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.zmatch"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return tmp_path / "new" / "new.zmatch"


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def hashes(path: Path) -> list[bytes]:
    return [logged.hash for logged in read_match(path).logged]


class TestCopying:
    def test_a_running_match(self, path: Path, new: Path) -> None:
        """The copy is one private file that can be verified, read and continued; the match goes on meanwhile."""
        with create_match(path, "tavla") as log:
            for number in range(1, 40):
                log.append(numbered(number, number), [EvidencePicture(PictureKind.AFTER, noise(number))])
            verdict = copy_match(path, new)
            log.append(numbered(40, 40))
        assert (verdict.events, verdict.pictures) == (39, 39)
        assert names(new.parent) == ["new.zmatch"]
        assert new.stat().st_mode & 0o777 == 0o600
        assert verify(new) == verdict
        assert hashes(new) == hashes(path)[:39]
        assert read_picture(new, 39, 0) == read_picture(path, 39, 0)
        with MatchLog(new) as log:
            assert log.append(numbered(40, 40)) == 40

    def test_the_file_alone_is_no_copy_of_a_running_match(self, path: Path, new: Path) -> None:
        """The reason for the command: such a file says that it may lack events."""
        new.parent.mkdir()
        with create_match(path, "tavla", numbered(1, 2)) as log:
            log.append(numbered(3, 3))
            shutil.copyfile(path, new)
        with pytest.raises(DamagedLogError):
            read_match(new)

    def test_a_damaged_match_is_not_copied(self, path: Path, new: Path) -> None:
        written(path)
        spoil(path, "UPDATE events SET at_ms = 99 WHERE sequence = 4")
        with pytest.raises(DamagedLogError) as caught:
            copy_match(path, new)
        assert str(caught.value).startswith(f"{path} is damaged at event 4: {CHANGED}; ")
        assert names(new.parent) == []

    def test_a_name_that_is_taken(self, path: Path, new: Path) -> None:
        written(path)
        copy_match(path, new)
        with pytest.raises(MatchExistsError):
            copy_match(path, new)
        with MatchLog(new), pytest.raises(LogInUseError):
            copy_match(path, new)

    def test_a_folder_that_is_no_folder(self, path: Path) -> None:
        """The sentence names the copy that was not made."""
        written(path)
        with pytest.raises(StorageError) as caught:
            copy_match(path, path / "copy.zmatch")
        assert str(caught.value).startswith(f"{path / 'copy.zmatch'}: not saved (")


class TestSalvaging:
    @pytest.mark.parametrize(
        ("statements", "expected"),
        [
            (["UPDATE events SET at_ms = 99 WHERE sequence = 8"], Salvaged(7, 21, 4, 0, CHANGED)),
            (["DELETE FROM events WHERE sequence = 5"], Salvaged(4, 21, 2, 0, "this event is missing, and event 6 comes next")),
            (["UPDATE events SET hash = 7 WHERE sequence = 2"], Salvaged(1, 21, 0, 0, "a text in it is unreadable")),
            (["UPDATE jpegs SET jpeg = x'00' WHERE id = 3"], Salvaged(21, 21, 11, 1, "")),
            (["DELETE FROM head"], Salvaged(21, 21, 12, 0, "the count of its events is lost")),
            (["UPDATE head SET n_events = 25"], Salvaged(21, 25, 12, 0, "the match file notes 25 events and another last hash")),
            ([], Salvaged(21, 21, 12, 0, "")),
        ],
    )  # fmt: skip
    def test_what_is_before_the_damage(
        self, path: Path, new: Path, statements: Sequence[str], expected: Salvaged
    ) -> None:
        """The new match is intact, has the hashes of the old one and can be continued; the old one is unchanged."""
        written(path)
        before = hashes(path)
        for statement in statements:
            spoil(path, statement)
        content = path.read_bytes()
        assert salvage_match(path, new) == expected
        verdict = verify(new)
        assert isinstance(verdict, IntactChain)
        assert (verdict.events, verdict.pictures) == (expected.n_events, expected.n_pictures)
        assert hashes(new) == before[: expected.n_events]
        assert path.read_bytes() == content
        with MatchLog(new) as log:
            log.append(numbered(22, 22))

    def test_a_lost_write_ahead_log(self, path: Path, new: Path, tmp_path: Path) -> None:
        """The note of the head says how many events are missing."""
        left = tmp_path / "left.zmatch"
        with create_match(path, "tavla", numbered(1, 3)) as log:
            log.append(numbered(4, 9))
            for suffix in ("", "-head"):
                shutil.copyfile(f"{path}{suffix}", f"{left}{suffix}")
        problem = "it and all after it, up to 9, are missing; the file that ends in -wal was lost or damaged"
        assert salvage_match(left, new) == Salvaged(3, 9, 0, 0, problem)
        assert [event.at_ms for event in read_match(new).events] == [1, 2, 3]

    def test_unreadable_pages(self, path: Path, new: Path) -> None:
        """Where SQLite itself cannot read on, the events before are kept."""
        with create_match(path, "tavla") as log:
            log.append(numbered(1, 400))
        content = bytearray(path.read_bytes())
        ((size,),) = asked(path, "PRAGMA page_size")
        ((root,),) = asked(path, "SELECT rootpage FROM sqlite_master WHERE name = 'events'")
        assert isinstance(size, int)
        assert isinstance(root, int)
        last_leaf = 1 + max(page for page in range(len(content) // size) if content[page * size] == 0x0D)
        content[(last_leaf - 1) * size : last_leaf * size] = b"\xff" * size
        path.write_bytes(content)
        kept = salvage_match(path, new)
        assert 300 < kept.n_events < 400
        assert (kept.n_expected, kept.is_whole) == (400, False)
        assert [event.at_ms for event in read_match(new).events] == list(range(1, kept.n_events + 1))

    @pytest.mark.parametrize("part", [0.6, 0.9])
    def test_a_file_that_was_cut_off(self, path: Path, new: Path, part: float) -> None:
        """Events are kept in the measure of what is left; pictures that are gone are counted."""
        with create_match(path, "tavla") as log:
            for number in range(1, 201):
                log.append(numbered(number, number), [EvidencePicture(PictureKind.AFTER, noise(number))])
        path.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])
        kept = salvage_match(path, new)
        assert 200 * part * 0.8 < kept.n_events < 200
        assert kept.n_pictures + kept.lost_pictures == kept.n_events
        assert (kept.n_expected, kept.is_whole) == (200, False)
        assert isinstance(verify(new), IntactChain)
        assert [event.at_ms for event in read_match(new).events] == list(range(1, kept.n_events + 1))

    @pytest.mark.parametrize("statement", ["DELETE FROM facts", "UPDATE events SET at_ms = 9 WHERE sequence = 1"])
    def test_nothing_is_intact(self, path: Path, new: Path, statement: str) -> None:
        written(path)
        spoil(path, statement)
        with pytest.raises(NotAMatchLogError) as caught:
            salvage_match(path, new)
        assert str(caught.value).startswith(f"{path} holds no event that is intact (")
        assert names(new.parent) == []

    def test_a_database_of_another_program(self, path: Path, new: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE events (a)")
        with pytest.raises(NotAMatchLogError):
            salvage_match(path, new)


def test_a_signature_goes_with_the_copy(path: Path, new: Path, tmp_path: Path) -> None:
    """It still holds for a copy, and shows that a salvaged match lacks signed events."""
    written(path)
    create_key(tmp_path / "key")
    key = load_key(tmp_path / "key")
    signed = sign_match(path, key, clock)
    copy_match(path, new)
    assert signature_path(new).exists()
    assert verify_signature(new, key) == signed
    spoil(path, "UPDATE events SET at_ms = 99 WHERE sequence = 8")
    salvage_match(path, tmp_path / "less.zmatch")
    with pytest.raises(DamagedLogError):
        verify_signature(tmp_path / "less.zmatch", key)
