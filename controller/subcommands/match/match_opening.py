"""The log of the match that is played: a new one, or one that was broken off, with the state that it tells of."""

import argparse
import logging
import os
import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from controller.match.commands import ChangeMode
from controller.match.events import Mode, RefereeEvent
from controller.match_log import (
    MatchLog,
    MatchLogError,
    find_match,
    match_files,
    matches_folder,
    new_match,
    prune_matches,
)
from controller.match_log.catalogue import read_listing
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, replay_events, resume_match, step
from controller.refereeing.state import RefereeState
from controller.settings.atomic_file import data_folder
from controller.settings.resumed_match_config import describe_overridden_settings, restore_match_config
from controller.settings.settings import Settings
from controller.subcommands.options.call import UsageError
from vision.frame import Clock

_LOG = logging.getLogger("zarbiter.play")

_BYTES_PER_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """`events` are those with which it begins or goes on; they are in the log already."""

    log: MatchLog
    table: MatchConfig
    state: RefereeState
    events: tuple[RefereeEvent, ...]


def open_match(
    options: argparse.Namespace, settings: Settings, table: MatchConfig, clock: Clock, opened: ExitStack
) -> OpenMatch:
    """MatchLogError when it cannot be kept or read."""
    folder = matches_folder(data_folder(options.data, os.environ))
    most_bytes = settings.log.evidence_mb * _BYTES_PER_MB
    if options.resume is not None:
        going_on = _resume_match(_match_file(options.resume, folder), table, clock, most_bytes, opened)
        _make_room(folder, going_on.log.path, settings)
        return _with_mode(going_on, settings.mode, is_asked_for=options.mode is not None)
    _report_unfinished(folder)
    log = opened.enter_context(new_match(folder, table.game, most_picture_bytes=most_bytes))
    state, events = begin_match(table, clock())
    log.append(events)
    _LOG.warning("the match is kept in %s", log.path)
    _make_room(folder, log.path, settings)
    return OpenMatch(log, table, state, events)


def _make_room(folder: Path, now_written: Path, settings: Settings) -> None:
    """Old pictures are thrown away beside the match that begins: nobody waits for it, and it may be cut short."""
    others = tuple(file for file in match_files(folder) if file != now_written)
    most_bytes = (settings.log.all_evidence_mb - settings.log.evidence_mb) * _BYTES_PER_MB
    threading.Thread(target=_thin_out, args=(others, max(0, most_bytes)), name="make-room", daemon=True).start()


def _thin_out(matches: tuple[Path, ...], most_bytes: int) -> None:
    thinned = prune_matches(matches, most_bytes)
    if thinned:
        names = ", ".join(file.stem for file in thinned)
        _LOG.warning("to make room, old pictures of %s were thrown away; their events stay", names)


def _match_file(name: str, folder: Path) -> Path:
    try:
        return find_match(name, folder)
    except MatchLogError as error:
        raise UsageError(f"--resume: {error}") from None


def _resume_match(file: Path, table: MatchConfig, clock: Clock, most_bytes: int, opened: ExitStack) -> OpenMatch:
    log = opened.enter_context(MatchLog(file, most_picture_bytes=most_bytes))
    before = replay_events(log.read().events)
    if before.started is None:
        raise UsageError(f"--resume: {file} is empty; begin a new match")
    if before.match_winner is not None:
        raise UsageError(f"--resume: the match in {file} is over; begin a new one")
    agreed = restore_match_config(before.started, table, before.seating)
    kept = describe_overridden_settings(agreed, table, has_begun=before.game_number > 0)
    if kept is not None:
        _LOG.warning("%s", kept)
    state, events = resume_match(before, clock())
    log.append(events)
    return OpenMatch(log, agreed, state, events)


def _with_mode(match: OpenMatch, mode: Mode, *, is_asked_for: bool) -> OpenMatch:
    """A match goes on in its own mode, for another may be a forbidden aid; unless that is asked for by name."""
    known = match.state.mode
    if known is None or known is mode:
        return match
    if not is_asked_for:
        _LOG.warning("the match goes on in the mode %s, as it was left", known.value)
        return match
    state, events = step(match.state, ChangeMode(mode), match.table)
    match.log.append(events)
    return replace(match, state=state, events=match.events + events)


def find_unfinished_match(folder: Path) -> str | None:
    """The newest one, where it is not over: it may have been broken off by a pulled plug.

    One that was broken off before its first event is none yet.
    """
    for file in reversed(match_files(folder)):
        newest = read_listing(file)
        if newest.summary is None or newest.summary.n_events:
            is_open = newest.summary is not None and newest.summary.winner_name is None
            return newest.name if is_open else None
    return None


def _report_unfinished(folder: Path) -> None:
    name = find_unfinished_match(folder)
    if name is not None:
        _LOG.warning("match %s is not over; --resume %s would go on with it", name, name)
