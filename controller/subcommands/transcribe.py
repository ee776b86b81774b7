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
    from collections.abc import Sequence

    from controller.match import MatchStarted, RefereeEvent
    from controller.match_log import MatchLog
    from controller.refereeing.match_config import MatchConfig
    from controller.session import TranscriptionReport
    from controller.settings import Settings
    from controller.subcommands.match.recording import KnownRecording, Recording

_LOG = logging.getLogger("zarbiter.transcribe")
_MOST_ERRORS = 3  # sentences about pictures in the summary


def add(commands: SubParsers, summary: str) -> None:
    transcribe = add_command(
        commands,
        "transcribe",
        _transcribe,
        summary,
        "Reads a recording from beginning to end, or several that make one match. Called again after an interruption, it resumes.",
    )
    transcribe.add_argument(
        "sources",
        metavar="SRC",
        nargs="+",
        help="a video, or a folder of pictures in name order or with a timestamps.csv; several in the order of time",
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
    from controller.subcommands.match.recording import list_recordings
    from vision import VisionError

    file = _output_file(options)
    try:
        settings = resolve_settings(options)
        resolve_table(settings, options)
        listed = list_recordings(options.sources, settings)
        if len(listed) > 1 and (options.first is not None or options.until is not None):
            raise UsageError("--from and --until are times of one recording; give one, or leave them out")
        _choose_stills(listed, options)
        return _transcribe_listed(listed, file, settings, options)
    except (VisionError, MatchLogError, CommandFailedError) as error:
        if options.json:
            print(json.dumps({"match": str(file), "complete": False, "error": str(error)}))
        raise CommandFailedError(str(error)) from None


def _choose_stills(listed: "Sequence[KnownRecording]", options: argparse.Namespace) -> None:
    """Sets --stills for pictures that were taken one by one, and says so."""
    settled = [one for one in listed if one.are_settled]
    if options.stills or not settled:
        return
    if len(settled) < len(listed):
        raise UsageError(
            f"the pictures in {settled[0].source} were taken one by one, those of the others were not; transcribe them apart"
        )
    options.stills = True
    _LOG.warning("the pictures were taken one by one, so each counts as a settled scene, as with --stills")


def _transcribe_listed(
    listed: "Sequence[KnownRecording]", file: Path, settings: "Settings", options: argparse.Namespace
) -> bool:
    """Whether turns were refereed and nothing was passed over."""
    from controller.match_log import read_match
    from controller.refereeing.match_config import with_bar_of_board
    from controller.session import report_transcription
    from controller.subcommands.match.calibration_choice import describe_unused_lessons
    from controller.subcommands.match.recorded_match import RecordedMatch

    known = read_match(file).events if file.exists() else ()
    _check_same_recordings(known, listed, file)
    is_assumed = settings.game is None and options.rules is None
    if is_assumed:
        options.game = _game_of(known)
        settings = resolve_settings(options)
    first = _calibrate(listed[0], settings, options)
    if is_assumed and not known:
        options.game = _recognise_game(first, options)
        if options.game is not None:
            settings = resolve_settings(options)
            first = _calibrate(listed[0], settings, options)
    table = with_bar_of_board(_make_table(settings, options), has_bar=first.calibration.field.has_bar)
    recordings = [first, *(_calibrate(one, settings, options) for one in listed[1:])]
    table = _resume_table(file, known, table)
    if is_assumed:
        _LOG.warning("no --game is given; taken as %s", table.game)
    with _open_log(file, table) as log:
        unused = describe_unused_lessons(first.calibration, known)
        if unused:
            _LOG.warning("%s", unused)
        match = RecordedMatch(recordings, log, table, options.stills)
        match.transcribe()
        span_ms = _join_spans(recordings)
        if span_ms is None and not _list_errors(recordings):
            raise CommandFailedError("no picture lies between --from and --until; name times within the recording")
        report = report_transcription(log.read().events, span_ms, match.throws.times_ms)
        _print_report(report, log.path, recordings, table.game, options)
    return report.is_complete and not _list_errors(recordings)


def _calibrate(known: "KnownRecording", settings: "Settings", options: argparse.Namespace) -> "Recording":
    from controller.subcommands.match.recording import Recording, calibrate_recording
    from vision import Refusal

    calibration = calibrate_recording(known.source, settings, _make_table(settings, options))
    if isinstance(calibration, Refusal):
        raise CommandFailedError(f"{calibration.reason} Or give --calibration FILE.")
    return Recording(known, settings, calibration, options.first or 0, options.until)


def _recognise_game(recording: "Recording", options: argparse.Namespace) -> str | None:
    """The game whose start the first board shows, if it is not that of the settings; None if it fits the settings.

    Raises UsageError where several games begin so.
    """
    from controller.session import StillsProcessor, VideoProcessor, find_other_games

    watch = (StillsProcessor if options.stills else VideoProcessor)(recording.calibration)
    table = _make_table(recording.settings, options)
    with recording.frames("pictures, to recognise the game") as frames:
        games = find_other_games(frames, watch, table)
    if len(games) > 1:
        raise UsageError(
            f"no --game is given, and the first board is no start of {table.game}; it is that of {', '.join(games)}:"
            f" give --game {games[0]}, or another"
        )
    return games[0] if games else None


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


def _find_start(events: "Sequence[RefereeEvent]") -> "MatchStarted | None":
    from controller.match import MatchStarted

    return next((event for event in events if isinstance(event, MatchStarted)), None)


def _game_of(events: "Sequence[RefereeEvent]") -> str | None:
    started = _find_start(events)
    return None if started is None or started.rules_toml is not None else started.game


def _check_same_recordings(events: "Sequence[RefereeEvent]", listed: "Sequence[KnownRecording]", file: Path) -> None:
    """UsageError if the log of an earlier run is of other recordings, or of none."""
    started = _find_start(events)
    if started is None:
        return
    if [(one.digest, one.n_bytes) for one in started.recordings] == [
        (one.used.digest, one.used.n_bytes) for one in listed
    ]:
        return
    of = " and ".join(f"{one.name} ({one.n_bytes / 1e6:.1f} MB)" for one in started.recordings) or "no recording"
    raise UsageError(
        f"-o: {file} holds a match of {of}, and this recording is another one or was changed; name another file, or "
        f"delete that match with zarbiter log delete"
    )


def _resume_table(file: Path, events: "Sequence[RefereeEvent]", table: "MatchConfig") -> "MatchConfig":
    """The configuration of an earlier run's log where there is one; UsageError if that holds another match."""
    from controller.match import ClockTextError
    from controller.refereeing.referee import replay_events
    from controller.rules import RulesError
    from controller.settings import describe_overridden_settings, restore_match_config

    started = _find_start(events)
    if started is None:
        return table
    try:
        known = replay_events(events)
        agreed = restore_match_config(started, table, known.seating)
    except (RulesError, ClockTextError) as error:
        raise UsageError(f"-o: {file} cannot be gone on with: {error}; name another file") from None
    if (started.game, started.rules_toml, started.profile) != (table.game, table.rules_toml, table.profile.name):
        raise UsageError(f"-o: {file} holds a match of another game or profile; name another file")
    overridden = describe_overridden_settings(agreed, table, has_begun=known.game.number > 0)
    if overridden is not None:
        _LOG.warning("%s", overridden)
    return agreed


def _open_log(file: Path, table: "MatchConfig") -> "MatchLog":
    """Opens the log of an earlier run, or a new one."""
    from controller.match_log import MatchLog, create_match

    return MatchLog(file) if file.exists() else create_match(file, table.game)


def _join_spans(recordings: "Sequence[Recording]") -> tuple[int, int] | None:
    spans = [one.span_ms for one in recordings if one.span_ms is not None]
    return (spans[0][0], spans[-1][1]) if spans else None


def _print_report(
    report: "TranscriptionReport",
    path: Path,
    recordings: "Sequence[Recording]",
    game: str,
    options: argparse.Namespace,
) -> None:
    span_ms = _join_spans(recordings)
    unread, errors = sum(one.unread for one in recordings), _list_errors(recordings)
    if options.json:
        counts = {key: value for key, value in asdict(report).items() if key != "passages"}
        first_ms, last_ms = span_ms or (None, None)
        found = {
            "match": str(path),
            "game": game,
            "recordings": [asdict(one.known.used) for one in recordings],
            **counts,
            "unread": unread,
            "unread_because": errors,
            "first_ms": first_ms,
            "last_ms": last_ms,
            "complete": report.is_complete and not errors,
            "not_judged": [passage.record() for passage in report.passages],
        }
        print(json.dumps(found))
        return
    known = [one.known for one in recordings]
    span = " to ".join(_format_moment(ms, known) for ms in span_ms or ()) or "no picture"
    turns, games = format_count(report.turns, "turn"), format_count(report.games, "finished game")
    print(f"{path}: {turns} in {games}, {span}.")
    counted = (f"Unsure: {report.unsure}.", f"Not seen: {report.not_seen}.", f"Illegal: {report.illegal}.")
    print(*counted, f"Bad throws: {report.bad_throws}.")
    if report.doubt:
        print(report.doubt)
    if report.unsure or report.not_seen or report.illegal:
        print(f"Look through them and put them right: zarbiter replay {path} --page")
    for passage in report.passages:
        times = dict.fromkeys((_format_moment(passage.from_ms, known), _format_moment(passage.until_ms, known)))
        what = "passed over" if passage.is_passed_over else "not judged"
        print(f"{' to '.join(times)} {what}: {passage.sentence}")
    if unread:
        others = f" And {len(errors) - _MOST_ERRORS} more such sentences above." if len(errors) > _MOST_ERRORS else ""
        print(f"{format_count(unread, 'picture')} could not be used: {' '.join(errors[:_MOST_ERRORS])}{others}")


def _format_moment(at_ms: int, known: "Sequence[KnownRecording]") -> str:
    """A time of the match as that of its recording; between two recordings as the end of the first."""
    if len(known) == 1:
        return format_clock_time(at_ms)
    within = next((one for one in reversed(known) if one.used.begins_ms <= at_ms), known[0])
    return f"{within.used.name} {format_clock_time(min(at_ms - within.used.begins_ms, within.end_ms))}"


def _list_errors(recordings: "Sequence[Recording]") -> list[str]:
    return [error for one in recordings for error in one.picture_errors]
