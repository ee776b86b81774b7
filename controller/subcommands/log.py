"""`zarbiter log list`, `log show`, `log verify`, `log delete` and `log schema`: the match logs in the data folder.

`log_keeping.py` has `log copy`, `log salvage` and `log sign`.
"""

import argparse
import logging
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.options import CommandFailedError, SubParsers, UsageError, add_command

if TYPE_CHECKING:
    from controller.match_log import BrokenChain, IntactChain
    from controller.wording.log_text import Proof

_LOG = logging.getLogger("zarbiter.log")
_HEAD = re.compile(r"[0-9a-f]{16,64}")
MATCH_HELP = "a name of zarbiter log list, its beginning, a player, or a file"


def add(commands: SubParsers, summary: str) -> None:
    from controller.subcommands.log_keeping import add_keeping_commands

    log = commands.add_parser("log", help=summary)
    questions = log.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listing = add_command(questions, "list", _list, "list the matches")
    listing.add_argument("--json", action="store_true", help="one JSON object a line")
    _add_show(questions)
    _add_verify(questions)
    add_keeping_commands(questions)
    delete = add_command(questions, "delete", _delete, "delete a match for good")
    delete.add_argument("match", metavar="MATCH", help=MATCH_HELP)
    delete.add_argument("--yes", action="store_true", help="confirm the deletion")
    add_command(
        questions,
        "schema",
        _schema,
        "print the JSON schema of events and states",
        "Prints a JSON Schema (draft 2020-12) of what play --json, the page, MQTT and webhooks send.",
    )


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
        "Checks the hash chain of the events and their pictures and that no confirmed event is missing at the end, names the"
        " first broken place, and prints the head, which is the last hash.",
        epilog="The chain reveals damage, and changes by whoever does not know it. Whoever rewrites the whole file with a new"
        " chain stays unnoticed, and so does whoever takes away the last events and closes the match, unless the head was"
        " noted elsewhere (--head) or the match was signed with a key that person does not have (log sign, --key).",
    )
    verify.add_argument("matches", metavar="MATCH", nargs="*", help=f"{MATCH_HELP} (default: all)")
    verify.add_argument("--json", action="store_true", help="one JSON object a line")
    verify.add_argument(
        "--head",
        metavar="HASH",
        help="a head noted earlier, or its first 16 digits: does the one MATCH still have this event?",
    )
    verify.add_argument("--key", metavar="FILE", type=Path, help="the key of log sign: are the matches signed with it?")


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


def _schema(options: argparse.Namespace) -> bool:
    import json

    from controller.publishing import make_schema

    for line in json.dumps(make_schema(), indent=1).splitlines():
        print(line)
    return True


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
    for line in turns if options.json else show_lines(match, path.stem):
        print(line)
    if options.pictures is not None and not options.json:
        noun = "picture is" if len(pictures) == 1 else "pictures are"
        print(f"{len(pictures)} {noun} in {options.pictures}")
    return True


def _verify(options: argparse.Namespace) -> bool:
    import json

    from controller.match_log import IntactChain, MatchLogError, match_files, verify
    from controller.wording.log_text import verdict_line, verdict_record

    noted, key = _parse_head(options), None if options.key is None else _load_key(options.key)
    paths = [find_match_file(name, options) for name in options.matches] or match_files(folder_of(options))
    is_all_well = True
    for path in paths:
        try:
            verdict = verify(path)
            proofs = _find_proofs(path, verdict, noted, key)
        except MatchLogError as error:
            _LOG.error(error)
            is_all_well = False
            continue
        is_all_well &= isinstance(verdict, IntactChain) and all(proof.is_good for proof in proofs)
        if options.json:
            line = json.dumps(verdict_record(path.stem, verdict, proofs))
        else:
            line = verdict_line(path.stem, verdict, proofs)
        print(line, flush=True)
    if not paths and not options.json:
        print(f"no matches in {folder_of(options)}")
    return is_all_well


def _parse_head(options: argparse.Namespace) -> str | None:
    if options.head is None:
        return None
    head: str = options.head.strip().lower()
    if not _HEAD.fullmatch(head):
        raise UsageError(
            f"--head: {options.head[:80]!r} is no head; give its 64 hexadecimal digits, or the first 16 or more"
        )
    if len(options.matches) != 1:
        raise UsageError("--head is the head of one match; name that match")
    return head


def _load_key(file: Path) -> bytes:
    from controller.match_log import MatchLogError
    from controller.match_log.signature import load_key

    try:
        return load_key(file)
    except MatchLogError as error:
        raise UsageError(f"--key: {str(error).removesuffix('.')}") from None


def _find_proofs(
    path: Path, verdict: "IntactChain | BrokenChain", noted: str | None, key: bytes | None
) -> "tuple[Proof, ...]":
    """What a noted head and a signature prove of an intact match. Raises MatchLogError for a match that changed meanwhile."""
    from controller.match_log import IntactChain
    from controller.match_log.errors import DamagedLogError, SignatureError
    from controller.match_log.replay import find_event_of_hash
    from controller.match_log.signature import verify_signature
    from controller.wording.log_text import Proof

    proofs: list[Proof] = []
    if not isinstance(verdict, IntactChain):
        return ()
    if noted is not None:
        event = find_event_of_hash(path, noted)
        proofs.append(
            Proof("head", event, "" if event else f"no event has the head {noted}, so this is not the match of then")
        )
    if key is not None:
        try:
            proofs.append(Proof("signature", verify_signature(path, key).n_events))
        except SignatureError as error:
            proofs.append(Proof("signature", None, str(error).removesuffix(".")))
        except DamagedLogError as error:
            proofs.append(Proof("signature", None, error.problem))
    return tuple(proofs)


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
