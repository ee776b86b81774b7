"""Progress on standard error: a bar that redraws itself on a terminal, a line every 2 s elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Timer
from time import monotonic
from typing import Protocol

from controller.visible_text import Drawn
from controller.wording.progress import LEAST_S, Progress, progress_text

_BAR_EVERY_S, _LINE_EVERY_S = 0.2, 2.0


class Bar(Protocol):
    """What shows how far a job is."""

    def show(self, done: int) -> None: ...

    def end(self) -> None: ...


MakeBar = Callable[[str, int | None], Bar]
"""Makes a bar from what is counted, in the plural, and how many there are; None if that is not known."""


class ProgressBar:
    """`thing` names what is counted, in the plural."""

    def __init__(self, thing: str, total: int | None) -> None:
        self._thing = thing
        self._total = total
        self._start_s = self._drawn_s = monotonic()
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def show(self, done: int) -> None:
        now_s = monotonic()
        if now_s - self._drawn_s >= (_BAR_EVERY_S if self._is_terminal else _LINE_EVERY_S):
            self._drawn_s = now_s
            self._write(progress_text(Progress(done, self._total, now_s - self._start_s), self._thing))

    def end(self) -> None:
        """Erases the bar."""
        if self._is_terminal and self._width:
            self._write("")
            print(Drawn("\r"), end="", file=sys.stderr, flush=True)

    def _write(self, text: str) -> None:
        if sys.stderr is None:
            return
        if not self._is_terminal:
            print(f"zarbiter: {text}", file=sys.stderr, flush=True)
            return
        print(Drawn(f"\r{text:<{self._width}}"), end="", file=sys.stderr, flush=True)
        self._width = len(text)


@contextmanager
def announce_when_slow(doing: str, after_s: float = LEAST_S) -> Iterator[Event]:
    """Prints what is being done once it has taken `after_s`, for a step without progress; the event is set then."""
    said = Event()

    def say() -> None:
        if sys.stderr is not None:
            print(f"zarbiter: {doing} …", file=sys.stderr, flush=True)
        said.set()

    timer = Timer(after_s, say)
    timer.daemon = True
    timer.start()
    try:
        yield said
    finally:
        timer.cancel()
