"""The table of an archive on standard error: a row for each film that is being read, and one with the counts.

On a terminal it redraws itself; elsewhere each film that ends is a line, and a line every half minute tells how far all are.
"""

import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from controller.subcommands.transcribing.archive_report import FilmResult
from controller.subcommands.transcribing.film_job import FilmProgress
from controller.visible_text import Drawn, visible_text
from controller.wording.progress import Progress, progress_text

_TABLE_EVERY_S, _LINE_EVERY_S = 0.5, 30.0
_LEAST_ROWS = 3
_MOST_NAME = 32  # characters of a film's name


@dataclass(frozen=True, slots=True)
class RunningFilm:
    """A film that is being read; `now` None: its process has not begun."""

    name: str
    now: FilmProgress | None


class ProgressTable:
    """`total`: the films that there are."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._drawn_s = time.monotonic()
        self._height = 0

    def show(self, results: Sequence[FilmResult], running: Sequence[RunningFilm]) -> None:
        now_s = time.monotonic()
        if sys.stderr is None or now_s - self._drawn_s < (_TABLE_EVERY_S if self._is_terminal else _LINE_EVERY_S):
            return
        self._drawn_s = now_s
        counts = count_line(results, len(running), self._total)
        if not self._is_terminal:
            print(f"zarbiter: {counts}", file=sys.stderr, flush=True)
            return
        size = shutil.get_terminal_size()
        rows = table_rows(running, size.columns - 1, max(_LEAST_ROWS, size.lines - 2))
        self._draw([*rows, counts[: size.columns - 1]])

    def say(self, sentence: str) -> None:
        """A line above the table, which stays."""
        if sys.stderr is not None:
            self.end()
            print(f"zarbiter: {sentence}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Erases the table."""
        if self._height:
            self._draw([])

    def _draw(self, lines: Sequence[str]) -> None:
        up = f"\x1b[{self._height}A\r\x1b[J" if self._height else ""
        print(Drawn(up + "".join(f"{line}\n" for line in lines)), end="", file=sys.stderr, flush=True)
        self._height = len(lines)


def count_line(results: Sequence[FilmResult], n_running: int, total: int) -> str:
    """`12 of 40 films: 9 read, 2 unsure, 1 refused; 2 are being read`."""
    states = [result.state for result in results]
    counted = ", ".join(f"{states.count(state)} {state}" for state in ("read", "unsure", "refused"))
    return f"{len(results)} of {total} films: {counted}; {n_running} being read"


def table_rows(running: Sequence[RunningFilm], width: int, most: int) -> list[str]:
    """A row for each film, at most so many, and none longer than `width` characters."""
    rows = []
    for film in running[:most]:
        now = film.now
        how_far = "begins" if now is None else progress_text(Progress(now.done, now.total, 0.0), now.doing)
        rows.append(f"{visible_text(film.name)[-_MOST_NAME:]:<{_MOST_NAME}} {how_far}"[:width])
    if len(running) > most:
        rows[-1] = f"… and {len(running) - most + 1} more"
    return rows
