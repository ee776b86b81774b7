"""A folder of films becomes a match for each, whatever happens to the processes meanwhile."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.match_log import StorageError
from controller.subcommands.transcribing import places
from controller.subcommands.transcribing.film_job import listen
from tests.controller.subcommands.called import Program
from tests.controller.subcommands.transcribing.archives import TURNS, Archive, events_of, make_archive, short_film
from tests.controller.table_pictures import calibration_file

pytestmark = pytest.mark.broad

LEAST_DONE = 10  # pictures of a film that is in the middle


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    return make_archive(tmp_path_factory.mktemp("archive"))


def read_archive(zarbiter: Program, archive: Archive, data: Path, *more: object, status: int = 1) -> dict[str, Any]:
    call = ("transcribe", archive.folder, *archive.options, "--json --data", data)
    found: dict[str, Any] = json.loads(zarbiter(*call, *more, status=status).out)
    return found


def kill_in_mid_film(desks: Path, killed: list[str]) -> None:
    """Kills the first process that is seen in the middle of its film."""
    until_s = time.monotonic() + 100
    while time.monotonic() < until_s and not killed:
        for desk in desks.glob("zarbiter-*/*-1"):
            now = listen(desk)
            if now is not None and now.done >= LEAST_DONE:
                os.kill(now.pid, signal.SIGKILL)
                killed.append(desk.name)
                return
        time.sleep(0.02)


@pytest.fixture
def killer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The desks whose process was killed."""
    desks, killed = tmp_path / "desks", list[str]()
    desks.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(desks))
    thread = threading.Thread(target=kill_in_mid_film, args=(desks, killed))
    thread.start()
    yield killed
    killed.append("")
    thread.join()


def test_an_archive(
    archive: Archive, tmp_path: Path, zarbiter: Program, killer: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes, one of them killed in mid-film: the match is that of a call for its film alone. Then nothing is left."""
    data = tmp_path / "data"
    found = read_archive(zarbiter, archive, data, "--jobs 2")
    films = {one["film"]: one for one in found["films"]}
    assert {name: one["state"] for name, one in films.items()} == {
        "a.mp4": "read",
        "broken.mp4": "refused",
        "more/b.mp4": "read",
    } | {"copy.mp4": "same"}
    assert films["copy.mp4"]["same_as"] == "a.mp4"
    assert "broken.mp4" in films["broken.mp4"]["sentence"]
    assert (found["read"], found["unsure"], found["refused"], found["same"]) == (2, 0, 1, 1)
    assert {name: films[name]["summary"]["turns"] for name in TURNS} == TURNS
    (killed,) = (name for name, one in films.items() if one["tries"] == 2)
    assert len(killer) == 1
    alone, summary = tmp_path / "alone.zmatch", films[killed]["summary"]
    call = ("transcribe", archive.folder / killed, *archive.options, "--json -o", alone)
    assert json.loads(zarbiter(*call).out) == summary | {"match": str(alone)}
    assert events_of(alone) == events_of(Path(summary["match"]))

    monkeypatch.setattr(places.ProcessPool, "places", lambda _self: pytest.fail("a film is read again"))
    again = read_archive(zarbiter, archive, data, "--jobs 2")
    assert [one["known"] for one in again["films"]] == [True, False, False, True]
    printed = zarbiter("transcribe", archive.folder, *archive.options, "--data", data, status=1)
    assert printed.out.splitlines()[0].startswith("a.mp4: read, 2 turns in 0 finished games, by an earlier run; ")
    assert printed.out.splitlines()[-1].startswith("4 films: 2 read, 0 unsure, 1 refused, 1 there twice; ")
    assert "stills holds pictures without times and is no film; transcribe it by itself with --stills" in printed.err


def test_a_full_disk_ends_a_transcription(tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """No turn is passed over: the next call goes on where the disk was full."""

    def refuse(*_given: object) -> None:
        raise StorageError(Path("a.zmatch"), "the disk is full")

    monkeypatch.setattr("controller.match_log.MatchLog.append", refuse)
    film = short_film(tmp_path / "evening.mp4", 1)
    call = ("transcribe", film, "--game backgammon --calibration", calibration_file(tmp_path))
    said = zarbiter(*call, "-o", tmp_path / "a.zmatch", status=1).err
    assert (
        "a.zmatch takes no more (the disk is full); see that the disk has room and call this again: it goes on" in said
    )
