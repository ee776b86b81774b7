"""The process that reads one camera. `capture_process` starts it and may kill it at any moment.

The main thread waits for the camera. A second thread waits for the parent: when the parent has ended for any reason,
this process exits too, even while the camera hangs.
"""

import os
import socket
import threading
import time
from functools import partial

from vision.camera.capture import (
    Capture,
    CaptureEnded,
    CaptureRecipe,
    Lock,
    LocksTried,
    MemoryMade,
    Message,
    MessageDecoder,
    encode,
)
from vision.camera.shared_frames import TOKEN_BYTES, Mailbox, SlotMemory, SlotWriter, Token
from vision.errors import CaptureError, CaptureLibraryError, VisionError
from vision.frame import is_colour_picture, monotonic_ms

# Time between the end of the parent and the exit; a live camera needs one frame to leave its loop.
EXIT_GRACE_S = 0.5
# Cheap cameras garble single pictures; a run of this length is a fault, or no camera.
MOST_GARBLED = 30


def main(control_fd: int, reader_fd: int, writer_fd: int) -> None:
    """Receives the recipe over the socket and serves until the parent closes it or the camera ends."""
    control = socket.socket(fileno=control_fd)
    recipe = _receive_recipe(control)
    if recipe is None:
        return
    writer = SlotWriter(Mailbox(reader_fd, writer_fd), partial(_announce, control))
    leaving = threading.Event()
    threading.Thread(target=_listen, args=(control, writer, leaving), daemon=True).start()
    try:
        _serve(recipe, control, writer, leaving)
    except BrokenPipeError:
        return
    except VisionError as error:
        _send(control, CaptureEnded(str(error), is_curable=not isinstance(error, CaptureLibraryError)))
    except Exception as error:  # noqa: BLE001 - an exception of a driver's library may end only this process
        sentence = (
            f"{recipe.name} stopped ({type(error).__name__}: {error}); check its cable and that nobody else uses it."
        )
        _send(control, CaptureEnded(sentence, is_curable=True))


def _receive_recipe(control: socket.socket) -> CaptureRecipe | None:
    decoder = MessageDecoder()
    while data := control.recv(1 << 16):
        for value in decoder.feed(data):
            recipe: CaptureRecipe = value  # type: ignore[assignment]  # a pickle has no type
            return recipe
    return None


def _send(control: socket.socket, message: Message) -> None:
    try:
        control.sendall(encode(message))
    except OSError:
        return  # the parent has ended, and this process follows


def _announce(control: socket.socket, memory: SlotMemory, fd: int) -> None:
    socket.send_fds(control, [encode(MemoryMade(memory))], [fd])


def _listen(control: socket.socket, writer: SlotWriter, leaving: threading.Event) -> None:
    """Runs in a second thread until the parent has ended."""
    try:
        while len(data := control.recv(TOKEN_BYTES, socket.MSG_WAITALL)) == TOKEN_BYTES:
            writer.returned_tokens.put(Token.from_bytes(data))
    except OSError:
        pass  # equivalent to the end of the stream
    leaving.set()
    time.sleep(EXIT_GRACE_S)
    os._exit(1)


def _serve(recipe: CaptureRecipe, control: socket.socket, writer: SlotWriter, leaving: threading.Event) -> None:
    capture = recipe.open()
    try:
        _deliver(capture, recipe.name, control, writer, leaving)
    finally:
        capture.release()


def _deliver(capture: Capture, name: str, control: socket.socket, writer: SlotWriter, leaving: threading.Event) -> None:
    reported: tuple[Lock, ...] = ()
    garbled = 0
    while not leaving.is_set():
        capture.grab()
        taken_ms = monotonic_ms()
        pixels = capture.retrieve(writer.next_slot())
        if is_colour_picture(pixels):
            writer.publish(pixels, taken_ms)
            garbled = 0
        else:
            garbled += 1
        if garbled == MOST_GARBLED:
            raise CaptureError(name, "sends pictures that cannot be read", "try another cable, size or format")
        if reported != (locks := capture.locks()):
            _send(control, LocksTried(locks))
            reported = locks
