"""The electrical rule check: SKiDL over the wires that WireViz draws.

    python -m hardware.wiring.circuit [FILE.yml...]

Says for each file what SKiDL finds, and ends with 1 when that is not what is expected. The connections come from the
WireViz files, so what is checked is what is drawn; only what each pin does stands here.
"""

import logging
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.wiring.harness import HARNESSES, Harness, Pin, read_harness

# What the pins do, in SKiDL's words; every pin that is not named is PASSIVE.
_STRIP = {"5V": "PWRIN", "GND": "PWRIN", "DIN": "INPUT", "DOUT": "OUTPUT"}
KINDS: Mapping[str, Mapping[str, str]] = {
    "J1": {"+": "PWROUT", "-": "PWROUT"},
    "A1": {"D6": "OUTPUT", "D8": "INPUT", "A0": "INPUT", "GND": "PWRIN", "5V": "PWROUT"},
    "LED1": _STRIP,
    "LED2": _STRIP,
    "A2": {"5V": "PWRIN", "GND": "PWRIN", "data": "OUTPUT"},
    "U1": {
        **dict.fromkeys(("1", "2", "4", "5", "9", "10", "12", "13"), "INPUT"),
        **dict.fromkeys(("3", "6", "8", "11"), "OUTPUT"),
        **dict.fromkeys(("7", "14"), "PWRIN"),
    },
    "A3": {
        **dict.fromkeys(("4", "6", "9", "14", "20"), "PWROUT"),
        **dict.fromkeys(("11", "12", "13", "15", "16", "18", "22"), "BIDIR"),
    },
    "Q1": {"C": "OPENCOLL", "B": "INPUT", "E": "PWRIN"},
    "BZ1": {"+": "PWRIN"},
}
# The level shifter's drawing begins at the clamps; what feeds them stands in light_board.yml.
FED: Mapping[str, tuple[Pin, ...]] = {"level_shifter": (Pin("X1", "1"), Pin("X2", "1"))}

_BEHIND_THE_FUSE = "SKiDL takes the fuse for a resistor, which feeds nothing"
_NOT_USED = "a gate that is left over"
EXPECTED: Mapping[str, Mapping[str, str]] = {
    "light_board": {
        "Unconnected pin: A1 5V": "the Nano must not feed the strip, nor the supply the Nano",
        "Insufficient drive: LED1 5V": _BEHIND_THE_FUSE,
        "Insufficient drive: LED2 5V": _BEHIND_THE_FUSE,
    },
    "level_shifter": {f"Unconnected pin: U1 {pin}": _NOT_USED for pin in (6, 8, 11)}
    | {f"Unconnected pin: LED1 {pin}": "goes on as in light_board.yml" for pin in ("DOUT",)},
    "raspberry_pi": {},
}
"""The expected warnings of SKiDL, with reasons. No error is expected."""


@dataclass(frozen=True, slots=True)
class Findings:
    """SKiDL's findings in the names of the wiring: `Unconnected pin: A1 5V`."""

    errors: frozenset[str]
    warnings: frozenset[str]

    def complaints(self, expected: Mapping[str, str]) -> tuple[str, ...]:
        """The differences from what is expected."""
        found = [f"error: {error}" for error in self.errors]
        found += [f"warning: {warning}" for warning in self.warnings - expected.keys()]
        return tuple(sorted(found + [f"no longer warned of: {one}" for one in expected.keys() - self.warnings]))


_PIN = re.compile(r"[A-Z]+ pin (?P<name>[^/]+)/[^/]+ of (?P<ref>[^/\s]+)/")
_KIND = re.compile(r"Unconnected pin|Insufficient drive|Only one pin|Pin conflict|Incorrectly connected pin")


def finding(message: str) -> str:
    """SKiDL's sentence as kind and pins; unchanged if it has none."""
    kind, pins = _KIND.match(message), _PIN.finditer(message)
    named = ", ".join(sorted(pin["ref"] + " " + pin["name"] for pin in pins))
    return f"{kind[0]}: {named}" if kind else message


class _LogCollector(logging.Handler):
    """Collects log messages."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def of(self, level: int) -> frozenset[str]:
        return frozenset(finding(record.getMessage()) for record in self.records if record.levelno == level)


def checked(skidl: Any, harness: Harness) -> Findings:
    """Runs SKiDL's electrical rule check."""
    collected = _LogCollector()
    skidl.erc_logger.addHandler(collected)
    try:
        _circuit(skidl, harness).ERC()
    finally:
        skidl.erc_logger.removeHandler(collected)
    return Findings(collected.of(logging.ERROR), collected.of(logging.WARNING))


def _circuit(skidl: Any, harness: Harness) -> Any:
    circuit = skidl.Circuit()
    circuit.no_files = True
    pins = {pin: made for ref in _refs(harness) for pin, made in _pins(skidl, circuit, harness, ref).items()}
    for connected in harness.nets():
        first = min(connected)
        net = skidl.Net(f"{first.ref} {first.name}", circuit=circuit)
        net += [pins[pin] for pin in sorted(connected)]
        if any(pin in connected for pin in FED.get(harness.name, ())):
            net.drive = skidl.POWER
    return circuit


def _refs(harness: Harness) -> list[str]:
    return sorted({pin.ref for pin in harness.pins})


def _pins(skidl: Any, circuit: Any, harness: Harness, ref: str) -> dict[Pin, Any]:
    """Adds a part to the circuit; returns its pins."""
    names = [pin.name for pin in harness.pins if pin.ref == ref]
    kinds = KINDS.get(ref, {})
    pins = [skidl.Pin(num=name, name=name, func=getattr(skidl.Pin.types, kinds.get(name, "PASSIVE"))) for name in names]
    template = skidl.Part(name=ref, tool=skidl.SKIDL, dest=skidl.TEMPLATE, pins=pins)
    return {Pin(ref, pin.num): pin for pin in template(ref=ref, circuit=circuit).pins}


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def main(files: tuple[Path, ...]) -> int:
    """Returns 0 if every file has no error and the expected warnings, else 1."""
    harnesses = [read_harness(file) for file in files]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # SKiDL writes its logs into the working directory
        import skidl

        complaints = [_judge(harness.name, checked(skidl, harness)) for harness in harnesses]
        os.chdir(Path(__file__).parent)  # some systems cannot remove the working directory
    return int(any(complaints))


def _judge(name: str, findings: Findings) -> bool:
    """Prints the findings; returns whether there are any."""
    complaints = findings.complaints(EXPECTED.get(name, {}))
    _say(f"{name}: {len(findings.errors)} errors, {len(findings.warnings)} warnings, {len(complaints)} unexpected")
    for complaint in complaints:
        _say(f"{name}: {complaint}")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main(tuple(Path(argument) for argument in sys.argv[1:]) or HARNESSES))
