"""The parts list as a table: bom.csv from parts.yaml.

    python -m hardware.bom.table

Needs the extra `hardware` (PyYAML comes with WireViz).
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import yaml

HERE = Path(__file__).parent
SOURCE = HERE / "parts.yaml"
TABLE = HERE / "bom.csv"
COLUMNS = ("references", "quantity", "part", "value", "needed for", "note")
PIECES = "pcs"


@dataclass(frozen=True, slots=True)
class Part:
    """One row. `refs` are the names in the wiring; none for what is not wired."""

    refs: tuple[str, ...]
    quantity: float
    part: str
    value: str
    needed: str
    note: str = ""
    unit: str = PIECES

    @property
    def cells(self) -> tuple[str, ...]:
        """As COLUMNS are named."""
        return (" ".join(self.refs), f"{self.quantity:g} {self.unit}", self.part, self.value, self.needed, self.note)


def parts(source: Path = SOURCE) -> tuple[Part, ...]:
    """The rows in their order. TypeError for a row with a key that no part has, or without one that every part has."""
    rows = yaml.safe_load(source.read_text(encoding="utf-8"))
    return tuple(Part(**{**row, "refs": tuple(row["refs"])}) for row in rows)


def as_csv(rows: tuple[Part, ...]) -> str:
    """With a line of headings and Unix line ends."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row.cells for row in rows)
    return text.getvalue()


if __name__ == "__main__":
    TABLE.write_text(as_csv(parts()), encoding="utf-8")
