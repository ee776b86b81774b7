"""The buttons of the table as commands, where this machine has pins."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, closing

from controller.match.commands import Command
from controller.session.button_commands import command_for
from controller.session.last_state import LastState
from firmware_bridge.pins.buttons import Buttons, step
from firmware_bridge.pins.gpio import Gpio, GpioPins, NoGpio, open_gpio
from vision.frame import Clock

_LOG = logging.getLogger("zarbiter.play")


class TableButtons:
    """`last` knows how the match stands, which tells what a button means."""

    def __init__(self, gpio: Gpio, last: LastState, clock: Clock) -> None:
        self._gpio = gpio
        self._last = last
        self._clock = clock
        self._buttons = Buttons()

    def __call__(self) -> Iterator[Command]:
        """What was pressed since the last call asks for."""
        self._buttons, events = step(self._buttons, self._gpio.levels(), self._clock())
        for event in events:
            command = command_for(event, self._last.state, has_clock=self._last.state.clock is not None)
            if command is not None:
                yield command

    def buzz(self, is_on: bool) -> None:
        """Nothing happens without a buzzer."""
        self._gpio.buzz(is_on=is_on)


def open_buttons(last: LastState, clock: Clock, opened: ExitStack) -> TableButtons | None:
    """None where there are no pins; a Pi without its library is told why, others expect none."""
    gpio = open_gpio(GpioPins(), clock=clock)
    if isinstance(gpio, NoGpio):
        _LOG.debug("no buttons: %s", gpio.sentence)
        return None
    opened.enter_context(closing(gpio))
    return TableButtons(gpio, last, clock)
