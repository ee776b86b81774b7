"""One film as a job: a frozen value goes to a process, which transcribes as a call for this film alone would, and a
frozen value comes back.

Whoever started the job and its process meet in a folder, its desk: the process writes there how far it is; the other one
touches `heard` to show that somebody waits still, and makes `stop` to end the job. A log takes each event at once, so
wherever a job ends, the next run goes on from there.
"""

import argparse
import logging
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from controller.match_log import MatchLogError, StorageError
from controller.private_files import make_private_folder, write_private
from controller.subcommands.match.recorded_match import DiskRefusesError
from controller.subcommands.options import CommandFailedError, UsageError
from controller.subcommands.transcribing.summary import transcription_record
from controller.subcommands.transcribing.transcription import transcribe
from vision import VisionError

Options = tuple[tuple[str, object], ...]
"""The options of `zarbiter transcribe` by name, as a value."""

LONELY_S = 60.0
"""A job that nobody has asked for so long ends: whoever started it was killed, or the network is gone. A knob: longer
pauses of a busy starter are forgiven, and a lost job holds its worker for as long."""
_TICK_S = 0.5
_PROGRESS, _HEARD, _STOP = "progress", "heard", "stop"


class FilmState(Enum):
    """What became of a film. UNSURE: a match with parts that were not judged; UNSAVED: the disk took no more."""

    READ = "read"
    UNSURE = "unsure"
    REFUSED = "refused"
    UNSAVED = "unsaved"


@dataclass(frozen=True, slots=True)
class FilmJob:
    """`match`: the log to be written, or gone on with. `desk`: see above. `threads`: their number for OpenCV."""

    film: Path
    match: Path
    desk: Path
    options: Options
    threads: int


@dataclass(frozen=True, slots=True)
class FilmOutcome:
    """`sentence` says why a film was refused; `record` is the object of `transcribe --json` for a film that was not.

    `warnings`: what transcribe says on standard error. `peak_mb`: the most memory that the process held, in 10^6 bytes.
    """

    state: FilmState
    sentence: str = ""
    record: dict[str, object] | None = None
    warnings: tuple[str, ...] = ()
    took_s: float = 0.0
    peak_mb: int = 0


@dataclass(frozen=True, slots=True)
class FilmProgress:
    """How far a process is with what it does now. `total` None: unknown."""

    pid: int
    done: int
    total: int | None
    doing: str


class JobStoppedError(Exception):
    """The job was asked to end, or nobody waits for it."""


def work_on_film(job: FilmJob) -> FilmOutcome:
    """Transcribes in this process. Raises JobStoppedError."""
    began_s = time.monotonic()
    _write_progress(job.desk, FilmProgress(os.getpid(), 0, None, "beginning"))
    with _collect_warnings() as warnings, _use_threads(job.threads):
        state, sentence, record = _transcribe(job)
    took_s = round(time.monotonic() - began_s, 1)
    return FilmOutcome(state, sentence, record, tuple(warnings), took_s, _peak_mb())


def _transcribe(job: FilmJob) -> tuple[FilmState, str, dict[str, object] | None]:
    options = argparse.Namespace(**dict(job.options), sources=[str(job.film)])
    try:
        done = transcribe(job.match, options, _BarMaker(job.desk))
    except (DiskRefusesError, StorageError) as error:
        return FilmState.UNSAVED, str(error), None
    except UsageError as error:
        return FilmState.REFUSED, "; ".join(error.sentences), None
    except (VisionError, MatchLogError, CommandFailedError) as error:
        return FilmState.REFUSED, str(error), None
    return FilmState.READ if done.is_complete else FilmState.UNSURE, "", transcription_record(done)


@contextmanager
def _collect_warnings() -> Iterator[list[str]]:
    """What commands would say on standard error during this job."""
    warnings: list[str] = []

    class Collecting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            warnings.append(record.getMessage())

    log, handler = logging.getLogger("zarbiter"), Collecting(logging.WARNING)
    was_propagated, log.propagate = log.propagate, False
    log.addHandler(handler)
    try:
        yield warnings
    finally:
        log.removeHandler(handler)
        log.propagate = was_propagated


@contextmanager
def _use_threads(count: int) -> Iterator[None]:
    from vision.pixels.inference import limit_threads

    before = limit_threads(count)
    try:
        yield
    finally:
        limit_threads(before)


def _peak_mb() -> int:
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, KiB elsewhere
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6)


@dataclass(slots=True)
class _BarMaker:
    """Makes the bars of one job, which write to its desk and end it when nobody waits for it."""

    desk: Path
    clock_s: Callable[[], float] = time.monotonic
    _heard: tuple[int, float] = (0, -1.0)  # when `heard` was touched last, and when that was noticed

    def __call__(self, doing: str, total: int | None) -> "_DeskBar":
        return _DeskBar(self, doing, total)

    def check(self, now_s: float) -> None:
        with suppress(OSError):
            touched_ns = (self.desk / _HEARD).stat().st_mtime_ns
            if touched_ns != self._heard[0]:
                self._heard = touched_ns, now_s
        if self._heard[1] < 0:
            self._heard = 0, now_s
        if (self.desk / _STOP).exists() or now_s - self._heard[1] > LONELY_S:
            raise JobStoppedError


@dataclass(slots=True)
class _DeskBar:
    maker: _BarMaker
    doing: str
    total: int | None
    _due_s: float = field(default=0.0)

    def show(self, done: int) -> None:
        now_s = self.maker.clock_s()
        if now_s >= self._due_s:
            self._due_s = now_s + _TICK_S
            self.maker.check(now_s)
            _write_progress(self.maker.desk, FilmProgress(os.getpid(), done, self.total, self.doing))

    def end(self) -> None:
        """The next bar takes its place."""


def _write_progress(desk: Path, now: FilmProgress) -> None:
    with suppress(OSError):  # a table without a row is no reason to lose a film
        write_private(desk / _PROGRESS, f"{now.pid}\n{now.done}\n{now.total or 0}\n{now.doing}\n".encode())


def lay_out_desk(desk: Path) -> None:
    """Raises OSError."""
    make_private_folder(desk)
    write_private(desk / _HEARD, b"")


def listen(desk: Path) -> FilmProgress | None:
    """How far the job is; None before its process has begun. Shows it that somebody waits."""
    with suppress(OSError, ValueError):
        os.utime(desk / _HEARD)
        pid, done, total, doing, _ = (desk / _PROGRESS).read_text(encoding="utf-8").split("\n")
        return FilmProgress(int(pid), int(done), int(total) or None, doing)
    return None


def ask_to_stop(desk: Path) -> None:
    with suppress(OSError):
        write_private(desk / _STOP, b"")
