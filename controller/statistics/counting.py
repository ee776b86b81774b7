"""Counts the matches of a data folder, and analyses those that have no analysis yet, a step at a time."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controller.formats import NotForThisGameError, build_match_of_record, count_players, find_variation
from controller.match_log import MatchLogError, match_files, matches_folder, read_match
from controller.match_log.writer_lock import is_locked
from controller.rules import RulesError
from controller.statistics.gnubg import run_analysis
from controller.statistics.store import (
    CountedMatch,
    FileIdentity,
    forget_analyses,
    identify,
    list_analysed,
    load_counts,
    save_analysis,
    save_counts,
)

_LOCK_END = ".zmatch.lock"


@dataclass(frozen=True, slots=True)
class FolderCounts:
    """The counted matches, oldest first; `n_left` are not counted yet."""

    matches: tuple[CountedMatch, ...]
    n_left: int = 0


def count_folder(
    data: Path,
    *,
    most_s: float | None = None,
    is_wanted: Callable[[FileIdentity], bool] = lambda _: True,
    progress: Callable[[int], None] = lambda _: None,
) -> FolderCounts:
    """Counts what has changed since the last call, for at most `most_s` seconds. Raises UnreadableLogError."""
    kept, counted, n_read, n_left = load_counts(data), list[CountedMatch](), 0, 0
    until_s = float("inf") if most_s is None else time.monotonic() + most_s
    files = match_files(matches_folder(data))
    for done, file in enumerate(files):
        progress(done)
        identity = identify(file)
        if identity is None or not is_wanted(identity):
            continue
        known = kept.get(identity)
        if known is None and time.monotonic() >= until_s:
            n_left += 1
            continue
        n_read += known is None
        counted.append(known or count_match(file, identity))
    names = {file.name for file in files}
    if n_read or any(one.name not in names for one in kept):  # of a deleted match nothing is kept
        # What is not wanted now may be wanted by the next caller.
        others = names - {one.identity.name for one in counted}
        save_counts(data, (*counted, *(one for one in kept.values() if one.identity.name in others)))
    if len(counted) == len(files):
        forget_analyses(data, list_analysed(data) - {one.head for one in counted})
    return FolderCounts(tuple(counted), n_left)


def count_match(file: Path, identity: FileIdentity) -> CountedMatch:
    try:
        record = read_match(file)
        match = build_match_of_record(record)
        players = count_players(match)
    except MatchLogError as error:
        return CountedMatch(identity, problem=str(error))
    except RulesError as error:  # a log holds its boards as they were written; only the chain vouches for them
        return CountedMatch(identity, problem=f"{file} cannot be counted: {error}")
    try:
        find_variation(match)
        is_for_gnubg = any(game.played_turns for game in match.games)
    except NotForThisGameError:
        is_for_gnubg = False
    head = record.logged[-1].hash.hex() if record.logged else ""
    return CountedMatch(identity, head, is_for_gnubg, players)


def list_pending(data: Path, counts: FolderCounts) -> tuple[CountedMatch, ...]:
    """The matches that GNU Backgammon has not analysed yet, newest first."""
    analysed = list_analysed(data)
    return tuple(one for one in reversed(counts.matches) if one.is_for_gnubg and one.head not in analysed)


def analyse_match(
    data: Path, one: CountedMatch, may_go_on: Callable[[], bool] = lambda: True, *, is_last: bool = True
) -> None:
    """Analyses a match as `run_analysis` does, and keeps the analysis. Raises NoAnalysisError, MatchLogError and OSError."""
    match = build_match_of_record(read_match(matches_folder(data) / one.identity.name))
    save_analysis(data, one.head, run_analysis(match, may_go_on, is_last=is_last))


def list_written(data: Path) -> frozenset[str]:
    """The names of the match files that a program is writing now."""
    folder = matches_folder(data)
    try:
        names = [one.name for one in folder.iterdir()]
    except OSError:
        return frozenset()
    locked = (one[1 : -len(".lock")] for one in names if one.startswith(".") and one.endswith(_LOCK_END))
    # A killed program leaves the file of its lock.
    return frozenset(name for name in locked if is_locked(folder / name))
