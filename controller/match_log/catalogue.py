"""The matches of a folder: their names, a summary of each, and deleting one.

Text that a person typed is compared with the existing names. It is used as a path only if it contains a slash or ends
like a match file.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from pathlib import Path

from controller.match import GameWon, MatchStarted, MatchWon, RefereeEvent
from controller.match_log.connection import open_snapshot
from controller.match_log.creation import MATCHES, create_match, make_match_id, remove_match_files
from controller.match_log.errors import (
    EventTextError,
    LogInUseError,
    MatchExistsError,
    MatchLogError,
    MatchNameError,
    StorageError,
    UnknownMatchError,
    UnreadableLogError,
)
from controller.match_log.event_json import parse_event
from controller.match_log.head_note import read_head_note
from controller.match_log.replay import check_nothing_lost, read_facts, read_head
from controller.match_log.store import MOST_PICTURE_BYTES, MatchLog
from controller.match_log.wall_clock import utc_now
from controller.match_log.writer_lock import WriterLock, is_locked

SUFFIX = ".zmatch"
_NEW_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_MOST_IN_ONE_SECOND = 1000
# The summary needs only these events; the pattern avoids parsing the others.
_SUMMARY_EVENTS = """
    SELECT event FROM events WHERE event LIKE '%"event":"MatchStarted"%' OR event LIKE '%"event":"GameWon"%'
    OR event LIKE '%"event":"MatchWon"%' ORDER BY sequence"""

_START_EVENT = """SELECT event FROM events WHERE event LIKE '%"event":"MatchStarted"%' ORDER BY sequence LIMIT 1"""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """Players and score of a match. `length` None: money games; `winner_name` None: the match is not over."""

    game: str
    created_utc: str
    white: str
    black: str
    length: int | None
    white_score: int
    black_score: int
    winner_name: str | None
    n_events: int


@dataclass(frozen=True, slots=True)
class MatchListing:
    """A match file. `summary` is None if it cannot be read; `problem` is then a sentence."""

    name: str
    path: Path
    n_bytes: int
    is_being_written: bool
    summary: MatchSummary | None
    problem: str = ""


def matches_folder(data: Path) -> Path:
    return data / MATCHES


def match_files(folder: Path) -> tuple[Path, ...]:
    """The match files of a folder, oldest first by their names; empty if the folder does not exist. Raises UnreadableLogError."""
    try:
        if not folder.is_dir():
            return ()
        files = [path for path in folder.iterdir() if path.suffix == SUFFIX and not path.name.startswith(".")]
    except OSError as error:
        raise UnreadableLogError(folder, error.strerror or str(error), "see who may read it") from None
    return tuple(sorted(files, key=attrgetter("stem")))  # by the stem, because "-" sorts before the dot


def new_match(
    folder: Path,
    game: str,
    events: Sequence[RefereeEvent] = (),
    *,
    most_picture_bytes: int = MOST_PICTURE_BYTES,
    clock: Callable[[], datetime] = utc_now,
) -> MatchLog:
    """Creates a match with an id of its own, also beside other processes that do so; see `create_match`."""
    by_time = make_match_id(clock())
    # A Raspberry Pi without a network may start its clock at the same second every time.
    for number in range(1, _MOST_IN_ONE_SECOND):
        match_id = by_time if number == 1 else f"{by_time}-{number}"
        try:
            return create_match(
                folder / f"{match_id}{SUFFIX}",
                game,
                events,
                most_picture_bytes=most_picture_bytes,
                clock=clock,
            )
        except (MatchExistsError, LogInUseError):  # another process may be creating it
            continue
    raise StorageError(folder, f"there are {_MOST_IN_ONE_SECOND} matches of {by_time}", "set the clock")


def find_match(name: str, folder: Path) -> Path:
    """The file of a match by its path, its name with or without suffix, a unique beginning of that, or a player.

    Raises UnknownMatchError.
    """
    if _is_path(name):
        return Path(name)
    files, stem = match_files(folder), name.removesuffix(SUFFIX)
    found = [path for path in files if path.stem == stem] or [path for path in files if path.stem.startswith(stem)]
    found = found or [path for path in files if _is_played_by(path, stem)]
    if stem and len(found) == 1:
        return found[0]
    if stem and found:
        raise UnknownMatchError(f"{name} could be {_join_names(found)}; write more of it.")
    raise UnknownMatchError(f"there is no match {name!r} in {folder}; zarbiter log list names those there are.")


def resolve_new_path(name: str, folder: Path) -> Path:
    """The file for a new match: a path stays, a plain name, also with the suffix, lies in the folder.

    Raises MatchNameError.
    """
    if _is_path(name):
        return Path(name)
    stem = name.removesuffix(SUFFIX)
    if not _NEW_NAME.fullmatch(stem):
        raise MatchNameError(
            f"a match cannot be called {name[:80]!r}; use up to 64 letters, digits, - and _, or give a path with a slash."
        )
    return folder / f"{stem}{SUFFIX}"


def read_listing(path: Path) -> MatchListing:
    """The listing of a match; the chain is not verified."""
    summary, problem = None, ""
    try:
        summary = _read_summary(path)
    except MatchLogError as error:
        problem = str(error)
    try:
        n_bytes = path.stat().st_size
    except OSError:
        n_bytes = 0
    return MatchListing(path.stem, path, n_bytes, is_locked(path), summary, problem)


def read_start(path: Path) -> MatchStarted | None:
    """How a match began; None if its log does not say, or cannot be read. The chain is not verified."""
    try:
        with open_snapshot(path) as connection:
            texts = [str(text, "utf-8", "replace") for (text,) in connection.execute(_START_EVENT)]
    except MatchLogError:
        return None
    return next((event for event in _parse_readable_events(texts) if isinstance(event, MatchStarted)), None)


def delete_match(path: Path) -> None:
    """Deletes a match with its side files. Raises LogInUseError for a match that is being written.

    A file with the suffix of a match is deleted even if it is damaged; any other file has to be a readable match.
    """
    if path.suffix != SUFFIX or not path.is_file():
        with open_snapshot(path):
            pass
    lock = WriterLock(path)
    try:
        remove_match_files(path)
    except OSError as error:
        raise StorageError(path, error.strerror or str(error), "see who may write in its folder") from error
    finally:
        lock.release()


def _is_path(name: str) -> bool:
    return os.sep in name or (bool(name) and "." in name and Path(name).is_file())


def _is_played_by(path: Path, name: str) -> bool:
    """Whether a player of the match has that name or a name that begins so, whatever the case of its letters."""
    summary = read_listing(path).summary
    players = () if summary is None else (summary.white, summary.black)
    return bool(name) and any(player.casefold().startswith(name.casefold()) for player in players)


def _join_names(files: list[Path]) -> str:
    names = [path.stem for path in files[:4]] + (["others"] if len(files) > 4 else [])
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _read_summary(path: Path) -> MatchSummary:
    noted = read_head_note(path)
    with open_snapshot(path) as connection:
        check_nothing_lost(connection, path, noted)
        facts, head = read_facts(connection, path), read_head(connection, path)
        texts = [str(text, "utf-8", "replace") for (text,) in connection.execute(_SUMMARY_EVENTS)]
    return _fold_summary(facts.game, facts.created_utc, head.n_events, tuple(_parse_readable_events(texts)))


def _parse_readable_events(texts: list[str]) -> Iterator[RefereeEvent]:
    """Skips unreadable events; `log verify` reports them."""
    for text in texts:
        try:
            yield parse_event(text)
        except EventTextError:
            continue


def _fold_summary(game: str, created_utc: str, n_events: int, events: tuple[RefereeEvent, ...]) -> MatchSummary:
    white, black, length, score, winner = "", "", None, (0, 0), None
    for event in events:
        match event:
            case MatchStarted():
                white, black, length = event.white, event.black, event.length
                score = (event.white_score, event.black_score)
            case GameWon():
                score = (event.white_score, event.black_score)
            case MatchWon():
                winner = white if event.player.value == "W" else black
            case _:
                pass
    return MatchSummary(game, created_utc, white, black, length, *score, winner, n_events)
