"""Films on the workers of a Dask cluster that is there already. The machines share the films; logs travel.

A worker keeps the log of its film in a folder of its own, and returns it with the outcome. Every minute a copy comes here
meanwhile, so that a machine that dies takes no more than that along. A place is one worker: two films in one process would
share networks that answer one at a time.
"""

import logging
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from controller.match_log import MatchLogError
from controller.match_log.copies import copy_match, replace_match
from controller.private_files import make_private_folder, write_private
from controller.subcommands.options import CommandFailedError, format_count
from controller.subcommands.transcribing.film_job import (
    FilmJob,
    FilmOutcome,
    FilmProgress,
    ask_to_stop,
    lay_out_desk,
    listen,
    work_on_film,
)
from controller.subcommands.transcribing.places import WorkerDiedError
from controller.subcommands.transcribing.program import Program, describe_program

_LOG = logging.getLogger("zarbiter.transcribe")

COPY_S = 60.0
"""The interval at which the log of a film that is being read is copied here; a knob: a copy is some 10 MB at most, and so
much of the work is lost with a machine."""
_CONNECT_S = 10.0
_NO_WORKER_S = 60.0  # a cluster may start its workers anew
_LISTEN_S = 2.0
_ANSWER_S = 60.0  # a log on its way through a slow network
_END_S = 10.0

Loaded = tuple[FilmOutcome, bytes | None]


def open_cluster(address: str) -> "Cluster":
    """Raises CommandFailedError where Dask is not installed, or nobody answers at this address."""
    try:
        from distributed import Client
    except ImportError:
        raise CommandFailedError(
            "--cluster needs Dask, which is not installed; call pip install 'zarbiter[cluster]' here and for each worker"
        ) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # it tells of each connection that ends
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions: ours are compared below
            client = Client(address, timeout=_CONNECT_S, set_as_default=False, name="zarbiter")
    except (OSError, ValueError, TypeError) as error:
        raise CommandFailedError(
            f"no scheduler answers at {address} ({' '.join(str(error).split())[:120]}); start one with dask scheduler, or"
            " correct the address"
        ) from None
    return Cluster(client, address, describe_program())


def work_with_log(job: FilmJob, begun: bytes | None) -> Loaded:
    """Runs on a worker: goes on with a log that was begun elsewhere, and returns it."""
    try:
        make_private_folder(job.match.parent)
        if begun is not None:
            write_private(job.match, begun)
        outcome = work_on_film(job)
        return outcome, job.match.read_bytes() if job.match.exists() else None
    finally:
        for file in (*job.match.parent.glob(f"{job.match.name}*"), *job.desk.glob("*")):
            file.unlink(missing_ok=True)


def copy_log(match: Path) -> bytes | None:
    """One moment of a match, also while it is being written; None if there is none yet."""
    if not match.exists():
        return None
    with tempfile.TemporaryDirectory(prefix="zarbiter-") as folder:
        copy_match(match, Path(folder) / match.name)
        return (Path(folder) / match.name).read_bytes()


@dataclass(slots=True)
class WorkerPlace:
    """A worker by its address. `folder`: its own, which Dask clears; `threads`: their number there."""

    cluster: "Cluster"
    name: str
    folder: Path
    threads: int
    _here: Path = Path()  # where the log of the present film belongs
    _far: FilmJob | None = None
    _future: Any = None
    _heard: tuple[float, FilmProgress | None] = (0.0, None)
    _copied_s: float = 0.0
    _copied: bytes | None = None

    def start(self, job: FilmJob) -> None:
        """Raises MatchLogError for a log that cannot be gone on with."""
        desk = self.folder / f"{job.desk.parent.name}-{job.desk.name}"
        self._here, self._far = job.match, replace(job, desk=desk, match=desk / job.match.name, threads=self.threads)
        self._heard, self._copied_s = (0.0, None), time.monotonic()
        self._copied = begun = copy_log(job.match)
        if self.cluster.run(lay_out_desk, desk, at=self.name) is not _FAILED:  # else `outcome` says that it is gone
            self._future = self.cluster.submit(self._far, begun, at=self.name)

    def listen(self) -> FilmProgress | None:
        now_s = time.monotonic()
        if self._far is not None and now_s - self._heard[0] >= _LISTEN_S:
            answer = self.cluster.run(listen, self._far.desk, at=self.name)
            self._heard = now_s, answer if isinstance(answer, FilmProgress) else self._heard[1]
            if now_s - self._copied_s >= COPY_S:
                self.fetch_log()
        return self._heard[1]

    def fetch_log(self) -> None:
        """Takes a copy of the log as far as it is."""
        self._copied_s = time.monotonic()
        if self._far is not None:
            copied = self.cluster.run(copy_log, self._far.match, at=self.name)
            if isinstance(copied, bytes) and copied != self._copied:
                self._copied = copied
                with suppress(MatchLogError):  # the whole log comes at the end
                    replace_match(self._here, copied)

    def outcome(self) -> FilmOutcome | None:
        if self._far is None:
            return None
        self.cluster.check()
        if self._future is None or (not self._future.done() and self.name not in self.cluster.addresses()):
            self._forget()
            raise WorkerDiedError(f"the worker {self.name} is gone")
        if not self._future.done():
            return None
        future = self._future
        try:
            outcome, log = future.result(timeout=_ANSWER_S)
        except Exception as error:  # noqa: BLE001 - whatever a worker raises; the log that is here stays
            self.cluster.check()
            raise WorkerDiedError(f"the worker {self.name} failed ({type(error).__name__})") from None
        finally:
            self._forget()
        if log is not None:
            replace_match(self._here, log)
        return outcome if isinstance(outcome, FilmOutcome) else None

    def ask_to_stop(self) -> None:
        if self._far is not None:
            self.fetch_log()
            self.cluster.run(ask_to_stop, self._far.desk, at=self.name)

    def is_busy(self) -> bool:
        return self._future is not None and not self._future.done()

    def _forget(self) -> None:
        if self._future is not None:
            self._future.release()
        self._far = self._future = None


class _Failed:
    """The answer of a worker that gave none."""


_FAILED = _Failed()


@dataclass(slots=True)
class Cluster:
    """The workers of a scheduler that run this program, `own`."""

    client: Any
    address: str
    own: Program
    _places: dict[str, WorkerPlace] = field(default_factory=dict)
    _refused: dict[str, str] = field(default_factory=dict)  # why, by the address
    _looked_s: float = -1e9
    _workers: dict[str, Any] = field(default_factory=dict)
    _seen_s: float = field(default_factory=time.monotonic)  # when there was a worker last

    def places(self) -> Sequence[WorkerPlace]:
        """Raises CommandFailedError when no worker comes for a minute."""
        self.check()
        for address in self.addresses() - self._places.keys() - self._refused.keys():
            self._add(address)
        there = [place for address, place in self._places.items() if address in self._workers]
        now_s = time.monotonic()
        if there:
            self._seen_s = now_s
        elif now_s - self._seen_s > (_CONNECT_S if not self._places else _NO_WORKER_S):
            why = "; ".join(self._refused.values()) or "it has none"
            raise CommandFailedError(
                f"no worker of the scheduler at {self.address} can read films ({why}); start dask worker {self.address} with"
                " this version of zarbiter on each machine that reaches them"
            )
        return there

    def addresses(self, within_s: float = 1.0) -> set[str]:
        """The workers, as the scheduler had them so long ago at most."""
        now_s = time.monotonic()
        if now_s - self._looked_s >= within_s:
            try:  # `scheduler_info` answers from a memory that a heartbeat may have emptied of its workers meanwhile
                known = self.client.sync(self.client.scheduler.identity, n_workers=-1)
            except Exception:  # noqa: BLE001 - a connection that breaks may raise anything
                self.check()
            else:
                self._looked_s, self._workers = now_s, dict(known["workers"])
        return set(self._workers)

    def _add(self, address: str) -> None:
        theirs = self.run(describe_program, at=address)
        if theirs == self.own:
            known = self._workers[address]
            self._places[address] = WorkerPlace(self, address, Path(known["local_directory"]), int(known["nthreads"]))
            return
        has = theirs.differences(self.own) if isinstance(theirs, Program) else "it has no zarbiter like the one here"
        self._refused[address] = f"{address}: {has}"
        _LOG.warning("the worker %s is left out: %s; install what is here", address, has)

    def run(self, function: Callable[..., object], *given: object, at: str) -> object:
        """What the function returns on this worker, or a `_Failed`."""
        if at not in self.addresses(0.0):
            return _FAILED  # the scheduler would try half a minute to connect to it
        try:
            answers = self.client.run(function, *given, workers=[at], on_error="return")
        except Exception:  # noqa: BLE001 - a worker that ends meanwhile raises whatever its connection does
            self.check()
            return _FAILED
        answer = answers.get(at, _FAILED)
        return _FAILED if isinstance(answer, BaseException) else answer

    def submit(self, job: FilmJob, begun: bytes | None, *, at: str) -> Any:
        """The future of a film; None if the worker has just gone."""
        try:
            given = begun and self.client.scatter(begun, workers=[at], hash=False, timeout=_ANSWER_S)
            return self.client.submit(work_with_log, job, given, workers=[at], pure=False, retries=0)
        except Exception:  # noqa: BLE001 - as above
            self.check()
            return None

    def check(self) -> None:
        """Raises CommandFailedError when the scheduler is gone."""
        if self.client.status != "running":
            raise CommandFailedError(
                f"the scheduler at {self.address} is gone; start it again and call this again: what was read is kept"
            )

    def close(self) -> None:
        """Copies what was read, ends what still goes on, and leaves."""
        busy = [place for place in self._places.values() if place.is_busy()]
        with suppress(CommandFailedError):
            for place in busy:
                place.ask_to_stop()
            until_s = time.monotonic() + _END_S
            while any(place.is_busy() for place in busy) and time.monotonic() < until_s:
                self.check()
                time.sleep(_LISTEN_S / 10)
            if any(place.is_busy() for place in busy):
                _LOG.warning("%s still ends what it did", format_count(len(busy), "worker"))
        with suppress(Exception):
            self.client.close(timeout=_END_S)
