"""The inputs of a match: pictures from its source, and commands from the terminal and from the buttons on the table."""

import logging
import os
import re
import select
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import chain

from controller.match import Command
from controller.session import Asker, LastState, LiveInput, RecordedInputs, VideoProcessor, command_for
from controller.session.live_inputs import live_inputs
from controller.subcommands.match.single_keys import ERASE, SingleKeys, split_keys
from controller.wording.command_text import ANSWERS, CommandTextError, list_commands, parse_command
from firmware_bridge.pins.buttons import Buttons, step
from firmware_bridge.pins.gpio import Gpio, GpioPins, NoGpio, open_gpio
from vision import Calibration
from vision.camera.recorded import Pictures, Video
from vision.frame import Clock, FrameSource, monotonic_ms

_LOG = logging.getLogger("zarbiter.play")
_READ_BYTES = 4_096


@dataclass(slots=True)
class MatchSource:
    """What a match is watched by. `picture_errors` counts the pictures of a recording that could not be used."""

    frames: FrameSource
    calibration: Calibration
    picture_errors: int = 0
    is_resumed: bool = False

    @property
    def is_recording(self) -> bool:
        return isinstance(self.frames, Pictures | Video)

    def now_ms(self) -> int:
        """The clock before the first frame: 0 for a recording, whose own clock begins there."""
        return 0 if self.is_recording else monotonic_ms()

    def make_processor(self) -> VideoProcessor:
        """The processor of the frames.

        A calibration is older than a match that a camera watches from its beginning, so that dice in its picture are
        none of this match. In a recording, or when a match goes on, they may be a throw.
        """
        is_watched_from_beginning = not (self.is_recording or self.is_resumed)
        return VideoProcessor(self.calibration, self.calibration.reference if is_watched_from_beginning else None)

    def inputs(self, buttons: "TableButtons | None", asker: Asker, opened: ExitStack) -> Iterable[LiveInput]:
        """Frames together with typed and pressed commands."""
        typed = TypedCommands(_warn, asker)
        opened.callback(typed.close)

        def commands() -> Iterable[Command]:
            return typed() if buttons is None else chain(typed(), buttons())

        if self.is_recording:
            return RecordedInputs(self.frames, self.calibration, commands, self._report_picture_error)
        return live_inputs(self.frames, commands, monotonic_ms)

    def _report_picture_error(self, sentence: str) -> None:
        self.picture_errors += 1
        _warn(sentence)


class TypedCommands:
    """Reads commands from standard input (terminal, pipe or file) without blocking; `tell` receives replies.

    A number is the answer that `asker` has listed with it; at a terminal its digit alone answers, without Enter.
    """

    def __init__(self, tell: Callable[[str], None], asker: Asker, descriptor: int | None = None) -> None:
        self._tell = tell
        self._asker = asker
        self._descriptor = _standard_input() if descriptor is None else descriptor
        self._incomplete = b""
        self._keys = SingleKeys(self._descriptor)

    def __call__(self) -> Iterator[Command]:
        """The commands that were typed since the last call."""
        for line in self._read_lines():
            if line.strip().lower() in ("help", "?"):
                for command_help in list_commands():
                    self._tell(command_help)
                continue
            if line.strip().lower() == ANSWERS:
                self._asker.list_answers()
                continue
            if re.fullmatch(r"[0-9]{1,2}", line.strip()):
                if self._keys.is_on and not self._asker.is_meant_for_it():
                    continue
                answer = self._asker.answer(int(line))
                yield from () if answer is None else (answer,)
                continue
            try:
                command = parse_command(line)
            except CommandTextError as error:
                self._tell(str(error))
            else:
                if command is not None:
                    yield command

    def _echo(self, lines: list[bytes], typed: bytes) -> None:
        """What a terminal that delivers keys does not do itself: ends the line of a digit, and erases letters."""
        n_erased = sum(map(typed.count, ERASE))
        print("\n" if any(line.isdigit() for line in lines) else "\b \b" * n_erased, end="", flush=True)

    def close(self) -> None:
        """The terminal is as it was before."""
        self._keys.turn(is_on=False)

    def _read_lines(self) -> Iterator[str]:
        self._keys.turn(is_on=self._asker.takes_keys)
        while self._descriptor is not None and select.select([self._descriptor], [], [], 0)[0]:
            try:
                content = os.read(self._descriptor, _READ_BYTES)
            except OSError:
                content = b""  # the terminal was closed
            if not content:
                self._descriptor = None
            if self._keys.is_on:
                lines, self._incomplete = split_keys(content, self._incomplete)
                self._echo(lines, content)
            else:
                *lines, self._incomplete = (self._incomplete + content).split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace")


def _standard_input() -> int | None:
    """None without a standard input, as in a service."""
    try:
        return sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):
        return None


class TableButtons:
    """The buttons and the buzzer on the table. `last` supplies the state that gives a button its meaning."""

    def __init__(self, gpio: Gpio, last: LastState, asker: Asker, clock: Clock) -> None:
        self._gpio = gpio
        self._last = last
        self._asker = asker
        self._clock = clock
        self._buttons = Buttons()

    def __call__(self) -> Iterator[Command]:
        """The commands of the buttons that were pressed since the last call."""
        self._buttons, events = step(self._buttons, self._gpio.levels(), self._clock())
        for event in events:
            answers = self._asker.press(event)
            if answers is not None:
                yield from answers
                continue
            command = command_for(event, self._last.state, has_clock=self._last.state.clock is not None)
            if command is not None:
                yield command

    def buzz(self, is_on: bool) -> None:
        """Does nothing without a buzzer."""
        self._gpio.buzz(is_on=is_on)


def open_buttons(last: LastState, asker: Asker, clock: Clock, opened: ExitStack) -> TableButtons | None:
    """None on a machine without pins; the reason, such as a missing library on a Pi, is logged."""
    gpio = open_gpio(GpioPins(), clock=clock)
    if isinstance(gpio, NoGpio):
        _LOG.debug("no buttons: %s", gpio.sentence)
        return None
    opened.enter_context(closing(gpio))
    return TableButtons(gpio, last, asker, clock)


def _warn(sentence: str) -> None:
    _LOG.warning("%s", sentence)
