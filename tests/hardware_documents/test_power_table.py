"""The page about the strip's current."""

from hardware.power_table import CAPS_MA, page
from tests.hardware_documents.document_tools import HARDWARE


def test_the_page_is_what_the_arithmetic_makes() -> None:
    assert (HARDWARE / "power.md").read_text(encoding="utf-8") == page()


def test_known_figures_stand_in_it() -> None:
    """120 LEDs: 120 dark, 720 for 30 green ones, 7320 white; under 1500 mA white is byte 48 and 1475 mA."""
    (row,) = (line for line in page().splitlines() if line.startswith("| 120 "))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1:3] == ["120 mA", "720 mA"]
    assert cells[6:] == ["7,320 mA", "1,500 mA", "byte 48, 1,475 mA"]
    assert tuple(CAPS_MA) == (24, 48, 72, 120)
