"""The command line: parses arguments, runs one sub-command and returns its exit status.

The contract is stable: exit status 0 for success, 2 for a usage error, 1 when any part of the job failed, 130 after an
interrupt; results on standard output, diagnostics on standard error. A command imports what it needs when it runs, so
that `--version` and `--help` are quick and need no camera library.
"""

import argparse
import io
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from controller.subcommands import (
    analyse,
    calibrate,
    demo,
    doctor,
    export,
    import_file,
    leds,
    log,
    play,
    read,
    replay,
    rules,
    transcribe,
)
from controller.subcommands.options.call import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_USAGE,
    CallParser,
    UsageError,
)
from controller.subcommands.options.shared_options import check_folders, make_common_parser
from vision.camera.quiet_libraries import quieten

_LOG = logging.getLogger("zarbiter")

_EPILOG = "./zarbiter test runs the tests (arguments go to pytest)."


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    with _configure_logging():
        try:
            _replace_unencodable_text()
            quieten()
            status = _run(list(sys.argv[1:] if argv is None else argv))
            if sys.stdout is not None:  # Python has none when it was closed from outside
                sys.stdout.flush()
        except UsageError as error:
            for sentence in error.sentences:
                _LOG.error(sentence)
            return EXIT_USAGE
        except KeyboardInterrupt:
            return EXIT_INTERRUPTED
        except BrokenPipeError:
            _discard_standard_output()
            return EXIT_OK  # the reader has had enough, as `head` does
        except OSError as error:
            _LOG.error("input or output failed: %s", error)
            _discard_standard_output()
            return EXIT_FAILED
    return status


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
        raise UsageError("the tests are run by ./zarbiter test in the project's folder")
    parser = _make_parser()
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
    status: int = options.command(options)
    return status


def _make_parser() -> argparse.ArgumentParser:
    parser = CallParser(
        prog="zarbiter",
        description="A camera referee for backgammon and its family on a real board: it reads dice and checkers, rules on plays and keeps a log.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for_all = make_common_parser()
    for group in (
        demo,
        calibrate,
        read,
        leds,
        rules,
        play,
        transcribe,
        log,
        export,
        import_file,
        replay,
        analyse,
        doctor,
    ):
        group.add(commands, for_all)
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("zarbiter")
    except PackageNotFoundError:
        return "(not installed; call ./zarbiter, which installs it)"
