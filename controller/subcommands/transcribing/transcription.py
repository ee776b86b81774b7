"""One transcription: the recordings of one match become its log, and a value that says what was read."""

import argparse
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from controller.match import ClockTextError, MatchStarted, RefereeEvent
from controller.match_log import MatchLog, create_match, read_match
from controller.refereeing.match_config import MatchConfig, with_bar_of_board
from controller.refereeing.referee import replay_events
from controller.rules import RulesError
from controller.session import (
    StillsProcessor,
    TranscriptionReport,
    VideoProcessor,
    find_other_games,
    report_transcription,
    with_no_patience,
    with_nobody_to_ask,
)
from controller.settings import Settings, describe_overridden_settings, restore_match_config
from controller.subcommands.match.calibration_choice import describe_unused_lessons
from controller.subcommands.match.recorded_match import RecordedMatch
from controller.subcommands.match.recording import KnownRecording, Recording, calibrate_recording, list_recordings
from controller.subcommands.options import (
    CommandFailedError,
    MakeBar,
    ProgressBar,
    UsageError,
    resolve_settings,
    resolve_table,
)
from vision import Refusal

_LOG = logging.getLogger("zarbiter.transcribe")


@dataclass(frozen=True, slots=True)
class Transcription:
    """What a run read. `span_ms`: the times of the first and the last picture used, in the match; None if there is none.

    `unread` pictures could not be used; `picture_errors` has one sentence for each distinct reason.
    """

    match: Path
    game: str
    recordings: tuple[KnownRecording, ...]
    report: TranscriptionReport
    span_ms: tuple[int, int] | None
    unread: int
    picture_errors: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether turns were refereed and nothing was passed over."""
        return self.report.is_complete and not self.picture_errors


def transcribe(file: Path, options: argparse.Namespace, make_bar: MakeBar = ProgressBar) -> Transcription:
    """Transcribes what the log in `file` does not hold yet. `make_bar` makes what shows the progress of each pass.

    `options` are those of `zarbiter transcribe`. Raises UsageError, CommandFailedError, MatchLogError and VisionError.
    """
    settings = resolve_settings(options)
    resolve_table(settings, options)
    listed = list_recordings(options.sources, settings)
    if len(listed) > 1 and (options.first is not None or options.until is not None):
        raise UsageError("--from and --until are times of one recording; give one, or leave them out")
    _choose_stills(listed, options)
    return _transcribe_listed(listed, file, settings, options, make_bar)


def _choose_stills(listed: Sequence[KnownRecording], options: argparse.Namespace) -> None:
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
    listed: Sequence[KnownRecording], file: Path, settings: Settings, options: argparse.Namespace, make_bar: MakeBar
) -> Transcription:
    known = read_match(file).events if file.exists() else ()
    _check_same_recordings(known, listed, file)
    is_assumed = settings.game is None and options.rules is None
    if is_assumed:
        options.game = _game_of(known)
        settings = resolve_settings(options)
    first = _calibrate(listed[0], settings, options, make_bar)
    if is_assumed and not known:
        options.game = _recognise_game(first, options)
        if options.game is not None:
            settings = resolve_settings(options)
            first = _calibrate(listed[0], settings, options, make_bar)
    table = with_bar_of_board(_make_table(settings, options), has_bar=first.calibration.field.has_bar)
    recordings = [first, *(_calibrate(one, settings, options, make_bar) for one in listed[1:])]
    table = _resume_table(file, known, table)
    if is_assumed:
        _LOG.warning("no --game is given; taken as %s", table.game)
    with _open_log(file, table) as log:
        unused = describe_unused_lessons(first.calibration, known)
        if unused:
            _LOG.warning("%s", unused)
        match = RecordedMatch(recordings, log, table, options.stills)
        match.transcribe()
        span_ms, errors = _join_spans(recordings), [error for one in recordings for error in one.picture_errors]
        if span_ms is None and not errors:
            raise CommandFailedError("no picture lies between --from and --until; name times within the recording")
        report = report_transcription(log.read().events, span_ms, match.throws.times_ms)
    unread = sum(one.unread for one in recordings)
    return Transcription(file, table.game, tuple(listed), report, span_ms, unread, tuple(errors))


def _calibrate(known: KnownRecording, settings: Settings, options: argparse.Namespace, make_bar: MakeBar) -> Recording:
    calibration = calibrate_recording(known.source, settings, _make_table(settings, options), make_bar)
    if isinstance(calibration, Refusal):
        raise CommandFailedError(f"{calibration.reason} Or give --calibration FILE.")
    return Recording(known, settings, calibration, options.first or 0, options.until, make_bar)


def _recognise_game(recording: Recording, options: argparse.Namespace) -> str | None:
    """The game whose start the first board shows, if it is not that of the settings; None if it fits the settings.

    Raises UsageError where several games begin so.
    """
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


def _make_table(settings: Settings, options: argparse.Namespace) -> MatchConfig:
    table = resolve_table(settings, options)
    is_thrown = table.start.position is not None and table.start.on_turn is not None
    table = replace(table, start=replace(table.start, is_thrown=is_thrown))
    return with_no_patience(table) if options.stills else with_nobody_to_ask(table)


def _find_start(events: Sequence[RefereeEvent]) -> MatchStarted | None:

    return next((event for event in events if isinstance(event, MatchStarted)), None)


def _game_of(events: Sequence[RefereeEvent]) -> str | None:
    started = _find_start(events)
    return None if started is None or started.rules_toml is not None else started.game


def _check_same_recordings(events: Sequence[RefereeEvent], listed: Sequence[KnownRecording], file: Path) -> None:
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


def _resume_table(file: Path, events: Sequence[RefereeEvent], table: MatchConfig) -> MatchConfig:
    """The configuration of an earlier run's log where there is one; UsageError if that holds another match."""
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


def _open_log(file: Path, table: MatchConfig) -> MatchLog:
    """Opens the log of an earlier run, or a new one."""
    return MatchLog(file) if file.exists() else create_match(file, table.game)


def _join_spans(recordings: Sequence[Recording]) -> tuple[int, int] | None:
    spans = [one.span_ms for one in recordings if one.span_ms is not None]
    return (spans[0][0], spans[-1][1]) if spans else None
