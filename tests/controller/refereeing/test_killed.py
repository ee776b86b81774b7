"""A match is refereed, and its program killed at any moment: nothing that was shown is lost, and the match goes on."""

import os
import random
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from controller.match.events import MatchResumed, MatchStarted, MatchWon
from controller.match_log import IntactChain, LoggedEvent, match_files, matches_folder, read_match, verify
from controller.simulation.compare import QUESTIONS, compare
from controller.simulation.staging.truth import TrueEvent
from tests.controller.refereeing.refereed_lives import MATCHES, RECORD, FilmedMatch, Report, checksum
from tests.controller.subcommands.zygote import Zygote, busy_for

pytestmark = pytest.mark.broad

KILLS, ALL_KILLS = 20, 300
SHORT_MATCHES = 2  # number of `MATCHES` that are over after 1,300 frames
RESUME_US = 5_000_000  # as promised; it takes a hundredth of it, so that a busy machine makes no difference
INPUTS = (1, 150)  # of a life: a moment, or two turns


@dataclass(frozen=True, slots=True)
class End:
    """When a life is ended: after so many inputs, when it then shows an event if it is to, and so many us later."""

    inputs: int
    is_event_awaited: bool
    and_us: int

    @classmethod
    def drawn(cls, chance: random.Random) -> "End":
        """The end comes while the match is opened, just after an event was shown, or at any moment."""
        match chance.randrange(4):
            case 0:
                return cls(0, False, chance.randrange(50_000))
            case 1 | 2:
                return cls(chance.randint(*INPUTS), True, chance.randrange(1_000))
            case _:
                return cls(chance.randint(*INPUTS), False, chance.randrange(8_000))


NEVER = End(-1, False, 0)


@dataclass(slots=True)
class Life:
    """What was heard of a child."""

    ready_us: int | None = None  # None: it was killed before the state was there
    saved: list[int] = field(default_factory=list)  # checksums of the events that it showed
    n_done: int = 0
    is_over: bool = False  # it came to the end of the film
    is_dead: bool = False

    def hear(self, report: Report, number: int) -> None:
        match report:
            case Report.READY:
                self.ready_us = number
            case Report.SAVED:
                self.saved.append(number)
            case Report.DONE:
                self.n_done += 1
            case Report.OVER:
                self.is_over = True
            case Report.DEAD:
                self.is_dead = True
            case Report.BORN:
                raise AssertionError("a child is born while another lives")


class Lives:
    """Children that referee, one after the other."""

    def __init__(self) -> None:
        self._zygote = Zygote("tests.controller.refereeing.refereed_lives")
        self.close = self._zygote.close

    def lived(self, folder: Path, number: int, n_done: int, end: End) -> Life:
        """Runs a child until it is dead."""
        most = 0 if end.inputs == 0 else -1
        self._zygote.ask(f"{folder} {number} {n_done} {most}")
        report, child = self._heard()
        assert report is Report.BORN
        life = Life()
        while not life.is_dead and life.n_done != end.inputs:
            life.hear(*self._heard())
        n_saved = len(life.saved)
        while not life.is_dead and end.is_event_awaited and len(life.saved) == n_saved:
            life.hear(*self._heard())
        assert life.is_over or not life.is_dead, "it ended by itself"
        busy_for(end.and_us)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        while not life.is_dead:
            life.hear(*self._heard())
        return life

    def _heard(self) -> tuple[Report, int]:
        word, number = RECORD.unpack(self._zygote.said(RECORD.size))
        return Report(word), number


@pytest.fixture
def lives() -> Iterator[Lives]:
    began = Lives()
    yield began
    began.close()


@dataclass(slots=True)
class GoneOnWith:
    """One match, through all its lives: how far the film is, and what the log held when the last one was over."""

    folder: Path
    number: int
    n_done: int = 0
    n_ready: int = 0
    held: list[int] = field(default_factory=list)
    is_over: bool = False

    @property
    def match(self) -> FilmedMatch:
        return MATCHES[self.number]

    @property
    def logged(self) -> tuple[LoggedEvent, ...]:
        """Empty if the program was killed before there was a match."""
        files = match_files(matches_folder(self.folder))
        return read_match(files[-1]).logged if files else ()

    def live(self, lives: Lives, end: End) -> bool:
        """One more life and its log; returns whether it was killed."""
        life = lives.lived(self.folder, self.number, self.n_done, end)
        self.n_done += life.n_done
        logged = self.logged
        holds = [checksum(one.text) for one in logged]
        shown = [*self.held, *life.saved]
        assert holds[: len(shown)] == shown
        assert all(isinstance(verify(file), IntactChain) for file in match_files(matches_folder(self.folder)))
        assert life.ready_us is None or life.ready_us <= RESUME_US
        self.held, self.n_ready = holds, self.n_ready + (life.ready_us is not None)
        self.is_over = life.is_over or any(isinstance(one.event, MatchWon) for one in logged)
        return not life.is_over

    def check_end(self) -> None:
        """The rulings are those of a match without kills; only where nobody looked, people were asked."""
        events = [one.event for one in self.logged]
        truths = [one for one in self.match.happenings if isinstance(one, TrueEvent)]
        found = compare(truths, events)
        assert {one.kind for one in found.differences} <= QUESTIONS, found.differences
        assert found.turns > 0
        assert [sum(isinstance(event, kind) for event in events) for kind in (MatchStarted, MatchWon)] == [1, 1]
        assert sum(isinstance(event, MatchResumed) for event in events) >= self.n_ready - 1


def test_a_refereed_match_survives_every_death(tmp_path: Path, lives: Lives, full_counts: bool) -> None:
    """20 kills (300 with --slow): each log has what was shown, its chain is intact, and each match is finished."""
    chance, n_kills = random.Random(6), 0
    kills, matches = (ALL_KILLS, len(MATCHES)) if full_counts else (KILLS, SHORT_MATCHES)
    for number in count():
        match = GoneOnWith(tmp_path / str(number), number % matches)
        while not match.is_over:
            n_kills += match.live(lives, NEVER if n_kills == kills else End.drawn(chance))
        match.check_end()
        if n_kills == kills:
            return
