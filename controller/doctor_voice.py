"""What the doctor finds of the voice of this machine."""

from collections.abc import Iterator

from controller.doctor import Finding, ok, warning
from controller.speech.espeak import MISSING, PROGRAM


def voice_findings(*, is_wanted: bool, is_there: bool) -> Iterator[Finding]:
    """Nobody misses it who did not ask for it: pages speak by themselves."""
    check = "voice"
    if is_there:
        yield ok(check, f"{PROGRAM} is there{'' if is_wanted else '; it speaks with aloud = true under [speech]'}.")
    elif is_wanted:
        yield warning(check, f"{MISSING}.")
    else:
        yield ok(check, "nothing is to be said aloud by this machine.")
