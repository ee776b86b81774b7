"""The pins of a Raspberry Pi: buttons, buzzer, status LED. The only module that imports gpiozero.

gpiozero drives the pins through RPi.GPIO, rpi-lgpio or lgpio, whichever works. On any other machine, or when none works,
`open_gpio` returns a sentence instead of pins, and the game runs without them.

Pins can be mocked without a Pi and without root:

    from gpiozero.pins.mock import MockFactory
    gpio = open_gpio(GpioPins(), clock=monotonic_ms, pin_factory=MockFactory())
    gpio.pin_factory.pin(17).drive_low()     # somebody presses the first button
    gpio.levels()                            # and here it is

(GPIOZERO_PIN_FACTORY=mock does the same for a whole program.) Debouncing is done in `buttons.py` instead of gpiozero, so
that it can be tested without pins.
"""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from firmware_bridge.errors import GpioPinsError
from firmware_bridge.pins.buttons import Button, Level
from firmware_bridge.pins.gpio_probe import redirect_lgpio_files

HIGHEST_PIN = 27
"""The 40-pin header has Broadcom numbers 0 to 27."""


@dataclass(frozen=True, slots=True)
class GpioPins:
    """The Broadcom number of each part (GPIO17, not pin 11); None: not wired.

    Buttons connect their pin to ground; the Pi's internal pull-up holds it high otherwise. The defaults avoid the pins
    of I²C, SPI and the serial port.
    """

    end_turn_1: int | None = 17
    end_turn_2: int | None = 27
    cube: int | None = 22
    undo: int | None = 23
    pause: int | None = 24
    buzzer: int | None = 18
    status_led: int | None = 25

    def __post_init__(self) -> None:
        wired = [pin for pin in (*(pin for _, pin in self.buttons()), self.buzzer, self.status_led) if pin is not None]
        for pin in wired:
            if not 0 <= pin <= HIGHEST_PIN:
                raise GpioPinsError(f"GPIO{pin} is not on the header; give a Broadcom number from 0 to {HIGHEST_PIN}.")
            if wired.count(pin) > 1:
                raise GpioPinsError(f"GPIO{pin} is named twice; give every part a pin of its own.")

    def buttons(self) -> tuple[tuple[Button, int], ...]:
        """The buttons that are wired, with their pins."""
        every = (self.end_turn_1, self.end_turn_2, self.cube, self.undo, self.pause)
        return tuple((button, pin) for button, pin in zip(Button, every, strict=True) if pin is not None)


@dataclass(frozen=True, slots=True)
class NoGpio:
    """No pins; `sentence` gives the reason and the remedy."""

    sentence: str


class Gpio:
    """Open pins. gpiozero's thread records levels; the caller's thread fetches them."""

    def __init__(self, pins: GpioPins, *, clock: Callable[[], int], pin_factory: Any) -> None:
        from gpiozero import LED, Buzzer
        from gpiozero import Button as Contact

        self.pin_factory = pin_factory
        self._clock = clock
        self._pending_levels: SimpleQueue[Level] = SimpleQueue()
        self._devices: list[Any] = []
        self._buzzer: Any = None
        self._status_led: Any = None
        try:
            for button, pin in pins.buttons():
                contact = self._keep_device(Contact(pin, pull_up=True, bounce_time=None, pin_factory=pin_factory))
                contact.when_pressed = partial(self._record_closed, button)
                contact.when_released = partial(self._record_open, button)
                if contact.is_pressed:  # pressed before opening: no edge will follow
                    self._record_closed(button)
            if pins.buzzer is not None:
                self._buzzer = self._keep_device(Buzzer(pins.buzzer, pin_factory=pin_factory))
            if pins.status_led is not None:
                self._status_led = self._keep_device(LED(pins.status_led, pin_factory=pin_factory))
        except BaseException:
            self.close()
            raise

    def _keep_device(self, device: Any) -> Any:
        self._devices.append(device)
        return device

    # Two methods, since gpiozero rejects callbacks with keyword arguments bound by partial.
    def _record_closed(self, button: Button) -> None:
        self._pending_levels.put(Level(button, True, self._clock()))

    def _record_open(self, button: Button) -> None:
        self._pending_levels.put(Level(button, False, self._clock()))

    def levels(self) -> tuple[Level, ...]:
        """The levels since the last call, in order, not debounced."""
        return tuple(self._drain())

    def _drain(self) -> Iterable[Level]:
        try:
            while True:
                yield self._pending_levels.get_nowait()
        except Empty:
            return

    def buzz(self, *, is_on: bool) -> None:
        """Switches the buzzer; does nothing without one."""
        _switch(self._buzzer, is_on=is_on)

    def light_status(self, *, is_on: bool) -> None:
        """Switches the status LED; does nothing without one."""
        _switch(self._status_led, is_on=is_on)

    def close(self) -> None:
        """Switches everything off and releases the pins. May be called twice."""
        self.buzz(is_on=False)
        self.light_status(is_on=False)
        while self._devices:
            self._devices.pop().close()
        self._buzzer = self._status_led = None


def _switch(device: Any, *, is_on: bool) -> None:
    if device is not None:
        device.value = int(is_on)


def open_gpio(pins: GpioPins, *, clock: Callable[[], int], pin_factory: Any = None) -> Gpio | NoGpio:
    """The pins, or the reason why there are none. `clock` gives monotonic milliseconds and stamps the levels.

    Without `pin_factory` gpiozero chooses: lgpio, then RPi.GPIO (also the module name of rpi-lgpio), then others.
    """
    with warnings.catch_warnings(record=True) as why:  # gpiozero warns about every library that fails
        warnings.simplefilter("always")
        try:
            factory = _get_factory() if pin_factory is None else pin_factory
            return Gpio(pins, clock=clock, pin_factory=factory)
        except Exception as error:  # noqa: BLE001  (lgpio's own error is derived from nothing narrower)
            return NoGpio(_make_sentence(error, [str(warning.message) for warning in why]))


def find_answering_library() -> str | NoGpio:
    """The pin library that gpiozero can use on this machine, for `zarbiter doctor`."""
    with warnings.catch_warnings(record=True) as why:
        warnings.simplefilter("always")
        try:
            return str(type(_get_factory()).__name__).removesuffix("Factory")
        except Exception as error:  # noqa: BLE001  (as in open_gpio)
            return NoGpio(_make_sentence(error, [str(warning.message) for warning in why]))


def _get_factory() -> Any:
    """gpiozero's global pin factory, made by its own rules if necessary."""
    redirect_lgpio_files()
    from gpiozero import Device

    Device.ensure_pin_factory()
    return Device.pin_factory


def _make_sentence(error: Exception, fallbacks: list[str]) -> str:
    """Checks error types from narrow to wide: gpiozero's BadPinFactory is also an ImportError."""
    ending = "the game runs without buttons and buzzer"
    if isinstance(error, ModuleNotFoundError) and error.name == "gpiozero":
        return f"gpiozero is not installed; on a Raspberry Pi run pip install 'zarbiter[pi]', elsewhere {ending}."
    if isinstance(error, RuntimeError) and "Raspberry Pi" in str(error):
        return f"this is no Raspberry Pi, or its pin library does not know it ({_plain_text(error)}); {ending}."
    if isinstance(error, ImportError):
        reasons = "; ".join(line.removeprefix("Falling back from ") for line in fallbacks) or _plain_text(error)
        return (
            f"no pin library answers ({reasons}); on a Raspberry Pi run zarbiter doctor and install the library it "
            f"names, elsewhere {ending}."
        )
    if isinstance(error, PermissionError):
        return f"the pins may not be used ({_plain_text(error)}); add yourself to the group gpio and log in again; {ending}."
    return f"the pins cannot be used ({_plain_text(error)}); see that no other program has them; {ending}."


def _plain_text(error: Exception) -> str:
    return str(error).rstrip("!. ") or type(error).__name__
