"""What the club's page costs with many tables: `python -m tests.benchmarks.hall [--minutes N]`. *Sim*: states without a camera.

`zarbiter club` runs as people call it, at a mosquitto of this benchmark. Its tables publish a state a second each, some also a
ruling with its picture every five seconds. One browser asks as the page does: for news, then for each new picture. An
update counts from the moment it is handed to the broker until the browser has it, or has a later one of the same table.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode, urlsplit

from controller.publishing.messages import RULINGS
from controller.publishing.pictures import LONGEST_PX, MOST_BYTES
from tests.controller.club.table_messages import MATCH, event_texts, picture_text, state_text
from tests.controller.publishing.broker import Mosquitto
from tests.controller.web.shown_match import ShownMatch
from vision.pixels.small_jpeg import shrink_jpeg

CORE_BAR, MEMORY_BAR_MB, UPDATE_BAR_S = 0.25, 150.0, 1.0
RULING_EVERY_S = 5
PAGE_PAUSE_S, PICTURE_PAUSE_S = 0.2, 0.05  # those of club.js
_ROOT = Path(__file__).parents[2]
_PICTURE = _ROOT / "tests/vision/pictures/start.jpg"


@dataclass(slots=True)
class Waits:
    """How long updates were on their way. The browser gets numbers that rise; a later one stands for all before it."""

    took_s: list[float] = field(default_factory=list)
    _sent: defaultdict[str, deque[tuple[int, float]]] = field(default_factory=lambda: defaultdict(deque))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, name: str, number: int, at_s: float) -> None:
        with self._lock:
            self._sent[name].append((number, at_s))

    def see(self, name: str, number: int, at_s: float) -> None:
        with self._lock:
            sent = self._sent[name]
            while sent and sent[0][0] <= number:
                self.took_s.append(at_s - sent.popleft()[1])

    def lost(self) -> int:
        """The updates that nobody has seen."""
        return sum(map(len, self._sent.values()))


@dataclass(slots=True)
class HallFigures:
    """What was measured. `core`: the part of one core that the page's process used."""

    minutes: float
    core: float = float("nan")
    most_mb: float = float("nan")
    states: Waits = field(default_factory=Waits)
    pictures: Waits = field(default_factory=Waits)


class HallTables:
    """All tables at one connection, in a thread of their own until `close`; the club's page sees only topics."""

    def __init__(self, port: int, count: int, with_pictures: int, figures: HallFigures) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        played = ShownMatch.after_first_turn().match
        self._states = {f"Table-{n}": state_text(played, f"Table {n}") for n in range(1, count + 1)}
        self._rulings = {
            name: event_texts(played)[_last_ruling(played.events)] for name in [*self._states][:with_pictures]
        }
        picture = shrink_jpeg(_PICTURE.read_bytes(), LONGEST_PX, MOST_BYTES)
        assert picture is not None
        self._picture, self._figures = picture, figures
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        for name in self._states:
            self._client.publish(f"zarbiter/{name}/available", "online", qos=1, retain=True)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._client.disconnect()
        self._client.loop_stop()

    def _play(self) -> None:
        second, begun_s = 0, time.monotonic()
        while not self._stop.is_set():
            for place, (name, text) in enumerate(self._states.items()):
                if self._stop.wait(begun_s + second + place / len(self._states) - time.monotonic()):
                    return
                if name in self._rulings and (second + place) % RULING_EVERY_S == 0:
                    self._rule(name, second + 100)
                self._show(name, text)
            second += 1

    def _show(self, name: str, text: str) -> None:
        now_s = time.monotonic()
        number = int(now_s * 1000)  # as the table's time: it rises, and the page shows it
        self._figures.states.send(name, number, now_s)
        self._client.publish(f"zarbiter/{name}/state", json.dumps(json.loads(text) | {"now_ms": number}), retain=True)

    def _rule(self, name: str, number: int) -> None:
        self._figures.pictures.send(name, number, time.monotonic())
        record = json.loads(self._rulings[name]) | {"number": number}
        self._client.publish(f"zarbiter/{name}/events", json.dumps(record), qos=1)
        self._client.publish(f"zarbiter/{name}/picture", picture_text(number, self._picture, MATCH))


def _last_ruling(events: Sequence[object]) -> int:
    return max(at for at, event in enumerate(events) if isinstance(event, RULINGS))


class HallBrowser:
    """Asks as `club.js` does: the next question after the last answer, and one picture after the other."""

    def __init__(self, link: str, figures: HallFigures) -> None:
        where = urlsplit(link)
        self._place = where.hostname or "", where.port or 0
        self._headers = {"Authorization": f"Bearer {where.fragment.removeprefix('operator=')}"}
        self._figures, self._stop = figures, threading.Event()
        self._wanted: dict[str, int] = {}
        self.n_states = self.n_pictures = 0  # that came
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._watch, self._fetch)]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _get(self, path: str) -> bytes:
        with closing(HTTPConnection(*self._place, timeout=30)) as connection:
            connection.request("GET", path, headers=self._headers)
            answer = connection.getresponse()
            content = answer.read()
            assert answer.status in (200, 404), (answer.status, content[:200])
            return content if answer.status == 200 else b""

    def _watch(self) -> None:
        version = 0
        while not self._stop.is_set():
            answer: dict[str, Any] = json.loads(self._get(f"/api/club?after={version}"))
            version, now_s = answer["version"], time.monotonic()
            for name, table in answer["tables"].items():
                if table["state"] is not None:
                    self.n_states += 1
                    self._figures.states.see(name, table["state"]["now_ms"], now_s)
                if table["ruling"] is not None and table["ruling"]["picture"] is not None:
                    self._wanted[name] = table["ruling"]["picture"]
            self._stop.wait(PAGE_PAUSE_S)

    def _fetch(self) -> None:
        shown: dict[str, int] = {}
        while not self._stop.wait(PICTURE_PAUSE_S):
            due = next((item for item in self._wanted.copy().items() if shown.get(item[0]) != item[1]), None)
            if due is None:
                continue
            name, number = due
            shown[name] = number
            if self._get(f"/api/club/picture?{urlencode({'table': name, 'number': number})}"):
                self.n_pictures += 1
                self._figures.pictures.see(name, number, time.monotonic())


def measured(minutes: float, tables: int, with_pictures: int) -> HallFigures:
    """The figures of one hall, from the first second after the page's start."""
    figures = HallFigures(minutes)
    with (
        tempfile.TemporaryDirectory() as kept,
        broker_of(Path(kept)) as broker,
        club_of(Path(kept), broker) as (pid, link),
        closing(HallTables(broker.port, tables, with_pictures, figures)),
        closing(HallBrowser(link, figures)),
    ):
        begun_s, before_s, mb = time.monotonic(), processor_s(pid), [resident_mb(pid)]
        while time.monotonic() < begun_s + minutes * 60:
            time.sleep(1)
            mb.append(resident_mb(pid))
        figures.core = (processor_s(pid) - before_s) / (time.monotonic() - begun_s)
        figures.most_mb = max(mb)
    return figures


@contextmanager
def broker_of(folder: Path) -> Iterator[Mosquitto]:
    """A mosquitto that runs until the block ends."""
    broker = Mosquitto(folder).start()
    try:
        yield broker
    finally:
        broker.kill()


@contextmanager
def club_of(data: Path, broker: Mosquitto) -> Iterator[tuple[int, str]]:
    """The number of the process, and the director's link."""
    (data / "settings.toml").write_text(f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n')
    call = [sys.executable, "-m", "controller", "club", "--data", str(data), "--web", "127.0.0.1:0"]
    with subprocess.Popen(call, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.pid, process.stdout.readline().removeprefix("Page: ").strip()
        finally:
            process.terminate()


def processor_s(pid: int) -> float:
    """The time of all its threads so far."""
    values = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def print_bars(found: HallFigures) -> int:
    """Prints each figure beside its bar; 1 when a bar is missed, or hardly anything was seen."""
    states, pictures = sorted(found.states.took_s), sorted(found.pictures.took_s)
    if not states:
        print("  no state was seen: MISSED")
        return 1
    late = sum(took_s > UPDATE_BAR_S for took_s in states)
    at_95 = states[int(0.95 * len(states))]
    print(
        f"  {found.minutes:g} min: {found.core:.1%} of a core, bar {CORE_BAR:.0%}; {found.most_mb:.0f} MB, bar {MEMORY_BAR_MB:.0f}"
    )
    print(f"  {len(states)} states: median {median(states):.2f} s, 95 % {at_95:.2f} s, at most {states[-1]:.2f} s; "
          f"{late} later than {UPDATE_BAR_S:g} s; {found.states.lost()} were on their way at the end")  # fmt: skip
    if pictures:
        print(f"  {len(pictures)} pictures: median {median(pictures):.2f} s, at most {pictures[-1]:.2f} s")
    is_kept = found.core <= CORE_BAR and found.most_mb <= MEMORY_BAR_MB and at_95 <= UPDATE_BAR_S
    print("  kept" if is_kept else "  MISSED")
    return int(not is_kept)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.hall", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument(
        "--with-pictures", type=int, default=4, help="tables that send pictures of rulings (default: 4)"
    )
    options = parser.parse_args(arguments)
    return print_bars(measured(options.minutes, options.tables, options.with_pictures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
