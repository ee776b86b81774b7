"""What stands around a table at a club, in processes beside the one that is measured: `tests/benchmarks/everything.py`.

`receivers_beside`: a mosquitto, the club's page, a webhook's HTTP server and the server that speaks obs-websocket.
`viewers_beside`: two spectators on the stream of events, and the overlay with the camera's picture.
"""

import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from tests.benchmarks.hall import HallBrowser, HallFigures, broker_of, club_of
from tests.benchmarks.spectators import unmasked_texts
from tests.controller.publishing.http_receiver import receiver
from tests.controller.publishing.obs_server import ObsServer
from tests.controller.web.test_server import handshake

N_SPECTATORS = 2
_CAMERA = "/api/camera"
_BOUNDARY = b"--frame"


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the receivers of this machine are."""

    broker: int
    webhook: int
    obs: int

    def settings(self, folder: Path) -> str:
        """The text of a settings file with all of them; writes the secret of the webhook into `folder`."""
        secret = folder / "webhook-secret"
        secret.write_text("a-secret-of-the-benchmark\n", encoding="ascii")
        secret.chmod(0o600)
        scenes = 'throw = "Dice"\nplay = "Board"\nunsure = "Table"\nruling = "Table"'
        return (
            f'[mqtt]\nhost = "127.0.0.1"\nport = {self.broker}\npictures = true\n'
            f'[webhook]\nurl = "http://127.0.0.1:{self.webhook}/events"\nsecret_file = "{secret}"\n'
            f'[obs]\nhost = "127.0.0.1"\nport = {self.obs}\n[obs.scenes]\n{scenes}\n'
        )


@dataclass(slots=True)
class Arrived:
    """How much came: a run in which a receiver got nothing measures nothing."""

    counts: dict[str, int] = field(default_factory=dict)

    def missing(self) -> list[str]:
        return [name for name, count in self.counts.items() if not count]


@contextmanager
def receivers_beside() -> Iterator[tuple[Ports, Arrived]]:
    """The counts are there after the block."""
    with _beside("receivers") as (first_line, last_line):
        arrived = Arrived()
        yield Ports(**json.loads(first_line())), arrived
        arrived.counts |= json.loads(last_line())


@contextmanager
def viewers_beside(link: str) -> Iterator[Arrived]:
    """They look until the block ends; the counts are there then."""
    with _beside("viewers", link) as (first_line, last_line):
        first_line()
        arrived = Arrived()
        yield arrived
        arrived.counts |= json.loads(last_line())


@contextmanager
def _beside(*arguments: str) -> Iterator[tuple[Callable[[], str], Callable[[], str]]]:
    """A process of this module that ends with its standard input, and how to get its first line and its last one.

    It is a session of its own: a Linux that shares the processor between sessions gives it none of the measured one's part.
    """
    call = [sys.executable, "-m", "tests.benchmarks.receivers", *arguments]
    with subprocess.Popen(
        call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline, lambda: process.communicate()[0].splitlines()[-1]
        finally:
            if process.stdin is not None and not process.stdin.closed:
                process.stdin.close()


def serve_receivers() -> None:
    """Until standard input ends."""
    figures, obs = HallFigures(0), ObsServer().start()
    with (
        tempfile.TemporaryDirectory() as kept,
        broker_of(Path(kept)) as broker,
        club_of(Path(kept), broker) as (_, link),
        receiver() as webhook,
        closing(HallBrowser(link, figures)) as director,
    ):
        print(json.dumps(asdict(Ports(broker.port, webhook.port, obs.port))), flush=True)
        sys.stdin.read()
        counts = {"states at the club": director.n_states, "pictures at the club": director.n_pictures}
        print(json.dumps(counts | {"posts": len(webhook.confirmed), "scenes": len(obs.shown)}), flush=True)
    obs.kill()


@dataclass(slots=True)
class _Viewers:
    place: tuple[str, int]
    is_over: threading.Event = field(default_factory=threading.Event)
    counts: dict[str, int] = field(default_factory=lambda: {"messages": 0, "pictures of the overlay": 0})

    def watch(self) -> None:
        """The stream of events, as a page has it open."""
        with suppress(OSError), socket.create_connection(self.place, timeout=10) as line:
            line.sendall(handshake(self.place[1]))
            line.settimeout(0.5)
            for _ in unmasked_texts(line, float("inf"), self.is_over):
                self.counts["messages"] += 1

    def look(self) -> None:
        """The camera's picture in a corner of the overlay."""
        connection = HTTPConnection(*self.place, timeout=120)
        with closing(connection), suppress(OSError):
            connection.request("GET", _CAMERA)
            answer = connection.getresponse()
            while not self.is_over.is_set() and (content := answer.read1(65_536)):
                self.counts["pictures of the overlay"] += content.count(_BOUNDARY)


def run_viewers(link: str) -> None:
    """Until standard input ends."""
    where = urlsplit(link)
    viewers = _Viewers((where.hostname or "", where.port or 0))
    runs = [viewers.watch] * (N_SPECTATORS + 1) + [viewers.look]  # the overlay has both
    for run in runs:
        threading.Thread(target=run, daemon=True).start()
    print("they look", flush=True)
    sys.stdin.read()
    viewers.is_over.set()
    time.sleep(0.1)
    print(json.dumps(viewers.counts), flush=True)


def main(arguments: Sequence[str]) -> int:
    if arguments[0] == "receivers":
        serve_receivers()
    else:
        run_viewers(arguments[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
