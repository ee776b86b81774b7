"""`zarbiter log copy`, `log salvage` and `log sign`: copies of match logs, and their signatures."""

import argparse
from pathlib import Path

from controller.subcommands.log import MATCH_HELP, find_match_file, folder_of
from controller.subcommands.options import CommandFailedError, SubParsers, UsageError, add_command, format_count


def add_keeping_commands(questions: SubParsers) -> None:
    copy = add_command(
        questions,
        "copy",
        _copy,
        "copy a match, also while it is being played",
        "Copies one moment of a match into one file and verifies the copy. Copying the file itself is safe only when the match"
        " is closed, since the newest events of a running match lie in other files beside it.",
    )
    _add_pair(copy)
    salvage = add_command(
        questions,
        "salvage",
        _salvage,
        "keep what is intact of a damaged match",
        "Makes a new match of all events before the first damage, with their pictures, times and hashes, and says what is"
        " missing (exit status 1 then). The damaged match is not changed. play --resume goes on with the new one.",
    )
    _add_pair(salvage)
    sign = add_command(
        questions,
        "sign",
        _sign,
        "sign a match with a key of yours",
        "Signs the last hash of a match (HMAC-SHA256), for log verify --key. The signature lies beside the match, in the file"
        " that ends in -signature. Keep the key where those who are not trusted with the match cannot read it.",
    )
    sign.add_argument("match", metavar="MATCH", help=MATCH_HELP)
    sign.add_argument(
        "--key",
        metavar="FILE",
        type=Path,
        required=True,
        help="the key, outside the data folder; a missing one is made",
    )


def _add_pair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", metavar="MATCH", help=MATCH_HELP)
    parser.add_argument(
        "-o", "--output", metavar="NEW", required=True, help="the name of the new match, or its file if it has a slash"
    )


def _copy(options: argparse.Namespace) -> bool:
    from controller.match_log import MatchLogError
    from controller.match_log.copies import copy_match
    from controller.wording.log_text import verdict_line

    source, target = find_match_file(options.match, options), _find_target(options)
    try:
        verdict = copy_match(source, target)
    except MatchLogError as error:
        raise CommandFailedError(str(error)) from None
    print(verdict_line(str(target), verdict))
    return True


def _salvage(options: argparse.Namespace) -> bool:
    from controller.match_log import MatchLogError
    from controller.match_log.copies import salvage_match

    source, target = find_match_file(options.match, options), _find_target(options)
    try:
        kept = salvage_match(source, target)
    except MatchLogError as error:
        raise CommandFailedError(str(error)) from None
    events = "event 1" if kept.n_events == 1 else f"events 1 to {kept.n_events}"
    print(f"{target}: {events} and {format_count(kept.n_pictures, 'picture')} are kept")
    if kept.problem:
        first, last = kept.n_events + 1, kept.n_expected
        known = f"event {first}" if last == first else f"events {first} to {last}" if last > first else "what followed"
        print(f"missing: {known} ({kept.problem})")
    if kept.lost_pictures:
        print(f"missing: {format_count(kept.lost_pictures, 'picture')} of kept events, damaged")
    if kept.is_whole:
        print("nothing is missing")
    return kept.is_whole


def _sign(options: argparse.Namespace) -> bool:
    from controller.match_log import MatchLogError
    from controller.match_log.signature import create_key, load_key, sign_match

    path, key = find_match_file(options.match, options), options.key
    _check_key_is_apart(key, options)
    try:
        is_new = not key.exists()
        if is_new:
            create_key(key)
        signed = sign_match(path, load_key(key))
    except MatchLogError as error:
        raise CommandFailedError(str(error)) from None
    if is_new:
        print(f"{key} is a new key; keep a copy of it, nothing else can verify the signature")
    print(f"{path.stem}: signed up to event {signed.n_events}, head {signed.head}")
    return True


def _check_key_is_apart(key: Path, options: argparse.Namespace) -> None:
    """UsageError for a key in the data folder: whoever can change the matches could sign them too."""
    data = folder_of(options).parent.resolve()
    if key.resolve().is_relative_to(data):
        raise UsageError(f"--key: {key} lies in the data folder {data}; keep it elsewhere, best on another disk")


def _find_target(options: argparse.Namespace) -> Path:
    from controller.match_log import MatchLogError, resolve_new_path

    try:
        return resolve_new_path(options.output, folder_of(options))
    except MatchLogError as error:
        raise UsageError(f"-o: {error}") from None
