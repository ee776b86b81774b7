import errno
import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ClassVar
from unittest.mock import Mock

import pytest

from controller.match_log import matches_folder, new_match
from controller.match_log.replay import read_events_after
from controller.publishing import messages, positions
from controller.publishing.errors import SendingError
from controller.publishing.follower import Audience, FollowedMatch, Follower
from controller.publishing.messages import EventMessage, topic_name
from controller.publishing.positions import SentPositions
from controller.publishing.publisher import open_publisher
from controller.refereeing.state import RefereeState
from controller.settings.atomic_file import write_atomically
from controller.web.match.live_match import Snapshot
from controller.web.match.visibility import Viewer
from controller.web.set_up.program_control import FaultKind, Receiver, ReceiverFault
from tests.controller.match_log.match_files import STARTED, numbered, spoil
from tests.controller.publishing.broker import free_port, wait_for
from tests.controller.publishing.http_receiver import receiver
from tests.controller.publishing.published_match import CONFIG, settings_of


@dataclass(slots=True)
class MemoryReceiver:
    """Takes what it is given, and fails as often as `failures` says."""

    receiver: ClassVar[Receiver] = Receiver.WEBHOOK
    name: str = "the receiver"
    place: str = "club.example"
    failures: int = 0
    is_away: bool = False
    got: list[tuple[str, int]] = field(default_factory=list)
    unforeseen: list[str] = field(default_factory=list)  # of its methods, each of which fails that often

    def open(self) -> None:
        self._fail("open")
        if self.is_away:
            raise SendingError("it is away; wait")

    def _fail(self, method: str) -> None:
        if method in self.unforeseen:
            self.unforeseen.remove(method)
            raise KeyError("a secret")

    def send(self, message: EventMessage) -> None:
        if message.number % 7 == 0:
            self._fail("send")
        if self.failures:
            self.failures -= 1
            raise SendingError("it is away; wait")
        self.got.append((message.match, message.number))

    def show(self, text: str, shown: str) -> None:
        pass

    def close(self) -> None:
        self._fail("close")


@dataclass(slots=True)
class Following:
    """A follower of the matches in a folder, and what its receiver got."""

    data: Path
    receiver: MemoryReceiver
    follower: Follower

    @classmethod
    def begun(cls, data: Path, failures: int = 0, delay_s: float = 0.0) -> "Following":
        receiver = MemoryReceiver(failures=failures)
        positions = SentPositions(data / "published" / "receiver.json")
        return cls(
            data,
            receiver,
            Follower(receiver, positions, matches_folder(data), Audience("A", Viewer.SPECTATOR, delay_s)),
        )

    def play(self, path: Path, n_events: int) -> None:
        playing = FollowedMatch(path, CONFIG, Snapshot(RefereeState(), 0, n_events))
        self.follower.follow(playing)

    @property
    def file(self) -> Path:
        return self.data / "published" / "receiver.json"


@pytest.fixture
def following(tmp_path: Path) -> Iterator[Following]:
    found = Following.begun(tmp_path)
    yield found
    found.follower.close()


def written(data: Path, count: int, **options: object) -> Path:
    """The file of a match of so many events."""
    with new_match(matches_folder(data), "tavla", (STARTED, *numbered(2, count)), **options) as log:  # type: ignore[arg-type]
        return log.path


def test_the_kept_position_is_private_and_whole(following: Following) -> None:
    """The file is replaced as a whole, so that a power cut leaves the old one or the new one."""
    path = written(following.data, 120)
    following.follower.start()
    following.play(path, 120)
    wait_for(lambda: following.file.is_file() and json.loads(following.file.read_text()) == {path.name: 120})
    assert following.file.stat().st_mode & 0o777 == 0o600
    assert {one.name for one in following.file.parent.iterdir()} == {"receiver.json", "receiver.json.lock"}
    assert following.receiver.got == [(path.stem, number) for number in range(1, 121)]


def test_matches_are_sent_in_their_order_and_a_lost_one_holds_up_none(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One was deleted, one is damaged: the next one is sent all the same, and the damage is said."""
    begun = datetime(2026, 3, 5, 20, tzinfo=UTC)
    paths = [written(tmp_path, 9, clock=lambda hours=hours: begun + timedelta(hours=hours)) for hours in range(4)]
    (tmp_path / "published").mkdir()
    file = tmp_path / "published" / "receiver.json"
    file.write_text(json.dumps({path.name: 3 for path in paths}))
    paths[1].unlink()
    spoil(paths[2], "UPDATE events SET event = 'x' WHERE sequence = 5")
    following = Following.begun(tmp_path)
    following.follower.start()
    wait_for(lambda: len(following.receiver.got) == 12)
    following.follower.close()
    assert following.receiver.got == [(path.stem, number) for path in (paths[0], paths[3]) for number in range(4, 10)]
    assert f"the events of {paths[2].stem} are not sent" in caplog.text
    assert paths[1].name not in json.loads(file.read_text())


def test_the_order_is_that_of_the_log_whatever_the_clock_says(following: Following) -> None:
    """The wall clock goes back by twenty years in the middle of the match."""
    times = iter([datetime(2026, 3, 5, 20, tzinfo=UTC)] * 3 + [datetime(2006, 1, 1, tzinfo=UTC)] * 20)
    following.follower.start()
    with new_match(matches_folder(following.data), "tavla", (STARTED,), clock=lambda: next(times)) as log:
        for number in range(2, 12):
            log.append(numbered(number, number))
            following.play(log.path, number)
        wait_for(lambda: len(following.receiver.got) == 11)
    assert [number for _, number in following.receiver.got] == list(range(1, 12))


@pytest.mark.parametrize("is_over", [False, True])
def test_a_match_during_which_the_receiver_was_away_is_sent_by_the_next_program(
    is_over: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that begins and ends while the receiver is left alone for long."""
    path, following = written(tmp_path, 5), Following.begun(tmp_path)
    following.receiver.is_away = True
    if is_over:
        monkeypatch.setattr("controller.publishing.follower.FIRST_WAIT_S", 60.0)
        monkeypatch.setattr("controller.publishing.follower.LONGEST_WAIT_S", 60.0)
    following.follower.start()
    if is_over:
        wait_for(lambda: following.follower._n_failures)
    following.play(path, 5)
    if not is_over:
        wait_for(following.file.is_file)
    following.follower.close()
    later = Following.begun(tmp_path)
    later.follower.start()
    wait_for(lambda: len(later.receiver.got) == 5)
    later.follower.close()


def test_what_fails_is_said_once_until_it_works_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    path = written(tmp_path, 5)
    following = Following.begun(tmp_path, failures=4)
    following.follower.start()
    following.play(path, 5)
    wait_for(lambda: "the receiver answers again" in caplog.text)
    following.follower.close()
    assert [number for _, number in following.receiver.got] == [1, 2, 3, 4, 5]
    assert caplog.text.count("it is away; wait; events wait in the log and are sent later") == 1


@pytest.mark.parametrize("where", ["open", "send", "close", "read", "keep"])
def test_an_error_that_nobody_foresaw_ends_no_receiver(
    where: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said in one sentence without its text; then everything is sent in order, also of an earlier match."""
    old, new = written(tmp_path, 3, clock=lambda: datetime(2026, 3, 5, tzinfo=UTC)), written(tmp_path, 20)
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "receiver.json").write_text(json.dumps({old.name: 1}))
    following, told = Following.begun(tmp_path), list[ReceiverFault | None]()
    following.receiver.unforeseen = {"close": ["close", "send"]}.get(where, [where, where])
    if where == "read":
        monkeypatch.setattr(messages, "read_events_after", FailsTwice(read_events_after))
    elif where == "keep":
        monkeypatch.setattr(positions, "write_atomically", FailsTwice(write_atomically))
    following.follower.tell = told.append
    following.follower.start()
    following.play(new, 20)
    wait_for(lambda: len(set(following.receiver.got)) == 22 and told[-1:] == [None])
    following.follower.close()
    assert list(dict.fromkeys(following.receiver.got)) == [
        *((old.stem, number) for number in (2, 3)),
        *((new.stem, number) for number in range(1, 21)),
    ]
    assert "it is begun anew, please report it; events wait in the log and are sent later" in caplog.text
    assert "a secret" not in caplog.text
    assert {fault.kind for fault in told if fault is not None} == {FaultKind.AWAY}


@dataclass(slots=True)
class FailsTwice:
    """A function that fails twice as nobody foresees."""

    inner: Callable[..., object]
    n_calls: int = 0

    def __call__(self, *given: object, **named: object) -> object:
        self.n_calls += 1
        if self.n_calls <= 2:
            raise KeyError("a secret")
        return self.inner(*given, **named)


def test_the_page_is_told_which_receiver_is_away(tmp_path: Path) -> None:
    """And of one that cannot begin; once it answers, of none."""
    secret = tmp_path / "secret"
    secret.write_text("x\n")
    secret.chmod(0o600)
    port, shown = free_port(), list[tuple[ReceiverFault, ...]]()
    text = f'[webhook]\nurl = "http://127.0.0.1:{port}/a?key=b"\nsecret_file = "{secret}"\n'
    obs = f'[obs]\nhost = "o"\npassword_file = "{tmp_path}/none"\n[obs.scenes]\nplay = "B"\n'
    publisher = open_publisher(settings_of(text + obs), tmp_path, shown.append)
    path = written(tmp_path, 2)
    publisher.show(path, CONFIG, RefereeState(), 2, 0)
    wait_for(lambda: shown and {fault.receiver for fault in shown[-1]} == {Receiver.WEBHOOK, Receiver.OBS})
    faults = {fault.receiver: fault for fault in shown[-1]}
    assert faults[Receiver.WEBHOOK] == ReceiverFault(
        Receiver.WEBHOOK,
        f"127.0.0.1:{port}",
        FaultKind.AWAY,
        f"the webhook at 127.0.0.1:{port} takes no connection; see whether it runs, and at which port; events wait in the log and are"
        " sent later",
    )
    assert (faults[Receiver.OBS].kind, faults[Receiver.OBS].place) == (FaultKind.WRONG, "")
    with receiver(port=port):
        wait_for(lambda: {fault.receiver for fault in shown[-1]} == {Receiver.OBS})
    publisher.close()


def test_spectators_elsewhere_see_nothing_earlier_than_those_at_the_page(tmp_path: Path) -> None:
    """Neither events of this match nor those that an earlier program left, and the order stays."""
    old, new = written(tmp_path, 3, clock=lambda: datetime(2026, 3, 5, tzinfo=UTC)), written(tmp_path, 40)
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "receiver.json").write_text(json.dumps({old.name: 1}))
    following, begun_s = Following.begun(tmp_path, delay_s=0.5), time.monotonic()
    following.follower.start()
    for number in range(10, 41):
        following.play(new, number)
    time.sleep(0.2)
    following.play(new, 40)
    early, early_s = list(following.receiver.got), time.monotonic()
    assert early == [] or early_s - begun_s > 0.5  # on a busy machine the time may be over
    wait_for(lambda: len(following.receiver.got) == 42)
    assert time.monotonic() - begun_s > 0.5
    following.follower.close()
    assert following.receiver.got == [(old.stem, 2), (old.stem, 3), *((new.stem, number) for number in range(1, 41))]


def test_a_path_is_taken_apart_once(following: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop hands over a state with every frame, and a path costs more than all else in it."""
    path, asked = written(following.data, 3), Mock(return_value=True)
    monkeypatch.setattr(Path, "is_relative_to", asked)
    for _ in range(50):
        following.play(path, 3)
    assert asked.call_count == 1


def test_who_asks_for_a_repetition_gets_nothing_earlier(tmp_path: Path) -> None:
    """Anybody at the broker may ask, also for events of the program before that no spectator has seen yet."""
    path = written(tmp_path, 20)
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "receiver.json").write_text(json.dumps({path.name: 10}))
    following = Following.begun(tmp_path, delay_s=60)
    following.follower.start()
    following.follower.repeat(path.stem, 5)
    wait_for(lambda: following.follower._positions.get(path.name) == 5)
    time.sleep(0.1)
    assert following.receiver.got == []
    following.follower.close()


def test_a_full_disk_holds_up_no_event(
    following: Following, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said once, and the position is kept when there is room."""
    refusing = OSError(errno.ENOSPC, "No space left on device")
    with monkeypatch.context() as full:
        full.setattr(positions, "write_atomically", Mock(side_effect=refusing))
        path = written(following.data, 130)
        following.follower.start()
        following.play(path, 120)
        wait_for(lambda: len(following.receiver.got) == 120)
    assert (
        caplog.text.count("(No space left on device); see to the disk and its folder; after a restart the last events")
        == 1
    )
    following.play(path, 130)
    wait_for(lambda: following.file.is_file() and json.loads(following.file.read_text()) == {path.name: 130})


def test_who_asks_all_the_time_is_answered_now_and_then(following: Following) -> None:
    """The first request is met at once, and those that follow it wait."""
    path = written(following.data, 30)
    following.follower.start()
    following.play(path, 30)
    wait_for(lambda: len(following.receiver.got) == 30)
    following.follower.repeat("another", 0)
    following.follower.repeat(path.stem, 99)
    following.follower.repeat(path.stem, 20)
    wait_for(lambda: len(following.receiver.got) == 40)
    for _ in range(200):
        following.follower.repeat(path.stem, 0)
    following.play(path, 30)
    time.sleep(0.1)
    assert [number for _, number in following.receiver.got] == [*range(1, 31), *range(21, 31)]


@pytest.mark.parametrize("content", ["", "[]", '{"a": "b"}', '{"a": -1}', '{"a": true}', "\0"])
def test_a_damaged_position_sends_the_match_once_more(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Numbers tell the receiver what it has already. Matches before it are not known any more, which is said."""
    path = written(tmp_path, 3)
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "receiver.json").write_text(content)
    following = Following.begun(tmp_path)
    sentence = "is damaged, and what waited of earlier matches is not sent; see the logs of the last matches"
    assert f"{following.file} {sentence}" in caplog.text
    following.follower.start()
    following.play(path, 3)
    wait_for(lambda: len(following.receiver.got) == 3)
    following.follower.close()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "published").write_text("")
    with pytest.raises(SendingError, match=r"receiver\.json cannot be written \(.*\); see to the disk and its folder"):
        Following.begun(tmp_path)


@pytest.mark.parametrize(
    ("table", "topic"),
    [
        ("Table 3", "Table-3"),
        ("میز ۳", "میز-۳"),
        ("a/b+c#d\x1b", "a-b-c-d"),
        ("/#", "table"),
        ("x" * 99, "x" * 64),
        ("$SYS", "SYS"),
        ("..", "table"),
    ],
)
def test_the_name_of_a_table_is_one_level_of_a_topic(table: str, topic: str) -> None:
    assert topic_name(table) == topic
