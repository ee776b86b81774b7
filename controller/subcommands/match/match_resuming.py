"""Resumes a match that was broken off: finds it, replays its log into a state, and continues in its own mode."""

import logging
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from controller.match import ChangeMode, ClockTextError, Mode, RefereeEvent
from controller.match_log import MatchLog, MatchLogError, find_match, match_files, revise
from controller.match_log.catalogue import MatchListing, read_listing
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import replay_events, resume_match, step
from controller.refereeing.state import RefereeState
from controller.rules import RulesError
from controller.settings import describe_overridden_settings, restore_match_config
from controller.subcommands.options import UsageError
from vision.frame import Clock

_LOG = logging.getLogger("zarbiter.play")


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match that is ready to be played. `events` are its first ones of this run; they are in the log already."""

    log: MatchLog
    table: MatchConfig
    state: RefereeState
    events: tuple[RefereeEvent, ...]


def find_named_match(name: str, folder: Path) -> Path:
    """The log of a match named by --resume; UsageError if there is none."""
    try:
        file = find_match(name, folder)
    except MatchLogError as error:
        raise UsageError(f"--resume: {error}") from None
    if not file.is_file():
        raise UsageError(f"--resume: there is no file {file}; zarbiter log list names the matches there are")
    return file


def resume_from_log(
    file: Path, table: MatchConfig, clock: Clock, max_picture_bytes: int, opened: ExitStack
) -> OpenMatch:
    """What was agreed at its start wins over `table`. UsageError for a log without a start, or of a finished match."""
    log = opened.enter_context(MatchLog(file, most_picture_bytes=max_picture_bytes))
    try:
        before = replay_events(revise(log.read().events))
        if before.started is None:
            raise UsageError(f"--resume: {file} is empty; begin a new match")
        if before.is_match_over:
            raise UsageError(f"--resume: the match in {file} is over; begin a new one")
        agreed = restore_match_config(before.started, table, before.seating)
    except (RulesError, ClockTextError) as error:
        raise UsageError(f"--resume: {file} cannot go on: {error}") from None
    overridden = describe_overridden_settings(agreed, table, has_begun=before.game.number > 0)
    if overridden is not None:
        _LOG.warning("%s", overridden)
    state, events = resume_match(before, clock())
    log.append(events)
    return OpenMatch(log, agreed, state, events)


def with_mode(match: OpenMatch, mode: Mode, *, is_requested: bool) -> OpenMatch:
    """Changes the mode only if it was requested by name: another mode may give aid that the match does not permit."""
    known = match.state.mode
    if known is None or known is mode:
        return match
    if not is_requested:
        _LOG.warning("the match goes on in the mode %s, as it was left", known.value)
        return match
    state, events = step(match.state, ChangeMode(mode), match.table)
    match.log.append(events)
    return replace(match, state=state, events=match.events + events)


def find_unfinished_listing(folder: Path) -> MatchListing | None:
    """The newest match if it is not over; logs without events, of a start that failed, are skipped."""
    for file in reversed(match_files(folder)):
        newest = read_listing(file)
        if newest.is_being_written:
            continue  # at another table
        if newest.summary is None or newest.summary.n_events:
            is_open = newest.summary is not None and newest.summary.winner_name is None
            return newest if is_open else None
    return None


def find_broken_off(folder: Path) -> str | None:
    """The newest match, if it is not over and its log was never closed: SQLite then leaves a file beside it."""
    left = {file.name.removesuffix("-wal") for file in folder.glob("*.zmatch-wal")}  # before a reader tidies up
    name = find_unfinished_match(folder)
    return name if f"{name}.zmatch" in left else None


def find_unfinished_match(folder: Path) -> str | None:
    """The name of the newest match if it is not over."""
    found = find_unfinished_listing(folder)
    return None if found is None else found.name
