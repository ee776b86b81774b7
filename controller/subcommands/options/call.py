"""The parser and the errors of a call."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from controller.visible_text import TerminalStream

# The result of add_subparsers; argparse has no public name for it.
if TYPE_CHECKING:
    SubParsers = argparse._SubParsersAction["CallParser"]
else:
    SubParsers = argparse._SubParsersAction  # takes no parameter at run time


_LONGEST_OPTION = 60  # characters of a wrong option in its sentence


class CommandFailedError(Exception):
    """The job cannot be done; the text is one sentence for the user."""


class UsageError(Exception):
    """A wrong call; `sentences` holds one sentence for each mistake."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("; ".join(sentences))
        self.sentences = sentences


class CallParser(argparse.ArgumentParser):
    """Raises UsageError instead of printing the usage and ending the program. Takes no abbreviated options."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False} | options)
        self.color = False  # from Python 3.14 on, argparse colours its help

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Unknown options are reported by the parser whose options they might be."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(_describe_unknown(unknown[0], [*self._option_string_actions]))
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """A word that is none of the choices is answered by the most similar one."""
        if action.choices is not None and value not in action.choices:
            from controller.rules.errors import quote_value, suggest

            name = "/".join(action.option_strings) or str(action.metavar or action.dest).lower()
            self.error(
                f"{name}: {quote_value(value)} is unknown; {suggest(value, map(str, action.choices))}".rstrip("?")
            )

    def _print_message(self, message: str, file: Any = None) -> None:
        """Writes a help text line by line."""
        stream: object = sys.stdout if file is None else file
        if isinstance(stream, TerminalStream):
            stream.write_lines(message)
        else:
            super()._print_message(message, file)


def _describe_unknown(word: str, options: Sequence[str]) -> str:
    from controller.rules.errors import quote_value, suggest

    if not word.startswith("-"):
        return f"{quote_value(word)} is one word too many; leave it out"
    near = suggest(word.partition("=")[0], options)
    return f"there is no option {word[:_LONGEST_OPTION]}" + (f"; {near.rstrip('?')}" if near.endswith("?") else "")


def positive(noun: str, most: float, unit: str = "") -> Callable[[str], float]:
    """Parses a number above 0; for `type=`. `noun` says in the error what the number is."""

    def parse(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = 0.0
        if not 0 < number <= most:
            raise argparse.ArgumentTypeError(f"{text} is no {noun}; give more than 0 and at most {most}{unit}")
        return number

    return parse


def not_written(file: Path, error: OSError) -> CommandFailedError:
    return CommandFailedError(f"{file} cannot be written ({error.strerror or error}); name another file")


def format_count(count: int, noun: str, plural: str | None = None) -> str:
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"


def clock_time(text: str) -> int:
    """Parses h:mm:ss, mm:ss or seconds as milliseconds; for `type=`."""
    parts = text.split(":")
    try:
        numbers = [*map(int, parts[:-1]), float(parts[-1])]
    except ValueError:
        numbers = [-1.0]
    if len(numbers) > 3 or min(numbers) < 0 or not all(number < 60 for number in numbers[1:]):
        raise argparse.ArgumentTypeError(f"{text} is no time of a recording; write it as 1:05:30, 5:30 or 330")
    seconds = 0.0
    for number in numbers:
        seconds = 60 * seconds + number
    return round(1000 * seconds)


def format_clock_time(ms: int) -> str:
    """A time of a recording as h:mm:ss, or with tenths where these tell times within a second apart."""
    seconds, tenths = divmod(ms // 100, 10)
    clock = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{clock}.{tenths}" if tenths else clock


def check_new_file(file: Path, option: str) -> None:
    """Raises UsageError, naming `option`, where no file can be made or replaced."""
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise UsageError(f"{option}: {file} is a folder, or lies in one that is not there; name a file in a folder")
    if file.exists() and not file.is_file():
        raise UsageError(f"{option}: {file} is a device or a pipe, which would be replaced; name a file")
