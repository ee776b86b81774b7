"""Reads any match file into the events of a log. The first bytes decide on the format, not the file name."""

from dataclasses import dataclass
from pathlib import Path

from controller.formats.checking.match_check import check_transcript
from controller.formats.from_events import build_match
from controller.formats.importing.file_text import decode_text, read_content
from controller.formats.importing.mat_reader import read_mat
from controller.formats.importing.sgf_reader import read_sgf
from controller.formats.match_model import MatchHistory
from controller.formats.to_events import generate_events
from controller.formats.transcript import Problem, Remark, Transcript, UnreadableFileError
from controller.formats.xg.xg_archive import XG_BEGINNING
from controller.formats.xg.xg_reader import read_xg
from controller.match import GameStarted, MatchStarted, RefereeEvent

_JSON, _SGF = "{", "("


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """The match that was kept of a file, its events, the problems found, and what people wrote beside the play."""

    match: MatchHistory
    events: tuple[RefereeEvent, ...]
    problems: tuple[Problem, ...]
    remarks: tuple[Remark, ...] = ()

    @property
    def turns(self) -> int:
        """The number of turns, as `zarbiter log show` counts."""
        return sum(len(game.played_turns) for game in self.match.games)

    @property
    def is_whole(self) -> bool:
        """Whether the whole content of the file was kept."""
        return not any(problem.kind.loses_something for problem in self.problems)

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened in what was kept: no throw, no cube, no result."""
        return all(isinstance(event, MatchStarted | GameStarted) for event in self.events)


def read_match_file(file: Path) -> ImportedMatch:
    """Raises UnreadableFileError, and OSError if the file cannot be read."""
    content = read_content(file)
    return _check(read_xg(content)) if content.startswith(XG_BEGINNING) else read_match_text(decode_text(content))


def read_match_text(text: str) -> ImportedMatch:
    """Reads the text of a match file. Raises UnreadableFileError."""
    first = text.lstrip()[:1]
    if first == _JSON:
        return _read_log_text(text)
    return _check(read_sgf(text) if first == _SGF else read_mat(text))


def _check(transcript: Transcript) -> ImportedMatch:
    checked = check_transcript(transcript)
    return ImportedMatch(checked.match, tuple(generate_events(checked.match)), checked.problems, transcript.remarks)


def _read_log_text(text: str) -> ImportedMatch:
    # Imported here because only this needs the referee, which imports numpy.
    from controller.formats.importing.jsonl_reader import read_jsonl

    log = read_jsonl(text)
    try:
        match = build_match(log.facts, log.events)
    except (ValueError, LookupError, RuntimeError):
        raise UnreadableFileError("its events make no match") from None
    return ImportedMatch(match, log.events, log.problems)
