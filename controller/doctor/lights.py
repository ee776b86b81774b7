"""Checks of the light board (plugged in, permitted, answering, its warnings) and of the voice of this machine."""

from collections.abc import Callable, Iterator, Sequence

from controller.doctor.findings import Finding, fault, ok, warning
from controller.speech.espeak import MISSING, PROGRAM
from firmware_bridge.boards.light_board import Identity, LightBoard, Verification
from firmware_bridge.errors import BridgeError, NotALightBoardError, PortError

CHECK = "light board"
_HOW = {
    Verification.DIGEST: "which confirms what it shows by a digest",
    Verification.READBACK: "which gives back what it shows",
    Verification.NONE: "which cannot say what it shows",
}


def light_findings(
    ports: Sequence[str], board_at: Callable[[str], LightBoard], *, is_named: bool = False
) -> Iterator[Finding]:
    """Findings about these ports. With `is_named` the user named them, so that a port without a light board is a fault.

    `board_at` returns the unopened driver for a port, or raises BridgeError. A board is opened and closed; it shows nothing.
    """
    if not ports:
        yield warning(CHECK, "no serial port is there; plug the light board in, or play without lights.")
        return
    report = fault if is_named else warning
    others: list[str] = []
    found = 0
    for port in ports:
        try:
            yield from _check_board(board_at(port))
            found += 1
        except NotALightBoardError as error:
            others.append(str(error))
        except (PortError, BridgeError) as error:
            yield report(CHECK, str(error))
    for sentence in others:
        yield ok(CHECK, f"not a light board: {sentence}") if found else report(CHECK, sentence)


def _check_board(board: LightBoard) -> Iterator[Finding]:
    try:
        identity = board.open()
        yield ok(CHECK, _describe_identity(identity))
        for sentence in board.health().warnings:
            yield warning(CHECK, sentence)
    finally:
        board.close()


def _describe_identity(identity: Identity) -> str:
    leds = "" if identity.n_led is None else f" with {identity.n_led} LEDs"
    return f"{identity.name}{leds} answers on {identity.port}, {_HOW[identity.verified]}."


def voice_findings(*, is_wanted: bool, is_there: bool) -> Iterator[Finding]:
    """A missing voice is a warning only where it is wanted, because pages speak by themselves."""
    check = "voice"
    if is_there:
        yield ok(check, f"{PROGRAM} is there{'' if is_wanted else '; it speaks with aloud = true under [speech]'}.")
    elif is_wanted:
        yield warning(check, f"{MISSING}.")
    else:
        yield ok(check, "nothing is to be said aloud by this machine.")
