"""`zarbiter export`: writes a match in the file format of another program, as a score sheet, or as JSON lines."""

import argparse
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from controller.settings import open_atomically
from controller.subcommands.log import MATCH_HELP, find_match_file
from controller.subcommands.options import (
    CommandFailedError,
    SubParsers,
    UsageError,
    add_command,
    check_new_file,
    not_written,
)
from controller.subcommands.replaying.match_loading import is_log

if TYPE_CHECKING:
    from controller.match_log import MatchRecord

_LOG = logging.getLogger("zarbiter.export")
_JSONL, _XG, _XGP = "jsonl", "xg", "xgp"
_FORMATS = {
    "mat": "match text, as GNU Backgammon and XG read it",
    "sgf": "GNU Backgammon's own file",
    _XG: "eXtreme Gammon's own file",
    _XGP: "one position as eXtreme Gammon's file",
    "snowie": "match text without a header; with --at a position line",
    "xgid": "one position for XG",
    "gnubgid": "one position for GNU Backgammon",
    "sheet": "a page to print, for any game",
    _JSONL: "every event, one JSON object a line, for any game",
}
_POSITION_FORMATS = ("xgid", "gnubgid", "snowie", _XGP)


def add(commands: SubParsers, summary: str) -> None:
    export = add_command(commands, "export", _export, summary)
    export.add_argument("match", metavar="MATCH", help=MATCH_HELP)
    names = "; ".join(f"{name}: {words}" for name, words in _FORMATS.items())
    export.add_argument("--format", metavar="F", required=True, help=names)
    export.add_argument(
        "--at",
        metavar="TURN",
        help="for position formats: the turn as log show numbers it, with its roll; 12:before, 12:offered, 12:after (default: the end)",
    )
    export.add_argument("--pictures", action="store_true", help="add photographs of disputed turns to the sheet")
    export.add_argument(
        "-o", "--output", metavar="FILE", type=Path, required=True, help="the file; an existing one is replaced"
    )


def _export(options: argparse.Namespace) -> bool:
    from controller.formats import IdTextError, NoSuchMatchStateError, NotForThisGameError
    from controller.match_log import MatchLogError, read_match
    from controller.rules import RulesError

    _check_format(options)
    path = find_match_file(options.match, options)
    file: Path = options.output
    _check_output(file, path)
    if not is_log(path):
        raise CommandFailedError(f"{path} is no match log; zarbiter import makes one of a match file")
    try:
        # Bytes of a name that are no Unicode become JSON escapes.
        with open_atomically(file, errors="backslashreplace") as part:
            if options.format in (_XG, _XGP):
                part.buffer.write(_binary(read_match(path), options))
            else:
                part.writelines(f"{line}\n" for line in _lines(read_match(path), path, options))
    except NotForThisGameError as error:
        raise CommandFailedError(f"{options.format}: {error}") from None
    except (MatchLogError, RulesError, NoSuchMatchStateError, IdTextError) as error:
        raise CommandFailedError(str(error)) from None
    except OSError as error:
        raise not_written(file, error) from None
    return True


def _lines(record: "MatchRecord", path: Path, options: argparse.Namespace) -> Iterator[str]:
    """The lines of the file, without line ends."""
    from controller.match_log.export import jsonl_lines

    if options.format == _JSONL:
        return jsonl_lines(record)
    text, remarks = _text(record, path, options)
    for remark in remarks:
        _LOG.warning("%s: %s", options.format, remark)
    return iter(text.removesuffix("\n").split("\n"))


def _binary(record: "MatchRecord", options: argparse.Namespace) -> bytes:
    from controller.formats import build_match_of_record, find_match_state, parse_turn_reference, xg_file, xgp_file

    match = build_match_of_record(record)
    if options.format == _XGP:
        at = None if options.at is None else parse_turn_reference(options.at)
        return xgp_file(match, find_match_state(match, at))
    content, remarks = xg_file(match)
    for remark in remarks:
        _LOG.warning("%s: %s", options.format, remark)
    return content


def _text(record: "MatchRecord", path: Path, options: argparse.Namespace) -> tuple[str, tuple[str, ...]]:
    """The text of the file, and remarks on what the format cannot express."""
    from controller.formats import (
        build_match_of_record,
        find_match_state,
        gnubgid,
        mat_text,
        parse_turn_reference,
        safe_names,
        sgf_text,
        snowie_position,
        snowie_text,
        xgid,
    )

    match = build_match_of_record(record)
    at = None if options.at is None else parse_turn_reference(options.at)
    match options.format:
        case "mat":
            return mat_text(match)
        case "sgf":
            return sgf_text(match)
        case "snowie" if at is None:
            return snowie_text(match)
        case "snowie":
            return snowie_position(find_match_state(match, at), safe_names(match)), ()
        case "xgid":
            return xgid(find_match_state(match, at)), ()
        case "gnubgid":
            return gnubgid(find_match_state(match, at)), ()
        case _:
            return _sheet(record, path, with_pictures=options.pictures), ()


def _sheet(record: "MatchRecord", path: Path, *, with_pictures: bool) -> str:
    from controller.formats import (
        EvidenceLoader,
        SheetProof,
        build_match_of_record,
        no_evidence,
        proof_text,
        sheet_html,
    )
    from controller.web.qr_code import qr_rows

    match, proof = build_match_of_record(record), None
    if record.logged:
        head, n_events = record.logged[-1].hash.hex(), len(record.logged)
        proof = SheetProof(n_events, head, qr_rows(proof_text(match.match_id, n_events, head)))
    return sheet_html(match, EvidenceLoader(record, path) if with_pictures else no_evidence, proof)


def _check_format(options: argparse.Namespace) -> None:
    from controller.formats import NoSuchMatchStateError, parse_turn_reference
    from controller.rules.errors import suggest

    name = options.format
    if name not in _FORMATS:
        raise UsageError(f"--format: unknown format {name!r}; {suggest(name, _FORMATS)}")
    if options.at is not None and name not in _POSITION_FORMATS:
        raise UsageError(f"--at: {name} is of a whole match; it goes with {', '.join(_POSITION_FORMATS)}")
    if options.at is not None:
        try:
            parse_turn_reference(options.at)
        except NoSuchMatchStateError as error:
            raise UsageError(f"--at: {error}") from None
    if options.pictures and name != "sheet":
        raise UsageError(f"--pictures: {name} shows none; they go with sheet")


def _check_output(file: Path, match: Path) -> None:
    check_new_file(file, "-o")
    if file.exists() and match.exists() and file.samefile(match):
        raise UsageError(f"-o: {file} is the match itself; name another file")
