"""Works through a folder of films: which are new, which place takes which, and what became of each."""

import argparse
import logging
import os
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from controller.match_log import MatchLogError, StorageError, match_files, matches_folder
from controller.match_log.catalogue import SUFFIX, read_start
from controller.settings import Settings, data_folder
from controller.subcommands.match.recording import list_recordings
from controller.subcommands.options import (
    CommandFailedError,
    ProgressBar,
    UsageError,
    resolve_settings,
    resolve_table,
)
from controller.subcommands.transcribing.archive_report import ArchiveReport, FilmResult, print_report
from controller.subcommands.transcribing.film_job import FilmJob, FilmOutcome, FilmState, Options
from controller.subcommands.transcribing.films import Film, find_films, name_match, pair_twins
from controller.subcommands.transcribing.outcomes import ARCHIVE, OutcomeStore, refuse, with_match
from controller.subcommands.transcribing.places import Place, Pool, ProcessPool, WorkerDiedError
from controller.subcommands.transcribing.progress_table import ProgressTable, RunningFilm

_LOG = logging.getLogger("zarbiter.transcribe")

MOST_TRIES = 3
"""A film whose process dies so often is refused: the film is at fault, or the memory; a knob, as Dask's own."""
_POLL_S = 0.2
_ABOUT_THE_RUN = ("jobs", "cluster", "json", "command", "sources", "version", "data")  # these change no result


def transcribe_archive(options: argparse.Namespace) -> bool:
    """Whether every film was read whole."""
    folder, data = Path(options.sources[0]), data_folder(options.data, os.environ)
    settings = resolve_settings(options)
    resolve_table(settings, options)  # mistakes of the call are reported before anything is read
    found = find_films(folder)
    for left_out in found.left_out:
        _LOG.warning("%s holds pictures without times and is no film; transcribe it by itself with --stills", left_out)
    chosen = _choose_options(options)
    began_s = time.monotonic()
    results, films = _know_films(folder, found.films, settings)
    with _lay_out_desks() as desks, _open_pool(options, data) as pool:
        store = OutcomeStore(data / ARCHIVE, chosen)
        run = ArchiveRun(pool, store, desks, _find_matches(data, films), _count_threads(options), dict(results))
        try:
            run.work_through(films)
        except KeyboardInterrupt:
            done = sum(result.outcome is not None for result in run.results.values())
            _LOG.warning("interrupted after %d of %d films; call this again, and it goes on", done, len(found.films))
            raise
    report = ArchiveReport(tuple(run.results[name] for name in sorted(run.results)), time.monotonic() - began_s)
    print_report(report, is_json=options.json)
    return report.is_complete


def _choose_options(options: argparse.Namespace) -> Options:
    """As a call for one film has them. Names of files become absolute, for processes that work elsewhere."""
    given = {name: value for name, value in vars(options).items() if name not in _ABOUT_THE_RUN}
    return tuple(
        (name, value.absolute() if isinstance(value, Path) else value) for name, value in sorted(given.items())
    )


def _know_films(
    folder: Path, paths: Sequence[Path], settings: Settings
) -> tuple[Mapping[str, "FilmResult"], list[Film]]:
    """What is known before any film is read: films that are refused or there twice; and the films that are to be read."""
    results: dict[str, FilmResult] = {}
    films: list[Film] = []
    progress = ProgressBar("films, to tell them apart", len(paths))
    for count, path in enumerate(paths):
        progress.show(count)
        name = path.relative_to(folder).as_posix()
        try:
            (known,) = list_recordings([str(path.absolute())], settings)
            films.append(Film(path.absolute(), name, known.used.digest))
        except (UsageError, CommandFailedError) as error:
            results[name] = FilmResult(name, refuse(str(error)))
    progress.end()
    twins = {twin.name: first.name for twin, first in pair_twins(films)}
    results |= {name: FilmResult(name, same_as=first) for name, first in twins.items()}
    return results, [film for film in films if film.name not in twins]


def _find_matches(data: Path, films: Sequence[Film]) -> dict[str, Path]:
    """The log of each film by its fingerprint: the match that was made of it before, under whatever name, or a new one."""
    folder = matches_folder(data)
    known: dict[str, Path] = {}
    for file in match_files(folder):
        started = read_start(file)
        if started is not None and len(started.recordings) == 1:
            known.setdefault(started.recordings[0].digest, file)
    return {film.digest: known.get(film.digest, folder / f"{name_match(film)}{SUFFIX}") for film in films}


def _count_threads(options: argparse.Namespace) -> int:
    """The cores of this machine are shared out; a worker elsewhere knows its own."""
    return 0 if options.cluster is not None else max(1, (os.cpu_count() or 1) // (options.jobs or 1))


@contextmanager
def _lay_out_desks() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="zarbiter-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _open_pool(options: argparse.Namespace, data: Path) -> Iterator[Pool]:
    pool: Pool
    if options.cluster is not None:
        from controller.subcommands.transcribing.cluster import open_cluster

        pool = open_cluster(options.cluster)
    else:
        pool = ProcessPool(options.jobs or 1)
    try:
        yield pool
    finally:
        pool.close()


@dataclass(slots=True)
class ArchiveRun:
    """`matches`: the log of each film by its fingerprint. `results`: by the film's name, what is known so far."""

    pool: Pool
    store: OutcomeStore
    desks: Path
    matches: Mapping[str, Path]
    threads: int
    results: dict[str, FilmResult]
    _tries: dict[str, int] = field(default_factory=dict)  # by the fingerprint
    _running: dict[str, tuple[Place, Film]] = field(default_factory=dict)  # by the name of the place

    def work_through(self, films: Sequence[Film]) -> None:
        waiting: deque[Film] = deque()
        for film in films:
            known = self.store.load(film.digest)
            if known is not None and self.matches[film.digest].exists():
                self.results[film.name] = FilmResult(film.name, known, is_known=True)
            else:
                waiting.append(film)
        table = ProgressTable(len(self.results) + len(waiting))
        try:
            while waiting or self._running:
                self._start_films(waiting, table)
                for place, film in list(self._running.values()):
                    self._collect(place, film, waiting, table)
                rows = [RunningFilm(film.name, place.listen()) for place, film in self._running.values()]
                table.show(tuple(self.results.values()), rows)
                time.sleep(_POLL_S)
        finally:
            table.end()

    def _start_films(self, waiting: deque[Film], table: ProgressTable) -> None:
        for place in self.pool.places() if waiting else ():
            if not waiting:
                return
            if place.name in self._running:
                continue
            film = waiting.popleft()
            self._tries[film.digest] = self._tries.get(film.digest, 0) + 1
            desk = self.desks / f"{film.digest[:12]}-{self._tries[film.digest]}"
            self._running[place.name] = place, film
            job = FilmJob(film.path, self.matches[film.digest], desk, self.store.options, self.threads)
            try:
                place.start(job)
            except MatchLogError as error:
                del self._running[place.name]
                self._keep(film, refuse(str(error)), table)

    def _collect(self, place: Place, film: Film, waiting: deque[Film], table: ProgressTable) -> None:
        try:
            outcome = place.outcome()
        except StorageError as error:
            outcome = FilmOutcome(FilmState.UNSAVED, str(error))
        except MatchLogError as error:
            outcome = refuse(str(error))
        except WorkerDiedError as died:
            del self._running[place.name]
            tries = self._tries[film.digest]
            if tries < MOST_TRIES:
                waiting.appendleft(film)
                table.say(f"{film.name}: {died}; it goes on from its log")
                return
            outcome = refuse(
                f"{film.name} was given up after {tries} tries: {died}; see whether the memory is enough for so many jobs,"
                " or transcribe it by itself"
            )
        if outcome is None:
            return
        self._running.pop(place.name, None)
        if outcome.state is FilmState.UNSAVED:
            raise CommandFailedError(outcome.sentence)
        self._keep(film, with_match(outcome, self.matches[film.digest]), table)

    def _keep(self, film: Film, outcome: FilmOutcome, table: ProgressTable) -> None:
        try:
            self.store.save(film.digest, film.path, outcome)
        except OSError as error:
            raise CommandFailedError(
                f"{self.store.folder} takes no more ({error.strerror or error}); see that the disk has room and call this"
                " again: it goes on"
            ) from None
        result = FilmResult(film.name, outcome, tries=self._tries[film.digest])
        self.results[film.name] = result
        table.say(result.line)
