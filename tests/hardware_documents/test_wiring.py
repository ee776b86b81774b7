"""The drawings are those of their sources, the rule check finds what it should, and the pins are those of the code."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.pins.buttons import Button
from firmware_bridge.pins.gpio import GpioPins
from tests.hardware_documents.document_tools import HARDWARE, require

pytestmark = pytest.mark.broad

ROOT = HARDWARE.parent
NAMES = ("light_board", "level_shifter", "raspberry_pi")


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_is_what_its_source_makes(name: str) -> None:
    require(packages=("graphviz",), modules=("wireviz",))
    from hardware.wiring.draw import drawn, said

    committed = (HARDWARE / f"wiring/{name}.svg").read_text(encoding="utf-8")
    assert said(committed) == said(drawn(HARDWARE / f"wiring/{name}.yml"))


def test_a_changed_wire_is_seen_in_the_picture() -> None:
    """The comparison is not blind: another colour of one wire is another picture."""
    require(modules=("wireviz",))
    from hardware.wiring.draw import said

    committed = (HARDWARE / "wiring/light_board.svg").read_text(encoding="utf-8")
    assert said(committed) != said(committed.replace(">470 Ω<", ">47 Ω<"))
    assert said(committed) != said(committed.replace('stroke="#ff0000"', 'stroke="#00ff00"', 1))


def rule_check(*files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hardware.wiring.circuit", *(str(file) for file in files)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_rule_check_finds_what_is_expected_and_no_error() -> None:
    require(modules=("skidl", "wireviz"))
    done = rule_check()
    assert done.stdout.splitlines() == [
        "light_board: 0 errors, 3 warnings, 0 unexpected",
        "level_shifter: 0 errors, 4 warnings, 0 unexpected",
        "raspberry_pi: 0 errors, 0 warnings, 0 unexpected",
    ]
    assert done.returncode == 0


MISTAKES = {
    # The return wire ends at the data pin: two outputs against each other.
    ("[{R2: 2}, {W6: 2}", "[{A1: D6}, {W6: 2}"): "error: Pin conflict: A1 D6, LED2 DOUT",
    # The Nano's 5V pin is joined to the supply's ground.
    ("[{X2: 5}, {W8: 3}, {A1: GND}]", "[{X2: 5}, {W8: 3}, {A1: 5V}]"): "error: Pin conflict: A1 5V, J1 -",
    # A data line that goes nowhere.
    ("  - [{R1: 2}, {W4: 2}, {LED1: DIN}]\n", ""): "warning: Unconnected pin: LED1 DIN",
}


def test_the_rule_check_finds_mistakes(tmp_path: Path) -> None:
    require(modules=("skidl", "wireviz"))
    source = (HARDWARE / "wiring/light_board.yml").read_text(encoding="utf-8")
    files = []
    for number, (right, wrong) in enumerate(MISTAKES):
        assert source.count(right) == 1
        files.append(tmp_path / str(number) / "light_board.yml")
        files[-1].parent.mkdir()
        files[-1].write_text(source.replace(right, wrong), encoding="utf-8")
    done = rule_check(*files)
    assert done.returncode == 1
    of_each = re.split(r"^light_board: \d+ errors.*\n", done.stdout, flags=re.MULTILINE)[1:]
    for found, expected in zip(of_each, MISTAKES.values(), strict=True):
        assert f"light_board: {expected}" in found.splitlines()


def test_the_rule_check_leaves_nothing_behind(tmp_path: Path) -> None:
    require(modules=("skidl", "wireviz"))
    before = {entry.name for entry in ROOT.iterdir()}
    rule_check(HARDWARE / "wiring/raspberry_pi.yml")
    assert {entry.name for entry in ROOT.iterdir()} == before


PARTS = {
    Button.END_TURN_1: "SW1",
    Button.END_TURN_2: "SW2",
    Button.CUBE: "SW3",
    Button.UNDO: "SW4",
    Button.PAUSE: "SW5",
}


def test_the_pi_is_wired_as_the_code_believes() -> None:
    require(modules=("wireviz",))
    from hardware.wiring.harness import Pin, read_harness

    harness = read_harness(HARDWARE / "wiring/raspberry_pi.yml")
    pins = GpioPins()
    gpio_of = {PARTS[button]: gpio for button, gpio in pins.buttons()}
    gpio_of |= {"R6": pins.buzzer or 0, "R7": pins.status_led or 0}
    nets = harness.nets()
    wired = {
        pin.ref: harness.pins[header]
        for pin in harness.pins
        if pin.ref in gpio_of and pin.name == "1"
        for net in nets
        if pin in net
        for header in net
        if header.ref == "A3"
    }
    assert wired == {ref: f"GPIO{gpio}" for ref, gpio in gpio_of.items()}
    header_pin = {label: pin.name for pin, label in harness.pins.items() if pin.ref == "A3"}
    rows = re.findall(r"^\| \w+, [^|]+ \| (\d+) \| (\d+) \|$", (HARDWARE / "README.md").read_text(), re.MULTILINE)
    assert dict(rows) == {str(gpio): header_pin[f"GPIO{gpio}"] for gpio in gpio_of.values()}
    assert Pin("A3", "4") in {pin for net in nets for pin in net}


def test_the_nano_is_wired_as_the_firmware_believes() -> None:
    """board.h has data on D6 (PD6), the return on D8 (PB0) and the divider on A0; so have the wires."""
    require(modules=("wireviz",))
    from hardware.wiring.harness import Pin, read_harness

    board = (HARDWARE / "firmware/board.h").read_text()
    defined = dict(re.findall(r"^#define (\w+) (\w+)", board, re.MULTILINE))
    assert (defined["DATA_PORT"], defined["DATA_BIT"]) == ("PORTD", "6")
    assert (defined["RETURN_PORT"], defined["RETURN_BIT"], defined["RAIL_CHANNEL"]) == ("PORTB", "0", "0")
    nets = read_harness(HARDWARE / "wiring/light_board.yml").nets()
    for pins in (
        {Pin("A1", "D6"), Pin("R1", "1"), Pin("R5", "1")},
        {Pin("R1", "2"), Pin("LED1", "DIN")},
        {Pin("LED1", "DOUT"), Pin("LED2", "DIN")},
        {Pin("LED2", "DOUT"), Pin("R2", "2")},
        {Pin("R2", "1"), Pin("A1", "D8")},
        {Pin("A1", "A0"), Pin("R3", "2"), Pin("R4", "2")},
    ):
        assert pins in nets
