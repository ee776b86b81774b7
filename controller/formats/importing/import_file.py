"""Any match file to the events of a log: what it is is told by its content, not by its name."""

from dataclasses import dataclass
from pathlib import Path

from controller.formats.checking.match_check import check_transcript
from controller.formats.from_events import build_match
from controller.formats.importing.file_text import read_text
from controller.formats.importing.mat_reader import read_mat
from controller.formats.importing.sgf_reader import read_sgf
from controller.formats.match_model import MatchHistory
from controller.formats.to_events import generate_events
from controller.formats.transcript import Problem, UnreadableFileError
from controller.match.events import RefereeEvent

_JSON, _SGF = "{", "("


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """What was kept of a file: the match, and the events that tell it."""

    match: MatchHistory
    events: tuple[RefereeEvent, ...]
    problems: tuple[Problem, ...]

    @property
    def turns(self) -> int:
        """As `zarbiter log show` counts them: throws and what was played with them."""
        return sum(len(game.played_turns) for game in self.match.games)

    @property
    def is_whole(self) -> bool:
        """Whether everything that the file holds was kept."""
        return not any(problem.kind.loses_something for problem in self.problems)


def read_match_file(file: Path) -> ImportedMatch:
    """Raises UnreadableFileError, or OSError where the file cannot be read."""
    return read_match_text(read_text(file))


def read_match_text(text: str) -> ImportedMatch:
    """The same for text that is there."""
    first = text.lstrip()[:1]
    if first == _JSON:
        return _read_log_text(text)
    said = check_transcript(read_sgf(text) if first == _SGF else read_mat(text))
    return ImportedMatch(said.match, tuple(generate_events(said.match)), said.problems)


def _read_log_text(text: str) -> ImportedMatch:
    # the referee's rules are needed for this only, and they bring numpy with them
    from controller.formats.importing.jsonl_reader import read_jsonl

    said = read_jsonl(text)
    try:
        match = build_match(said.facts, said.events)
    except (ValueError, LookupError, RuntimeError):
        raise UnreadableFileError("its events make no match") from None
    return ImportedMatch(match, said.events, said.problems)
