"""The summary of a transcription: lines for the terminal, and the record of --json."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from controller.subcommands.match.recording import KnownRecording
from controller.subcommands.options import format_clock_time, format_count
from controller.subcommands.transcribing.transcription import Transcription

_MOST_ERRORS = 3  # sentences about pictures in the summary


def transcription_record(done: Transcription) -> dict[str, object]:
    counts = {key: value for key, value in asdict(done.report).items() if key != "passages"}
    first_ms, last_ms = done.span_ms or (None, None)
    return {
        "match": str(done.match),
        "game": done.game,
        "recordings": [asdict(one.used) for one in done.recordings],
        **counts,
        "unread": done.unread,
        "unread_because": list(done.picture_errors),
        "first_ms": first_ms,
        "last_ms": last_ms,
        "complete": done.is_complete,
        "not_judged": [passage.record() for passage in done.report.passages],
    }


def summary_lines(done: Transcription) -> Iterator[str]:
    report, known = done.report, done.recordings
    span = " to ".join(_format_moment(ms, known) for ms in done.span_ms or ()) or "no picture"
    yield f"{done.match}: {count_turns(report.turns, report.games)}, {span}."
    counted = (f"Unsure: {report.unsure}.", f"Not seen: {report.not_seen}.", f"Illegal: {report.illegal}.")
    yield f"{' '.join(counted)} Bad throws: {report.bad_throws}."
    if report.doubt:
        yield report.doubt
    if report.unsure or report.not_seen or report.illegal:
        yield f"Look through them and put them right: zarbiter replay {done.match} --page"
    for passage in report.passages:
        times = dict.fromkeys((_format_moment(passage.from_ms, known), _format_moment(passage.until_ms, known)))
        what = "passed over" if passage.is_passed_over else "not judged"
        yield f"{' to '.join(times)} {what}: {passage.sentence}"
    if done.unread:
        more = len(done.picture_errors) - _MOST_ERRORS
        others = f" And {more} more such sentences above." if more > 0 else ""
        errors = " ".join(done.picture_errors[:_MOST_ERRORS])
        yield f"{format_count(done.unread, 'picture')} could not be used: {errors}{others}"


def count_turns(turns: int, games: int) -> str:
    return f"{format_count(turns, 'turn')} in {format_count(games, 'finished game')}"


def _format_moment(at_ms: int, known: Sequence[KnownRecording]) -> str:
    """A time of the match as that of its recording; between two recordings as the end of the first."""
    if len(known) == 1:
        return format_clock_time(at_ms)
    within = next((one for one in reversed(known) if one.used.begins_ms <= at_ms), known[0])
    return f"{within.used.name} {format_clock_time(min(at_ms - within.used.begins_ms, within.end_ms))}"
