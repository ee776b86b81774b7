"""Which LED lies where, as the page shows and changes it: the layout file that the settings name, or one made for it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

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
    """`place_of[n]` is the place of LED n; None where it lies at none. `problem`: why the file is not used, or empty."""

    place_of: tuple[LedPlace | None, ...]
    is_kept: bool
    problem: str = ""

    @property
    def seal(self) -> str:
        """Changes with the map that is kept; empty while none is."""
        if not self.is_kept:
            return ""
        names = "\n".join("" if place is None else place.value for place in self.place_of)
        return hashlib.sha256(names.encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class LedMistake:
    """About one LED, or about all where `led` is None."""

    led: int | None
    sentence: str


class LedMapError(ValueError):
    """A map that is none; `mistakes` tells all of them."""

    def __init__(self, mistakes: tuple[LedMistake, ...]) -> None:
        super().__init__("; ".join(one.sentence for one in mistakes))
        self.mistakes = mistakes


class LedMapStore:
    """`data` is where a map goes that no setting names a file for. `led_count`: of the strip, once it was open."""

    def __init__(self, store: SettingsStore, data: Path) -> None:
        self._settings_store = store
        self._data = data
        self._lock = Lock()
        self.led_count: int | None = None

    def read(self) -> StoredLedMap:
        """The one that is kept, or what a strip of so many LEDs most likely is."""
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
        """Into the file of the settings, which is named there if it was not. LayoutFileError, SettingsError, OSError.

        `seal` is that of the map that was changed: FileChangedError.
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
            _check_may_overwrite(file)
            save_layout(layout, file)
            return
        file = (self._data / _FILE).resolve()
        file.parent.mkdir(parents=True, exist_ok=True)
        save_layout(layout, file)
        self._settings_store.save({_KEY: str(file)}, read.seal)


def _check_may_overwrite(file: Path) -> None:
    """What the settings name by mistake is not written over. LayoutFileError."""
    if file.exists() and file.suffix.lower() != ".json":
        load_layout(file)


def default_places(count: int) -> tuple[LedPlace | None, ...]:
    """All dark where no arrangement is usual for so many."""
    try:
        return LedLayout.from_plan(usual_plan(count)).place_of
    except LayoutError:
        return (None,) * count


def parse_led_places(sent: object) -> LedLayout:
    """From a list with the name of a place, or None, for each LED. LedMapError."""
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
