"""`zarbiter log copy`, `salvage`, `sign`, and what `verify` proves with a noted head or a key."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cli import main
from controller.match_log import MatchLog, read_match
from controller.match_log.signature import signature_path
from tests.controller.match_log.match_files import numbered, spoil, written

Called = Callable[..., tuple[int, str, str]]


@pytest.fixture
def called(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Called:
    """Calls the program; gives status, standard output, standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        return main([*map(str, arguments), "--data", str(tmp_path / "data")]), *capsys.readouterr()

    return call


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "matches" / "evening.zmatch"
    written(path)
    return path


def head_of(path: Path, event: int = -1) -> str:
    return read_match(path).logged[event].hash.hex()


def test_copy(called: Called, match: Path, tmp_path: Path) -> None:
    """A plain name lies beside the match, a path with a slash elsewhere; both while the match is being written."""
    with MatchLog(match) as log:
        log.append(numbered(22, 22))
        status, out, err = called("log", "copy", "evening", "-o", "backup")
        target = match.with_name("backup.zmatch")
        head = head_of(match)
        assert (status, out, err) == (0, f"{target}: intact, 22 events, 12 pictures, head {head}\n", "")
        assert called("log", "copy", "evening", "-o", tmp_path / "stick" / "b.zmatch")[0] == 0
    assert head_of(target) == head
    assert called("log", "copy", "evening", "-o", "backup")[::2] == (
        1,
        f"zarbiter: {target} is there already; name another file, or delete it first.\n",
    )
    assert called("log", "copy", "evening", "-o", "a b")[0] == 2


def test_salvage(called: Called, match: Path) -> None:
    """It says what is kept and what is missing, and fails where something is."""
    target = match.with_name("rest.zmatch")
    assert called("log", "salvage", "evening", "-o", "rest") == (
        0,
        f"{target}: events 1 to 21 and 12 pictures are kept\nnothing is missing\n",
        "",
    )
    target.unlink()
    spoil(match, "UPDATE events SET at_ms = 99 WHERE sequence = 8")
    spoil(match, "UPDATE jpegs SET jpeg = x'00' WHERE id = 1")
    status, out, err = called("log", "salvage", "evening", "-o", "rest")
    assert (status, err) == (1, "")
    assert out.splitlines() == [
        f"{target}: events 1 to 7 and 3 pictures are kept",
        "missing: events 8 to 21 (its text, time, pictures or hash differ from what was written)",
        "missing: 1 picture of kept events, damaged",
    ]
    assert called("log", "verify", "rest")[0] == 0
    spoil(match, "UPDATE events SET at_ms = 99 WHERE sequence = 1")
    status, out, err = called("log", "salvage", "evening", "-o", "more")
    assert (status, out) == (1, "")
    reason = "its text, time, pictures or hash differ from what was written"
    expected = f"zarbiter: {match} holds no event that is intact ({reason}); take a copy of it from before.\n"
    assert err == expected
    assert not match.with_name("more.zmatch").exists()


def test_a_noted_head(called: Called, match: Path) -> None:
    """A head that was noted is found as long as the match has this event, at the end or before."""
    noted, last = head_of(match, 6), head_of(match)
    found = f"evening: intact, 21 events, 12 pictures, head {last}; noted head holds up to event"
    assert called("log", "verify", "evening", "--head", noted) == (0, f"{found} 7\n", "")
    assert called("log", "verify", "evening", "--head", last[:16].upper()) == (0, f"{found} 21\n", "")
    status, out, _ = called("log", "verify", "evening", "--head", "0" * 16)
    assert (status, out.endswith("; NOT PROVED: no event has the head 0000000000000000, so this is not the match of then\n")) == (1, True)  # fmt: skip
    status, out, _ = called("log", "verify", "evening", "--head", "0" * 16, "--json")
    assert (status, json.loads(out)["head"]["event"]) == (1, None)


@pytest.mark.parametrize("arguments", [("--head", "1234"), ("--head", "g" * 64), ("--key", "none")])
def test_wrong_calls(called: Called, match: Path, arguments: tuple[str, str]) -> None:
    status, out, err = called("log", "verify", "evening", *arguments)
    assert (status, out, err.count("\n"), err.startswith(f"zarbiter: {arguments[0]}: ")) == (2, "", 1, True)


def test_a_head_without_a_match(called: Called, match: Path) -> None:
    assert called("log", "verify", "--head", "0" * 64) == (
        2,
        "",
        "zarbiter: --head is the head of one match; name that match\n",
    )


def test_signing(called: Called, match: Path, tmp_path: Path) -> None:
    """The first call makes the key; verify needs it; a match that is not signed, or was changed, is not proved."""
    key = tmp_path / "stick.key"
    status, out, err = called("log", "verify", "--key", key)
    assert (status, "cannot be read" in err) == (2, True)
    status, out, err = called("log", "sign", "evening", "--key", key)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"{key} is a new key; keep a copy of it, nothing else can verify the signature",
        f"evening: signed up to event 21, head {head_of(match)}",
    ]
    status, out, err = called("log", "verify", "--key", key)
    assert (status, out.endswith("; signature holds up to event 21\n"), err) == (0, True, "")
    signature_path(match).unlink()
    status, out, _ = called("log", "verify", "--key", key)
    assert status == 1
    assert out.endswith(f"; NOT PROVED: {match} is not signed; zarbiter log sign does that\n")
    assert called("log", "sign", "evening", "--key", key)[1].count("\n") == 1


def test_a_key_in_the_data_folder(called: Called, match: Path, tmp_path: Path) -> None:
    """Whoever can change the matches could sign them too."""
    data = tmp_path / "data"
    expected = f"zarbiter: --key: {data}/k lies in the data folder {data}; keep it elsewhere, best on another disk\n"
    assert called("log", "sign", "evening", "--key", data / "k") == (2, "", expected)
    assert not (data / "k").exists()
