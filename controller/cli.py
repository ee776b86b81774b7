"""The command line: parses arguments, runs one sub-command and returns its exit status.

The contract is stable: exit status 0 for success, 2 for a usage error, 1 when any part of the job failed, 130 after an
interrupt; results on standard output, diagnostics on standard error. The module of a command is imported when that
command is chosen, and imports what it needs when it runs: `--version` and `--help` are quick and need no camera library.
"""

import argparse
import io
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from controller.subcommands.options import (
    CallParser,
    CommandFailedError,
    UsageError,
    check_folders,
)
from controller.visible_text import TerminalStream
from vision.camera.quiet_libraries import quieten

EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
_LOG = logging.getLogger("zarbiter")

_IS_PROJECT = (Path(__file__).parents[1] / "zarbiter").is_file()  # an installed package has no launcher and no tests

# Command -> module of `controller.subcommands` that adds its parser, and the line of `zarbiter --help`.
COMMANDS = {
    "demo": ("demo", "referee a seeded game on a simulated table"),
    "calibrate": ("calibrate", "find the board and save its position"),
    "read": ("read", "read checkers, dice and the cube in pictures of a board"),
    "leds": ("leds", "the strip along the rims"),
    "rules": ("rules", "print the games and their rules"),
    "play": ("play", "referee a match on a real board"),
    "transcribe": ("transcribe", "make a match log from a video or a folder of pictures"),
    "log": ("log", "list, show, verify, copy, salvage, sign or delete match logs; their JSON schema"),
    "export": ("export", "write a match as a file"),
    "import": ("import_file", "make a match log from a match file"),
    "replay": ("replay", "step through a match, or referee it again"),
    "analyse": ("analyse", "print the statistics of a match"),
    "report": ("report", "put all about a match into one file, to ask for help"),
    "service": ("appliance.service", "run the referee as a service of this machine"),
    "update": ("appliance.update", "install a later version, unless a match is being played"),
    "stats": ("stats", "print each player's statistics over all matches"),
    "club": ("club", "show all tables of a hall on one page"),
    "doctor": ("doctor", "find faults of this machine and their remedies"),
    "completion": ("completion", "print what makes a shell complete commands and options"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    with _guard_terminal(), _configure_logging():
        try:
            quieten()
            status = _run(list(sys.argv[1:] if argv is None else argv))
            if sys.stdout is not None:
                sys.stdout.flush()
        except UsageError as error:
            for sentence in error.sentences:
                _LOG.error(sentence)
            return EXIT_USAGE
        except CommandFailedError as error:
            _LOG.error(error)
            return EXIT_FAILED
        except KeyboardInterrupt:
            return EXIT_INTERRUPTED
        except BrokenPipeError:
            _discard_standard_output()
            return EXIT_OK  # the reader has had enough, as `head` does
        except OSError as error:
            _LOG.error("%s", error if error.errno is None else _describe_os_error(error))
            _discard_standard_output()
            return EXIT_FAILED
    return status


def _describe_os_error(error: OSError) -> str:
    """A sentence for an error of the system; those of ours, which have no number, are sentences already."""
    file = f"{error.filename}: " if error.filename else ""
    return (
        f"{file}input or output failed ({error.strerror or error}); see whether the disk has room and the file is yours"
    )


@contextmanager
def _guard_terminal() -> Iterator[None]:
    """Lets only visible text through to standard output and standard error during this call."""
    _replace_unencodable_text()
    before = sys.stdout, sys.stderr
    for name, stream in zip(("stdout", "stderr"), before, strict=True):
        if stream is not None:  # Python has none when it was closed from outside
            setattr(sys, name, TerminalStream(stream))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


@contextmanager
def _configure_logging() -> Iterator[None]:
    """Sends log messages of this call to the current standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("zarbiter: %(message)s"))
    _LOG.addHandler(handler)
    try:
        yield
    finally:
        _LOG.removeHandler(handler)


def _replace_unencodable_text() -> None:
    """Replaces characters that the terminal cannot show, and input bytes that are no text, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


def _discard_standard_output() -> None:
    """Drops buffered output that can no longer be written; Python would report it as an error at exit."""
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] == "test":
        where = "call ./zarbiter test in" if _IS_PROJECT else "they are not in the installed package but in"
        raise UsageError(f"this command runs no tests; {where} the project's folder")
    parser = make_parser(arguments)
    try:
        options = parser.parse_args(arguments)
    except SystemExit:  # only --help ends the parser
        return EXIT_OK
    if options.version:
        print(f"zarbiter {_version()}")
        return EXIT_OK
    if not hasattr(options, "command"):
        raise UsageError("give a command, for example demo; see zarbiter --help")
    check_folders(options)
    return EXIT_OK if options.command(options) else EXIT_FAILED


def make_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of all commands. A command that `arguments` do not name has no options: only its line is printed."""
    parser = CallParser(
        prog="zarbiter",
        description="A camera referee for backgammon and its family on a real board: it reads dice and checkers, rules on plays and keeps a log.",
        epilog="./zarbiter test runs the tests (arguments go to pytest)." if _IS_PROJECT else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, (module, summary) in COMMANDS.items():
        if name in arguments:
            import_module(f"controller.subcommands.{module}").add(commands, summary)
        else:
            commands.add_parser(name, help=summary)
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("zarbiter")
    except PackageNotFoundError:
        return "(its version is not known: it was not installed; ./zarbiter in the project's folder installs it)"
