"""Scenes in OBS, at a server that speaks obs-websocket 5 (`obs_server.py`)."""

import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

import pytest

from controller.match_log import matches_folder
from controller.publishing import obs
from controller.publishing.connecting import Password
from controller.publishing.errors import SendingError
from controller.publishing.follower import Audience, FollowedMatch, Follower
from controller.publishing.followers import follow_obs
from controller.publishing.obs import Obs, ObsSender, answer_challenge
from controller.publishing.positions import NoEvents
from controller.publishing.receivers import check_obs
from controller.publishing.scenes import Occasion, SceneChoice
from controller.refereeing.state import Phase, RefereeState
from controller.web.match.live_match import Snapshot
from controller.web.match.visibility import Viewer
from tests.controller.publishing.broker import free_port, wait_for
from tests.controller.publishing.conftest import Begin
from tests.controller.publishing.http_receiver import receiver
from tests.controller.publishing.obs_server import ObsServer
from tests.controller.publishing.published_match import CONFIG, PublishedMatch, settings_of

pytest.importorskip("websocket", reason="the extra obs is not installed")
pytestmark = pytest.mark.broad

PASSWORD = "a-password-of-the-stream"  # noqa: S105 - it opens nothing
SCENES = ('throw = "Dice"', 'play = "Board"')


@pytest.fixture
def server() -> Iterator[ObsServer]:
    found = ObsServer(PASSWORD).start()
    yield found
    found.kill()


@pytest.fixture
def password(tmp_path: Path) -> Path:
    return written(tmp_path, PASSWORD)


def written(folder: Path, password: str) -> Path:
    file = folder / "obs-password"
    file.write_text(f"{password}\n")
    file.chmod(0o600)
    return file


def to(port: int, password: Path | None, *scenes: str) -> str:
    secret = [] if password is None else [f'password_file = "{password}"']
    return "\n".join(("[obs]", 'host = "127.0.0.1"', f"port = {port}", *secret, "[obs.scenes]", *(scenes or SCENES)))


def come_to(match: PublishedMatch, phase: Phase) -> None:
    match.state = replace(match.state, phase=phase)
    match.happen()


def _has_changed(server: ObsServer, n_changes: int) -> bool:
    return len(server.shown) == n_changes


def test_the_scene_follows_the_match(server: ObsServer, password: Path, begin: Begin) -> None:
    """Each change once; the match waits for none."""
    match = begin(to(server.port, password))
    for n_changes, phase in enumerate((Phase.AWAIT_ROLL, Phase.PLAYING, Phase.AWAIT_ROLL), 1):
        come_to(match, phase)
        wait_for(partial(_has_changed, server, n_changes))
    assert server.shown == ["Dice", "Board", "Dice"]
    assert set(server.asked) == {"GetSceneList", "SetCurrentProgramScene"}
    assert median(match.held_up_s) < 0.002


def test_a_wrong_password(server: ObsServer, tmp_path: Path, begin: Begin, caplog: pytest.LogCaptureFixture) -> None:
    """It is said once, with the remedy and without the password."""
    begin(to(server.port, written(tmp_path, "another-password")))
    wait_for(lambda: len(server.texts) > 1)
    assert caplog.text.count("refuses the password; write the one of OBS, Tools, WebSocket Server Settings into") == 1
    assert "another-password" not in caplog.text
    assert server.asked == []


def test_a_password_that_is_not_given(server: ObsServer) -> None:
    with pytest.raises(SendingError, match=r"asks for a password; write it into a file and name that as \[obs\] pass"):
        check_obs(settings_of(to(server.port, None)).obs)


def test_a_scene_that_is_missing_holds_up_no_other(
    server: ObsServer, password: Path, begin: Begin, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said once, at the beginning, and found as soon as somebody adds it."""
    monkeypatch.setattr(obs, "ASK_AGAIN_S", 0.02)
    match = begin(to(server.port, password, *SCENES, 'dispute = "Jury"'))
    come_to(match, Phase.PLAYING)
    wait_for(lambda: server.shown == ["Board"])
    come_to(match, Phase.DISPUTE)
    asked = len(server.asked)
    wait_for(lambda: len(server.asked) > asked + 2)
    sentence = "has no scene “Jury”; add it there, or correct the name below [obs.scenes]"
    assert caplog.text.count(sentence) == 1
    server.scenes.append("Jury")
    wait_for(lambda: server.shown == ["Board", "Jury"])
    server.scenes = []
    with pytest.raises(SendingError, match="has no scene “Dice”, “Board”"):
        check_obs(settings_of(to(server.port, password)).obs)


def test_a_scene_that_somebody_takes_away_in_the_middle(server: ObsServer, password: Path, begin: Begin) -> None:
    match = begin(to(server.port, password))
    come_to(match, Phase.PLAYING)
    wait_for(lambda: server.shown == ["Board"])
    server.scenes = ["Board"]
    come_to(match, Phase.AWAIT_ROLL)
    wait_for(lambda: server.asked.count("GetSceneList") > 1)
    come_to(match, Phase.PLAYING)
    time.sleep(0.05)
    assert server.shown == ["Board"]  # which is shown still


def test_obs_goes_and_comes_back(
    server: ObsServer, password: Path, begin: Begin, caplog: pytest.LogCaptureFixture
) -> None:
    """It gets the present scene alone, also if it was restarted with another one."""
    match = begin(to(server.port, password))
    come_to(match, Phase.PLAYING)
    wait_for(lambda: server.shown == ["Board"])
    server.kill()
    wait_for(lambda: "takes no connection; see whether it runs, and at which port; its scene stays" in caplog.text)
    for phase in (Phase.AWAIT_ROLL, Phase.PLAYING, Phase.AWAIT_ROLL):
        come_to(match, phase)
    server.start()
    wait_for(lambda: server.shown == ["Board", "Dice"])
    wait_for(lambda: "answers again" in caplog.text)
    assert max(match.held_up_s) < 0.1


def test_obs_that_answers_nothing(
    server: ObsServer, password: Path, begin: Begin, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(obs, "ANSWER_WITHIN_S", 0.1)
    server.is_silent = True
    match = begin(to(server.port, password))
    wait_for(lambda: "does not answer in time; see whether it runs and is reached from here" in caplog.text)
    come_to(match, Phase.PLAYING)
    server.is_silent = False
    wait_for(lambda: server.shown == ["Board"])


@pytest.mark.parametrize(
    "greeting",
    [
        {"authentication": {"challenge": 3}},
        {"padding": "x" * 2_000_000},
    ],
)
def test_who_is_no_obs_is_not_followed(greeting: dict[str, object], server: ObsServer, password: Path) -> None:
    """Neither what is no challenge nor a flood is taken."""
    server.greeting = greeting
    with pytest.raises(SendingError, match="does not speak obs-websocket 5; see host and port, and whether OBS is 28"):
        check_obs(settings_of(to(server.port, password)).obs)


def test_a_flood_that_nobody_asked_for_ends_the_connection(server: ObsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    sender = ObsSender(Obs("127.0.0.1", server.port, Password(PASSWORD)), ("Board",))
    monkeypatch.setattr(obs, "_MOST_BYTES", 10_000)
    sender.open()
    server.flood(b"\x81\x02{}" * 3_000)
    with pytest.raises(SendingError, match="does not speak obs-websocket 5"):
        sender.open()


def test_what_else_may_listen_there(password: Path) -> None:
    with receiver() as server, pytest.raises(SendingError, match="does not speak obs-websocket 5"):
        check_obs(settings_of(to(server.port, password)).obs)
    with pytest.raises(SendingError, match="takes no connection"):
        check_obs(settings_of(to(free_port(), password)).obs)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.MonkeyPatch.context() as patch:
        patch.setattr(obs, "ANSWER_WITHIN_S", 0.05)
        with pytest.raises(SendingError, match="does not answer in time"):
            check_obs(settings_of(to(silent.getsockname()[1], password)).obs)


def test_doctor_changes_no_scene(server: ObsServer, password: Path) -> None:
    assert check_obs(settings_of(to(server.port, password)).obs) == f"OBS at 127.0.0.1:{server.port}"
    assert server.shown == []


def test_the_scene_is_as_late_as_spectators_are(server: ObsServer, tmp_path: Path) -> None:
    sender = ObsSender(Obs("127.0.0.1", server.port, Password(PASSWORD)), ("Board",))
    audience = Audience("A", Viewer.SPECTATOR, 0.3)
    choice = SceneChoice({Occasion.PLAY: "Board"})
    follower, begun_s = (
        Follower(sender, NoEvents(), matches_folder(tmp_path), audience, states=choice),
        time.monotonic(),
    )
    follower.start()
    follower.follow(FollowedMatch(tmp_path / "m", CONFIG, Snapshot(RefereeState(Phase.PLAYING), 0, 3)))
    wait_for(lambda: server.shown)
    follower.close()
    assert time.monotonic() - begun_s > 0.3
    settings = settings_of(to(server.port, None), 'A"\nspectator_delay = "60s')
    found = follow_obs(settings, "A", tmp_path)
    assert found is not None
    assert found._delay_s == 60


def test_without_the_extra(begin: Begin, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match goes on."""
    monkeypatch.setattr(obs, "find_spec", lambda _: None)
    come_to(begin(to(4455, None)), Phase.PLAYING)
    assert f"{obs.MISSING}; nothing is sent there" in caplog.text


def test_the_answer_to_a_challenge_is_that_of_the_protocol() -> None:
    """The example of its document."""
    salt, challenge = "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI=", "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY="
    assert answer_challenge("supersecretpassword", salt, challenge) == "1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4="
