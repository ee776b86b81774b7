"""Where films are transcribed: places that take one film at a time, each in a process of its own, on this machine."""

import os
import signal
import time
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Protocol

from controller.subcommands.transcribing.film_job import (
    FilmJob,
    FilmOutcome,
    FilmProgress,
    JobStoppedError,
    ask_to_stop,
    lay_out_desk,
    listen,
    work_on_film,
)
from vision.camera.quiet_libraries import quieten

_END_S = 10.0
"""A process that was asked to stop has so long to end its picture and close its log; then it is killed, which loses
nothing but that picture."""

_MOST_SAID = 120  # characters of what a process says, in a sentence


class WorkerDiedError(Exception):
    """The process of a film ended before the film did; the text says how, as far as it is known."""


class Place(Protocol):
    """Takes one film at a time."""

    @property
    def name(self) -> str: ...

    def start(self, job: FilmJob) -> None:
        """Begins a film. Raises OSError and WorkerDiedError."""
        ...

    def listen(self) -> FilmProgress | None:
        """How far the film is; None if that is not known. Shows the worker that somebody waits."""
        ...

    def outcome(self) -> FilmOutcome | None:
        """What became of the film; None while it goes on. Raises WorkerDiedError; the place is free then, too."""
        ...

    def ask_to_stop(self) -> None: ...


class Pool(Protocol):
    """The places there are at present; those of a cluster come and go."""

    def places(self) -> Sequence[Place]: ...

    def close(self) -> None:
        """Ends what still goes on; its log keeps what was read."""
        ...


@dataclass(slots=True)
class ProcessPlace:
    """A new process for each film: what a film left in memory is gone, and one that is killed takes no other along."""

    name: str
    _job: FilmJob | None = None
    _pool: ProcessPoolExecutor | None = None
    _future: "Future[FilmOutcome] | None" = None

    def start(self, job: FilmJob) -> None:
        lay_out_desk(job.desk)
        self._job = job
        self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=quieten)
        # Ctrl-C reaches every process of the terminal. Only this one answers it; the new one inherits that it waits.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._future = self._pool.submit(work_on_film, job)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

    def listen(self) -> FilmProgress | None:
        return None if self._job is None else listen(self._job.desk)

    def outcome(self) -> FilmOutcome | None:
        if self._future is None or not self._future.done():
            return None
        future, self._future = self._future, None
        if self._pool is not None:
            self._pool.shutdown()
        try:
            return future.result()
        except BrokenProcessPool:
            raise WorkerDiedError("its process was killed") from None
        except JobStoppedError:
            raise WorkerDiedError("its process was asked to stop") from None
        except Exception as error:  # noqa: BLE001 - whatever a film brings about, the others are read
            raise WorkerDiedError(f"its process failed ({type(error).__name__}: {str(error)[:_MOST_SAID]})") from None

    def ask_to_stop(self) -> None:
        if self._job is not None:
            ask_to_stop(self._job.desk)

    def end(self, until_s: float) -> None:
        """Waits until the process has ended, and kills it at that time (`time.monotonic`)."""
        if self._future is None or self._pool is None:
            return
        with suppress(Exception):  # whatever became of the film, its log holds it
            self._future.exception(timeout=max(0.0, until_s - time.monotonic()))
        now = self.listen()
        if not self._future.done() and now is not None:
            with suppress(OSError):
                os.kill(now.pid, signal.SIGKILL)
        self._pool.shutdown(cancel_futures=True)
        self._future = None


@dataclass(frozen=True, slots=True)
class ProcessPool:
    """`count` processes of this machine side by side."""

    count: int
    _places: list[ProcessPlace] = field(default_factory=list)

    def places(self) -> Sequence[ProcessPlace]:
        while len(self._places) < self.count:
            self._places.append(ProcessPlace(f"process {len(self._places) + 1}"))
        return self._places

    def close(self) -> None:
        for place in self._places:
            place.ask_to_stop()
        until_s = time.monotonic() + _END_S
        for place in self._places:
            place.end(until_s)
