"""What the doctor asks of the light board: is one plugged in, may it be opened, does it answer, what does it complain of.

What the doctor finds of the voice of this machine.
"""

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
    """Of these ports; `is_named`: somebody said that there is a light board on them, so anything else is a fault.

    `board_at` gives the driver for a port, not yet opened, or raises a BridgeError. A board is greeted and closed again;
    nothing is shown.
    """
    if not ports:
        yield warning(CHECK, "no serial port is there; plug the light board in, or play without lights.")
        return
    how_bad = fault if is_named else warning
    others: list[str] = []
    found = 0
    for port in ports:
        try:
            yield from _check_board(board_at(port))
            found += 1
        except NotALightBoardError as error:
            others.append(str(error))
        except (PortError, BridgeError) as error:
            yield how_bad(CHECK, str(error))
    for sentence in others:
        yield ok(CHECK, f"not a light board: {sentence}") if found else how_bad(CHECK, sentence)


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
    """Nobody misses it who did not ask for it: pages speak by themselves."""
    check = "voice"
    if is_there:
        yield ok(check, f"{PROGRAM} is there{'' if is_wanted else '; it speaks with aloud = true under [speech]'}.")
    elif is_wanted:
        yield warning(check, f"{MISSING}.")
    else:
        yield ok(check, "nothing is to be said aloud by this machine.")
