"""The statistics of the live page: the newest report, and the process that makes the next one (`worker.py`).

A thread waits for the process, which lives while there is something to do. Work begins when somebody looks at the page and the
folder has changed, or when the operator wants an analysis.
"""

import json
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from controller.match_log import matches_folder
from controller.statistics.counting import list_written
from controller.statistics.gnubg import find_gnubg
from controller.statistics.report import Halt
from controller.statistics.store import FileIdentity, list_identities

_LEAST_SPACING_S = 2.0
"""A knob: the time between two looks at the folder, however many viewers ask."""
_END_S = 3.0  # a process that was told to end is killed then
_IS_LAST = True  # the process has the lowest priority, with which it may stand still on a busy machine
_BOOT = """\
import json, sys
sys.path[:], is_last = json.loads(sys.argv[1])
from controller.statistics.worker import serve
serve(is_last=is_last)
"""

Folder = frozenset[FileIdentity]


@dataclass(frozen=True, slots=True)
class StatisticsView:
    """`report` is JSON, empty until the first matches are counted. `halt`: why the last analysis went no further."""

    report: str = ""
    is_counting: bool = False
    is_analysing: bool = False
    halt: Halt | None = None


class StatisticsKeeper:
    """Made for a data folder, which need not exist. A match counts `delay_s` after its last event."""

    def __init__(self, data: Path, delay_s: float = 0.0) -> None:
        self._data, self._delay_s = data, delay_s
        self._lock = Lock()
        self._view = StatisticsView()
        self._looked_s = -_LEAST_SPACING_S
        self._wanted: Folder | None = None  # as it is on the disk
        self._counted: Folder | None = None  # as it is in the report
        self._left_out = frozenset[str]()
        self._until_ns = 0
        self._thread: Thread | None = None
        self._process: subprocess.Popen[str] | None = None
        self._ending: Thread | None = None
        self._is_closed = False

    @property
    def view(self) -> StatisticsView:
        return self._view

    def has_gnubg(self) -> bool:
        """Whether GNU Backgammon is installed. Takes a look at the disk."""
        return find_gnubg() is not None

    def refresh(self, left_out: frozenset[str] = frozenset()) -> None:
        """Counts what has changed, in the background. `left_out` are names of match files. Takes a look at the folder."""
        with self._lock:
            if time.monotonic() - self._looked_s < _LEAST_SPACING_S:
                return
            self._looked_s = time.monotonic()
        until_ns = time.time_ns() - int(self._delay_s * 1e9)
        left_out |= list_written(self._data)
        files = list_identities(matches_folder(self._data))
        folder = frozenset(one for one in files if one.name not in left_out and one.changed_ns <= until_ns)
        with self._lock:
            self._wanted, self._left_out, self._until_ns = folder, left_out, until_ns
            self._begin_work()

    def start_analysis(self) -> Halt | None:
        """Lets GNU Backgammon analyse all matches that have no analysis; the reason where it cannot begin."""
        if not self.has_gnubg():
            return Halt.NO_PROGRAM
        if list_written(self._data):
            return Halt.MATCH
        with self._lock:
            self._view = replace(self._view, is_analysing=True, halt=None)
            self._begin_work()
        return None

    def stop_analysis(self) -> None:
        with self._lock:
            if self._view.is_analysing:
                self._view = replace(self._view, is_analysing=False)
                self._end_process()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._end_process()
            threads = (self._thread, self._ending)
        for one in threads:
            if one is not None:
                one.join(_END_S + 1)

    def _begin_work(self) -> None:
        """Called with the lock."""
        if self._thread is None and not self._is_closed and self._has_work():
            self._view = replace(self._view, is_counting=self._wanted != self._counted)
            self._thread = Thread(target=self._work, name="statistics", daemon=True)
            self._thread.start()

    def _has_work(self) -> bool:
        return self._view.is_analysing or self._wanted != self._counted

    def _work(self) -> None:
        """The thread: one step after the other until nothing is left to do."""
        process: subprocess.Popen[str] | None = None
        while True:
            with self._lock:
                if self._is_closed or not self._has_work():
                    self._thread = None
                    self._view = replace(self._view, is_counting=False)
                    self._end_process()
                    return
                folder = self._wanted
                is_analysing = self._view.is_analysing and folder == self._counted
                step = {
                    "data": str(self._data.resolve()),
                    "left_out": sorted(self._left_out),
                    "until_ns": self._until_ns,
                    "is_analysing": is_analysing,
                }
            process = self._process or self._start_process()
            answer = None if process is None else _ask(process, step)
            with self._lock:
                self._take(answer, folder, is_analysing=is_analysing)

    def _start_process(self) -> "subprocess.Popen[str] | None":
        path = [str(Path(entry).resolve()) for entry in sys.path]
        with suppress(OSError):
            process = subprocess.Popen(  # noqa: S603 - our own interpreter with our own code
                [sys.executable, "-c", _BOOT, json.dumps([path, _IS_LAST])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,  # Ctrl-C in the terminal does not reach it
            )
            with self._lock:
                self._process = process
            return process
        return None

    def _take(self, answer: dict[str, Any] | None, folder: Folder | None, *, is_analysing: bool) -> None:
        """Called with the lock. Without an answer the process has ended: by our will, or because it was killed."""
        if answer is None:
            self._end_process()
            if is_analysing == self._view.is_analysing:  # nobody stopped it; it is not tried for ever
                self._counted = folder
                self._view = replace(self._view, is_analysing=False)
            return
        halt = None if answer["halt"] is None else Halt(answer["halt"])
        if not answer["n_left"]:
            self._counted = folder
        self._view = StatisticsView(
            json.dumps(answer["report"], separators=(",", ":")),
            is_counting=self._wanted != self._counted,
            is_analysing=self._view.is_analysing and halt is None,
            halt=self._view.halt if halt is None else halt,
        )

    def _end_process(self) -> None:
        """Called with the lock. The process ends with its input, and takes GNU Backgammon along."""
        process, self._process = self._process, None
        if process is not None:
            self._ending = Thread(target=_end, args=(process,), daemon=True)
            self._ending.start()


def _ask(process: "subprocess.Popen[str]", step: dict[str, object]) -> dict[str, Any] | None:
    """The answer to a step; None if the process has ended."""
    assert process.stdin is not None  # noqa: S101 - it was opened with pipes
    assert process.stdout is not None  # noqa: S101
    try:
        process.stdin.write(json.dumps(step) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        return dict(json.loads(line)) if line else None
    except (OSError, ValueError):  # a process that was killed may leave half a line
        return None


def _end(process: "subprocess.Popen[str]") -> None:
    with suppress(OSError, ValueError):
        if process.stdin is not None:
            process.stdin.close()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
