"""Runs an installed GNU Backgammon as a child process, with a temporary home folder."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from controller.formats import MatchHistory, NotForThisGameError, sgf_text
from controller.statistics.analysis import MatchAnalysis, make_analysis
from controller.statistics.gnubg_program import ANALYSIS_FILE, MATCH_FILE, PROGRAM

NOT_INSTALLED = "GNU Backgammon is not installed; on Debian and Raspberry Pi OS, apt install gnubg"
_SEARCH_PATH = "/usr/games:/usr/local/games"  # Debian installs it there, outside many users' PATH
_TIMEOUT_S = 1_800.0
_LOOK_EVERY_S = 0.1
_LOWEST = 19  # of `nice`
_MOST_ANSWER_BYTES = 64_000_000


class NoAnalysisError(RuntimeError):
    """No analysis was made; the text is one sentence with the reason and, if possible, the remedy."""


class NoProgramError(NoAnalysisError):
    """GNU Backgammon is not installed on this machine, or cannot be started: no other match can be analysed either."""


class StoppedError(NoAnalysisError):
    """The analysis was given up because something else is more important now."""


def find_gnubg() -> str | None:
    """The path of the program; None where it is not installed."""
    return shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:{_SEARCH_PATH}")


def run_analysis(
    match: MatchHistory, may_go_on: Callable[[], bool] = lambda: True, *, is_last: bool = True
) -> MatchAnalysis:
    """Takes some seconds a game. `may_go_on` is asked ten times a second. Raises NoAnalysisError.

    `is_last`: GNU Backgammon gets the lowest priority, else that of this process.
    """
    try:
        text, _ = sgf_text(match)
    except NotForThisGameError as error:
        raise NoAnalysisError(f"GNU Backgammon does not know this game ({error})") from None
    program = find_gnubg()
    if program is None:
        raise NoProgramError(NOT_INSTALLED)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / MATCH_FILE).write_text(text, encoding="utf-8", errors="replace")
        (folder / "analysis.py").write_text(PROGRAM, encoding="utf-8")
        _run_gnubg(program, folder, may_go_on, _LOWEST if is_last else 0)
        return _read_answer(match, folder / ANALYSIS_FILE)


def _run_gnubg(program: str, folder: Path, may_go_on: Callable[[], bool], niceness: int) -> None:
    call = (program, "-t", "-q", "-r", "-p", "analysis.py")
    until_s = time.monotonic() + _TIMEOUT_S
    try:
        running = subprocess.Popen(  # noqa: S603 - the program that was found, with arguments of ours
            call,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,  # GNU Backgammon reads only the first word of a path with spaces
            env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
        )
    except OSError as error:
        raise NoProgramError(
            f"GNU Backgammon could not be started ({error.strerror or error}); install it anew"
        ) from None
    try:
        if niceness:
            with suppress(OSError):  # it has ended already
                os.setpriority(os.PRIO_PROCESS, running.pid, niceness)
        while running.poll() is None:
            if not may_go_on():
                raise StoppedError("the analysis was stopped")
            if time.monotonic() > until_s:
                raise NoAnalysisError("GNU Backgammon was not ready within half an hour")
            time.sleep(_LOOK_EVERY_S)
    finally:
        running.kill()
        running.wait()


def _read_answer(match: MatchHistory, file: Path) -> MatchAnalysis:
    try:
        with file.open("rb") as opened:
            answer = json.loads(opened.read(_MOST_ANSWER_BYTES))
        return make_analysis(match, answer)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        raise NoAnalysisError("GNU Backgammon gave none; see whether gnubg starts by itself") from None
