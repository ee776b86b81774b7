"""Strangers at the door of the page: raw connections from several addresses of this machine."""

import socket
import sys
from contextlib import suppress
from pathlib import Path

from controller.web.address import LOOPBACK
from controller.web.server import PageServer

WAIT_S = 20
SEEDS = sorted((Path(__file__).parent / "handshakes").glob("*.http"))


def address_of(number: int) -> str:
    """Linux has a million addresses of its own; elsewhere all strangers share one."""
    return f"127.0.{1 + number // 250}.{1 + number % 250}" if sys.platform == "linux" else LOOPBACK


def connected(server: PageServer, number: int = 0) -> socket.socket:
    """A connection of a stranger."""
    return socket.create_connection((LOOPBACK, server.address.port), WAIT_S, source_address=(address_of(number), 0))


def seed_for(seed: Path, server: PageServer) -> bytes:
    """A seed with the port of this server. Its lines end as HTTP wants it."""
    content = seed.read_bytes().replace(b"\n", b"\r\n")
    return content.replace(b"{port}", str(server.address.port).encode("ascii"))


def first_line(line: socket.socket, sent: bytes) -> bytes:
    """The first line of the answer; empty where the page ends the connection without one."""
    answer = b""
    with suppress(ConnectionError):
        line.sendall(sent)
        while b"\n" not in answer and (part := line.recv(1_024)):
            answer += part
    return answer.partition(b"\r\n")[0]


def is_ended(line: socket.socket) -> bool:
    """Whether the page ends the connection; what it still sends is passed over."""
    try:
        while line.recv(65_536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True
