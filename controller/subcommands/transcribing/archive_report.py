"""What became of the films of a folder: a line a film, and the report at the end."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.subcommands.options import format_clock_time, format_count
from controller.subcommands.transcribing.film_job import FilmOutcome, FilmState
from controller.subcommands.transcribing.outcomes import outcome_record
from controller.subcommands.transcribing.summary import count_turns
from controller.wording.progress import duration_text

_MOST_PASSAGES = 3  # of a film in the report; its match has all
_SAME = "same"


@dataclass(frozen=True, slots=True)
class FilmResult:
    """`same_as`: the film with the same fingerprint that is read instead. `is_known`: an earlier run has read it."""

    name: str
    outcome: FilmOutcome | None = None
    same_as: str | None = None
    is_known: bool = False
    tries: int = 0

    @property
    def state(self) -> str:
        return _SAME if self.outcome is None else self.outcome.state.value

    @property
    def line(self) -> str:
        if self.outcome is None:
            return f"{self.name}: the same film as {self.same_as}."
        record = self.outcome.record
        if record is None:
            return f"{self.name}: refused. {self.outcome.sentence}"
        known = ", by an earlier run" if self.is_known else ""
        counted = count_turns(int(str(record["turns"])), int(str(record["games"])))
        return f"{self.name}: {self.state}, {counted}{known}; {record['match']}"


@dataclass(frozen=True, slots=True)
class ArchiveReport:
    """The films in the order of their names. `took_s`: by the clock on the wall."""

    films: tuple[FilmResult, ...]
    took_s: float

    @property
    def is_complete(self) -> bool:
        return all(film.state in (FilmState.READ.value, _SAME) for film in self.films)

    @property
    def counts(self) -> Mapping[str, int]:
        found = Counter(film.state for film in self.films)
        return {state: found[state] for state in ("read", "unsure", "refused", _SAME)}


def print_report(report: ArchiveReport, *, is_json: bool) -> None:
    if is_json:
        print(json.dumps(archive_record(report)))
        return
    for line in report_lines(report):
        print(line)


def archive_record(report: ArchiveReport) -> dict[str, object]:
    """The object of `transcribe --json` for a folder of films."""
    films = []
    for film in report.films:
        about = {"film": film.name, "same_as": film.same_as, "known": film.is_known, "tries": film.tries}
        films.append(about | ({"state": film.state} if film.outcome is None else outcome_record(film.outcome)))
    return {
        "films": films,
        **report.counts,
        "complete": report.is_complete,
        "took_s": round(report.took_s, 1),
    }


def report_lines(report: ArchiveReport) -> Iterator[str]:
    for film in report.films:
        yield film.line
        if film.outcome is not None and film.outcome.record is not None:
            yield from (f"  {line}" for line in _problem_lines(film.outcome.record, film.outcome.warnings))
    counted = report.counts
    twice = f", {counted[_SAME]} there twice" if counted[_SAME] else ""
    yield (
        f"{format_count(len(report.films), 'film')}: {counted['read']} read, {counted['unsure']} unsure, "
        f"{counted['refused']} refused{twice}; {duration_text(report.took_s)}."
    )


def _problem_lines(record: Mapping[str, Any], warnings: Sequence[str]) -> Iterator[str]:
    """Reasons and remedies, as transcribe has them for one film."""
    yield from warnings
    if record["doubt"]:
        yield record["doubt"]
    passages = record["not_judged"]
    for one in passages[:_MOST_PASSAGES]:
        times = dict.fromkeys(format_clock_time(one[key]) for key in ("from_ms", "until_ms"))
        what = "passed over" if one["passed_over"] else "not judged"
        yield f"{' to '.join(times)} {what}: {one['sentence']}"
    if len(passages) > _MOST_PASSAGES:
        yield f"And {len(passages) - _MOST_PASSAGES} more; see zarbiter replay {record['match']} --page"
    if record["unread"]:
        reasons = " ".join(record["unread_because"][:_MOST_PASSAGES])
        yield f"{format_count(record['unread'], 'picture')} could not be used: {reasons}"
