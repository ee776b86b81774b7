"""A serial line in memory with a plug that can be pulled. Time is data; damage is drawn from a seeded generator.

Bytes arrive in order, after their time on the wire. At most one kind of damage applies to each write.
"""

from collections import deque
from dataclasses import dataclass, field
from enum import Enum, unique
from math import ceil
from random import Random
from typing import Protocol

from firmware_bridge.errors import PortGoneError, PortMissingError
from firmware_bridge.protocol.framing import wire_ms


class Device(Protocol):
    """A device on the line: it gets the time and received bytes, and returns what it sends."""

    @property
    def baud(self) -> int: ...

    def power_on(self, now_ms: int) -> None: ...

    def advance(self, now_ms: int) -> bytes: ...

    def receive(self, data: bytes, now_ms: int) -> bytes: ...


@dataclass(slots=True)
class FakeClock:
    """A clock that moves only when somebody waits."""

    now_ms: int = 0

    def __call__(self) -> int:
        return self.now_ms


@unique
class Damage(Enum):
    """The damage that a bad line does to a write."""

    LOST = "lost"
    FLIPPED = "flipped"  # one to eight bits
    BYTE_LOST = "byte lost"
    CUT = "cut"
    JUNK = "junk"  # random bytes are inserted
    TWICE = "twice"
    LATE = "late"  # by up to MAX_DELAY_MS; later writes wait too, since the line keeps its order


MAX_DELAY_MS = 150


def apply_damage(content: bytes, damage: Damage, random: Random) -> bytes:
    """The bytes that arrive."""
    at = random.randrange(len(content))
    match damage:
        case Damage.LOST:
            return b""
        case Damage.FLIPPED:
            flipped = bytearray(content)
            for _ in range(random.randint(1, 8)):
                flipped[random.randrange(len(content))] ^= 1 << random.randrange(8)
            return bytes(flipped)
        case Damage.BYTE_LOST:
            return content[:at] + content[at + 1 :]
        case Damage.CUT:
            return content[:at]
        case Damage.JUNK:
            return content[:at] + random.randbytes(random.randint(1, 20)) + content[at:]
        case Damage.TWICE:
            return content * 2
        case Damage.LATE:
            return content


@dataclass(slots=True)
class _Direction:
    """The bytes under way in one direction, each write with its arrival time."""

    under_way: deque[tuple[int, bytes]] = field(default_factory=deque)
    free_ms: float = 0.0  # when the wire is free again

    def put(self, content: bytes, starts_ms: int, takes_ms: float, late_ms: int) -> None:
        self.free_ms = max(self.free_ms, starts_ms) + takes_ms + late_ms
        self.under_way.append((ceil(self.free_ms), content))

    def take(self, now_ms: int) -> bytes:
        taken = b""
        while self.under_way and self.under_way[0][0] <= now_ms:
            taken += self.under_way.popleft()[1]
        return taken


@dataclass(slots=True)
class FakePlug:
    """A Plug with a device behind it. Opening it restarts the device, as DTR does on most boards."""

    device: Device
    clock: FakeClock
    damage_to_device: float = 0.0  # share of the writes
    damage_to_host: float = 0.0
    kinds: tuple[Damage, ...] = tuple(Damage)
    random: Random = field(default_factory=lambda: Random(0))
    name: str = "fake"
    restarts_on_opening: bool = True
    is_plugged: bool = True
    written: bytearray = field(default_factory=bytearray)  # everything that the host has sent

    def open(self, baud: int) -> "FakePort":
        if not self.is_plugged:
            raise PortMissingError(self.name, "is not there", "plug it in")
        if self.restarts_on_opening:
            self.device.power_on(self.clock.now_ms)
        return FakePort(self, baud)

    def pull(self) -> None:
        """Every open port is gone; the device has no power until the plug is opened again."""
        self.is_plugged = False


class FakePort:
    """A Port. Reading advances the clock."""

    def __init__(self, plug: FakePlug, baud: int) -> None:
        self.name = plug.name
        self._plug = plug
        self._baud = baud
        self._is_open = True
        self._to_device = _Direction()
        self._to_host = _Direction()

    def read(self, wait_ms: int) -> bytes:
        until_ms = self._plug.clock.now_ms + wait_ms
        while True:
            self._check()
            self._run_device()
            heard = self._to_host.take(self._plug.clock.now_ms)
            if heard or self._plug.clock.now_ms >= until_ms:
                return heard
            self._plug.clock.now_ms += 1

    def write(self, data: bytes) -> None:
        self._check()
        if data:
            self._plug.written += data
            self._carry(data, self._to_device, self._plug.damage_to_device)

    def set_baud(self, baud: int) -> None:
        self._check()
        self._baud = baud

    def close(self) -> None:
        self._is_open = False

    def _check(self) -> None:
        if not (self._is_open and self._plug.is_plugged):
            raise PortGoneError(self.name, "is gone", "plug it in again")

    def _run_device(self) -> None:
        now_ms, device = self._plug.clock.now_ms, self._plug.device
        heard = self._to_device.take(now_ms)
        said = device.receive(heard, now_ms) if heard else device.advance(now_ms)
        if said:
            self._carry(said, self._to_host, self._plug.damage_to_host)

    def _carry(self, content: bytes, direction: _Direction, damage_share: float) -> None:
        plug = self._plug
        late_ms = 0
        takes_ms = wire_ms(len(content), self._baud)
        if plug.random.random() < damage_share:
            kind = plug.random.choice(plug.kinds)
            late_ms = plug.random.randint(1, MAX_DELAY_MS) if kind is Damage.LATE else 0
            content = apply_damage(content, kind, plug.random)
        if self._baud != plug.device.baud:
            content = plug.random.randbytes(len(content) * plug.device.baud // max(self._baud, 1) or 1)
        direction.put(content, plug.clock.now_ms, takes_ms, late_ms)
