"""The process that counts and analyses for the live page, a step at a time. `keeper.py` starts it and tells it what to do.

Each line of its input is a step as JSON, each line of its output what came of it. It ends when its input ends, also in the
middle of an analysis. It has the lowest priority, and analyses nothing while a match is being played.
"""

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any, TextIO

from controller.match_log import MatchLogError
from controller.statistics.counting import FolderCounts, analyse_match, count_folder, list_pending, list_written
from controller.statistics.gnubg import NoAnalysisError, NoProgramError, StoppedError
from controller.statistics.report import Halt, make_report
from controller.statistics.store import FileIdentity
from controller.statistics.totals import ErrorsReader, total_archive

_SHORTEST_S, _LONGEST_S = 1.0, 16.0
"""A knob: the page gets what is counted so far after this time, first the shortest. A step writes all counts to the disk."""
_LOOK_EVERY_S = 0.5
"""A knob: GNU Backgammon is stopped so long after a match has begun."""
_LOWEST = 19  # of `nice`


def serve(*, is_last: bool) -> None:
    """Works until the input ends. `is_last`: with the lowest priority, as GNU Backgammon below it."""
    if is_last:
        _make_last()
    steps: Queue[dict[str, Any] | None] = Queue()
    has_ended = Event()
    Thread(target=_read_steps, args=(sys.stdin, steps, has_ended), daemon=True).start()
    worker: _Worker | None = None
    while (step := steps.get()) is not None:
        data = Path(step["data"])
        worker = worker if worker is not None and worker.data == data else _Worker(data, has_ended)
        answer = worker.work(frozenset(step["left_out"]), step["until_ns"], is_analysing=step["is_analysing"])
        with suppress(BrokenPipeError):
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


def _make_last() -> None:
    """Takes of the processor only what no other process wants."""
    with suppress(OSError):
        os.nice(_LOWEST)
    with suppress(OSError, AttributeError):  # Linux alone has it
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _read_steps(lines: TextIO, steps: "Queue[dict[str, Any] | None]", has_ended: Event) -> None:
    for line in lines:
        steps.put(json.loads(line))
    has_ended.set()
    steps.put(None)


@dataclass(slots=True)
class _Worker:
    """`failed` are the heads of matches of which GNU Backgammon makes nothing; they are tried again by the next process."""

    data: Path
    has_ended: Event
    failed: set[str] = field(default_factory=set)
    looked_s: float = 0.0
    step_s: float = _SHORTEST_S
    errors: ErrorsReader = field(init=False)

    def __post_init__(self) -> None:
        self.errors = ErrorsReader(self.data)

    def work(self, left_out: frozenset[str], until_ns: int, *, is_analysing: bool) -> dict[str, object]:
        """Counts for a moment, or analyses a match when all are counted."""

        def is_wanted(identity: FileIdentity) -> bool:
            return identity.name not in left_out and identity.changed_ns <= until_ns

        try:
            counts = count_folder(self.data, most_s=self.step_s, is_wanted=is_wanted)
        except MatchLogError:  # nobody may read the folder
            counts = FolderCounts(())
        self.step_s = min(2 * self.step_s, _LONGEST_S) if counts.n_left else _SHORTEST_S
        halt = self._analyse(counts) if is_analysing and not counts.n_left else None
        report = make_report(total_archive(counts, self.errors))
        return {"report": report, "n_left": counts.n_left, "halt": None if halt is None else halt.value}

    def _analyse(self, counts: FolderCounts) -> Halt | None:
        pending = [one for one in list_pending(self.data, counts) if one.head not in self.failed]
        if not pending:
            return Halt.FAILED if self.failed else Halt.DONE
        if list_written(self.data):
            return Halt.MATCH
        try:
            analyse_match(self.data, pending[0], self._may_go_on, is_last=False)
        except StoppedError:
            return Halt.MATCH
        except NoProgramError:
            return Halt.NO_PROGRAM
        except OSError:
            return Halt.DISK
        except (NoAnalysisError, MatchLogError):
            self.failed.add(pending[0].head)
        else:
            self.errors.forget(pending[0].head)
        return None

    def _may_go_on(self) -> bool:
        if self.has_ended.is_set():
            return False
        now_s = time.monotonic()
        if now_s - self.looked_s < _LOOK_EVERY_S:
            return True
        self.looked_s = now_s
        return not list_written(self.data)
