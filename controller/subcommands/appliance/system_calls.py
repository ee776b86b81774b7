"""Programs of the system that the commands of an appliance call."""

import subprocess
from collections.abc import Mapping

from controller.subcommands.options import CommandFailedError

_TIMEOUT_S = 60.0
_MOST_SAID = 300  # characters of what a program says, in a sentence


def call_program(*words: str, env: Mapping[str, str] | None = None, timeout_s: float = _TIMEOUT_S) -> str:
    """What the program prints. Raises CommandFailedError with its words where it fails."""
    done = run_program(*words, env=env, timeout_s=timeout_s)
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split()) or f"status {done.returncode}"
        raise CommandFailedError(f"{' '.join(words)} failed: {said[-_MOST_SAID:]}; put that right and call this again")
    return done.stdout


def run_program(
    *words: str, env: Mapping[str, str] | None = None, timeout_s: float = _TIMEOUT_S
) -> "subprocess.CompletedProcess[str]":
    """The program's status and words. Raises CommandFailedError where it cannot be called."""
    try:
        return subprocess.run(  # noqa: S603 - commands of this room
            words, capture_output=True, text=True, timeout=timeout_s, check=False, env=env
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CommandFailedError(f"{words[0]} cannot be called ({error}); install it or call it by hand") from None
