"""`zarbiter report`: nothing in it names a person, and its match can be looked at."""

import json
import stat
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.match.event_values import Mode, Occasion, RecordingUsed, Remark
from controller.match.events import BoardLearned, CameraLost, EventRevised, MatchStarted, RemarkMade
from controller.match_log import (
    EvidencePicture,
    IntactChain,
    PictureKind,
    create_match,
    frame_files,
    frames_folder,
    read_match,
    verify,
)
from controller.match_log.event_json import event_text
from controller.subcommands import report
from controller.subcommands.report import _settings_text
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


def test_a_match_without_players_tells_nothing_of_people_either(
    data: Path, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    recording = RecordingUsed("Carla.mp4", 1, "ab")
    started = MatchStarted(0, "backgammon", None, "casual", Mode.REFEREE, "", "", 5, recordings=(recording,))
    with create_match(data / "matches" / "nobody.zmatch", "backgammon") as log:
        log.append((started, RemarkMade(0, Remark("Carla won"))))
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[leds]\nport = "{tmp_path}/leds"\n', encoding="utf-8")
    file = tmp_path / "help.zip"
    zarbiter("report nobody --no-doctor -o", file, "--data", data, "--config", settings)
    zarbiter("report --open", file)
    texts = [path.read_bytes() for path in (tmp_path / "help").iterdir()]
    assert not any(name in text for name in (b"Carla", bytes(tmp_path)) for text in texts)


def test_doctor_says_what_this_machine_is(data: Path, tmp_path: Path, zarbiter: Program) -> None:
    file = tmp_path / "help.zip"
    zarbiter("report evening -o", file, "--data", data)
    with zipfile.ZipFile(file) as archive:
        lines = archive.read("doctor.jsonl").decode().splitlines()
    assert all(json.loads(line) for line in lines)
    assert len(lines) > 3


def test_secrets_stay_at_home(data: Path, tmp_path: Path, zarbiter: Program) -> None:
    """Neither the password in a camera's address, nor the home folder, which is called after its owner."""
    settings = data / "settings.toml"
    settings.write_text(
        f"""
[camera]
source = "rtsp://anna:hunter2@camera.local/board?key=hunter3"
calibration = "{Path.home()}/none.json"
[play]
seen = "/media/anna-boris.mp4"
[hook]
Api_Token = "hunter4"
list = [{{ secret = "hunter5" }}]
"""
    )
    text = _settings_text(settings, ("Anna",))
    assert "hunter" not in text
    assert "anna" not in text
    assert "rtsp://camera.local/board" in text
    assert str(Path.home()) not in text
    assert "~/none.json" in text


# Names that are also letters, words and events of the log, and a round that looks like a step of a play.
@pytest.mark.parametrize("names", [("B", "W"), ("Match", "Play"), ("legal", "Roll"), ("Ann", "Made")])
def test_a_name_that_is_a_word_of_the_log(tmp_path: Path, zarbiter: Program, names: tuple[str, str]) -> None:
    """Nothing but the names is replaced."""
    first, *rest = disputed_events()
    assert isinstance(first, MatchStarted)
    recording = RecordingUsed(f"{names[0]} at home.mp4", 1, "0" * 64)
    occasion = Occasion(round="8/5")
    first = replace(first, white=names[0], black=names[1], occasion=occasion, recordings=(recording,))
    revised = EventRevised(9, 1, event_text(first))
    lost = (
        CameraLost(8, f"the camera of {names[0]} cannot be opened"),
        BoardLearned(8, "n", "f", "Ann/Made+B/W+Play", 1),
    )
    with create_match(tmp_path / f"{names[0]}.zmatch", "backgammon") as log:
        log.append((first, *rest, *lost, revised))
    zarbiter("report", tmp_path / f"{names[0]}.zmatch", "--no-doctor -o", tmp_path / "help.zip")
    zarbiter("report --open", tmp_path / "help.zip")
    started, *others = read_match(tmp_path / "help" / "match.zmatch").events
    assert isinstance(started, MatchStarted)
    hidden = {started.white, started.black, started.recordings[0].name}
    assert len(hidden) == 3
    assert not any(name in text for name in names for text in hidden)
    *kept, camera, learned, corrected = others
    assert (kept, learned) == (rest, lost[1])
    assert corrected == EventRevised(9, 1, event_text(started))
    assert isinstance(camera, CameraLost)
    assert "cannot be opened" in camera.sentence
    if len(names[0]) > 1:
        assert names[0] not in camera.sentence.split()
    assert names[0] not in json.loads((tmp_path / "help" / "report.json").read_text(encoding="utf-8"))["match"].split()


@pytest.fixture
def with_frames(data: Path) -> Path:
    """The data folder, whose match has three frames and a file that is none of ours."""
    folder = frames_folder(data / "matches" / "evening.zmatch")
    folder.mkdir()
    for taken_s in (9, 10, 11):
        (folder / f"{taken_s * 1000:012d}.jpg").write_bytes(b"\xff\xd8 %d" % taken_s)
    (folder / "letter.txt").write_text("Dear Boris")
    (folder / "000000012000.jpg").symlink_to(folder / "letter.txt")
    return data


def test_the_last_minutes_of_frames(with_frames: Path, tmp_path: Path, zarbiter: Program) -> None:
    """Opened, they lie beside the match as before."""
    said = zarbiter("report evening --no-doctor -o", tmp_path / "help.zip", "--data", with_frames)
    assert "match.zmatch, report.json, 3 frames; look through it" in said.out
    opened = zarbiter("report --open", tmp_path / "help.zip")
    assert "match.zmatch, report.json, 3 frames; zarbiter replay" in opened.out
    folder = frames_folder(tmp_path / "help" / "match.zmatch")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = frame_files(folder)
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert [file.read_bytes() for file in files] == [b"\xff\xd8 9", b"\xff\xd8 10", b"\xff\xd8 11"]
    assert len(list(folder.iterdir())) == len(files)


def test_frames_are_pictures_too(with_frames: Path, tmp_path: Path, zarbiter: Program) -> None:
    zarbiter("report evening --no-doctor --no-pictures -o", tmp_path / "help.zip", "--data", with_frames)
    with zipfile.ZipFile(tmp_path / "help.zip") as archive:
        assert archive.namelist() == ["match.zmatch", "report.json"]


def test_frames_that_cannot_be_read(
    with_frames: Path, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> tuple[Path, ...]:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr("controller.match_log.frame_files", refuse)
    said = zarbiter("report evening --no-doctor -o", tmp_path / "a.zip", "--data", with_frames, status=1).err
    folder = frames_folder(with_frames / "matches" / "evening.zmatch")
    assert said == f"zarbiter: {folder} cannot be read (Permission denied); see who may read it\n"
    assert not (tmp_path / "a.zip").exists()


def test_frames_of_a_stranger_go_nowhere_else_and_stay_few(
    with_frames: Path, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "_MOST_FRAMES", 4)
    file = tmp_path / "help.zip"
    zarbiter("report evening --no-doctor -o", file, "--data", with_frames)
    with zipfile.ZipFile(file, "a") as archive:
        for name in ("../1.jpg", "a/2.jpg", "3.jpg/", "/4.jpg", "5.png", "６.jpg", "7.jpg", "8.jpg"):
            archive.writestr(f"frames/{name}", b"x")
    zarbiter("report --open", file)
    names = [one.name for one in frame_files(frames_folder(tmp_path / "help" / "match.zmatch"))]
    assert names == ["7.jpg", "000000009000.jpg", "000000010000.jpg", "000000011000.jpg"]
    monkeypatch.setattr(report, "_MOST_PART_BYTES", 3)
    said = zarbiter("report --open", file, "-o", tmp_path / "again", status=1)
    assert "is no whole report; have it sent anew" in said.err


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


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_archive(tmp_path: Path, zarbiter: Program, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.writestr("match.zmatch", bytes(range(256)) * 9)
    content = bytearray((tmp_path / "a.zip").read_bytes())
    content[60:70] = bytes(10)
    (tmp_path / "a.zip").write_bytes(content)
    assert f"{tmp_path}/a.zip " in zarbiter("report --open", tmp_path / "a.zip", status=1).err


def test_a_damaged_log_is_sent_to_salvage(data: Path, tmp_path: Path, zarbiter: Program) -> None:
    log = data / "matches" / "evening.zmatch"
    log.write_bytes(log.read_bytes().replace(b"8/5 6/5", b"8/5 6/4"))
    said = zarbiter("report evening -o", tmp_path / "a.zip", "--data", data, status=1).err
    assert "salvage" in said
    assert not (tmp_path / "a.zip").exists()
