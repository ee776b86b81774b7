"""An archive on a real Dask scheduler and two workers on this machine, some of which do not live to the end."""

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from controller.subcommands.transcribing import cluster
from controller.subcommands.transcribing.film_job import FilmProgress, listen
from controller.subcommands.transcribing.program import describe_program
from tests.controller.subcommands.called import Program
from tests.controller.subcommands.transcribing.archives import TURNS, Archive, events_of, make_archive

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="Dask is not installed; pip install -e '.[cluster]'"
)
ROOT = Path(__file__).parents[4]
START_S, READ_S = 60.0, 100.0


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@dataclass(frozen=True)
class LocalCluster:
    address: str
    place: Path
    scheduler: "subprocess.Popen[bytes]"
    workers: "tuple[subprocess.Popen[bytes], ...]"

    def when_in_mid_film(self, do: Callable[[FilmProgress], None]) -> threading.Thread:
        """Does it as soon as a worker has read ten pictures of a film."""

        def watch() -> None:
            until_s = time.monotonic() + READ_S
            while time.monotonic() < until_s:
                for file in self.place.glob("*/*/*/*-1/progress"):
                    now = listen(file.parent)
                    if now is not None and now.done >= 10:
                        do(now)
                        return
                time.sleep(0.05)

        thread = threading.Thread(target=watch)
        thread.start()
        return thread


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[LocalCluster]:
    """A scheduler and two workers, as people start them, without nannies that would start them anew."""
    place, address = tmp_path / "dask", f"tcp://127.0.0.1:{free_port()}"
    place.mkdir()
    call = (sys.executable, "-m", "dask")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    quiet = {"cwd": place, "env": env, "stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: object) -> None:
        started.append(subprocess.Popen([*call, *map(str, words)], stdout=subprocess.DEVNULL, **quiet))  # type: ignore[call-overload]

    port = address.rpartition(":")[2]
    start("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
    for number in (1, 2):
        folder = place / f"worker{number}"
        start("worker", address, "--no-nanny", "--nthreads", 1, "--no-dashboard", "--local-directory", folder)
    try:
        until_s = time.monotonic() + START_S
        while len(list(place.glob("worker*/*/worker-*.dirlock"))) < 2 and time.monotonic() < until_s:
            time.sleep(0.1)
        yield LocalCluster(address, place, started[0], tuple(started[1:]))
    finally:
        for process in started:
            process.kill()
            process.wait()


@needs_dask
@pytest.mark.slow
@pytest.mark.timeout(400)  # three processes load every network anew, on a machine that may be busy
class TestWorkers:
    def test_one_is_killed_in_mid_film(self, dask: LocalCluster, tmp_path: Path, zarbiter: Program) -> None:
        """The other one reads what is left, and each match is that of a call for its film alone."""
        archive, killed = make_archive(tmp_path), list[int]()

        def kill(now: FilmProgress) -> None:
            killed.append(now.pid)
            os.kill(now.pid, signal.SIGKILL)

        watching = dask.when_in_mid_film(kill)
        found = read_on(dask, archive, tmp_path / "data", zarbiter)
        watching.join()
        films = {one["film"]: one for one in found["films"]}
        assert {name: one["state"] for name, one in films.items()} == {
            "a.mp4": "read",
            "broken.mp4": "refused",
            "copy.mp4": "same",
            "more/b.mp4": "read",
        }
        assert [one["tries"] for one in films.values()].count(2) == len(killed) == 1
        for name in TURNS:
            alone, summary = tmp_path / f"{Path(name).stem}.zmatch", films[name]["summary"]
            call = ("transcribe", archive.folder / name, *archive.options, "--json -o", alone)
            assert json.loads(zarbiter(*call).out) == summary | {"match": str(alone)}
            assert events_of(alone) == events_of(Path(summary["match"]))
        assert list(dask.place.glob("*/*/*/*.zmatch")) == []

    def test_the_scheduler_is_killed(
        self, dask: LocalCluster, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One sentence; what was copied here meanwhile is kept, and this machine goes on alone."""
        monkeypatch.setattr(cluster, "COPY_S", 0.0)
        archive = make_archive(tmp_path)

        def kill(_now: FilmProgress) -> None:
            time.sleep(2 * cluster._LISTEN_S)  # a copy comes here
            dask.scheduler.kill()

        watching = dask.when_in_mid_film(kill)
        call = ("transcribe", archive.folder, *archive.options, "--data", tmp_path / "data", "--cluster", dask.address)
        said = zarbiter(*call, status=1).err
        watching.join()
        assert (
            f"the scheduler at {dask.address} is gone; start it again and call this again: what was read is kept"
            in said
        )
        call = ("transcribe", archive.folder, *archive.options, "--json --data", tmp_path / "data")
        assert json.loads(zarbiter(*call, status=1).out)["read"] == 2

    def test_none_runs_this_version(
        self, dask: LocalCluster, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        open_cluster, older = cluster.open_cluster, replace(describe_program(), zarbiter="0.1")

        def open_older(address: str) -> cluster.Cluster:
            opened = open_cluster(address)
            opened.own = older
            return opened

        monkeypatch.setattr(cluster, "open_cluster", open_older)
        monkeypatch.setattr(cluster, "_CONNECT_S", 5.0)
        archive = make_archive(tmp_path)
        call = ("transcribe", archive.folder, *archive.options, "--data", tmp_path / "data", "--cluster", dask.address)
        said = zarbiter(*call, status=1).err
        assert "and not 0.1; install what is here" in said
        assert f"no worker of the scheduler at {dask.address} can read films (tcp://127.0.0.1:" in said
        assert said.endswith(" with this version of zarbiter on each machine that reaches them\n")


def read_on(dask: LocalCluster, archive: Archive, data: Path, zarbiter: Program) -> dict[str, list[dict[str, Any]]]:
    call = ("transcribe", archive.folder, *archive.options, "--json --data", data, "--cluster", dask.address)
    found: dict[str, list[dict[str, Any]]] = json.loads(zarbiter(*call, status=1).out)
    return found


@needs_dask
def test_nobody_answers(tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECT_S", 0.3)
    (tmp_path / "a.mp4").write_bytes(b"no film")
    for address in (f"tcp://127.0.0.1:{free_port()}", "nonsense://x"):
        said = zarbiter("transcribe", tmp_path, "--cluster", address, "--data", tmp_path / "data", status=1).err
        assert f"no scheduler answers at {address} (" in said
        assert "); start one with dask scheduler, or correct the address" in said


def test_without_dask(tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    (tmp_path / "a.mp4").write_bytes(b"no film")
    call = ("transcribe", tmp_path, "--json --cluster tcp://127.0.0.1:1 --data", tmp_path / "data")
    printed = zarbiter(*call, status=1)
    said = printed.err
    assert json.loads(printed.out) == {"complete": False, "error": said.removeprefix("zarbiter: ").strip()}
    assert said.endswith("not installed; call pip install 'zarbiter[cluster]' here and for each worker\n")


def test_what_two_programs_differ_in() -> None:
    own = describe_program()
    assert own.differences(own) == ""
    assert replace(own, opencv="4.11", numpy="1.26").differences(replace(own, opencv="5.0", numpy="2.4")) == (
        "opencv 4.11 and not 5.0, numpy 1.26 and not 2.4"
    )
