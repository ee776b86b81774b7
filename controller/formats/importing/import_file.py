"""Reads any match file into the events of a log. The first bytes decide on the format, not the file name."""

from dataclasses import dataclass, replace
from pathlib import Path

from controller.formats.checking.match_check import check_transcript
from controller.formats.from_events import build_match
from controller.formats.importing.file_text import decode_text, read_content
from controller.formats.importing.text_formats import read_transcripts
from controller.formats.match_model import MatchHistory, PlayedTurn
from controller.formats.to_events import generate_events
from controller.formats.transcript import Problem, ProblemKind, Transcript, UnreadableFileError
from controller.formats.xg.xg_archive import XG_BEGINNING
from controller.formats.xg.xg_reader import read_xg
from controller.match import (
    GameStarted,
    GameWon,
    MatchStarted,
    MatchWon,
    RefereeEvent,
    RemarkMade,
    ResignationAnswered,
    ResignationOffered,
)
from controller.match_log.event_json import encode_object

_JSON = "{"
_RESULTS = (ResignationOffered, ResignationAnswered, GameWon, MatchWon)


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """The match that was kept of a file, its events, and the problems found."""

    match: MatchHistory
    events: tuple[RefereeEvent, ...]
    problems: tuple[Problem, ...]

    @property
    def turns(self) -> int:
        """The number of turns, as `zarbiter log show` counts."""
        return sum(len(game.played_turns) for game in self.match.games)

    def list_remarks(self) -> list[dict[str, object]]:
        """JSON objects: each remark with its game and turn; turn 0: on the beginning of the game, game 0: on the match."""
        found: list[dict[str, object]] = [{"game": 0, "turn": 0, **encode_object(one)} for one in self.match.remarks]
        for game in self.match.games:
            for placed in game.remarks:
                turns = [one.number for one in game.turns[: placed.after] if isinstance(one, PlayedTurn)]
                where = {"game": game.number, "turn": turns[-1] if turns else 0}
                found.append({**where, **encode_object(placed.remark)})
        return found

    @property
    def is_whole(self) -> bool:
        """Whether the whole content of the file was kept."""
        return not any(problem.kind.loses_something for problem in self.problems)

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened in what was kept: no throw, no cube, and no result of a file that was read whole."""
        nothing = (MatchStarted, GameStarted, RemarkMade, *(() if self.is_whole else _RESULTS))
        return all(isinstance(event, nothing) for event in self.events)


def read_matches(content: bytes) -> tuple[ImportedMatch, ...]:
    """Every match of a file, mostly one. Raises UnreadableFileError."""
    if content.startswith(XG_BEGINNING):
        return (_check(read_xg(content)),)
    decoded = decode_text(content)
    matches = _read_text(decoded.text)
    if decoded.guess:
        sentence = (
            f"its letters are read as {decoded.guess}, which the bytes suggest and do not prove; look at the names"
        )
        guessed = Problem(ProblemKind.ENCODING, sentence)
        matches = tuple(replace(one, problems=(guessed, *one.problems)) for one in matches)
    return matches


def read_match_file(file: Path) -> ImportedMatch:
    """The only match of a file, or its first one. Raises UnreadableFileError, and OSError if the file cannot be read."""
    return _take_first(read_matches(read_content(file)))


def read_match_text(text: str) -> ImportedMatch:
    """As `read_match_file`, of the text of a file. Raises UnreadableFileError."""
    return _take_first(_read_text(text))


def _take_first(matches: tuple[ImportedMatch, ...]) -> ImportedMatch:
    first = matches[0]
    if len(matches) == 1:
        return first
    sentence = f"it holds {len(matches)} matches, and this is the first; zarbiter import keeps them all"
    return replace(first, problems=(*first.problems, Problem(ProblemKind.UNREADABLE, sentence)))


def _read_text(text: str) -> tuple[ImportedMatch, ...]:
    if text.lstrip().startswith(_JSON):
        return (_read_log_text(text),)
    return tuple(map(_check, read_transcripts(text)))


def _check(transcript: Transcript) -> ImportedMatch:
    checked = check_transcript(transcript)
    return ImportedMatch(checked.match, tuple(generate_events(checked.match)), checked.problems)


def _read_log_text(text: str) -> ImportedMatch:
    # Imported here because only this needs the referee, which imports numpy.
    from controller.formats.importing.jsonl_reader import read_jsonl

    log = read_jsonl(text)
    try:
        match = build_match(log.facts, log.events)
    except (ValueError, LookupError, RuntimeError):
        raise UnreadableFileError("its events make no match") from None
    return ImportedMatch(match, log.events, log.problems)
