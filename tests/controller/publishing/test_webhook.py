import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from controller.publishing import webhook
from controller.publishing.errors import SendingError
from controller.publishing.messages import EventMessage
from controller.publishing.receivers import check_webhook
from controller.publishing.webhook import WebhookSender
from tests.controller.publishing.broker import free_port, make_certificate, needs_openssl, wait_for
from tests.controller.publishing.conftest import Begin
from tests.controller.publishing.http_receiver import Receiver, receiver
from tests.controller.publishing.published_match import settings_of

pytestmark = pytest.mark.broad

SECRET = "a-secret-of-the-club"  # noqa: S105 - it opens nothing
EVENT = EventMessage("m", 7, '{"number":7}')


@pytest.fixture
def server() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "webhook-secret"
    file.write_text(f"{SECRET}\n")
    file.chmod(0o600)
    return file


def to(url: str, secret: Path, *more: str) -> str:
    return "\n".join(("[webhook]", f'url = "{url}"', f'secret_file = "{secret}"', *more))


def numbers(bodies: list[bytes]) -> list[int]:
    return [json.loads(body)["number"] for body in bodies]


def test_each_event_is_posted_once_and_signed(server: Receiver, secret: Path, begin: Begin) -> None:
    match = begin(to(server.url, secret))
    match.refuse(30)
    wait_for(lambda: len(server.bodies) == match.log.n_events)
    assert numbers(server.bodies) == list(range(1, match.log.n_events + 1))
    signatures = [f"sha256={hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()}" for body in server.bodies]
    assert [headers["Zarbiter-Signature"] for headers in server.headers] == signatures
    assert {headers["Content-Type"] for headers in server.headers} == {"application/json"}
    assert set(server.paths) == {"/events?key=from-the-address"}
    first = json.loads(server.bodies[0])
    assert (first["table"], first["match"], first["event"]["event"]) == ("Table 3", match.log.path.stem, "MatchStarted")


def test_a_server_that_fails_hangs_and_comes_back_loses_nothing(
    secret: Path, begin: Begin, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each event is confirmed once, in order; one that was not confirmed is posted again before any later one."""
    monkeypatch.setattr(webhook, "ANSWER_WITHIN_S", 0.3)
    port = free_port()
    match = begin(to(f"http://127.0.0.1:{port}/events", secret))
    match.refuse(5)
    wait_for(lambda: "takes no connection" in caplog.text)
    with receiver(port=port) as server:
        server.answers = [500, 204, None, 503, 204]
        match.refuse(10)
        wait_for(lambda: len(server.confirmed) == match.log.n_events)
        assert numbers(server.confirmed) == list(range(1, match.log.n_events + 1))
        assert numbers(server.bodies)[:5] == [1, 1, 2, 2, 2]
    match.refuse(4)
    wait_for(lambda: caplog.text.count("takes no connection") == 2)
    with receiver(port=port) as server:
        wait_for(lambda: len(server.confirmed) == 4)
        assert numbers(server.confirmed)[-1] == match.log.n_events
    assert "does not answer in time" in caplog.text
    assert "answers again" in caplog.text


def test_a_server_that_hangs_never_holds_up_the_match(server: Receiver, secret: Path, begin: Begin) -> None:
    """It takes the connection and is silent; the match hands each state over within a moment."""
    server.answers = [None] * 99
    match = begin(to(server.url, secret))
    wait_for(lambda: server.bodies)
    match.refuse(60)
    assert median(match.held_up_s) < 0.002
    assert max(match.held_up_s) < webhook.ANSWER_WITHIN_S / 4


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (401, "refuses the signature (401); see that it knows the secret in [webhook] secret_file"),
        (302, "names another address (302), which is not followed; write that one into [webhook] url"),
        (404, "takes no events at this address (404); correct [webhook] url"),
        (500, "does not take the event (it answers 500); see its own log"),
    ],
)
def test_what_the_answer_means(server: Receiver, status: int, sentence: str) -> None:
    """The sentence names the machine, and neither the rest of the address nor the secret."""
    server.answers = [status]
    with pytest.raises(SendingError) as raised:
        WebhookSender(server.url, SECRET.encode()).send(EVENT)
    assert str(raised.value) == f"the webhook at 127.0.0.1:{server.port} {sentence}"
    assert len(server.bodies) == 1


def test_no_name_of_a_machine() -> None:
    """Python raises a ValueError for it, before anything is asked."""
    with pytest.raises(SendingError, match=r"the webhook at a\.\.b is a machine that nobody here knows; correct"):
        WebhookSender("http://a..b/", SECRET.encode()).send(EVENT)


def test_a_server_that_drips_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time and the answer never does."""
    monkeypatch.setattr(webhook, "ANSWER_WITHIN_S", 0.4)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        is_over = threading.Event()

        def drip() -> None:
            taken, _ = listening.accept()
            with taken:
                while not is_over.wait(0.05):
                    try:
                        taken.sendall(b"H")
                    except OSError:
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        sender = WebhookSender(f"http://127.0.0.1:{listening.getsockname()[1]}/", SECRET.encode())
        with pytest.raises(SendingError, match="does not answer in time; see whether it runs and is reached from here"):
            sender.send(EVENT)
        is_over.set()
        thread.join()


@needs_openssl
def test_a_certificate_that_is_refused(tmp_path: Path, secret: Path) -> None:
    certificate = make_certificate(tmp_path)
    with receiver(certificate) as server:
        url = server.url.replace("http:", "https:")
        with pytest.raises(
            SendingError, match=r"has a certificate that is not accepted .*; see the clock of this machine"
        ):
            check_webhook(settings_of(to(url, secret)).webhook)
        accepted = settings_of(to(url, secret, f'ca = "{certificate[0]}"')).webhook
        assert check_webhook(accepted) == f"the webhook at 127.0.0.1:{server.port}"
        assert server.bodies == []


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ((0o644, b"x\n"), "others may read the secret in {file}; run chmod 600 on it; nothing is sent there"),
        ((0o600, b"\n"), "{file} has an empty first line; write the secret into it; nothing is sent there"),
        ((0o600, b"\xff\xfe"), "{file} is no text; write the secret into its first line; nothing is sent there"),
        (
            None,
            "the secret {file} cannot be read (No such file or directory); name its file; nothing is sent there",
        ),
    ],
)
def test_a_secret_that_cannot_be_used(
    tmp_path: Path, begin: Begin, caplog: pytest.LogCaptureFixture, written: tuple[int, bytes] | None, sentence: str
) -> None:
    """The match goes on without the webhook."""
    file = tmp_path / "webhook-secret"
    if written is not None:
        file.write_bytes(written[1])
        file.chmod(written[0])
    begin(to("https://club.example/", file)).refuse(1)
    assert sentence.format(file=file) in caplog.text


def test_nobody_reads_the_secret(
    server: Receiver, secret: Path, begin: Begin, caplog: pytest.LogCaptureFixture
) -> None:
    """Not in what is said, and not in a report's settings either, whose address ends with the machine."""
    from controller.subcommands.report import _without_secrets

    server.answers = [401] * 3
    match = begin(to(server.url, secret))
    match.refuse(2)
    wait_for(lambda: "refuses the signature" in caplog.text)
    assert SECRET not in caplog.text
    assert "from-the-address" not in caplog.text
    kept = _without_secrets({"webhook": {"url": "https://club.example/x/T0ken?key=1", "secret_file": "s"}})
    assert kept == {"webhook": {"url": "https://club.example", "secret_file": "left out"}}
