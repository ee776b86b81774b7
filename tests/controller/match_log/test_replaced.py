"""A later copy of a match, which comes back from another machine, takes the place of the one that is here."""

from pathlib import Path

import pytest

from controller.match import MatchStarted, Mode, RollWithdrawn
from controller.match_log import MatchLog, create_match, read_match
from controller.match_log.copies import copy_match, replace_match
from controller.match_log.errors import DamagedLogError, LogInUseError, StorageError
from controller.rules import Player

START = MatchStarted(0, "tavla", None, "casual", Mode.TEACH, "Ann", "Ben", None)
LATER = RollWithdrawn(5, Player.WHITE, (6, 5))


@pytest.fixture
def copies(tmp_path: Path) -> tuple[Path, bytes]:
    """A match with one event, and the bytes of a later copy with two."""
    create_match(tmp_path / "a.zmatch", "tavla", (START,)).close()
    copy_match(tmp_path / "a.zmatch", tmp_path / "far" / "a.zmatch")
    with MatchLog(tmp_path / "far" / "a.zmatch") as log:
        log.append((LATER,))
    return tmp_path / "a.zmatch", (tmp_path / "far" / "a.zmatch").read_bytes()


def test_a_later_copy(copies: tuple[Path, bytes]) -> None:
    here, content = copies
    replace_match(here, content)
    assert read_match(here).events == (START, LATER)
    assert here.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in here.parent.glob("*a.zmatch*")] == ["a.zmatch"]


def test_a_new_one(copies: tuple[Path, bytes], tmp_path: Path) -> None:
    replace_match(tmp_path / "new" / "a.zmatch", copies[1])
    assert read_match(tmp_path / "new" / "a.zmatch").events == (START, LATER)


def test_what_is_refused(copies: tuple[Path, bytes], tmp_path: Path) -> None:
    """A match that is being written, a copy that is not whole, a folder that is none; the old match stays."""
    here, content = copies
    with MatchLog(here), pytest.raises(LogInUseError):
        replace_match(here, content)
    damaged = content.replace(b"RollWithdrawn", b"RollWithdrawm")
    assert damaged != content
    with pytest.raises(DamagedLogError):
        replace_match(here, damaged)
    with pytest.raises(DamagedLogError):
        replace_match(tmp_path / "new" / "a [1].zmatch", damaged)
    assert list((tmp_path / "new").iterdir()) == []
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StorageError):
        replace_match(tmp_path / "file" / "a.zmatch", content)
    assert read_match(here).events == (START,)
    assert [file.name for file in here.parent.glob("*a.zmatch*")] == ["a.zmatch"]
