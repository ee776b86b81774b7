"""The first pictures of a recording are read once, with bounded memory; an interrupted run goes on as if it never stopped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np
import pytest

from controller.match.events import RefereeEvent
from controller.match.seating import Seating
from controller.observing.observation import Observation
from controller.observing.pooling import make_evidence
from controller.refereeing.match_config import GameStart, MatchConfig
from controller.refereeing.referee import begin_match, step
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS
from controller.session import transcribing
from controller.session.camera_watch import VideoProcessor
from controller.session.transcribing import infer_table, restore_progress, with_no_patience
from tests.controller.board_sights import EMPTY, reading_of
from tests.controller.refereeing.still_games import Seeing, observations
from tests.controller.rules.strategies import random_game
from tests.vision.drawn_boards import calibration_for
from vision.frame import Frame
from vision.geometry.calibration import Appearance, Calibration

pytestmark = pytest.mark.broad

TABLE = MatchConfig(game="backgammon", rules=RULESETS["backgammon"])


@dataclass(frozen=True)
class NothingSeen:
    """A processor that never sees a board at rest; it and its successors share the list `looked_at`."""

    looked_at: list[int] = field(default_factory=list)
    last_ms: int = -1

    def process(self, frame: Frame) -> tuple["NothingSeen", Observation]:
        assert frame.taken_ms > self.last_ms, "frames come in the order of time"
        self.looked_at.append(frame.taken_ms)
        seen = Observation(frame.taken_ms, make_evidence(reading_of(EMPTY, frame.taken_ms)), None)
        return NothingSeen(self.looked_at, frame.taken_ms), seen


def frames(count: int) -> Iterator[Frame]:
    return (Frame(np.zeros((4, 4, 3), np.uint8), 100 * number) for number in range(count))


def test_a_long_recording_without_a_board_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcribing, "MAX_CACHED_OBSERVATIONS", 4)
    first = NothingSeen()
    table, again = infer_table(frames(10), cast("VideoProcessor", first), TABLE)
    assert table == TABLE
    assert len(again.known_observations) == 4
    assert first.looked_at == [100 * number for number in range(10)]
    times_ms = []
    for frame in frames(10):
        again, seen = again.process(frame)
        times_ms.append(seen.taken_ms)
    assert times_ms == [100 * number for number in range(10)]
    assert first.looked_at[10:] == [400, 500, 600, 700, 800, 900]


@dataclass(frozen=True)
class Shown:
    """A processor of pictures whose observations are known; `apart_ms` lie between two of them."""

    observations: Sequence[Observation]
    apart_ms: int
    calibration: Calibration = field(default_factory=calibration_for)
    newest_reading: None = None

    def with_appearance(self, _: Appearance) -> "Shown":
        return self

    def find_moved_board(self, _: object) -> "Shown":
        return self

    def process(self, frame: Frame) -> tuple["Shown", Observation]:
        return self, self.observations[frame.taken_ms // self.apart_ms]

    @property
    def frames(self) -> list[Frame]:
        return [Frame(np.zeros((4, 4, 3), np.uint8), one.taken_ms) for one in self.observations]


def reported(
    state: RefereeState, frames: Iterator[Frame] | Sequence[Frame], shown: Shown, table: MatchConfig
) -> tuple[RefereeEvent, ...]:
    """The events of these pictures."""
    events: tuple[RefereeEvent, ...] = ()
    for frame in frames:
        state, more = step(state, shown.process(frame)[1], table)
        events += more
    return events


@pytest.mark.parametrize("apart_ms", [33, 60_000])
@pytest.mark.parametrize("seed", [0, 1])
def test_an_interrupted_run_reports_the_same_events(seed: int, apart_ms: int) -> None:
    """Interrupted after any event of a game in which dice are overlooked or unread: the referee forgets nothing about them,
    whether the pictures lie close together or a minute apart.
    """
    rules = RULESETS["backgammon"]
    turns = random_game(rules, seed, most_turns=8)
    table = with_no_patience(MatchConfig(game="backgammon", rules=rules, seating=Seating()))
    table = replace(table, start=GameStart(table.start_text, turns[0].mover))
    seeing = Seeing(overlooked=0.15, lie_in_doubt=0.1, face_in_doubt=0.15, bad_throws=0.1)
    found = observations(turns, rules, Seating(), seeing, seed)
    shown = Shown([replace(one, taken_ms=apart_ms * number) for number, one in enumerate(found)], apart_ms)
    state, begun = begin_match(table, 0)
    whole = begun + reported(state, shown.frames, shown, table)
    for until_ms in sorted({event.at_ms for event in whole[len(begun) + 2 :]}):
        known = tuple(event for event in whole if event.at_ms <= until_ms)
        _, left, again = restore_progress(cast("VideoProcessor", shown), iter(shown.frames), known, table)
        assert known + reported(again, cast("Iterator[Frame]", left), shown, table) == whole
