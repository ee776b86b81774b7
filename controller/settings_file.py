"""The settings of a running match: the file is read again when it changes, and a broken one leaves the last good in force."""

from collections.abc import Callable
from pathlib import Path

from controller.settings import Given, Known, Settings, SettingsError, read_settings

LOOK_EVERY_MS = 1_000


class SettingsFile:
    """`given` and `good` are as they were at the start; `tell` gets a sentence for whoever edits the file."""

    def __init__(self, given: Given, known: Known, good: Settings, tell: Callable[[str], None]) -> None:
        self._given = given
        self._known = known
        self._good = good
        self._tell = tell
        self._looked_ms: int | None = None
        self._stamp = _stamp(given.file)

    def now(self, now_ms: int) -> Settings:
        """The last good ones; the file is looked at once a second at most."""
        if self._looked_ms is None or now_ms - self._looked_ms >= LOOK_EVERY_MS:
            self._looked_ms = now_ms
            stamp = _stamp(self._given.file)
            if stamp != self._stamp and self._given.file is not None:
                self._stamp = stamp
                self._read_again(self._given.file)
        return self._good

    def _read_again(self, file: Path) -> None:
        try:
            text = file.read_text(encoding="utf-8")
            self._good = read_settings(Given(text, file, self._given.options), self._known)
        except SettingsError as error:
            for mistake in error.mistakes:
                self._tell(f"{mistake}.")
            self._tell(f"{file} was changed and is not used; the settings before it stay.")
        except (OSError, UnicodeDecodeError) as error:
            self._tell(f"{file} cannot be read ({error}); the settings before it stay.")
        else:
            self._tell(f"{file} was changed; brightness and mode hold from now on, the rest from the next match.")


def _stamp(file: Path | None) -> tuple[int, int] | None:
    """Something that changes when the file does; None while there is none."""
    try:
        stat = None if file is None else file.stat()
    except OSError:
        return None
    return None if stat is None else (stat.st_mtime_ns, stat.st_size)
