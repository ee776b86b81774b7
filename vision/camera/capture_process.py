"""The parent of the process that reads a camera: starts it, receives its events and kills it. No call blocks for long.

The process is a fresh interpreter instead of a fork, so it shares neither locks nor threads; its pictures come through
`shared_frames`. A read that hangs inside a driver cannot be interrupted, but its process can be killed. A process that
hangs inside the kernel cannot be killed either: it stays behind, and `has_ended` reports that the camera is not free.
"""

import json
import os
import select
import socket
import subprocess
import sys
import weakref
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from vision.camera.capture import CaptureEnded, CaptureRecipe, LocksTried, MemoryMade, MessageDecoder, encode
from vision.camera.quiet_libraries import QUIET
from vision.camera.shared_frames import Mailbox, SlotReader, Token
from vision.frame import Frame

CaptureEvent = Frame | LocksTried | CaptureEnded

# The child searches modules on the same path as the parent.
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from vision.camera.capture_worker import main; main(*map(int, sys.argv[2:]))"
)
# A healthy child releases its camera within one frame.
_SHUTDOWN_TIMEOUT_S = 0.7
_KILL_TIMEOUT_S = 0.3


@dataclass(slots=True)
class _RunningProcess:
    """One run of the process, with the resources that end with it."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    mailbox: Mailbox
    slots: SlotReader
    decoder: MessageDecoder
    fds: list[int]  # received and not yet attached
    has_reported_end: bool = False

    def close(self) -> None:
        self.control.close()
        os.close(self.mailbox.reader_fd)
        for fd in self.fds:
            os.close(fd)


class CaptureProcess:
    """One camera, which at most one process reads at a time."""

    def __init__(self, recipe: CaptureRecipe) -> None:
        self._recipe = recipe
        self._running: _RunningProcess | None = None
        self._killed_process: subprocess.Popen[bytes] | None = None
        self._finalizer: weakref.finalize[..., CaptureProcess] | None = None

    @property
    def pid(self) -> int | None:
        return self._running.process.pid if self._running else None

    def start(self) -> None:
        """Raises OSError when the machine cannot start another process."""
        ours, theirs = socket.socketpair()
        reader_fd, writer_fd = os.pipe()
        os.set_blocking(reader_fd, False)
        os.set_blocking(writer_fd, False)
        try:
            process = _spawn((theirs.fileno(), reader_fd, writer_fd))
        except OSError:
            ours.close()
            os.close(reader_fd)
            raise
        finally:
            theirs.close()
            os.close(writer_fd)
        with suppress(BrokenPipeError):  # the process ended at once; its exit status becomes an event
            ours.sendall(encode(self._recipe))
        ours.setblocking(False)
        mailbox = Mailbox(reader_fd)
        slots = SlotReader(mailbox, lambda token: _return_token(ours, token))
        self._running = _RunningProcess(process, ours, mailbox, slots, MessageDecoder(), [])
        self._finalizer = weakref.finalize(self, process.kill)  # for a caller that never closes, also at exit

    def take_events(self) -> list[CaptureEvent]:
        """All events since the last call in order, with at most one frame, the newest. Does not wait."""
        if self._running is None:
            return []
        events: list[CaptureEvent] = []
        # The frame comes first, so that a frame from before the end of the process is not lost.
        newest = self._running.slots.take_newest(lambda: events.extend(self._receive_events()))
        if newest is not None:
            events.append(Frame(*newest))
        return events + self._receive_events()

    def wait(self, timeout_ms: int) -> None:
        """Returns when an event may be available, or after the timeout."""
        poll = select.poll()
        if self._running is not None:
            poll.register(self._running.control, select.POLLIN)
            poll.register(self._running.mailbox.reader_fd, select.POLLIN)
        poll.poll(max(0, timeout_ms))

    def kill(self) -> None:
        """Kills the process in any state and does not wait for its end."""
        if self._running is not None:
            self._running.process.kill()
            self._running.close()
            self._killed_process, self._running = self._running.process, None
        if self._finalizer is not None:
            self._finalizer.detach()

    def has_ended(self) -> bool:
        """Whether no process is left that may hold the camera."""
        return self._running is None and (self._killed_process is None or self._killed_process.poll() is not None)

    def close(self) -> None:
        """Lets the process release the camera, or kills it; takes at most a second."""
        if self._running is not None:
            with suppress(OSError):
                self._running.control.shutdown(socket.SHUT_RDWR)
            with suppress(subprocess.TimeoutExpired):
                self._running.process.wait(_SHUTDOWN_TIMEOUT_S)
            self.kill()
        if self._killed_process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._killed_process.wait(_KILL_TIMEOUT_S)

    def _receive_events(self) -> list[CaptureEvent]:
        """The pending messages; CaptureEnded when the process has ended without one."""
        if (running := self._running) is None:
            return []
        events: list[CaptureEvent] = []
        while True:
            try:
                data, fds, _, _ = socket.recv_fds(running.control, 1 << 16, 8)
            except BlockingIOError:
                return events
            except OSError:  # a socket whose other end was killed may raise instead of ending
                data, fds = b"", []
            running.fds += fds
            for message in running.decoder.feed(data):
                if isinstance(message, MemoryMade):
                    fd = running.fds.pop(0)
                    running.slots.attach_memory(message.memory, fd)
                    os.close(fd)
                elif isinstance(message, LocksTried | CaptureEnded):
                    events.append(message)
                    running.has_reported_end |= isinstance(message, CaptureEnded)
            if not data:
                if not running.has_reported_end:
                    events.append(CaptureEnded(self._describe_exit(running.process), is_curable=True))
                return events

    def _describe_exit(self, process: subprocess.Popen[bytes]) -> str:
        status = process.poll()
        how = "" if status is None else f" (signal {-status})" if status < 0 else f" (status {status})"
        return (
            f"{self._recipe.name} was lost, the process that reads it ended{how}; check its cable and the free memory."
        )


def _spawn(fds: tuple[int, int, int]) -> subprocess.Popen[bytes]:
    """Starts the child in a session of its own, so that Ctrl-C in the terminal reaches only the parent."""
    path = json.dumps([str(Path(entry).resolve()) for entry in sys.path])
    return subprocess.Popen(  # noqa: S603 - our own interpreter with our own code
        [sys.executable, "-c", _BOOT, path, *map(str, fds)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=QUIET | dict(os.environ),
        pass_fds=fds,
        start_new_session=True,
    )


def _return_token(control: socket.socket, token: Token) -> None:
    with suppress(OSError):  # the process is gone or hangs; the next poll or the watchdog reports it
        control.send(token.to_bytes())
