"""The log of the match that is played: a new one, or one that was broken off, with the state that it tells of."""

import argparse
import logging
import os
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from controller.data_folder import data_folder
from controller.events import MatchStarted, RefereeEvent
from controller.match_log import MatchLog, MatchLogError, find_match, match_files, matches_folder, new_match
from controller.match_log.catalogue import listed
from controller.referee import begin, replayed, resumed
from controller.referee_state import RefereeState
from controller.rules.grasshopper import STANDARD
from controller.rules.house_rules import house_variant
from controller.rules.match import MatchRules
from controller.rules.variants import RULESETS
from controller.settings import Settings
from controller.subcommands.call import UsageError
from controller.table import Table
from vision.frame import Clock

_LOG = logging.getLogger("zarbiter.play")

_BYTES_A_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """`events` are those with which it begins or goes on; they are in the log already."""

    log: MatchLog
    table: Table
    state: RefereeState
    events: tuple[RefereeEvent, ...]


def match_opened(
    options: argparse.Namespace, settings: Settings, table: Table, clock: Clock, opened: ExitStack
) -> OpenMatch:
    """MatchLogError when it cannot be kept or read."""
    folder = matches_folder(data_folder(options.data, os.environ))
    most_bytes = settings.log.evidence_mb * _BYTES_A_MB
    if options.resume is not None:
        return _resumed(_file_of(options.resume, folder), table, clock, most_bytes, opened)
    _tell_of_unfinished(folder)
    log = opened.enter_context(new_match(folder, table.game, most_picture_bytes=most_bytes))
    state, events = begin(table, clock())
    log.append(events)
    _LOG.warning("the match is kept in %s", log.path)
    return OpenMatch(log, table, state, events)


def _file_of(name: str, folder: Path) -> Path:
    try:
        return find_match(name, folder)
    except MatchLogError as error:
        raise UsageError(f"--resume: {error}") from None


def _resumed(file: Path, table: Table, clock: Clock, most_bytes: int, opened: ExitStack) -> OpenMatch:
    log = opened.enter_context(MatchLog(file, most_picture_bytes=most_bytes))
    before = replayed(log.read().events)
    if before.started is None:
        raise UsageError(f"--resume: {file} is empty; begin a new match")
    if before.match_winner is not None:
        raise UsageError(f"--resume: the match in {file} is over; begin a new one")
    state, events = resumed(before, clock())
    log.append(events)
    return OpenMatch(log, as_agreed(before.started, table), state, events)


def as_agreed(started: MatchStarted, now: Table) -> Table:
    """The table of a match that goes on: what was agreed stays; how it is seen and shown is that of today."""
    from controller.clocks import clock_named
    from controller.officiating import PROFILES

    house = None if started.rules_toml is None else house_variant(started.rules_toml)
    with_dice = house or RULESETS.get(started.game)
    winner_starts = with_dice is not None and with_dice.winner_starts
    return replace(
        now,
        game=started.game,
        rules=with_dice or STANDARD,
        rules_toml=started.rules_toml,
        profile=PROFILES[started.profile],
        match=MatchRules(target=started.length, winner_starts=winner_starts),
        white=started.white,
        black=started.black,
        white_score=started.white_score,
        black_score=started.black_score,
        clock=None if started.clock is None else clock_named(started.clock),
    )


def _tell_of_unfinished(folder: Path) -> None:
    """The newest match may have been broken off by a pulled plug."""
    files = match_files(folder)
    newest = listed(files[-1]) if files else None
    if newest is not None and newest.summary is not None and newest.summary.winner_name is None:
        _LOG.warning("match %s is not over; --resume %s would go on with it", newest.name, newest.name)
