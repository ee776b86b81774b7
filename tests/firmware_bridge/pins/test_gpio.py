"""Pins on gpiozero's mock factory: nothing here needs a Pi."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from firmware_bridge.errors import GpioPinsError
from firmware_bridge.pins.buttons import Button, Buttons, Level, Pressed, step
from firmware_bridge.pins.gpio import Gpio, GpioPins, NoGpio, find_answering_library, open_gpio

pytestmark = pytest.mark.broad

mock = pytest.importorskip("gpiozero.pins.mock", reason="gpiozero is not installed (pip install gpiozero)")


class StandingClock:
    now_ms = 0

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def factory() -> Iterator[Any]:
    made = mock.MockFactory()
    yield made
    made.reset()


class HeldPin(mock.MockPin):  # type: ignore[misc, name-defined]
    """Connected to ground from the beginning: no pull-up lifts it."""

    def _get_state(self) -> bool:
        return False


@pytest.fixture
def held_factory() -> Iterator[Any]:
    made = mock.MockFactory(pin_class=HeldPin)
    yield made
    made.reset()


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
def gpio(factory: Any, clock: StandingClock) -> Iterator[Gpio]:
    opened = open_gpio(GpioPins(), clock=clock, pin_factory=factory)
    assert isinstance(opened, Gpio)
    yield opened
    opened.close()


class TestPins:
    def test_a_button_is_reported_with_its_time(self, gpio: Gpio, factory: Any, clock: StandingClock) -> None:
        """Pressed connects the pin to ground; each level is reported once."""
        clock.now_ms = 5
        factory.pin(17).drive_low()
        clock.now_ms = 130
        factory.pin(17).drive_high()
        assert gpio.levels() == (Level(Button.END_TURN_1, True, 5), Level(Button.END_TURN_1, False, 130))
        assert gpio.levels() == ()

    @pytest.mark.parametrize(("pin", "button"), [(17, Button.END_TURN_1), (27, Button.END_TURN_2), (22, Button.CUBE)])
    def test_each_pin_is_its_button(self, gpio: Gpio, factory: Any, pin: int, button: Button) -> None:
        factory.pin(pin).drive_low()
        assert gpio.levels() == (Level(button, True, 0),)

    def test_bounces_become_one_press(self, gpio: Gpio, factory: Any, clock: StandingClock) -> None:
        """gpiozero reports all five, and the debouncing makes one of them."""
        for now_ms in range(100, 110, 2):
            clock.now_ms = now_ms
            factory.pin(23).drive_low()
            clock.now_ms += 1
            factory.pin(23).drive_high()
        clock.now_ms = 110
        factory.pin(23).drive_low()
        levels = gpio.levels()
        assert len(levels) == 11
        assert step(Buttons(), levels, 200)[1] == (Pressed(Button.UNDO, 110),)

    def test_a_button_that_is_held_from_the_beginning(self, held_factory: Any, clock: StandingClock) -> None:
        opened = open_gpio(GpioPins(cube=None, undo=None, pause=None), clock=clock, pin_factory=held_factory)
        assert isinstance(opened, Gpio)
        assert opened.levels() == (Level(Button.END_TURN_1, True, 0), Level(Button.END_TURN_2, True, 0))
        opened.close()

    def test_buzzer_and_status_led(self, gpio: Gpio, factory: Any) -> None:
        gpio.buzz(is_on=True)
        assert (factory.pin(18).state, factory.pin(25).state) == (True, False)
        gpio.light_status(is_on=True)
        gpio.buzz(is_on=False)
        assert (factory.pin(18).state, factory.pin(25).state) == (False, True)

    def test_closed_all_is_off_and_free(self, gpio: Gpio, factory: Any, clock: StandingClock) -> None:
        gpio.buzz(is_on=True)
        gpio.close()
        gpio.close()
        assert factory.pin(18).state is False
        again = open_gpio(GpioPins(), clock=clock, pin_factory=factory)
        assert isinstance(again, Gpio)
        again.close()

    def test_what_is_not_wired_does_nothing(self, factory: Any, clock: StandingClock) -> None:
        opened = open_gpio(GpioPins(5, None, None, None, None, None, None), clock=clock, pin_factory=factory)
        assert isinstance(opened, Gpio)
        opened.buzz(is_on=True)
        opened.light_status(is_on=True)
        factory.pin(5).drive_low()
        assert opened.levels() == (Level(Button.END_TURN_1, True, 0),)
        opened.close()


class TestPlan:
    @pytest.mark.parametrize("pin", [-1, 28])
    def test_a_pin_is_on_the_header(self, pin: int) -> None:
        with pytest.raises(GpioPinsError, match=f"GPIO{pin} is not on the header"):
            GpioPins(cube=pin)

    def test_a_pin_serves_once(self) -> None:
        with pytest.raises(GpioPinsError, match="GPIO17 is named twice"):
            GpioPins(buzzer=17)


class FailingFactory:
    """Raises what a pin library raises when it is asked for a pin."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __getattr__(self, name: str) -> Any:
        raise self.error


class TestWithoutPins:
    """The game runs without, and a sentence says why."""

    def test_a_machine_that_is_no_pi(self, clock: StandingClock, monkeypatch: pytest.MonkeyPatch) -> None:
        """gpiozero finds no library; its warnings become part of the sentence and are not shouted."""
        import gpiozero

        monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
        monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
        if _is_a_pi():
            pytest.skip("this is a Raspberry Pi")
        opened = open_gpio(GpioPins(), clock=clock)
        assert isinstance(opened, NoGpio)
        assert opened.sentence.startswith("no pin library answers (lgpio: ")
        assert opened.sentence.endswith("elsewhere the game runs without buttons and buzzer.")
        assert isinstance(find_answering_library(), NoGpio)

    @pytest.mark.parametrize(
        ("error", "words"),
        [
            (RuntimeError("This module can only be run on a Raspberry Pi!"), "this is no Raspberry Pi"),
            (ModuleNotFoundError("No module named 'gpiozero'", name="gpiozero"), "gpiozero is not installed"),
            (ImportError("libgpiod.so.2: cannot open shared object file"), "no pin library answers (libgpiod.so.2"),
            (PermissionError(13, "Permission denied"), "add yourself to the group gpio"),
            (OSError(16, "Device or resource busy"), "see that no other program has them"),
            (Exception("'GPIO busy'"), "see that no other program has them"),
        ],
    )
    def test_every_kind_of_failure(self, clock: StandingClock, error: Exception, words: str) -> None:
        opened = open_gpio(GpioPins(), clock=clock, pin_factory=FailingFactory(error))
        assert isinstance(opened, NoGpio)
        assert words in opened.sentence
        assert opened.sentence.count(". ") == 0

    def test_a_pin_in_use(self, gpio: Gpio, factory: Any, clock: StandingClock) -> None:
        assert isinstance(open_gpio(GpioPins(), clock=clock, pin_factory=factory), NoGpio)
        factory.pin(17).drive_low()
        assert len(gpio.levels()) == 1

    def test_gpiozero_is_missing(self, clock: StandingClock, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "gpiozero", None)
        opened = open_gpio(GpioPins(), clock=clock)
        assert isinstance(opened, NoGpio)
        assert opened.sentence.startswith("gpiozero is not installed; on a Raspberry Pi run pip install")

    def test_a_failure_half_way_frees_the_pins(self, held_factory: Any) -> None:
        """The clock fails when the first held button is reported; that pin is free again."""
        assert isinstance(open_gpio(GpioPins(), clock=_stopped, pin_factory=held_factory), NoGpio)
        opened = open_gpio(GpioPins(), clock=StandingClock(), pin_factory=held_factory)
        assert isinstance(opened, Gpio)
        opened.close()


def _stopped() -> int:
    raise OSError("the clock has stopped")


def _is_a_pi() -> bool:
    from pathlib import Path

    model = Path("/proc/device-tree/model")
    return model.exists() and "Raspberry" in model.read_text(errors="replace")
