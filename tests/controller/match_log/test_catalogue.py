from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match_log import (
    EvidencePicture,
    IntactChain,
    MatchLog,
    PictureKind,
    create_match,
    find_match,
    match_files,
    matches_folder,
    new_match,
    prune_matches,
    read_match,
    resolve_new_path,
    verify,
)
from controller.match_log.catalogue import delete_match, read_listing
from controller.match_log.creation import frames_folder
from controller.match_log.errors import (
    LogInUseError,
    MatchNameError,
    NotAMatchLogError,
    UnknownMatchError,
    UnreadableLogError,
)
from controller.match_log.export import save_pictures
from controller.match_log.writer_lock import WriterLock
from controller.settings.atomic_file import data_folder
from tests.controller.match_log.match_files import (
    BEGUN,
    GAME,
    MATCH_WON,
    STARTED,
    WON,
    clock,
    noise,
    numbered,
    spoil,
    written,
)


def names(folder: Path) -> list[str]:
    return [path.stem for path in match_files(folder)]


class TestNames:
    def test_ids_sort_by_date(self, tmp_path: Path) -> None:
        """The time in UTC to the second; a second match in the same second gets a number."""
        for later_s in (86_400, 0, 0, 1):
            moment = BEGUN + timedelta(seconds=later_s)

            def then(moment: datetime = moment) -> datetime:
                return moment

            new_match(tmp_path, "tavla", clock=then).close()
        assert names(tmp_path) == ["20260305-142233", "20260305-142233-2", "20260305-142234", "20260306-142233"]
        assert read_match(match_files(tmp_path)[1]).facts.match_id == "20260305-142233-2"

    def test_a_name_that_another_process_is_just_taking(self, tmp_path: Path) -> None:
        """The next number is free."""
        lock = WriterLock(tmp_path / "20260305-142233.zmatch")
        with new_match(tmp_path, "tavla", clock=clock) as log:
            assert log.path.stem == "20260305-142233-2"
        lock.release()

    def test_many_that_start_at_once(self, tmp_path: Path) -> None:
        """Each gets a match of its own with its own events."""

        def play(number: int) -> str:
            with new_match(tmp_path, "tavla", numbered(1, number), clock=clock) as log:
                return log.path.stem

        with ThreadPoolExecutor(8) as pool:
            made = list(pool.map(play, range(1, 17)))
        assert len(set(made)) == 16
        assert [len(read_match(tmp_path / f"{name}.zmatch").events) for name in made] == list(range(1, 17))

    def test_a_missing_folder_has_no_matches(self, tmp_path: Path) -> None:
        assert match_files(tmp_path / "none") == ()

    def test_finding_by_id_and_beginning(self, tmp_path: Path) -> None:
        """A unique beginning is enough; the whole id is never ambiguous."""
        for match_id in ("20260305-142233", "20260305-142233-2", "20260306-101010"):
            (tmp_path / f"{match_id}.zmatch").touch()
        assert find_match("20260306", tmp_path).stem == "20260306-101010"
        assert find_match("20260305-142233", tmp_path).stem == "20260305-142233"
        with pytest.raises(UnknownMatchError) as several:
            find_match("2026", tmp_path)
        expected = "2026 could be 20260305-142233, 20260305-142233-2 or 20260306-101010; write more of it."
        assert str(several.value) == expected
        for name in ("", "1999", "..", "*"):
            with pytest.raises(UnknownMatchError) as none:
                find_match(name, tmp_path)
            expected = f"there is no match {name!r} in {tmp_path}; zarbiter log list names those there are."
            assert str(none.value) == expected

    def test_a_path_is_a_path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A slash, or a suffix and an existing file, make a path."""
        assert find_match("./a", tmp_path) == Path("a")
        monkeypatch.chdir(tmp_path)
        (tmp_path / "a.zmatch").touch()
        assert find_match("a.zmatch", tmp_path / "matches") == Path("a.zmatch")
        (tmp_path / "final.db").touch()
        assert find_match("final.db", tmp_path / "matches") == Path("final.db")

    def test_finding_with_the_suffix_and_by_player(self, tmp_path: Path) -> None:
        """The name of a match is its id and the name of its file; its players find it where no name does."""
        file = resolve_new_path("final.zmatch", tmp_path)
        assert file == resolve_new_path("final", tmp_path) == tmp_path / "final.zmatch"
        with create_match(file, "tavla", (STARTED,)) as log:
            assert log.facts.match_id == "final"
        for name in ("final", "fin", "final.zmatch", "Anna", "boris", "BOR"):
            assert find_match(name, tmp_path) == file
        create_match(tmp_path / "second.zmatch", "tavla", (STARTED,)).close()
        with pytest.raises(UnknownMatchError, match="Anna could be final or second; write more of it"):
            find_match("Anna", tmp_path)
        assert find_match("second", tmp_path).stem == "second"

    @given(st.text(max_size=80))
    def test_no_plain_name_leaves_the_folder(self, name: str) -> None:
        """A new match lies in the folder or at a path with a slash, or the name is refused."""
        folder = Path("folder")
        try:
            file = resolve_new_path(name, folder)
        except MatchNameError:
            return
        assert file.parent == folder or "/" in name

    def test_names_for_new_matches(self, tmp_path: Path) -> None:
        assert resolve_new_path("final-2026", tmp_path) == tmp_path / "final-2026.zmatch"
        assert resolve_new_path("out/final.log", tmp_path) == Path("out/final.log")
        for name in ("", ".hidden", "a b", "a\0", "Ünal", "x" * 65):
            with pytest.raises(MatchNameError):
                resolve_new_path(name, tmp_path)

    def test_the_data_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The folder of the command line, else the XDG folder, else the home folder; a relative XDG path is ignored."""
        monkeypatch.setenv("HOME", "/home/anna")
        assert data_folder(tmp_path, {"XDG_DATA_HOME": "/x"}) == tmp_path
        assert data_folder(None, {"XDG_DATA_HOME": "/x"}) == Path("/x/zarbiter")
        for environment in ({}, {"XDG_DATA_HOME": ""}, {"XDG_DATA_HOME": "x"}):
            assert data_folder(None, environment) == Path("/home/anna/.local/share/zarbiter")
        assert matches_folder(Path("/x/zarbiter")) == Path("/x/zarbiter/matches")


class TestListing:
    def test_a_match_in_play(self, tmp_path: Path) -> None:
        with new_match(tmp_path, "tavla", clock=clock) as log:
            log.append((STARTED, GAME, WON))
            listing = read_listing(log.path)
        assert listing.is_being_written
        assert listing.summary is not None
        found = listing.summary
        assert (found.game, found.white, found.black, found.length) == ("tavla", "Anna", "Boris", 5)
        assert (found.white_score, found.black_score, found.winner_name, found.n_events) == (0, 2, None, 3)

    def test_a_match_that_is_over_names_the_winner(self, tmp_path: Path) -> None:
        with new_match(tmp_path, "tavla") as log:
            log.append((STARTED, GAME, WON, MATCH_WON))
        seen = read_listing(log.path)
        assert not seen.is_being_written
        assert seen.summary is not None
        assert seen.summary.winner_name == "Boris"

    def test_an_unreadable_file_is_listed_with_its_problem(self, tmp_path: Path) -> None:
        path = tmp_path / "a.zmatch"
        path.write_text("a letter")
        seen = read_listing(path)
        assert seen.summary is None
        assert seen.problem == f"{path} is no match file; name one of zarbiter log list."

    def test_a_damaged_event_is_skipped(self, tmp_path: Path) -> None:
        with new_match(tmp_path, "tavla") as log:
            log.append((STARTED, WON))
        spoil(log.path, """UPDATE events SET event = '{"event":"GameWon"}' WHERE sequence = 2""")
        summary = read_listing(log.path).summary
        assert summary is not None
        assert (summary.white, summary.black_score) == ("Anna", 0)


class TestDeleting:
    @pytest.mark.parametrize("name", ["a.zmatch", "final.log"])
    def test_a_match_goes_with_its_side_files(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        written(path)
        for suffix in ("-wal", "-shm"):
            (tmp_path / f"{name}{suffix}").touch()
        frames_folder(path).mkdir()
        (frames_folder(path) / "000000001000.jpg").touch()
        delete_match(path)
        assert list(tmp_path.iterdir()) == []

    def test_a_match_that_is_being_written_stays(self, tmp_path: Path) -> None:
        with new_match(tmp_path, "tavla") as log:
            with pytest.raises(LogInUseError):
                delete_match(log.path)
            log.append((STARTED,))
        assert isinstance(verify(log.path), IntactChain)

    def test_only_matches_are_deleted(self, tmp_path: Path) -> None:
        """Another file stays; a damaged match with the suffix of one goes."""
        letter, damaged = tmp_path / "letter.txt", tmp_path / "damaged.zmatch"
        letter.write_text("Dear Boris")
        damaged.write_text("SQLite no more")
        with pytest.raises(NotAMatchLogError):
            delete_match(letter)
        for path in (tmp_path / "none.zmatch", tmp_path):
            with pytest.raises(UnreadableLogError):
                delete_match(path)
        delete_match(damaged)
        assert list(tmp_path.iterdir()) == [letter]


class TestPruning:
    def matches(self, folder: Path) -> tuple[Path, ...]:
        for number in range(3):
            with create_match(folder / f"{number}.zmatch", "tavla") as log:
                for event in range(1, 5):
                    log.append(numbered(event, event), [EvidencePicture(PictureKind.AFTER, noise(event, (80, 100)))])
        return match_files(folder)

    def kept(self, path: Path) -> int:
        verdict = verify(path)
        assert isinstance(verdict, IntactChain)
        assert verdict.events == 4
        return verdict.pictures

    def test_old_matches_lose_their_pictures_first(self, tmp_path: Path) -> None:
        """No more than needed; the files become smaller, and the chains hold."""
        matches = self.matches(tmp_path)
        sizes = [path.stat().st_size for path in matches]
        one_picture = read_match(matches[0]).logged[0].pictures[0].digest.n_bytes
        assert prune_matches(matches, 7 * one_picture) == matches[:2]
        assert [self.kept(path) for path in matches] in ([0, 2, 4], [0, 3, 4])
        assert matches[0].stat().st_size < sizes[0] // 2
        assert prune_matches(matches, 8 * one_picture) == ()

    def test_a_match_that_is_being_written_is_left_alone(self, tmp_path: Path) -> None:
        """And so is a file that is no match."""
        matches = self.matches(tmp_path)
        (tmp_path / "3.zmatch").write_text("a letter")
        with MatchLog(matches[0]):
            assert prune_matches(match_files(tmp_path), 0) == matches[1:]
        assert [self.kept(path) for path in matches] == [4, 0, 0]


class TestPictureFiles:
    def test_every_picture_becomes_a_file(self, tmp_path: Path) -> None:
        """Named for its event; pruned pictures are missing."""
        path = tmp_path / "a.zmatch"
        written(path, batches=3)
        saved = save_pictures(read_match(path), path, tmp_path / "out")
        assert [file.name for file in saved] == ["000002-1-before.jpg", "000004-1-before.jpg", "000005-1-dice.jpg"]
        assert all(file.read_bytes().startswith(b"\xff\xd8") for file in saved)
        prune_matches([path], 0)
        assert save_pictures(read_match(path), path, tmp_path / "out") == ()
