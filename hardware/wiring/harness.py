"""Reads the wires of a WireViz file with WireViz itself, and derives the connected pins.

A part in such a file is a WireViz connector with pins. What is one piece of copper inside a part (a clamp, the supply
lines of a strip) stands in JOINED, since no wire tells it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wireviz.wireviz import parse

HERE = Path(__file__).parent
HARNESSES = tuple(HERE / f"{name}.yml" for name in ("light_board", "level_shifter", "raspberry_pi"))

_STRIP = (("5V", "5V end"), ("GND", "GND end"))
JOINED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "X1": (("1", "2", "3", "4"),),
    "X2": (("1", "2", "3", "4", "5"),),
    "LED1": _STRIP,
    "LED2": _STRIP,
}


@dataclass(frozen=True, slots=True, order=True)
class Pin:
    """One pin of one part, in the names of the file."""

    ref: str
    name: str


@dataclass(frozen=True, slots=True)
class Harness:
    """`pins` maps every pin of every part, wired or not, to its label, or to its name if it has none."""

    name: str
    cables: tuple[str, ...]
    pins: Mapping[Pin, str]
    wires: tuple[tuple[Pin, Pin], ...]

    @property
    def references(self) -> frozenset[str]:
        return frozenset(self.cables) | {pin.ref for pin in self.pins}

    def nets(self) -> tuple[frozenset[Pin], ...]:
        """The sets of at least two connected pins, sorted by their first pin."""
        nets: list[frozenset[Pin]] = []
        inside = [
            frozenset(Pin(ref, name) for name in names if Pin(ref, name) in self.pins)
            for ref, groups in JOINED.items()
            for names in groups
        ]
        for link in (*inside, *(frozenset(wire) for wire in self.wires)):
            touched = [net for net in nets if net & link]
            nets = [net for net in nets if not net & link] + [link.union(*touched)]
        return tuple(sorted((net for net in nets if len(net) > 1), key=min))


def read_harness(file: Path) -> Harness:
    """Loads a file. Raises what WireViz raises for an invalid one."""
    drawn = parse(file, return_types="harness")
    pins = {
        Pin(ref, str(pin)): str(label)
        for ref, part in drawn.connectors.items()
        for pin, label in zip(part.pins, part.pinlabels or part.pins, strict=True)
    }
    wires = tuple(
        (Pin(one.from_name, str(one.from_pin)), Pin(one.to_name, str(one.to_pin)))
        for cable in drawn.cables.values()
        for one in cable.connections
    )
    return Harness(file.stem, tuple(drawn.cables), pins, wires)
