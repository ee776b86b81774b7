"""The phone's page over https: who may send, what is refused, and the certificate that a phone may be told to trust."""

import json
import ssl
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.web.address import LOOPBACK, Address
from controller.web.phone import certificate
from controller.web.phone.certificate import make_certificate
from controller.web.phone.door import PhoneDoor
from controller.web.phone.handlers import MOST_FRAME_BYTES
from controller.web.server import PageServer
from tests.controller.web.shown_match import OPERATOR, TOKEN, ShownMatch
from tests.controller.web.test_server import asked
from vision.camera.phone import open_phone
from vision.errors import CaptureError, CaptureLibraryError
from vision.frame import Condition, FrameSource

NAMES = frozenset({"localhost", LOOPBACK, "board", "board.local", "192.168.1.7"})
JPEG = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8))[1].tobytes()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PageServer]:
    door = PhoneDoor(tmp_path, port=0)
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN, door=door)) as opened:
        opened.show_match(ShownMatch.begun().live)
        yield opened


@pytest.fixture
def source(server: PageServer) -> Iterator[FrameSource]:
    """The phone as a source, which opens the door."""
    assert server.door is not None
    assert server.door.link == ""
    with open_phone(server.door.inbox) as opened:
        yield opened


def sent(
    server: PageServer, method: str, path: str, body: bytes | None = None, /, **headers: str
) -> tuple[int, dict[str, Any]]:
    """Status and answer of a client that trusts the authority of this machine and checks the name."""
    door = server.door
    assert door is not None
    port = int(door.link.partition("#")[0].rstrip("/").rpartition(":")[2])
    context = ssl.create_default_context(cafile=str(door._data / "phone" / "phone-authority.pem"))
    with closing(HTTPSConnection(LOOPBACK, port, timeout=20, context=context)) as connection:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        content = answer.read()
        found = json.loads(content) if content.startswith(b"{") else {"headers": dict(answer.headers), "body": content}
        return answer.status, found


def picture(server: PageServer, body: bytes = JPEG, /, **headers: str) -> tuple[int, dict[str, Any]]:
    return sent(server, "POST", "/api/phone/pictures", body, **headers)


def test_a_picture_comes_through_and_is_answered_when_it_was_taken(server: PageServer, source: FrameSource) -> None:
    """The answer says how soon the next one is of use."""
    taken = []
    reading = threading.Thread(target=lambda: taken.append(source.latest(10_000)))
    reading.start()
    status, answer = picture(server, **OPERATOR)
    reading.join()
    assert (status, answer) == (200, {"is_wanted": True, "interval_ms": 67})
    assert taken[0] is not None
    assert taken[0].pixels.shape == (48, 64, 3)
    assert source.state.condition is Condition.LIVE


def test_only_the_token_may_send(server: PageServer, source: FrameSource) -> None:
    """Nothing of what others send is decoded or shown, and the link with the token is the operator's."""
    assert picture(server)[0] == 401
    assert picture(server, Authorization="Bearer wrong")[0] == 401
    assert picture(server, **OPERATOR, Origin="https://evil.example")[0] == 403
    assert picture(server, **OPERATOR, Host="evil.example")[0] == 421
    assert source.latest(0) is None
    assert asked(server, "/api/phone")[0] == 200
    with closing(PageServer(Address(LOOPBACK, 0), "another-token-of-16", door=PhoneDoor(Path("nowhere")))) as other:
        other.show_match(ShownMatch.begun().live)
        assert asked(other, "/api/phone")[0] == 401


def test_what_is_no_picture_is_refused(server: PageServer, source: FrameSource) -> None:
    status, answer = picture(server, b"<html>", **OPERATOR)
    assert (status, answer["said"]["key"]) == (422, "refusal.no-picture")
    at = JPEG.index(b"\xff\xc0") + 5
    assert picture(server, JPEG[:at] + b"\xea\x60\xea\x60" + JPEG[at + 4 :], **OPERATOR)[0] == 422
    assert picture(server, JPEG + bytes(MOST_FRAME_BYTES), **OPERATOR)[0] == 413
    assert source.latest(0) is None


def test_one_phone_at_a_time(server: PageServer, source: FrameSource) -> None:
    assert picture(server, **OPERATOR, X_Phone="one")[0] == 200
    status, answer = picture(server, **OPERATOR, X_Phone="two")
    assert (status, answer["said"]["key"]) == (409, "refusal.other-phone")
    assert source.latest(0) is not None


def test_a_phone_without_a_match_is_told_to_wait(server: PageServer, source: FrameSource) -> None:
    source.close()
    assert picture(server, **OPERATOR) == (200, {"is_wanted": False, "interval_ms": 1_000})


def test_the_door_serves_this_page_and_nothing_of_the_match(server: PageServer, source: FrameSource) -> None:
    """The page may open the camera, which no other page of this machine may."""
    status, page = sent(server, "GET", "/")
    assert status == 200
    assert page["headers"]["permissions-policy"].startswith("camera=(self)")
    for path in ("/api/state", "/api/live", "/api/settings", "/api/camera", "/calibrate"):
        assert sent(server, "GET", path, **OPERATOR)[0] == 404, path
    status, authority = sent(server, "GET", "/zarbiter-camera.crt")
    assert (status, authority["headers"]["content-type"]) == (200, "application/x-x509-ca-cert")
    assert authority["body"].startswith(b"-----BEGIN CERTIFICATE-----")
    assert b"PRIVATE KEY" not in authority["body"]
    link = json.loads(asked(server, "/api/phone")[1])
    assert server.door is not None
    assert (link["link"], link["is_reachable"]) == (server.door.link, False)
    assert {*"".join(link["qr"])} == {"0", "1"}
    assert source.state.condition is Condition.OPENING


def test_the_door_closes_with_the_page(server: PageServer, source: FrameSource) -> None:
    door = server.door
    assert door is not None
    assert door.link
    server.close()
    assert not door.link
    door.open()
    assert not door.link
    assert source.latest(0) is None


class TestCertificate:
    def test_it_stays_as_long_as_it_fits_and_the_authority_longer(self, tmp_path: Path) -> None:
        """A phone that was told to trust it is not asked again when the machine gets another address."""
        first = make_certificate(tmp_path, NAMES)
        page, authority = first.file.read_bytes(), first.authority.read_bytes()
        assert make_certificate(tmp_path, NAMES).file.read_bytes() == page
        make_certificate(tmp_path, NAMES | {"192.168.1.8"})
        assert first.file.read_bytes() != page
        assert first.authority.read_bytes() == authority
        make_certificate(
            tmp_path, NAMES | {"203.0.113.5"}
        )  # no address of a local network: one that the authority names
        assert first.authority.read_bytes() != authority
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        assert set(modes.values()) == {0o600}

    def test_a_power_cut_on_the_way_is_made_good(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Between certificate and key: those of two times do not belong together, and no server starts with them."""
        made = make_certificate(tmp_path, NAMES)

        def cut(file: Path, content: bytes) -> None:
            if file == made.key:
                raise KeyboardInterrupt
            file.write_bytes(content)

        with monkeypatch.context() as patch:
            patch.setattr(certificate, "_RENEW_BEFORE_S", 10**9)
            patch.setattr(certificate, "write_private", cut)
            with pytest.raises(KeyboardInterrupt):
                make_certificate(tmp_path, NAMES)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with pytest.raises(ssl.SSLError):
            context.load_cert_chain(made.file, made.key)
        make_certificate(tmp_path, NAMES)
        context.load_cert_chain(made.file, made.key)

    def test_names_that_are_none_are_left_out(self, tmp_path: Path) -> None:
        """The name of a machine goes into a file for openssl."""
        made = make_certificate(tmp_path, NAMES | {"0.0.0.0", "a b", "x\n[page]\nCA=TRUE", "-out"})  # noqa: S104
        assert made.file.with_suffix(".names").read_text(encoding="ascii").split() == sorted(NAMES)

    def test_without_openssl_the_remedy_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("shutil.which", lambda _: None)
        with pytest.raises(
            CaptureLibraryError,
            match="The certificate of the phone's page needs openssl, which is not installed; install it: apt install openssl",
        ):
            make_certificate(tmp_path, NAMES)

    def test_a_folder_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "phone").write_bytes(b"")
        with pytest.raises(CaptureError, match=r"gets no certificate for its page \(.*\); free space in "):
            make_certificate(tmp_path / "phone", NAMES)
