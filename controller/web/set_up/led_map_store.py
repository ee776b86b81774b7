"""The LED map as the page shows and changes it: the layout file named in the settings, or a new one."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from controller.private_files import make_private_folder
from controller.settings.settings import SettingsError
from controller.settings.store import FileChangedError, SettingsStore
from firmware_bridge.errors import LayoutError, LayoutFileError
from firmware_bridge.layout import MAX_LEDS, POINTS, LedLayout, LedPlace, usual_plan
from firmware_bridge.layout_file import load_layout, save_layout

_FILE = "leds.json"
_KEY = ("leds", "layout")
_USUAL_LEDS = 72
_PLACES = {place.value: place for place in LedPlace}


@dataclass(frozen=True, slots=True)
class StoredLedMap:
    """`place_of[n]` is the place of LED n, or None. `problem` says why the file is not used; it is empty where it is used."""

    place_of: tuple[LedPlace | None, ...]
    is_kept: bool
    problem: str = ""

    @property
    def seal(self) -> str:
        """A digest of the saved map; empty where none is saved."""
        if not self.is_kept:
            return ""
        names = "\n".join("" if place is None else place.value for place in self.place_of)
        return hashlib.sha256(names.encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class LedMistake:
    """A mistake about one LED, or about the whole map where `led` is None."""

    led: int | None
    sentence: str


class LedMapError(ValueError):
    """An invalid LED map, with all its mistakes."""

    def __init__(self, mistakes: tuple[LedMistake, ...]) -> None:
        super().__init__("; ".join(one.sentence for one in mistakes))
        self.mistakes = mistakes


class LedMapStore:
    """`data` is the folder for a new layout file. `led_count` is the length of the strip, known once it has been opened."""

    def __init__(self, store: SettingsStore, data: Path) -> None:
        self._settings_store = store
        self._data = data
        self._lock = Lock()
        self.led_count: int | None = None

    def read(self) -> StoredLedMap:
        """The saved map, or the usual arrangement for the number of LEDs."""
        try:
            leds = self._settings_store.load().settings.leds
        except (SettingsError, OSError):
            return StoredLedMap(default_places(self.led_count or _USUAL_LEDS), False, "the settings cannot be used")
        count = leds.count or self.led_count or _USUAL_LEDS
        if leds.layout is None:
            return StoredLedMap(default_places(count), False)
        try:
            return StoredLedMap(load_layout(leds.layout).place_of, True)
        except LayoutFileError as error:
            return StoredLedMap(default_places(count), False, str(error))

    def save(self, layout: LedLayout, seal: str) -> None:
        """Writes the layout file, and names it in the settings if they name none.

        Raises FileChangedError where `seal` is not that of the saved map; LayoutFileError, SettingsError, OSError.
        """
        with self._lock:
            if self.read().seal != seal:
                raise FileChangedError(_FILE)
            self._write(layout)

    def _write(self, layout: LedLayout) -> None:
        read = self._settings_store.read_usable()
        file = self._settings_store.check(read.text).settings.leds.layout
        is_toml = file is not None and file.suffix.lower() == ".toml"
        if file is not None and is_toml and _KEY in self._settings_store.option_values:
            raise LayoutFileError(str(file), "it was written by hand", "give --layout a file that ends with .json")
        if file is not None and not is_toml:
            self._replace(file, layout)
            return
        file = (self._data / _FILE).resolve()
        make_private_folder(file.parent)
        self._replace(file, layout)
        self._settings_store.save({_KEY: str(file)}, read.seal)

    def _replace(self, file: Path, layout: LedLayout) -> None:
        """Raises LayoutFileError unless the file is a layout, or a new one in the folder of matches or of settings.

        The settings may name any file, and whoever names it may mistake it.
        """
        folders = tuple(folder.resolve() for folder in (self._data, self._settings_store.file.parent))
        if os.path.lexists(file):
            load_layout(file)
        elif not any(file.resolve().is_relative_to(folder) for folder in folders):
            where = " or ".join(dict.fromkeys(map(str, folders)))
            raise LayoutFileError(str(file), "the page makes no new file there", f"name a file in {where}")
        save_layout(layout, file)


def default_places(count: int) -> tuple[LedPlace | None, ...]:
    """The usual arrangement of `count` LEDs; no places where there is none."""
    try:
        return LedLayout.from_plan(usual_plan(count)).place_of
    except LayoutError:
        return (None,) * count


def parse_led_places(sent: object) -> LedLayout:
    """The layout from a list with the name of a place, or None, for each LED. Raises LedMapError."""
    if not isinstance(sent, list) or not 1 <= len(sent) <= MAX_LEDS:
        raise LedMapError((LedMistake(None, f"a strip has 1 to {MAX_LEDS} LEDs"),))
    mistakes = tuple(
        LedMistake(led, "a place is T1 to T12, B1 to B12, bar or tray")
        for led, name in enumerate(sent)
        if name is not None and (not isinstance(name, str) or name not in _PLACES)
    )
    if mistakes:
        raise LedMapError(mistakes)
    places = tuple(None if name is None else _PLACES[name] for name in sent)
    if not any(place in POINTS for place in places):
        raise LedMapError((LedMistake(None, "no LED lies at any point; give at least one of them its LEDs"),))
    return LedLayout(places)
