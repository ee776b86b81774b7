"""Runs an installed GNU Backgammon as a child process, with a temporary home folder."""

import logging
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.formats import ErrorRate, MatchHistory

_SEARCH_PATH = "/usr/games:/usr/local/games"  # Debian installs it there, outside many users' PATH
_TIMEOUT_S = 1_800.0


class NoAnalysisError(RuntimeError):
    """No analysis was made; the text is one sentence with the reason and, if possible, the remedy."""


def run_analysis(match: "MatchHistory", log: logging.Logger) -> "tuple[ErrorRate, ...]":
    """Raises NoAnalysisError."""
    from controller.formats import NotForThisGameError, make_analysis_commands, parse_error_rates, sgf_text

    try:
        text, _ = sgf_text(match)
    except NotForThisGameError as error:
        raise NoAnalysisError(f"GNU Backgammon does not know this game ({error})") from None
    program = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:{_SEARCH_PATH}")
    if program is None:
        raise NoAnalysisError("GNU Backgammon is not installed; on Debian and Raspberry Pi OS, apt install gnubg")
    log.warning("GNU Backgammon analyses the match, which takes some seconds a game")
    with tempfile.TemporaryDirectory() as folder:
        file, commands = Path(folder) / "match.sgf", Path(folder) / "commands"
        file.write_text(text, encoding="utf-8", errors="replace")
        commands.write_text(make_analysis_commands(file.name), encoding="utf-8")
        rates = parse_error_rates(_run_gnubg(program, commands, Path(folder)))
    if not rates:
        raise NoAnalysisError("GNU Backgammon gave none")
    return rates


def _run_gnubg(program: str, commands: Path, home: Path) -> str:
    call = (program, "-t", "-q", "-r", "-c", commands.name)
    try:
        done = subprocess.run(  # noqa: S603 - the program that was found, with arguments of ours
            call,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
            cwd=home,  # GNU Backgammon reads only the first word of a path with spaces
            env={**os.environ, "HOME": str(home), "LC_ALL": "C.UTF-8"},
        )
    except subprocess.TimeoutExpired:
        raise NoAnalysisError("GNU Backgammon was not ready within half an hour") from None
    except OSError as error:
        raise NoAnalysisError(f"GNU Backgammon could not be started ({error.strerror or error})") from None
    return done.stdout.decode("utf-8", "replace")
