from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from controller.match.commands import EndTurn
from controller.match.events import (
    CameraBack,
    CameraLost,
    CommandRefused,
    DiceRolled,
    GameStarted,
    LightsBack,
    LightsLost,
    MatchStarted,
    RefereeEvent,
    StorageBack,
)
from controller.match.inputs import Peripheral, PeripheralEvent, Tick
from controller.match_log import EvidencePicture, IntactChain, MatchLog, StorageError, create_match, read_match, verify
from controller.observing.observation import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, replay_events, without_perception
from controller.refereeing.state import Phase, RefereeState
from controller.rules import RULESETS
from controller.session.camera_watch import VideoProcessor
from controller.session.loop import Input, Sink, referee_match
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.staging.board_plan import BoardPlan
from tests.controller.board_pictures import board
from tests.controller.simulation.films import film
from tests.vision.drawn_boards import calibration_for
from vision.frame import Frame

pytestmark = pytest.mark.broad

TABLE = MatchConfig(game="hypergammon", rules=RULESETS["hypergammon"])


@dataclass
class Shown:
    """A sink that keeps what it was shown and how much the log held then; it fails within the given times."""

    log: MatchLog
    link: Peripheral | None = None
    fails_from_ms: int = -1
    fails_until_ms: int = -1
    states: list[RefereeState] = field(default_factory=list)
    events: list[RefereeEvent] = field(default_factory=list)
    logged: list[int] = field(default_factory=list)
    is_closed: bool = False

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.states.append(state)
        self.events += events
        self.logged.append(self.log.n_events)
        if self.fails_from_ms <= now_ms < self.fails_until_ms:
            raise ConnectionError("The strip is unplugged; plug it in.")

    def close(self) -> None:
        self.is_closed = True


@dataclass
class FullDisk:
    """A log whose disk is full for `full_for` batches after `full_after` batches."""

    log: MatchLog
    full_after: int  # batches
    full_for: int
    asked: int = 0
    refused: list[Sequence[RefereeEvent]] = field(default_factory=list)

    def append(self, events: tuple[RefereeEvent, ...], pictures: tuple[EvidencePicture, ...]) -> int:
        self.asked += 1
        if self.full_after < self.asked <= self.full_after + self.full_for:
            self.refused.append(events)
            raise StorageError(self.log.path, "the disk is full")
        return self.log.append(events, pictures)


def played(turns: int = 4) -> SimulatedTable[Observation]:
    """The beginning of a game, as a perfect reader sees it."""
    plan = BoardPlan()
    return SimulatedTable(film("hypergammon", 3, turns=turns), plan, Observer(plan, 3))


def begun(log: MatchLog) -> RefereeState:
    state, events = begin_match(TABLE, 0)
    log.append(events)
    return state


@pytest.fixture
def log(tmp_path: Path) -> Iterator[MatchLog]:
    with create_match(tmp_path / "a.zmatch", TABLE.game) as opened:
        yield opened


def refereed(inputs: Iterator[Input], log: MatchLog, *sinks: Sink, disk: FullDisk | None = None) -> RefereeState:
    state = begun(log)
    return referee_match(inputs, TABLE, disk or log, sinks, processor=VideoProcessor(calibration_for()), state=state)


def test_the_log_tells_the_state(log: MatchLog) -> None:
    """After four turns, the log played back gives the final state of the loop; the log is intact."""
    simulated = played()
    shown = Shown(log)
    state = refereed(simulated.inputs(), log, shown, simulated)
    assert state.game.turns.white + state.game.turns.black == 4
    events = read_match(log.path).events
    assert without_perception(replay_events(events)) == without_perception(state)
    assert isinstance(events[0], MatchStarted)
    assert list(events[1:]) == shown.events
    assert isinstance(verify(log.path), IntactChain)


def test_nothing_is_shown_before_it_is_saved(log: MatchLog) -> None:
    simulated = played(2)
    shown = Shown(log)
    refereed(simulated.inputs(), log, shown, simulated)
    events = read_match(log.path).events
    saved = [without_perception(replay_events(events[:count])) for count in range(len(events) + 1)]
    assert all(
        without_perception(state) == saved[count] for state, count in zip(shown.states, shown.logged, strict=True)
    )


def test_a_full_disk_stops_the_referee_until_there_is_room(log: MatchLog) -> None:
    """The refused batch is tried again, nothing else happens meanwhile, and then the match goes on."""
    simulated = played()
    shown = Shown(log)
    disk = FullDisk(log, full_after=2, full_for=3)
    refereed(simulated.inputs(), log, shown, simulated, disk=disk)
    assert len(disk.refused) == 3
    assert all(batch is disk.refused[0] for batch in disk.refused)
    events = read_match(log.path).events
    back = next(number for number, event in enumerate(events) if isinstance(event, StorageBack))
    assert list(events[back - len(disk.refused[0]) : back]) == list(disk.refused[0])
    assert {state.seen.outages.storage_up for state in shown.states} == {True, False}
    unsaved = [state for state in shown.states if not state.seen.outages.storage_up]
    assert len({without_perception(state) == without_perception(unsaved[0]) for state in unsaved}) == 1
    assert shown.states[-1].seen.outages.storage_up
    assert any(isinstance(event, DiceRolled) for event in events[back:])
    assert isinstance(verify(log.path), IntactChain)


def test_a_camera_that_is_lost_while_the_disk_is_full_is_reported_when_there_is_room(log: MatchLog) -> None:
    disk = FullDisk(log, full_after=0, full_for=1)
    lost = PeripheralEvent(Peripheral.CAMERA, False, 500, "unplugged")
    state = refereed(iter((EndTurn(), lost, Tick(900), Tick(5_000))), log, disk=disk)
    assert state.phase is Phase.BLIND
    reported = read_match(log.path).events
    assert [type(event) for event in reported[1:]] == [CommandRefused, StorageBack, CameraLost]
    assert without_perception(replay_events(reported)) == without_perception(state)


def test_lights_that_fail_do_not_end_the_match(log: MatchLog) -> None:
    """Lost and back are reported once each, and every turn is refereed."""
    simulated = played()
    lights = Shown(log, link=Peripheral.LIGHTS, fails_from_ms=5_000, fails_until_ms=9_000)
    state = refereed(simulated.inputs(), log, lights, simulated)
    assert state.game.turns.white + state.game.turns.black == 4
    events = read_match(log.path).events
    (lost,) = [event for event in events if isinstance(event, LightsLost)]
    (back,) = [event for event in events if isinstance(event, LightsBack)]
    assert lost.sentence == "The strip is unplugged; plug it in."
    assert 5_000 <= lost.at_ms <= 5_500
    assert 9_000 <= back.at_ms <= 9_500


def test_a_sink_without_a_link_fails_in_silence(log: MatchLog) -> None:
    simulated = played(2)
    refereed(simulated.inputs(), log, Shown(log, fails_from_ms=0, fails_until_ms=100_000), simulated)
    assert not any(isinstance(event, LightsLost) for event in read_match(log.path).events)


def test_pictures_of_another_camera_are_blindness(log: MatchLog) -> None:
    """A camera that sends pictures of another size is reported as lost, with the reason; right pictures bring it back."""
    wrong = np.zeros((480, 480, 3), np.uint8)
    frames = (Frame(wrong if 3 <= number < 6 else board(), 100 * number) for number in range(10))
    refereed(iter(frames), log)
    reported = [event for event in read_match(log.path).events if isinstance(event, CameraLost | CameraBack)]
    assert [type(event) for event in reported] == [CameraLost, CameraBack]
    assert isinstance(reported[0], CameraLost)
    assert "480x480" in reported[0].sentence
    assert [event.at_ms for event in reported] == [300, 600]


def interrupted(inputs: Iterator[Input], after: int) -> Iterator[Input]:
    for number, given in enumerate(inputs):
        if number == after:
            raise KeyboardInterrupt
        yield given


def test_the_sinks_close_when_the_match_is_interrupted(log: MatchLog) -> None:
    """Ctrl-C in the middle: the lights are closed, and the log so far is intact."""
    lights = Shown(log, link=Peripheral.LIGHTS)
    with pytest.raises(KeyboardInterrupt):
        refereed(interrupted(played(2).inputs(), 60), log, lights)
    assert lights.is_closed
    assert any(isinstance(event, GameStarted) for event in read_match(log.path).events)
    assert isinstance(verify(log.path), IntactChain)


@pytest.mark.parametrize("late_ms", [0, 40, 1_400])
def test_a_frame_out_of_order_is_passed_over(log: MatchLog, late_ms: int) -> None:
    pixels = board()
    times_ms = (0, 500, 1_000, 1_500, 2_000, 2_000 - late_ms, 2_500)
    refereed(iter([Frame(pixels, at_ms) for at_ms in times_ms]), log)
    reported = read_match(log.path).events
    assert not any(isinstance(event, CameraLost) for event in reported)


def test_a_clock_that_goes_back_is_a_camera_that_sees_nothing(log: MatchLog) -> None:
    """A minute back: it is reported as lost, not waited for in silence."""
    pixels = board()
    times_ms = (60_000, 60_500, 61_000, 1_000, 1_500)
    refereed(iter([Frame(pixels, at_ms) for at_ms in times_ms]), log)
    assert any(isinstance(event, CameraLost) for event in read_match(log.path).events)
