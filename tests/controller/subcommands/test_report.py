"""`zarbiter report`: nothing in it names a person, and its match can be looked at."""

import json
import stat
import zipfile
from pathlib import Path

import numpy as np
import pytest

from controller.match.events import MatchStarted
from controller.match_log import EvidencePicture, IntactChain, PictureKind, create_match, read_match, verify
from tests.controller.formats.test_disputed_match import disputed_events
from tests.controller.subcommands.called import Program

SETTINGS = """
[players]
white = "Anna: the 1st"

[web]
table = "Board 2"
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A match with a picture, and settings with names."""
    data = tmp_path / "data"
    (data / "matches").mkdir(parents=True)
    (data / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    with create_match(data / "matches" / "evening.zmatch", "backgammon") as log:
        first, *rest = disputed_events()
        log.append((first,))
        log.append(rest, (EvidencePicture(PictureKind.AFTER, np.full((40, 60, 3), 90, np.uint8)),))
    return data


def test_the_match_is_whole_and_nobody_is_named(data: Path, tmp_path: Path, zarbiter: Program) -> None:
    file = tmp_path / "help.zip"
    said = zarbiter("report evening --no-doctor -o", file, "--data", data, "--config", data / "settings.toml")
    assert "match.zmatch" in said.out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    folder = tmp_path / "opened"
    opened = zarbiter("report --open", file, "-o", folder)
    assert f"zarbiter replay {folder}/match.zmatch shows the match" in opened.out
    copy = read_match(folder / "match.zmatch")
    assert isinstance(verify(folder / "match.zmatch"), IntactChain)
    assert len(copy.events) == len(disputed_events())
    started = copy.events[0]
    assert isinstance(started, MatchStarted)
    assert started.white != started.black
    assert sum(len(one.pictures) for one in copy.logged) == 1
    texts = [path.read_bytes() for path in folder.iterdir()]
    for name in (b"Anna", b"Boris", b"Club night", b"Board 2"):
        assert not any(name in text for text in texts), name
    assert json.loads((folder / "report.json").read_text(encoding="utf-8"))["events"] == len(copy.events)
    zarbiter("replay", folder / "match.zmatch", "--all")


def test_names_and_pictures_as_asked(data: Path, tmp_path: Path, zarbiter: Program) -> None:
    file = tmp_path / "help.zip"
    zarbiter("report evening --no-doctor --with-names --no-pictures -o", file, "--data", data)
    zarbiter("report --open", file)
    copy = read_match(tmp_path / "help" / "match.zmatch")
    assert copy.events[0] == disputed_events()[0]
    assert not any(one.pictures for one in copy.logged)


def test_doctor_says_what_this_machine_is(data: Path, tmp_path: Path, zarbiter: Program) -> None:
    file = tmp_path / "help.zip"
    zarbiter("report evening -o", file, "--data", data)
    with zipfile.ZipFile(file) as archive:
        lines = archive.read("doctor.jsonl").decode().splitlines()
    assert all(json.loads(line) for line in lines)
    assert len(lines) > 3


def test_secrets_stay_at_home() -> None:
    from controller.subcommands.report import _without_secrets

    assert _without_secrets(
        {"web": {"Api_Token": "abc", "port": 1}, "players": {"white": "A"}, "hooks": [{"secret": 1}]}
    ) == {
        "web": {"Api_Token": "left out", "port": 1},
        "hooks": [{"secret": "left out"}],
    }


@pytest.mark.parametrize(
    ("call", "status", "sentence"),
    [
        ("report", 2, "a report needs a match and a file: zarbiter report MATCH -o FILE.zip; or give --open FILE"),
        ("report a --open {file}", 2, "--open reads a report, not a match; leave MATCH out"),
        ("report --open {file} -o {folder}", 2, "is there already; name a new folder"),
        ("report --open {file}", 1, "is no whole report; have it sent anew"),
        ("report --open {folder}/none.zip", 1, "cannot be read (No such file or directory); name another file"),
    ],
)
def test_wrong_calls(tmp_path: Path, zarbiter: Program, call: str, status: int, sentence: str) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK no archive")
    assert sentence in zarbiter(call.format(file=tmp_path / "a.zip", folder=tmp_path), status=status).err


def test_an_archive_that_is_no_report(tmp_path: Path, zarbiter: Program) -> None:
    """Its files go nowhere, whatever their names say."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("../../evil", "x")
    expected = f"zarbiter: {tmp_path}/a.zip holds no match; see whether it is a report of zarbiter report\n"
    assert zarbiter("report --open", tmp_path / "a.zip", status=1).err == expected


def test_a_damaged_log_is_sent_to_salvage(data: Path, tmp_path: Path, zarbiter: Program) -> None:
    log = data / "matches" / "evening.zmatch"
    log.write_bytes(log.read_bytes().replace(b"8/5 6/5", b"8/5 6/4"))
    said = zarbiter("report evening -o", tmp_path / "a.zip", "--data", data, status=1).err
    assert "salvage" in said
    assert not (tmp_path / "a.zip").exists()
