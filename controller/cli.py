"""The command line: arguments and files in, lines and an exit status out.

Its contract is stable: 0 for success, 2 for a usage error, 1 when any part of the job failed, 130 when it was
interrupted; answers on standard output, diagnostics on standard error. What a command needs is imported inside it, so
that `--version` and `--help` are quick and need no camera library.
"""

import argparse
import io
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from controller.picture_options import add_calibrate, add_read

if TYPE_CHECKING:
    from controller.rules.ruleset import Ruleset

_LOG = logging.getLogger("zarbiter")

_LATER = ("play", "transcribe", "export", "import", "replay", "analyse", "log", "leds", "doctor")
_EPILOG = f"""\
./zarbiter test runs the tests (arguments go to pytest).

Not yet part of this version: {", ".join(_LATER)}.
"""
_EXIT_OK, _EXIT_FAILED, _EXIT_USAGE, _EXIT_INTERRUPTED = 0, 1, 2, 130


class UsageError(Exception):
    """The call was wrong; `sentences` tell every mistake."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("; ".join(sentences))
        self.sentences = sentences


class _Parser(argparse.ArgumentParser):
    """Raises instead of printing the usage and ending the program."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    with _diagnostics():
        try:
            _let_streams_carry_all_text()
            status = _run(list(sys.argv[1:] if argv is None else argv))
            if sys.stdout is not None:  # Python has none when it was closed from outside
                sys.stdout.flush()
        except UsageError as error:
            for sentence in error.sentences:
                _LOG.error(sentence)
            return _EXIT_USAGE
        except KeyboardInterrupt:
            return _EXIT_INTERRUPTED
        except BrokenPipeError:
            _forget_standard_output()
            return _EXIT_OK  # the reader has had enough, as `head` does
        except OSError as error:
            _LOG.error("input or output failed: %s", error)
            _forget_standard_output()
            return _EXIT_FAILED
    return status


@contextmanager
def _diagnostics() -> Iterator[None]:
    """Messages of this call go to standard error as it is now."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("zarbiter: %(message)s"))
    _LOG.addHandler(handler)
    try:
        yield
    finally:
        _LOG.removeHandler(handler)


def _let_streams_carry_all_text() -> None:
    """A name that the terminal cannot show becomes question marks, and bytes that are no text spoil only their line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


def _forget_standard_output() -> None:
    """What is still buffered has nowhere to go, and Python would complain about it at its end."""
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in _LATER:
        raise UsageError(f"{arguments[0]} is not yet part of this version; zarbiter --help lists what is")
    if arguments and arguments[0] == "test":
        raise UsageError("the tests are run by ./zarbiter test in the project's folder")
    parser = _parser()
    try:
        options = parser.parse_args(arguments)
    except SystemExit:  # only --help ends the parser
        return _EXIT_OK
    if options.version:
        print(f"zarbiter {_version()}")
        return _EXIT_OK
    if not hasattr(options, "command"):
        raise UsageError("give a command, for example demo; see zarbiter --help")
    _check_folders(options)
    status: int = options.command(options)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="zarbiter",
        description="A referee for backgammon and its family on a real board. This version has the rules and reads the checkers.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for_all = _options_for_all()
    _add_demo(commands, for_all)
    add_calibrate(commands, for_all).set_defaults(command=_calibrate)
    add_read(commands, for_all).set_defaults(command=_read)
    rules = commands.add_parser("rules", help="the games and their rules", allow_abbrev=False)
    questions = rules.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_rules_list(questions, for_all)
    _add_rules_show(questions, for_all)
    _add_rules_answer(questions, for_all)
    return parser


if TYPE_CHECKING:
    _Commands = argparse._SubParsersAction["_Parser"]


def _options_for_all() -> "_Parser":
    options = _Parser(add_help=False)
    options.add_argument("--config", metavar="FILE", type=Path, help="settings in TOML")
    options.add_argument(
        "--data", metavar="DIR", type=Path, help="where matches and calibrations lie (default: the XDG data folder)"
    )
    options.add_argument("--rules", metavar="FILE", type=Path, help="a house variant in TOML, as one more game")
    return options


def _add_demo(commands: "_Commands", for_all: "_Parser") -> None:
    demo = commands.add_parser(
        "demo",
        parents=[for_all],
        help="play a seeded game in the terminal",
        description="Plays seeded games in the terminal; the judge checks every turn. Nobody doubles in the demo.",
        epilog="--mishaps, --speed X and --stay come with the referee.",
        allow_abbrev=False,
    )
    demo.add_argument("--game", metavar="G", help="one of the games of `zarbiter rules list` (default: backgammon)")
    demo.add_argument("--games", metavar="N", type=_whole_above_zero, default=1, help="how many games (default: 1)")
    demo.add_argument("--seed", metavar="S", type=int, default=1, help="the same seed is the same game (default: 1)")
    demo.add_argument("--headless", action="store_true", help="open no page; this version has none to open")
    demo.add_argument("--mishaps", action="store_true", help=argparse.SUPPRESS)
    demo.add_argument("--speed", metavar="X", help=argparse.SUPPRESS)
    demo.add_argument("--stay", action="store_true", help=argparse.SUPPRESS)
    demo.set_defaults(command=_demo)


def _add_rules_list(commands: "_Commands", for_all: "_Parser") -> None:
    listing = commands.add_parser("list", parents=[for_all], help="the games", allow_abbrev=False)
    listing.add_argument("--json", action="store_true", help="one JSON object a line")
    listing.set_defaults(command=_rules_list)


def _add_rules_show(commands: "_Commands", for_all: "_Parser") -> None:
    show = commands.add_parser("show", parents=[for_all], help="one game: parameters, start, words", allow_abbrev=False)
    show.add_argument("game", metavar="G", nargs="?", help="the game (default: the house variant of --rules)")
    show.add_argument("--json", action="store_true", help="one JSON object on one line")
    show.set_defaults(command=_rules_show)


def _add_rules_answer(commands: "_Commands", for_all: "_Parser") -> None:
    answer = commands.add_parser(
        "answer",
        parents=[for_all],
        help="answers to questions about the rules",
        description="Reads one JSON case a line on standard input and prints one JSON answer a line.",
        allow_abbrev=False,
    )
    answer.add_argument("kind", metavar="KIND", help="plays, grasshopper, flow, scoring, cube, match or games")
    answer.set_defaults(command=_rules_answer)


def _demo(options: argparse.Namespace) -> int:
    for option, is_given in (
        ("--mishaps", options.mishaps),
        ("--speed", options.speed is not None),
        ("--stay", options.stay),
    ):
        if is_given:
            raise UsageError(f"{option} comes with the referee and is not yet part of this version; leave it out")
    from controller.demo import play_demo

    game, rules = _game(options, default="backgammon")
    del game
    return play_demo(rules, games=options.games, seed=options.seed)


def _read(options: argparse.Namespace) -> int:
    import json

    from controller.read_pictures import OverlayFolder, WhereTheBoardIs, read_files
    from controller.reading_text import reading_lines, reading_record
    from vision.calibration_file import load_calibration
    from vision.errors import CalibrationFileError

    _game(options, default="backgammon")
    try:
        calibration = None if options.calibration is None else load_calibration(options.calibration)
    except CalibrationFileError as error:
        raise UsageError(f"--calibration: {error}") from None
    overlays = None
    if options.overlay is not None:
        _make_folder("--overlay", options.overlay)
        overlays = OverlayFolder(options.overlay, options.images)
    is_all_well = True
    for read in read_files(options.images, WhereTheBoardIs(calibration, options.corners), overlays):
        lines = [json.dumps(reading_record(read.outcome))] if options.json else reading_lines(read.outcome)
        for line in lines:
            print(line, flush=True)
        if read.complaint:
            _LOG.error(read.complaint)
        is_all_well &= read.is_well
    return _EXIT_OK if is_all_well else _EXIT_FAILED


def _calibrate(options: argparse.Namespace) -> int:
    import json

    from controller.calibrate import Calibrated, WhatIsKnown, calibrate_source, calibration_lines, calibration_record
    from controller.start_occupancy import start_occupancy
    from vision.calibration import Refusal
    from vision.calibration_file import save_calibration
    from vision.errors import VisionError
    from vision.sources import open_source

    file: Path = options.output
    if file.is_dir() or not file.parent.is_dir():
        raise UsageError(f"-o: {file} is a folder, or lies in one that is not there; name a file in a folder")
    rules = _game(options, default=None)[1] if options.game or options.rules else None
    known = WhatIsKnown(options.corners, options.field_mm, None if rules is None else start_occupancy(rules))
    done: Calibrated | Refusal
    try:
        with open_source(options.source) as source:
            done = calibrate_source(source, known, tell=_LOG.warning)
        if isinstance(done, Calibrated):
            save_calibration(done.calibration, file)
    except VisionError as error:
        done = Refusal(str(error))
    if options.json:
        print(json.dumps(calibration_record(done, str(file))))
    elif isinstance(done, Refusal):
        _LOG.error("not calibrated: %s", done.reason)
    else:
        for line in calibration_lines(done, str(file)):
            print(line)
    return _EXIT_FAILED if isinstance(done, Refusal) else _EXIT_OK


def _make_folder(option: str, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"{option}: cannot make the folder {folder} ({reason}); name another one") from None


def _rules_list(options: argparse.Namespace) -> int:
    import json

    from controller.rules_pages import known_games, list_lines, list_record

    games = known_games(_house(options))
    lines = (json.dumps(list_record(game), ensure_ascii=False) for game in games) if options.json else list_lines(games)
    for line in lines:
        print(line)
    return _EXIT_OK


def _rules_show(options: argparse.Namespace) -> int:
    import json

    from controller.board_text import glyphs_for
    from controller.rules_pages import show_lines, show_record

    game, rules = _game(options, default=None)
    if options.json:
        print(json.dumps(show_record(game, rules), ensure_ascii=False))
        return _EXIT_OK
    for line in show_lines(game, rules, glyphs_for(getattr(sys.stdout, "encoding", None))):
        print(line)
    return _EXIT_OK


def _rules_answer(options: argparse.Namespace) -> int:
    from controller.rule_answers.run import KINDS, answer_lines

    if options.kind not in KINDS:
        raise UsageError(f"unknown kind {options.kind!r}; choose one of {', '.join(KINDS)}")
    house = _house(options)
    is_all_well = True
    for line, is_answered in answer_lines(options.kind, sys.stdin or (), house):
        print(line, flush=True)
        is_all_well &= is_answered
    return _EXIT_OK if is_all_well else _EXIT_FAILED


def _game(options: argparse.Namespace, *, default: str | None) -> "tuple[str, Ruleset | None]":
    """The game asked for and its ruleset, which Grasshopper lacks; a house variant is the default when it is given."""
    from controller.rules_pages import known_games

    house = _house(options)
    games = known_games(house)
    game: str | None = options.game or (default if house is None else house.name)
    if game is None:
        raise UsageError(f"name a game: {', '.join(games)}")
    if game not in games:
        raise UsageError(f"unknown game {game!r}; choose one of {', '.join(games)}")
    return game, games[game]


def _house(options: argparse.Namespace) -> "Ruleset | None":
    """The house variant of --rules; every mistake in it is told, with the file's name."""
    if options.rules is None:
        return None
    from controller.rules.errors import RulesetError
    from controller.rules.house_rules import house_variant

    text = _text_of("--rules", options.rules)
    try:
        return house_variant(text)
    except RulesetError as error:
        raise UsageError(*(f"{options.rules}: {problem}" for problem in error.problems)) from None


def _check_folders(options: argparse.Namespace) -> None:
    """Refuses what can never work; the data folder is made by the first command that stores something."""
    if options.config is not None:
        import tomllib

        text = _text_of("--config", options.config)
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{options.config}: this is no TOML: {error}; correct that place") from None
    if options.data is not None and options.data.exists() and not options.data.is_dir():
        raise UsageError(f"--data: {options.data} is no folder; name one, or leave the option out")


def _text_of(option: str, file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"{option}: cannot read {file} ({reason}); name a file that can be read") from None
    except ValueError:  # UnicodeDecodeError, or a file name with a null character
        raise UsageError(f"{option}: {file} is no UTF-8 text; save it as UTF-8") from None


def _whole_above_zero(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("zarbiter")
    except PackageNotFoundError:
        return "(not installed; call ./zarbiter, which installs it)"
