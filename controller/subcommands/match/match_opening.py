"""Opens the log of a match, new or resumed, and makes room on the disk for its pictures."""

import argparse
import hashlib
import logging
import os
import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from controller.match import SetUpCertified
from controller.match_log import match_files, matches_folder, new_match, prune_matches
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match
from controller.settings import Settings, SettingsStore, data_folder
from controller.subcommands.match.match_resuming import (
    OpenMatch,
    find_named_match,
    find_unfinished_match,
    resume_from_log,
    with_mode,
)
from vision import Calibration
from vision.field.calibration_file import calibration_text
from vision.frame import Clock

_LOG = logging.getLogger("zarbiter.play")

_BYTES_PER_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class SetUpCertificate:
    """What the log keeps of the set-up: who answers for it, the calibration, and the settings file as it is now."""

    director: str
    calibration: Calibration
    keeper: SettingsStore

    def certify(self, now_ms: int) -> SetUpCertified:
        known = self.calibration
        digest = hashlib.sha256(calibration_text(known).encode("utf-8")).hexdigest()
        error_mm = None if known.error_mm is None else round(known.error_mm, 2)
        return SetUpCertified(now_ms, self.director, digest, known.taken_at, error_mm, self.keeper.read().seal)


def open_match(
    options: argparse.Namespace,
    settings: Settings,
    table: MatchConfig,
    clock: Clock,
    opened: ExitStack,
    *,
    certificate: SetUpCertificate,
) -> OpenMatch:
    """Resumes the match of --resume, or begins a new one. MatchLogError when the log cannot be written or read."""
    folder = _matches_of(options)
    max_bytes = settings.log.evidence_mb * _BYTES_PER_MB
    if options.resume is not None:
        resumed = resume_from_log(match_file(options), table, clock, max_bytes, opened)
        certified = certificate.certify(clock())
        resumed.log.append((certified,))
        resumed = replace(resumed, events=(*resumed.events, certified))
        _make_room(folder, resumed.log.path, settings)
        return with_mode(resumed, settings.mode, is_requested=options.mode is not None)
    unfinished = find_unfinished_match(folder)
    if unfinished is not None:
        _LOG.warning("match %s is not over; --resume %s would go on with it", unfinished, unfinished)
    state, events = begin_match(table, clock())
    events = (*events, certificate.certify(state.seen.now_ms))
    log = opened.enter_context(new_match(folder, table.game, events, most_picture_bytes=max_bytes))
    _LOG.warning("the match is kept in %s", log.path)
    _make_room(folder, log.path, settings)
    return OpenMatch(log, table, state, events)


def match_file(options: argparse.Namespace) -> Path:
    """The log of the match of --resume; UsageError if there is none."""
    return find_named_match(options.resume, _matches_of(options))


def _matches_of(options: argparse.Namespace) -> Path:
    return matches_folder(data_folder(options.data, os.environ))


def _make_room(folder: Path, current: Path, settings: Settings) -> None:
    """Prunes old pictures in the background: the match does not wait for it, and an interruption does no harm."""
    others = tuple(file for file in match_files(folder) if file != current)
    max_bytes = max(0, (settings.log.all_evidence_mb - settings.log.evidence_mb) * _BYTES_PER_MB)
    threading.Thread(target=_prune, args=(others, max_bytes), name="make-room", daemon=True).start()


def _prune(matches: tuple[Path, ...], max_bytes: int) -> None:
    pruned = prune_matches(matches, max_bytes)
    if pruned:
        names = ", ".join(file.stem for file in pruned)
        _LOG.warning("to make room, old pictures of %s were thrown away; their events stay", names)
