"""The settings file of a running program.

`SettingsWatcher` reads the file again when it changes; an invalid file leaves the last valid settings in force.
`SettingsStore` reads, checks, changes and writes the file. It keeps the last valid version beside the file, under the same
name with `.last-good` appended.
"""

import errno
import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from controller.match import PROFILES
from controller.plain_file import read_plain_file
from controller.private_files import FILE_MODE, make_private_folder
from controller.rules import MOST_TOML_BYTES, RulesetError, TomlTextError, parse_house_variant, read_toml
from controller.rules.bounded_toml import KeyPath
from controller.rules.house_rules import place_problems
from controller.settings.atomic_file import write_atomically
from controller.settings.build_match_config import HouseVariant, StartPositionError, build_match_config
from controller.settings.settings import (
    KnownNames,
    Mistake,
    Settings,
    SettingsError,
    SettingsInput,
    make_mistake,
    read_settings,
)
from controller.settings.toml_edit import TomlScalar, with_values
from controller.wording.rules_pages import list_games

POLL_INTERVAL_MS = 1_000
LAST_GOOD = ".last-good"
_RULES, _POSITION = ("rules",), ("position",)

Options = tuple[tuple[KeyPath, str, object], ...]


class SettingsWatcher:
    """`given` and `good` are the input and the settings at the start; `report` gets a sentence for each change."""

    def __init__(self, given: SettingsInput, known: KnownNames, good: Settings, report: Callable[[str], None]) -> None:
        self._input = given
        self._known = known
        self._last_good = good
        self._report = report
        self._polled_ms: int | None = None
        self._stamp = _stamp(given.file)

    def poll(self, now_ms: int) -> Settings:
        """The last valid settings. The file is checked once a second at most."""
        if self._polled_ms is None or now_ms - self._polled_ms >= POLL_INTERVAL_MS:
            self._polled_ms = now_ms
            stamp = _stamp(self._input.file)
            if stamp != self._stamp and self._input.file is not None:
                self._stamp = stamp
                self._reload(self._input.file)
        return self._last_good

    def _reload(self, file: Path) -> None:
        try:
            text = read_plain_file(file, MOST_TOML_BYTES).decode("utf-8")
            self._last_good = read_settings(SettingsInput(text, file, self._input.options), self._known)
        except SettingsError as error:
            for mistake in error.mistakes:
                self._report(f"{mistake}.")
            self._report(f"{file} was changed and is not used; the settings before it stay.")
        except (OSError, UnicodeDecodeError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or error
            self._report(f"{file} cannot be read ({reason}); the settings before it stay.")
        else:
            self._report(f"{file} was changed; brightness and mode hold from now on, the rest from the next match.")


def _stamp(file: Path | None) -> tuple[int, int] | None:
    """Modification time and size; None where there is no file."""
    try:
        stat = None if file is None else file.stat()
    except OSError:
        return None
    return None if stat is None else (stat.st_mtime_ns, stat.st_size)


@dataclass(frozen=True, slots=True)
class CheckedSettings:
    """Valid settings, with the house variant that they name and all names that may be given."""

    settings: Settings
    house: HouseVariant | None
    known: KnownNames


@dataclass(frozen=True, slots=True)
class SettingsText:
    """The content of the file. `seal` is its digest; `problem` says why it cannot be used, and is empty where it can."""

    text: str
    seal: str
    values: Mapping[str, Any]
    problem: str = ""


class FileChangedError(ValueError):
    """The file has changed since it was read."""


class SettingsStore:
    """`options` are those of the command line, which override the file. The file need not exist."""

    def __init__(self, file: Path, options: Options = ()) -> None:
        self.file = file
        self.options = options
        self._lock = Lock()

    @property
    def option_values(self) -> Mapping[KeyPath, tuple[str, object]]:
        """The option name and the value for each key given on the command line."""
        return {key: (option, value) for key, option, value in self.options}

    def read(self) -> SettingsText:
        """Reads the file; a missing file is empty. OSError where it cannot be read."""
        try:
            content = read_plain_file(self.file, MOST_TOML_BYTES)
        except FileNotFoundError:
            content = b""
        except OSError as error:
            if error.errno not in (errno.EFBIG, errno.EINVAL):
                raise
            return SettingsText("", "", {}, f"{error.strerror}; name another file or make it shorter")
        seal = hashlib.sha256(content).hexdigest()
        try:
            text = content.decode("utf-8")
            return SettingsText(text, seal, read_toml(text))
        except UnicodeDecodeError as error:
            return SettingsText("", seal, {}, f"this is no TOML: {error}; correct that place")
        except TomlTextError as error:
            return SettingsText("", seal, {}, str(error))

    def read_usable(self) -> SettingsText:
        """Reads the file; SettingsError where it has a problem."""
        read = self.read()
        if read.problem:
            raise SettingsError((Mistake(str(self.file), read.problem),))
        return read

    def load(self) -> CheckedSettings:
        """The settings for a match that begins now. Raises SettingsError; OSError where the file cannot be read."""
        return self.check(self.read_usable().text)

    def check(self, text: str, more_options: Options = ()) -> CheckedSettings:
        """Checks a settings text; `more_options` override everything. SettingsError with all mistakes, also of the variant."""
        given = SettingsInput(text, self.file, (*self.options, *more_options))
        house, mistakes = self._load_house_variant(given)
        known = make_known_names(house)
        try:
            settings = read_settings(given, known)
        except SettingsError as error:
            raise SettingsError((*mistakes, *error.mistakes)) from None
        if mistakes:
            raise SettingsError(mistakes)
        try:
            build_match_config(settings, house)
        except StartPositionError as error:
            raise SettingsError((make_mistake(_POSITION, str(error), given),)) from None
        return CheckedSettings(settings, house, known)

    def load_house_variant(self, text: str) -> HouseVariant | None:
        """The house variant that a settings text or the command line names; None where it cannot be read."""
        return self._load_house_variant(SettingsInput(text, self.file, self.options))[0]

    def save(
        self, changes: Mapping[KeyPath, TomlScalar], seal: str, wrong: tuple[Mistake, ...] = ()
    ) -> CheckedSettings:
        """Changes values in the file.

        SettingsError with all mistakes, `wrong` among them; nothing is written then. FileChangedError where `seal` is not
        that of the present file. OSError where the file cannot be written.
        """
        with self._lock:
            before = self.read_usable()
            if before.seal != seal:
                raise FileChangedError(self.file.name)
            text = with_values(before.text, changes)
            try:
                checked = self.check(text)
            except SettingsError as error:
                raise SettingsError((*wrong, *error.mistakes)) from None
            if wrong:
                raise SettingsError(wrong)
            if text != before.text:
                self._keep_last_good(before.text)
                make_private_folder(self.file.parent)
                if self.read().seal != seal:  # changed by somebody else in the meantime
                    raise FileChangedError(self.file.name)
                write_atomically(self.file, text, mode=FILE_MODE)
            return checked

    def _keep_last_good(self, text: str) -> None:
        """Keeps a valid text. A failure to keep it is ignored."""
        if not text:
            return
        with suppress(SettingsError, OSError):
            self.check(text)
            write_atomically(self.file.with_name(f"{self.file.name}{LAST_GOOD}"), text, like=self.file)

    def _load_house_variant(self, given: SettingsInput) -> tuple[HouseVariant | None, tuple[Mistake, ...]]:
        """The house variant that the options or the file name, and its mistakes, which have the key `rules`."""
        file = self._find_rules_file(given)
        if file is None:
            return None, ()
        try:
            text = read_plain_file(file, MOST_TOML_BYTES).decode("utf-8")
            return HouseVariant(parse_house_variant(text), text), ()
        except RulesetError as error:
            return None, tuple(Mistake(*placed, _RULES) for placed in place_problems(error, file, text))
        except OSError as error:
            reason = f"{file} cannot be read ({error.strerror or error}); name a house variant"
        except ValueError:  # UnicodeDecodeError, or a null character in the name
            reason = f"{file} is no UTF-8 text; name a house variant"
        return None, (Mistake(str(self.file), reason, _RULES),)

    def _find_rules_file(self, given: SettingsInput) -> Path | None:
        chosen = [value for key, _, value in given.options if key == _RULES]
        named: object = chosen[-1] if chosen else None
        if named is None:
            with suppress(ValueError):
                named = read_toml(given.text).get("rules")
        if isinstance(named, Path):
            return named
        if not isinstance(named, str):
            return None
        with suppress(RuntimeError):  # `~user` for an unknown user
            return self.file.parent / Path(named).expanduser()
        return self.file.parent / named


def make_known_names(house: HouseVariant | None) -> KnownNames:
    return KnownNames(tuple(list_games(None if house is None else house.rules)), tuple(PROFILES))
