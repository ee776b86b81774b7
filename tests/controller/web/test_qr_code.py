"""The QR code of the operator's link, decoded by OpenCV."""

import fcntl
import os
import pty
import struct
import termios
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TextIO

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.subcommands.match.page import page_lines
from controller.web.address import Address
from controller.web.match_page import MatchPage
from controller.web.qr_code import GLYPHS, qr_lines, width_of
from controller.web.server import PageServer
from tests.controller.web.shown_match import TOKEN

pytestmark = pytest.mark.broad

LINK = "http://192.168.178.42:8080/?turn=12#operator=AbCdEfGhIjKlMnOp"
MODULES_PX = (6, 4, 5, 7, 8, 10)  # OpenCV decodes some codes only at some sizes
HALVES = {" ": (255, 255), "▀": (0, 255), "▄": (255, 0), "█": (0, 0)}


def read_back(lines: tuple[str, ...]) -> str:
    """The decoded text; each letter is two modules, one above the other."""
    rows = []
    for line in lines:
        plain = [HALVES[letter] for letter in line if letter in GLYPHS]
        rows += [[upper for upper, _ in plain], [lower for _, lower in plain]]
    modules = np.array(rows, np.uint8)
    for size_px in MODULES_PX:
        pixels = modules.repeat(size_px, axis=0).repeat(size_px, axis=1)
        first, last = 4 * size_px, pixels.shape[1] - 4 * size_px - 1
        corners = np.array([[[first, first], [last, first], [last, last], [first, last]]], np.float32)
        for found in (cv2.QRCodeDetector().detectAndDecode(pixels)[0], cv2.QRCodeDetector().decode(pixels, corners)[0]):
            if found:
                return str(found)
    return ""


def test_the_link_is_in_the_code() -> None:
    """The code is black on white by escape codes, and as wide as `width_of` says."""
    lines = qr_lines(LINK)
    assert read_back(lines) == LINK
    assert {width_of(line) for line in lines} == {width_of(lines[0])}
    assert all(line.startswith("\x1b[30;107m") and line.endswith("\x1b[0m") for line in lines)


@given(st.from_regex(r"[A-Za-z0-9_-]{16}", fullmatch=True))
def test_every_token_is_readable(token: str) -> None:
    """Tokens consist of letters, digits, - and _."""
    assert read_back(qr_lines(f"http://10.0.0.2:8080/#operator={token}")).endswith(token)


@contextmanager
def terminal(columns: int = 80, rows: int = 24) -> Iterator[TextIO]:
    """The side of a pseudo-terminal to which a program writes."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    try:
        with os.fdopen(follower, "w", encoding="utf-8") as opened:
            yield opened
    finally:
        os.close(leader)


@pytest.fixture
def lan_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[MatchPage]:
    """A page that listens on all addresses of a fake network."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("controller.web.address.lan_host", lambda: "192.168.178.42")
    with closing(PageServer(Address("0.0.0.0", 0), TOKEN)) as server:  # noqa: S104 - no match is shown on it
        yield MatchPage(server)


def test_the_code_is_printed_after_the_operators_link(lan_page: MatchPage) -> None:
    """The spectators' link has a line of its own, without the token."""
    with terminal() as stream:
        first, *code, last, streams = page_lines(lan_page, stream)
    assert first == f"Page: {lan_page.operators_link}"
    assert read_back(tuple(code)) == lan_page.operators_link
    assert last == f"To look on only: {lan_page.spectators_link}"
    assert streams == f"For streams: {lan_page.spectators_link}overlay"
    assert TOKEN not in last + streams


def test_the_links_say_that_spectators_are_late() -> None:
    with closing(PageServer(Address("127.0.0.1", 0), TOKEN, delay_s=60)) as server, terminal() as stream:
        _, last, streams = page_lines(MatchPage(server), stream)
    assert last.startswith("To look on only (60 s later): http://")
    assert streams.startswith("For streams (60 s later): http://")


@pytest.mark.parametrize(("columns", "rows"), [(30, 24), (80, 15)])
def test_a_small_terminal_gets_the_link(columns: int, rows: int, lan_page: MatchPage) -> None:
    """A part of a code would be useless."""
    with terminal(columns, rows) as stream:
        assert len(page_lines(lan_page, stream)) == 3


@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("NO_COLOR", "1")])
def test_a_plain_terminal_gets_the_link(
    name: str, value: str, lan_page: MatchPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would show escape codes as letters, or colours are unwanted."""
    monkeypatch.setenv(name, value)
    with terminal() as stream:
        assert len(page_lines(lan_page, stream)) == 3


def test_a_file_gets_the_link(lan_page: MatchPage, tmp_path: Path) -> None:
    """A service's journal, for example, is a file."""
    with (tmp_path / "out").open("w", encoding="utf-8") as stream:
        assert len(page_lines(lan_page, stream)) == 3


def test_a_terminal_without_block_characters_gets_the_link(lan_page: MatchPage) -> None:
    """Old consoles use another encoding."""
    with terminal() as stream:
        stream.reconfigure(encoding="latin-1")  # type: ignore[attr-defined]
        assert len(page_lines(lan_page, stream)) == 3


def test_this_machine_alone_needs_no_code() -> None:
    """A phone could not open the link."""
    with closing(PageServer(Address(port=0), TOKEN)) as server, terminal() as stream:
        assert len(page_lines(MatchPage(server), stream)) == 3
