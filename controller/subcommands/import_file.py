"""`zarbiter import`: makes match logs from match files of other programs, one file, a folder or a zip archive."""

import argparse
import json
import logging
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.log import folder_of
from controller.subcommands.options import (
    CommandFailedError,
    ProgressBar,
    SubParsers,
    UsageError,
    add_command,
    format_count,
)

if TYPE_CHECKING:
    from controller.formats import ImportedMatch, MatchSource

_LOG = logging.getLogger("zarbiter.import")
_MAX_REPORTED = 20
_NOTHING = "no turn and no result could be read in it; see whether it is a match file"


def add(commands: SubParsers, summary: str) -> None:
    from controller.formats import LIMITS

    importing = add_command(
        commands,
        "import",
        _import,
        summary,
        "Reads match text (.mat, .txt) of many programs, .sgf of GNU Backgammon, .xg and .xgp of eXtreme Gammon, and JSON"
        " lines of zarbiter export; also every match file of a folder or a zip archive. Every play is judged; an illegal"
        " play is kept as it was made and reported. A match that is already there is not made twice.",
        epilog=f"{LIMITS} A larger file is refused. Turns are counted as in zarbiter log show, without the cube.",
    )
    importing.add_argument(
        "files", metavar="FILE", type=Path, nargs="+", help="a match file, a folder or a zip archive"
    )
    importing.add_argument(
        "--match", metavar="N", type=int, help="of a file with several matches only this one, counted from 1"
    )
    importing.add_argument("--json", action="store_true", help="each match and its problems as one JSON object a line")


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of one match of a file. `name` None: it was not made, and `refusal` says why.

    `is_known`: it was there before, as `name`.
    """

    source: str
    read: "ImportedMatch | None" = None
    name: str | None = None
    refusal: str = ""
    is_known: bool = False

    @property
    def is_good(self) -> bool:
        return self.name is not None and self.read is not None and self.read.is_whole


def _import(options: argparse.Namespace) -> bool:
    if options.match is not None and options.match < 1:
        raise UsageError("--match: matches are counted from 1; give 1 or more")
    sources = [source for path in options.files for source in _list_sources(path)]
    importer = _Importer(folder_of(options), options.match)
    if len(sources) == 1:
        outcomes = importer.import_source(sources[0])
        if len(outcomes) == 1:
            return _report_one(outcomes[0], as_json=options.json)
    else:
        outcomes = []
        progress = ProgressBar("files", len(sources))
        for done, source in enumerate(sources):
            progress.show(done)
            outcomes.extend(importer.import_source(source))
        progress.end()
    return _report_all(outcomes, as_json=options.json)


def _list_sources(path: Path) -> "tuple[MatchSource, ...]":
    from controller.formats import UnreadableFileError, list_sources

    try:
        return list_sources(path)
    except UnreadableFileError as error:
        raise CommandFailedError(f"{path} was not imported: {error}") from None
    except OSError as error:
        raise CommandFailedError(f"{path} cannot be read ({error.strerror or error}); name another file") from None


@dataclass(slots=True)
class _Importer:
    """Makes matches in `folder`, each once, also beside another import: `_known` has their names by their fingerprint.

    `_seen` are the logs of the folder that were looked at, `_listed` these by their players, length and score.
    """

    folder: Path
    number: int | None
    _known: dict[str, str] = field(default_factory=dict)
    _seen: set[Path] = field(default_factory=set)
    _listed: "dict[tuple[object, ...], list[Path]]" = field(default_factory=dict)

    def import_source(self, source: "MatchSource") -> list[_Outcome]:
        from controller.formats import UnreadableFileError, read_matches

        try:
            matches = read_matches(source.read())
        except UnreadableFileError as error:
            return [_Outcome(source.name, refusal=f"{source.name} was not imported: {error}")]
        except OSError as error:
            refusal = f"{source.name} cannot be read ({error.strerror or error}); name another file"
            return [_Outcome(source.name, refusal=refusal)]
        if self.number is not None and self.number > len(matches):
            refusal = f"{source.name} was not imported: it has {format_count(len(matches), 'match', 'matches')}, no {self.number}"
            return [_Outcome(source.name, refusal=f"{refusal}; name one of them")]
        chosen = matches if self.number is None else matches[self.number - 1 : self.number]
        return [self._import_match(source.name, read) for read in chosen]

    def _import_match(self, source: str, read: "ImportedMatch") -> _Outcome:
        from controller.match_log.writer_lock import folder_lock

        if read.is_empty:
            return _Outcome(source, read, refusal=f"{source} was not imported: {_NOTHING}")
        with folder_lock(self.folder):
            return self._make_once(source, read)

    def _make_once(self, source: str, read: "ImportedMatch") -> _Outcome:
        from controller.formats import match_fingerprint
        from controller.match_log import MatchLogError, new_match

        fingerprint = match_fingerprint(read.match)
        known = self._known.get(fingerprint) or self._find_in_folder(read, fingerprint)
        if known is not None:
            return _Outcome(source, read, known, is_known=True)
        try:
            with new_match(self.folder, read.match.game, read.events) as log:
                self._known[fingerprint] = log.path.stem
                self._seen.add(log.path)
                return _Outcome(source, read, log.path.stem)
        except MatchLogError as error:
            return _Outcome(source, read, refusal=f"{source} was not imported: {error}")

    def _find_in_folder(self, read: "ImportedMatch", fingerprint: str) -> str | None:
        """The name of a log of this match; only logs of these players with this score are read."""
        from controller.formats import build_match_of_record, match_fingerprint
        from controller.match_log import MatchLogError, match_files, read_match
        from controller.match_log.catalogue import read_listing
        from controller.rules import RulesError

        for path in match_files(self.folder):
            if path in self._seen:
                continue
            self._seen.add(path)
            summary = read_listing(path).summary
            if summary is not None:
                score = summary.white_score, summary.black_score
                self._listed.setdefault((summary.white, summary.black, summary.length, score), []).append(path)
        match = read.match
        for path in self._listed.get((match.white, match.black, match.length, match.final_score), ()):
            try:
                if match_fingerprint(build_match_of_record(read_match(path))) == fingerprint:
                    self._known[fingerprint] = path.stem
                    return path.stem
            except (MatchLogError, RulesError):
                continue  # a damaged log is the business of log verify
        return None


def _report_one(outcome: _Outcome, *, as_json: bool) -> bool:
    if as_json:
        print(json.dumps(_record(outcome)))
    if outcome.read is not None and not as_json:
        for problem in outcome.read.problems[:_MAX_REPORTED]:
            _LOG.warning(problem.sentence)
        if len(outcome.read.problems) > _MAX_REPORTED:
            _LOG.warning("and %d more; --json shows all", len(outcome.read.problems) - _MAX_REPORTED)
    if outcome.read is None or outcome.name is None:
        raise CommandFailedError(outcome.refusal)
    if not as_json:
        print(_describe(outcome))
        n_remarks = len(outcome.read.list_remarks())
        if n_remarks:
            print(f"{format_count(n_remarks, 'remark')} beside the play; zarbiter log show has them")
    return outcome.is_good


def _describe(outcome: _Outcome) -> str:
    from controller.formats import safe_names

    read = outcome.read
    if read is None:
        return outcome.refusal
    kept = f"{format_count(len(read.match.games), 'game')} and {format_count(read.turns, 'turn')}"
    white, black = safe_names(read.match)
    known = ", already there" if outcome.is_known else ""
    return f"{outcome.name}: {read.match.game}, {white} - {black}, {kept}{known}"


def _report_all(outcomes: list[_Outcome], *, as_json: bool) -> bool:
    for outcome in outcomes:
        if as_json:
            print(json.dumps(_record(outcome)))
        elif outcome.name is None:
            _LOG.warning(outcome.refusal)
        else:
            problems = () if outcome.read is None else outcome.read.problems
            found = f", {format_count(len(problems), 'problem')}: {problems[0].sentence}" if problems else ""
            print(f"{_describe(outcome)} ({outcome.source}){found}")
    kinds = Counter(_kind(outcome) for outcome in outcomes)
    if not as_json:
        turns = sum(one.read.turns for one in outcomes if one.read is not None and one.name and not one.is_known)
        print(
            f"{format_count(len(outcomes), 'match', 'matches')}: {', '.join(f'{n} {kind}' for kind, n in kinds.items())}; {turns:,} turns"
        )
    return all(outcome.is_good for outcome in outcomes)


def _kind(outcome: _Outcome) -> str:
    if outcome.name is None:
        return "refused"
    return "already there" if outcome.is_known else "imported" if outcome.is_good else "imported in part"


def _record(outcome: _Outcome) -> dict[str, object]:
    read = outcome.read
    return {
        "file": outcome.source,
        "match": outcome.name,
        "games": len(read.match.games) if read is not None and outcome.name else 0,
        "turns": 0 if read is None else read.turns,
        "already_there": outcome.is_known,
        "refusal": outcome.refusal,
        "problems": [] if read is None else [problem.record() for problem in read.problems],
        "remarks": [] if read is None else read.list_remarks(),
    }
