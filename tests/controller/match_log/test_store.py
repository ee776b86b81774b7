import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match.events import RefereeEvent
from controller.match_log import EvidencePicture, IntactChain, MatchLog, PictureKind, create_match, read_match, verify
from controller.match_log import store as store_module
from controller.match_log.connection import open_for_writing
from controller.match_log.errors import (
    BadPictureError,
    DamagedLogError,
    EventTextError,
    LogInUseError,
    MatchExistsError,
    NotAMatchLogError,
    UnreadableLogError,
)
from controller.match_log.replay import read_picture
from tests.controller.match_log.drawn_events import events
from tests.controller.match_log.match_files import (
    GAME,
    MADE,
    ROLLED,
    STARTED,
    asked,
    clock,
    noise,
    numbered,
    spoil,
    written,
)

pytestmark = pytest.mark.broad


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.zmatch"


@pytest.fixture(scope="module")
def one_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("matches")


class TestAppending:
    def test_appended_events_are_read_back(self, path: Path) -> None:
        """In order, with number, time and the facts of the match."""
        with create_match(path, "tavla", clock=clock) as log:
            assert log.append((STARTED, GAME)) == 2
            assert log.append((ROLLED,)) == 3
            match = log.read()
        assert match.events == (STARTED, GAME, ROLLED)
        assert [one.sequence for one in match.logged] == [1, 2, 3]
        assert {one.written_utc for one in match.logged} == {"2026-03-05T14:22:33.123Z"}
        assert (match.facts.match_id, match.facts.game) == (path.stem, "tavla")
        assert match.facts.created_utc == "2026-03-05T14:22:33.123Z"

    def test_an_empty_batch_changes_nothing(self, path: Path) -> None:
        with create_match(path, "tavla") as log:
            assert log.append(()) == 0

    def test_a_reopened_match_continues_numbers_and_chain(self, path: Path) -> None:
        with create_match(path, "tavla") as log:
            log.append((STARTED,))
        with MatchLog(path) as log:
            assert log.n_events == 1
            assert log.append((GAME,)) == 2
        assert read_match(path).events == (STARTED, GAME)
        assert verify(path) == IntactChain(2, 0, 0, read_match(path).logged[-1].hash.hex())

    @given(batches=st.lists(st.lists(events(st.integers(0, 2**53)), max_size=3), max_size=4))
    def test_any_events_are_kept(self, one_folder: Path, batches: list[list[RefereeEvent]]) -> None:
        """In any batches."""
        file = one_folder / "any.zmatch"
        file.unlink(missing_ok=True)
        with create_match(file, "tavla") as log:
            for batch in batches:
                log.append(batch)
        assert read_match(file).events == tuple(event for batch in batches for event in batch)
        assert isinstance(verify(file), IntactChain)

    def test_a_batch_with_a_wrong_event_is_rejected_as_a_whole(self, path: Path) -> None:
        with create_match(path, "tavla") as log:
            with pytest.raises(EventTextError):
                log.append((STARTED, "no event"))  # type: ignore[arg-type]
            log.append((STARTED,))
        assert read_match(path).events == (STARTED,)

    def test_commits_reach_the_disk(self, path: Path) -> None:
        """With a write-ahead log and a sync at every commit."""
        written(path, batches=1)
        connection = open_for_writing(path)
        assert connection.execute("PRAGMA journal_mode").fetchone() == (b"wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        connection.close()

    def test_a_closed_match_is_one_file(self, path: Path) -> None:
        """Also after it was read."""
        written(path)
        verify(path)
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_an_event_of_a_later_version(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The chain holds, so it is no damage; `verify` does not parse events."""
        with create_match(path, "tavla") as log:
            monkeypatch.setattr(store_module, "event_text", '{{"event":"Exploded","version":1,"at":"{}"}}'.format)
            log.append((STARTED,))
        assert isinstance(verify(path), IntactChain)
        with pytest.raises(NotAMatchLogError) as caught:
            read_match(path)
        assert "holds at event 1 what this version cannot read (event Exploded: this version" in str(caught.value)


class TestOnlyAdded:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE events SET event = '{}' WHERE sequence = 2",
            "DELETE FROM events WHERE sequence = 2",
            "DELETE FROM events",
            "INSERT OR REPLACE INTO events SELECT 2, written_utc, at_ms, '{}', hash FROM events WHERE sequence = 2",
            "INSERT INTO events SELECT 99, written_utc, at_ms, event, hash FROM events WHERE sequence = 2",
            "UPDATE facts SET game = 'fevga'",
            "DELETE FROM facts",
            "DELETE FROM head",
            "DELETE FROM pictures",
            "UPDATE pictures SET kind = 'dice'",
            "UPDATE pictures SET pruned_utc = 'now', sha256 = x'00'",
            "UPDATE jpegs SET jpeg = x'00'",
            "DELETE FROM jpegs",
        ],
    )
    def test_the_triggers_refuse_changes(self, path: Path, statement: str) -> None:
        written(path)
        with pytest.raises(sqlite3.IntegrityError):
            asked(path, statement)
        assert isinstance(verify(path), IntactChain)


class TestPictures:
    def test_they_lie_beside_their_event(self, path: Path) -> None:
        """By default beside the last event of the batch."""
        before, after = noise(1), np.full((20, 30, 3), (10, 120, 200), np.uint8)
        with create_match(path, "tavla") as log:
            log.append(
                (ROLLED, MADE),
                [EvidencePicture(PictureKind.BEFORE, before, 0), EvidencePicture(PictureKind.AFTER, after)],
            )
        rolled, made = read_match(path).logged
        assert [one.digest.kind for one in rolled.pictures] == ["before"]
        (picture,) = made.pictures
        assert (picture.digest.kind, picture.digest.width_px, picture.digest.height_px) == ("after", 30, 20)
        content = read_picture(path, 2, 0)
        assert content is not None
        shown = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None
        assert np.abs(shown.astype(int) - after).max() <= 4

    @pytest.mark.parametrize("shape", [(4, 4), (0, 4, 3), (4, 4, 4), (16_001, 1, 3)])
    def test_an_array_that_is_no_picture_is_rejected(self, path: Path, shape: tuple[int, ...]) -> None:
        with create_match(path, "tavla") as log:
            with pytest.raises(BadPictureError):
                log.append((ROLLED,), [EvidencePicture(PictureKind.DICE, np.zeros(shape, np.uint8))])
            assert log.n_events == 0

    def test_a_picture_of_no_event_is_rejected(self, path: Path) -> None:
        with create_match(path, "tavla") as log, pytest.raises(IndexError):
            log.append((ROLLED, MADE), [EvidencePicture(PictureKind.DICE, noise(), 2)])

    def test_the_oldest_go_first(self, path: Path) -> None:
        """Beyond the limit the oldest pictures are pruned; events and hashes stay, and the chain holds."""
        with create_match(path, "tavla", most_picture_bytes=9_000) as log:
            for number in range(1, 13):
                log.append(numbered(number, number), [EvidencePicture(PictureKind.AFTER, noise(number))])
        kept = [one.sequence for one in read_match(path).logged if not one.pictures[0].is_pruned]
        assert kept == list(range(13 - len(kept), 13))
        assert 3 <= len(kept) < 12
        verdict = verify(path)
        assert isinstance(verdict, IntactChain)
        assert (verdict.events, verdict.pictures, verdict.pruned) == (12, len(kept), 12 - len(kept))
        assert read_picture(path, 1, 0) is None
        ((total,),) = asked(path, "SELECT sum(length(jpeg)) FROM jpegs")
        assert isinstance(total, int)
        assert total <= 9_000

    def test_a_limit_of_zero_keeps_only_the_hashes(self, path: Path) -> None:
        with create_match(path, "tavla", most_picture_bytes=0) as log:
            log.append((ROLLED,), [EvidencePicture(PictureKind.DICE, noise())])
        verdict = verify(path)
        assert isinstance(verdict, IntactChain)
        assert (verdict.pictures, verdict.pruned) == (0, 1)

    def test_the_file_does_not_grow_beyond_the_limit(self, path: Path) -> None:
        """The space of old pictures is reused."""
        with create_match(path, "tavla", most_picture_bytes=200_000) as log:
            for number in range(1, 101):
                log.append(numbered(number, number), [EvidencePicture(PictureKind.AFTER, noise(number, (80, 100)))])
        assert path.stat().st_size < 450_000


class TestOneWriter:
    def test_a_second_writer_is_refused(self, path: Path) -> None:
        with create_match(path, "tavla") as log:
            with pytest.raises(LogInUseError) as caught:
                MatchLog(path)
            assert str(caught.value) == f"{path} is being written by another zarbiter; end that one first."
            log.append((STARTED,))
        with MatchLog(path) as log:
            assert log.n_events == 1

    def test_another_process_is_refused(self, path: Path) -> None:
        program = "import sys, pathlib; from controller.match_log import MatchLog; MatchLog(pathlib.Path(sys.argv[1]))"
        with create_match(path, "tavla"):
            ended = subprocess.run(
                [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False
            )
        assert ended.returncode == 1
        assert "LogInUseError" in ended.stderr

    def test_readers_see_every_stored_event_while_it_is_written(self, path: Path) -> None:
        with create_match(path, "tavla") as log:
            for number in range(1, 6):
                log.append(numbered(number, number))
                assert len(read_match(path).logged) == number
                assert isinstance(verify(path), IntactChain)

    def test_closing_twice(self, path: Path) -> None:
        log = create_match(path, "tavla")
        log.close()
        log.close()


class TestCreating:
    def test_an_existing_file_is_not_overwritten(self, path: Path) -> None:
        path.write_text("a letter")
        with pytest.raises(MatchExistsError) as caught:
            create_match(path, "tavla")
        assert str(caught.value) == f"{path} is there already; name another file, or delete it first."
        assert path.read_text() == "a letter"

    def test_the_folder_is_created(self, tmp_path: Path) -> None:
        create_match(tmp_path / "a" / "b" / "m.zmatch", "tavla").close()
        assert (tmp_path / "a" / "b" / "m.zmatch").is_file()

    def test_the_remains_of_a_killed_creation_are_removed(self, path: Path) -> None:
        for name in (f".{path.name}.part", f".{path.name}.part-journal", f"{path.name}-wal", f"{path.name}-shm"):
            (path.parent / name).write_bytes(b"left over" * 100)
        with create_match(path, "tavla") as log:
            log.append((STARTED,))
        assert read_match(path).events == (STARTED,)
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_a_file_that_is_no_match_is_refused(self, path: Path) -> None:
        """It is left unchanged and unlocked."""
        path.write_text("Dear Anna, " * 50)
        for _ in range(2):
            with pytest.raises(NotAMatchLogError) as caught:
                MatchLog(path)
            assert str(caught.value) == f"{path} is no match file; name one of zarbiter log list."
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_a_match_without_a_head_is_not_continued(self, path: Path) -> None:
        written(path)
        spoil(path, "DELETE FROM head")
        with pytest.raises(DamagedLogError):
            MatchLog(path)

    @pytest.mark.parametrize("name", ["no such.zmatch", ".", "a" * 300, "a\0b"])
    def test_a_path_without_a_file_is_not_opened(self, tmp_path: Path, name: str) -> None:
        openers: Sequence[object] = (MatchLog, read_match, verify)
        for opener in openers:
            assert callable(opener)
            with pytest.raises(UnreadableLogError):
                opener(tmp_path / name)
        assert list(tmp_path.iterdir()) == []
