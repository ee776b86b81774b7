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
    """One row. `refs` are the names in the wiring; empty for parts that are not wired."""

    refs: tuple[str, ...]
    quantity: float
    part: str
    value: str
    needed: str
    note: str = ""
    unit: str = PIECES

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of COLUMNS."""
        return (" ".join(self.refs), f"{self.quantity:g} {self.unit}", self.part, self.value, self.needed, self.note)


def parts(source: Path = SOURCE) -> tuple[Part, ...]:
    """The rows in order. Raises TypeError for a row with an unknown or a missing key."""
    rows = yaml.safe_load(source.read_text(encoding="utf-8"))
    return tuple(Part(**{**row, "refs": tuple(row["refs"])}) for row in rows)


def as_csv(rows: tuple[Part, ...]) -> str:
    """The table as CSV with headings and Unix line ends."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row.cells for row in rows)
    return text.getvalue()


if __name__ == "__main__":
    TABLE.write_text(as_csv(parts()), encoding="utf-8")
