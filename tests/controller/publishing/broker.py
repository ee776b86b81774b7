"""A real mosquitto of our own on a free port, a subscriber that keeps what it gets, and a certificate for this machine."""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

_SYSTEM = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"
PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path=_SYSTEM)
needs_mosquitto = pytest.mark.skipif(
    PROGRAM is None and "REQUIRE_MOSQUITTO" not in os.environ, reason="mosquitto is not installed"
)
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
_WITHIN_S = 30.0


def wait_for(is_there: Callable[[], object], within_s: float = _WITHIN_S) -> None:
    end_s = time.monotonic() + within_s
    while not is_there():
        assert time.monotonic() < end_s, "it did not happen in time"
        time.sleep(0.005)


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


@dataclass(slots=True)
class Mosquitto:
    """A broker that can be killed and started again. `lines` are added to its settings."""

    folder: Path
    lines: tuple[str, ...] = ("allow_anonymous true",)
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Mosquitto":
        assert PROGRAM is not None
        file = self.folder / "mosquitto.conf"
        file.write_text("\n".join((f"listener {self.port} 127.0.0.1", "user root", *self.lines)))
        self._process = subprocess.Popen(
            (PROGRAM, "-c", str(file)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for(self._answers)
        return self

    def kill(self) -> None:
        """As a power cut does it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hang(self) -> None:
        """It keeps its connections and answers nothing any more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """After it hung."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True


@dataclass(slots=True)
class Subscriber:
    """Gets everything below `zarbiter`, and comes back whenever the broker does."""

    port: int
    is_lasting: bool = True  # the broker keeps for it what it misses
    got: list[tuple[str, str]] = field(default_factory=list)  # topic and text
    n_connections: int = 0
    client: Any = None
    _stop: threading.Event = field(default_factory=threading.Event)

    def start(self) -> "Subscriber":
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        name = "subscriber" if self.is_lasting else ""
        self.client = Client(CallbackAPIVersion.VERSION2, client_id=name, clean_session=not self.is_lasting)
        self.client.on_connect, self.client.on_message = self._subscribe, self._keep
        threading.Thread(target=self._live, daemon=True).start()
        wait_for(lambda: self.n_connections)
        return self

    def stop(self) -> None:
        self._stop.set()
        self.client.disconnect()

    def texts(self, topic: str) -> list[str]:
        return [text for found, text in self.got if found == topic]

    def _live(self) -> None:
        while not self._stop.is_set():
            try:
                self.client.connect("127.0.0.1", self.port)
                while not self._stop.is_set() and self.client.loop(0.05) == 0:
                    pass
            except OSError:
                time.sleep(0.02)

    def _subscribe(self, client: Any, *_others: Any) -> None:
        client.subscribe([("zarbiter/#", 1), ("homeassistant/#", 1)])
        self.n_connections += 1

    def _keep(self, _client: Any, _data: Any, message: Any) -> None:
        self.got.append((message.topic, message.payload.decode()))


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 that nobody signed but itself, and its key."""
    certificate, key = folder / "here.pem", folder / "here-key.pem"
    subprocess.run(
        (
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"),
            *("-keyout", str(key), "-out", str(certificate)),
        ),
        check=True,
        capture_output=True,
    )
    return certificate, key
