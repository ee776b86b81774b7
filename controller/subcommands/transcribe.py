"""`zarbiter transcribe`: makes a match log from a recording, and resumes an interrupted run."""

import argparse
import json
import logging
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.options import (
    CommandFailedError,
    SubParsers,
    UsageError,
    add_command,
    add_match_options,
    clock_time,
    format_clock_time,
    format_count,
    resolve_settings,
    resolve_table,
)

if TYPE_CHECKING:
    from controller.match_log import MatchLog
    from controller.refereeing.match_config import MatchConfig
    from controller.session import TranscriptionReport
    from controller.settings import Settings
    from controller.subcommands.match.recording import Recording

_LOG = logging.getLogger("zarbiter.transcribe")


def add(commands: SubParsers, summary: str) -> None:
    transcribe = add_command(
        commands,
        "transcribe",
        _transcribe,
        summary,
        "Reads a recording from beginning to end. Called again after an interruption, it resumes.",
    )
    transcribe.add_argument(
        "source", metavar="SRC", help="a video, or a folder of pictures in name order or with a timestamps.csv"
    )
    transcribe.add_argument("-o", "--output", metavar="MATCH", required=True, help="the match log: a name or a file")
    add_match_options(transcribe)
    transcribe.add_argument("--fps", metavar="F", type=float, help="pictures a second, if the source does not say")
    transcribe.add_argument("--stills", action="store_true", help="treat every picture as a settled scene")
    transcribe.add_argument("--from", dest="first", metavar="TIME", type=clock_time, help="begin at h:mm:ss")
    transcribe.add_argument("--until", metavar="TIME", type=clock_time, help="end at h:mm:ss")
    transcribe.add_argument("--json", action="store_true", help="the summary as one JSON object on one line")


def _transcribe(options: argparse.Namespace) -> bool:
    from controller.match_log import MatchLogError
    from controller.refereeing.match_config import with_bar_of_board
    from controller.session import report_transcription
    from controller.subcommands.match.calibration_choice import describe_unused_lessons
    from controller.subcommands.match.recording import Recording, calibrate_recording
    from vision import Refusal, VisionError

    settings = resolve_settings(options)
    table = _make_table(settings, options)
    file = _output_file(options)
    try:
        calibration = calibrate_recording(options.source, settings, table)
        if isinstance(calibration, Refusal):
            raise CommandFailedError(f"{calibration.reason} Or give --calibration FILE.")
        table = _resume_table(file, with_bar_of_board(table, has_bar=calibration.field.has_bar))
        recording = Recording(options.source, settings, calibration, options.first or 0, options.until)
        with _open_log(file, table) as log:
            unused = describe_unused_lessons(calibration, log.read().events)
            if unused:
                _LOG.warning("%s", unused)
            throws_ms = _transcribe_rest(recording, log, table, are_stills=options.stills)
            if recording.span_ms is None and not recording.picture_errors:
                raise CommandFailedError("no picture lies between --from and --until; name times within the recording")
            report = report_transcription(log.read().events, recording.span_ms, throws_ms)
            _print_report(report, log.path, recording, as_json=options.json)
    except (VisionError, MatchLogError, CommandFailedError) as error:
        if options.json:
            print(json.dumps({"match": str(file), "complete": False, "error": str(error)}))
        raise CommandFailedError(str(error)) from None
    return report.is_complete and not recording.picture_errors


def _make_table(settings: "Settings", options: argparse.Namespace) -> "MatchConfig":
    from controller.session import with_no_patience, with_nobody_to_ask

    table = resolve_table(settings, options)
    is_thrown = table.start.position is not None and table.start.on_turn is not None
    table = replace(table, start=replace(table.start, is_thrown=is_thrown))
    return with_no_patience(table) if options.stills else with_nobody_to_ask(table)


def _output_file(options: argparse.Namespace) -> Path:
    from controller.match_log import MatchLogError, matches_folder, resolve_new_path
    from controller.settings import data_folder

    try:
        return resolve_new_path(options.output, matches_folder(data_folder(options.data, os.environ)))
    except MatchLogError as error:
        raise UsageError(f"-o: {error}") from None


def _resume_table(file: Path, table: "MatchConfig") -> "MatchConfig":
    """The configuration of an earlier run's log where there is one; UsageError if that holds another match."""
    from controller.match import ClockTextError
    from controller.match_log import read_match
    from controller.refereeing.referee import replay_events
    from controller.rules import RulesError
    from controller.session import is_of_this_match
    from controller.settings import describe_overridden_settings, restore_match_config

    events = read_match(file).events if file.exists() else ()
    if not is_of_this_match(events, table):
        raise UsageError(f"-o: {file} holds another match; name another file")
    try:
        known = replay_events(events)
        if known.started is None:
            return table
        agreed = restore_match_config(known.started, table, known.seating)
    except (RulesError, ClockTextError) as error:
        raise UsageError(f"-o: {file} cannot be gone on with: {error}; name another file") from None
    overridden = describe_overridden_settings(agreed, table, has_begun=known.game.number > 0)
    if overridden is not None:
        _LOG.warning("%s", overridden)
    return agreed


def _open_log(file: Path, table: "MatchConfig") -> "MatchLog":
    """Opens the log of an earlier run, or a new one."""
    from controller.match_log import MatchLog, create_match

    return MatchLog(file) if file.exists() else create_match(file, table.game)


def _transcribe_rest(
    recording: "Recording", log: "MatchLog", table: "MatchConfig", *, are_stills: bool
) -> tuple[int, ...]:
    """Transcribes what the log does not hold yet; the times of throws that no game was refereed with."""
    from controller.refereeing.referee import begin_match, replay_events
    from controller.session import (
        StillsProcessor,
        UnrefereedThrows,
        VideoProcessor,
        infer_table,
        referee_match,
        report_jumps,
        restore_progress,
    )

    watch = StillsProcessor(recording.calibration) if are_stills else VideoProcessor(recording.calibration)
    if log.n_events == 0:
        log.append(begin_match(table, 0)[1])
    events = log.read().events
    state, throws = replay_events(events), UnrefereedThrows()
    if state.game.number > 0:
        _LOG.info("%s goes on after %d events", log.path, len(events))
        with recording.frames("pictures") as frames:
            inputs = frames if are_stills else report_jumps(frames)
            watch, left, state = restore_progress(watch, inputs, events, table)
            referee_match(left, table, log, (throws,), processor=watch, state=state)
        return tuple(throws.times_ms)
    with recording.frames("pictures, to see who plays") as frames:
        table, known = infer_table(frames, watch, table)
    with recording.frames("pictures") as frames:
        inputs = frames if are_stills else report_jumps(frames)
        referee_match(inputs, table, log, (throws,), processor=known, state=state)
    return tuple(throws.times_ms)


def _print_report(report: "TranscriptionReport", path: Path, recording: "Recording", *, as_json: bool) -> None:
    if as_json:
        counts = {key: value for key, value in asdict(report).items() if key != "passages"}
        first_ms, last_ms = recording.span_ms or (None, None)
        found = {
            "match": str(path),
            **counts,
            "unread": recording.unread,
            "unread_because": recording.picture_errors,
            "first_ms": first_ms,
            "last_ms": last_ms,
            "complete": report.is_complete and not recording.picture_errors,
            "not_judged": [passage.record() for passage in report.passages],
        }
        print(json.dumps(found))
        return
    span = " to ".join(format_clock_time(ms) for ms in recording.span_ms or ()) or "no picture"
    turns, games = format_count(report.turns, "turn"), format_count(report.games, "finished game")
    print(f"{path}: {turns} in {games}, {span}.")
    counted = (f"Unsure: {report.unsure}.", f"Not seen: {report.not_seen}.", f"Illegal: {report.illegal}.")
    print(*counted, f"Bad throws: {report.bad_throws}.")
    if report.doubt:
        print(report.doubt)
    for passage in report.passages:
        times = dict.fromkeys((format_clock_time(passage.from_ms), format_clock_time(passage.until_ms)))
        what = "passed over" if passage.is_passed_over else "not judged"
        print(f"{' to '.join(times)} {what}: {passage.sentence}")
    if recording.unread:
        print(f"{format_count(recording.unread, 'picture')} could not be used: {' '.join(recording.picture_errors)}")
