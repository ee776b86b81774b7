"""`zarbiter log list`, `log show`, `log verify` and `log delete`: the match logs in the data folder."""

import argparse
import logging
import os
from pathlib import Path

from controller.subcommands.options import CommandFailedError, SubParsers, UsageError, add_command

_LOG = logging.getLogger("zarbiter.log")
MATCH_HELP = "an id of zarbiter log list, its beginning, or a file"


def add(commands: SubParsers, summary: str) -> None:
    log = commands.add_parser("log", help=summary)
    questions = log.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listing = add_command(questions, "list", _list, "list the matches")
    listing.add_argument("--json", action="store_true", help="one JSON object a line")
    _add_show(questions)
    _add_verify(questions)
    delete = add_command(questions, "delete", _delete, "delete a match for good")
    delete.add_argument("match", metavar="MATCH", help=MATCH_HELP)
    delete.add_argument("--yes", action="store_true", help="confirm the deletion")


def _add_show(questions: SubParsers) -> None:
    show = add_command(questions, "show", _show, "print the turns of a match")
    show.add_argument("match", metavar="MATCH", help=MATCH_HELP)
    show.add_argument("--json", action="store_true", help="one JSON object per turn, one a line")
    show.add_argument("--pictures", metavar="DIR", type=Path, help="write the evidence there as JPEG files")


def _add_verify(questions: SubParsers) -> None:
    verify = add_command(
        questions,
        "verify",
        _verify,
        "check that a log is unchanged",
        "Checks the hash chain of the events and their pictures, and names the first broken place.",
    )
    verify.add_argument("matches", metavar="MATCH", nargs="*", help=f"{MATCH_HELP} (default: all)")
    verify.add_argument("--json", action="store_true", help="one JSON object a line")


def folder_of(options: argparse.Namespace) -> Path:
    """The folder of the match logs."""
    from controller.match_log import matches_folder
    from controller.settings import data_folder

    return matches_folder(data_folder(options.data, os.environ))


def find_match_file(name: str, options: argparse.Namespace) -> Path:
    """The file of a match; UsageError when no match, or more than one, has that name."""
    from controller.match_log import find_match
    from controller.match_log.errors import UnknownMatchError

    try:
        return find_match(name, folder_of(options))
    except UnknownMatchError as error:
        raise UsageError(str(error).removesuffix(".")) from None


def _list(options: argparse.Namespace) -> bool:
    import json

    from controller.match_log import match_files
    from controller.match_log.catalogue import read_listing
    from controller.wording.log_text import list_lines, list_record

    folder = folder_of(options)
    matches = [read_listing(path) for path in match_files(folder)]
    lines = (json.dumps(list_record(match)) for match in matches) if options.json else list_lines(matches)
    for line in lines:
        print(line)
    problems = [match.problem for match in matches if match.summary is None]
    for problem in problems:
        _LOG.error(problem)
    if not matches and not options.json:
        print(f"no matches in {folder}")
    return not problems


def _show(options: argparse.Namespace) -> bool:
    import json

    from controller.match_log import MatchLogError, read_match, turn_lines
    from controller.match_log.export import save_pictures
    from controller.wording.log_text import show_lines

    path = find_match_file(options.match, options)
    try:
        match = read_match(path)
        pictures = () if options.pictures is None else save_pictures(match, path, options.pictures)
    except MatchLogError as error:
        raise CommandFailedError(str(error)) from None
    turns = (json.dumps(turn.record()) for turn in turn_lines(match.events))
    for line in turns if options.json else show_lines(match):
        print(line)
    if options.pictures is not None and not options.json:
        noun = "picture is" if len(pictures) == 1 else "pictures are"
        print(f"{len(pictures)} {noun} in {options.pictures}")
    return True


def _verify(options: argparse.Namespace) -> bool:
    import json

    from controller.match_log import IntactChain, MatchLogError, match_files, verify
    from controller.wording.log_text import verdict_line, verdict_record

    paths = [find_match_file(name, options) for name in options.matches] or match_files(folder_of(options))
    is_all_well = True
    for path in paths:
        try:
            verdict = verify(path)
        except MatchLogError as error:
            _LOG.error(error)
            is_all_well = False
            continue
        is_all_well &= isinstance(verdict, IntactChain)
        line = json.dumps(verdict_record(path.stem, verdict)) if options.json else verdict_line(path.stem, verdict)
        print(line, flush=True)
    if not paths and not options.json:
        print(f"no matches in {folder_of(options)}")
    return is_all_well


def _delete(options: argparse.Namespace) -> bool:
    from controller.match_log import MatchLogError
    from controller.match_log.catalogue import delete_match

    path = find_match_file(options.match, options)
    if not options.yes:
        raise UsageError(f"deleting {path} cannot be undone; give --yes if it shall be gone")
    try:
        delete_match(path)
    except MatchLogError as error:
        raise CommandFailedError(str(error)) from None
    print(f"{path} is deleted")
    return True
