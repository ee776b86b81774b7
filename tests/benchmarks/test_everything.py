"""The benchmarks of what stands around the referee: what they count, and that a missed bar is reported."""

from pathlib import Path

import numpy as np
import pytest

from controller.settings import Settings
from tests.benchmarks import archive_rate, everything, hall
from tests.benchmarks.archive_rate import Rate
from tests.benchmarks.everything import Meter, Run
from tests.benchmarks.hall import HallFigures, Waits
from tests.benchmarks.receivers import Arrived, Ports
from tests.controller.publishing.published_match import settings_of
from vision.frame import Frame


def run(frame_ms: float, mb: float = 200.0) -> Run:
    return Run((frame_ms,) * 20, (frame_ms,) * 20, frame_ms, mb)


@pytest.mark.parametrize(("with_ms", "is_kept"), [(10.4, True), (10.6, False)])
def test_the_ratio_is_that_of_the_pairs(with_ms: float, is_kept: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """One pair that a busy machine disturbed decides nothing."""
    pairs = [(run(10.0), run(with_ms))] * 4 + [(run(10.0), run(30.0))]
    assert everything.print_pairs(pairs) is is_kept
    assert (
        f" {with_ms / 10:.3f}  ({with_ms / 10:.3f} to 3.000)  bar 1.05: {'kept' if is_kept else 'MISSED'}"
        in capsys.readouterr().out
    )


def test_the_memory_has_a_bar() -> None:
    assert everything.print_memory([200.0, 204.0], [240.0, 241.0])
    assert not everything.print_memory([200.0, 204.0], [243.0, 246.0])


def test_a_frame_comes_at_its_time_and_is_timed() -> None:
    """What the loop does with a command counts for no frame."""
    meter, pixels = Meter(), np.zeros((2, 2, 3), np.uint8)
    given = [Frame(pixels, 0), "a command", Frame(pixels, 20)]
    assert list(meter.timed(given)) == given
    assert len(meter.wall_ms) == len(meter.thread_ms) == 2
    assert 0 <= meter.own_s < 1


def test_every_receiver_is_in_the_settings(tmp_path: Path) -> None:
    settings: Settings = settings_of(Ports(1883, 8000, 4455).settings(tmp_path))
    assert (settings.mqtt.port, settings.obs.port) == (1883, 4455)
    assert settings.webhook.url == "http://127.0.0.1:8000/events"
    assert settings.mqtt.pictures


def test_a_receiver_that_got_nothing_is_named() -> None:
    assert Arrived({"posts": 3, "scenes": 0}).missing() == ["scenes"]


def test_a_later_state_stands_for_those_before_it() -> None:
    waits = Waits()
    for number in (1, 2, 3):
        waits.send("Table-1", number, float(number))
    waits.see("Table-1", 2, 2.5)
    waits.see("Table-2", 9, 9.0)
    assert waits.took_s == [1.5, 0.5]
    assert waits.lost() == 1


@pytest.mark.parametrize(
    ("core", "most_mb", "update_s", "code"),
    [(0.05, 92, 0.3, 0), (0.3, 92, 0.3, 1), (0.05, 160, 0.3, 1), (0.05, 92, 1.2, 1), (0.05, 92, None, 1)],
)
def test_a_bar_of_the_hall_that_is_missed(core: float, most_mb: float, update_s: float | None, code: int) -> None:
    states = Waits([] if update_s is None else [update_s] * 20)
    assert hall.print_bars(HallFigures(1.0, core, most_mb, states)) == code


def test_growth_is_told_from_the_first_call() -> None:
    one, two = archive_rate.rate_lines([Rate(1, 4, 80.0, 40.0, 38.0, 250), Rate(2, 4, 80.0, 25.0, 40.0, 260)])
    assert "360 films an hour, 1.00 times; 38 s of processors, 2.11 s of film a second; 250 MB a worker" in one
    assert "576 films an hour, 1.60 times" in two
