"""Jobs that the page gives to the program, besides orders to the referee.

The server's thread submits a job; the program's main thread does it, because only that thread opens cameras, light boards
and logs. Each job carries a future for its result.

    page ─▶ ProgramControl.submit(job) ─▶ ProgramControl.next_job() ─▶ main thread ─▶ result of the future ─▶ page
"""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from queue import Empty, Full, Queue

from controller.match_log.event_json import JsonValue
from controller.settings.match_set_up import AgreedMatch
from controller.settings.store import SettingsStore
from controller.statistics import StatisticsKeeper
from controller.web.set_up.led_map_store import LedMapStore

MOST_JOBS = 4
"""A knob: the program does at least ten jobs a second, so more waiting jobs mean that it is blocked."""


class ProgramStage(Enum):
    """What the program does now."""

    WAITING = "waiting"  # until the next match is set up
    STARTING = "starting"
    PLAYING = "playing"
    DEMO_OVER = "demo_over"  # until somebody starts the demo again


@dataclass(frozen=True, slots=True)
class StartMatch:
    """Begin a new match."""

    match: AgreedMatch


@dataclass(frozen=True, slots=True)
class ResumeMatch:
    """Resume the match of that name."""

    name: str


@dataclass(frozen=True, slots=True)
class EndMatch:
    """End the running match; it can be resumed."""


@dataclass(frozen=True, slots=True)
class PointAt:
    """Light this LED alone for a moment; None: switch it off."""

    led: int | None


@dataclass(frozen=True, slots=True)
class StartAgain:
    """Start the demo again, with another game."""


Job = StartMatch | ResumeMatch | EndMatch | PointAt | StartAgain


class Receiver(Enum):
    """What a match is sent to, beside the page."""

    MQTT = "mqtt"
    WEBHOOK = "webhook"
    OBS = "obs"


class FaultKind(Enum):
    """What becomes of a receiver that does not get everything."""

    AWAY = "away"  # it is tried again by itself
    WRONG = "wrong"  # a person has to put it right
    PARTLY = "partly"  # it takes the rest; a person has to put it right


@dataclass(frozen=True, slots=True)
class ReceiverFault:
    """`place`: machine and port, empty where they are not known. `sentence`: why, in English, with the remedy; without secrets."""

    receiver: Receiver
    place: str
    kind: FaultKind
    sentence: str

    def to_record(self) -> dict[str, JsonValue]:
        return {
            "receiver": self.receiver.value,
            "place": self.place,
            "kind": self.kind.value,
            "sentence": self.sentence,
        }


class JobFailedError(Exception):
    """One sentence: why a job could not be done."""


@dataclass(frozen=True, slots=True)
class PendingJob:
    """A job and the future for its result: None, or a JobFailedError."""

    job: Job
    answer: "Future[None]"

    def complete(self) -> None:
        self.answer.set_result(None)

    def fail(self, sentence: str) -> None:
        self.answer.set_exception(JobFailedError(sentence))


@dataclass(frozen=True, slots=True)
class UnfinishedMatch:
    """A match that can be resumed, as people know it."""

    name: str
    white: str
    black: str
    score: tuple[int, int]
    begun_utc: str

    def to_record(self) -> dict[str, JsonValue]:
        return {
            "name": self.name,
            "white": self.white,
            "black": self.black,
            "score": [*self.score],
            "begun_utc": self.begun_utc,
        }


class ProgramControl:
    """What the page may do with the program, and the queue of its jobs.

    `settings_store` is None where nothing can be set up, as in a demo. `can_begin`: whether the page may begin matches.
    `unfinished` is a match that can be resumed. `slow_speed`: the speed of the demo's table on a computer that
    cannot keep the one that was asked for. `table_name` is shown in the head of the page. `statistics` are those of the data
    folder; None where the page belongs to none. `receiver_faults`: for the operator; replaced as a whole, by any thread.
    """

    def __init__(self) -> None:
        self.settings_store: SettingsStore | None = None
        self.led_map: LedMapStore | None = None
        self.statistics: StatisticsKeeper | None = None
        self.can_begin = False
        self.stage = ProgramStage.PLAYING
        self.unfinished: UnfinishedMatch | None = None
        self.slow_speed: float | None = None
        self.table_name = ""
        self.receiver_faults: tuple[ReceiverFault, ...] = ()
        self._jobs: Queue[PendingJob] = Queue(MOST_JOBS)

    def show_statistics(self, data: Path, delay_s: float) -> None:
        """Lets the page show the statistics of a data folder; a match counts `delay_s` after its last event."""
        self.statistics = StatisticsKeeper(data, delay_s)

    def submit(self, job: Job) -> "Future[None] | None":
        """The future of the result; None when the queue is full."""
        pending = PendingJob(job, Future())
        try:
            self._jobs.put_nowait(pending)
        except Full:
            return None
        return pending.answer

    def next_job(self, within_s: float = 0.0) -> PendingJob | None:
        """The next job whose requester still waits; None when there is none within that time."""
        while True:
            try:
                pending = self._jobs.get(block=within_s > 0, timeout=within_s or None)
            except Empty:
                return None
            if pending.answer.set_running_or_notify_cancel():
                return pending

    def make_status_record(self) -> dict[str, JsonValue]:
        """The part of the state record that concerns the program."""
        return {
            "is_there": self.settings_store is not None,
            "can_begin": self.can_begin,
            "stage": self.stage.value,
            "table": self.table_name,
            "slow_speed": self.slow_speed,
            "receivers": [fault.to_record() for fault in self.receiver_faults],
        }


def hide_from_spectators(record: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The status record without the names of other machines."""
    return {**record, "receivers": []}
