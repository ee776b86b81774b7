"""The checklist for the first real board: its commands exist and say what it expects, as far as a board in memory can."""

import re
from fnmatch import fnmatch

import pytest

from controller.cli import main
from tests.hardware_documents.document_tools import HARDWARE

PAGE = (HARDWARE / "bench_checklist.md").read_text(encoding="utf-8")
_STEP = re.compile(r"^(\d+)\. .*?\n\n +\$ ([^\n]+)\n((?: {6,}[^\n]+\n?)+)", re.MULTILINE | re.DOTALL)
STEPS = tuple(
    (int(number), command, [line.strip() for line in expected.splitlines()])
    for number, command, expected in _STEP.findall(PAGE)
)


def test_there_are_twelve_steps_with_command_and_expected_line() -> None:
    assert [number for number, _, _ in STEPS] == list(range(1, 13))
    assert all(command and expected for _, command, expected in STEPS)


# A board in memory is never without its strip, and nobody kills it.
WELL_BEHAVED = [
    step for step in STEPS if step[1].startswith("zarbiter") and not step[2][0].startswith("No LED answers")
]


@pytest.mark.parametrize("step", WELL_BEHAVED, ids=lambda step: str(step[0]))
def test_a_board_in_memory_says_what_is_expected(
    step: tuple[int, str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, command, (expected, *_) = step
    assert main([*command.replace("$PORT", "fake").split()[1:]]) == 0
    said = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert any(fnmatch(line, expected.replace("…", "*")) for line in said)


@pytest.mark.parametrize("number", [6, 12])
def test_the_warnings_are_those_of_the_driver(number: int) -> None:
    driver = (HARDWARE.parent / "firmware_bridge/boards/bglp.py").read_text(encoding="utf-8")
    _, _, expected = STEPS[number - 1]
    for line in expected:
        assert all(part in driver for part in line.split("…"))
