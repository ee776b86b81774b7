"""The operator's office: what the page asks of the program besides orders to the referee.

The server's thread asks, the program's own thread does: it alone opens cameras, light boards and logs. A job carries
its answer, so whoever asked learns what came of it.

    page ─▶ Office.ask(job) ─▶ Office.next() ─▶ done by the program's thread ─▶ the job's answer ─▶ page
"""

from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from queue import Empty, Full, Queue

from controller.settings.match_set_up import AgreedMatch
from controller.settings.store import SettingsStore
from controller.web.set_up.led_map_store import LedMapStore

MOST_JOBS = 4
"""The program does them one after the other, at least ten a second; more means that it stands still."""


class ProgramStage(Enum):
    """What the program does."""

    WAITING = "waiting"  # for the next match to be set up
    STARTING = "starting"
    PLAYING = "playing"


@dataclass(frozen=True, slots=True)
class StartMatch:
    """A new match."""

    match: AgreedMatch


@dataclass(frozen=True, slots=True)
class ResumeMatch:
    """The match of that name goes on."""

    name: str


@dataclass(frozen=True, slots=True)
class EndMatch:
    """The match that is played is broken off; it can be resumed."""


@dataclass(frozen=True, slots=True)
class PointAt:
    """This LED alone is lit for a moment; None: no longer."""

    led: int | None


Job = StartMatch | ResumeMatch | EndMatch | PointAt


class JobFailedError(Exception):
    """Why a job could not be done; one sentence."""


@dataclass(frozen=True, slots=True)
class PendingJob:
    """A job and where its answer goes: nothing, or a NotDoneError."""

    job: Job
    answer: "Future[None]"

    def complete(self) -> None:
        self.answer.set_result(None)

    def fail(self, sentence: str) -> None:
        self.answer.set_exception(JobFailedError(sentence))


class ProgramControl:
    """`keeper` None: nobody can set up anything here, as in a demo. `can_begin`: whether matches are begun here."""

    def __init__(self) -> None:
        self.settings_store: SettingsStore | None = None
        self.led_map: LedMapStore | None = None
        self.can_begin = False
        self.stage = ProgramStage.PLAYING
        self.unfinished: str | None = None  # the name of a match that could go on
        self._jobs: Queue[PendingJob] = Queue(MOST_JOBS)

    def submit(self, job: Job) -> "Future[None] | None":
        """None when too many wait already."""
        asked = PendingJob(job, Future())
        try:
            self._jobs.put_nowait(asked)
        except Full:
            return None
        return asked.answer

    def next_job(self, within_s: float = 0.0) -> PendingJob | None:
        """The next job that somebody still waits for; None when there is none within that time."""
        while True:
            try:
                asked = self._jobs.get(block=within_s > 0, timeout=within_s or None)
            except Empty:
                return None
            if asked.answer.set_running_or_notify_cancel():
                return asked

    def make_status_record(self) -> dict[str, str | bool]:
        """What every page is told."""
        return {"is_there": self.settings_store is not None, "can_begin": self.can_begin, "stage": self.stage.value}
