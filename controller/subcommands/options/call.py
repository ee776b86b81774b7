"""The parser, the usage error and the exit statuses of the program."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

# The result of add_subparsers; argparse has no public name for it.
if TYPE_CHECKING:
    SubParsers = argparse._SubParsersAction["CallParser"]
else:
    SubParsers = argparse._SubParsersAction  # takes no parameter at run time

EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130


class UsageError(Exception):
    """A wrong call; `sentences` holds one sentence for each mistake."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("; ".join(sentences))
        self.sentences = sentences


class CallParser(argparse.ArgumentParser):
    """Raises UsageError instead of printing the usage and ending the program."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


def check_new_file(file: Path, option: str) -> None:
    """Raises UsageError, naming `option`, where no file can be made or replaced."""
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise UsageError(f"{option}: {file} is a folder, or lies in one that is not there; name a file in a folder")
    if file.exists() and not file.is_file():
        raise UsageError(f"{option}: {file} is a device or a pipe, which would be replaced; name a file")
