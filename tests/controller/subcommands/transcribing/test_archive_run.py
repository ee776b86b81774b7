"""What a run of an archive does when processes die, disks fill and people press Ctrl-C; the places are played here."""

import json
import logging
from collections import deque
from collections.abc import Sequence
from concurrent.futures import wait
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controller.match import MatchStarted, Mode, RecordingUsed
from controller.match_log import StorageError, create_match
from controller.match_log.errors import LogInUseError
from controller.subcommands.options import CommandFailedError
from controller.subcommands.transcribing import archive
from controller.subcommands.transcribing.archive import MOST_TRIES, ArchiveRun
from controller.subcommands.transcribing.archive_report import ArchiveReport, archive_record, report_lines
from controller.subcommands.transcribing.film_job import (
    LONELY_S,
    FilmJob,
    FilmOutcome,
    FilmProgress,
    FilmState,
    JobStoppedError,
    ask_to_stop,
    lay_out_desk,
    listen,
    work_on_film,
)
from controller.subcommands.transcribing.film_job import _BarMaker as BarMaker
from controller.subcommands.transcribing.films import Film
from controller.subcommands.transcribing.outcomes import OutcomeStore
from controller.subcommands.transcribing.places import Place, ProcessPlace, WorkerDiedError
from controller.subcommands.transcribing.progress_table import RunningFilm, count_line, table_rows
from tests.controller.subcommands.called import Program

A, B = (Film(Path(f"/films/{name}.mp4"), f"{name}.mp4", name * 64) for name in "ab")
RECORD: dict[str, object] = {
    "match": "far/a.zmatch",
    "turns": 12,
    "games": 1,
    "doubt": "",
    "unread": 1,
    "unread_because": ["One picture is damaged; film again."],
    "not_judged": [
        {"from_ms": 0, "until_ms": at_ms, "sentence": "A hand was in view; film on.", "passed_over": True}
        for at_ms in (1_000, 2_000, 3_000, 4_000)
    ],
}
READ = FilmOutcome(FilmState.READ, "", RECORD, ("no --game is given; taken as tavla",), 9.5, 300)
DIED = WorkerDiedError("its process was killed")


@dataclass
class PlayedPlace:
    """Gives one answer after the other, a film each."""

    answers: deque[FilmOutcome | Exception]
    name: str = "here"
    started: list[FilmJob] = field(default_factory=list)

    def start(self, job: FilmJob) -> None:
        self.started.append(job)
        if isinstance(self.answers[0], LogInUseError):
            raise self.answers.popleft()  # type: ignore[misc]

    def listen(self) -> FilmProgress | None:
        return FilmProgress(1, 5, 10, "pictures")

    def outcome(self) -> FilmOutcome | None:
        answer = self.answers.popleft()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def ask_to_stop(self) -> None: ...


@dataclass
class PlayedPool:
    place: PlayedPlace
    is_closed: bool = False

    def places(self) -> Sequence[Place]:
        return (self.place,)

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_POLL_S", 0)


def run_of(
    tmp_path: Path, *answers: FilmOutcome | Exception, options: tuple[tuple[str, object], ...] = ()
) -> ArchiveRun:
    matches = {film.digest: tmp_path / f"{film.path.stem}.zmatch" for film in (A, B)}
    store = OutcomeStore(tmp_path / "archive", options)
    return ArchiveRun(PlayedPool(PlayedPlace(deque(answers))), store, tmp_path, matches, 1, {})


def test_a_process_that_dies_is_followed_by_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(tmp_path, DIED, READ, READ)
    run.work_through([A, B])
    assert [run.results[film.name].tries for film in (A, B)] == [2, 1]
    assert "a.mp4: its process was killed; it goes on from its log" in capsys.readouterr().err


def test_a_film_that_kills_each_process_is_given_up(tmp_path: Path) -> None:
    run = run_of(tmp_path, *[DIED] * MOST_TRIES, READ)
    run.work_through([A, B])
    given_up = run.results["a.mp4"].outcome
    assert given_up is not None
    assert given_up.sentence == (
        "a.mp4 was given up after 3 tries: its process was killed; see whether the memory is enough for so many jobs,"
        " or transcribe it by itself"
    )
    assert run.results["b.mp4"].state == "read"
    report = ArchiveReport(tuple(run.results.values()), 60.0)
    assert not report.is_complete
    assert list(report_lines(report))[-1] == "2 films: 1 read, 0 unsure, 1 refused; 1 min 0 s."


def test_a_film_that_brings_about_an_error_of_python(tmp_path: Path) -> None:
    """It holds up no other film: its process counts as one that died."""
    place = ProcessPlace("here")
    place.start(FilmJob(A.path, tmp_path / "a.zmatch", tmp_path / "desk", (("no", "options"),), 1))
    assert place._future is not None
    wait([place._future])
    with pytest.raises(WorkerDiedError, match=r"its process failed \(AttributeError: .* has no attribute"):
        place.outcome()


def test_a_match_that_is_being_written(tmp_path: Path) -> None:
    run = run_of(tmp_path, LogInUseError(tmp_path / "a.zmatch"), READ)
    run.work_through([A, B])
    assert run.results["a.mp4"].line.endswith("a.zmatch is being written by another zarbiter; end that one first.")


@pytest.mark.parametrize(
    "answer", [FilmOutcome(FilmState.UNSAVED, "the disk is full"), StorageError(Path("a"), "the disk is full")]
)
def test_a_full_disk_ends_the_run(answer: FilmOutcome | Exception, tmp_path: Path) -> None:
    """Not one film after the other: nothing is refused that could be read."""
    run = run_of(tmp_path, answer, READ)
    with pytest.raises(CommandFailedError, match="the disk is full"):
        run.work_through([A, B])
    assert run.results == {}


def test_a_disk_without_room_for_an_outcome(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("a file", encoding="utf-8")
    with pytest.raises(CommandFailedError, match=r"archive takes no more \(File exists\); see that the disk has room"):
        run_of(tmp_path, READ).work_through([A])


def test_a_match_that_was_made_alone(tmp_path: Path) -> None:
    """A film goes on in the match of its fingerprint, whatever that is called; another one gets a new match."""
    recordings = (RecordingUsed("a.mp4", 9, A.digest),)
    started = MatchStarted(0, "tavla", None, "casual", Mode.TEACH, "Ann", "Ben", None, recordings=recordings)
    create_match(tmp_path / "matches/final.zmatch", "tavla", (started,)).close()
    create_match(tmp_path / "matches/empty.zmatch", "tavla").close()
    (tmp_path / "matches/damaged.zmatch").write_bytes(b"no match")
    assert archive._find_matches(tmp_path, [A, B]) == {
        A.digest: tmp_path / "matches/final.zmatch",
        B.digest: tmp_path / "matches/b-bbbbbbbb.zmatch",
    }


class TestOutcomes:
    def test_one_that_was_read_is_known(self, tmp_path: Path) -> None:
        run_of(tmp_path, READ).work_through([A])
        create_match(tmp_path / "a.zmatch", "tavla").close()
        again = run_of(tmp_path)
        again.work_through([A])
        known = again.results["a.mp4"]
        assert known.is_known
        assert known.outcome is not None
        assert known.outcome.record == RECORD | {"match": str(tmp_path / "a.zmatch")}
        (kept,) = (tmp_path / "archive").iterdir()
        assert kept.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("reason", ["no match", "other options", "damaged", "refused"])
    def test_one_that_is_read_again(self, reason: str, tmp_path: Path) -> None:
        first = FilmOutcome(FilmState.REFUSED, "it is dark") if reason == "refused" else READ
        run_of(tmp_path, first).work_through([A])
        if reason != "no match":
            create_match(tmp_path / "a.zmatch", "tavla").close()
        if reason == "damaged":
            next((tmp_path / "archive").iterdir()).write_text('{"state": "read", "options": []}', encoding="utf-8")
        again = run_of(tmp_path, READ, options=(("game", "tavla"),) if reason == "other options" else ())
        again.work_through([A])
        assert not again.results["a.mp4"].is_known

    def test_a_settings_file_that_was_changed(self, tmp_path: Path) -> None:
        """The content counts, not the name."""
        config = tmp_path / "club.toml"
        config.write_text("bar = true\n", encoding="utf-8")
        store = OutcomeStore(tmp_path / "archive", (("config", config),))
        store.save(A.digest, A.path, READ)
        assert store.load(A.digest) == READ
        config.write_text("bar = false\n", encoding="utf-8")
        assert store.load(A.digest) is None


class TestReport:
    def test_reasons_and_remedies(self, tmp_path: Path) -> None:
        run = run_of(tmp_path, READ)
        run.work_through([A])
        lines = list(report_lines(ArchiveReport(tuple(run.results.values()), 9.0)))
        assert lines == [
            f"a.mp4: read, 12 turns in 1 finished game; {tmp_path}/a.zmatch",
            "  no --game is given; taken as tavla",
            *(f"  0:00:00 to 0:00:0{second} passed over: A hand was in view; film on." for second in (1, 2, 3)),
            f"  And 1 more; see zarbiter replay {tmp_path}/a.zmatch --page",
            "  1 picture could not be used: One picture is damaged; film again.",
            "1 film: 1 read, 0 unsure, 0 refused; 9 s.",
        ]

    def test_for_programs(self, tmp_path: Path) -> None:
        run = run_of(tmp_path, READ)
        run.work_through([A])
        (film,) = json.loads(json.dumps(archive_record(ArchiveReport(tuple(run.results.values()), 9.0))))["films"]
        assert (film["film"], film["state"], film["tries"], film["peak_mb"]) == ("a.mp4", "read", 1, 300)

    def test_the_table(self) -> None:
        """A row a film, as many as there is room for; names hold no codes for the terminal."""
        films = [RunningFilm(f"\x1b[31m{number}.mp4", FilmProgress(1, 5, 10, "pictures")) for number in range(4)]
        rows = table_rows([RunningFilm("new.mp4", None), *films], 50, 3)
        assert rows == [
            "new.mp4                          begins",
            "\\u001b[31m0.mp4                  [############----",
            "… and 3 more",
        ]
        assert count_line((), 2, 40) == "0 of 40 films: 0 read, 0 unsure, 0 refused; 2 being read"


class TestJob:
    def test_nobody_waits_for_it(self, tmp_path: Path) -> None:
        """A job ends a minute after it was heard of last, and at once when it is asked to."""
        now_s = [0.0]
        bars = BarMaker(tmp_path / "desk", lambda: now_s[0])
        lay_out_desk(tmp_path / "desk")
        bars("pictures", 10).show(3)
        heard = listen(tmp_path / "desk")
        assert heard is not None
        assert (heard.done, heard.total, heard.doing) == (3, 10, "pictures")
        now_s[0] = LONELY_S
        bars("pictures", 10).show(4)
        now_s[0] += LONELY_S + 1
        with pytest.raises(JobStoppedError):
            bars("pictures", None).show(5)
        ask_to_stop(tmp_path / "desk")
        listen(tmp_path / "desk")
        with pytest.raises(JobStoppedError):
            bars("pictures", None).show(6)

    @pytest.mark.parametrize(
        ("game", "sentence"), [("tavla", "nothing.mp4 is not there"), ("halma", "there is no game 'halma'")]
    )
    def test_what_transcribe_would_refuse(self, game: str, sentence: str, tmp_path: Path) -> None:
        given = {"game": game, "config": None, "rules": None, "on_turn": None, "stills": False}
        options = tuple((given | {"first": None, "until": None}).items())
        lay_out_desk(tmp_path / "desk")
        job = FilmJob(tmp_path / "nothing.mp4", tmp_path / "a.zmatch", tmp_path / "desk", options, 1)
        outcome = work_on_film(job)
        assert outcome.state is FilmState.REFUSED
        assert sentence in outcome.sentence


def test_ctrl_c(
    tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The processes are ended, and how to go on is said."""
    films = tmp_path / "films"
    films.mkdir()
    (films / "a.mp4").write_bytes(b"no film")
    pool = PlayedPool(PlayedPlace(deque()))

    def interrupt(*_given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(archive, "ProcessPool", lambda _count: pool)
    monkeypatch.setattr(ArchiveRun, "work_through", interrupt)
    with caplog.at_level(logging.WARNING, "zarbiter"):
        zarbiter("transcribe", films, "--data", tmp_path / "data", status=130)
    assert "interrupted after 1 of 1 films; call this again, and it goes on" in caplog.text
    assert pool.is_closed
