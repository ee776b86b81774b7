"""What a call of the program is made of: its parser, its usage errors and its exit status."""

import argparse
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    # What add_subparsers gives; argparse has no public name for it.
    SubParsers = argparse._SubParsersAction["CallParser"]

EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130


class UsageError(Exception):
    """The call was wrong; `sentences` tell every mistake."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("; ".join(sentences))
        self.sentences = sentences


class CallParser(argparse.ArgumentParser):
    """Raises instead of printing the usage and ending the program."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")
