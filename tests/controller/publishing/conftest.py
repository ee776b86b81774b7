"""Receivers that come back are found again within a moment, and what a test began ends with it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.publishing import follower
from tests.controller.publishing.broker import Mosquitto, Subscriber
from tests.controller.publishing.published_match import PublishedMatch, settings_of


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The waits of the product are for people and networks."""
    monkeypatch.setattr(follower, "FIRST_WAIT_S", 0.05)
    monkeypatch.setattr(follower, "LONGEST_WAIT_S", 0.1)
    monkeypatch.setattr(follower, "INTERVAL_S", 0.01)
    monkeypatch.setattr(follower, "PAUSE_S", 0.01)
    monkeypatch.setattr(follower, "IDLE_S", 0.05)
    monkeypatch.setattr(follower, "LAST_WORDS_S", 0.5)


Begin = Callable[..., PublishedMatch]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Begins a match with a settings text, in a data folder of its own unless one is given."""
    begun: list[PublishedMatch] = []

    def begin_one(text: str, data: Path | None = None, table: str = "Table 3", **config: object) -> PublishedMatch:
        begun.append(PublishedMatch.begun(settings_of(text, table), data or tmp_path / "data", **config))  # type: ignore[arg-type]
        return begun[-1]

    yield begin_one
    for match in begun:
        match.close()


Start = Callable[..., Mosquitto]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a broker with these lines in its settings."""
    started: list[Mosquitto] = []

    def start_one(*lines: str) -> Mosquitto:
        started.append(Mosquitto(tmp_path, lines or ("allow_anonymous true",)))
        return started[-1].start()

    yield start_one
    for broker in started:
        broker.kill()


@pytest.fixture
def broker(start: Start) -> Mosquitto:
    """A running broker that forgets everything when it is killed."""
    return start()


@pytest.fixture
def listener(broker: Mosquitto) -> Iterator[Subscriber]:
    found = Subscriber(broker.port, is_lasting=False).start()
    yield found
    found.stop()
