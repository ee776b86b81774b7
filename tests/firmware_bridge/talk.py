"""Somebody who speaks to a board of any kind byte by byte, and the pictures that the tests ask boards for."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from random import Random

from firmware_bridge.led_frame import BLACK, LedFrame, Rgb, Run
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import DecodeResult, UnitDecoder, UnitFault, WireUnit, cobs_encode, crc16, encode
from firmware_bridge.protocol.messages import Ack, Boot, Hello, HelloOk, Message, Ping, Pong, picture_command
from tests.firmware_bridge.light_targets import InMemory, Target, behind_pty, lockstep

SESSION = 0x5A17
DARK = LedFrame.dark(wire.MAX_LEDS)
MARKER = LedFrame.from_runs(wire.MAX_LEDS, [Run(0, 1, Rgb(*wire.MARKER_RGB))])
SIX_POINTS = LedFrame.from_runs(wire.MAX_LEDS, [Run(20 * at, 2, Rgb(255, 80, 0)) for at in range(6)])
WHITE = LedFrame((Rgb(255, 255, 255),) * wire.MAX_LEDS)


class Talk:
    """A board and somebody who speaks to it byte by byte: no retries, no session kept."""

    def __init__(self, board: Target) -> None:
        self.board = board
        self.port = board.open(wire.BAUD)
        self._decoder = UnitDecoder()
        self._waiting: list[DecodeResult] = []

    def hear(self, within_ms: int = 1_000) -> WireUnit | None:
        """The next thing it says; None when it says nothing in that time, as often as the board has patience."""
        until_ms = self.board.clock() + within_ms * self.board.patience
        return self._next(until_ms)

    def _next(self, until_ms: int) -> WireUnit | None:
        while not self._waiting and self.board.clock() < until_ms:
            self._waiting += self._decoder.feed(self.port.read(until_ms - self.board.clock()))
        if not self._waiting:
            return None
        heard = self._waiting.pop(0)
        assert not isinstance(heard, UnitFault)
        return heard

    def hear_boot(self, for_ms: int) -> Boot:
        boot = self.hear(for_ms)
        assert boot is not None
        assert isinstance(boot.message, Boot)
        assert boot.seq == wire.UNASKED_SEQ
        return boot.message

    def ping(self) -> Pong:
        pong = self.ask(Ping())
        assert isinstance(pong, Pong)
        return pong

    def show_six_points(self, hello: Hello | None = None) -> None:
        """In a new session."""
        self.greet(hello)
        self.show(SIX_POINTS)

    def pass_over(self) -> None:
        """What it is saying now."""
        while self.port.read(150):
            pass

    def raw(self, data: bytes) -> WireUnit:
        self.port.write(data)
        answer = self.hear()
        assert answer is not None
        return answer

    def ask(self, message: Message, seq: int = 7) -> Message:
        answer = self.raw(encode(message, seq))
        assert answer.seq == seq
        return answer.message

    def silence(self, for_ms: int) -> None:
        assert self._next(self.board.clock() + for_ms) is None

    def greet(self, hello: Hello | None = None) -> HelloOk:
        answer = self.ask(hello or Hello(SESSION))
        assert isinstance(answer, HelloOk)
        return answer

    def show(self, frame: LedFrame) -> Ack:
        answer = self.ask(picture_command(frame))
        assert isinstance(answer, Ack)
        return answer


def board_of(kind: str, folder: Path) -> AbstractContextManager[Target]:
    """A board of this kind, switched on, and switched off at the end."""
    if kind == "memory":
        return nullcontext(InMemory())
    return lockstep() if kind == "chip" else behind_pty(folder)


def with_checksum(content: bytes) -> bytes:
    """The wire unit of any bytes."""
    return b"\0" + cobs_encode(content + crc16(content).to_bytes(2, "little")) + b"\0"


def random_frame(random: Random) -> LedFrame:
    """Some are over the cap."""
    brightness = random.choice((20, 80, 255))
    return LedFrame(
        tuple(
            Rgb(*(random.randint(0, brightness) for _ in range(3))) if random.random() < 0.7 else BLACK
            for _ in range(wire.MAX_LEDS)
        )
    )
