"""`zarbiter transcribe`."""

import argparse
import json
import logging
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.options.call import EXIT_FAILED, EXIT_OK, CallParser, UsageError
from controller.subcommands.options.match_options import add_match_options, settings_asked_for, table_agreed

if TYPE_CHECKING:
    from controller.match_log import MatchLog
    from controller.refereeing.table import Table
    from controller.settings.settings import Settings
    from controller.subcommands.match.recording import Recording
    from controller.subcommands.options.call import SubParsers

_LOG = logging.getLogger("zarbiter.transcribe")


def add(commands: "SubParsers", for_all: CallParser) -> None:
    transcribe = commands.add_parser(
        "transcribe",
        parents=[for_all],
        help="make a match log from a video or a folder of pictures",
        description="Reads a recording from its beginning to its end. Called again after it was broken off, it goes on.",
        allow_abbrev=False,
    )
    transcribe.add_argument(
        "source", metavar="SRC", help="a video, or a folder of pictures in name order or with a timestamps.csv"
    )
    transcribe.add_argument("-o", "--output", metavar="MATCH", required=True, help="the match log: a name or a file")
    add_match_options(transcribe)
    transcribe.add_argument("--fps", metavar="F", type=float, help="pictures a second, where the source does not tell")
    transcribe.add_argument("--stills", action="store_true", help="every picture is a settled scene")
    transcribe.add_argument("--json", action="store_true", help="the summary as one JSON object on one line")
    transcribe.set_defaults(command=_transcribe)


def _transcribe(options: argparse.Namespace) -> int:
    from controller.match_log import MatchLogError
    from controller.subcommands.match.recording import Recording, calibration_for
    from vision.errors import VisionError
    from vision.geometry.calibration import Refusal

    settings = settings_asked_for(options)
    table = _table(settings, options)
    file = _file_for(options)
    try:
        table = _as_begun(file, table)
        calibration = calibration_for(options.source, settings, table)
        if isinstance(calibration, Refusal):
            _LOG.error("%s Or give --calibration FILE.", calibration.reason)
            return EXIT_FAILED
        recording = Recording(options.source, settings, calibration)
        with _opened_log(file, table) as log:
            _read_through(recording, log, table, are_stills=options.stills)
            _tell(log, recording, options)
    except (VisionError, MatchLogError) as error:
        _LOG.error(str(error))
        return EXIT_FAILED
    return EXIT_FAILED if recording.complaints else EXIT_OK


def _table(settings: "Settings", options: argparse.Namespace) -> "Table":
    """In settled scenes nothing has to be waited for."""
    from controller.session.transcribing import for_stills

    table = table_agreed(settings, options)
    return for_stills(table) if options.stills else table


def _file_for(options: argparse.Namespace) -> Path:
    from controller.match_log import MatchLogError, file_for_new, matches_folder
    from controller.settings.atomic_file import data_folder

    try:
        return file_for_new(options.output, matches_folder(data_folder(options.data, os.environ)))
    except MatchLogError as error:
        raise UsageError(f"-o: {error}") from None


def _as_begun(file: Path, table: "Table") -> "Table":
    """A file that is there was begun by an earlier run, whose table counts, or it is not touched."""
    from controller.match_log import read_match
    from controller.refereeing.referee import replayed
    from controller.session.transcribing import is_of_this_match
    from controller.settings.resumed_table import as_agreed, kept_from_log

    events = read_match(file).events if file.exists() else ()
    if not is_of_this_match(events, table):
        raise UsageError(f"-o: {file} holds another match; name another file")
    known = replayed(events)
    if known.started is None:
        return table
    agreed = as_agreed(known.started, table, known.seating)
    kept = kept_from_log(agreed, table, has_begun=known.game_number > 0)
    if kept is not None:
        _LOG.warning("%s", kept)
    return agreed


def _opened_log(file: Path, table: "Table") -> "MatchLog":
    """A new one, or the one that a run before has begun."""
    from controller.match_log import MatchLog, create_match

    return MatchLog(file) if file.exists() else create_match(file, table.game)


def _read_through(recording: "Recording", log: "MatchLog", table: "Table", *, are_stills: bool) -> None:
    """Everything that the log does not know yet."""
    from controller.refereeing.referee import begin, replayed
    from controller.session.camera_watch import Film, Stills
    from controller.session.live_inputs import told_of_jumps
    from controller.session.loop import referee_match
    from controller.session.transcribing import joined, warmed

    watch = Stills(recording.calibration) if are_stills else Film(recording.calibration)
    if log.n_events == 0:
        log.append(begin(table, 0)[1])
    events = log.read().events
    state = replayed(events)
    if state.game_number > 0:
        _LOG.info("%s goes on after %d events", log.path, len(events))
        with recording.frames("pictures") as frames:
            inputs = frames if are_stills else told_of_jumps(frames)
            watch, left, state = warmed(watch, inputs, events, table)
            referee_match(left, table, log, (), watch=watch, state=state)
        return
    with recording.frames("pictures, to see who plays") as frames:
        table, known = joined(frames, watch, table)
    with recording.frames("pictures") as frames:
        referee_match(frames if are_stills else told_of_jumps(frames), table, log, (), watch=known, state=state)


def _tell(log: "MatchLog", recording: "Recording", options: argparse.Namespace) -> None:
    from controller.session.transcribing import outcome_of

    found = outcome_of(log.read().events)
    if options.json:
        print(json.dumps({"match": str(log.path), **asdict(found), "unread": len(recording.complaints)}))
        return
    print(f"{log.path}: {_number(found.turns, 'turn')} in {_number(found.games, 'finished game')}.")
    print(f"Unsure: {found.unsure}. Illegal: {found.illegal}. Bad throws: {found.bad_throws}.")
    if recording.complaints:
        print(f"{_number(len(recording.complaints), 'picture')} could not be used.")


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
