"""Any change of a match is detected, and the verdict names the first place."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match_log import BrokenChain, IntactChain, MatchLogError, read_match, verify
from controller.match_log.errors import DamagedLogError, NotAMatchLogError, UnreadableLogError
from controller.match_log.replay import read_picture
from controller.match_log.schema import APPLICATION_ID
from tests.controller.match_log.match_files import asked, spoil, written

pytestmark = pytest.mark.broad

CHANGED = "its text, time, pictures or hash differ from what was written"
N_EVENTS = 21
EMPTY = (
    "is empty (0 bytes): nothing of a match is in it;"
    " take a copy of it from before, or remove it with zarbiter log delete."
)


class Original:
    """A match and a place for damaged copies. No dataclass, because Hypothesis would print all of it."""

    def __init__(self, path: Path) -> None:
        self.events = written(path)
        self.content = path.read_bytes()
        self.pictures = contents(path)
        self.copy = path.with_name("copy.zmatch")

    def copied(self) -> Path:
        for suffix in ("", "-wal", "-shm"):
            self.copy.with_name(self.copy.name + suffix).unlink(missing_ok=True)
        self.copy.write_bytes(self.content)
        return self.copy


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    return Original(tmp_path_factory.mktemp("original") / "match.zmatch")


def contents(path: Path) -> tuple[bytes | None, ...]:
    """Every picture of a match."""
    return tuple(
        read_picture(path, logged.sequence, number)
        for logged in read_match(path).logged
        for number in range(len(logged.pictures))
    )


def test_an_untouched_match_is_intact(original: Original) -> None:
    verdict = verify(original.copied())
    assert isinstance(verdict, IntactChain)
    assert (verdict.events, verdict.pictures, verdict.pruned) == (N_EVENTS, 12, 0)


class TestChangedBytes:
    @given(event=st.integers(1, N_EVENTS), place=st.floats(0, 1, exclude_max=True), other=st.integers(1, 127))
    def test_in_the_text_of_an_event(self, original: Original, event: int, place: float, other: int) -> None:
        path = original.copied()
        ((text,),) = asked(path, "SELECT CAST(event AS BLOB) FROM events WHERE sequence = ?", (event,))
        assert isinstance(text, bytes)
        changed = bytearray(text)
        changed[int(place * len(text))] ^= other
        spoil(path, "UPDATE events SET event = CAST(? AS TEXT) WHERE sequence = ?", (bytes(changed), event))
        assert verify(path) == BrokenChain(event, CHANGED)
        with pytest.raises(DamagedLogError):
            read_match(path)

    @given(number=st.integers(1, 12), place=st.floats(0, 1, exclude_max=True), other=st.integers(1, 255))
    def test_in_a_picture(self, original: Original, number: int, place: float, other: int) -> None:
        path = original.copied()
        ((jpeg, event),) = asked(
            path, "SELECT jpeg, sequence FROM jpegs JOIN pictures USING (id) WHERE id = ?", (number,)
        )
        assert isinstance(jpeg, bytes)
        changed = bytearray(jpeg)
        changed[int(place * len(jpeg))] ^= other
        spoil(path, "UPDATE jpegs SET jpeg = ? WHERE id = ?", (bytes(changed), number))
        verdict = verify(path)
        assert isinstance(verdict, BrokenChain)
        assert verdict.sequence == event
        assert verdict.problem.endswith("of it is not the one that was taken")

    @given(place=st.floats(0, 1, exclude_max=True), other=st.integers(1, 255))
    def test_anywhere_in_the_file(self, original: Original, place: float, other: int) -> None:
        """The change is detected, or it lies in unused space and the match is unchanged."""
        path = original.copied()
        changed = bytearray(original.content)
        changed[int(place * len(changed))] ^= other
        path.write_bytes(changed)
        try:
            verdict = verify(path)
        except (NotAMatchLogError, UnreadableLogError):
            return
        if isinstance(verdict, IntactChain):
            assert read_match(path).events == original.events
            assert contents(path) == original.pictures

    @given(
        places=st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=8),
        junk=st.binary(min_size=1, max_size=600),
    )
    def test_whole_stretches(self, original: Original, places: list[float], junk: bytes) -> None:
        """Damage of any size gives a verdict or an error of ours."""
        path = original.copied()
        changed = bytearray(original.content)
        for place in places:
            start = int(place * len(changed))
            changed[start : start + len(junk)] = junk[: len(changed) - start]
        path.write_bytes(changed)
        try:
            verdict = verify(path)
        except (NotAMatchLogError, UnreadableLogError):
            return
        if isinstance(verdict, IntactChain):
            assert read_match(path).events == original.events

    @given(left=st.floats(0, 1, exclude_max=True))
    def test_a_file_that_was_cut_off(self, original: Original, left: float) -> None:
        path = original.copied()
        path.write_bytes(original.content[: int(left * len(original.content))])
        try:
            verdict: IntactChain | BrokenChain | None = verify(path)
        except MatchLogError:
            verdict = None
        assert not isinstance(verdict, IntactChain)


class TestChangedTables:
    @pytest.mark.parametrize(
        ("statements", "expected"),
        [
            (["DELETE FROM events WHERE sequence = 5"], BrokenChain(5, "this event is missing, and event 6 comes next")),
            (["DELETE FROM events WHERE sequence = 1"], BrokenChain(1, "this event is missing, and event 2 comes next")),
            (
                [
                    "DELETE FROM jpegs WHERE id IN (SELECT id FROM pictures WHERE sequence > 15)",
                    "DELETE FROM pictures WHERE sequence > 15",
                    "DELETE FROM events WHERE sequence > 15",
                ],
                BrokenChain(16, "it and all after it, up to 21, are missing"),
            ),
            (
                ["DELETE FROM events WHERE sequence > 20"],
                BrokenChain(21, "it and all after it, up to 21, are missing"),
            ),
            (["DELETE FROM events"], BrokenChain(2, "there are pictures of it, but it is missing")),
            (
                [
                    "UPDATE events SET sequence = -1 WHERE sequence = 7",
                    "UPDATE events SET sequence = 7 WHERE sequence = 8",
                    "UPDATE events SET sequence = 8 WHERE sequence = -1",
                ],
                BrokenChain(7, CHANGED),
            ),
            (
                ["UPDATE events SET sequence = sequence + 1 WHERE sequence = 21"],
                BrokenChain(21, "this event is missing, and event 22 comes next"),
            ),
            (["INSERT INTO events SELECT 22, written_utc, at_ms, event, hash FROM events WHERE sequence = 21"], BrokenChain(22, CHANGED)),
            (["UPDATE events SET written_utc = 'then' WHERE sequence = 3"], BrokenChain(3, CHANGED)),
            (["UPDATE events SET at_ms = at_ms + 1 WHERE sequence = 3"], BrokenChain(3, CHANGED)),
            (["UPDATE events SET hash = x'00' WHERE sequence = 3"], BrokenChain(3, CHANGED)),
            (["UPDATE events SET at_ms = 'soon' WHERE sequence = 3"], BrokenChain(3, "a number in it is unreadable")),
            (["UPDATE events SET hash = 5 WHERE sequence = 3"], BrokenChain(3, "a text in it is unreadable")),
            (["UPDATE pictures SET kind = 'dice' WHERE id = 1"], BrokenChain(2, CHANGED)),
            (["UPDATE pictures SET width_px = 9 WHERE id = 1"], BrokenChain(2, CHANGED)),
            (["UPDATE pictures SET sha256 = x'00' WHERE id = 1"], BrokenChain(2, CHANGED)),
            (["UPDATE pictures SET number = 1 WHERE id = 1"], BrokenChain(2, "picture 1 of it is missing")),
            (
                ["DELETE FROM jpegs WHERE id = 1"],
                BrokenChain(2, "picture 1 of it is gone, and was not pruned to save space"),
            ),
            (
                ["UPDATE pictures SET pruned_utc = 'now' WHERE id = 1"],
                BrokenChain(2, "picture 1 of it is marked as pruned and is there"),
            ),
            (["DELETE FROM jpegs WHERE id = 12", "DELETE FROM pictures WHERE id = 12"], BrokenChain(18, CHANGED)),
            (["INSERT INTO jpegs VALUES (99, x'00')"], BrokenChain(None, "it holds a picture that belongs to no event")),
            (["UPDATE facts SET game = 'fevga'"], BrokenChain(1, CHANGED)),
            (["DELETE FROM facts"], BrokenChain(None, "what it says of the match as a whole is lost")),
            (["DELETE FROM head"], BrokenChain(None, "the count of its events is lost")),
            (["UPDATE head SET n_events = 20"], BrokenChain(21, "it was added by another program")),
            (["UPDATE head SET hash = x'00'"], BrokenChain(None, "the last hash is not the one that was noted")),
            (
                ["UPDATE head SET picture_bytes = 1"],
                BrokenChain(None, "the size of its pictures is not the one that was noted"),
            ),
            (["DROP TABLE events"], BrokenChain(None, "no such table: events")),
        ],
    )  # fmt: skip
    def test_the_first_broken_place(self, original: Original, statements: Sequence[str], expected: BrokenChain) -> None:
        path = original.copied()
        for statement in statements:
            spoil(path, statement)
        verdict = verify(path)
        assert isinstance(verdict, BrokenChain)
        if expected.problem.startswith("no such table"):
            assert verdict.problem == expected.problem
        else:
            assert verdict == expected

    def test_an_event_of_a_later_version(self, original: Original) -> None:
        """It is not reported as damage."""
        path = original.copied()
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA user_version = 2")
        with pytest.raises(NotAMatchLogError) as caught:
            verify(path)
        assert (
            str(caught.value)
            == f"{path} was written by a newer zarbiter (form 2; this one knows 1); install that version."
        )


class TestOtherFiles:
    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            (
                b"",
                EMPTY,
            ),
            (b"Dear Anna,\n" * 500, "is no match file; name one of zarbiter log list."),
            (b"SQLite format 3\0", "is no match file; name one of zarbiter log list."),
        ],
    )
    def test_a_file_that_is_no_match(self, tmp_path: Path, content: bytes, expected: str) -> None:
        """The file is left unchanged."""
        path = tmp_path / "other.zmatch"
        path.write_bytes(content)
        for opener in (verify, read_match):
            with pytest.raises(NotAMatchLogError) as caught:
                opener(path)
            assert str(caught.value) == f"{path} {expected}"
        assert path.read_bytes() == content

    def test_a_database_of_another_program(self, tmp_path: Path) -> None:
        path = tmp_path / "bookmarks.sqlite"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE events (a)")
        with pytest.raises(NotAMatchLogError) as caught:
            verify(path)
        assert str(caught.value) == f"{path} is a database of another program; name one of zarbiter log list."

    def test_a_form_that_no_version_writes(self, tmp_path: Path) -> None:
        path = tmp_path / "old.zmatch"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        with pytest.raises(NotAMatchLogError) as caught:
            verify(path)
        assert str(caught.value) == f"{path} has the form 0, which no zarbiter writes; take a copy of it from before."

    def test_a_match_without_tables(self, tmp_path: Path) -> None:
        path = tmp_path / "empty.zmatch"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("PRAGMA user_version = 1")
        assert verify(path) == BrokenChain(None, "no such table: head")
